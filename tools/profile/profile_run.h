/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_run.h - the file that QEMU's plugin fills (include/perf0/profile_file.h): makes it for
 * the programs of a machine, folds what was counted, and clears it for the next program.
 *
 *   profile_run_begin(&run, "instructions:u", &why);
 *   profile_run_add(&run, path, host)        for each file of a program
 *   profile_run_ready(&run, &why);
 *   ... a machine runs with run.fd ...
 *   profile_run_fold(&run, &profile, &why);
 *   profile_run_clear(&run);                 before another program, on the same machine
 *   profile_run_end(&run);
 */
#ifndef TOOLS_PROFILE_PROFILE_RUN_H
#define TOOLS_PROFILE_PROFILE_RUN_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/profile/code_map.h"
#include "tools/profile/profile_fold.h"

/* A zeroed one is closed. */
struct profile_run {
	int fd; /* 0: closed */
	struct profile_file *file;
	struct code_map map;
	struct profile_event event[PROFILE_EVENTS];
	char name[PROFILE_EVENTS][32];
	size_t nevents;
};

/* profile_run_counts() - returns whether an event, as "loads:u", can be counted by function without
 * the model. */
bool profile_run_counts(const char *event);

/*
 * profile_run_begin() - makes a file for the events of a list, and for the image's own workloads.
 * -E with the reason; the caller calls profile_run_end() in any case.
 */
int profile_run_begin(struct profile_run *run, const char *events, struct reason *why);

/*
 * profile_run_add() - adds the file at `host`, which the image knows as `path`, to the struct
 * profile_run at `run`. A file that is no ELF file has no code. Returns 0.
 */
int profile_run_add(void *run, const char *path, const char *host);

/* profile_run_ready() - writes what the plugin has to know. -E with the reason. */
int profile_run_ready(struct profile_run *run, struct reason *why);

/*
 * profile_run_mark() - after profile_run_ready(): the functions whose names match `patterns`
 * (profile_match.h) have the role, whatever they had. Returns how many do.
 */
size_t profile_run_mark(struct profile_run *run, const char *patterns, enum profile_role role);

/*
 * profile_run_fold() - folds the counts of all parts; see profile_fold(). profile_run_fold_part():
 * those of the part that is loaded (profile_parts.h), or of the last one. While no program runs.
 */
int profile_run_fold(const struct profile_run *run, struct profile *profile, struct reason *why);
int profile_run_fold_part(const struct profile_run *run, struct profile *profile,
			  struct reason *why);

/*
 * profile_run_divide() - after profile_run_ready(): the commands of a line are counted apart.
 * profile_run_fold_command() - folds the counts of a command by its number, from 0 on since
 * profile_run_clear(). Commands may be folded in any order. While no program runs.
 */
void profile_run_divide(struct profile_run *run);
int profile_run_fold_command(const struct profile_run *run, size_t command, struct profile *profile,
			     struct reason *why);

/* profile_run_clear() - sets all counts to 0. While no program runs. */
void profile_run_clear(struct profile_run *run);

void profile_run_end(struct profile_run *run);

#endif
