// SPDX-License-Identifier: BSD-2-Clause
/*
 * hpet_timer.c - stops the guest after a number of instructions. A comparator of the HPET, number 2
 * for the boot CPU and one more for each other CPU, sends an NMI straight to the local APIC ("FSB
 * delivery"). The guest keeps the first two comparators, their interrupt lines, and the APIC's own
 * timer.
 *
 * The guest may stop or restart the main counter, so the comparator is set relative to it before
 * each run. An NMI of an earlier setting is drained at that moment. So an NMI exit is due to this
 * run's setting, or is not the timer's.
 *
 * The host itself takes time between the setting and the guest's first instruction: the "tail",
 * which is added to the setting. adapt_tail() corrects it when the timer has stopped the guest.
 *
 * Where counts are exact, the TSC and the HPET show the same clock, and the path to the guest has
 * the same number of instructions each time. The counter is read as a whole number of its ticks,
 * but its phase against the TSC is constant, and becomes known as both are read again and again.
 * So once the tail has been seen to be right, the guest stops at the very instruction, or where a
 * tick of the HPET is longer than an instruction, less than a tick before.
 *
 * Where counts are not exact, the timer runs beside the CPU. There the first NMI after the target
 * counts as the timer's. The comparator then has 32 bits, as the timer might see half of a 64-bit
 * store. IA-PC HPET specification 1.0a, "Register Definitions".
 */
#include "vpmu/svm/stop/hpet_timer.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/stop/single_step.h"
#include "vpmu/svm/vcpu/host_idt.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define HPET_BASE         0xfed00000ull
#define HPET_CAPABILITIES 0x000
#define HPET_CONFIG       0x010
#define HPET_COUNTER      0x0f0
#define HPET_TIMERS       0x100 /* config, comparator and message: 32 bytes for each */
#define HPET_TIMER_BYTES  0x20
#define HPET_T_CONFIG     0x00
#define HPET_T_COMPARE    0x08
#define HPET_T_FSB        0x10

#define HPET_LAST_TIMER(caps) ((caps) >> 8 & 0x1f)
#define HPET_PERIOD(caps)     ((caps) >> 32) /* of the counter, in femtoseconds */
#define HPET_ENABLE           (1ull << 0)
#define HPET_T_INT_ENABLE     (1ull << 2)
#define HPET_T_FSB_ENABLE     (1ull << 14)
#define HPET_T_FSB_CAPABLE    (1ull << 15)
#define HPET_T_32BIT          (1ull << 8)
#define HPET_T_WANTED         (HPET_T_INT_ENABLE | HPET_T_FSB_ENABLE)

#define FIRST_TIMER 2
/* The message, address and data: delivery mode NMI, to the CPU of an APIC id. */
#define FSB_ID_MAX       0xfe
#define FSB_NMI(apic_id) ((0xfee00000ull | (uint64_t)(apic_id) << 12) << 32 | 0x400)

#define FEMTOSECONDS     1000000000000000ull /* a second */
#define RATIO_SHIFT      16
#define RATIO_ERROR      512          /* of a measured ratio: one part in this many */
#define CALIBRATE_TICKS  20000        /* HPET ticks */
#define LONGEST          (1ull << 40) /* TSC ticks; later overflows need another setting */
#define LONGEST_32BIT    (1u << 30)   /* HPET ticks; the same for 32 bits */
#define FIRST_TAIL_INSNS 36           /* from the comparator's setting to the first instruction */
#define LONGEST_TAIL     (1ull << 20) /* TSC ticks */
#define ROUNDING_TICKS   1            /* HPET ticks lost by rounding */
#define PHASE_KNOWN      3            /* TSC ticks: the width of a phase that is known */
#define PHASE_READS      20
#define WRITE_INSNS      8 /* from RDTSC to the comparator's setting */
#define TUNED            8 /* stops that show that the tail is right */

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

/* Reads the counter, and the TSC an instruction later. */
static uint64_t read_counter_and_tsc(uint64_t *tsc)
{
	uint64_t counter;
	uint32_t low, high;

	__asm__ volatile("mov (%3), %0\n\trdtsc"
			 : "=&r"(counter), "=a"(low), "=d"(high)
			 : "r"(vpmu_hpet_register(HPET_COUNTER))
			 : "memory");
	*tsc = (uint64_t)high << 32 | low;
	return counter;
}

