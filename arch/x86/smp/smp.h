/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.h - the CPUs of this machine: how they are started, and how they ask one another for
 * something.
 *
 * CPUs are numbered 0 to smp_ncpus() - 1; 0 is the one that booted. Nothing of one CPU is touched
 * by another: what is wanted of it, it does itself, by smp_call().
 */
#ifndef ARCH_X86_SMP_SMP_H
#define ARCH_X86_SMP_SMP_H

#include "arch/x86/cpu/this_cpu.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/portable/tsc_offset.h"
#include "include/perf0/handoff.h"
#include "lib/by_cpu.h"
#include "lib/percpu.h"

#include <stdbool.h>
#include <stdint.h>

#define SMP_MAX_CPUS CPUS_MOST

/*
 * smp_init() - sets the vectors: smp_call() interrupts by `call`, smp_kick() by `reschedule`. The
 * latter has a handler that does nothing: the interrupt alone ends a HLT; a scheduler that wants
 * more sets its own with trap_set_irq(). After apic_init(); task context, once.
 */
void smp_init(unsigned call, unsigned reschedule);

/*
 * smp_start() - starts the CPUs that the firmware names, one after the other, until `most` are
 * online, this one included. Each has its own stacks and PERCPU variables, and the traps, the map
 * and the APIC's mode of this one; then it calls `begin` with interrupts off, is online from then
 * on, and goes to `run`, for good. Both on the CPU's main stack, of SMP_STACK_BYTES. `begin`
 * returns false where the CPU cannot be used.
 *
 * Task context, once, behind smp_init(), with interrupts off or on. What became of each is told by
 * smp_found().
 */
#define SMP_STACK_BYTES (64 * 1024)

struct smp_start {
	const struct handoff *handoff;
	unsigned most;
	bool (*begin)(void);
	void (*run)(void);
};
void smp_start(const struct smp_start *start);

enum smp_state {
	SMP_ONLINE,
	SMP_LEFT_OUT,      /* `most` were online already */
	SMP_UNREACHABLE,   /* an APIC id above 254, without x2APIC mode */
	SMP_DID_NOT_START, /* no sign of life within SMP_PATIENCE_S */
	SMP_UNUSABLE,      /* it started, but could not be set up */
	SMP_NOT_LENT,      /* the firmware, which lends this machine, does not lend it */
	SMP_NO_MEMORY,     /* for its stacks and tables, below 1 MiB too */
};
#define SMP_PATIENCE_S 5

/* A CPU that the firmware names. What is known of it depends on how far it came. */
struct smp_cpu {
	uint32_t apic_id;
	enum smp_state state;
	unsigned number;        /* online: which CPU it is */
	unsigned node;          /* of memory: nodes.h */
	struct cpu_place place; /* online */
	uint8_t core_type;      /* online; struct pmu_caps */
	struct tsc_bounds tsc;  /* online: its TSC, beside that of CPU 0 */
	bool tsc_differs;       /* its ticks are not those of CPU 0: `tsc` means nothing */
};

/* smp_nfound(), smp_found() - the CPUs that the firmware names, from 0; the first is CPU 0. Task
 * and IRQ context. */
unsigned smp_nfound(void);
const struct smp_cpu *smp_found(unsigned i);

/* smp_nbeyond() - how many more the firmware names, which find no number: SMP_MAX_CPUS. */
unsigned smp_nbeyond(void);

/* smp_online() - CPU `cpu`, which is below smp_ncpus(). Any context. */
const struct smp_cpu *smp_online(unsigned cpu);

/*
 * smp_compare_tsc() - how far the TSC of `cpu` is ahead of this CPU's now; takes some 0.1 ms.
 * -EINVAL: there is no such other CPU; -ETIMEDOUT: it does not answer. Task context; one at a time.
 */
int smp_compare_tsc(unsigned cpu, struct tsc_bounds *bounds);

/*
 * smp_call() - `fn(arg)` runs on `cpu`, in IRQ context there (interrupts off; it does not leave for
 * ring 3), and has returned when this returns 0. On this CPU itself it is a plain call with
 * interrupts off. `arg` is memory that every CPU sees alike: of the caller's stack, of the heap or
 * of the image, but not a PERCPU variable. What the caller wrote before, fn sees; what fn wrote,
 * the caller sees behind it. Calls from one CPU to another run in the order in which they were
 * made.
 *
 * A CPU that has interrupts off takes the call when it enables them, or when it waits itself: while
 * smp_call() waits it serves the calls for this CPU, so two CPUs may call each other at any time,
 * fn may call on, and interrupts may be off. Hence, with interrupts off, code of other CPUs may run
 * here in the middle of it; a lock of lib/lock.h is never held across it.
 *
 * -EINVAL: there is no such CPU. Task and IRQ context; never from an NMI.
 */
int smp_call(unsigned cpu, void (*fn)(void *arg), void *arg);

/*
 * smp_call_set() - smp_call() to each CPU of which the bit is set, this one too, where it is: all
 * at the same time. They exist. The bits are gone behind it.
 */
void smp_call_set(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg);

/*
 * smp_serve() - runs the calls that wait for this CPU, if any; a few instructions when there are
 * none. For every loop that spins with interrupts off until another CPU has done something. Task
 * and IRQ context, not with a lock held.
 */
void smp_serve(void);

/*
 * smp_kick() - the CPU comes out of HLT or ring 3 and to its handler of `reschedule`; a CPU that
 * has interrupts off does when it enables them. Does not wait. This CPU may be meant. One that does
 * not exist: nothing happens. Task and IRQ context, interrupts off.
 */
void smp_kick(unsigned cpu);

#endif
