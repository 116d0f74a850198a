/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registered.h - the image's commands and workloads, as perf0.elf beside the tool has them: what a
 * command line may name is known without a boot, and a new workload is one new file.
 */
#ifndef TOOLS_MACHINE_REGISTERED_H
#define TOOLS_MACHINE_REGISTERED_H

#include "include/perf0/registered.h"
#include "lib/reason.h"

#include <stddef.h>

/* Strings as in the image; `entry` and `run` are NULL. */
struct registered {
	size_t ncommands, nworkloads;
	struct command *command;
	struct workload *workload;
};

/* registered_read() - reads them once; they stay. -E with the reason: the file cannot be read. */
int registered_read(const struct registered **out, struct reason *why);

/* registered_command(), registered_workload() - by name; NULL: there is none. */
const struct command *registered_command(const struct registered *r, const char *name);
const struct workload *registered_workload(const struct registered *r, const char *name);

#endif
