/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debuginfod.h - fetches debug files from the servers in the variable DEBUGINFOD_URLS
 * (debuginfod(8)). Without the variable or libdebuginfod, it fetches nothing.
 */
#ifndef TOOLS_SYMBOLS_DEBUGINFOD_H
#define TOOLS_SYMBOLS_DEBUGINFOD_H

#include <stddef.h>
#include <stdint.h>

/*
 * debuginfod_fetch() - returns a descriptor of the debug file with that build-id, or -1. All calls
 * together take at most 60 seconds. Every five seconds a message tells what is fetched for the file
 * `path`. After a server could not be reached, no further file is fetched.
 */
int debuginfod_fetch(const uint8_t *id, size_t n, const char *path);

/* debuginfod_never() - disables fetching from now on, because a screen cannot wait. */
void debuginfod_never(void);

#endif
