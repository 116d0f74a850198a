/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - the state of the event core: of each CPU, and of all. Other folders include pmu.h.
 *
 * What may be touched by which code. `pmu`, and all that is declared PERCPU, is of this CPU alone.
 * A context is of the CPU on which it is active, with interrupts off; a task's that is active
 * nowhere, of the holder of its lock (remote.c). What is in it changes there between pmu_pause()
 * and pmu_resume(), when nothing counts. What is listed in it - events, siblings, children, control
 * pages - and pmu_shared, changes within an operation only, so all lists may be walked with the
 * turn, and those of a context by the CPU that has the context. Switches of tasks, time slices and
 * NMIs take no turn: they change what is scheduled, and what is counted, of the contexts that they
 * have.
 *
 * On the CPU: an NMI that comes in while it is paused either serves all that overflowed before
 * pmu_pause() looked, or finds nothing. While counting goes on, an event's `prev`, `count`, `left`
 * and `limit` belong to the handler that serves it (NMI for counters, the timer's interrupt for
 * clocks, #DB for breakpoints); readers in task context only look, and look again. At a limit a
 * handler takes the event out of `used`, `sampling` and `live` of pmu.counters, and sets `hung`;
 * the next pause draws the consequences. pmu.nmi is the NMI handler's.
 *
 * Any CPU may look at hung_up, and at where a context is (pmu_where()); nothing else.
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

/* A register beside the counters, as it was last written. */
struct pmu_register {
	uint64_t value;
	bool known;
};

#define PMU_NEVER UINT64_MAX

/* Frequency and throttling: rate.c. Times as of pmu_time(). */
struct pmu_rate {
	uint64_t max;      /* samples a second that one event may take */
	uint32_t per_tick; /* the same, a tick */
	bool measured;     /* what a sample costs: */
	uint64_t cost;     /* ns; 0: nothing that could be seen */
	uint64_t tick;     /* when frequencies are looked at next; PMU_NEVER: none counts */
	uint64_t deadline; /* what the timer is armed for; PMU_NEVER: it is not */
	uint64_t due;      /* while the timer is served: what it is late enough for */
	uint64_t first;    /* while the deadline is worked out */
	bool ticking;
};

/* Whether what the timer of clock events interrupts gets on: soft/clock.c. Times as of pmu_now().
 */
struct pmu_pace {
	uint64_t due;     /* when the timer should come */
	uint64_t ended;   /* when it was served last; 0: it was not */
	uint64_t took;    /* ns, that */
	uint64_t respite; /* ns from there to the next one, at least */
	uint64_t ip;      /* of what it interrupted then; and its registers */
	struct trap_frame frame;
};

struct pmu_scheduler {
	struct pmu_tick tick;
	bool renamed; /* other events are on the counters than tick.running has */

	/* The timer that ends time slices. */
	uint64_t interval; /* ns */
	uint64_t deadline; /* of the slice that ends first; PMU_NEVER: not armed */
};

/* The hyper-thread beside this one: siblings.c. Set by pmu_init(). */
struct pmu_beside {
	bool hyper_threading; /* general counters are shared with a sibling, which may disturb */
	bool shares;          /* which does matter */
	uint8_t shared_registers; /* mask of those beside the counters that both have as one */
};

/*
 * The counters, and the events on them: core/counter.c changes them while all is paused, but that a
 * handler takes an event out of `used`, `sampling` and `live` at its limit. Sets of counters are
 * masks.
 */
struct pmu_counters {
	struct pmu_place places[PMU_COUNTERS]; /* by counter */
	struct pmu_event *on[PMU_COUNTERS];    /* by counter */
	uint64_t wrote[PMU_COUNTERS];          /* by counter: what its control was set to */
	uint64_t used;                         /* counters with an event that is to count */
	uint64_t sampling;                     /* of `used`, those that overflow with a period */
	uint64_t in_ring_0;                    /* of `used`, those that count in ring 0 */
	uint64_t precise;                      /* counters whose overflows PEBS records */
	uint64_t upper;  /* counters that hold the upper bits of the one below */
	uint64_t beside; /* bits of the master switch that are no counters, but go with them */
	uint64_t live;   /* what NMIs switch on again: `used`, or 0 while paused */
};

/* The NMI handler's own: core/overflow.c, which no other code disturbs. */
struct pmu_nmi_state {
	uint64_t storm_ip;  /* the instruction of ring 0 that the last NMIs interrupted */
	unsigned storm;     /* how many of them in a row */
	uint64_t served_at; /* TSC: NMIs soon after it may be echoes of served PMIs; 0: none was */
	bool echo;          /* the next NMI may be the echo of the last one */
	bool gave_up;       /* a counter, in this NMI */
	bool unusual; /* each: there are no counters, the CPU wants LVTPC unmasked while they are
		       * stopped, metrics count, or: */
	bool freezes; /* core/freeze.c has set the counters */
};

/* Top-down metrics: core/metrics.c. */
struct pmu_metrics {
	unsigned users;  /* metrics that count here */
	uint64_t served; /* overflows */
};

/* Software events, clocks and breakpoints that count now: pmu/soft/ and core/self.c, interrupts
 * off. */
struct pmu_soft {
	struct pmu_event *occurring[PERF_COUNT_SW_MAX]; /* by what they count */
	struct pmu_event *meters;                       /* that could wrap */
	uint64_t refresh_at;      /* by pmu_now(), when these are read next; 0: there are none */
	struct pmu_event *clocks; /* with a period */
	struct pmu_pace pace;     /* of these */
	struct pmu_event *breakpoints[DR_BREAKPOINTS]; /* by debug register */
	unsigned watching; /* debug registers that may be live; at least those that are */
};

/* The last branches: core/branches.c, paused and NMI context. */
struct pmu_branch_state {
	unsigned users; /* events that sample them and have a counter */
	unsigned calls; /* of these, as stacks of calls */
	bool runs;      /* they are recorded */
	bool is_new;    /* what is recorded is of another task, or of before */
	bool was_read;  /* since they were stopped: */
	struct pmu_lbr_records records;
};

struct pmu_core {
	/* What it counts on: pmu_init()'s, constant from then on. */
	const struct pmu_host *host;
	const struct pmu_caps *caps;
	const struct pmu_driver *driver; /* NULL: no hardware events */
	struct pmu_hardware hw;
	const struct uarch *uarch;
	struct pmu_info info;
	uint64_t counter_mask; /* the bits of a counter */
	char problem[REASON_MAX];
	struct pmu_beside sibling;
	unsigned number;             /* of this CPU */
	const struct pmu_unit *unit; /* that samples beside the counters; NULL: none */

	/* What is active here: changed while paused, or with interrupts off. */
	struct pmu_context *cpu; /* its own */
	struct pmu_task *task;   /* that runs, in ring 3 or for it; NULL: none */
	struct pmu_scheduler scheduler;
	struct pmu_rate rate;
	struct pmu_register registers[PMU_EXTRAS];
	struct pmu_counters counters;
	struct pmu_branch_state branches;
	struct pmu_metrics metrics;
	struct pmu_soft soft;
	unsigned ibs_active; /* of the parts of `unit`, those that sample, a bit each */
	bool hung;           /* an event came to its limit, and is still where it was */
	bool paged;          /* a context that is active here has events with a control page */
	uint64_t shapes;     /* of contexts, so far: exchange.c */
	uint64_t now;        /* pmu_time() of the last pause: the one time of a change */
	uint64_t away;       /* ns that all pauses for changes took */

	struct pmu_firmware firmware;
	struct pmu_nmi_state nmi;
	struct pmu_stats stats;
};

extern PERCPU struct pmu_core pmu; /* of this CPU */

/* What a hyper-thread has that its siblings cannot have beside it: siblings.c, with the lock of the
 * first one of the core. */
struct pmu_thread {
	struct lock lock;
	unsigned first, next; /* of the core; a circle */
	struct cpu_place place;
	uint64_t used, corrupted; /* general counters: all, and those with corrupting events */
	struct pmu_extras extras; /* registers that siblings share */
};

/* What all CPUs share. */
struct pmu_shared {
	struct lock turn;        /* of operations: pmu_operation_begin() */
	unsigned ncpus;          /* that went through pmu_init() */
	struct pmu_task *tasks;  /* all */
	struct pmu_context gone; /* events whose task is: they can be read still */
	bool hybrid;             /* not all have the same PMU */
	uint64_t next_id;
};

extern struct pmu_shared pmu_shared;
extern struct pmu_context *pmu_contexts; /* BY_CPU */
extern struct pmu_thread *pmu_threads;

static inline uint64_t pmu_now(void)
{
	return pmu.host->clock_ns();
}

/* pmu_record_time_at() - what a record of `e` says for clock_ns() == `ns`; pmu_record_time(): for
 * now. Any context. */
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
 * pmu_time() - the clock of enabled and running: stands still while counting is paused for a change
 * of schedule. What that takes is in no event's time, as what happens meanwhile is in no event's
 * count.
 */
static inline uint64_t pmu_time(void)
{
	return pmu_now() - pmu.away;
}

/* pmu_limit_hit() - when it came to its limit, or its leader did; 0: neither. Any context. */
static inline uint64_t pmu_limit_hit(const struct pmu_event *e)
{
	return e->limit_hit ? e->limit_hit : e->leader->limit_hit;
}

/* pmu_event_of() - the event that the scheduler knows as `t`. */
static inline struct pmu_event *pmu_event_of(struct pmu_tick_event *t)
{
	return (struct pmu_event *)((uint8_t *)t - offsetof(struct pmu_event, tick));
}

/* pmu_for_each(m, leader) - `m` walks over a group, leader first. */
#define pmu_for_each(m, leader) for (struct pmu_event *m = (leader); m; m = m->next_sibling)

/* pmu_in_set() - does an event of that set of tasks count for the task? Any context. */
static inline bool pmu_in_set(const struct pmu_task *task, uint32_t set)
{
	if (pmu.host->set_within)
		return pmu.host->set_within(task->set, set);
	return task->set == set;
}

#endif
