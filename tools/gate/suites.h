/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suites.h - programs with several benchmarks, which list their names: those of Google Benchmark,
 * and of Rust's libtest and criterion.
 */
#ifndef TOOLS_GATE_SUITES_H
#define TOOLS_GATE_SUITES_H

#include "tools/gate/measure.h"

/*
 * suites_expand() - replaces each benchmark whose program is such a suite by the suite's own, each
 * NAME/ITS-NAME. Runs the programs on the standing machine to list them. Returns 0, or the status
 * after a message.
 */
int suites_expand(struct benchmarks *benchmarks, const struct options *options);

#endif
