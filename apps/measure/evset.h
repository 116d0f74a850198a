/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evset.h - the events of one command: parsed from its -e lists, opened together, each for every
 * target (task, CPU) that the command's options mean, read and closed together. An event that the
 * machine refuses for one of them stays in the set with its reason.
 *
 * Task context. The set is large: static storage.
 */
#ifndef APPS_MEASURE_EVSET_H
#define APPS_MEASURE_EVSET_H

#include "apps/measure/command_options.h"
#include "apps/portable/targets.h"
#include "lib/words/cgroups.h"
#include "pmu/names/filter.h"
#include "pmu/names/parse.h"
#include "pmu/sched/passes.h"
#include "pmu/api/pmu.h"

#include <stdbool.h>
#include <stddef.h>

#define EVSET_MAX       64
#define EVSET_EACH_PASS EVSET_MAX

struct evset_entry {
	struct pmu_event_spec spec;
	struct pmu_filter filter; /* filter.event NULL: none */
	const char *cgroup; /* that its tasks are in, as the user wrote it; NULL: any task's */
	uint32_t task_set;  /* that is it to the event core; 0: any task's */
	bool open;          /* for all targets */
	bool alone;         /* of a weak group that did not fit */
	uint8_t pass;       /* in which it counts, from 0, or EVSET_EACH_PASS */
	uint8_t truth;      /* enum truth, since it was open */
	int error; /* what pmu_event_open() returned when it refused; else 0, for all targets */
	struct reason why;
};

struct evset {
	unsigned n;
	bool warm;  /* a measurement finds the model as the one before left it */
	bool waits; /* its events are started by evset_enable(), and by nothing else */
	struct targets targets;
	unsigned ntargets, nrings;
	struct targets_event target[TARGETS_MAX_CPUS]; /* `event` and `output` of the first entry */
	struct cgroup_names cgroups; /* of options; their number says whether there are any */
	struct pmu_event *event;     /* target after target, `n` each; NULL: none are open */
	struct evset_entry entry[EVSET_MAX];
};

/* evset_event() - entry `i` for target `t`; while it is open. evset_index() - which of all it is.
 */
static inline size_t evset_index(const struct evset *set, unsigned i, unsigned t)
{
	return (size_t)t * set->n + i;
}

static inline struct pmu_event *evset_event(const struct evset *set, unsigned i, unsigned t)
{
	return &set->event[evset_index(set, i, t)];
}

/*
 * evset_parse() - all lists of `lists`, or `fallback` (NULL: no events) when there are none. Those
 * that come from option --filter are filters of the event right before them, or of all that the
 * pattern there names; those of -G are for evset_add_cgroups(). Returns 0, or -EINVAL after one
 * line of complaint that starts with `command` and names the column.
 */
int evset_parse(struct evset *set, const char *command, const struct option_list *lists,
		const char *fallback);

/*
 * evset_target() - what the events are for, as perf's options say (targets.h), and whether what is
 * started by the workload inherits them. After evset_parse(). Returns 0, or -EINVAL after one line
 * of complaint.
 */
int evset_target(struct evset *set, const char *command, const struct targets_options *options);

/* evset_is_for_cpu() - they count whatever runs there, and no workload starts them. */
static inline bool evset_is_for_cpu(const struct evset *set)
{
	return !set->targets.tasks;
}

/*
 * evset_is_at() - entry `i` is opened for target `t`: of what the CPUs of a package, or of an L3,
 * have together, for the first of them only; of one kind of a hybrid's cores, for these. Elsewhere
 * its event is closed, all zero.
 */
bool evset_is_at(const struct evset *set, unsigned i, unsigned t);

/* evset_first_at() - the first target for which entry `i` is opened; 0: there is none. */
unsigned evset_first_at(const struct evset *set, unsigned i);

/* evset_stream() - the CPU by which records of target `t` are numbered on the wire: its own, or 0
 * where they are of any. */
static inline unsigned evset_stream(const struct evset *set, unsigned t)
{
	return set->target[t].cpu >= 0 ? (unsigned)set->target[t].cpu : 0;
}

/* evset_has_cpus() - each event is for one CPU, of a task or not: its records tell which. */
static inline bool evset_has_cpus(const struct evset *set)
{
	return !cpumask_is_empty(&set->targets.cpus);
}

