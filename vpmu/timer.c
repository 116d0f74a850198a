// SPDX-License-Identifier: BSD-2-Clause
/*
 * timer.c - stops the guest after a number of instructions: comparator 2 of the HPET sends an NMI
 * straight to the local APIC ("FSB delivery"), which leaves the other comparators, their interrupt
 * lines, and the APIC's own timer to the guest.
 *
 * The guest may stop or restart the main counter as it likes: the comparator is set relative to it,
 * anew before every run. An NMI that an earlier setting has raised meanwhile is drained there and
 * then: an NMI that the guest exits by is this run's, or not ours. IA-PC HPET specification 1.0a,
 * "Register Definitions".
 */
#include "arch/x86/insn.h"
#include "vpmu/vpmu.h"

#define HPET_BASE         0xfed00000ull
#define HPET_CAPABILITIES 0x000
#define HPET_CONFIG       0x010
#define HPET_COUNTER      0x0f0
#define HPET_T2_CONFIG    0x140
#define HPET_T2_COMPARE   0x148
#define HPET_T2_FSB       0x150

#define HPET_LAST_TIMER(caps) ((caps) >> 8 & 0x1f)
#define HPET_ENABLE           (1ull << 0)
#define HPET_T_INT_ENABLE     (1ull << 2)
#define HPET_T_FSB_ENABLE     (1ull << 14)
#define HPET_T_FSB_CAPABLE    (1ull << 15)
#define HPET_T2_WANTED        (HPET_T_INT_ENABLE | HPET_T_FSB_ENABLE)

#define OUR_TIMER 2
#define FSB_NMI   (0xfee00000ull << 32 | 0x400) /* address, data: CPU 0, delivery mode NMI */

#define RATIO_SHIFT      16
#define CALIBRATE_TICKS  20000        /* of the HPET */
#define LONGEST          (1ull << 40) /* TSC ticks; a later overflow is looked at again then */
#define FAR_AWAY         (1ull << 40) /* HPET ticks: a setting that never comes true */
#define FIRST_TAIL_INSNS 36           /* from the comparator's setting to the first instruction */
#define TAIL_STEP_INSNS  2
#define MOST_FRUITLESS   3

static volatile uint64_t *hpet(unsigned offset)
{
	return (volatile uint64_t *)(HPET_BASE + offset);
}

bool vpmu_timer_probe(void)
{
	uint64_t caps = *hpet(HPET_CAPABILITIES);

	return caps && caps != UINT64_MAX && HPET_LAST_TIMER(caps) >= OUR_TIMER &&
	       *hpet(HPET_T2_CONFIG) & HPET_T_FSB_CAPABLE;
}

static void start_counter(void)
{
	if (!(*hpet(HPET_CONFIG) & HPET_ENABLE))
		*hpet(HPET_CONFIG) |= HPET_ENABLE;
}

void vpmu_timer_init(struct vpmu_timer *timer)
{
	uint64_t start, tsc, ticks;

	start_counter();
	start = *hpet(HPET_COUNTER);
	tsc = rdtsc();
	do
		ticks = *hpet(HPET_COUNTER) - start;
	while (ticks < CALIBRATE_TICKS);
	timer->tsc_per_tick = ((rdtsc() - tsc) << RATIO_SHIFT) / ticks;
	timer->tail = FIRST_TAIL_INSNS * vpmu_cpu.ticks_per_insn;
}

/* The comparator before its interrupt, or the old setting would fire. */
static void own_comparator(void)
{
	if ((*hpet(HPET_T2_CONFIG) & HPET_T2_WANTED) == HPET_T2_WANTED)
		return;
	start_counter();
	*hpet(HPET_T2_COMPARE) = *hpet(HPET_COUNTER) + FAR_AWAY;
	*hpet(HPET_T2_FSB) = FSB_NMI;
	*hpet(HPET_T2_CONFIG) = HPET_T2_WANTED;
}

/* TSC ticks by which the two clocks may disagree about the end of such a span. */
static uint64_t early(uint64_t ticks)
{
	return 64 + ticks / 1024;
}

/* `ticks` of the HPET from now; the old setting may have come true up to the moment it is gone. */
static void set_comparator(struct vpmu_timer *t, uint64_t ticks)
{
	*hpet(HPET_T2_COMPARE) = *hpet(HPET_COUNTER) + ticks;
	if (t->armed && rdtsc() >= t->deadline)
		vpmu_drain_nmi();
}

void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t ticks = LONGEST, deadline;

	if (instructions < LONGEST / cpu->ticks_per_insn)
		ticks = instructions * cpu->ticks_per_insn;
	ticks += t->tail;
	own_comparator();
	deadline = rdtsc() + ticks - early(ticks);
	set_comparator(t, ((ticks << RATIO_SHIFT) + t->tsc_per_tick - 1) / t->tsc_per_tick);
	t->armed = true;
	t->deadline = deadline;
}

void vpmu_timer_disarm(struct vpmu_cpu *cpu)
{
	if (!cpu->timer.armed)
		return;
	set_comparator(&cpu->timer, FAR_AWAY);
	cpu->timer.armed = false;
}

/* Too short a tail lets every expiry come before the guest's first instruction. */
static void adapt_tail(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;

	t->fruitless = cpu->executed ? 0 : t->fruitless + 1;
	if (t->fruitless < MOST_FRUITLESS)
		return;
	t->fruitless = 0;
	t->tail += TAIL_STEP_INSNS * cpu->ticks_per_insn;
}

/* Neither an overflow nor near enough to one for stepping. */
static bool too_early(struct vpmu_cpu *cpu)
{
	cpu->until = vpmu_model_until(&cpu->model, cpu->ring);
	return cpu->until && !vpmu_step_wanted(cpu);
}

bool vpmu_timer_expired(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;

	if (!t->armed || cpu->exit_tsc < t->deadline)
		return false;
	t->armed = false;
	if (too_early(cpu))
		cpu->spurious++;
	adapt_tail(cpu);
	return true;
}
