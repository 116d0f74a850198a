/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h - the event core: perf_event_open(2) without a kernel around it.
 *
 * Rules of use: pmu_init() first. Storage of events and rings is the caller's; nothing is
 * allocated. Everything but pmu_nmi(), pmu_debug(), pmu_timer() and pmu_mux_timer() is for task
 * context, and may be interrupted by the first at any instruction, by the others where interrupts
 * are on. Errors are negative errno values with the meaning they have in perf_event_open(2); a
 * refusal also fills in `why` (which may be NULL) with one sentence.
 *
 * Events of the task count between pmu_task_sched_in() and pmu_task_sched_out() only; the core
 * starts them with the last instruction of the one, and stops them with the first MSR write of the
 * other. Events of the CPU count whenever they are enabled.
 */
#ifndef PMU_API_PMU_H
#define PMU_API_PMU_H

#include "arch/x86/portable/cpuid.h"
#include "lib/classify.h"
#include "pmu/api/event.h"
#include "rb/rb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_filter;
struct trace_hit;
struct trap_frame;

/* The interrupted code, as overflow handlers see it. */
struct pmu_regs {
	uint64_t ip;
	bool user;                      /* ring 3 */
	const struct trap_frame *frame; /* all of it; NULL: there is no more */
};

/* The raw payload of a sample (PERF_SAMPLE_RAW), without its size word. */
struct pmu_raw {
	const void *data;
	uint32_t size; /* bytes */
};

/* Branches for PERF_SAMPLE_BRANCH_STACK, newest first. */
struct pmu_branches {
	uint64_t n;
	uint64_t hw_idx; /* of the newest one; -1: not known */
	const struct perf_branch_entry *entry;
};

/*
 * What the kind of an event knows of one overflow beside the registers: precise hardware, a
 * tracepoint, a breakpoint. Of the members, those count whose PERF_SAMPLE_ bit is in `fields`;
 * where a sample wants another one it is 0, or taken from the moment at which it is written.
 */
struct pmu_sample_data {
	uint64_t fields;
	bool exact_ip;                       /* PERF_RECORD_MISC_EXACT_IP */
	uint64_t addr;                       /* PERF_SAMPLE_ADDR */
	uint64_t phys_addr;                  /* PERF_SAMPLE_PHYS_ADDR */
	uint64_t time;                       /* PERF_SAMPLE_TIME, ns as of clock_ns() */
	union perf_sample_weight weight;     /* PERF_SAMPLE_WEIGHT and _WEIGHT_STRUCT */
	union perf_mem_data_src data_src;    /* PERF_SAMPLE_DATA_SRC */
	uint64_t transaction;                /* PERF_SAMPLE_TRANSACTION */
	const struct pmu_raw *raw;           /* PERF_SAMPLE_RAW */
	const struct pmu_branches *branches; /* PERF_SAMPLE_BRANCH_STACK */
};

/* Who runs now, as records have it. What stands here changes with interrupts off only. */
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
	 * be NULL: who does not fit at once waits for as long as nothing else changes) */
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
	 * Who called: return addresses, innermost first, up to `most` into `to`; returns how many.
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
	 * Other CPUs, by the numbers of their pmu_current. ncpus(): how many there are. call():
	 * `fn` runs on that one with interrupts off, and has returned when it does; serves what
	 * others want of this CPU while it waits. relax(): serves that; for loops that wait. Task
	 * and IRQ. (may be NULL, all three: there is one CPU)
	 */
	unsigned (*ncpus)(void);
	int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg);
	void (*relax)(void);
};

#define PMU_MAX_CPUS 256

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
struct pmu_info {
	const char *driver;  /* "Intel architectural perfmon", ... */
	const char *uarch;   /* "haswell", ..., "generic" */
	const char *note;    /* e.g. that the CPU's model is not known */
	uint64_t counters;   /* mask: general from bit 0, fixed from bit 32 */
	uint8_t width;       /* bits of a counter */
	uint64_t max_period; /* of one reload; longer sample periods are made of several */
};
const struct pmu_info *pmu_info(void);

#define PMU_MAX_EVENTS 255 /* that can be open for one task, and for one CPU */

