/* SPDX-License-Identifier: BSD-2-Clause */
/* stash_files.h - results as include/perf0/stash.h has them in memory. Portable; task context. */
#ifndef RT_PORTABLE_STASH_FILES_H
#define RT_PORTABLE_STASH_FILES_H

#include "include/perf0/stash.h"
#include "rt/portable/results.h"

/* stash_pack() - what `results` keeps, into `room` bytes at `at`. Returns how many files found no
 * room: they are left out. */
unsigned stash_pack(void *at, size_t room, const struct results *results);

/*
 * stash_unpack() - files of such memory, added to `results`, whose label is theirs from now on.
 * Returns how many there were; -EINVAL: it is not what its checksums say; -ENOMEM: from some file
 * on there was no memory. stash_forget(): nothing is there any more.
 */
int stash_unpack(const void *at, size_t room, struct results *results);
void stash_forget(void *at);

#endif