/*
 * evset_start() - right before the workload: enables those that it does not start. evset_stop() -
 * right behind it: disables them.
 */
void evset_start(struct evset *set);
void evset_stop(struct evset *set);

/* evset_enable() - starts all events. Task context, or an IRQ that came from ring 3 or from a CPU
 * without a task. */
void evset_enable(struct evset *set);

/* evset_rings_of() - all events are of ring 3, or not, and of ring 0, or not, likewise. */
void evset_rings_of(struct evset *set, bool user, bool kernel);

/* evset_all_of() - with `user`, all events are of ring 3 alone, else of ring 0, whatever their
 * modifiers. After evset_parse(). */
void evset_all_of(struct evset *set, bool user);

/* evset_add() - as evset_parse(), the events of one more list. */
int evset_add(struct evset *set, const char *command, const char *list);

/*
 * evset_add_cgroups() - one list of -G: of the events so far, which are for which group
 * (cgroups.h). evset_for_each_cgroup() - all events once for each group of a list. Both return 0,
 * or -EINVAL after one line of complaint.
 */
int evset_add_cgroups(struct evset *set, const char *command, const char *list);
int evset_for_each_cgroup(struct evset *set, const char *command, const char *list);

/*
 * evset_reserve_cgroups() - the groups of the events are there from the begin of each program that
 * runs from now on, until evset_release_cgroups(); before events are opened. 0, or -EAGAIN after
 * one line of complaint.
 */
int evset_reserve_cgroups(struct evset *set, const char *command);
void evset_release_cgroups(void);

/* evset_cgroup() - of entry `i`, for tables: NULL where no event of the set is for a group, ""
 * where others are. */
static inline const char *evset_cgroup(const struct evset *set, unsigned i)
{
	if (!set->cgroups.n)
		return NULL;
	return set->entry[i].cgroup ? set->entry[i].cgroup : "";
}

/*
 * evset_open() - every event for every target, disabled until the workload's first instruction, or
 * evset_start(); a weak group that does not fit as groups of one. Returns how many entries are
 * open. The events' storage lives until evset_close().
 */
unsigned evset_open(struct evset *set);
void evset_close(struct evset *set);

/*
 * evset_fits() - all events are open and can count at the same time. Else one line that begins with
 * `command` and `what`, names an event that was refused or cannot, and says why.
 */
bool evset_fits(const struct evset *set, const char *command, const char *what);

/* evset_leader() - the first entry of the group that entry `i` is in: `i` where it is in none. */
unsigned evset_leader(const struct evset *set, unsigned i);

/*
 * evset_books() - what the samples of entry `i`, of all targets together, came to.
 */
struct pmu_books evset_books(const struct evset *set, unsigned i);

/*
 * evset_is_whole() - neither entry `i` nor another of its group was refused. What is left of a
 * group does count, but perf, which reads a group as a whole, shows no counts for it.
 */
bool evset_is_whole(const struct evset *set, unsigned i);

/* evset_tell_pinned() - one line: which pinned event finds no counter, and why. Nothing must be
 * open, nor is it afterwards. */
void evset_tell_pinned(struct evset *set, const char *command);

/*
 * evset_split() - the smallest number of passes in which every event counts all the time; the
 * events say which is theirs. Groups stay whole; pinned events and those that need no counter are
 * in each. The events follow their task from CPU to CPU (no evset_has_cpus()). Nothing must be
 * open, nor is it afterwards. False: an event was refused, or some group has no place beside the
 * pinned ones, and one line of complaint said why.
 */
bool evset_split(struct evset *set, const char *command, struct pmu_passes *passes);

/*
 * evset_drop_refused() - events that the machine refuses are left out, after one line each that
 * begins with `command` (NULL: none), unless that is all of them. Nothing must be open.
 */
void evset_drop_refused(struct evset *set, const char *command);

/* evset_open_pass() - as evset_open(), the events of one pass of those that evset_split() found. */
unsigned evset_open_pass(struct evset *set, unsigned pass);

/*
 * evset_complain() - one line for each event that was refused for a reason of its own (a machine
 * without PMU refuses all for one reason, which is told once).
 */
void evset_complain(const struct evset *set, const char *command);

#endif
