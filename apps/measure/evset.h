/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evset.h - the events of one command: parsed from its -e lists, opened together, each for every
 * target (task, CPU) of the command's options, read and closed together. An event that the machine
 * refuses for one target stays in the set with its reason.
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
	const char *cgroup;       /* of its tasks, as the user wrote it; NULL: any task */
	uint32_t task_set;        /* the cgroup's number in the event core; 0: any task */
	bool open;                /* for all targets */
	bool alone;               /* of a weak group that did not fit */
	uint8_t pass;             /* the pass in which it counts, from 0, or EVSET_EACH_PASS */
	uint8_t truth;            /* enum truth, since it was open */
	int error;                /* of pmu_event_open() when it refused, for all targets; else 0 */
	struct reason why;
};

struct evset {
	unsigned n;
	bool warm;  /* a measurement starts with the model as the one before left it */
	bool waits; /* only evset_enable() starts the events */
	struct targets targets;
	unsigned ntargets, nrings;
	struct targets_event target[TARGETS_MAX_CPUS]; /* `event` and `output` of the first entry */
	struct cgroup_names cgroups; /* of options; their number says whether there are any */
	struct pmu_event *event;     /* target after target, `n` each; NULL: none are open */
	struct evset_entry entry[EVSET_MAX];
};

/* evset_event() - the event of entry `i` for target `t`, while it is open. evset_index() - its
 * index. */
static inline size_t evset_index(const struct evset *set, unsigned i, unsigned t)
{
	return (size_t)t * set->n + i;
}

static inline struct pmu_event *evset_event(const struct evset *set, unsigned i, unsigned t)
{
	return &set->event[evset_index(set, i, t)];
}

/*
 * evset_parse() - parses all lists of `lists`, or `fallback` (NULL: no events) when there are none.
 * Lists of option --filter are filters of the event right before them, or of all events of the
 * pattern there; lists of -G are for evset_add_cgroups(). Returns 0, or -EINVAL after one line of
 * complaint that starts with `command` and names the column.
 */
int evset_parse(struct evset *set, const char *command, const struct option_list *lists,
		const char *fallback);

/*
 * evset_target() - sets the targets of the events from perf's options (targets.h), and whether
 * children of the workload inherit the events. After evset_parse(). Returns 0, or -EINVAL after one
 * line of complaint.
 */
int evset_target(struct evset *set, const char *command, const struct targets_options *options);

/* evset_is_for_cpu() - the events count all tasks of their CPUs, and no workload starts them. */
static inline bool evset_is_for_cpu(const struct evset *set)
{
	return !set->targets.tasks;
}

/*
 * evset_is_at() - whether entry `i` is opened for target `t`. An event that the CPUs of a package
 * or of an L3 share is opened for the first of them only; an event of one kind of a hybrid's cores
 * for these cores. For other targets the event is closed, all zero.
 */
bool evset_is_at(const struct evset *set, unsigned i, unsigned t);

/* evset_first_at() - the first target for which entry `i` is opened; 0: there is none. */
unsigned evset_first_at(const struct evset *set, unsigned i);

/* evset_stream() - the CPU by which records of target `t` are numbered on the wire: its own, or 0
 * where the target is any CPU. */
static inline unsigned evset_stream(const struct evset *set, unsigned t)
{
	return set->target[t].cpu >= 0 ? (unsigned)set->target[t].cpu : 0;
}

/* evset_has_cpus() - each event is for one CPU, of a task or not: its records name the CPU. */
static inline bool evset_has_cpus(const struct evset *set)
{
	return !cpumask_is_empty(&set->targets.cpus);
}

/* evset_start() - right before the workload: enables the events that the workload does not start.
 * evset_stop() - right after it: disables them. */
void evset_start(struct evset *set);
void evset_stop(struct evset *set);

/* evset_enable() - starts all events. Task context, or an IRQ that came from ring 3 or from a CPU
 * without a task. */
