// SPDX-License-Identifier: BSD-2-Clause
/* legacy.c - see legacy.h. */
#include "tests/guests/legacy.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "tests/guests/guests.h"
#include "tests/guests/world/guest_world.h"

#define TASK_FREE 0x89ull
#define TASK_BUSY (2ull << 40)

struct guest_legacy guest_legacy;
static uint64_t idt_32[256];

void guest_legacy_gate(unsigned vector, uint32_t selector, const void *to, uint32_t type)
{
	const uint64_t at = (uint64_t)to;

	idt_32[vector] = (at & 0xffff) | (uint64_t)selector << 16 | (uint64_t)type << 32 |
			 (at >> 16 & 0xffff) << 48;
}

void guest_legacy_set_task(uint32_t selector, const struct guest_legacy_task *task)
{
	const uint64_t base = (uint64_t)task;

	world_gdt[selector / 8] = (sizeof(*task) - 1) | (base & 0xffffff) << 16 | TASK_FREE << 40 |
				  (base >> 24 & 0xff) << 56;
}

void guest_legacy_end_tasks(void)
{
	world_gdt[WORLD_TASK / 8] &= ~TASK_BUSY;
	insn_ltr(WORLD_TASK);
}

void guest_legacy_prepare(const void *code32, uint8_t *page)
{
	memset(&guest_legacy, 0, sizeof(guest_legacy));
	memset(idt_32, 0, sizeof(idt_32));
	guest_legacy.code32 = (uint64_t)code32;
	guest_legacy.idt_32 =
		(struct guest_legacy_table){sizeof(idt_32) - 1, (uint32_t)(uint64_t)idt_32};
	guest_legacy.page = (uint64_t)page;
}

void guest_legacy_tell(const char *what, const uint32_t *notes, unsigned n)
{
	guest_print("%s:", what);
	for (unsigned i = 0; i < n; i += 4)
		guest_print("  %x %x %x %x", notes[i], notes[i + 1], notes[i + 2], notes[i + 3]);
}
