/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_names.h - reads the image's commands, workloads and tracepoints from perf0.elf beside the
 * tool. So the tool knows all names on a command line without a boot.
 */
#ifndef TOOLS_UTIL_IMAGE_NAMES_H
#define TOOLS_UTIL_IMAGE_NAMES_H

#include "include/perf0/registered.h"
#include "lib/reason.h"
#include "lib/trace.h"

#include <stddef.h>

/*
 * The image's tables, with the image's strings. Functions are NULL, and so are print format and
 * state of a tracepoint. The names of a command's operands are a table of char * or of struct
 * setting.
 */
struct registered {
	size_t ncommands, nworkloads, ntracepoints;
	struct command *command;
	struct workload *workload;
	struct trace_event *tracepoint;
};

/*
 * registered_read() - reads the tables once, and keeps them. -E with the reason: the file cannot be
 * read.
 */
int registered_read(const struct registered **out, struct reason *why);

/* registered_command(), registered_workload() - find an entry by name; NULL: none. */
const struct command *registered_command(const struct registered *r, const char *name);
const struct workload *registered_workload(const struct registered *r, const char *name);

/* registered_tracepoint() - finds a tracepoint by the `n` characters "system:name"; NULL: none. */
const struct trace_event *registered_tracepoint(const struct registered *r, const char *name,
						size_t n);

#endif
