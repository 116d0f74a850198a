/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_lines.h - the source lines of a profile, by DWARF. */
#ifndef TOOLS_PROFILE_PROFILE_LINES_H
#define TOOLS_PROFILE_PROFILE_LINES_H

#include "tools/profile/profile_fold.h"
#include "tools/symbols/inlined.h"

/* The costs of a line of the sources in one function, or in a function that was inlined there. */
struct profile_line {
	uint32_t row;
	struct source_place at; /* `file` is NULL: unknown */
	struct profile_sum self;
};

struct profile_lines {
	struct inlined_reader **reader; /* by number of the file; NULL: not read */
	size_t nreaders;
	struct source_place *of_row;   /* where each function begins */
	struct source_place *of_call;  /* of each call */
	struct source_place *of_place; /* of each instruction */
	struct profile_line *line;     /* sorted by row, file, line */
	size_t n;
};

/* profile_lines_read() - finds the lines of `profile`, of whose code `map` is the map. */
void profile_lines_read(struct profile_lines *lines, const struct profile *profile,
			const struct code_map *map);
void profile_lines_free(struct profile_lines *lines);

#endif
