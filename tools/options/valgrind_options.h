/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * valgrind_options.h - reads the words of a command line of Valgrind ("Valgrind User Manual", 2.6;
 * "Callgrind Command-line Options").
 */
#ifndef TOOLS_OPTIONS_VALGRIND_OPTIONS_H
#define TOOLS_OPTIONS_VALGRIND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

enum valgrind_tool { VALGRIND_NONE, VALGRIND_CALLGRIND, VALGRIND_CACHEGRIND };

struct valgrind_options {
	enum valgrind_tool tool;
	bool asks_version, is_quiet;
	const char *callgrind_file, *cachegrind_file, *log_file; /* patterns; NULL: not given */
	bool starts_instrumented, starts_collecting;
	bool by_instruction, by_line, compresses_names, separates_threads, combines_parts;
	bool counts_accesses; /* loads and stores, too */
	const char **toggle;  /* patterns of functions, NULL-terminated */
	const char **own;     /* perf0's options, NULL-terminated */
	const char **program; /* with its arguments, NULL-terminated */
};

/*
 * valgrind_options_read() - `words` are NULL-terminated. Options that Valgrind does not have become
 * perf0's own. Returns 0, or -EINVAL with the reason. The caller calls valgrind_options_free() in
 * any case.
 */
int valgrind_options_read(struct valgrind_options *options, const char **words, struct reason *why);
void valgrind_options_free(struct valgrind_options *options);

/*
 * valgrind_file_name() - appends the name that a pattern means: %p is the number of the process,
 * %q{NAME} a variable of the environment, %% a percent sign. -EINVAL with the reason.
 */
int valgrind_file_name(struct buf *out, const char *pattern, int pid, struct reason *why);

#endif
