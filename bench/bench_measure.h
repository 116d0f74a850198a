/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_measure.h - the measurements of one program that the image's `bench` runs: of each piece of
 * code, how much more twice as many copies of it count than that many, as often as `bench` asks
 * for. Each of them ends the program with a line where it cannot be done.
 */
#ifndef BENCH_BENCH_MEASURE_H
#define BENCH_BENCH_MEASURE_H

#include "bench/emit.h"

#include <stdint.h>

/* Pieces of machine code, any of which may be empty: see emit.h. */
struct bench_code {
	struct emit_bytes code, init, late_init;
};

struct bench {
	struct bench_settings settings;
	uint64_t areas[EMIT_AREAS];
	int64_t *values; /* of the measurements, one after the other */
	uint64_t nvalues;
	struct emit_shape shape;
	struct emit_context *context;
};

/* measure_begin() - asks for what is to be measured. Before all others. */
void measure_begin(struct bench *b);

/* measure_run_once() - runs `code` once, as it would be measured. */
void measure_run_once(struct bench *b, const struct emit_bytes *code);

/* measure_code() - measures `code`; what it counts is added to the values, or with `sign` -1 taken
 * from them. */
void measure_code(struct bench *b, const struct bench_code *code, int sign);

/*
 * measure_trace() - where a trace is asked for: what `code` has counted at each cycle, which is
 * handed in under `name`.
 */
void measure_trace(struct bench *b, const struct bench_code *code, const char *name);

/* measure_hand_in() - the values are the results of what is called `name`; they are 0 afterwards.
 */
void measure_hand_in(struct bench *b, const char *name);

/* measure_hand_in_as() - the same, with what else the result says: its role, and so on. `each`: a
 * copy of the code has so many of what is measured. */
void measure_hand_in_as(struct bench *b, const char *name, uint64_t each,
			struct bench_result *result);

#endif
