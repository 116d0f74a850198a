/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counting.h - the plugin by which QEMU counts what it executes, for vpmu
 * (include/perf0/events_page.h): whether a machine has it, and the memory that it shares with vpmu.
 */
#ifndef TOOLS_MACHINE_COUNTING_H
#define TOOLS_MACHINE_COUNTING_H

#include <limits.h>

#include "lib/reason.h"
#include "tools/options/tool_options.h"

struct counting {
	int fd;          /* of the memory; -1: nothing is counted */
	bool models;     /* caches and predictors are modelled, too */
	bool prefetches; /* and a prefetcher */
	bool loops;      /* QEMU does many iterations of a REP string instruction at once */
	bool one_level; /* the first event begins all that can be counted, until the machine ends */
	char plugin[PATH_MAX];
};

/*
 * counting_begin() - what `options` ask for. Returns 0: counting, or not where that was not asked
 * for; or -E with the reason, and then nothing is counted. counting_end() in any case.
 */
int counting_begin(struct counting *counting, const struct options *options, struct reason *why);
void counting_end(struct counting *counting);

/* counting_reset() - as a machine is to find the memory that starts. Returns 0, or -E with the
 * reason. */
int counting_reset(const struct counting *counting, struct reason *why);

/* counting_find_program() - the file that execvp() would start; false: there is none. */
bool counting_find_program(char path[PATH_MAX], const char *name);

#endif