/*
 * A task: something that runs in ring 3, with the events that count while it does. The storage is
 * the caller's; the members are the event core's.
 */
struct pmu_task {
	struct pmu_context context;
	uint32_t pid, tid;
	uint32_t parent_pid, parent_tid; /* 0: it has none */
	uint32_t set;                    /* of tasks that events of a CPU can be for; 0: none */
	struct pmu_task *next;
};

/*
 * pmu_task_init() - the core knows it from now on, by `tid`, which no other task has. It does not
 * run. With a `parent` (NULL: none) it inherits the parent's set and its events with attr.inherit,
 * group by group: each gets an event of its own, which counts for the one that was opened.
 * -EMFILE: no room for all of them; none is inherited then, the task is known all the same.
 * pmu_task_exit() - the task is gone: its events that were opened count no more, but can be read,
 * and what those that were inherited counted is part of their ancestors' counts. It must not run.
 * Task context, both.
 */
int pmu_task_init(struct pmu_task *task, uint32_t pid, uint32_t tid, struct pmu_task *parent);
void pmu_task_exit(struct pmu_task *task);

/*
 * pmu_task_find() - the task `tid`; 0: the one that runs. NULL: there is none. Task context, while
 * no other one begins or ends. pmu_task_pid() - of which process it is; 0: there is none. Also
 * while others begin and end. Task context.
 */
struct pmu_task *pmu_task_find(int tid);
uint32_t pmu_task_pid(int tid);

/*
 * pmu_task_move() - into another set of tasks, as a process moves into another cgroup; when it
 * runs, schedules. Any number of sets exists; 0 is no set.
 */
void pmu_task_move(struct pmu_task *task, uint32_t set);

/*
 * pmu_event_open() - as perf_event_open(2). The targets:
 *
 *      task      cpu
 *      0         -1     the task that runs, on any CPU
 *      0         n      the task that runs, while it is on CPU n
 *      tid       -1, n  that task, likewise
 *      -1        n      CPU n, whatever it runs
 *      -1        -1     EINVAL
 *      set       n      with PERF_FLAG_PID_CGROUP: CPU n, while it runs a task of that set
 *
 * `group_leader` NULL: a group of its own. `flags`: with PERF_FLAG_FD_OUTPUT its records go where
 * the leader's go; with PERF_FLAG_FD_NO_GROUP that is all the leader is for, and the group is its
 * own; PERF_FLAG_FD_CLOEXEC means nothing here. `attr` is copied. Siblings follow their leader in
 * being pinned or exclusive; those that are opened disabled need not fit into the group.
 *
 * Errors: EMFILE (PMU_MAX_EVENTS), ENOSPC (a fifth breakpoint), EINVAL (no counter for it, or none
 * left in its group; contradictions in `attr`; neither task nor cpu; no such CPU), ENOENT (this CPU
 * or runtime has no such event), EOPNOTSUPP (not possible here), E2BIG (attr.size), ESRCH. Fields
 * of samples that the event cannot give are zeros, as on Linux: pmu_event_missing().
 */
int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct reason *why);

/*
 * pmu_event_check() - what of pmu_event_open()'s arguments means nothing on any machine, whoever
 * asks: EINVAL, E2BIG. For those who have a say in what may be opened, and come after that. Task
 * context.
 */
int pmu_event_check(const struct perf_event_attr *attr, int task, int cpu, unsigned long flags,
		    struct reason *why);

/* pmu_event_missing() - the PERF_SAMPLE_ bits that its samples have, but not from the event: 0 is
 * in their place, or what says itself that it is not available. Task context. */
uint64_t pmu_event_missing(const struct pmu_event *e);

/* pmu_event_close() - stops and forgets it, and what was inherited from it; as with disabling, that
 * alone does not schedule. Siblings of a closed leader become groups of one. */
void pmu_event_close(struct pmu_event *e);

/*
 * Operations on an event do the same to all that was inherited from it, and its values include
 * theirs.
 *
 * pmu_event_enable(), pmu_event_disable() - this event alone; enabling schedules, also after an
 * error. Disabling does not: the counter is free from then on, but who waits for it goes on waiting
 * until something else schedules. Nor does it end an error.
 */
