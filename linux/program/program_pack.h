/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_pack.h - input for programs that the host tool hands in: files, folders and links,
 * environment, standard input, and the rest that include/perf0/programs.h names. The pack is
 * read when a command first needs it, and kept until that command ends. Each run of a program
 * gets a fresh tree of files. Task context.
 */
#ifndef LINUX_PROGRAM_PROGRAM_PACK_H
#define LINUX_PROGRAM_PROGRAM_PACK_H

#include "linux/file/inode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the pack that describes the run: bytes that stay as long as the pack. */
struct pack_note {
	const char *bytes;
	size_t size;
};

/*
 * pack_load() - reads the pack, once per command. NULL: it is loaded, or there is none (all
 * notes are empty then); else one sentence that says why it cannot be used.
 */
const char *pack_load(void);

/*
 * pack_set_source() - sets the second source of files for programs, beside those of a host.
 * `find` returns an archive in memory of page_alloc_user(), which stays until the next call, and
 * its bytes. It returns NULL where there is none, or where it cannot be read; then `*why` is a
 * sentence that says so. pack_has_volume() - was a source set?
 */
void pack_set_source(const void *(*find)(size_t *bytes, const char **why));
bool pack_has_volume(void);

/*
 * pack_tree() - a fresh tree with all of its files, the caller's, for tree_destroy(); NULL: no
 * memory. pack_has() - is there a file of that path?
 */
struct inode *pack_tree(void);
bool pack_has(const char *path);

/* pack_forget_tree() - frees a tree that was made to search files and that no run has taken. */
void pack_forget_tree(void);

/* pack_folder() - the folder of such a tree in which programs start, or else `root`, with a
 * reference. */
struct inode *pack_folder(struct inode *root);

/* Notes of the pack. pack_arguments() - the note argv.N: the path, then the words; NULL size:
 * there is none. pack_number() - the number in a note; `otherwise` where there is none. */
struct pack_note pack_environment(void);
struct pack_note pack_stdin(void);
bool pack_asks_for_input(void);
struct pack_note pack_bring(void);
struct pack_note pack_arguments(const char *word);
uint64_t pack_seed(void);
bool pack_prefault(bool otherwise);
bool pack_allows_wx(void);

/* pack_forget() - the command has ended: the memory of the pack is freed when no program maps it
 * any more. */
void pack_forget(void);

#endif
