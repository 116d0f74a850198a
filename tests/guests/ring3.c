// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring3.c - interrupts of code in ring 3. Their handler is so long that further interrupts become
 * due in it: each comes once, and none within the handler, which has interrupts off. While vpmu
 * looks only at instructions of ring 3, the handler runs at full speed.
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define SENT          0xf2 /* higher than the world's priority */
#define TIMED         0xf3
#define APIC_PAGE     0xfee00000ull
#define TURNS         5
#define TURNS_CLOSELY 90
#define UNTIL_TIMED   150000u /* of the timer: it comes due in the handler of what was sent */
#define HANDLER_TURNS 10000u
#define SEND          (APIC_ICR_SELF | APIC_ICR_ASSERT | SENT)
#define BY_ONE        0xb /* of the timer's divider */
#define VECTOR_UD     6
#define UD2_LENGTH    2
#define RFLAGS_IF     0x200ull

static volatile unsigned sent, timed, depth, deepest, unmaskable, before_record;

static void stay_long(void)
{
	unsigned turns = HANDLER_TURNS;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(turns)::"cc");
}

static void take_interrupt(const struct world_trap *trap)
{
	if (++depth > deepest)
		deepest = depth;
	unmaskable += !(trap->rflags & RFLAGS_IF);
	if (trap->vector == SENT)
		sent++;
	else
		timed++;
	before_record += guest_record_is_due();
	stay_long();
	world_apic_write(APIC_EOI, 0);
	depth--;
}

/* UD2 of ring 3 asks for interrupts, which it cannot switch on itself. */
static bool take_trap(struct world_trap *trap)
{
	if (trap->vector == VECTOR_UD && trap->cs & 3) {
		trap->rip += UD2_LENGTH;
		trap->rflags |= RFLAGS_IF;
		return true;
	}
	if (trap->vector != SENT && trap->vector != TIMED)
		return false;
	take_interrupt(trap);
	return true;
}

static void send_and_wait(uint64_t turns)
{
	__asm__ volatile("ud2");
	for (unsigned i = 0; i < turns; i++) {
		const unsigned before = timed;

		/* Next to each other: where each is stepped, a step takes its time. */
		__asm__ volatile("movl %0, %c1(%4)\n\tmovl %2, %c3(%4)"
				 :
				 : "r"(UNTIL_TIMED), "i"(APIC_TIMER_INIT), "r"(SEND), "i"(APIC_ICR),
				   "r"(APIC_PAGE)
				 : "memory");
		while (timed == before)
			;
	}
}

/* Sends each interrupt at another instruction of the sampling period. */
static void send_at_each(uint64_t turns)
{
	__asm__ volatile("ud2");
	for (unsigned i = 0; i < turns; i++) {
		const unsigned before = sent;

		for (volatile unsigned k = 0; k < i % 7; k++)
			;
		*(volatile uint32_t *)(APIC_PAGE + APIC_ICR) = SEND;
		while (sent == before)
			;
	}
}

/*
 * An interrupt that comes behind the instruction of an overflow, and before the one that a record
 * is written of, may lead to a system that takes the counter away, and with it the record.
 */
static void between_records(void)
{
	sent = before_record = 0;
	world_on_trap = take_trap;
	world_in_ring3(send_at_each, TURNS_CLOSELY);
	world_on_trap = NULL;
	guest_print("%u more were sent", sent);
	guest_print("PMU: %u between an overflow and its record", before_record);
}

/* The timer is the firmware's, too. */
static void send_from_ring3(void)
{
	const uint32_t divider = world_apic_read(APIC_TIMER_DIV),
		       initial = world_apic_read(APIC_TIMER_INIT);
	unsigned vector;

	sent = timed = depth = deepest = unmaskable = 0;
	world_on_trap = take_trap;
	world_apic_write(APIC_TIMER_DIV, BY_ONE);
	world_apic_write(APIC_LVT_TIMER, TIMED);
	vector = world_in_ring3(send_and_wait, TURNS);
	world_apic_write(APIC_LVT_TIMER, APIC_LVT_MASKED | TIMED);
	world_apic_write(APIC_TIMER_DIV, divider);
	world_apic_write(APIC_TIMER_INIT, initial);
	world_on_trap = NULL;
	guest_print("ended by %u: %u sent, %u timed, %u deep, %u that were off", vector, sent,
		    timed, deepest, unmaskable);
}

static void after_ring3(void)
{
}

static void count_ring3_sends(void)
{
	guest_count_variously(send_from_ring3);
	guest_print("ring 3 looked at closely");
	guest_count_ring3_closely();
	send_from_ring3();
	between_records();
	guest_count_no_more();
}

void guest_ring3(void)
{
	world_run(count_ring3_sends, after_ring3);
}
