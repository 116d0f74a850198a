/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h - sums the samples of a recording by function. */
#ifndef TOOLS_GATE_FUNCTIONS_H
#define TOOLS_GATE_FUNCTIONS_H

#include "tools/gate/gate_results.h"
#include "tools/stream/stream.h"

/* The place of a function in its source. */
struct source {
	char *function, *file;
	unsigned line; /* from 1 */
};

/* The sources of functions. A zeroed struct has none. */
struct sources {
	struct source *one; /* sorted by function */
	size_t n;
};

/* sources_find() - returns the source of a function; NULL: unknown. sources_free() - frees all. */
const struct source *sources_find(const struct sources *sources, const char *function);
void sources_free(struct sources *sources);

/*
 * functions_add() - adds the functions of `benchmark` in the samples of `command` to `results`:
 * RESULT_FUNCTION and, from its ELF file, RESULT_SIZE and RESULT_CODE. A function of another file
 * than the program is NAME@FILE, and an address outside of functions [FILE]. `results` are unsorted
 * afterwards. `sources`, unless NULL, receives the functions' sources if DWARF has them.
 */
void functions_add(struct gate_results *results, const char *benchmark, const struct stream *stream,
		   const struct stream_command *command, struct sources *sources);

#endif
