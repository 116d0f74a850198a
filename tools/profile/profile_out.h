/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_out.h - the formats of profiles for other programs. */
#ifndef TOOLS_PROFILE_PROFILE_OUT_H
#define TOOLS_PROFILE_PROFILE_OUT_H

#include <stdbool.h>

#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/profile/profile_options.h"
#include "tools/util/buf.h"

struct profile_source {
	const struct profile *profile;
	const struct profile_lines *lines;
	const char *command; /* the command line */
};

/*
 * profile_callgrind() - adds a callgrind.out ("Callgrind Format Specification", version 1), which
 * KCachegrind and callgrind_annotate read. `by_instruction`: with the address of each instruction.
 */
void profile_callgrind(struct buf *out, const struct profile_source *source, bool by_instruction);

/*
 * profile_write_files() - writes the files that `options` name. Returns 0, or -E with the reason.
 */
int profile_write_files(const struct profile_source *source, const struct profile_options *options,
			struct reason *why);

#endif
