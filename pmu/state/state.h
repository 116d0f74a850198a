/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - the state of the event core: of each CPU, and shared. Other folders include pmu.h.
 *
 * Access rules. `pmu`, and all that is declared PERCPU, belongs to this CPU alone. A context
 * belongs to the CPU on which it is active, with interrupts off. A task's context that is active
 * nowhere belongs to the holder of its lock (remote.c). Its content changes there between
 * pmu_pause() and pmu_resume(), when nothing counts. Its lists - events, siblings, children,
 * control pages - and pmu_shared change only within an operation. So the holder of the turn may
 * walk all lists, and the CPU that has a context may walk those of the context. Task switches, time
 * slices and NMIs take no turn: they change the schedule and the counts of the contexts that they
 * have.
 *
 * On the CPU: an NMI during a pause either serves all that overflowed before pmu_pause() looked, or
 * finds nothing. While counting continues, an event's `prev`, `count`, `left` and `limit` belong to
 * the handler that serves it (NMI for counters, the timer's interrupt for clocks, #DB for
 * breakpoints). Readers in task context only look, and look again. At a limit a handler removes the
 * event from `used`, `sampling` and `live` of pmu.counters, and sets `hung`; the next pause does
 * the rest. pmu.nmi belongs to the NMI handler.
 *
 * Any CPU may read hung_up, and the CPU of a context (pmu_where()); nothing else.
 */
#ifndef PMU_STATE_STATE_H
#define PMU_STATE_STATE_H

#include "arch/x86/msr.h"
#include "arch/x86/cpu/trap_frame.h"
#include "lib/percpu.h"
#include "pmu/sched/assign.h"
#include "pmu/api/pmu.h"
#include "pmu/state/class.h"
#include "pmu/sched/tick.h"
#include "pmu/uarch/uarch.h"
#include "pmu/driver/driver.h"

#include <stddef.h>

/* The last value written to a register beside the counters. */
struct pmu_register {
	uint64_t value;
	bool known;
};

#define PMU_NEVER UINT64_MAX

/* Frequency and throttling: rate.c. Times are in pmu_time(). */
struct pmu_rate {
	uint64_t max;      /* largest number of samples a second of one event */
	uint32_t per_tick; /* the same per tick */
	bool measured;     /* the cost of a sample has been measured */
	uint64_t cost;     /* ns; 0: too small to measure */
	uint64_t tick;     /* next adjustment of frequencies; PMU_NEVER: no such event counts */
	uint64_t deadline; /* the timer's expiry; PMU_NEVER: not armed */
	uint64_t due;      /* while the timer is served: events due up to here are served */
	uint64_t first;    /* scratch: the earliest deadline */
	bool ticking;
};

/*
 * The progress of code that the timer of clock events interrupts: soft/soft_clock.c. Times are in
 * pmu_now().
 */
struct pmu_pace {
	uint64_t due;     /* expected time of the timer */
	uint64_t ended;   /* end of the last service; 0: none yet */
	uint64_t took;    /* ns that it took */
	uint64_t respite; /* least ns from there to the next one */
	uint64_t ip;      /* the code that it interrupted; and its registers */
	struct trap_frame frame;
};

/* The time from one turn of equal groups to the next one: slices.h. */
struct pmu_span {
	uint64_t series;  /* number of spans in a row without a decision in between */
	uint64_t began;   /* the begin of the present span, in pmu_time() */
	uint64_t ns;      /* the length of the last span */
	uint64_t inverse; /* 2^64 / ns */
	uint64_t weight;  /* of the change from the span before to the last one */
};

struct pmu_scheduler {
	struct pmu_tick tick;
	struct pmu_span span;
	bool renamed; /* other events are on the counters than in tick.running */

	/* The timer of time slices. */
	uint64_t interval; /* ns */
	uint64_t deadline; /* end of the slice that ends first; PMU_NEVER: not armed */
};

/* The other hyper-thread of the core: siblings.c. Set by pmu_init(). */
struct pmu_beside {
	bool hyper_threading; /* general counters are shared with a sibling, which may interfere */
	bool shares;          /* the interference matters */
	uint8_t shared_registers; /* mask of the registers beside the counters that both threads
				     share */
};

