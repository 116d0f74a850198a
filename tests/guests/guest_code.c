// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_code.c - code that runs right after it was written: by itself, by other code, through
 * another address of the same memory, in ring 0 and in ring 3. SDM vol. 3, "Handling Self- and
 * Cross-Modifying Code".
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define PAGE        4096u
#define TURNS       40u
#define LOADED      0x11111111u /* what changes_loop begins with */
#define MOV_EAX     0xb8
#define RET         0xc3
#define MOV_BYTES   5
#define OTHER_ALIAS (512ull << 30)

#define CODE(name) extern const uint8_t guest_##name[], guest_##name##_end[];
CODE(changes_next)
CODE(changes_loop)
CODE(changes_by_stos)
CODE(changes_to_cpuid)
#undef CODE

typedef uint32_t (*code_t)(uint32_t argument);

static uint8_t pages[2 * PAGE] __attribute__((aligned(PAGE)));

static code_t copied(const uint8_t *from, const uint8_t *end)
{
	memcpy(pages, from, (size_t)(end - from));
	return (code_t)(uint64_t)pages;
}
#define COPIED(name) copied(guest_##name, guest_##name##_end)

static void write_loader(uint8_t *at, uint32_t value)
{
	at[0] = MOV_EAX;
	memcpy(at + 1, &value, sizeof(value));
	at[MOV_BYTES] = RET;
}

static void by_itself(void)
{
	const code_t next = COPIED(changes_next);
	unsigned right = 0;

	for (uint32_t i = 0; i < TURNS; i++)
		right += next(i) == i;
	guest_print("the next instruction: %u of %u", right, TURNS);
	guest_print("a loop: %u", COPIED(changes_loop)(TURNS) - TURNS * LOADED);
	for (uint32_t bytes = 0; bytes <= 16; bytes += 8)
		guest_print("behind STOS: %u", COPIED(changes_by_stos)(bytes));
	guest_print("into CPUID: %d", COPIED(changes_to_cpuid)(0) == insn_cpuid(0, 0).ebx);
}

/* The code is written at `written`, and runs at `run`. */
static void from_outside(const char *what, uint8_t *written, const uint8_t *run)
{
	const code_t code = (code_t)(uint64_t)run;
	unsigned right = 0;

	for (uint32_t i = 0; i < TURNS; i++) {
		write_loader(written, i);
		insn_cpuid(0, 0);
		right += code(0) == i;
	}
	guest_print("%s: %u of %u", what, right, TURNS);
}

/* Maps all memory a second time, beyond the end of the world's tables. */
static void by_alias(void)
{
	volatile uint64_t *const top = (volatile uint64_t *)(read_cr3() & ~(PAGE - 1ull));
	uint64_t alias = (uint64_t)pages + OTHER_ALIAS;

	__asm__("" : "+r"(alias)); /* to the compiler it is not of the array */
	top[1] = top[0];
	write_cr3(read_cr3());
	from_outside("run at another address", pages, (uint8_t *)alias);
	from_outside("written at another address", (uint8_t *)alias, pages);
	top[1] = 0;
	write_cr3(read_cr3());
}

static volatile uint32_t sum_in_ring3;

static void write_and_run(uint64_t turns)
{
	sum_in_ring3 = 0;
	for (uint32_t i = 0; i < turns; i++) {
		write_loader(pages, i);
		sum_in_ring3 += ((code_t)(uint64_t)pages)(0);
	}
}

static void rewrite_code(void)
{
	unsigned vector;

	by_itself();
	from_outside("written by others", pages, pages);
	from_outside("over two pages", pages + PAGE - 3, pages + PAGE - 3);
	by_alias();
	vector = world_in_ring3(write_and_run, TURNS);
	guest_print("in ring 3: ended by %u, %u", vector, sum_in_ring3);
}

static void after_code(void)
{
}

static void count_rewritten(void)
{
	guest_count_variously(rewrite_code);
}

void guest_code(void)
{
	world_run(count_rewritten, after_code);
}
