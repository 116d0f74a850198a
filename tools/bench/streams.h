/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * streams.h - the pieces of code that an instruction's latencies and throughput are measured by:
 * chains, in which each copy waits for the one before, from each operand that is read to each that
 * is written; and streams, in which none waits for another.
 */
#ifndef TOOLS_BENCH_STREAMS_H
#define TOOLS_BENCH_STREAMS_H

#include "include/perf0/bench.h"
#include "tools/bench/forms.h"
#include "tools/bench/code_shape.h"

/* Assembly, of which each line is one statement. */
struct piece {
	enum bench_role role;
	unsigned each;     /* of the instruction, in the code */
	struct buf detail; /* of a chain: "2;1" */
	struct buf init;   /* runs before it, behind that of all pieces of the form */
	struct buf code;
};

/* streams_template() - the instruction alone, for shape_decode(). */
void streams_template(struct buf *to, const struct form *form);

/* streams_init() - what runs before all pieces of the form: values of registers and memory. */
void streams_init(struct buf *to, const struct form *form, const struct shape *shape);

/* streams_make() - all pieces, appended to an array of `n`, which is returned. piece_free(). */
struct piece *streams_make(struct piece *pieces, size_t *n, const struct form *form,
			   const struct shape *shape);
void piece_free(struct piece *piece);

#endif
