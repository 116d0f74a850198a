/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_report.h - the report of `explain`: the hottest code of a profile, and what limits it in
 * a model of a core. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_REPORT_H
#define TOOLS_EXPLAIN_EXPLAIN_REPORT_H

#include "vpmu/core/timed_core.h"

#include "lib/reason.h"
#include "tools/explain/explain_options.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/util/buf.h"

/*
 * explain_report() - appends text or JSON. The profile's first event is instructions:u. `core` is
 * the name of the core that was asked for; the model's own differs where that one is the nearest.
 * Returns 0, or -ENOENT with the reason: a pattern matches nothing.
 */
int explain_report(struct buf *out, const struct profile *profile,
		   const struct profile_lines *lines, const struct core_model *model,
		   const char *core, const struct explain_options *options, struct reason *why);

#endif
