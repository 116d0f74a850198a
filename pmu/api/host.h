/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.h - functions that the machine provides for the event core, and the core's initialization.
 * pmu.h has the rules of use.
 */
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

/* The running task, in the layout of records. Changes only with interrupts off. */
struct pmu_current {
	uint32_t pid, tid; /* of the task in ring 3 or in a system call; 0: the runtime */
	uint32_t cpu;
	uint32_t reserved; /* 0; follows `cpu` in records */
};

/*
 * The clock as a function of the TSC, as in struct perf_event_mmap_page: zero + tsc * mult /
 * 2^shift.
 */
struct pmu_clock {
	uint16_t shift;
	uint32_t mult;
	uint64_t zero;
};

/*
 * Functions of the machine. Any context may call them, including NMIs, with two exceptions. The
 * functions that arm timers are for task and IRQ context; event_alloc() and event_free() are for
 * task context. Members marked (may be NULL) are optional.
 */
struct pmu_host {
	uint64_t (*clock_ns)(void); /* monotonic; the clock of records and of times */
	void (*lvtpc_unmask)(void); /* after a PMI: makes LVTPC deliver NMIs again */
	const struct pmu_current
		*current; /* of this CPU; a pointer, because every sample reads it */
	/*
	 * The address at which ring 3 continues after ring 0, or at which it was left last; 0: it
	 * never ran. Used for an event that excludes ring 0 and skids over a system call. (may be
	 * NULL)
	 */
	uint64_t (*user_ip)(void);
	/*
	 * Makes AMD's extended interrupt `n` of the local APIC an NMI. False: there is no such
	 * interrupt. Task context. (may be NULL: no Instruction-Based Sampling)
	 */
	bool (*extended_nmi)(unsigned n);
	/*
	 * Calls pmu_timer() once, in `ns` ns; 0: cancels. (may be NULL: clock events can count, but
	 * not sample)
	 */
	void (*timer_arm)(uint64_t ns);
	/*
	 * Calls pmu_mux_timer() once, in `ns` ns; 0: cancels. Task and IRQ. (may be NULL: a group
	 * that does not fit waits until something else changes)
	 */
	void (*mux_arm)(uint64_t ns);
	/*
	 * rate_arm() calls pmu_rate_timer() once, in `ns` ns; 0: cancels. Task and IRQ.
	 * irq_work() calls pmu_irq_work() soon, as an interrupt; NMIs may call it.
	 * (both may be NULL: no event is throttled, and frequencies adjust at overflows only)
	 */
	void (*rate_arm)(uint64_t ns);
	void (*irq_work)(void);
	/*
	 * Calls pmu_refresh_timer() once, in `ns` ns; 0: cancels. Task and IRQ. (may be NULL: no
	 * event whose register could wrap unseen)
	 */
	void (*refresh_arm)(uint64_t ns);
	/* True where breakpoints may be set on these bytes. (may be NULL: anywhere) */
	bool (*watchable)(uint64_t address, uint64_t bytes);
	/*
	 * The time that programs read from `clockid` when clock_ns() is `ns`, for records of events
	 * with attr.use_clockid. pmu_check_attr() accepts `clockid`. NMI context too. (may be NULL:
	 * `ns`)
	 */
	uint64_t (*program_clock)(int clockid, uint64_t ns);
	/*
	 * The name of the running task, for filters; terminated. Any context. (may be NULL: tasks
	 * have no names)
	 */
	const char *(*comm)(void);
	/* How ring 3 computes clock_ns() from the TSC. (may be NULL: control pages have no time) */
	const struct pmu_clock *clock;
	/* The time of TSC value `tsc`, by clock_ns(). (may be NULL) */
	uint64_t (*tsc_ns)(uint64_t tsc);
	/*
	 * True where the address is in ring 3's code. (may be NULL: the ring that the NMI
	 * interrupted)
	 */
	bool (*is_user)(uint64_t ip);
	/*
	 * A ring has reached its wakeup_events or wakeup_watermark. NMI context too, so it may only
	 * note it. (may be NULL)
	 */
	void (*wakeup)(struct rb *rb);
	/*
	 * Call chains: write up to `most` return addresses to `to`, innermost first, and return
	 * their number.
	 * chain_user() is for ring 3, from frame pointer `fp`. chain_kernel() is for ring 0, from
	 * `frame`; *user_fp becomes ring 3's frame pointer, 0 where it is unknown. They end at
	 * unmapped memory and never fault, whatever the stack holds. (may be NULL, both: no call
	 * chains)
	 */
	unsigned (*chain_user)(uint64_t fp, uint64_t *to, unsigned most);
	unsigned (*chain_kernel)(const struct trap_frame *frame, uint64_t *to, unsigned most,
				 uint64_t *user_fp);
	/*
	 * Copies from ring 3's memory; returns the number of bytes, less than `n` where memory is
	 * not mapped. (may be NULL: no samples of stacks)
	 */
	size_t (*read_user)(void *to, uint64_t from, size_t n);
	/*
	 * The physical address of `address`, and the size of its page. False: it is not mapped.
	 * (may be NULL: no physical addresses)
	 */
	bool (*translate)(uint64_t address, uint64_t *physical, uint64_t *page_size);
	/*
	 * Starts or stops calling pmu_step() for each instruction of ring 3. Task and IRQ. After a
	 * stop, one more call may come. (may be NULL: step_trace is not supported)
	 */
	void (*step)(bool on);
	/*
	 * Allocates and frees one inherited event, not cleared. Task context. (may be NULL: nothing
	 * is inherited)
	 */
	struct pmu_event *(*event_alloc)(void);
	void (*event_free)(struct pmu_event *e);
	/*
	 * An event with attr.sigtrap overflowed for the running task, which gets a SIGTRAP before
	 * it continues. `address`: of the sample, 0: none. NMI context too, so it may only note it.
	 * (may be NULL: there are no signals)
	 */
	void (*sigtrap)(const struct perf_event_attr *attr, uint64_t address);
	/*
	 * True where the set `set` of tasks is `of` or a subset of it. (may be NULL: no set
	 * contains another)
	 */
	bool (*set_within)(uint32_t set, uint32_t of);
	/*
	 * Other CPUs, by the numbers of their pmu_current. ncpus() is their number. call() runs
	 * `fn` on a CPU with interrupts off and returns when it has finished; meanwhile it serves
	 * calls of other CPUs. relax() serves such calls, for loops that wait. Task and IRQ. (may
	 * be NULL, all three: there is one CPU)
	 */
	unsigned (*ncpus)(void);
	int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg);
	void (*relax)(void);
};

