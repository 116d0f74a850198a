/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump.h - reads a JIT compiler's dump, jit-PID.dump (Linux, tools/perf/Documentation/
 * jitdump-specification.txt).
 */
#ifndef TOOLS_SYMBOLS_JITDUMP_H
#define TOOLS_SYMBOLS_JITDUMP_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* jitdump_is() - returns whether a file begins as a dump does, in either byte order. */
bool jitdump_is(const struct buf *dump);

/*
 * jitdump_to_perfmap() - appends a line of a perf map, START SIZE NAME, for each function that was
 * loaded, and for each place that one was moved to. The dump ends at JIT_CODE_CLOSE, or at an
 * incomplete last record, whose writer was interrupted. Returns 0, or -EINVAL with the reason: the
 * dump is of another version or byte order, or has a record that cannot be.
 */
int jitdump_to_perfmap(struct buf *map, const struct buf *dump, struct reason *why);

#endif
