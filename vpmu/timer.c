// SPDX-License-Identifier: BSD-2-Clause
/*
 * timer.c - stops the guest after a number of instructions: comparator 2 of the HPET sends an NMI
 * straight to the local APIC ("FSB delivery"), which leaves the other comparators, their interrupt
 * lines, and the APIC's own timer to the guest.
 *
 * The guest may stop or restart the main counter as it likes: the comparator is set relative to it,
 * anew before every run. An NMI that an earlier setting has raised meanwhile is drained there and
 * then: an NMI that the guest exits by is this run's, or not ours. On a machine that is not exact
 * the timer runs beside the CPU, and every NMI that comes while it is armed passes for it. IA-PC
 * HPET specification 1.0a, "Register Definitions".
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
#define JITTER_TICKS     2000         /* of the HPET: how early an inexact machine's timer may be */
#define FIRST_TAIL_INSNS 36           /* from the comparator's setting to the first instruction */
#define LONGEST_TAIL     (1ull << 20) /* TSC ticks */

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

/* TSC ticks to one of the HPET, in 1 / 2^RATIO_SHIFT. */
static uint64_t measure_ratio(void)
{
	uint64_t start = *hpet(HPET_COUNTER), tsc = rdtsc(), ticks;

	do
		ticks = *hpet(HPET_COUNTER) - start;
	while (ticks < CALIBRATE_TICKS);
	return ((rdtsc() - tsc) << RATIO_SHIFT) / ticks;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Three times, as anything may have come between two readings once. */
void vpmu_timer_init(struct vpmu_timer *timer)
{
	start_counter();
	timer->tsc_per_tick = middle(measure_ratio(), measure_ratio(), measure_ratio());
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

/* TSC ticks by which the timer may be early at the end of such a span, as the ratio is a measured
 * one. */
static uint64_t early(const struct vpmu_cpu *cpu, uint64_t ticks)
{
	if (cpu->exact)
		return 64 + ticks / 1024;
	return (JITTER_TICKS * cpu->timer.tsc_per_tick >> RATIO_SHIFT) + ticks / 16;
}

/* `ticks` of the HPET from now. */
static void set_comparator(uint64_t ticks)
{
	*hpet(HPET_T2_COMPARE) = *hpet(HPET_COUNTER) + ticks;
}

/*
 * After a setting was replaced: it may have come true up to that moment. Where the machine's timers
 * run beside the CPU its NMI may even be on its way still: then the next one that nothing explains
 * is that. Returns whether this took time.
 */
static bool forget_raised(struct vpmu_cpu *cpu)
{
	uint32_t taken = vpmu_host_nmis;

	if (!cpu->timer.armed || rdtsc() < cpu->timer.deadline)
		return false;
	vpmu_drain_nmi();
	if (!cpu->exact && *(volatile uint32_t *)&vpmu_host_nmis == taken)
		cpu->timer.late = true;
	return true;
}

void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t ticks = LONGEST, deadline, span;

	if (instructions < LONGEST / cpu->ticks_per_insn)
		ticks = instructions * cpu->ticks_per_insn;
	ticks += t->tail;
	span = ((ticks << RATIO_SHIFT) + t->tsc_per_tick - 1) / t->tsc_per_tick;
	own_comparator();
	deadline = rdtsc() + ticks - early(cpu, ticks);
	set_comparator(span);
	if (forget_raised(cpu))
		set_comparator(span);
	t->armed = true;
	t->deadline = deadline;
	t->wanted = instructions;
}

void vpmu_timer_disarm(struct vpmu_cpu *cpu)
{
	if (!cpu->timer.armed)
		return;
	set_comparator(FAR_AWAY);
	forget_raised(cpu);
	cpu->timer.armed = false;
}

/*
 * The difference between what the guest executed and what was wanted is the tail's error. Too short
 * a tail would stop the guest before its first instruction, again and again.
 */
static void adapt_tail(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t wanted = t->wanted * cpu->ticks_per_insn;
	uint64_t tail = t->tail + wanted - cpu->executed * cpu->ticks_per_insn;

	t->tail = tail < LONGEST_TAIL ? tail : FIRST_TAIL_INSNS * cpu->ticks_per_insn;
}

/* Neither an overflow nor near enough to one for stepping. */
static bool too_early(struct vpmu_cpu *cpu)
{
	cpu->until = vpmu_model_until(&cpu->model, cpu->ring);
	return cpu->until && !vpmu_step_wanted(cpu);
}

static bool was_late(struct vpmu_timer *t)
{
	bool late = t->late;

	t->late = false;
	return late;
}

bool vpmu_timer_expired(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;

	if (!t->armed || (cpu->exact && cpu->exit_tsc < t->deadline))
		return was_late(t);
	t->armed = false;
	if (too_early(cpu))
		cpu->spurious++;
	adapt_tail(cpu);
	return true;
}