#define PMU_MAX_CPUS CPUS_MOST

/*
 * pmu_init() - selects the driver by vendor, clears the PMU and makes a test count. Returns 0, or
 * -ENODEV if there are no hardware events; pmu_problem() then has the reason, and software events
 * work. Keeps `caps` and `host`. LVTPC must already deliver the PMI as an NMI to pmu_nmi(). Called
 * once on each CPU at its start-up, with the facts of that CPU. CPU 0 comes first and resets all
 * state; two CPUs must not call it at the same time.
 */
int pmu_init(const struct pmu_caps *caps, const struct pmu_host *host);

/* pmu_stop_all() - disables all counters of this CPU for good, whatever uses them. Any context. */
void pmu_stop_all(void);

/*
 * pmu_problem() - the reason why hardware events are not supported, as one sentence; NULL: they
 * are.
 */
const char *pmu_problem(void);

/* The findings of pmu_init(). Strings are never NULL; `note` may be "". */
#define PMU_PRECISE_MOST 3 /* attr.precise_ip: no skid, and no shadow effect */

struct pmu_info {
	const char *driver;   /* "Intel architectural perfmon", ... */
	const char *uarch;    /* "haswell", ..., "generic" */
	const char *note;     /* e.g. that the CPU's model is unknown */
	uint64_t counters;    /* mask: general from bit 0, fixed from bit 32 */
	uint8_t width;        /* bits of a counter */
	uint64_t select_bits; /* valid bits of an event select */
	uint8_t max_precise;  /* largest attr.precise_ip */
	uint64_t max_period;  /* of one reload; longer sample periods take several reloads */
};
const struct pmu_info *pmu_info(void);

/*
 * Counters that the firmware uses for itself, over all CPUs. pmu_init() takes them over. If the
 * firmware takes one back while an event counts there, that event reads as not counted, and the
 * counter is no longer used.
 */
struct pmu_firmware {
	uint64_t at_start; /* mask: enabled before pmu_init() */
	uint32_t msr;      /* the first register that showed it, and its value */
	uint64_t value;
	uint64_t borrowed; /* mask: taken by the firmware since */
	uint64_t still;    /* mask: left out, as they stand still */
};

/*
 * pmu_firmware() - the present state. Task context.
 * pmu_counter_borrowed_of() - the counter that the firmware took from `e` or from an event
 * inherited from it; -1: none. Task context.
 */
struct pmu_firmware pmu_firmware(void);
int pmu_counter_borrowed_of(const struct pmu_event *e);

/*
 * pmu_counters_recheck() - looks once more for counters that stand still, as a hypervisor may have
 * lost them: those of no event, on all CPUs. They are left out from now on. Returns them as a mask;
 * 0 on a machine without a hypervisor, and under vpmu. Task context.
 */
uint64_t pmu_counters_recheck(void);

#endif
