/* SPDX-License-Identifier: BSD-2-Clause */
/* sibling.h - code that runs in an endless loop beside what is measured, on the other thread of the
 * same core. */
#ifndef BENCH_SIBLING_H
#define BENCH_SIBLING_H

#include "bench/bench_measure.h"

/*
 * sibling_start() - copies of `code` run from now on in ring 3, with memory of their own that R14,
 * RDI, RSI, RBP and RSP point into, until the program ends. Ends it with a line where the CPU has
 * no sibling. After measure_begin().
 */
void sibling_start(const struct bench *b, const struct emit_bytes *code);

#endif
