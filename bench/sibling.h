/* SPDX-License-Identifier: BSD-2-Clause */
/* sibling.h - code that runs in an endless loop beside the measured code, on the other thread of
 * the same core. */
#ifndef BENCH_SIBLING_H
#define BENCH_SIBLING_H

#include "bench/bench_measure.h"

/*
 * sibling_start() - runs copies of `code` from now on in ring 3 until the program ends, with memory
 * of their own that R14, RDI, RSI, RBP and RSP point into. Ends the program with a line where the
 * CPU has no sibling. After measure_begin().
 */
void sibling_start(const struct bench *b, const struct emit_bytes *code);

#endif