/*
 * The counters, and the events on them. core/counter.c changes them while paused. A handler removes
 * an event from `used`, `sampling` and `live` at its limit. Sets of counters are masks.
 */
struct pmu_counters {
	struct pmu_place places[PMU_COUNTERS]; /* by counter */
	struct pmu_event *on[PMU_COUNTERS];    /* by counter */
	uint64_t wrote[PMU_COUNTERS];          /* by counter: last value of its control register */
	uint64_t used;                         /* counters with an event that must count */
	uint64_t sampling;                     /* of `used`: those that overflow at a period */
	uint64_t in_ring_0;                    /* of `used`: those that count in ring 0 */
	uint64_t precise;                      /* counters whose overflows PEBS records */
	uint64_t upper;  /* counters that hold the upper bits of the one below */
	uint64_t beside; /* bits of the master switch for other things than counters */
	uint64_t live;   /* bits that NMIs enable again; 0 while paused */
};

/* The registers of a driver that is `quick`, for core/master.h; 0: another driver, or none. */
struct pmu_quick {
	uint32_t master, status, ack;
};

/* State of the NMI handler: core/overflow.c, undisturbed by other code. */
struct pmu_nmi_state {
	uint64_t storm_ip;  /* the instruction of ring 0 that the last NMIs interrupted */
	unsigned storm;     /* number of such NMIs in a row */
	uint64_t served_at; /* TSC: NMIs soon after it may be echoes of served PMIs; 0: none was
			       served */
	bool echo;          /* the next NMI may be an echo of the last one */
	bool gave_up;       /* an event gave up its counter in this NMI */
	uint64_t unusual;   /* not 0: there are no counters, or the CPU needs LVTPC unmasked while
			       they are   stopped, or metrics count, or `freezes` */
	bool freezes;       /* core/freeze.c has set the counters */
};

/* Top-down metrics: core/topdown.c. */
struct pmu_metrics {
	unsigned users;  /* number of metrics that count here */
	uint64_t served; /* number of served overflows */
};

/*
 * Software events, clocks and breakpoints that count now: soft/, core/occur.c and x86/meter.c,
 * interrupts off.
 */
struct pmu_soft {
	struct pmu_event *meters; /* meters that could wrap */
	uint64_t refresh_at;      /* time of their next reading, in pmu_now(); 0: there are none */
	struct pmu_event *clocks; /* clock events with a period */
	struct pmu_pace pace;     /* for these */
	struct pmu_event *breakpoints[DR_BREAKPOINTS]; /* by debug register */
	unsigned watching; /* debug registers that may be enabled: at least those that are */
};

/* The last branches: core/branches.c, paused and NMI context. */
struct pmu_branch_state {
	uint64_t users; /* events on counters that sample branches */
	unsigned calls; /* those that sample call stacks */
	uint64_t runs;  /* not 0: recording is on */
	bool is_new;    /* the records are those of another task or time */
	bool was_read;  /* the records were read since the stop */
	struct pmu_lbr_records records;
};

struct pmu_core {
	/* The environment, set by pmu_init() and constant since. */
	const struct pmu_host *host;
	const struct pmu_caps *caps;
	const struct pmu_driver *driver; /* NULL: no hardware events */
	struct pmu_quick quick;
	struct pmu_hardware hw;
	const struct uarch *uarch;
	struct pmu_info info;
	uint64_t counter_mask; /* mask of a counter's bits */
	char problem[REASON_MAX];
	struct pmu_beside sibling;
	unsigned number;             /* number of this CPU */
	const struct pmu_unit *unit; /* samples beside the counters; NULL: none */