void pmu_event_enable(struct pmu_event *e);
void pmu_event_disable(struct pmu_event *e);

/*
 * pmu_event_modify_attributes() - as PERF_EVENT_IOC_MODIFY_ATTRIBUTES: another address, type or
 * length for a breakpoint. It is enabled afterwards, which schedules, unless attr.disabled is set;
 * its count goes on. Errors, which change nothing: EINVAL (another type, other differences, not
 * possible with debug registers), EOPNOTSUPP (no breakpoint; not to be watched), E2BIG.
 */
int pmu_event_modify_attributes(struct pmu_event *e, const struct perf_event_attr *attr,
				struct reason *why);

/* pmu_event_reset() - its count becomes 0; times go on. */
void pmu_event_reset(struct pmu_event *e);

/* pmu_group_enable(), ... - the same for each event of the group that `e` is in, in one moment. */
void pmu_group_enable(struct pmu_event *e);
void pmu_group_disable(struct pmu_event *e);
void pmu_group_reset(struct pmu_event *e);

/* pmu_task_enable_all(), pmu_task_disable_all() - each event of the task, as prctl(2)'s
 * PR_TASK_PERF_EVENTS_ENABLE and _DISABLE. */
void pmu_task_enable_all(struct pmu_task *task);
void pmu_task_disable_all(struct pmu_task *task);

/* pmu_event_refresh() - `n` more overflows, then it disables itself; enables. -EINVAL: not
 * sampling. */
int pmu_event_refresh(struct pmu_event *e, uint64_t n);

/*
 * pmu_event_hung_up() - it came to its limit, or was stopped for good because its samples left the
 * code under it no time, and was not enabled since: what poll(2) has POLLHUP for. Any context.
 */
static inline bool pmu_event_hung_up(const struct pmu_event *e)
{
	return __atomic_load_n(&e->hung_up, __ATOMIC_RELAXED);
}

/*
 * pmu_event_set_period() - from now on; for an event with attr.freq, the frequency. -EINVAL: 0,
 * above 2^63 - 1 or the largest sample rate, or the event was not sampling.
 */
int pmu_event_set_period(struct pmu_event *e, uint64_t period);

/*
 * pmu_event_set_output() - its records go into `rb`, which several events of one CPU may share;
 * NULL: nowhere. -EINVAL: a ring too small for one record, or written in the other direction than
 * attr.write_backward says; attr.inherit and no CPU, where there are several.
 *
 * pmu_event_redirect() - as PERF_EVENT_IOC_SET_OUTPUT: where those of `to` go. -EINVAL, beside
 * that: `to` is closed, `e` itself, of another CPU or, both being of none, of another task.
 */
int pmu_event_set_output(struct pmu_event *e, struct rb *rb);
int pmu_event_redirect(struct pmu_event *e, const struct pmu_event *to, struct reason *why);

/* pmu_event_pause_output() - as PERF_EVENT_IOC_PAUSE_OUTPUT: rb_pause(), on the CPU that writes
 * there. -EINVAL: it has no ring. */
int pmu_event_pause_output(struct pmu_event *e, bool paused);

/*
 * pmu_event_set_filter() - as PERF_EVENT_IOC_SET_FILTER: from now on only hits count that `filter`
 * (filter.h) lets through; NULL: all. It must stay. EINVAL: no tracepoint, or not this one.
 */
int pmu_event_set_filter(struct pmu_event *e, const struct pmu_filter *filter, struct reason *why);

/*
 * pmu_event_set_page() - keeps the control page `page` up to date from now on, as for mmap(2) of an
 * event: lock, index, offset, times, what can be done with them, and how. It may be that of a ring,
 * whose own fields are left alone. Reading it: include/perf0/selfread.h. NULL: no more; closing the
 * event does that, too. -EINVAL: attr.inherit, for a page has the count of one task only.
 */
int pmu_event_set_page(struct pmu_event *e, struct perf_event_mmap_page *page);

