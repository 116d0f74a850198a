/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core.h - what the files of the event core share. Everybody else includes pmu.h.
 *
 * Who may touch what. `pmu`, and all that is declared PERCPU, is of this CPU alone. A context is of
 * the CPU on which it is active, with interrupts off; of a task's that is active nowhere, of who
 * has its lock (remote.c). What is in it changes there between pmu_pause() and pmu_resume(), when
 * nothing counts. What is listed in it - events, siblings, children, control pages - and
 * pmu_shared, changes within an operation only, so whoever has the turn may walk all lists, and
 * whoever has the context may walk its own. Switches of tasks, time slices and NMIs take no turn:
 * they change what is scheduled, and what is counted, of the contexts that they have.
 *
 * On the CPU: an NMI that comes in while it is paused either serves all that overflowed before
 * pmu_pause() looked, or finds nothing. While counting goes on, an event's `prev`, `count`, `left`
 * and `limit` belong to the handler that serves it (NMI for counters, the timer's interrupt for
 * clocks, #DB for breakpoints); readers in task context only look, and look again. At a limit a
 * handler takes the event out of `used`, `sampling` and `live`, and sets `hung`; the next pause
 * draws the consequences. The fields of storms and echoes are the NMI handler's.
 *
 * Any CPU may look at hung_up, and at where a context is (pmu_where()); nothing else.
 */
#ifndef PMU_CORE_CORE_H
#define PMU_CORE_CORE_H

#include "arch/x86/msr.h"
#include "arch/x86/cpu/trap_frame.h"
#include "lib/percpu.h"
#include "pmu/sched/assign.h"
#include "pmu/api/pmu.h"
#include "pmu/core/slices.h"
#include "pmu/sched/tick.h"
#include "pmu/uarch/uarch.h"
#include "pmu/x86/driver.h"

#include <stddef.h>

/* How a kind of event is counted. */
struct pmu_class {
	bool hardware;
	uint64_t
		fields; /* PERF_SAMPLE_ bits that its samples can have beside those of all events */
	void (*start)(struct pmu_event *e); /* paused; hardware: `place` is set */
	void (*stop)(struct pmu_event *e);  /* paused; `count` is up to date afterwards */
	void (*update)(
		struct pmu_event *e); /* brings `count` up to date; hardware: NMI and paused */
	/* What `count` would be now; changes nothing, for other than it may be about to. Any
	 * context. NULL: `count` is always up to date. */
	uint64_t (*count)(const struct pmu_event *e);
	/* It comes into the lists, and leaves them. Paused. (may be NULL) */
	void (*opened)(struct pmu_event *e);
	void (*closed)(struct pmu_event *e);
};

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

struct pmu_core {
	const struct pmu_host *host;
	const struct pmu_caps *caps;
	const struct pmu_driver *driver; /* NULL: no hardware events */
	struct pmu_hardware hw;
	const struct uarch *uarch;
	struct pmu_info info;
	uint64_t counter_mask; /* the bits of a counter */
	char problem[REASON_MAX];

	bool hyper_threading; /* general counters are shared with a sibling, which may disturb */
	bool shares;          /* which does matter: siblings.c */
	uint8_t shared_registers; /* mask of those beside the counters that both have as one */

	unsigned number;         /* of this CPU */
	struct pmu_context *cpu; /* its own */
	struct pmu_task *task;   /* that runs, in ring 3 or for it; NULL: none */
	struct pmu_scheduler scheduler;
	struct pmu_rate rate;
	struct pmu_register registers[PMU_EXTRAS];
	bool gave_up; /* a counter, in this NMI */
	bool hung;    /* an event came to its limit, and is still where it was */
	struct pmu_place places[PMU_COUNTERS]; /* by counter */
	struct pmu_event *on[PMU_COUNTERS];    /* by counter */
	uint64_t used;                         /* counters with an event that is to count */
	uint64_t sampling;                     /* of `used`, those that overflow with a period */
	uint64_t in_ring_0;                    /* of `used`, those that count in ring 0 */
	uint64_t precise;                      /* counters whose overflows PEBS records */
	uint64_t upper;      /* counters that hold the upper bits of the one below */
	uint64_t shapes;     /* of contexts, so far: exchange.c */
	uint64_t now;        /* pmu_time() of the last pause: the one time of a change */
	uint64_t away;       /* ns that all pauses for changes took */
	uint64_t live;       /* what NMIs switch on again: `used`, or 0 while paused */
	uint64_t storm_ip;   /* the instruction of ring 0 that the last NMIs interrupted */
	unsigned storm;      /* how many of them in a row */
	unsigned ibs_active; /* units of Instruction-Based Sampling that sample, a bit each */
	uint64_t served_at;  /* TSC: NMIs soon after it may be echoes of served PMIs; 0: none was */
	bool echo;           /* the next NMI may be the echo of the last one */
	unsigned watching;   /* debug registers that may be live; at least those that are */

	bool paged; /* a context that is active here has events with a control page */

	/* Software events and breakpoints that count now: pmu/soft/. */
	struct pmu_event *occurring[PERF_COUNT_SW_MAX]; /* by what they count */
	struct pmu_event *meters;                       /* that could wrap */
	uint64_t refresh_at;      /* by pmu_now(), when these are read next; 0: there are none */
	struct pmu_event *clocks; /* with a period */
	struct pmu_pace pace;     /* of these */
	struct pmu_event *breakpoints[DR_BREAKPOINTS]; /* by debug register */

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
	struct lock turn;                      /* of operations: pmu_operation_begin() */
	unsigned ncpus;                        /* that went through pmu_init() */
	struct pmu_context cpus[PMU_MAX_CPUS]; /* by number */
	struct pmu_thread threads[PMU_MAX_CPUS];
	struct pmu_task *tasks;  /* all */
	struct pmu_context gone; /* events whose task is: they can be read still */
	bool hybrid;             /* not all have the same PMU */
	uint64_t next_id;
};

extern struct pmu_shared pmu_shared;

static inline uint64_t pmu_now(void)
{
	return pmu.host->clock_ns();
}

/*
 * pmu_time() - the clock of enabled and running: stands still while counting is paused for a change
 * of schedule. What that takes is in nobody's time, as what happens meanwhile is in nobody's count.
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

void pmu_rate_overflow(struct pmu_event *e); /* rate.c: adjusts its period. NMI, IRQ, paused */

/*
 * pmu_next_period() - `left` came to 0 or below: the next period begins. Several that went by
 * together are one, of that length. So always: what samples had as PERIOD, and this_period - left,
 * add up to the count.
 */
static inline void pmu_next_period(struct pmu_event *e)
{
	e->last_period = e->this_period;
	if (__builtin_expect(e->interval != 0, 0))
		pmu_rate_overflow(e);
	e->this_period = e->period;
	e->left += (int64_t)e->period;
	if (__builtin_expect(e->left <= 0, 0)) {
		e->last_period += e->period - (uint64_t)e->left;
		e->left = (int64_t)e->period;
	}
}

/* pmu_for_each(m, leader) - `m` walks over a group, leader first. */
#define pmu_for_each(m, leader) for (struct pmu_event *m = (leader); m; m = m->next_sibling)

/*
 * remote.c: see there. pmu_operation_begin(), pmu_operation_end() - the turn of one operation, on
 * all CPUs. Task context; pairs, does not nest, and whatever is called within takes no other.
 * pmu_call() - fn(arg) on that CPU, interrupts off; has returned when it does. Not paused.
 * pmu_on_each_cpu() - the same on all CPUs, one after the other.
 * pmu_in_context() - fn(arg) where the context is active, interrupts off, or here with its lock
 * when it is active nowhere. Task and IRQ context, not paused.
 * pmu_change() - there, between pmu_begin_change() and pmu_end_change(), `fn` for one event, and
 * then a new decision where it `schedules`.
 */
void pmu_operation_begin(void);
void pmu_operation_end(void);
unsigned pmu_ncpus(void);
void pmu_call(unsigned cpu, void (*fn)(void *arg), void *arg);
void pmu_on_each_cpu(void (*fn)(void *arg), void *arg);
void pmu_in_context(struct pmu_context *context, void (*fn)(void *arg), void *arg);
void pmu_change(struct pmu_event *e, void (*fn)(struct pmu_event *e), bool schedules);

/* pmu_in_ring() - fn(arg) where records of the event are written, as of now; interrupts off. The
 * same contexts. */
void pmu_in_ring(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/* pmu_where() - the CPU on which it is active now; -1: nowhere. Any context. */
static inline int pmu_where(const struct pmu_context *context)
{
	return __atomic_load_n(&context->cpu, __ATOMIC_ACQUIRE);
}

/* pmu_is_here() - it is active on this CPU, and with interrupts off it stays so. Any context. */
static inline bool pmu_is_here(const struct pmu_context *context)
{
	return pmu_where(context) == (int)pmu.number;
}

/* hardware.c: event select and counters. */
int pmu_hardware_init(struct pmu_event *e, struct reason *why);

/* counter.c */
extern const struct pmu_class pmu_hardware_class;
/*
 * pmu_hardware_update() - brings `count` and `left` up to date. NMI and paused context.
 * pmu_hardware_count() - what `count` would be; changes nothing. Any context.
 */
void pmu_hardware_update(struct pmu_event *e);
void pmu_hardware_reload(struct pmu_event *e); /* and sets the counter anew. The same contexts */
uint64_t pmu_hardware_count(const struct pmu_event *e);

/*
 * precise.c. pmu_precise_init() - `e` may be precise, and its event select then becomes one that
 * can be recorded: EOPNOTSUPP, EINVAL. pmu_precise_finish(): its config is complete.
 * pmu_precise_load(), _start(), _stop() - sets its counter, has it recorded, no more. Paused; the
 * first also in NMI context. pmu_precise_since() - what it counted since its counter stood at
 * `prev`, which is `now` at `now`. Any context.
 * pmu_precise_arrange() - before counting goes on: how many records the CPU may write until the
 * PMI. pmu_precise_serve() - makes samples of the records there are, and returns what of `status`
 * is not theirs. NMI and paused context.
 */
int pmu_precise_init(struct pmu_event *e, uint64_t *select, struct reason *why);
void pmu_precise_finish(struct pmu_event *e);
void pmu_precise_load(struct pmu_event *e);
void pmu_precise_start(struct pmu_event *e);
void pmu_precise_stop(const struct pmu_event *e);
uint64_t pmu_precise_since(const struct pmu_event *e, uint64_t prev, uint64_t now);
void pmu_precise_arrange(void);
uint64_t pmu_precise_serve(uint64_t status, const struct pmu_regs *now);

/*
 * pmu_counters_out() - events leave the counters that they are not to be on any more; `reused` are
 * those that get another event, and need no clearing. pmu_counters_in() - those that are to count
 * and do not yet come on theirs. Paused; nobody is at its limit.
 */
void pmu_counters_out(uint64_t reused);
void pmu_counters_in(const struct pmu_tick *t);

/*
 * schedule.c. Paused, but for pmu_group_check() and pmu_schedule_room().
 *
 * pmu_schedule() decides anew and moves only what has to move. pmu_schedule_out() stops the events
 * of a context, as its time ends. pmu_stop() stops one; it wants to run all the same, unless it
 * came to its limit. pmu_settle(): those that did are off from now on.
 */
void pmu_schedule_init(void);
void pmu_schedule(void);
void pmu_schedule_in(struct pmu_context *context);
void pmu_schedule_out(struct pmu_context *context);
void pmu_stop(struct pmu_event *e);
void pmu_settle(void);
void pmu_schedule_link(struct pmu_event *e); /* `e` is open, and in its lists */
void pmu_schedule_unlink(struct pmu_event *e);
void pmu_schedule_regroup(struct pmu_event *e); /* a sibling became a leader: keeps its counter */
void pmu_schedule_note(struct pmu_event *e);    /* its state or name changed */

void pmu_tfa_init(void); /* tfa.c: at start-up */

/*
 * domain.c: where each CPU is, by number, as far as PMUs outside of the cores go: CPUs share what
 * has the same number. pmu_domain_init() - of this one: at start-up.
 */
struct pmu_domain {
	uint32_t package, l3;
};
extern struct pmu_domain pmu_domains[PMU_MAX_CPUS];
void pmu_domain_init(void);

/*
 * pmu_group_check() - the group of `leader`, with `added` (NULL: none) as one more, fits on an idle
 * PMU. 0, or -EINVAL with the reason.
 */
int pmu_group_check(const struct pmu_event *leader, const struct pmu_event *added,
		    struct reason *why);

/*
 * open.c: `e` is ready but for its place in the lists: puts it there, behind what is there. It
 * takes it out again. Paused, in its context. pmu_context_has_room(): for one more.
 */
void pmu_event_link(struct pmu_event *e, struct pmu_event *leader);
void pmu_event_unlink(struct pmu_event *e);
bool pmu_context_has_room(const struct pmu_context *context);
/* pmu_open_within(), ... - pmu_event_open(), ..., within an operation. */
int pmu_open_within(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		    struct pmu_event *group_leader, unsigned long flags, struct reason *why);
void pmu_enable_within(struct pmu_event *e);
void pmu_disable_within(struct pmu_event *e);
void pmu_close_within(struct pmu_event *e);
void pmu_unpage_within(struct pmu_event *e);
/* pmu_open_beside() - how many events of `class` the new event `e`, whose target is known, finds
 * beside it that may count at the same time and on the same CPU, whichever task runs: for what
 * takes no turns. Task context. */
unsigned pmu_open_beside(const struct pmu_event *e, const struct pmu_class *class);
void pmu_group_move(struct pmu_event *leader, struct pmu_context *to); /* it does not run */

/*
 * control.c. Between these two nothing counts and nothing interrupts but NMIs that find nothing;
 * all that changes meanwhile changes at pmu.now.
 */
uint64_t pmu_begin_change(void);
void pmu_end_change(uint64_t irq);
void pmu_set_enabled(struct pmu_event *e); /* does not schedule. Paused */

/* task.c: pmu_is_asleep() - the group counts with other tasks, or on other CPUs. In its context.
 * pmu_event_disown() - an inherited event goes, what it counted is its ancestor's. Within an
 * operation. */
bool pmu_is_asleep(const struct pmu_event *leader);
void pmu_event_disown(struct pmu_event *e);

/*
 * siblings.c: pmu_siblings_init() - at start-up, once pmu.hyper_threading is known. The others
 * where pmu.shares is set: pmu_siblings_tick() - pmu_tick(), beside what the siblings have.
 * pmu_siblings_stopped(): some that counted do not any more. Paused, both.
 */
void pmu_siblings_init(void);
void pmu_siblings_tick(struct pmu_tick *t);
void pmu_siblings_stopped(void);

/* exchange.c: pmu_exchange() - the events of `to` take the places of those of `from`, which runs.
 * False: they are not alike, and nothing was done. Paused. */
bool pmu_exchange(struct pmu_context *from, struct pmu_context *to);

/* mux.c: arms the timer for the slice that ends first, and calls it off when none does. Paused. */
void pmu_mux_update(void);
void pmu_mux_suspend(struct pmu_context *task); /* the rest of its slice is for later */

/*
 * page.c: pmu_pages_changed() - after whatever changed events that run here. pmu_pages_moved(): in
 * an NMI, which changes no times. pmu_pages_update() - those of a context that is in nobody's way.
 * pmu_page_list(), pmu_page_unlist() - `e` has a page, and a place in its context's list.
 */
void pmu_pages_changed(void);
void pmu_pages_moved(void);
void pmu_pages_update(const struct pmu_context *context);
void pmu_page_list(struct pmu_event *e);
void pmu_page_unlist(struct pmu_event *e);

bool pmu_time_goes_on(const struct pmu_event *e); /* time_enabled does */

/* times.c. pmu_times_at() - what they would be; changes nothing. Any context. */
struct pmu_times {
	uint64_t enabled, running; /* ns */
};
struct pmu_times pmu_times_at(const struct pmu_event *e, uint64_t now);
void pmu_times_update(struct pmu_event *e, uint64_t now);
void pmu_group_times_update(struct pmu_event *leader); /* to pmu.now */
void pmu_context_start_time(struct pmu_context *context, uint64_t now);
void pmu_context_update_time(struct pmu_context *context, uint64_t now);

/*
 * read.c: the values of PERF_SAMPLE_READ and PERF_RECORD_READ, in the layout of attr.read_format.
 * pmu_read_size() - their bytes. pmu_put_read() - writes them, without what is inherited and still
 * there. Any context.
 */
size_t pmu_read_size(const struct pmu_event *e);
void pmu_put_read(struct rb_writer *w, struct pmu_event *e);
/*
 * pmu_sum_up() - the values of the events of a group, with all that was inherited from them, each
 * as of one moment of its CPU, into their `sum`. pmu_put_sums() - writes these as pmu_put_read()
 * does. pmu_books_add() - adds up. Within an operation.
 */
void pmu_sum_up(struct pmu_event *leader);
void pmu_put_sums(struct rb_writer *w, struct pmu_event *e);
void pmu_books_add(struct pmu_books *sum, const struct pmu_books *books);

/* overflow.c: the master switch. Task and IRQ context; pairs, does not nest. pmu_pause_at():
 * `regs` for samples whose overflow is found on the way. */
void pmu_pause(void);
void pmu_pause_at(const struct pmu_regs *regs);
void pmu_resume(void);
/* pmu_overflow() - `e` reached its period: books, limit, sample. `data` (NULL: nothing) is what the
 * event's kind knows of it beside `regs`. NMI, IRQ and paused task context.
 */
void pmu_overflow(struct pmu_event *e, const struct pmu_regs *regs,
		  const struct pmu_sample_data *data);

/* sample.c */
enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data);
void pmu_output_init(struct pmu_event *e);
void pmu_output_plan(struct pmu_event *e); /* its ring or limit changed */
bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb); /* NULL always does */

