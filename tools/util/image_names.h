/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_names.h - the image's commands, workloads and tracepoints, as perf0.elf beside the tool has
 * them: what a command line may name is known without a boot, and a new workload is one new file.
 */
#ifndef TOOLS_UTIL_IMAGE_NAMES_H
#define TOOLS_UTIL_IMAGE_NAMES_H

#include "include/perf0/registered.h"
#include "lib/reason.h"
#include "lib/trace.h"

#include <stddef.h>

/*
 * Strings as in the image; functions are NULL, and so are what a tracepoint prints and its state.
 * Names that a command takes as operands are a table of char *, or of struct setting.
 */
struct registered {
	size_t ncommands, nworkloads, ntracepoints;
	struct command *command;
	struct workload *workload;
	struct trace_event *tracepoint;
};

/* registered_read() - reads them once; they stay. -E with the reason: the file cannot be read. */
int registered_read(const struct registered **out, struct reason *why);

/* registered_command(), registered_workload() - by name; NULL: there is none. */
const struct command *registered_command(const struct registered *r, const char *name);
const struct workload *registered_workload(const struct registered *r, const char *name);

/* registered_tracepoint() - of the `n` characters "system:name"; NULL: there is none. */
const struct trace_event *registered_tracepoint(const struct registered *r, const char *name,
						size_t n);

#endif
