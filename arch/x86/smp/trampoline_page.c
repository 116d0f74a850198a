// SPDX-License-Identifier: BSD-2-Clause
/* trampoline_page.c - see trampoline.h. */
#include "arch/x86/smp/trampoline.h"

#include "lib/string.h"

#include <stddef.h>

/* trampoline.S */
extern const uint8_t smp_trampoline[], smp_trampoline_32[], smp_trampoline_64[],
	smp_trampoline_end[];

static void put_word32(uint8_t *page, unsigned at, uint64_t value)
{
	const uint32_t low = (uint32_t)value;

	memcpy(page + at, &low, sizeof(low));
}

static void put_word64(uint8_t *page, unsigned at, uint64_t value)
{
	memcpy(page + at, &value, sizeof(value));
}

static void put_far(uint8_t *page, unsigned at, uint64_t code, uint16_t selector)
{
	put_word32(page, at, code);
	memcpy(page + at + 4, &selector, sizeof(selector));
}

void trampoline_fill(uint8_t *page, const struct trampoline *t)
{
	static const uint64_t gdt[] = {
		[TRAMPOLINE_CODE64 / 8] = 0x00af9b000000ffff,
		[TRAMPOLINE_DATA / 8] = 0x00cf93000000ffff,
		[TRAMPOLINE_CODE32 / 8] = 0x00cf9b000000ffff,
	};
	const uint16_t limit = sizeof(gdt) - 1;

	memcpy(page, smp_trampoline, (size_t)(smp_trampoline_end - smp_trampoline));
	memcpy(page + TRAMPOLINE_GDT, gdt, sizeof(gdt));
	memcpy(page + TRAMPOLINE_GDTR, &limit, sizeof(limit));
	put_word32(page, TRAMPOLINE_GDTR + 2, t->at + TRAMPOLINE_GDT);
	put_far(page, TRAMPOLINE_FAR32, t->at + (uint64_t)(smp_trampoline_32 - smp_trampoline),
		TRAMPOLINE_CODE32);
	put_far(page, TRAMPOLINE_FAR64, t->at + (uint64_t)(smp_trampoline_64 - smp_trampoline),
		TRAMPOLINE_CODE64);
	put_word32(page, TRAMPOLINE_CR3, t->table);
	put_word32(page, TRAMPOLINE_CR4, t->cr4);
	put_word64(page, TRAMPOLINE_ENTRY, t->entry);
}
