/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h - the samples of a recording, added up by function. */
#ifndef TOOLS_GATE_FUNCTIONS_H
#define TOOLS_GATE_FUNCTIONS_H

#include "tools/gate/gate_results.h"
#include "tools/stream/stream.h"

/* The place of a function's source. */
struct source {
	char *function, *file;
	unsigned line; /* from 1 */
};

/* A zeroed struct has none. */
struct sources {
	struct source *one; /* by function */
	size_t n;
};

/* sources_find() - NULL: the source is not known. sources_free() - frees all. */
const struct source *sources_find(const struct sources *sources, const char *function);
void sources_free(struct sources *sources);

/*
 * functions_add() - adds to `results` what the samples of `command` tell of `benchmark`:
 * RESULT_FUNCTION and, where its ELF file says it, RESULT_SIZE and RESULT_CODE. A function of
 * another file than the program is NAME@FILE, and what lies in none [FILE]. `results` are unsorted
 * then. Where DWARF says where a function is written, `sources` gets that, unless it is NULL.
 */
void functions_add(struct gate_results *results, const char *benchmark, const struct stream *stream,
		   const struct stream_command *command, struct sources *sources);

#endif
