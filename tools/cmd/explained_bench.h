/* SPDX-License-Identifier: BSD-2-Clause */
/* explained_bench.h - `bench --explain`: what limits the measured code in a model of the core. */
#ifndef TOOLS_CMD_EXPLAINED_BENCH_H
#define TOOLS_CMD_EXPLAINED_BENCH_H

#include "tools/options/tool_options.h"

/* explained_bench() - nothing runs. Returns the exit status, after a message. */
int explained_bench(const struct options *options, const char **words);

#endif
