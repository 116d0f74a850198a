/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suites.h - programs that have several benchmarks, by names that they tell themselves: those of
 * Google Benchmark, and of Rust's libtest and criterion.
 */
#ifndef TOOLS_GATE_SUITES_H
#define TOOLS_GATE_SUITES_H

#include "tools/gate/measure.h"

/*
 * suites_expand() - puts in the place of each benchmark whose program is such a suite those that it
 * has, NAME/ITS-NAME each. Their programs run on the machine that stands, to be asked. Returns 0,
 * or the status after a line about it.
 */
int suites_expand(struct benchmarks *benchmarks, const struct options *options);

#endif
