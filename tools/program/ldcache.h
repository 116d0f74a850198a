/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldcache.h - creates the /etc/ld.so.cache of a pack. glibc's interpreter reads it before it
 * searches its default directories. So it finds each library where the host's interpreter found it,
 * without a change to environment or arguments.
 */
#ifndef TOOLS_PROGRAM_LDCACHE_H
#define TOOLS_PROGRAM_LDCACHE_H

#include <stddef.h>

#include "tools/program/libraries.h"
#include "tools/util/buf.h"

#define LDCACHE_PATH "/etc/ld.so.cache"

/* ldcache_add() - appends the file, with a row for each library. It sorts `libraries`, whose
 * names are unique. */
void ldcache_add(struct buf *out, struct libraries *libraries);

#endif
