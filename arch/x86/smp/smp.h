/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.h - the CPUs of this machine: their start, and calls between them.
 *
 * CPUs are numbered 0 to smp_ncpus() - 1; 0 is the one that booted. No CPU touches the data of
 * another one: it calls a function there by smp_call().
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
 * handler of `reschedule` does nothing: the interrupt alone ends a HLT. A scheduler that needs more
 * sets its own with trap_set_irq(). After apic_init(); task context, once.
 */
void smp_init(unsigned call, unsigned reschedule);

/*
 * smp_start() - starts the CPUs that the firmware names, one after the other, until `most` are
 * online, this one included. Each has its own stacks and PERCPU variables, and shares the traps,
 * the map and the APIC's mode with this one. It calls `begin` with interrupts off, is online from
 * then on, and goes to `run`, for good. Both run on the CPU's main stack, of SMP_STACK_BYTES.
 * `begin` returns false where the CPU cannot be used.
 *
 * Task context, once, after smp_init(), with interrupts off or on. smp_found() has the result for
 * each CPU.
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
	SMP_NOT_LENT,      /* the firmware lends this machine, but not this CPU */
	SMP_NO_MEMORY,     /* for its stacks and tables, below 1 MiB too */
};
#define SMP_PATIENCE_S 5

/* A CPU that the firmware names. The known members depend on how far its start went. */
struct smp_cpu {
	uint32_t apic_id;
	enum smp_state state;
	unsigned number;        /* online: the CPU's number */
	unsigned node;          /* of memory: nodes.h */
	struct cpu_place place; /* online */
	uint8_t core_type;      /* online; struct pmu_caps */
	struct tsc_bounds tsc;  /* online: its TSC, beside that of CPU 0 */
	bool tsc_differs;       /* its rate differs from CPU 0's: `tsc` means nothing */
};

/* smp_nfound(), smp_found() - the CPUs that the firmware names, from 0; the first is CPU 0. Task
 * and IRQ context. */
unsigned smp_nfound(void);
const struct smp_cpu *smp_found(unsigned i);

/* smp_nbeyond() - the number of CPUs that the firmware names beyond SMP_MAX_CPUS. */
unsigned smp_nbeyond(void);

/* smp_online() - CPU `cpu`, which is below smp_ncpus(). Any context. */
const struct smp_cpu *smp_online(unsigned cpu);

/*
 * smp_compare_tsc() - how far the TSC of `cpu` is ahead of this CPU's now; takes some 0.1 ms.
 * -EINVAL: there is no such other CPU; -ETIMEDOUT: it does not answer. Task context; one at a time.
 */
int smp_compare_tsc(unsigned cpu, struct tsc_bounds *bounds);

/*
 * smp_call() - runs `fn(arg)` on `cpu`, in IRQ context there (interrupts off; it does not leave for
 * ring 3), and returns 0 when it has returned. On this CPU itself it is a plain call with
 * interrupts off. `arg` points to memory that every CPU sees alike: the caller's stack, the heap or
 * the image, but not a PERCPU variable. `fn` sees the caller's earlier writes, and the caller sees
 * those of `fn` afterwards. Calls from one CPU to another run in the order in which they were made.
 *
 * A CPU that has interrupts off takes the call when it enables them, or when it waits itself. While
 * smp_call() waits it serves the calls for this CPU, so two CPUs may call each other at any time,
 * fn may make calls itself, and interrupts may be off. Hence, with interrupts off, code of other
 * CPUs may run here in the middle of it; a lock of lib/lock.h is never held across it.
 *
 * -EINVAL: there is no such CPU. Task and IRQ context; never from an NMI.
 */
int smp_call(unsigned cpu, void (*fn)(void *arg), void *arg);

/* smp_call_set() - smp_call() to each CPU of the set, this one too if it is in it, all at the same
 * time. All of them exist. The set is empty afterwards. */
void smp_call_set(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg);

/*
 * smp_serve() - runs the calls that wait for this CPU; a few instructions when there are none. For
 * every loop that spins with interrupts off until another CPU has done something. Task and IRQ
 * context, not with a lock held.
 */
void smp_serve(void);

/*
 * smp_kick() - brings the CPU out of HLT or ring 3 and to its handler of `reschedule`; a CPU with
 * interrupts off follows when it enables them. Does not wait. It may be this CPU. If the CPU does
 * not exist, nothing happens. Task and IRQ context, interrupts off.
 */
void smp_kick(unsigned cpu);

#endif
