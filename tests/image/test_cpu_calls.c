// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_calls.c - CPUs have their own data, and serve calls of other CPUs: any number at a time,
 * with interrupts on or off. With one CPU it calls itself.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/mtrr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "lib/percpu.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"
#include "rt/base/image_test.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define WAIT_NS    (20 * NSEC_PER_SEC)
#define STORM      100000u /* calls, of all CPUs together */
#define STORM_NS   (2 * NSEC_PER_SEC)
#define STORM_CPUS 64

/* Asks each CPU the same question. Returns true if all answers are right. */
static bool all_cpus(void (*fn)(void *arg), bool (*is_right)(unsigned cpu, uint64_t answer))
{
	bool ok = true;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		uint64_t answer = UINT64_MAX;

		ok &= !smp_call(cpu, fn, &answer) && is_right(cpu, answer);
	}
	return ok;
}

/* Waits until `*value` is `wanted`, and serves calls: interrupts are off in these tests. */
static bool comes_to(const volatile uint64_t *value, uint64_t wanted)
{
	const uint64_t from = clock_ns();

	while (__atomic_load_n(value, __ATOMIC_ACQUIRE) != wanted) {
		if (clock_ns() - from > WAIT_NS)
			return false;
		smp_serve();
		cpu_pause();
	}
	return true;
}

/* --- Calls --- */

static void say_cpu(void *arg)
{
	*(uint64_t *)arg = smp_cpu();
}

static bool is_cpu(unsigned cpu, uint64_t answer)
{
	return answer == cpu;
}

static void say_irqs(void *arg)
{
	const uint64_t flags = irq_save();

	*(uint64_t *)arg = flags & RFLAGS_IF;
	irq_restore(flags);
}

static bool answers_zero(unsigned cpu, uint64_t answer)
{
	(void)cpu;
	return !answer;
}

static const char *test_calls_run_on_their_cpu(void)
{
	uint64_t answer = UINT64_MAX;

	if (smp_call(smp_ncpus(), say_cpu, &answer) != -EINVAL || answer != UINT64_MAX)
		return "a CPU that does not exist was called";
	if (!all_cpus(say_cpu, is_cpu))
		return "a call ran on another CPU";
	if (!all_cpus(say_irqs, answers_zero))
		return "interrupts are on in a call";
	irq_enable();
	if (!all_cpus(say_irqs, answers_zero))
		return "interrupts are on in a call from where they are on";
	irq_disable();
	return NULL;
}
IMAGE_TEST(test_calls_run_on_their_cpu);

/* --- PERCPU --- */

static PERCPU uint64_t own;

static void set_own(void *arg)
{
	own = *(uint64_t *)arg = (smp_cpu() + 1) * 1000;
}

static void say_own(void *arg)
{
	*(uint64_t *)arg = own;
}

static bool is_own(unsigned cpu, uint64_t answer)
{
	return answer == (cpu + 1) * 1000;
}

static bool is_here(unsigned cpu, uint64_t answer)
{
	(void)cpu;
	return answer == (uintptr_t)&own;
}

static void say_address(void *arg)
{
	*(uint64_t *)arg = (uintptr_t)&own;
}

static const char *test_percpu_variables_are_apart(void)
{
	if (!all_cpus(set_own, is_own) || !all_cpus(say_own, is_own))
		return "a CPU finds another value than its own";
	if (!all_cpus(say_address, is_here))
		return "a variable is not at the same address on all CPUs";
	return NULL;
}
IMAGE_TEST(test_percpu_variables_are_apart);

static void say_stack(void *arg)
{
	*(uint64_t *)arg = (uintptr_t)__builtin_frame_address(0);
}

static const char *test_stacks_are_apart(void)
{
	uint64_t stack[STORM_CPUS];
	const unsigned n = smp_ncpus() < STORM_CPUS ? smp_ncpus() : STORM_CPUS;

	for (unsigned cpu = 0; cpu < n; cpu++) {
		smp_call(cpu, say_stack, &stack[cpu]);
		for (unsigned i = 0; i < cpu; i++)
			if (stack[i] - stack[cpu] < 1024 || stack[cpu] - stack[i] < 1024)
				return "two CPUs run on one stack";
	}
	return NULL;
}
IMAGE_TEST(test_stacks_are_apart);

/* --- Clocks --- */

static void say_time(void *arg)
{
	*(uint64_t *)arg = clock_ns();
}

static uint64_t corrected_within; /* ticks: by the test that changes a TSC */

/* The two clocks agree to within `error` ticks. */
static const char *compare_clocks(unsigned cpu, uint64_t error)
{
	const uint64_t before = clock_ns(), ns = tsc_to_ns(error) + 1;
	uint64_t there, after;

	smp_call(cpu, say_time, &there);
	after = clock_ns();
	if (there + ns < before || there > after + ns)
		return "the clock of another CPU shows another time";
	return NULL;
}

