/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_names.h - the image's commands, workloads and tracepoints, read from perf0.elf beside the
 * tool. The tool knows without a boot all names for a command line, and a new workload is one new
 * file.
 */
#ifndef TOOLS_UTIL_IMAGE_NAMES_H
#define TOOLS_UTIL_IMAGE_NAMES_H

#include "include/perf0/registered.h"
#include "lib/reason.h"
#include "lib/trace.h"

#include <stddef.h>

/*
 * Strings are those of the image. Functions are NULL, and so are a tracepoint's print format and
 * state. Operand names of a command are a table of char *, or of struct setting.
 */
struct registered {
	size_t ncommands, nworkloads, ntracepoints;
	struct command *command;
	struct workload *workload;
	struct trace_event *tracepoint;
};

/*
 * registered_read() - reads the tables once; they stay. -E with the reason: the file cannot be
 * read.
 */
int registered_read(const struct registered **out, struct reason *why);

/* registered_command(), registered_workload() - by name; NULL: there is none. */
const struct command *registered_command(const struct registered *r, const char *name);
const struct workload *registered_workload(const struct registered *r, const char *name);

/*
 * registered_tracepoint() - the tracepoint named by the `n` characters "system:name"; NULL: there
 * is none.
 */
const struct trace_event *registered_tracepoint(const struct registered *r, const char *name,
						size_t n);

#endif
