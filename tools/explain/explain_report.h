/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_report.h - the report of `explain`: the hottest code of a profile, and what limits it in
 * a model of a core. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_REPORT_H
#define TOOLS_EXPLAIN_EXPLAIN_REPORT_H

#include "lib/reason.h"
#include "tools/explain/explain_options.h"
#include "tools/explain/explained.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/util/buf.h"

struct explain_source {
	const struct profile *profile; /* its first event is instructions:u */
	const struct profile_lines *lines;
	const struct profile_file *file; /* with times; NULL: there are none */
	struct explaining_core core;
	const char *const *words; /* the command line */
};

/*
 * explain_report() - appends text or JSON, and writes the page that the options want.
 * explain_code(): the same for code that is at `va`. Returns 0, or -E with the reason: a pattern
 * matches nothing, or the page cannot be written.
 */
int explain_report(struct buf *out, const struct explain_source *source,
		   const struct explain_options *options, struct reason *why);
int explain_code(struct buf *out, const struct explaining_core *core, const uint8_t *code,
		 size_t bytes, uint64_t va, const struct explain_options *options,
		 const char *const *words, struct reason *why);

#endif
