/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_pack.h - what the host tool handed in for programs: files, folders and links,
 * environment, standard input, and the rest that include/perf0/programs.h names. It is read when a
 * command needs it first, and kept until the end of that command; each run of a program finds a
 * fresh tree of files.
 *
 * Task context.
 */
#ifndef LINUX_PROGRAM_PROGRAM_PACK_H
#define LINUX_PROGRAM_PROGRAM_PACK_H

#include "linux/file/inode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the pack that tells about the run: bytes that stay as long as the pack. */
struct pack_note {
	const char *bytes;
	size_t size;
};

/*
 * pack_load() - reads it, if that was not done yet for this command. NULL: it is there, or there is
 * none (all notes are empty then); else why it cannot be used, one sentence.
 */
const char *pack_load(void);

/*
 * pack_set_source() - where files for programs are found beside those that a host has handed in: an
 * archive in memory of page_alloc_user(), which stays until `find` is called again, and its bytes.
 * NULL: there is none, or it can not be had, and `*why` is a sentence that says so.
 * pack_has_volume(): that was called.
 */
void pack_set_source(const void *(*find)(size_t *bytes, const char **why));
bool pack_has_volume(void);

/*
 * pack_tree() - a fresh tree with all of its files, the caller's, for tree_destroy(); NULL: no
 * memory. pack_has() - is there a file of that path?
 */
struct inode *pack_tree(void);
bool pack_has(const char *path);

/* pack_forget_tree() - a tree that was made to look for files, and that no run has taken, goes. */
void pack_forget_tree(void);

/* pack_folder() - of such a tree the folder in which programs start, or else `root`, with a
 * reference. */
struct inode *pack_folder(struct inode *root);

/* Its notes. pack_arguments() - of the word argv.N: the path, then the words; NULL size: there is
 * none. pack_number() - of a note with a number; `otherwise` where there is none. */
struct pack_note pack_environment(void);
struct pack_note pack_stdin(void);
bool pack_asks_for_input(void);
struct pack_note pack_bring(void);
struct pack_note pack_arguments(const char *word);
uint64_t pack_seed(void);
bool pack_prefault(bool otherwise);
bool pack_allows_wx(void);

/* pack_forget() - the command is over: its memory is free when no program maps it any more. */
void pack_forget(void);

#endif
