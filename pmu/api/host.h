/* SPDX-License-Identifier: BSD-2-Clause */
/* host.h - what the machine does for the event core, and the core's beginning on it. The rules of
 * use are pmu.h's. */
#ifndef PMU_API_HOST_H
#define PMU_API_HOST_H

#include "arch/x86/portable/cpuid.h"
#include "pmu/api/event.h"
#include "lib/by_cpu.h"
#include "rb/rb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trap_frame;

/* What runs now, as records have it. What stands here changes with interrupts off only. */
struct pmu_current {
	uint32_t pid, tid; /* of the task in ring 3 or in a system call; 0: the runtime itself */
	uint32_t cpu;
	uint32_t reserved; /* 0: behind `cpu` in records */
};

/* The clock by the TSC, as struct perf_event_mmap_page has it: zero + tsc * mult / 2^shift. */
struct pmu_clock {
	uint16_t shift;
	uint32_t mult;
	uint64_t zero;
};

/*
 * What the machine does for the core. All are called in any context, NMI included, but timer_arm(),
 * mux_arm() and the like, which are for task and IRQ, and event_alloc() and event_free(), which
 * are for task context. Members marked (may be NULL) can be left
 * out.
 */
struct pmu_host {
	uint64_t (*clock_ns)(void);        /* never goes back; the clock of records and of times */
	void (*lvtpc_unmask)(void);        /* after a PMI: LVTPC delivers NMIs again */
	const struct pmu_current *current; /* of this CPU; read, not called: every sample asks */
	/*
	 * Where ring 3 goes on once ring 0 is done, or where it was left last; 0: it never ran. For
	 * the skid of an event that excludes ring 0 over a system call. (may be NULL)
	 */
	uint64_t (*user_ip)(void);
	/*
	 * Has AMD's extended interrupt `n` of the local APIC come as an NMI. False: there is no
	 * such. Task context. (may be NULL: no Instruction-Based Sampling)
	 */
	bool (*extended_nmi)(unsigned n);
	/* Has pmu_timer() called once, in `ns` ns from now; 0: not any more. (may be NULL: clock
	 * events can count, but not sample) */
	void (*timer_arm)(uint64_t ns);
	/* Has pmu_mux_timer() called once, in `ns` ns from now; 0: not any more. Task and IRQ. (may
	 * be NULL: a group that does not fit at once waits for as long as nothing else changes) */
	void (*mux_arm)(uint64_t ns);
	/* Has pmu_rate_timer() called once, in `ns` ns from now; 0: not any more. Task and IRQ.
	 * irq_work() has pmu_irq_work() called soon, as an interrupt, and may be called in NMIs.
	 * (both may be NULL: no event is throttled, and frequencies adjust at overflows only) */
	void (*rate_arm)(uint64_t ns);
	void (*irq_work)(void);
	/* Has pmu_refresh_timer() called once, in `ns` ns from now; 0: not any more. Task and IRQ.
	 * (may be NULL: no event whose register could wrap unseen) */
	void (*refresh_arm)(uint64_t ns);
	/* Can breakpoints be set on these bytes? (may be NULL: anywhere) */
	bool (*watchable)(uint64_t address, uint64_t bytes);
	/* What programs read from `clockid`, one that pmu_check_attr() takes, when clock_ns() was
	 * `ns`: for records of events with attr.use_clockid. NMI context too. (may be NULL: `ns`)
	 */
	uint64_t (*program_clock)(int clockid, uint64_t ns);
	/* The name of the task that runs here, for filters; terminated. Any context. (may be NULL:
	 * none has one) */
	const char *(*comm)(void);
	/* How ring 3 gets clock_ns() from the TSC. (may be NULL: control pages tell no time) */
	const struct pmu_clock *clock;
	/* When the TSC stood at `tsc`, by clock_ns(). (may be NULL) */
	uint64_t (*tsc_ns)(uint64_t tsc);
	/* Is that an address of ring 3's code? (may be NULL: it is where the NMI found it) */
	bool (*is_user)(uint64_t ip);
	/*
	 * A ring has what its events' wakeup_events or wakeup_watermark ask to be told of. NMI
	 * context too: may only note it. (may be NULL)
	 */
	void (*wakeup)(struct rb *rb);
	/*
	 * The callers: return addresses, innermost first, up to `most` into `to`; returns how many.
	 * chain_user(): of ring 3, from frame pointer `fp` on. chain_kernel(): of ring 0, from
	 * `frame` on; *user_fp is the frame pointer with which ring 3 was left, 0 where that cannot
	 * be told. Whatever lies there: they end where nothing is mapped, and never fault. (may be
	 * NULL, both: no callchains)
	 */
	unsigned (*chain_user)(uint64_t fp, uint64_t *to, unsigned most);
	unsigned (*chain_kernel)(const struct trap_frame *frame, uint64_t *to, unsigned most,
				 uint64_t *user_fp);
	/* Copies from ring 3's memory; returns how many bytes, less than `n` where it is not
	 * mapped. (may be NULL: no samples of stacks) */
	size_t (*read_user)(void *to, uint64_t from, size_t n);
	/* Where `address` lies in physical memory, and the size of its page. False: nowhere. (may
	 * be NULL: no physical addresses) */
	bool (*translate)(uint64_t address, uint64_t *physical, uint64_t *page_size);
	/*
	 * From now on, or not any more, pmu_step() is called for each instruction of ring 3. Task
	 * and IRQ; off: may still call it once. (may be NULL: step_trace is not supported)
	 */
	void (*step)(bool on);
	/* Storage for one inherited event, not cleared; and back. Task context. (may be NULL:
	 * nothing is inherited) */
	struct pmu_event *(*event_alloc)(void);
	void (*event_free)(struct pmu_event *e);
	/*
	 * An event with attr.sigtrap overflowed for the task that runs: it gets a SIGTRAP before it
	 * goes on. `address`: of the sample, 0: none. NMI context too: may only note it. (may be
	 * NULL: there are no signals)
	 */
	void (*sigtrap)(const struct perf_event_attr *attr, uint64_t address);
	/* Is `set` of tasks the set `of`, or part of it? (may be NULL: no set is part of another)
	 */
	bool (*set_within)(uint32_t set, uint32_t of);
	/*
	 * Other CPUs, by the numbers of their pmu_current. ncpus(): how many there are. call():
	 * `fn` runs on that one with interrupts off, and has returned when it does; serves what
	 * others want of this CPU while it waits. relax(): serves that; for loops that wait. Task
	 * and IRQ. (may be NULL, all three: there is one CPU)
	 */
	unsigned (*ncpus)(void);
	int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg);
	void (*relax)(void);
};

