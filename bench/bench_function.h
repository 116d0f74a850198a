/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_function.h - functions around copies of code (emit.h), which bench_measure.c and
 * bench_trace_run.c run. Each function here ends the program with a line where it fails. */
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

/* function_map() - maps zeros. function_check_bytes() - checks the size of all copies. */
void *function_map(uint64_t bytes);
void function_check_bytes(uint64_t bytes);

/* function_shape() - the shape around `code`, without the number of copies, with events on their
 * current counters. */
struct emit_shape function_shape(const struct bench *b, const struct bench_code *code);

/*
 * function_make() - makes a function of b->shape with so many copies at `*at`, and moves `*at`
 * behind it. It begins at a multiple of 64, so that the alignment around the code does not depend
 * on the copies. function_run() - runs it in the ring that is asked for.
 */
struct function function_make(struct bench *b, uint8_t **at, uint64_t copies);
void function_run(const struct bench *b, const struct function *f);

#endif
