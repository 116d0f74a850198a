/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.h - reads the perf map of a process: a JIT compiler's list of its functions. It is
 * /tmp/perf-PID.map in the image, and on the host a file that --bring wrote. A jitdump
 * (jit-PID.dump, in any folder) serves as well; of the two, the one noted last counts.
 */
#ifndef TOOLS_SYMBOLS_PERFMAP_H
#define TOOLS_SYMBOLS_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

/*
 * perfmap_note() - notes that the image's file `guest` was copied to `path` on the host. Returns
 * whether its name is that of a perf map or a jitdump. The newest map of a process counts, and
 * invalidates the earlier result of perfmap_symbols().
 */
bool perfmap_note(const char *guest, const char *path);

/*
 * perfmap_symbols() - returns the functions of the process, at its own addresses; NULL: no perf
 * map.
 */
const struct symbols *perfmap_symbols(uint32_t pid);

/*
 * perfmap_all() - stores the functions of all processes with a perf map in `map`, at most `most`.
 * Returns their number.
 */
size_t perfmap_all(const struct symbols **map, size_t most);

#endif