#define PMU_MAX_CPUS CPUS_MOST

/*
 * pmu_init() - picks the driver by vendor, clears the PMU and has it count something. Returns 0, or
 * -ENODEV when there are no hardware events; pmu_problem() then says why, software events work all
 * the same. `caps` and `host` must stay. The PMI must already be an NMI in LVTPC, with pmu_nmi()
 * behind it. Once on each CPU, at its start-up, with what that one has: CPU 0 first, which begins
 * everything anew; not two at the same time.
 */
int pmu_init(const struct pmu_caps *caps, const struct pmu_host *host);

/* pmu_problem() - why hardware events are not supported, one sentence; NULL: they are. */
const char *pmu_problem(void);

/* What pmu_init() found. Strings are never NULL; `note` is "" when there is nothing to note. */
#define PMU_PRECISE_MOST 3 /* attr.precise_ip: no skid, and no shadow */

struct pmu_info {
	const char *driver;   /* "Intel architectural perfmon", ... */
	const char *uarch;    /* "haswell", ..., "generic" */
	const char *note;     /* e.g. that the CPU's model is not known */
	uint64_t counters;    /* mask: general from bit 0, fixed from bit 32 */
	uint8_t width;        /* bits of a counter */
	uint64_t select_bits; /* of an event select that mean something */
	uint8_t max_precise;  /* attr.precise_ip */
	uint64_t max_period;  /* of one reload; longer sample periods are made of several */
};
const struct pmu_info *pmu_info(void);

/*
 * Counters that some firmware counts on for itself, of all CPUs. pmu_init() takes them from it;
 * where it takes one back while an event counts there, that event reads as not counted, and the
 * counter is left out from then on.
 */
struct pmu_firmware {
	uint64_t at_start; /* mask: they were on when pmu_init() came */
	uint32_t msr;      /* the first register that said so, and what was in it */
	uint64_t value;
	uint64_t borrowed; /* mask: taken since */
};

/* pmu_firmware() - as of now. pmu_counter_borrowed_of() - the counter that was taken from under
 * `e`, or what was inherited from it; -1: none. Task context. */
struct pmu_firmware pmu_firmware(void);
int pmu_counter_borrowed_of(const struct pmu_event *e);

#endif
