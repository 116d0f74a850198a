/* SPDX-License-Identifier: BSD-2-Clause */
/* complain.h - the errors that end the harness: one line, and a status. */
#ifndef BENCH_COMPLAIN_H
#define BENCH_COMPLAIN_H

#include "include/perf0/bench.h"

#include <stddef.h>
#include <stdint.h>

#define STATUS_FAILED 1
#define STATUS_USAGE  2

/* fail() - "bench: WHY". */
_Noreturn void fail(int status, const char *why);

/* watch_code() - from now on exceptions of ring 3 end the program with a line that gives the place
 * in the code. watched_copies() - sets the code: `n` copies of `bytes` bytes each from `at` on. */
void watch_code(void);
void watched_copies(const uint8_t *at, size_t bytes, uint64_t n);

/*
 * watch_thread() - the same on a second thread, whose code is distinguished from the first one's.
 */
void watch_thread(void);

/* survive_faults() - from now on an exception ends the run of the code, and not the program:
 * `go_on` is called with it, and must not return. NULL: it ends the program. */
void survive_faults(void (*go_on)(const struct bench_fault *fault));

/* fail_by_fault() - ends the program with a line about an exception of the code, in either ring. */
_Noreturn void fail_by_fault(const struct bench_fault *fault);

#endif
