// SPDX-License-Identifier: BSD-2-Clause
/* idt.c - a guest's own handlers, beside those of the firmware. */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "lib/string.h"

#define VECTORS   256
#define GATE_TYPE 0x8eull /* present, ring 0, interrupt gate */

static uint64_t gates[VECTORS][2];
static struct insn_table firmwares;
static uint64_t flags;
static bool is_ours;

static uint16_t code_selector(void)
{
	uint16_t cs;

	__asm__("mov %%cs, %0" : "=r"(cs));
	return cs;
}

void guest_take_idt(uint8_t vector, void (*handler)(void))
{
	const struct insn_table ours = {sizeof(gates) - 1, (uint64_t)gates};
	const uint64_t to = (uint64_t)handler;

	if (!is_ours) {
		flags = irq_save();
		insn_sidt(&firmwares);
		memcpy(gates, (const void *)firmwares.base, firmwares.limit + 1ul);
		insn_lidt(&ours);
		is_ours = true;
	}
	gates[vector][0] = (to & 0xffff) | (uint64_t)code_selector() << 16 | GATE_TYPE << 40 |
			   (to >> 16 & 0xffff) << 48;
	gates[vector][1] = to >> 32;
}

void guest_return_idt(void)
{
	insn_lidt(&firmwares);
	is_ours = false;
	irq_restore(flags);
}
