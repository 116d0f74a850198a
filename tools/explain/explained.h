/* SPDX-License-Identifier: BSD-2-Clause */
/* explained.h - a loop, a block or a snippet with its bounds and its instructions, ready to be told
 * as text, JSON or a page. */
#ifndef TOOLS_EXPLAIN_EXPLAINED_H
#define TOOLS_EXPLAIN_EXPLAINED_H

#include <limits.h>

#include "tools/explain/bounds.h"
#include "tools/profile/profile_lines.h"

#define NOT_MODELLED UINT_MAX

struct explained_line {
	uint64_t address;
	uint64_t executed; /* 0: not counted */
	unsigned insn;     /* its number in the code that is modelled; NOT_MODELLED */
	bool in_chain;     /* of the longest chain of dependencies, if that is told */
	char *text;
	struct source_place at;
};

struct explained {
	const char *function; /* NULL: a snippet */
	const char *host;     /* the file with its code, by which sources are found; NULL: none */
	double share;         /* of all instructions */
	uint64_t executed;    /* instructions in all */
	struct source_place at;
	struct bounded_code code;
	unsigned n; /* instructions that are modelled */
	bool is_known;
	struct bounds bounds;
	struct explained_line *line;
	size_t nlines;
};

/* The core that was asked for, and the model, which may be that of the nearest one. */
struct explaining_core {
	const struct core_model *model;
	const char *asked;
};

/* explained_hot() - the code of a profile whose first event is instructions; `lines` may be empty,
 * `file` NULL: no times. explained_snippet(): code without a profile. */
void explained_hot(struct explained *x, const struct explaining_core *core,
		   const struct profile *profile, const struct profile_lines *lines,
		   const struct profile_file *file, const struct hot_code *hot);
void explained_snippet(struct explained *x, const struct explaining_core *core, const uint8_t *code,
		       size_t bytes, uint64_t va);
void explained_free(struct explained *x);

/* explained_mark() - what stands in front of a line. */
char explained_mark(const struct explained_line *line);

/* explained_bounds() - how many bounds are told: the one that binds, and the next ones. */
unsigned explained_bounds(const struct explained *x);

/* explained_bound() - adds "execution units (most on p5: 3.00)"; the mark of the chain is `mark`,
 * "" for none. */
void explained_bound(struct buf *out, const struct explained *x, const struct explaining_core *core,
		     enum bound bound, const char *mark);

/* explained_place() - adds ", FILE:LINE: a loop of 5 instructions, ..."; explained_cycles():
 * "4.00 cycles each, ..."; explained_unknown(): nothing, or what the tables lack. */
void explained_place(struct buf *out, const struct explained *x);
void explained_cycles(struct buf *out, const struct explained *x,
		      const struct explaining_core *core);
void explained_unknown(struct buf *out, const struct explained *x,
		       const struct explaining_core *core);

#endif
