/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * streams.h - generates the pieces of code that measure an instruction. In a chain, each copy waits
 * for the copy before it; there is one chain from each operand that is read to each that is
 * written. In a stream, no copy waits for another.
 */
#ifndef TOOLS_BENCH_STREAMS_H
#define TOOLS_BENCH_STREAMS_H

#include "include/perf0/bench.h"
#include "tools/bench/forms.h"
#include "tools/bench/code_shape.h"

/* A piece of assembly. Each line is one statement. */
struct piece {
	enum bench_role role;
	unsigned each;     /* copies of the instruction in the code */
	struct buf detail; /* path of a chain: "2;1" */
	struct buf init;   /* runs before the code, after the form's common initialisation */
	struct buf code;
};

/* streams_template() - prints one copy of the instruction, for shape_decode(). */
void streams_template(struct buf *to, const struct form *form);

/*
 * streams_init() - prints the code that runs before all pieces of the form. It sets registers and
 * memory.
 */
void streams_init(struct buf *to, const struct form *form, const struct shape *shape);

/*
 * streams_make() - appends all pieces to an array of `*n`, and returns the array. piece_free() -
 * frees what one piece holds.
 */
struct piece *streams_make(struct piece *pieces, size_t *n, const struct form *form,
			   const struct shape *shape);
void piece_free(struct piece *piece);

#endif