/* redirect.c: `to` is open; the records of `e` may go where those of `to` go. */
int pmu_check_output(const struct pmu_event *to, struct reason *why);
int pmu_check_redirect(const struct pmu_event *e, const struct pmu_event *to, struct reason *why);

/*
 * attr.c: pmu_copy_attr() - into the size that we know, or -E2BIG. pmu_check_attr() - what in
 * `attr` is invalid, whatever the event: -EINVAL. pmu_check_support() - what in it is not done
 * here.
 */
int pmu_copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		  struct reason *why);
int pmu_check_attr(const struct perf_event_attr *attr, struct reason *why);
int pmu_check_support(const struct perf_event_attr *attr, struct reason *why);

/*
 * fields.c: pmu_fields_of() - the PERF_SAMPLE_ bits that samples of `e` know, once its kind is
 * known. pmu_check_fields() - 0, or why one of those that attr.sample_type wants cannot be there:
 * EOPNOTSUPP, EOVERFLOW. pmu_check_sample_type() - pmu_check_attr()'s part. Task context.
 */
uint64_t pmu_fields_of(const struct pmu_event *e);
int pmu_check_fields(const struct pmu_event *e, struct reason *why);
int pmu_check_sample_type(const struct perf_event_attr *attr, struct reason *why);

#endif
