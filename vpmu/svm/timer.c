// SPDX-License-Identifier: BSD-2-Clause
/*
 * timer.c - stops the guest after a number of instructions: a comparator of the HPET, number 2 for
 * the boot CPU and one more for each further one, sends an NMI straight to the local APIC ("FSB
 * delivery"), which leaves the first two, their interrupt lines, and the APIC's own timer to the
 * guest.
 *
 * The guest may stop or restart the main counter as it likes: the comparator is set relative to it,
 * anew before every run. An NMI that an earlier setting has raised meanwhile is drained there and
 * then: an NMI that the guest exits by is this run's, or not ours. On a machine that is not exact
 * the timer runs beside the CPU: there the first NMI behind the moment that was set passes for it,
 * and the comparator is used with 32 bits, as a store of 64 would be two of which the timer might
 * see one. IA-PC HPET specification 1.0a, "Register Definitions".
 */
#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define HPET_BASE         0xfed00000ull
#define HPET_CAPABILITIES 0x000
#define HPET_CONFIG       0x010
#define HPET_COUNTER      0x0f0
#define HPET_TIMERS       0x100 /* config, comparator, message: 32 bytes each */
#define HPET_TIMER_BYTES  0x20
#define HPET_T_CONFIG     0x00
#define HPET_T_COMPARE    0x08
#define HPET_T_FSB        0x10

#define HPET_LAST_TIMER(caps) ((caps) >> 8 & 0x1f)
#define HPET_PERIOD(caps)     ((caps) >> 32) /* of a tick, in femtoseconds */
#define HPET_ENABLE           (1ull << 0)
#define HPET_T_INT_ENABLE     (1ull << 2)
#define HPET_T_FSB_ENABLE     (1ull << 14)
#define HPET_T_FSB_CAPABLE    (1ull << 15)
#define HPET_T_32BIT          (1ull << 8)
#define HPET_T_WANTED         (HPET_T_INT_ENABLE | HPET_T_FSB_ENABLE)

#define FIRST_TIMER 2
/* Address and data: the CPU of an APIC id, delivery mode NMI. */
#define FSB_ID_MAX       0xfe
#define FSB_NMI(apic_id) ((0xfee00000ull | (uint64_t)(apic_id) << 12) << 32 | 0x400)

#define FEMTOSECONDS     1000000000000000ull /* a second */
#define RATIO_SHIFT      16
#define CALIBRATE_TICKS  20000        /* of the HPET */
#define LONGEST          (1ull << 40) /* TSC ticks; a later overflow is looked at again then */
#define LONGEST_32BIT    (1u << 30)   /* HPET ticks; likewise, where it has 32 bits */
#define FIRST_TAIL_INSNS 36           /* from the comparator's setting to the first instruction */
#define LONGEST_TAIL     (1ull << 20) /* TSC ticks */
#define ROUNDING_TICKS   1            /* of the HPET: what is cut off of one */

static volatile uint64_t *vpmu_hpet_register(unsigned offset)
{
	return (volatile uint64_t *)(HPET_BASE + offset);
}

static volatile uint64_t *timer_register(unsigned timer, unsigned offset)
{
	return vpmu_hpet_register(HPET_TIMERS + timer * HPET_TIMER_BYTES + offset);
}

static unsigned count_timers(void)
{
	uint64_t caps = *vpmu_hpet_register(HPET_CAPABILITIES);

	return caps && caps != UINT64_MAX ? HPET_LAST_TIMER(caps) + 1 : 0;
}

unsigned vpmu_max_cpus(void)
{
	unsigned n = count_timers();

	return n > FIRST_TIMER ? n - FIRST_TIMER : 0;
}

bool vpmu_timer_probe(void)
{
	return vpmu_max_cpus() && *timer_register(FIRST_TIMER, HPET_T_CONFIG) & HPET_T_FSB_CAPABLE;
}

static void start_counter(void)
{
	if (!(*vpmu_hpet_register(HPET_CONFIG) & HPET_ENABLE))
		*vpmu_hpet_register(HPET_CONFIG) |= HPET_ENABLE;
}