static void start_counter(void)
{
	if (!(*vpmu_hpet_register(HPET_CONFIG) & HPET_ENABLE))
		*vpmu_hpet_register(HPET_CONFIG) |= HPET_ENABLE;
}

/* TSC ticks for one tick of the HPET, in 1 / 2^RATIO_SHIFT. */
static uint64_t measure_ratio(void)
{
	uint64_t start = *vpmu_hpet_register(HPET_COUNTER), tsc = rdtsc(), ticks;

	do
		ticks = *vpmu_hpet_register(HPET_COUNTER) - start;
	while (ticks < CALIBRATE_TICKS);
	return ((rdtsc() - tsc) << RATIO_SHIFT) / ticks;
}

/* The ratio, if it is a whole number but for the error of its measurement; else 0. */
static uint64_t whole_ratio(uint64_t ratio)
{
	const uint64_t whole = (ratio + (1u << (RATIO_SHIFT - 1))) >> RATIO_SHIFT;
	const uint64_t more = ratio - (whole << RATIO_SHIFT), error = ratio / RATIO_ERROR;

	return more + error <= 2 * error ? whole : 0;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Takes the middle of three measurements, as an interrupt may disturb one of them. */
void vpmu_timer_init(struct vpmu_cpu *cpu)
{
	unsigned timer = FIRST_TIMER + cpu->host.number;

	cpu->timer = (struct vpmu_timer){.fired = true};
	if (cpu->host.number >= vpmu_max_cpus() || cpu->host.apic_id > FSB_ID_MAX)
		return;
	cpu->timer = (struct vpmu_timer){
		.config = timer_register(timer, HPET_T_CONFIG),
		.compare = timer_register(timer, HPET_T_COMPARE),
		.fsb = timer_register(timer, HPET_T_FSB),
		.message = FSB_NMI(cpu->host.apic_id),
		.wanted_config = HPET_T_WANTED | (cpu->clock.exact ? 0 : HPET_T_32BIT),
		.fired = true,
	};
	start_counter();
	cpu->timer.first_tail = FIRST_TAIL_INSNS * cpu->vmrun.ticks_per_insn;
	cpu->timer.tsc_per_tick = middle_of(measure_ratio(), measure_ratio(), measure_ratio());
	cpu->timer.tail = cpu->timer.first_tail;
	cpu->timer.whole = cpu->clock.exact ? whole_ratio(cpu->timer.tsc_per_tick) : 0;
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

/* Sets the comparator to `ticks` of the HPET from now. */
static void set_comparator(struct vpmu_cpu *cpu, uint64_t ticks)
{
	struct vpmu_timer *t = &cpu->timer;

	if (cpu->clock.exact) {
		t->at = *vpmu_hpet_register(HPET_COUNTER) + ticks;
		*t->compare = t->at;
		return;
	}
	t->from = read_counter32();
	t->to = t->from + (uint32_t)(ticks < LONGEST_32BIT ? ticks : LONGEST_32BIT);
	t->fired = false;
	*(volatile uint32_t *)t->compare = t->to;
}

/* Writes the comparator before it enables the interrupt. Otherwise the old setting would fire. */
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

/* TSC ticks by which the timer may be early after `ticks`, because the ratio was measured. */
static uint64_t early_ticks(uint64_t ticks)
{
	return 64 + ticks / 1024;
}

/* Whether the counter has reached the setting's target. A comparator of 32 bits also fires when the
 * counter wraps around. */
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

/* Drains the old setting's NMI, because that setting may fire until the write that replaces it. No
 * NMI of it can come later: the HPET does no other work during the write. Returns whether this took
 * time. */
static bool replace_setting(struct vpmu_cpu *cpu, uint64_t ticks)
{
	const struct vpmu_timer old = cpu->timer;

	set_comparator(cpu, ticks);
	if (!has_passed(&old, cpu->clock.exact, rdtsc()))
		return false;
	vpmu_drain_nmi();
	return true;
}

/* Narrows the range of the counter's phase. The guest may have set the counter, or the machine may
 * have been restored: then it begins anew. */
static void narrow_phase(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t tsc;
	const uint64_t counter = read_counter_and_tsc(&tsc);
	const int64_t least = (int64_t)(counter * t->whole + cpu->vmrun.ticks_per_insn - tsc);
	const int64_t most = least + (int64_t)t->whole - 1;

	if (!t->has_phase || least > t->phase_most || most < t->phase) {
		t->has_phase = true;
		t->phase = least;
		t->phase_most = most;
		return;
	}
	t->phase = least > t->phase ? least : t->phase;
	t->phase_most = most < t->phase_most ? most : t->phase_most;
}

static bool is_phase_known(const struct vpmu_timer *t)
{
	return t->has_phase && t->phase_most - t->phase < PHASE_KNOWN;
}

/* Executes a few instructions, and two more for each of `more`. */
static void spend_insns(unsigned more)
{
	unsigned n = more + 1;

	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

/*
 * Reads until the TSC has had each last digit that it can have. That takes five reads, unless the
 * instructions between them are a multiple of five; the next five reads have other distances.
 */
static void note_phase(struct vpmu_cpu *cpu)
{
	narrow_phase(cpu);
	for (unsigned i = 0; i < PHASE_READS && !is_phase_known(&cpu->timer); i++) {
		spend_insns(i / 5);
		narrow_phase(cpu);
	}
}

/* Sets the comparator to `more` HPET ticks from the counter that this instruction's end will find,
 * and returns the TSC WRITE_INSNS before. The counter is computed, because a later one is needed
 * than could be read. */
static uint64_t write_comparator(struct vpmu_cpu *cpu, uint64_t more)
{
	struct vpmu_timer *t = &cpu->timer;
	const uint64_t to_write = (uint64_t)t->phase + WRITE_INSNS * cpu->vmrun.ticks_per_insn;
	uint64_t tsc;

	__asm__ volatile("rdtsc\n\t"
			 "shl $32, %%rdx\n\t"         /* 1: WRITE_INSNS */
			 "or %%rdx, %%rax\n\t"        /* 2 */
			 "mov %%rax, %[tsc]\n\t"      /* 3 */
			 "add %[to_write], %%rax\n\t" /* 4 */
			 "xor %%edx, %%edx\n\t"       /* 5 */
			 "div %[whole]\n\t"           /* 6 */
			 "add %[more], %%rax\n\t"     /* 7 */
			 "mov %%rax, (%[compare])"    /* 8 */
			 : [tsc] "=&r"(tsc), "=&a"(t->at)
			 : [to_write] "r"(to_write), [whole] "r"(t->whole), [more] "r"(more),
			   [compare] "r"(t->compare)
			 : "rdx", "memory", "cc");
	return tsc;
}

/* QEMU's HPET counts whole ticks from the write on. From the reading of the TSC on the path to the
 * guest has the same number of instructions each time, whether or not an old setting's NMI is
 * drained. */
static void set_whole(struct vpmu_cpu *cpu, uint64_t ticks)
{
	struct vpmu_timer *t = &cpu->timer;
	const uint64_t to_write = WRITE_INSNS * cpu->vmrun.ticks_per_insn;
	const uint64_t more = (ticks - to_write) / t->whole;
	uint64_t old = t->armed ? t->deadline : UINT64_MAX, tsc;

	t->fires_in = to_write + more * t->whole - t->tail;
	for (;;) {
		tsc = write_comparator(cpu, more);
		if (rdtsc() < old)
			break;
		vpmu_drain_nmi();
		old = UINT64_MAX;
	}
	t->deadline = tsc + ticks - early_ticks(ticks);
}

static void set_measured(struct vpmu_cpu *cpu, uint64_t ticks)
{
	struct vpmu_timer *t = &cpu->timer;
	const uint64_t span = ((ticks << RATIO_SHIFT) + t->tsc_per_tick - 1) / t->tsc_per_tick,
		       deadline = rdtsc() + ticks - early_ticks(ticks);

	if (replace_setting(cpu, span))
		set_comparator(cpu, span);
	t->deadline = deadline;
}

void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t ticks = LONGEST;

	if (!has_comparator(t))
		return;
	if (instructions < LONGEST / cpu->vmrun.ticks_per_insn)
		ticks = instructions * cpu->vmrun.ticks_per_insn;
	ticks += t->tail + (cpu->clock.exact ? 0 : cpu->clock.overhead);
	t->is_early = false;
	t->wanted = instructions;
	own_comparator(cpu);
	if (t->whole) {
		note_phase(cpu);
		set_whole(cpu, ticks);
	} else {
		set_measured(cpu, ticks);
	}
	t->armed = true;
}

/* Instructions that end within a tick of the HPET, rounded up. */
static uint64_t rounded_insns(const struct vpmu_cpu *cpu)
{
	return (cpu->timer.whole - 1) / cpu->vmrun.ticks_per_insn + 1;
}

uint64_t vpmu_timer_early(const struct vpmu_cpu *cpu)
{
	const struct vpmu_timer *t = &cpu->timer;

	if (t->tuned < TUNED || !is_phase_known(t))
		return UINT64_MAX;
	return rounded_insns(cpu);
}

/*
 * Switches the interrupt off. A setting in the far future does not suffice: the guest may set the
 * counter to any value, and under icount the clock of a sleeping machine would leap to that timer.
 * A setting that has already fired, with its interrupt off, causes no such leap.
 */
static void switch_off(struct vpmu_cpu *cpu)
{
	const struct vpmu_timer old = cpu->timer;

	*old.config = 0;
	if (cpu->clock.exact)
		*old.compare = *vpmu_hpet_register(HPET_COUNTER);
	if (has_passed(&old, cpu->clock.exact, rdtsc()))
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
	if (has_comparator(&cpu->timer) && (cpu->clock.exact || cpu->timer.armed))
		switch_off(cpu);
}

void vpmu_timer_anew(struct vpmu_cpu *cpu)
{
	if (!cpu->clock.exact)
		return;
	switch_off(cpu);
	if (!cpu->timer.whole) /* else note_phase() finds out */
		cpu->timer.tail = cpu->timer.first_tail;
}

/*
 * The tail's error is the difference between what the guest was to execute and what it has
 * executed. Too short a tail would stop the guest before its first instruction, again and again.
 * If counts are estimates, the tail doubles each time that this happens, until the guest makes
 * progress.
 */
static void adapt_tail(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;
	uint64_t wanted = t->wanted * cpu->vmrun.ticks_per_insn;
	uint64_t tail = t->tail + wanted - cpu->clock.executed * cpu->vmrun.ticks_per_insn;

	if (!cpu->clock.exact)
		tail = cpu->clock.executed ? 0 : 2 * t->tail;
	t->tail = tail && tail < LONGEST_TAIL ? tail : t->first_tail;
}

/*
 * The tail is right once the guest has stopped a few times where the setting says. Later stops may
 * be early, but not late: newer QEMUs count from the last tick before the write on.
 */
static void tune_tail(struct vpmu_cpu *cpu)
{
	struct vpmu_timer *t = &cpu->timer;
	const uint64_t each = cpu->vmrun.ticks_per_insn;
	const uint64_t meant = (t->fires_in + each - 1) / each;

	if (meant == cpu->clock.executed) {
		t->tuned += t->tuned < TUNED;
		return;
	}
	if (t->tuned == TUNED && cpu->clock.executed && meant > cpu->clock.executed &&
	    meant - cpu->clock.executed <= rounded_insns(cpu))
		return;
	t->tuned = 0;
	t->tail += (meant - cpu->clock.executed) * each;
	if (!t->tail || t->tail >= LONGEST_TAIL)
		t->tail = t->first_tail;
}

/* True where the timer's target was only a lower bound: the plugin counts the awaited event, or
 * quick exits have used up some of the timer's time. */
static bool is_bound(const struct vpmu_cpu *cpu)
{
	return cpu->model.derived.uses_counts || cpu->timer.is_early;
}

/* Whether the guest is neither at an overflow nor near enough to step to it. */
static bool too_early(struct vpmu_cpu *cpu)
{
	cpu->run.until = vpmu_model_until(&cpu->model, cpu->run.ring);
	return cpu->run.until && !vpmu_step_wanted(cpu);
}

/*
 * Whether the NMI of this exit is the comparator's. It may be the guest's own, shortly before, or
 * an early one because the guest has set the counter: the deadline, an earliest TSC, does not tell
 * these apart, so the counter is read. The host's time since the exit is subtracted.
 */
static bool has_fired(const struct vpmu_cpu *cpu)
{
	const struct vpmu_timer *t = &cpu->timer;
	uint64_t counter, since;

	if (!cpu->clock.exact)
		return has_passed(t, false, cpu->vmrun.exit_tsc);
	if (!t->armed)
		return false;
	counter = *vpmu_hpet_register(HPET_COUNTER);
	since = rdtsc() - cpu->vmrun.exit_tsc;
	since = t->whole ? since / t->whole : (since << RATIO_SHIFT) / t->tsc_per_tick;
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
	if (!t->trial && too_early(cpu) && !is_bound(cpu))
		cpu->timer.spurious++;
	t->trial = 0;
	if (t->is_early)
		return true;
	if (t->whole)
		tune_tail(cpu);
	else
		adapt_tail(cpu);
	return true;
}
