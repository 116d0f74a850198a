// SPDX-License-Identifier: BSD-2-Clause
/*
 * nmi.c - NMIs: within the handler of another NMI, after an IRET that ends another handler, in ring
 * 3, together with an interrupt, while single-stepping.
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define NMI_COMMAND    (APIC_ICR_SELF | APIC_ICR_ASSERT | APIC_ICR_NMI)
#define VECTOR_COMMAND (APIC_ICR_SELF | APIC_ICR_ASSERT | WORLD_VECTOR)
#define DEEPEST        8
#define RFLAGS_TF      0x100ull
#define VECTOR_DB      1
#define VECTOR_NP      11
#define VECTOR_GP      13

static volatile unsigned depth, deepest, handlers;
static volatile unsigned seen_within[DEEPEST]; /* NMIs, at the end of each handler */

static void send_nmi(void)
{
	world_apic_write(APIC_ICR, NMI_COMMAND);
}

static void clear_counts(void (*handler)(void))
{
	depth = deepest = handlers = 0;
	world_nmis = world_interrupts = 0;
	world_on_interrupt = handler;
}

static void print_nmis(const char *what)
{
	guest_print("%s: %u NMIs, %u interrupts, %u deep", what, world_nmis, world_interrupts,
		    deepest);
	for (unsigned i = 0; i < handlers && i < DEEPEST; i++)
		guest_print("  handler %u: %u NMIs at its end", i, seen_within[i]);
}

/* The first handler runs `first`. Each handler prints the number of NMIs. */
static void enter_handler(void (*first)(void))
{
	const unsigned number = handlers++;

	depth++;
	if (depth > deepest)
		deepest = depth;
	if (!number)
		first();
	if (number < DEEPEST)
		seen_within[number] = world_nmis;
	depth--;
}

static void empty_handler(void)
{
}

/* Each instruction of it may be stepped. */
static void spin_briefly(void)
{
	for (volatile unsigned i = 0; i < 100; i++)
		;
}

static void send_one(void)
{
	send_nmi();
	guest_spin();
}

static void send_three(void)
{
	for (unsigned i = 0; i < 3; i++)
		send_one();
}

/* The fault's handler ends by IRET: NMIs are no longer blocked, though the NMI's handler goes on.
 */
static void send_and_fault(void)
{
	send_one();
	__asm__ volatile("1: ud2\n2:\n\t" INSN_EXTABLE("1b", "2b"));
	guest_spin();
}

static void fault_and_send(void)
{
	__asm__ volatile("1: ud2\n2:\n\t" INSN_EXTABLE("1b", "2b"));
	send_one();
}

static void alone(void)
{
	enter_handler(empty_handler);
}

static void with_one(void)
{
	enter_handler(send_one);
}

static void with_three(void)
{
	enter_handler(send_three);
}

static void with_fault(void)
{
	enter_handler(send_and_fault);
}

static void behind_fault(void)
{
	enter_handler(fault_and_send);
}

static void within_handlers(void)
{
	static const struct {
		const char *name;
		void (*handler)(void);
	} cases[] = {
		{"one", alone},
		{"one in the handler", with_one},
		{"three in the handler", with_three},
		{"one, then a fault in the handler", with_fault},
		{"a fault, then one in the handler", behind_fault},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		clear_counts(cases[i].handler);
		send_nmi();
		guest_spin();
		print_nmis(cases[i].name);
	}
}

/* The interrupt waits for the flag, the NMI does not. */
static void with_interrupt(void)
{
	unsigned before;

	clear_counts(NULL);
	world_apic_write(APIC_ICR, VECTOR_COMMAND);
	send_nmi();
	guest_spin();
	before = world_nmis;
	irq_enable();
	guest_spin();
	irq_disable();
	guest_print("with an interrupt: %u NMIs before, %u and %u", before, world_nmis,
		    world_interrupts);
}

static volatile unsigned interrupts_in_nmi;

static void enable_in_handler(void)
{
	if (handlers++)
		return;
	world_apic_write(APIC_ICR, VECTOR_COMMAND);
	irq_enable();
	guest_spin();
	irq_disable();
	interrupts_in_nmi = world_interrupts;
	send_one();
	seen_within[0] = world_nmis;
}