/*
 * pmu_event_read() - the values at this moment; stops nothing. Returns 0, or -ENODATA for a pinned
 * event in the error state, whose values mean nothing.
 */
int pmu_event_read(struct pmu_event *e, struct pmu_value *value);

/*
 * pmu_event_read_format() - what read(2) would give for attr.read_format, into `size` bytes at
 * `buffer`: one value, or with PERF_FORMAT_GROUP those of the whole group, leader first, as of one
 * moment of ring 0. Returns the number of bytes; 0 for an event in the error state; -ENOSPC when
 * there is no room for all.
 */
int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size);

/* pmu_event_read_count() - the same for an event whose read_format asks for its count alone, in few
 * instructions. False: it cannot be had so; *count is not changed. Interrupts off. */
bool pmu_event_read_count(const struct pmu_event *e, uint64_t *count);

/* pmu_event_read_of_task() - what of it the task that runs here counted by itself, without its
 * children. False: nothing, the event is for others. Interrupts off. */
bool pmu_event_read_of_task(const struct pmu_event *e, struct pmu_value *value);

#define PMU_ERROR_UNKNOWN UINT32_MAX

/*
 * pmu_event_error() - how far the scaled count may be off: half of the 95 % confidence interval, in
 * 1/100 of a percent of the count, from how much the slices differ in which the event counted. 0:
 * it counted all the time. PMU_ERROR_UNKNOWN: less than two slices, or counts from 2^48 on. Once
 * the task does not run.
 */
uint32_t pmu_event_error(const struct pmu_event *e);

/*
 * pmu_event_books() - its books, and those of all that was inherited from it, also of what is gone.
 * Task context.
 */
struct pmu_books pmu_event_books(const struct pmu_event *e);

/* pmu_event_set_name() - what sentences about it call it; kept, not copied. Task context. */
void pmu_event_set_name(struct pmu_event *e, const char *name);

/* pmu_event_id() - what its records carry as ID and IDENTIFIER; never 0, never reused. */
static inline uint64_t pmu_event_id(const struct pmu_event *e)
{
	return e->id;
}

/* pmu_event_counters() - the counters that can count it, as a mask; 0 for software events. */
uint64_t pmu_event_counters(const struct pmu_event *e);

/* pmu_task_exec() - a new program starts: enables events with enable_on_exec, once for each event.
 */
void pmu_task_exec(struct pmu_task *task);

/*
 * pmu_task_sched_in(), pmu_task_sched_out() - right before ring 3 is entered, first after it was
 * left. The latter is for the task that runs; where none does it does nothing, so that a task may
 * end in its sleep. Schedules when events of the task's set fall asleep with it.
 *
 * pmu_task_switch() - both at once, from the task that runs (if any) to `next` (NULL: to none), and
 * cheaper: what the two have alike stays as it is. `preempted`: the one that ran would have gone
 * on; its SWITCH record says so. A task that comes from another CPU has one migration more.
 *
 * A task runs on one CPU at a time: when it is to come here, it must have been switched out where
 * it ran. On that CPU it may be anybody's again as soon as its switch has returned. Ring 0, of this
 * CPU; interrupts on or off.
 */
void pmu_task_sched_in(struct pmu_task *task);
void pmu_task_sched_out(void);
void pmu_task_switch(struct pmu_task *next, bool preempted);

/*
 * pmu_output_comm() - a COMM record into each ring with an event of the task that asks for it
 * (attr.comm). `exec` sets PERF_RECORD_MISC_COMM_EXEC.
 */
void pmu_output_comm(const struct pmu_task *task, const char *comm, bool exec);

#define PMU_MAX_FILENAME 256 /* longer ones are cut */

#define PMU_PROT_READ  1 /* as PROT_READ and so on of mmap(2) */
#define PMU_PROT_WRITE 2
#define PMU_PROT_EXEC  4

struct pmu_mmap {
	const struct pmu_task *task;
	uint32_t prot;             /* PMU_PROT_ bits */
	uint64_t addr, len, pgoff; /* bytes */
	const uint8_t *build_id;   /* NULL: the record has device and inode 0 instead */
	size_t build_id_size;      /* up to 20 */
	const char *filename;
};

