// SPDX-License-Identifier: BSD-2-Clause
/* shim_smp.c - see shim_smp.h. */
#include "tests/shim/shim_smp.h"

#include "lib/percpu.h"

#include "tests/shim/rig.h"
#include "tests/shim/shake.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* Replaces arch/x86/smp/smp.h, which has other functions of these names. */
extern PERCPU unsigned smp_this_cpu;
PERCPU unsigned smp_this_cpu;

struct call {
	struct call *next;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};

static struct cpu {
	pthread_t thread;
	struct call *calls; /* newest first */
	struct call job;
	bool busy; /* with the job */
} cpus[SMP_CPUS];

static struct {
	unsigned n;
	const char *uarch[SMP_CPUS];
	bool ht_on;
	bool stop;
} smp;

static _Thread_local unsigned number;

unsigned smp_number(void)
{
	return number;
}

static struct call *in_order(struct call *newest)
{
	struct call *first = NULL;

	while (newest) {
		struct call *next = newest->next;

		newest->next = first;
		first = newest;
		newest = next;
	}
	return first;
}

void smp_serve(void)
{
	struct call *call =
		in_order(__atomic_exchange_n(&cpus[number].calls, NULL, __ATOMIC_ACQUIRE));

	while (call) {
		struct call *next = call->next;

		shake();
		call->fn(call->arg);
		shake();
		__atomic_store_n(&call->done, true, __ATOMIC_RELEASE);
		call = next;
	}
}

bool smp_is_called(void)
{
	return __atomic_load_n(&cpus[number].calls, __ATOMIC_ACQUIRE);
}

/* The host may have fewer CPUs than there are threads. */
static void relax(void)
{
	smp_serve();
	sched_yield();
}

static int call(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	struct call c = {.fn = fn, .arg = arg};
	struct call **at = &cpus[cpu].calls;

	if (cpu >= smp.n)
		return -1;
	shake();
	c.next = __atomic_load_n(at, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(at, &c.next, &c, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	while (!__atomic_load_n(&c.done, __ATOMIC_ACQUIRE))
		relax();
	return 0;
}

static void boot_this(unsigned cpu)
{
	number = cpu;
	rig_boot_cpu(smp.uarch[cpu], smp.ht_on, cpu, call, relax);
}

static void boot_job(void *arg)
{
	boot_this((unsigned)((struct cpu *)arg - cpus));
}

static void *serve_jobs(void *arg)
{
	struct cpu *cpu = arg;

	number = (unsigned)(cpu - cpus);
	while (!__atomic_load_n(&smp.stop, __ATOMIC_ACQUIRE)) {
		if (__atomic_load_n(&cpu->busy, __ATOMIC_ACQUIRE)) {
			cpu->job.fn(cpu->job.arg);
			__atomic_store_n(&cpu->busy, false, __ATOMIC_RELEASE);
		}
		relax();
	}
	return NULL;
}

void smp_start(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	if (!cpu) {
		fn(arg);
		return;
	}
	cpus[cpu].job = (struct call){.fn = fn, .arg = arg};
	__atomic_store_n(&cpus[cpu].busy, true, __ATOMIC_RELEASE);
}

void smp_wait(void)
{
	for (unsigned cpu = 1; cpu < smp.n; cpu++)
		while (__atomic_load_n(&cpus[cpu].busy, __ATOMIC_ACQUIRE))
			relax();
}

void smp_on(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	smp_start(cpu, fn, arg);
	smp_wait();
}

static void start_cpu(unsigned cpu)
{
	cpus[cpu] = (struct cpu){.busy = false};
	if (pthread_create(&cpus[cpu].thread, NULL, serve_jobs, &cpus[cpu]))
		abort();
	smp_on(cpu, boot_job, &cpus[cpu]);
}

static void boot_all(unsigned n)
{
	if (n > SMP_CPUS)
		abort();
	smp.stop = false;
	smp.n = 1;
	boot_this(0);
	while (smp.n < n)
		start_cpu(smp.n++);
}

void smp_boot(unsigned n, const char *uarch, bool ht_on)
{
	smp.ht_on = ht_on;
	for (unsigned cpu = 0; cpu < SMP_CPUS; cpu++)
		smp.uarch[cpu] = uarch;
	boot_all(n);
}

void smp_boot_hybrid(unsigned n, const char *uarch, const char *other, unsigned odd)
{
	smp.ht_on = false;
	for (unsigned cpu = 0; cpu < SMP_CPUS; cpu++)
		smp.uarch[cpu] = cpu == odd ? other : uarch;
	boot_all(n);
}

void smp_stop(void)
{
	__atomic_store_n(&smp.stop, true, __ATOMIC_RELEASE);
	for (unsigned cpu = 1; cpu < smp.n; cpu++)
		pthread_join(cpus[cpu].thread, NULL);
	smp.n = 1;
}
