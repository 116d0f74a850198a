/* SPDX-License-Identifier: BSD-2-Clause */
/* stash_files.h - results in memory, in the format of include/perf0/stash.h. Portable; task
 * context. */
#ifndef RT_PORTABLE_STASH_FILES_H
#define RT_PORTABLE_STASH_FILES_H

#include "include/perf0/stash.h"
#include "rt/portable/results.h"

/* stash_pack() - writes the kept files of `results` into `room` bytes at `at`. Returns the number
 * of files that were left out for lack of room. */
unsigned stash_pack(void *at, size_t room, const struct results *results);

/*
 * stash_unpack() - adds the files in such memory to `results`, and takes over their label. Returns
 * their number; -EINVAL: a checksum does not match; -ENOMEM: later files are missing.
 * stash_forget() - marks the memory as empty.
 */
int stash_unpack(const void *at, size_t room, struct results *results);
void stash_forget(void *at);

#endif
