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
 * pack_set_source() - sets a second source of files for programs, beside the host. `find` returns
 * an archive in memory of page_alloc_user(), which stays until the next call, and its size in
 * bytes. NULL: there is none; or it cannot be read, and `*why` is a sentence that says so.
 * pack_has_volume() - was a source set?
 */
void pack_set_source(const void *(*find)(size_t *bytes, const char **why));
bool pack_has_volume(void);

/*
 * pack_tree() - a fresh tree with all files of the pack; the caller destroys it by tree_destroy().
 * NULL: no memory. pack_has() - does the pack have a file with that path?
 */
struct inode *pack_tree(void);
bool pack_has(const char *path);

/* pack_forget_tree() - frees the tree that pack_load() or pack_has() made, if no run has taken
 * it. */
void pack_forget_tree(void);

/* pack_folder() - the folder of such a tree in which programs start, with a reference; `root` if
 * the pack names none. */
struct inode *pack_folder(struct inode *root);

/* Notes of the pack. pack_arguments() - the note of that name (argv.N): the path, then the words;
 * size 0: there is none. pack_prefault() - the number in the note, or `otherwise`. */
struct pack_note pack_environment(void);
struct pack_note pack_stdin(void);
bool pack_asks_for_input(void);
struct pack_note pack_bring(void);
struct pack_note pack_arguments(const char *word);
uint64_t pack_seed(void);
bool pack_prefault(bool otherwise);
bool pack_allows_wx(void);

/* pack_forget() - the command has ended: frees the memory of the pack, once no program maps it. */
void pack_forget(void);

#endif
