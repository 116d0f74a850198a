// SPDX-License-Identifier: BSD-2-Clause
/*
 * gates.c - events that cannot be delivered: the resulting exception, its place and error code;
 * pairs of exceptions that give a double fault; and NMIs meanwhile. SDM vol. 3, "Interrupt 8:
 * Double Fault Exception", "Error Code".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "tests/guests/try.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define NMI_COMMAND  (APIC_ICR_SELF | APIC_ICR_ASSERT | APIC_ICR_NMI)
#define SELF_COMMAND (APIC_ICR_SELF | APIC_ICR_ASSERT | WORLD_VECTOR)
#define PRESENT      (1ull << 47)
#define DPL_3        (3ull << 45)
#define SELECTOR     0xffff0000ull
#define NO_SELECTOR  0x0ff80000ull
#define NOT_MAPPED   (600ull << 30)
#define INT_NUMBER   0x90
#define VECTOR_DE    0
#define VECTOR_BP    3
#define VECTOR_UD    6
#define VECTOR_NP    11
#define VECTOR_GP    13
#define VECTOR_PF    14

/* Each instruction of it may be stepped. */
static void spin_briefly(void)
{
	for (volatile unsigned i = 0; i < 100; i++)
		;
}

static void absent(uint64_t *gate)
{
	gate[0] &= ~PRESENT;
}

static void without_selector(uint64_t *gate)
{
	gate[0] = (gate[0] & ~SELECTOR) | NO_SELECTOR;
}

static void null_selector(uint64_t *gate)
{
	gate[0] &= ~SELECTOR;
}

static const struct spoiling {
	const char *name;
	void (*spoil)(uint64_t *gate);
} spoilings[] = {
	{"not present", absent},
	{"a selector beyond the table", without_selector},
	{"no selector", null_selector},
};
#define SPOILINGS (sizeof(spoilings) / sizeof(*spoilings))

static uint64_t spoil(unsigned vector, const struct spoiling *s)
{
	const uint64_t before = world_idt[vector][0];

	s->spoil(world_idt[vector]);
	guest_print("vector %u: %s", vector, s->name);
	return before;
}

/* --- Exceptions of ring 0 --- */

static void divide(void)
{
	TRY("  a divide by zero", "xor %%ecx, %%ecx\n1: div %%ecx", "r"(0));
}

static void ud2(void)
{
	TRY("  UD2", "1: ud2", "r"(0));
}

static void int3_breakpoint(void)
{
	TRY("  INT3", "1: int3", "r"(0));
}

static void interrupt(void)
{
	TRY("  INT", "1: int %0", "i"(INT_NUMBER));
}

static void protection(void)
{
	TRY("  a selector beyond the table", "mov $0xff8, %%eax\n1: mov %%eax, %%ds", "r"(0));
}

static void page_fault(void)
{
	TRY("  a load of what is not mapped", "1: mov (%0), %%rax", "r"(NOT_MAPPED + 8));
}

static const struct {
	unsigned vector;
	void (*raise)(void);
} exceptions[] = {
	{VECTOR_DE, divide},     {VECTOR_BP, int3_breakpoint}, {VECTOR_UD, ud2},
	{VECTOR_GP, protection}, {VECTOR_PF, page_fault},      {INT_NUMBER, interrupt},
};
#define EXCEPTIONS (sizeof(exceptions) / sizeof(*exceptions))

static void exceptions_of_ring0(void)
{
	for (size_t i = 0; i < EXCEPTIONS; i++)
		for (size_t k = 0; k < SPOILINGS; k++) {
			const uint64_t before = spoil(exceptions[i].vector, &spoilings[k]);

			exceptions[i].raise();
			world_idt[exceptions[i].vector][0] = before;
		}
}

/* --- INTn of ring 3 --- */

void guest_gates_int(uint64_t unused), guest_gates_int3(uint64_t unused);
__asm__(".globl guest_gates_int, guest_gates_int3\n"
	".hidden guest_gates_int, guest_gates_int3\n"
	"guest_gates_int:\n\tnop\n\tint $0x90\n\tret\n"
	"guest_gates_int3:\n\tnop\n\tint3\n\tret\n");

static uint64_t user_error, user_at;

static bool note_user_trap(struct world_trap *trap)
{
	if (trap->cs & 3) {
		user_error = trap->error;
		user_at = trap->rip;
	}
	return false;
}

static void int_of_ring3(const char *what, void (*code)(uint64_t), unsigned vector)
{
	world_on_trap = note_user_trap;
	for (size_t k = 0; k < SPOILINGS; k++) {
		const uint64_t before = spoil(vector, &spoilings[k]);
		unsigned ended;

		world_idt[vector][0] |= DPL_3;
		ended = world_in_ring3(code, 0);
		world_idt[vector][0] = before;
		guest_print("  %s: ended by %u, error %llx, at %d", what, ended,
			    (unsigned long long)user_error, (int)(user_at - (uint64_t)code));
	}
	world_idt[vector][0] |= DPL_3;
	guest_print("  %s: ended by %u", what, world_in_ring3(code, 0));
	guest_print("  at %d", (int)(user_at - (uint64_t)code));
	world_idt[vector][0] &= ~DPL_3;
	world_on_trap = NULL;
}

/* --- Interrupts and NMIs --- */

static volatile unsigned trapped, nmis_within;
static volatile uint64_t trapped_error;

/* An NMI that cannot be delivered blocks further NMIs while its exception is handled. */
static bool take_trap(struct world_trap *trap)
{
	if (trap->vector != VECTOR_NP && trap->vector != VECTOR_GP)
		return false;
	trapped = (unsigned)trap->vector;
	trapped_error = trap->error;
	world_idt[2][0] |= PRESENT;
	world_idt[2][0] = (world_idt[2][0] & ~SELECTOR) | WORLD_CODE << 16;
	world_apic_write(APIC_ICR, NMI_COMMAND);
	spin_briefly();
	nmis_within = world_nmis;
	return true;
}

static void undelivered(const char *what, unsigned vector, uint32_t command)
{
	for (size_t k = 0; k < SPOILINGS; k++) {
		const uint64_t before = spoil(vector, &spoilings[k]);

		world_nmis = world_interrupts = trapped = 0;
		trapped_error = nmis_within = 0;
		world_on_trap = take_trap;
		irq_enable();
		world_apic_write(APIC_ICR, command);
		spin_briefly();
		irq_disable();
		world_on_trap = NULL;
		world_idt[vector][0] = before;
		if (vector == WORLD_VECTOR)
			world_apic_write(APIC_EOI, 0);
		guest_print("  %s: vector %u, error %llx; %u NMIs within, %u and %u interrupts",
			    what, trapped, (unsigned long long)trapped_error, nmis_within,
			    world_nmis, world_interrupts);
	}
}

static void pass_gates(void)
{
	exceptions_of_ring0();
	int_of_ring3("INT", guest_gates_int, INT_NUMBER);
	int_of_ring3("INT3", guest_gates_int3, VECTOR_BP);
	undelivered("an interrupt", WORLD_VECTOR, SELF_COMMAND);
	undelivered("an NMI", 2, NMI_COMMAND);
}

static void after_gates(void)
{
}

static void count_gates(void)
{
	guest_count_variously(pass_gates);
}

void guest_gates(void)
{
	world_run(count_gates, after_gates);
}
