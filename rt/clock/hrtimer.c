// SPDX-License-Identifier: BSD-2-Clause
/*
 * hrtimer.c - each CPU has a heap of timers, and its APIC timer is programmed for the first of
 * them. Times are those of the TSC, so deadlines need no conversion to be compared or programmed.
 *
 * Timers leave the CPU to other work, whatever ring 3 asks for: after each interrupt of the timer
 * there is none for as long as that interrupt took. So timers get at most half of the time. In the
 * other half ring 3 continues, and the console receives ^C. A timer that is due only after the
 * pause is not delayed.
 */
#include "rt/clock/hrtimer.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "lib/percpu.h"
#include "rt/base/tracepoints.h"
#include "rt/base/vectors.h"

/* `programmed` is the time at which the hardware will interrupt, or TIMER_NEVER. It does not
 * interrupt from `ended`, the end of the last interrupt, to `rested`, the end of the respite.
 * `entry` is the time from an interrupt to its first instruction here, and so about that from the
 * last instruction on. */
struct hrtimer_cpu {
	struct timer_heap heap;
	uint64_t programmed;
	uint64_t ended, rested, entry;
};

static PERCPU struct hrtimer_cpu timers;

static struct hrtimer_cpu *this_cpu(void)
{
	return &timers;
}

/* The later of `next` and the end of the respite. A respite from before a change of the TSC is
 * over. */
static uint64_t behind_respite(const struct hrtimer_cpu *cpu, uint64_t next, uint64_t now)
{
	return now - cpu->ended < cpu->rested - cpu->ended && next < cpu->rested ? cpu->rested
										 : next;
}

/* Programs the hardware for the first timer of the heap. */
static void program_timer(struct hrtimer_cpu *cpu)
{
	uint64_t next = cpu->heap.next, now;

	if (next == cpu->programmed)
		return;
	if (next == TIMER_NEVER) {
		cpu->programmed = next;
		apic_timer_stop();
		return;
	}
	now = rdtsc();
	next = behind_respite(cpu, next, now);
	if (next == cpu->programmed)
		return;
	cpu->programmed = next;
	apic_timer_arm(next, next > now ? next - now : 0);
}

/* The clock of samples at a given TSC. */
static uint64_t clock_at(uint64_t tsc_time)
{
	uint64_t now = rdtsc(), ns = clock_ns();

	return tsc_time > now ? ns + tsc_to_ns(tsc_time - now) : ns - tsc_to_ns(now - tsc_time);
}

static unsigned traced; /* 1: a tracepoint of timers is open */

void hrtimer_trace(bool on)
{
	traced = on;
}

/* Runs the callback between its two tracepoints. */
static __attribute__((noinline)) void expire_traced(struct hrtimer *timer, struct trap_frame *frame)
{
	trace(hrtimer_expire_entry, timer, clock_ns(), (const void *)timer->fn);
	timer->fn(timer, frame);
	trace(hrtimer_expire_exit, timer);
}

#define ENTRY_MOST_NS 50000 /* a later entry was delayed by a system call */

/* Measures the entry when the hardware was programmed for the end of a respite: ring 3 runs by
 * then, or the interrupted work would have taken longer. */
static void measure_entry(struct hrtimer_cpu *cpu, uint64_t now)
{
	const uint64_t most = tsc_from_ns(ENTRY_MOST_NS), late = now - cpu->rested;

	if (cpu->programmed == cpu->rested && now >= cpu->rested)
		cpu->entry = late < most ? late : most;
}

/* The interrupt began at `began` and ends now. */
static void begin_respite(struct hrtimer_cpu *cpu, uint64_t began)
{
	const uint64_t now = rdtsc();

	cpu->ended = now;
	cpu->rested = now + (now - began) + 2 * cpu->entry;
}

static __attribute__((noinline)) void expire_all(struct hrtimer_cpu *cpu, struct trap_frame *frame,
						 uint64_t now)
{
	while (cpu->heap.next <= now) {
		struct hrtimer *first = timer_heap_pop(&cpu->heap);

		if (traced)
			expire_traced(first, frame);
		else
			first->fn(first, frame);
	}
}

/* Usually one timer is armed. What its callback starts is not due yet, so no other one follows. */
static inline void expire(struct hrtimer_cpu *cpu, struct trap_frame *frame, uint64_t now)
{
	struct hrtimer *only;

	if (__builtin_expect(cpu->heap.n != 1 || traced, 0)) {
		expire_all(cpu, frame, now);
		return;
	}
	if (__builtin_expect(cpu->heap.next > now, 0))
		return;
	only = timer_heap_remove_only(&cpu->heap);
	only->fn(only, frame);
}

/* If the next timer is not due within the respite, and a callback that restarted its timer has
 * programmed the hardware, nothing is left to do. */
static void on_interrupt(struct trap_frame *frame)
{
	struct hrtimer_cpu *cpu = this_cpu();
	uint64_t now = rdtsc();

	apic_eoi();
	measure_entry(cpu, now);
	cpu->programmed = TIMER_NEVER;
	expire(cpu, frame, now);
	begin_respite(cpu, now);
	if (cpu->heap.next == cpu->programmed && cpu->heap.next >= cpu->rested)
		return;
	cpu->programmed = 0;
	program_timer(cpu);
}

void hrtimer_init(void)
{
	trap_set_irq(VECTOR_TIMER, on_interrupt);
	trap_name_irq(VECTOR_TIMER, "hrtimer");
	timers.heap.next = timers.programmed = TIMER_NEVER;
	apic_timer_init(VECTOR_TIMER);
}

/* Out of line, so that the usual case saves no registers. */
static __attribute__((noinline)) void start_unusually(struct hrtimer_cpu *cpu,
						      struct hrtimer *timer, uint64_t expires)
{
	if (timer->at)
		timer_heap_remove(&cpu->heap, timer);
	timer->expires = expires;
	timer_heap_insert(&cpu->heap, timer);
	program_timer(cpu);
	trace(hrtimer_start, timer, (const void *)timer->fn, clock_at(expires));
}

void hrtimer_start_irqs_off(struct hrtimer *timer, uint64_t ns)
{
	uint64_t ticks = tsc_from_ns(ns), expires = rdtsc() + ticks;
	struct hrtimer_cpu *cpu = this_cpu();

	if (cpu->heap.n | traced) {
		start_unusually(cpu, timer, expires);
	} else {
		timer->expires = cpu->programmed = expires;
		timer_heap_insert_only(&cpu->heap, timer);
		apic_timer_arm(expires, ticks);
	}
}

void hrtimer_shift(int64_t ticks)
{
	struct hrtimer_cpu *cpu = this_cpu();

	timer_heap_shift(&cpu->heap, ticks);
	cpu->rested = cpu->ended;
	cpu->entry = 0;
	program_timer(cpu);
}

void hrtimer_start(struct hrtimer *timer, uint64_t ns)
{
	uint64_t flags = irq_save();

	hrtimer_start_irqs_off(timer, ns);
	irq_restore(flags);
}

bool hrtimer_cancel(struct hrtimer *timer)
{
	uint64_t flags = irq_save();
	struct hrtimer_cpu *cpu = this_cpu();
	bool armed = timer->at;

	if (armed) {
		trace(hrtimer_cancel, timer);
		timer_heap_remove(&cpu->heap, timer);
	}
	program_timer(cpu);
	irq_restore(flags);
	return armed;
}
