/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debuginfod.h - debug files from the servers that the variable DEBUGINFOD_URLS names
 * (debuginfod(8)). Without the variable, or without libdebuginfod, nothing is asked for.
 */
#ifndef TOOLS_SYMBOLS_DEBUGINFOD_H
#define TOOLS_SYMBOLS_DEBUGINFOD_H

#include <stddef.h>
#include <stdint.h>

/*
 * debuginfod_fetch() - a descriptor of the debug file of that build-id, or -1. All calls together
 * take at most 60 seconds; a line tells every five of them what is fetched for the file `path`.
 * After a server that cannot be reached, no other file is asked for.
 */
int debuginfod_fetch(const uint8_t *id, size_t n, const char *path);

/* debuginfod_never() - no server is asked from now on: a screen is drawn that cannot wait. */
void debuginfod_never(void);

#endif