/* TSC ticks to one of the HPET, in 1 / 2^RATIO_SHIFT. */
static uint64_t measure_ratio(void)
{
	uint64_t start = *vpmu_hpet_register(HPET_COUNTER), tsc = rdtsc(), ticks;

	do
		ticks = *vpmu_hpet_register(HPET_COUNTER) - start;
	while (ticks < CALIBRATE_TICKS);
	return ((rdtsc() - tsc) << RATIO_SHIFT) / ticks;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Three times, as anything may have come between two readings once. */
void vpmu_timer_init(struct vpmu_cpu *cpu)
{
	unsigned timer = FIRST_TIMER + cpu->number;

	cpu->timer = (struct vpmu_timer){.fired = true};
	if (cpu->number >= vpmu_max_cpus() || cpu->apic_id > FSB_ID_MAX)
		return;
	cpu->timer = (struct vpmu_timer){
		.config = timer_register(timer, HPET_T_CONFIG),
		.compare = timer_register(timer, HPET_T_COMPARE),
		.fsb = timer_register(timer, HPET_T_FSB),
		.message = FSB_NMI(cpu->apic_id),
		.wanted_config = HPET_T_WANTED | (cpu->exact ? 0 : HPET_T_32BIT),
		.fired = true,
	};
	start_counter();
	cpu->timer.first_tail = FIRST_TAIL_INSNS * cpu->ticks_per_insn;
	cpu->timer.tsc_per_tick = middle_of(measure_ratio(), measure_ratio(), measure_ratio());
	cpu->timer.tail = cpu->timer.first_tail;
}

uint64_t vpmu_timer_tsc_hz(const struct vpmu_cpu *cpu)
{
	const uint64_t femtoseconds = HPET_PERIOD(*vpmu_hpet_register(HPET_CAPABILITIES));
	const uint64_t ticks_per_second = femtoseconds ? FEMTOSECONDS / femtoseconds : 0;

	return ticks_per_second * cpu->timer.tsc_per_tick >> RATIO_SHIFT;
}

static bool has_comparator(const struct vpmu_timer *t)
{
	return t->config;
}

static uint32_t read_counter32(void)
{
	return *(volatile uint32_t *)vpmu_hpet_register(HPET_COUNTER);
}

/* `ticks` of the HPET from now. */
static void set_comparator(struct vpmu_cpu *cpu, uint64_t ticks)
{
	struct vpmu_timer *t = &cpu->timer;

	if (cpu->exact) {
		t->at = *vpmu_hpet_register(HPET_COUNTER) + ticks;
		*t->compare = t->at;
		return;
	}
	t->from = read_counter32();
	t->to = t->from + (uint32_t)(ticks < LONGEST_32BIT ? ticks : LONGEST_32BIT);
	t->fired = false;
	*(volatile uint32_t *)t->compare = t->to;
}

/* The comparator before its interrupt, or the old setting would fire. */
static void own_comparator(const struct vpmu_cpu *cpu)
{
	const struct vpmu_timer *t = &cpu->timer;
	if ((*t->config & t->wanted_config) == t->wanted_config)
		return;
	start_counter();
	*t->compare = *vpmu_hpet_register(HPET_COUNTER) + LONGEST_32BIT;
	*t->fsb = t->message;
	*t->config = t->wanted_config;
}
/* TSC ticks by which the timer may be early at the end of such a span, as the ratio is a measured
 * one. */
static uint64_t early_ticks(uint64_t ticks)
{
	return 64 + ticks / 1024;
}

/*
 * The setting has come true. Where timers run beside the CPU, one of 32 bits also does when the
 * counter wraps around.
 */
static bool has_passed(const struct vpmu_timer *t, bool exact, uint64_t tsc)
{
	uint32_t now;

	if (exact)
		return t->armed && tsc >= t->deadline;
	if (t->fired)
		return false;
	now = read_counter32();
	return (int32_t)(now - t->to) >= 0 || now < t->from;
}

/*
 * The setting that is replaced may have come true up to that very moment, and is forgotten: no NMI
 * of it is left behind, for the HPET and the write to its comparator exclude each other. Returns
 * whether this took time.
 */
static bool replace_setting(struct vpmu_cpu *cpu, uint64_t ticks)
{
	const struct vpmu_timer old = cpu->timer;

	set_comparator(cpu, ticks);
	if (!has_passed(&old, cpu->exact, rdtsc()))
		return false;
	vpmu_drain_nmi();
	return true;
}

void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t ticks = LONGEST, deadline, span;

	if (!has_comparator(t))
		return;
	if (instructions < LONGEST / cpu->ticks_per_insn)
		ticks = instructions * cpu->ticks_per_insn;
	ticks += t->tail + (cpu->exact ? 0 : cpu->overhead);
	span = ((ticks << RATIO_SHIFT) + t->tsc_per_tick - 1) / t->tsc_per_tick;
	own_comparator(cpu);
	deadline = rdtsc() + ticks - early_ticks(ticks);
	if (replace_setting(cpu, span))
		set_comparator(cpu, span);
	t->armed = true;
	t->is_early = false;
	t->deadline = deadline;
	t->wanted = instructions;
}