/* An interrupt's IRET in the handler of an NMI ends the blocking, too. */
static void interrupt_in_handler(void)
{
	clear_counts(enable_in_handler);
	send_nmi();
	guest_spin();
	guest_print("an interrupt in the handler: %u then, %u NMIs at its end, %u in the end",
		    interrupts_in_nmi, seen_within[0], world_nmis);
}

static void nmi_from_ring3(uint64_t unused)
{
	(void)unused;
	guest_apic_write(APIC_ICR, NMI_COMMAND);
	guest_spin();
}

static void nmi_in_ring3(void)
{
	unsigned vector;

	clear_counts(alone);
	vector = world_in_ring3(nmi_from_ring3, 0);
	guest_print("ring 3 ended by %u", vector);
	print_nmis("in ring 3");
}

static volatile unsigned steps;

static bool count_steps(struct world_trap *trap)
{
	if (trap->vector != VECTOR_DB)
		return false;
	steps++;
	return true;
}

/* Steps are those of the code; the handler runs at full speed. */
static void while_stepping(void)
{
	clear_counts(alone);
	steps = 0;
	world_on_trap = count_steps;
	__asm__ volatile("pushfq\n\t"
			 "orq $0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "movl %0, (%1)\n\t"
			 "nop\n\tnop\n\tnop\n\tnop\n\t"
			 "pushfq\n\t"
			 "andq $~0x100, (%%rsp)\n\t"
			 "popfq"
			 :
			 : "r"(NMI_COMMAND), "r"(0xfee00000ull + APIC_ICR)
			 : "memory", "cc");
	world_on_trap = NULL;
	guest_print("%u steps", steps);
	print_nmis("while stepping");
}

/* An IRET that faults does not unblock NMIs: they stay blocked in the fault's handler. */
static volatile unsigned nmis_in_fault;

static bool send_in_fault(struct world_trap *trap)
{
	if (trap->vector != VECTOR_GP && trap->vector != VECTOR_NP)
		return false;
	send_nmi();
	spin_briefly();
	nmis_in_fault = world_nmis;
	return false;
}

static void iret_that_faults(void)
{
	__asm__ volatile("mov %%rsp, %%r8\n\tpush $0x10\n\tpush %%r8\n\tpush $2\n\t"
			 "push $0xff8\n\tpush $0\n\t"
			 "1: iretq\n2:\n\tmov %%r8, %%rsp\n\t" INSN_EXTABLE("1b", "2b")
			 :
			 :
			 : "r8", "memory");
}

static void fault_by_iret(void)
{
	if (handlers++)
		return;
	world_on_trap = send_in_fault;
	iret_that_faults();
	world_on_trap = NULL;
}

static void in_fault_of_iret(void)
{
	clear_counts(fault_by_iret);
	nmis_in_fault = 0;
	send_nmi();
	spin_briefly();
	guest_print("an IRET that faults: %u NMIs in the fault, %u in the end", nmis_in_fault,
		    world_nmis);
}

static void take_nmis(void)
{
	in_fault_of_iret();
	within_handlers();
	with_interrupt();
	interrupt_in_handler();
	nmi_in_ring3();
	while_stepping();
	world_on_interrupt = NULL;
}

/* Turns of ten instructions each. */
static void run_turns(uint64_t turns)
{
	__asm__ volatile("1:\ttest %0, %0\n\t"
			 "jz 2f\n\t"
			 ".rept 6\n\t"
			 "nop\n\t"
			 ".endr\n\t"
			 "dec %0\n\t"
			 "jmp 1b\n"
			 "2:"
			 : "+r"(turns)
			 :
			 : "cc");
}

/*
 * NMIs shortly before a counter overflows: vpmu distinguishes the interrupt that stops the guest
 * from the guest's own NMI.
 */
static void send_before_overflow(void)
{
	static const unsigned turns[] = {0, 90000, 99000, 99500, 99900, 99990, 99994, 99995};

	clear_counts(NULL);
	for (unsigned i = 0; i < sizeof(turns) / sizeof(*turns); i++)
		for (unsigned late = 0; late < 4; late++) {
			guest_count_once(1000000);
			run_turns(turns[i] + (turns[i] < 99990 ? late : 0));
			send_nmi();
			guest_count_stop();
		}
	guest_print("before an overflow: %u NMIs", world_nmis);
}

static void count_nmis(void)
{
	guest_count_variously(take_nmis);
	send_before_overflow();
}

void guest_nmi(void)
{
	world_run(count_nmis, empty_handler);
}
