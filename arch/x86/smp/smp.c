// SPDX-License-Identifier: BSD-2-Clause
/*
 * smp.c - see smp.h.
 *
 * Each CPU has a list of the calls that wait for it. A caller puts its call, which lies on its own
 * stack, in front by compare-and-exchange, and interrupts the CPU when it was the first; the CPU
 * takes the whole list at once, and serves it from the end, in the order of the calls. The caller's
 * stack is valid until `done` is set, so `done` is written last. Letters are pairs of release and
 * acquire:
 *
 * 	caller                               called
 * 	A  call filled in, then put in front  A' list taken, then call read
 * 	B' done read, then what fn wrote      B  fn returned, then done written
 */
#include "arch/x86/smp/smp.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp_start.h"
#include "arch/x86/cpu/dump.h"
#include "arch/x86/cpu/trap.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define CACHE_LINE 64

/* The data of a CPU that other CPUs may access. */
struct cpu {
	struct smp_call *calls;
	uint32_t apic_id;
} __attribute__((aligned(CACHE_LINE)));
BY_CPU_STATIC(struct cpu, cpus);

static unsigned call_vector, kick_vector;

static struct smp_call *in_order(struct smp_call *newest)
{
	struct smp_call *first = NULL;

	while (newest) {
		struct smp_call *next = newest->next;

		newest->next = first;
		first = newest;
		newest = next;
	}
	return first;
}

static void serve_cpu_calls(struct cpu *cpu)
{
	struct smp_call *call =
		in_order(__atomic_exchange_n(&cpu->calls, NULL, __ATOMIC_ACQUIRE)); /* A' */

	while (call) {
		struct smp_call *next = call->next;

		call->fn(call->arg);
		__atomic_store_n(&call->done, true, __ATOMIC_RELEASE); /* B */
		call = next;
	}
}

void smp_serve(void)
{
	struct cpu *cpu;
	uint64_t flags;

	if (!cpus) /* before smp_init() */
		return;
	cpu = &cpus[smp_cpu()];
	if (!__atomic_load_n(&cpu->calls, __ATOMIC_RELAXED))
		return;
	flags = irq_save();
	serve_cpu_calls(cpu);
	irq_restore(flags);
}

static void on_call(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	smp_serve();
}

static void ignore_kick(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
}

/* True: no other call was waiting. */
static bool put_in_front(struct cpu *cpu, struct smp_call *call)
{
	call->next = __atomic_load_n(&cpu->calls, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&cpu->calls, &call->next, call, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED)) /* A */
		;
	return !call->next;
}

static void call_here(void (*fn)(void *arg), void *arg)
{
	uint64_t flags = irq_save();

	fn(arg);
	irq_restore(flags);
}

void smp_call_begin(unsigned cpu, struct smp_call *call)
{
	uint64_t flags = irq_save();

	if (put_in_front(&cpus[cpu], call))
		apic_send(cpus[cpu].apic_id, call_vector);
	irq_restore(flags);
}

void smp_call_end(struct smp_call *call)
{
	while (!__atomic_load_n(&call->done, __ATOMIC_ACQUIRE)) { /* B' */
		smp_serve();
		cpu_pause();
	}
}

static void call_there(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	struct smp_call call = {.fn = fn, .arg = arg};

	smp_call_begin(cpu, &call);
	smp_call_end(&call);
}

int smp_call(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	if (cpu >= smp_ncpus())
		return -EINVAL;
	if (cpu == smp_cpu())
		call_here(fn, arg);
	else
		call_there(cpu, fn, arg);
	return 0;
}

#define CALLS_AT_ONCE 16

/*
 * Calls as many CPUs of the set as there is room for, at the same time, and removes them from it.
 */
static void call_some(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg)
{
	struct smp_call calls[CALLS_AT_ONCE];
	unsigned n = 0;

	for (unsigned word = 0; word < SMP_MAX_CPUS / 64; word++) {
		for (; set[word] && n < CALLS_AT_ONCE; set[word] &= set[word] - 1) {
			calls[n] = (struct smp_call){.fn = fn, .arg = arg};
			smp_call_begin(word * 64 + (unsigned)__builtin_ctzll(set[word]),
				       &calls[n++]);
		}
	}
	while (n)
		smp_call_end(&calls[--n]);
}

static bool is_any(const uint64_t set[SMP_MAX_CPUS / 64])
{
	uint64_t all = 0;

	for (unsigned word = 0; word < SMP_MAX_CPUS / 64; word++)
		all |= set[word];
	return all;
}

void smp_call_set(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg)
{
	const unsigned here = smp_cpu();
	const uint64_t bit = 1ull << here % 64;
	const bool with_this = set[here / 64] & bit;

	set[here / 64] &= ~bit;
	while (is_any(set))
		call_some(set, fn, arg);
	if (with_this)
		call_here(fn, arg);
}

void smp_kick(unsigned cpu)
{
	if (cpu < smp_ncpus())
		apic_send(cpus[cpu].apic_id, kick_vector);
}

void smp_add_online(uint32_t id)
{
	cpus[smp_ncpus()].apic_id = id;
	smp_add_cpu();
}

static void stop_others(void)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (cpu != smp_cpu())
			apic_send_nmi(cpus[cpu].apic_id);
}

void smp_init(unsigned call, unsigned reschedule)
{
	call_vector = call;
	kick_vector = reschedule;
	trap_set_irq(call, on_call);
	trap_name_irq(call, "call");
	trap_set_irq(reschedule, ignore_kick);
	trap_name_irq(reschedule, "reschedule");
	smp_find();
	smp_make_tables(smp_nfound());
	cpus[0].apic_id = apic_id();
	dump_set_stop(stop_others);
}
