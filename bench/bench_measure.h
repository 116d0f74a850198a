/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_measure.h - the measurements of one program that the image's `bench` runs: for each piece
 * of code, the difference between the counts of twice as many copies and of that many, as often as
 * `bench` asks for. Each function ends the program with a line where it fails.
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

/* measure_begin() - asks which code is to be measured. Before all other functions. */
void measure_begin(struct bench *b);

/* measure_run_once() - runs `code` once, in the same way as a measurement. */
void measure_run_once(struct bench *b, const struct emit_bytes *code);

/* measure_code() - measures `code`, and adds its counts to the values, or subtracts them with
 * `sign` -1. */
void measure_code(struct bench *b, const struct bench_code *code, int sign);

/* measure_trace() - where a trace is asked for: hands in the counts of `code` at each cycle under
 * `name`. */
void measure_trace(struct bench *b, const struct bench_code *code, const char *name);

/* measure_hand_in() - hands the values in as results of `name`, and sets them to 0. */
void measure_hand_in(struct bench *b, const char *name);

/* measure_hand_in_as() - the same with the other members of the result, like its role. `each`:
 * units of work in a copy of the code. */
void measure_hand_in_as(struct bench *b, const char *name, uint64_t each,
			struct bench_result *result);

#endif