static const char *test_clocks_agree(void)
{
	const char *why = NULL;

	for (unsigned cpu = 1; !why && cpu < smp_ncpus(); cpu++) {
		const struct smp_cpu *c = smp_online(cpu);

		why = c->tsc_differs
			      ? IMAGE_TEST_SKIP("the TSCs do not tick alike")
			      : compare_clocks(cpu, tsc_bounds_error(&c->tsc) + corrected_within);
	}
	return why;
}
IMAGE_TEST(test_clocks_agree);

#define SKEW      3000000000ll /* ticks */
#define SKEW_LOST (SKEW / 10)  /* between reading and writing it, which a hypervisor may do */

static void skew_tsc(void *arg)
{
	wrmsr(MSR_IA32_TSC, rdmsr(MSR_IA32_TSC) + (uint64_t) * (const int64_t *)arg);
}

static void correct_clock(void *arg)
{
	tsc_set_offset(*(const int64_t *)arg);
}

/* A correction uses the current offset of the TSC, not the earlier one. */
static const char *correct(unsigned cpu, int64_t before, struct tsc_bounds *now)
{
	int64_t more;

	if (smp_compare_tsc(cpu, now))
		return "the CPU does not answer";
	more = tsc_bounds_offset(now) - before;
	smp_call(cpu, correct_clock, &more);
	return compare_clocks(cpu, tsc_bounds_error(now));
}

static const char *skew_and_look(unsigned cpu, int64_t was)
{
	int64_t skew = SKEW;
	struct tsc_bounds now;
	const char *why;

	smp_call(cpu, skew_tsc, &skew);
	why = correct(cpu, was, &now);
	if (!why && tsc_bounds_agree(&now))
		return IMAGE_TEST_SKIP("the TSC cannot be written");
	if (!why && (now.high < was + SKEW - SKEW_LOST || now.low > was + SKEW))
		why = "the TSC is not found to be ahead by what it was made to be";
	skew = -skew;
	smp_call(cpu, skew_tsc, &skew);
	if (why)
		return why;
	why = correct(cpu, tsc_bounds_offset(&now), &now);
	corrected_within = tsc_bounds_error(&now);
	return why;
}

static const char *test_tsc_that_is_ahead_is_found_and_corrected(void)
{
	const unsigned cpu = smp_ncpus() - 1;
	struct tsc_bounds was;

	if (!cpu)
		return IMAGE_TEST_SKIP("one CPU");
	if (smp_compare_tsc(0, &was) != -EINVAL || smp_compare_tsc(cpu + 1, &was) != -EINVAL)
		return "a CPU is compared with itself, or with none";
	if (smp_compare_tsc(cpu, &was))
		return "the CPU does not answer";
	return skew_and_look(cpu, tsc_bounds_offset(&smp_online(cpu)->tsc));
}
IMAGE_TEST(test_tsc_that_is_ahead_is_found_and_corrected);

/* --- Memory types --- */

struct mtrr_answer {
	bool changed, again;
	uint64_t before, after;
};

/* Changes the CPU's last variable range, which is not in use, and changes it back. */
static void change_mtrr(void *arg)
{
	struct mtrr_answer *answer = arg;
	const uint32_t msr = MSR_MTRR_PHYSBASE(MTRRCAP_VARIABLE(rdmsr(MSR_MTRRCAP)) - 1);

	answer->before = rdmsr(msr);
	wrmsr(msr, answer->before ^ PAGE_SIZE);
	answer->changed = mtrr_follow();
	answer->again = mtrr_follow();
	answer->after = rdmsr(msr);
}

static const char *test_mtrrs_follow_the_first_cpu(void)
{
	struct mtrr_answer answer;

	if (smp_ncpus() == 1 || !MTRRCAP_VARIABLE(rdmsr(MSR_MTRRCAP)))
		return IMAGE_TEST_SKIP("one CPU, or no MTRRs");
	smp_call(1, change_mtrr, &answer);
	if (!answer.changed || answer.again)
		return "the difference is not found, or stays";
	return answer.before == answer.after ? NULL : "the register is not as it was";
}
IMAGE_TEST(test_mtrrs_follow_the_first_cpu);

/* --- All at once --- */

/* Row: the CPU that was called; column: its caller. Each row is written by its CPU alone. */
static uint64_t came[STORM_CPUS][STORM_CPUS];
static volatile uint64_t left;
static volatile bool lost;
static PERCPU struct hrtimer storm_timer;

struct storm_call {
	unsigned from, n;
};

/* Calls of a CPU are served in their order, one after the other. */
static void take_call(void *arg)
{
	const struct storm_call *call = arg;

	if (came[smp_cpu()][call->from]++ != call->n)
		lost = true;
}