/* pmu_output_mmap2() - a mapping, as MMAP or MMAP2 into each ring with an event that asks:
 * attr.mmap or mmap2 for code, attr.mmap_data for all else. */
void pmu_output_mmap2(const struct pmu_mmap *map);

/*
 * pmu_output_exit() - the program that `task` ran has ended: a READ record for each of its events
 * with attr.inherit_stat, and an EXIT record into each ring with an event that follows tasks.
 * pmu_task_exit() does it by itself. Task context.
 */
void pmu_output_exit(const struct pmu_task *task);

/*
 * pmu_output_lost() - after a drain: what `e`'s ring and `e` lost since the last time, as a LOST
 * and a LOST_SAMPLES record. False: there was no room for them, drain and call again.
 */
bool pmu_output_lost(struct pmu_event *e);

/*
 * pmu_output_aux_rest() - after a drain: what AUX records did not tell yet for want of room. False:
 * there is none still, drain and call again.
 */
bool pmu_output_aux_rest(struct pmu_event *e);

/*
 * pmu_event_between_aux() - ends what `e`, or who inherited it, writes to the AUX area of its ring,
 * calls `fn` where that is written, interrupts off and paused, and lets it go on. The last AUX
 * record tells of all that `fn` finds in the area. False, without calling `fn`: there is no area,
 * or no room in the ring for that record. As an operation on the event.
 */