	/* The active state: changed while paused, or with interrupts off. */
	struct pmu_context *cpu; /* the CPU's context */
	struct pmu_task *task;   /* the running task, in ring 3 or in a system call; NULL: none */
	struct pmu_scheduler scheduler;
	struct pmu_rate rate;
	struct pmu_register registers[PMU_EXTRAS];
	struct pmu_counters counters;
	struct pmu_branch_state branches;
	struct pmu_metrics metrics;
	struct pmu_soft soft;
	uint64_t ibs_active; /* mask of the parts of `unit` that sample */
	uint64_t busy;       /* not 0: some events do more than count, so a pause has more to do */
	uint64_t hung;       /* not 0: an event is at its limit and has not been removed yet */
	uint64_t paged;      /* not 0: an active context has events with a control page */
	uint64_t shapes;     /* number of shapes of contexts so far: exchange.c */
	uint64_t now;        /* pmu_time() of the last pause: the time of all changes in it */
	uint64_t away;       /* ns spent in all pauses for changes */

	struct pmu_firmware firmware;
	struct pmu_nmi_state nmi;
	struct pmu_stats stats;
};

extern PERCPU struct pmu_core pmu; /* of this CPU */

/*
 * The resources of a hyper-thread that its siblings cannot use at the same time: siblings.c, under
 * the lock of the core's first thread.
 */
struct pmu_thread {
	struct lock lock;
	unsigned first, next; /* first thread of the core; next one, circular */
	struct cpu_place place;
	uint64_t used, corrupted; /* general counters in use; those with corrupting events */
	struct pmu_extras extras; /* registers that siblings share */
};

/* State shared by all CPUs. */
struct pmu_shared {
	struct lock turn;        /* see pmu_operation_begin() */
	unsigned ncpus;          /* CPUs that have called pmu_init() */
	struct pmu_task *tasks;  /* list of all tasks */
	struct pmu_context gone; /* events of ended tasks, which can still be read */
	bool hybrid;             /* CPUs have different PMUs */
	uint64_t next_id;
};

extern struct pmu_shared pmu_shared;
extern struct pmu_context *pmu_contexts; /* BY_CPU */
extern struct pmu_thread *pmu_threads;

static inline uint64_t pmu_now(void)
{
	return pmu.host->clock_ns();
}

/*
 * pmu_record_time_at() - the time in records of `e` for clock_ns() == `ns`; pmu_record_time() - for
 * now. Any context.
 */
static inline uint64_t pmu_record_time_at(const struct pmu_event *e, uint64_t ns)
{
	return e->attr.use_clockid && pmu.host->program_clock
		       ? pmu.host->program_clock(e->attr.clockid, ns)
		       : ns;
}

static inline uint64_t pmu_record_time(const struct pmu_event *e)
{
	return pmu_record_time_at(e, pmu_now());
}

/*
 * pmu_time() - the clock of enabled and running times. It stands still while counting is paused for
 * a change of schedule: events count nothing in that time, so it belongs to no event.
 */
static inline uint64_t pmu_time(void)
{
	return pmu_now() - pmu.away;
}

/*
 * pmu_limit_hit() - the time at which the event or its leader reached its limit; 0: neither did.
 * Any context.
 */
static inline uint64_t pmu_limit_hit(const struct pmu_event *e)
{
	return e->limit_hit ? e->limit_hit : e->leader->limit_hit;
}

/* pmu_event_of() - the event of the scheduler's `t`. */
static inline struct pmu_event *pmu_event_of(struct pmu_tick_event *t)
{
	return (struct pmu_event *)((uint8_t *)t - offsetof(struct pmu_event, tick));
}

/* pmu_context_of() - the context whose groups the scheduler has in `t`. */
static inline struct pmu_context *pmu_context_of(struct pmu_tick_context *t)
{
	return (struct pmu_context *)((uint8_t *)t - offsetof(struct pmu_context, tick));
}

/* pmu_for_each(m, leader) - iterates `m` over a group, leader first. */
#define pmu_for_each(m, leader) for (struct pmu_event *m = (leader); m; m = m->next_sibling)

/* pmu_in_set() - true where an event of that set of tasks counts for the task. Any context. */
static inline bool pmu_in_set(const struct pmu_task *task, uint32_t set)
{
	if (pmu.host->set_within)
		return pmu.host->set_within(task->set, set);
	return task->set == set;
}

#endif
