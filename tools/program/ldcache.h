/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldcache.h - a file /etc/ld.so.cache for glibc's interpreter, which looks there before it looks in
 * its default directories: so it finds each library of a pack where the host's interpreter found
 * it, with the environment and the arguments as they are.
 */
#ifndef TOOLS_PROGRAM_LDCACHE_H
#define TOOLS_PROGRAM_LDCACHE_H

#include <stddef.h>

#include "tools/program/libraries.h"
#include "tools/util/buf.h"

#define LDCACHE_PATH "/etc/ld.so.cache"

/* ldcache_add() - appends the file, with a row for each of the libraries, which get sorted. Names
 * are unique. */
void ldcache_add(struct buf *out, struct libraries *libraries);

#endif
