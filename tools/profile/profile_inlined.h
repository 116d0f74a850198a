/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_inlined.h - the costs of functions that were inlined, by the function around them. */
#ifndef TOOLS_PROFILE_PROFILE_INLINED_H
#define TOOLS_PROFILE_PROFILE_INLINED_H

#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/util/buf.h"

struct profile_inlined {
	uint32_t row; /* of the function around it */
	const char *name;
	struct profile_sum self;
	struct profile_sum inclusive; /* with functions inlined into it, and those it calls */
};

/*
 * profile_inlined() - appends a struct profile_inlined for each inlined function that matches one
 * of the `patterns`; see profile_match(). They are sorted by row and name.
 */
void profile_inlined(struct buf *out, const struct profile *profile,
		     const struct profile_lines *lines, const char *patterns);

#endif
