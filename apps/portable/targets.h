/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * targets.h - which events a command opens, for which tasks and CPUs, and which rings they write:
 * perf's modes, as a pure function. Portable, any context.
 *
 *      options                  one event for each        a ring for each   inherited
 *      (none)                   task and CPU              CPU               yes
 *      (none), without rings    task, on any CPU          -                 yes
 *      --per-thread             task, on any CPU          task              no
 *      -C list                  CPU of the list           CPU               no
 *      -a                       CPU                       CPU               no
 *      -C list --per-thread     task and CPU of the list  CPU               no
 *
 * The first event of a ring owns it; all others of the same task or CPU write their records into
 * it. Where an event traces, each ring has an AUX area beside it: the two are a pair, written on
 * one CPU, or by one task.
 */
#ifndef APPS_PORTABLE_TARGETS_H
#define APPS_PORTABLE_TARGETS_H

#include "lib/cpumask.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TARGETS_MAX_CPUS CPUMASK_CPUS

/* The values of the options that choose targets. */
struct targets_options {
	bool all_cpus;    /* -a */
	bool per_thread;  /* --per-thread */
	const char *cpus; /* the operand of -C in perf's form: 0-2,4; NULL: not given */
	bool no_inherit;  /* -i */
	bool counts_only; /* there are no rings: an event may move from CPU to CPU */
};

/* The CPUs and tasks of the machine. */
struct targets_machine {
	unsigned ncpus; /* up to TARGETS_MAX_CPUS */
	const int *tasks;
	unsigned ntasks;
};

/* The targets that follow from both. */
struct targets {
	struct cpumask cpus; /* empty: any CPU */
	bool tasks;          /* given tasks; false: all tasks on a CPU */
	bool inherit;        /* attr.inherit */
	bool is_default;     /* no option was given */
};

/*
 * targets_choose() - the targets for the options, none of which contradicts another
 * (option_rules.h). 0, or -EINVAL with the reason: the list of CPUs is malformed, or names a CPU
 * that the machine does not have.
 */
int targets_choose(struct targets *t, const struct targets_options *options,
		   const struct targets_machine *machine, struct reason *why);

/* One event to open: the arguments of perf_event_open(2), and the ring of its records. */
struct targets_event {
	unsigned event; /* its number in the command, from 0 */
	int task, cpu;  /* -1: any */
	unsigned ring;  /* of its records and its trace */
	int output;     /* the entry of this table to whose ring it is redirected; -1: the ring is
			 * its own */
};

/* targets_events() - fills in `out`, event by event as perf opens them. Returns how many events
 * there are, also beyond `most`; `*nrings` rings, numbered by CPU or by task. */
size_t targets_events(const struct targets *t, const struct targets_machine *machine,
		      unsigned nevents, struct targets_event *out, size_t most, unsigned *nrings);

#endif