void evset_enable(struct evset *set);

/* evset_rings_of() - makes all events count ring 3 or not, and ring 0 or not. */
void evset_rings_of(struct evset *set, bool user, bool kernel);

/* evset_all_of() - makes all events count ring 3 alone with `user`, else ring 0 alone, whatever
 * their modifiers. After evset_parse(). */
void evset_all_of(struct evset *set, bool user);

/* evset_add() - adds the events of one more list; as evset_parse(). */
int evset_add(struct evset *set, const char *command, const char *list);

/*
 * evset_add_cgroups() - one list of -G: assigns the events so far to cgroups (cgroups.h).
 * evset_for_each_cgroup() - copies all events for each cgroup of a list. Both return 0, or -EINVAL
 * after one line of complaint.
 */
int evset_add_cgroups(struct evset *set, const char *command, const char *list);
int evset_for_each_cgroup(struct evset *set, const char *command, const char *list);

/*
 * evset_reserve_cgroups() - creates the cgroups of the events at the begin of each program that
 * runs from now on, until evset_release_cgroups(); before events are opened. 0, or -EAGAIN after
 * one line of complaint.
 */
int evset_reserve_cgroups(struct evset *set, const char *command);
void evset_release_cgroups(void);

/* evset_cgroup() - the cgroup of entry `i`, for tables: NULL where no event of the set has one, ""
 * where only others have. */
static inline const char *evset_cgroup(const struct evset *set, unsigned i)
{
	if (!set->cgroups.n)
		return NULL;
	return set->entry[i].cgroup ? set->entry[i].cgroup : "";
}

/*
 * evset_open() - opens every event for every target, disabled until the workload's first
 * instruction, or until evset_start(). A weak group that does not fit is opened as groups of one.
 * Returns how many entries are open. The events' storage lives until evset_close().
 */
unsigned evset_open(struct evset *set);
void evset_close(struct evset *set);

/*
 * evset_fits() - whether all events are open and can count at the same time. If not, one line that
 * begins with `command` and `what` names an event that was refused or cannot count, and says why.
 */
bool evset_fits(const struct evset *set, const char *command, const char *what);

/* evset_leader() - the first entry of the group that entry `i` is in: `i` where it is in none. */
unsigned evset_leader(const struct evset *set, unsigned i);

/* evset_books() - the accounts of the samples of entry `i`, of all targets together. */
struct pmu_books evset_books(const struct evset *set, unsigned i);

/* evset_is_whole() - neither entry `i` nor another one of its group was refused. The rest of a
 * group does count, but perf, which reads a group as a whole, shows no counts for it. */
bool evset_is_whole(const struct evset *set, unsigned i);

/* evset_tell_pinned() - one line: which pinned event finds no counter, and why. No event is open,
 * before or afterwards. */
void evset_tell_pinned(struct evset *set, const char *command);

/*
 * evset_split() - finds the smallest number of passes in which every event counts all the time, and
 * stores each event's pass. Groups stay whole; pinned events and events that need no counter are in
 * each pass. The events follow their task from CPU to CPU (no evset_has_cpus()). No event is open,
 * before or afterwards. False: an event was refused, or some group has no place beside the pinned
 * ones, and one line of complaint said why.
 */
bool evset_split(struct evset *set, const char *command, struct pmu_passes *passes);

/* evset_drop_refused() - removes events that the machine refuses, unless it refuses all of them,
 * after one line each that begins with `command` (NULL: none). No event is open. */
void evset_drop_refused(struct evset *set, const char *command);

/* evset_open_pass() - as evset_open(), for the events of one pass of evset_split(). */
unsigned evset_open_pass(struct evset *set, unsigned pass);

/* evset_complain() - one line for each event that was refused for a reason of its own. A machine
 * without PMU refuses all for one reason, which is printed once. */
void evset_complain(const struct evset *set, const char *command);

#endif
