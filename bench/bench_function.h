/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_function.h - functions around copies of code (emit.h), as bench_measure.c and
 * bench_trace_run.c run them. Each ends the program with a line where it cannot be done. */
#ifndef BENCH_BENCH_FUNCTION_H
#define BENCH_BENCH_FUNCTION_H

#include "bench/emit.h"
#include "bench/bench_measure.h"

#include <stdint.h>

#define PAGE 4096ull

struct function {
	void (*fn)(void);
	struct emit_places places;
	uint64_t n; /* copies */
};

/* function_map() - zeros. function_check_bytes() - the copies have so many altogether. */
void *function_map(uint64_t bytes);
void function_check_bytes(uint64_t bytes);

/* function_shape() - what is around `code`, without how many copies, with events on the counters
 * that they have now. */
struct emit_shape function_shape(const struct bench *b, const struct bench_code *code);

/*
 * function_make() - of b->shape, with so many copies, at `*at`, which is moved behind it; at a
 * multiple of 64, so that what is around the code is the same, whatever its copies.
 * function_run() - in the ring that is asked for.
 */
struct function function_make(struct bench *b, uint8_t **at, uint64_t copies);
void function_run(const struct bench *b, const struct function *f);

#endif
