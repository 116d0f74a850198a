/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counting.h - sets up the plugin with which QEMU counts executed instructions for vpmu
 * (include/perf0/events_page.h), and the memory that it shares with vpmu.
 */
#ifndef TOOLS_MACHINE_COUNTING_H
#define TOOLS_MACHINE_COUNTING_H

#include <limits.h>

#include "lib/reason.h"
#include "tools/options/machine_options.h"

struct counting {
	int fd;          /* the shared memory; -1: the machine does not count */
	bool models;     /* models caches and predictors, too */
	bool prefetches; /* also models a prefetcher */
	bool loops;      /* QEMU does many iterations of a REP string instruction at once */
	bool one_level;  /* the first event starts all counting, until the machine ends */
	int profile;     /* descriptor of the file in which it profiles; 0: none */
	char plugin[PATH_MAX];
};

/* counting_is_exact() - returns whether the plugin counts on such a machine, instead of ratios. */
bool counting_is_exact(const struct machine_options *options);

/*
 * counting_begin() - sets up the counting that `options` ask for. Returns 0, also if they do not
 * ask for any; -E with the reason: nothing is counted. The caller calls counting_end() in any case.
 */
int counting_begin(struct counting *counting, const struct machine_options *options,
		   struct reason *why);
void counting_end(struct counting *counting);

/*
 * counting_check() - returns 0 where the plugin of such a machine can be loaded, or none is asked
 * for; -E with the reason: the machine has ratios alone.
 */
int counting_check(const struct machine_options *options, struct reason *why);

/*
 * counting_reset() - prepares the memory for a machine that starts. Returns 0, or -E with the
 * reason.
 */
int counting_reset(const struct counting *counting, struct reason *why);

/*
 * counting_find_program() - finds the file that execvp() would start. Returns false if there is
 * none.
 */
bool counting_find_program(char path[PATH_MAX], const char *name);

#endif
