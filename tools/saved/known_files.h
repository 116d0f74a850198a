/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * known_files.h - the hashes of files that were hashed before. Each start of a machine asks for
 * those of a dozen MB.
 *
 *   $XDG_STATE_HOME/perf0/file-hashes   struct known_file, one after the other
 *
 * A file is known by its device, inode, size, and times of the last change of contents and of
 * inode. No program can set the latter back. A file that changed within KNOWN_AGE_S is not
 * remembered: it may change again within one tick of the clock that sets the times.
 */
#ifndef TOOLS_SAVED_KNOWN_FILES_H
#define TOOLS_SAVED_KNOWN_FILES_H

#include <stdint.h>
#include <sys/stat.h>

#define KNOWN_FILES_NAME "file-hashes"
#define KNOWN_AGE_S      2
#define KNOWN_MOST       512 /* entries; the file is emptied then */

struct known_file {
	uint64_t device, inode, bytes;
	uint64_t modified, changed; /* ns */
	uint64_t hash;
};

/* known_file_hash() - like file_hash() of the whole file `fd`. Returns 0, or -errno. */
int known_file_hash(int fd, uint64_t *hash);

#endif
