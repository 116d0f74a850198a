/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_parts.h - the parts that a program made of its profile, by requests for dumps
 * (include/perf0/profile_file.h). While nothing runs that is profiled.
 */
#ifndef TOOLS_PROFILE_PROFILE_PARTS_H
#define TOOLS_PROFILE_PROFILE_PARTS_H

#include <stdint.h>

#include "include/perf0/profile_file.h"
#include "lib/reason.h"

/* profile_parts_clear() - makes all counters zero, and drops the parts. */
void profile_parts_clear(struct profile_file *file);

/*
 * profile_parts_load() - replaces the counters by those of the part at `*at`, which moves to the
 * next one; 0 is the first. `fd` is the file. Returns 0, or -E with the reason.
 */
int profile_parts_load(struct profile_file *file, int fd, uint64_t *at, struct reason *why);

/*
 * profile_parts_load_command() - replaces the counters by those of the parts of a command of the
 * image, which is numbered from 0 since profile_parts_clear(), with `wants_commands`. Returns as
 * that; -ENODATA: no such command has ended.
 */
int profile_parts_load_command(struct profile_file *file, int fd, size_t command,
			       struct reason *why);

/* profile_parts_join() - adds all parts to the counters, and drops the parts. Returns as that. */
int profile_parts_join(struct profile_file *file, int fd, struct reason *why);

#endif