/* CPUs call in the timer's interrupt. There they cannot interrupt each other, and must serve calls
 * while they wait. */
static void storm(struct hrtimer *timer, struct trap_frame *frame)
{
	const unsigned cpus = smp_ncpus();
	const uint64_t from = clock_ns();

	(void)timer;
	(void)frame;
	for (unsigned n = 0; n < STORM / cpus / cpus && clock_ns() - from < STORM_NS; n++)
		for (unsigned cpu = 0; cpu < cpus; cpu++) {
			struct storm_call call = {smp_cpu(), n};

			smp_call(cpu, take_call, &call);
		}
	__atomic_fetch_sub(&left, 1, __ATOMIC_RELEASE);
}

static void begin_storm(void *arg)
{
	storm_timer.fn = storm;
	hrtimer_start(&storm_timer, *(const uint64_t *)arg);
}

/* Each caller called all CPUs equally often. */
static bool is_balanced(unsigned cpus)
{
	for (unsigned from = 0; from < cpus; from++)
		for (unsigned cpu = 0; cpu < cpus; cpu++)
			if (!came[cpu][from] || came[cpu][from] != came[0][from])
				return false;
	return true;
}

static const char *test_mutual_calls_with_interrupts_off(void)
{
	const unsigned cpus = smp_ncpus();
	uint64_t delay = 2 * NSEC_PER_MS;
	bool in_time;

	if (cpus > STORM_CPUS)
		return IMAGE_TEST_SKIP("more than 64 CPUs");
	for (unsigned i = 0; i < STORM_CPUS * STORM_CPUS; i++)
		came[i / STORM_CPUS][i % STORM_CPUS] = 0;
	left = cpus;
	lost = false;
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		smp_call(cpu, begin_storm, &delay);
	irq_enable(); /* this CPU's timer, too */
	in_time = comes_to(&left, 0);
	irq_disable();
	if (!in_time)
		return "calls have come to a stop";
	if (lost)
		return "a call came out of its order";
	return is_balanced(cpus) ? NULL : "calls are missing";
}
IMAGE_TEST(test_mutual_calls_with_interrupts_off);

/* --- Interrupts --- */

static volatile uint64_t timers_fired;
static PERCPU struct hrtimer own_timer;
static PERCPU uint64_t own_due;

static void count_own_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	if (timer == &own_timer && clock_ns() >= own_due)
		__atomic_fetch_add(&timers_fired, 1, __ATOMIC_RELEASE);
}

static void start_timer(void *arg)
{
	const uint64_t ns = (smp_cpu() + 1) * NSEC_PER_MS;

	(void)arg;
	own_timer.fn = count_own_timer;
	own_due = clock_ns() + ns;
	hrtimer_start(&own_timer, ns);
}

static const char *test_timers_on_all_cpus(void)
{
	bool in_time;

	timers_fired = 0;
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, start_timer, NULL);
	irq_enable();
	in_time = comes_to(&timers_fired, smp_ncpus());
	irq_disable();
	return in_time ? NULL : "not every CPU's timer went off, or one went off too early";
}
IMAGE_TEST(test_timers_on_all_cpus);

static volatile uint64_t nmis;
static PERCPU uint64_t own_nmis;

static bool count_nmi(struct trap_frame *frame)
{
	(void)frame;
	own_nmis++;
	__atomic_fetch_add(&nmis, 1, __ATOMIC_RELEASE);
	return true;
}

static void say_nmis(void *arg)
{
	*(uint64_t *)arg = own_nmis;
	own_nmis = 0;
}

static bool is_some_but_here(unsigned cpu, uint64_t answer)
{
	return !answer == (cpu == smp_cpu());
}

/* NMIs do not have a source: a hypervisor may take an NMI for the timer's if both come together. */
#define NMI_TRIES 100
#define NMI_NS    (100 * NSEC_PER_MS)

static bool send_nmis(void)
{
	const uint64_t from = clock_ns();

	nmis = 0;
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (cpu != smp_cpu())
			apic_send_nmi(smp_online(cpu)->apic_id);
	while (nmis < smp_ncpus() - 1 && clock_ns() - from < NMI_NS)
		cpu_pause();
	return nmis >= smp_ncpus() - 1;
}

static const char *test_nmis_to_the_others(void)
{
	trap_nmi_handler *old = trap_set_nmi(count_nmi);
	bool right = false;

	for (unsigned i = 0; !right && i < NMI_TRIES; i++)
		right = send_nmis() && all_cpus(say_nmis, is_some_but_here);
	trap_set_nmi(old);
	return right ? NULL : "an NMI did not come, or came to another CPU";
}
IMAGE_TEST(test_nmis_to_the_others);
