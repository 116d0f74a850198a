// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_world.c - devices during a turn between the firmware's world and the image's. The test plays
 * the firmware's clock by the HPET: it interrupts, is taken, and interrupts again when it is given
 * back, even if its time went by meanwhile.
 */
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/fadt.h"
#include "arch/x86/dev/hpet.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/time.h"
#include "rt/base/image_test.h"

#include <stddef.h>

#define VECTOR       0x9a /* no other has it */
#define TIMER        1    /* vpmu has those from 2 on */
#define TIMER_BASE   (0x100 + 0x20 * TIMER)
#define COUNTER_HIGH ((0x0f4 - TIMER_BASE) / 4)
#define INTERRUPTS   (1u << 2)
#define PERIODIC     (1u << 3)
#define SET_PERIOD   (1u << 6)
#define MESSAGES     (1u << 14)
#define CAN_MESSAGE  (1u << 15)
#define CAN_REPEAT   (1u << 4)
#define TICKS        100000
#define ROUTE_TO     0xfee00000u
#define WAIT_NS      (50 * NSEC_PER_MS)
#define ADDRESS_AT   44 /* of the ACPI table */

static volatile unsigned came;
static volatile uint32_t *timer; /* configuration, comparator at 2, route at 4 */

static void note_interrupt(struct trap_frame *frame)
{
	(void)frame;
	came++;
	apic_eoi();
}

static bool waits_for_one(void)
{
	const uint64_t from = clock_ns();

	came = 0;
	irq_enable();
	while (!came && clock_ns() - from < WAIT_NS)
		cpu_pause();
	irq_disable();
	return came;
}

/* For a periodic timer SET_PERIOD is set while the first time is written; the period comes
 * behind that. */
static void program_hpet(uint32_t flags)
{
	timer[0] = MESSAGES;
	timer[4] = VECTOR;
	timer[5] = ROUTE_TO | apic_id() << 12;
	timer[3] = timer[COUNTER_HIGH];
	timer[0] = MESSAGES | flags | (flags & PERIODIC ? SET_PERIOD : 0);
	timer[2] = hpet_read() + TICKS;
	if (flags & PERIODIC)
		timer[2] = TICKS;
	timer[0] = MESSAGES | flags | INTERRUPTS;
}

static const char *try_clock(uint32_t flags)
{
	program_hpet(flags);
	if (!waits_for_one())
		return "the clock does not interrupt";
	program_hpet(flags);
	hpet_take();
	if (waits_for_one())
		return "a clock that was taken interrupts";
	hpet_give();
	if (!waits_for_one())
		return "a clock that was given back does not interrupt";
	return NULL;
}

static const char *test_a_clock_is_taken_and_given_back(void)
{
	const uint8_t *table = (const uint8_t *)acpi_find("HPET", 0);
	const char *why;
	uint32_t before;
	uint64_t base;

	if (!table || !hpet_period_fs())
		return IMAGE_TEST_SKIP("there is no HPET");
	__builtin_memcpy(&base, table + ADDRESS_AT, sizeof(base));
	timer = (volatile uint32_t *)((volatile uint8_t *)virt_of(base) + TIMER_BASE);
	before = timer[0];
	if (!(before & CAN_MESSAGE) || before & INTERRUPTS)
		return IMAGE_TEST_SKIP("comparator 1 sends no messages, or is in use");
	trap_set_irq(VECTOR, note_interrupt);
	why = try_clock(0);
	if (!why && before & CAN_REPEAT)
		why = try_clock(PERIODIC);
	timer[0] = 0;
	trap_set_irq(VECTOR, NULL);
	return why;
}
IMAGE_TEST(test_a_clock_is_taken_and_given_back);
