// SPDX-License-Identifier: BSD-2-Clause
/*
 * jump.c - jumps into an image that this program loads, and back. The image has its own page
 * tables, high in the address space. They map nothing of this program: no stack, tables or
 * handlers.
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#define PAGE      4096u
#define ENTRIES   512u
#define HIGH      0xffff800000000000ull
#define WRITABLE  3ull
#define SHIFT(n)  (12 + 9 * (n))
#define LEVELS    4
#define IMAGE_RIP 0xe00 /* image.S */
#define IMAGE_CPU 0xe08
#define IMAGE_SUM 0xe10

extern const uint8_t guest_image[], guest_image_end[];

typedef void (*image_t)(uint64_t cr3, uint64_t high);

/* The top one, and those below it on the way to the page at both of its addresses. */
static uint64_t tables[1 + 2 * (LEVELS - 1)][ENTRIES] __attribute__((aligned(PAGE)));
static uint8_t page[PAGE] __attribute__((aligned(PAGE)));

static void map_page(uint64_t at, uint64_t (*below)[ENTRIES])
{
	uint64_t *table = tables[0];

	for (unsigned level = LEVELS - 1; level; level--) {
		table[at >> SHIFT(level) & (ENTRIES - 1)] = (uint64_t)below | WRITABLE;
		table = *below++;
	}
	table[at >> SHIFT(0) & (ENTRIES - 1)] = (uint64_t)page | WRITABLE;
}

static uint64_t noted(unsigned at)
{
	uint64_t value;

	memcpy(&value, page + at, sizeof(value));
	return value;
}

static void jump_to_image(void)
{
	const struct insn_table none = {0, 0};
	const image_t image = (image_t)(uint64_t)page;
	struct insn_table before;

	memset(page, 0, sizeof(page));
	memset(tables, 0, sizeof(tables));
	memcpy(page, guest_image, (size_t)(guest_image_end - guest_image));
	map_page((uint64_t)page, &tables[1]);
	map_page(HIGH, &tables[LEVELS]);
	insn_sidt(&before);
	insn_lidt(&none);
	image((uint64_t)tables, HIGH - (uint64_t)page);
	insn_lidt(&before);
	guest_print("high %d, in its page %d; CPUID %d; %llu", noted(IMAGE_RIP) >= HIGH,
		    noted(IMAGE_RIP) < HIGH + PAGE,
		    (uint32_t)noted(IMAGE_CPU) == insn_cpuid(0, 0).ebx,
		    (unsigned long long)noted(IMAGE_SUM));
}

static void after_jump(void)
{
}

static void count_image(void)
{
	guest_count_variously(jump_to_image);
}

void guest_jump(void)
{
	world_run(count_image, after_jump);
}
