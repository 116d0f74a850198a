/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf0_bench.h - functions of a program in C or C++ that `perf0 bench` measures:
 *
 *	#include <perf0_bench.h>
 *
 *	PERF0_BENCH(sort, 16, 1024, .factor = 4, .setup = fill) { qsort(numbers, arg, ...); }
 *
 *	gcc -O2 -static -o mine mine.c -lperf0bench  &&  perf0 bench mine
 *
 * Each function is measured for each `arg` from the first number to the last, by steps or by a
 * factor, and is called `sort/16` in tables. Counts are the difference to an empty function, whose
 * place `against` takes. `setup` and `teardown` run before and after all measurements of one arg,
 * and are not part of them. Words after the program's name choose the functions whose names begin
 * with one of them.
 *
 * The library has a main(). A program that has its own calls perf0_bench_main() there.
 *
 * `perf0 gate` asks such a program for its functions by --perf0-list, and has each one called once
 *by
 * --perf0-run NAME. It counts what is executed between perf0_bench_begins() and perf0_bench_ends().
 */
#ifndef PERF0_BENCH_FUNCTIONS_H
#define PERF0_BENCH_FUNCTIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The unit of a row of `perf0 bench --table`. */
enum perf0_bench_unit { PERF0_BENCH_CALL, PERF0_BENCH_LATENCY, PERF0_BENCH_BYTES };

struct perf0_bench {
	const char *name;
	void (*run)(uint64_t arg);
	uint64_t first, last;
	uint64_t step;   /* to the next arg; 0: 1, where there is no factor */
	uint64_t factor; /* likewise; 0: none */
	void (*setup)(uint64_t arg), (*teardown)(uint64_t arg); /* 0: none */
	void (*against)(uint64_t arg); /* counts are differences to this; 0: an empty function */
	uint64_t each;                 /* results are for one of so many units in a call; 0: 1 */
	uint64_t bytes;                /* that each unit moves */
	enum perf0_bench_unit unit;
	unsigned line; /* of the file: the order */
};

int perf0_bench_main(int argc, char **argv);
void perf0_bench_begins(void);
void perf0_bench_ends(void);

#ifdef __cplusplus
}
#endif

/* PERF0_BENCH(function, from, to, options...) { the body of the function, of `arg` } */
#define PERF0_BENCH(...)                                                                       \
	PERF0_BENCH_PICK(__VA_ARGS__, PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE, \
			 PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE,              \
			 PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE, PERF0_BENCH_WHOLE,              \
			 PERF0_BENCH_WHOLE, PERF0_BENCH_LACKS, PERF0_BENCH_LACKS, 0)           \
	(__VA_ARGS__)

#define PERF0_BENCH_PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, chosen, ...) chosen

#define PERF0_BENCH_WHOLE(function, from, to, ...)                                      \
	static void function(uint64_t arg);                                             \
	static const struct perf0_bench perf0_bench_of_##function = {.name = #function, \
								     .run = function,   \
								     .first = (from),   \
								     .last = (to),      \
								     ##__VA_ARGS__,     \
								     .line = __LINE__}; \
	__attribute__((used, section("perf0_benches"))) static const struct perf0_bench \
		*const perf0_bench_at_##function = &perf0_bench_of_##function;          \
	static void function(__attribute__((unused)) uint64_t arg)

/* Missing arguments: the compiler tells which there are. */
#ifdef __cplusplus
#define PERF0_BENCH_ASSERT static_assert
#else
#define PERF0_BENCH_ASSERT _Static_assert
#endif
#define PERF0_BENCH_LACKS(function, ...)                                                         \
	PERF0_BENCH_ASSERT(0,                                                                    \
			   "PERF0_BENCH(function, from, to, options...) takes four things: "     \
			   "name of the function, its first and its last arg, and none or some " \
			   "of .step = N, .factor = N, .setup = fn, .teardown = fn");            \
	static __attribute__((unused)) void function(__attribute__((unused)) uint64_t arg)

/* PERF0_KEEP() - makes the compiler assume that `value` is used. */
#define PERF0_KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")

#endif