/*
 * No interrupt comes of it any more, wherever the guest sets the counter. A setting far away would
 * not do, nor would it for a machine that sleeps: where its clock leaps to the next timer, as under
 * icount, it would be carried there. One that has come true, with its interrupt off, does not.
 */
static void switch_off(struct vpmu_cpu *cpu)
{
	const struct vpmu_timer old = cpu->timer;

	*old.config = 0;
	if (cpu->exact)
		*old.compare = *vpmu_hpet_register(HPET_COUNTER);
	if (has_passed(&old, cpu->exact, rdtsc()))
		vpmu_drain_nmi();
	cpu->timer.armed = false;
	cpu->timer.fired = true;
}

void vpmu_timer_disarm(struct vpmu_cpu *cpu)
{
	if (cpu->timer.armed)
		switch_off(cpu);
}

void vpmu_timer_rest(struct vpmu_cpu *cpu)
{
	if (has_comparator(&cpu->timer) && (cpu->exact || cpu->timer.armed))
		switch_off(cpu);
}

void vpmu_timer_anew(struct vpmu_cpu *cpu)
{
	if (!cpu->exact)
		return;
	switch_off(cpu);
	cpu->timer.tail = cpu->timer.first_tail;
}

/*
 * The difference between what the guest executed and what was wanted is the tail's error. Too short
 * a tail would stop the guest before its first instruction, again and again. Where counts are
 * estimates the tail is longer each time that this happens, until the guest gets on.
 */
static void adapt_tail(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t wanted = t->wanted * cpu->ticks_per_insn;
	uint64_t tail = t->tail + wanted - cpu->executed * cpu->ticks_per_insn;

	if (!cpu->exact)
		tail = cpu->executed ? 0 : 2 * t->tail;
	t->tail = tail && tail < LONGEST_TAIL ? tail : t->first_tail;
}

/* What was awaited is counted by QEMU's plugin: it was to come then at the earliest. So it was
 * where quick exits have taken time of it. */
static bool is_bound(const struct vpmu_cpu *cpu)
{
	return cpu->model.uses_counts || cpu->timer.is_early;
}

/* Neither an overflow nor near enough to one for stepping. */
static bool too_early(struct vpmu_cpu *cpu)
{
	cpu->until = vpmu_model_until(&cpu->model, cpu->ring);
	return cpu->until && !vpmu_step_wanted(cpu);
}

/*
 * The NMI that the guest has exited by is the comparator's, and not one of the guest's own, that
 * came shortly before, nor one that came early because the guest has set the counter: the deadline,
 * which is the earliest moment by the TSC, does not tell. What the host has taken since then is
 * left out.
 */
static bool has_fired(const struct vpmu_cpu *cpu)
{
	const struct vpmu_timer *t = &cpu->timer;
	uint64_t counter, since;

	if (!cpu->exact)
		return has_passed(t, false, cpu->exit_tsc);
	if (!t->armed)
		return false;
	counter = *vpmu_hpet_register(HPET_COUNTER);
	since = ((rdtsc() - cpu->exit_tsc) << RATIO_SHIFT) / t->tsc_per_tick;
	return counter + ROUNDING_TICKS - since >= t->at;
}

void vpmu_timer_silence(unsigned number)
{
	if (number < vpmu_max_cpus())
		*timer_register(FIRST_TIMER + number, HPET_T_CONFIG) = 0;
}

bool vpmu_timer_expired(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;

	if (!has_fired(cpu))
		return false;
	t->fired = true;
	if (!t->armed)
		return true;
	t->armed = false;
	if (too_early(cpu) && !is_bound(cpu))
		cpu->spurious++;
	if (!t->is_early)
		adapt_tail(cpu);
	return true;
}
