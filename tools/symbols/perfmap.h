/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.h - the perf map of a process: its JIT compiler's list of the functions that it made,
 * which is /tmp/perf-PID.map there, and here a file that --bring wrote.
 */
#ifndef TOOLS_SYMBOLS_PERFMAP_H
#define TOOLS_SYMBOLS_PERFMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

/*
 * perfmap_note() - the file `guest` of the image lies at `path` here now. It is a perf map where
 * its name says so; the newest of a process counts, and what perfmap_symbols() gave for it is gone.
 */
bool perfmap_note(const char *guest, const char *path);

/* perfmap_symbols() - the functions of the process, by its addresses; NULL: it has no perf map. */
const struct symbols *perfmap_symbols(uint32_t pid);

#endif
