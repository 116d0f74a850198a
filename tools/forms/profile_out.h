/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_out.h - the formats of profiles for other programs. */
#ifndef TOOLS_FORMS_PROFILE_OUT_H
#define TOOLS_FORMS_PROFILE_OUT_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/profile/profile_options.h"
#include "tools/util/buf.h"

struct profile_source {
	const struct profile *profile;
	const struct profile_lines *lines;
	const char *const *words; /* the command line behind `perf0`, NULL-terminated */
	bool by_instruction;      /* callgrind.out with the address of each instruction */
	const struct profile_heading *heading; /* of callgrind.out; NULL: a whole profile's */
};

/* The head of a callgrind.out that is one of several, as Valgrind writes it. */
struct profile_heading {
	int pid;
	unsigned part;        /* from 1 on */
	unsigned thread;      /* 0: all together */
	const char *trigger;  /* why the part ends */
	bool is_appended;     /* to another part of the same file */
	bool has_whole_names; /* each name is written out each time */
	bool has_no_lines;    /* with addresses of instructions */
};

struct profile_format {
	const char *name; /* as an option names it */
	const char *file; /* file without -o */
	bool is_binary;   /* it is not fit for a terminal */
	bool has_stacks;  /* it needs contexts: profile_format_build() refuses profiles without */
	void (*build)(struct buf *out, const struct profile_source *source);
};

/* profile_format_find() - returns the format of that name; NULL: there is none. */
const struct profile_format *profile_format_find(const char *name);

/* profile_format_at() - returns the format of that index; NULL: behind the last one. */
const struct profile_format *profile_format_at(size_t i);

/*
 * profile_format_build() - appends a whole file to the empty `out`. Returns 0, or -ENODATA with the
 * reason: the profile lacks what the format needs.
 */
int profile_format_build(const struct profile_format *format, struct buf *out,
			 const struct profile_source *source, struct reason *why);

/* The builders, each in a file of its name. */

/*
 * profile_callgrind() - callgrind.out ("Callgrind Format Specification", version 1), which
 * KCachegrind and callgrind_annotate read.
 */
void profile_callgrind(struct buf *out, const struct profile_source *source);

/* profile_cachegrind() - cachegrind.out, which cg_annotate reads. */
void profile_cachegrind(struct buf *out, const struct profile_source *source);

/* profile_folded() - "outermost;...;innermost COSTS", as flamegraph.pl reads it. */
void profile_folded(struct buf *out, const struct profile_source *source);

/* profile_speedscope() - speedscope's file format, a profile for each event. */
void profile_speedscope(struct buf *out, const struct profile_source *source);

/* profile_pprof() - pprof's profile.proto in a gzip file. A location is a function. */
void profile_pprof(struct buf *out, const struct profile_source *source);

/*
 * profile_html() - a page with flame graphs, all functions, their calls, and the costs of lines and
 * instructions. It needs no network and has no script.
 */
void profile_html(struct buf *out, const struct profile_source *source);

/* profile_add_command() - appends the command line. */
void profile_add_command(struct buf *out, const struct profile_source *source);

/* profile_check_files() - checks before a run whether the files that `options` name can be
 * written. Returns 0, or -E with the reason. */
int profile_check_files(const struct profile_options *options, struct reason *why);

/*
 * profile_write_files() - writes the files that `options` name. Returns 0, or -E with the reason.
 */
int profile_write_files(const struct profile_source *source, const struct profile_options *options,
			struct reason *why);

#endif