bool pmu_event_between_aux(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/*
 * pmu_nmi() - serves every counter that overflowed. NMI context, PMU as the interrupted code left
 * it. False: the NMI is not ours.
 */
bool pmu_nmi(const struct pmu_regs *regs);

/*
 * pmu_debug() - a #DB, with DR6 as it left it: counts the breakpoints that it reports. Its handler,
 * interrupts off, on whatever stack; touches no memory of ring 3, which may be watched.
 */
enum pmu_debug {
	PMU_DEBUG_FOREIGN, /* the #DB has another cause, too: DR6 still tells it */
	PMU_DEBUG_DONE,
	PMU_DEBUG_RESUME, /* go on with RFLAGS.RF set: the instruction has not been executed yet */
};
enum pmu_debug pmu_debug(const struct pmu_regs *regs);

/* What ring 3 did, as told to pmu_step(). */
struct pmu_step {
	/*
	 * True: the instruction at `from` was executed, and the next one is at `to`; for one of
	 * INSN_ENTER that is where ring 0 returned to, 0 as long as it did not. False: ring 3 was
	 * interrupted before the instruction at `from`, and goes on at `to`.
	 */
	bool executed;
	uint64_t from, to;
	struct insn insn; /* executed only */
};

/* pmu_step() - see pmu_host.step. Interrupts off, on whatever stack, not in an NMI. */
void pmu_step(const struct pmu_step *step);

/* pmu_trace_hit() - a tracepoint was hit (struct trace_host of lib/trace.h). Any context. */
void pmu_trace_hit(const struct trace_hit *hit);

/*
 * pmu_software() - one more of the software event `id`, which is no clock: the events of this CPU
 * and of the task that runs here count it, and those with a period sample it. `regs`: where it
 * happened, which is also the ring that modifiers ask for; of a fault also at which `address`. Of a
 * page fault that was mended two are told: page-faults, and minor-faults or major-faults. Of a
 * switch before pmu_task_sched_out(), of a migration behind pmu_task_sched_in(). Any context.
 */
void pmu_software(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address);

/* pmu_timer() - the timer of pmu_host.timer_arm() went off. IRQ context. */
void pmu_timer(const struct pmu_regs *regs);

/* pmu_mux_timer() - the timer of pmu_host.mux_arm() went off: the next slice. IRQ context. */
void pmu_mux_timer(const struct pmu_regs *regs);

/*
 * pmu_set_mux_interval_us() - how long a slice is, from the next one on. -EINVAL: not in the range.
 * pmu_set_policy() - who counts when not all can (see tick.h); schedules. Task context.
 */
#define PMU_MUX_INTERVAL_US 4000 /* as perf's default was for long, and is with HZ=250 */
#define PMU_MUX_LEAST_US    100
#define PMU_MUX_MOST_US     1000000
int pmu_set_mux_interval_us(uint64_t us);

/* pmu_rate_timer() - the timer of pmu_host.rate_arm() went off. pmu_irq_work() - what irq_work()
 * asked for. IRQ context, both. */
void pmu_rate_timer(const struct pmu_regs *regs);
void pmu_irq_work(void);

/* pmu_refresh_timer() - the timer of pmu_host.refresh_arm() went off. IRQ context. */
void pmu_refresh_timer(const struct pmu_regs *regs);

/*
 * pmu_set_max_sample_rate() - how many samples a second one event may take: as frequency, and by
 * overflows, when it is held for the rest of a tick of 1/PMU_HZ s. -EINVAL: not in the range. Task
 * context, as pmu_max_sample_rate().
 */
#define PMU_HZ                   250
#define PMU_MAX_SAMPLE_RATE      100000 /* as Linux has it */
#define PMU_MAX_SAMPLE_RATE_MOST 1000000000
int pmu_set_max_sample_rate(uint64_t per_second);
uint64_t pmu_max_sample_rate(void);

/*
 * pmu_sample_cost() - the ns that a sample of a counter takes, as measured when the first frequency
 * was asked for; 0: unknown. Of the time between two samples of a frequency it is at most half.
 */
uint64_t pmu_sample_cost(void);

enum pmu_policy { PMU_POLICY_PERF, PMU_POLICY_FAIR };
void pmu_set_policy(enum pmu_policy policy);

/*
 * pmu_cpus_share() - events of attr.type `type` count the same on CPU `a` and on CPU `b`: both are
 * of one package, or of one L3, and that is what the PMU is for. Task context, once all CPUs went
 * through pmu_init().
 */
bool pmu_cpus_share(uint32_t type, unsigned a, unsigned b);

/*
 * Transactions of TSX take counters away on some CPUs, unless they are made to abort; which they
 * are from pmu_init() on. pmu_tfa_counters(): which ones, as a mask; 0: none on this CPU.
 * pmu_tfa_aborts(): transactions abort, and the counters can be used. pmu_set_tfa(): makes it so,
 * or not; schedules. ENOENT: none on this CPU; EIO: the MSR does not take it. Task context.
 */
uint64_t pmu_tfa_counters(void);
bool pmu_tfa_aborts(void);
int pmu_set_tfa(bool abort, struct reason *why);

/*
 * pmu_task_fits() - whether all events of the task that are enabled, or will be by pmu_task_exec(),
 * can count at the same time. -EBUSY: `why` names one that cannot, and what holds its counters.
 * Changes nothing. Task context.
 */
int pmu_task_fits(struct pmu_task *task, struct reason *why);

/*
 * pmu_task_passes() - the smallest number of runs of the task such that each group of `leaders`, up
 * to PMU_PASSES_GROUPS flexible groups of its own, counts all the time of one of them; see
 * passes.h. What the CPU counts, and the pinned groups of the task, count in all. Returns -1, or
 * the number of a group that has no room even in a run of its own; `n`: those in all have not.
 * Changes nothing. Task context, one at a time; takes as much stack as passes.h says.
 */
struct pmu_passes;
int pmu_task_passes(struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes);

struct pmu_stats {
	struct pmu_books books; /* of all events since pmu_init() */
	uint64_t nmis;          /* served */
	uint64_t schedules;     /* decisions about who counts where */
	uint64_t rotations;     /* of these, because a slice was over */
	uint64_t late_nmis;     /* ours, but their overflow had been served already */
	uint64_t spurious_nmis; /* that nothing of ours explains */
	uint64_t wakeups;       /* of readers of rings */
	uint64_t throttles;     /* events that sampled too often for a while */
	uint64_t respites;  /* times that a clock event left what it interrupted no time, and had to
			       wait */
	uint64_t ticks;     /* of frequencies, and ends of throttling */
	uint64_t exchanges; /* switches between tasks whose events are alike */
};
/* pmu_stats() - of all CPUs together, until the next call on this CPU. Task context. */
const struct pmu_stats *pmu_stats(void);

#endif
