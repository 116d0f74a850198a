/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packing.h - what the image is given for the programs of a run, so that they find what they would
 * find on the host: each with its interpreter and its libraries, or the interpreter of its script,
 * under the paths that they have here; files that options name; environment, arguments, standard
 * input. All of it goes into one tree, from which pack_writer.h makes the pack.
 *
 *	packing_begin();
 *	packing_start(), packing_word()     for what each command starts, and its other words
 *	packing_end();
 */
#ifndef TOOLS_PROGRAM_PACKING_H
#define TOOLS_PROGRAM_PACKING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/program/program_options.h"
#include "tools/program/libraries.h"
#include "tools/program/pack_tree.h"

/* A zeroed struct is empty. */
struct packing {
	const struct program_given *given;
	struct tree tree;
	struct libraries cached; /* for glibc's interpreter */
	struct given_words
		listed; /* the environment in which interpreters list libraries; NULL at its end */
	struct buf environment; /* K=V, each terminated */
	struct buf musl_path;   /* folders for musl's interpreter, a line each */
	char here[PATH_MAX];    /* where the tool is */
	char cwd[PATH_MAX];     /* where programs start */
	uint64_t loaded;   /* bytes that processes take of what was started, all zeros written to */
	unsigned programs; /* that were added */
	unsigned arguments; /* lists of them in the pack */
};

/* packing_begin() - --root, where programs start, and their environment. `given` stays the
 * caller's. -E with the reason, as all of these. */
int packing_begin(struct packing *packing, const struct program_given *given, struct reason *why);

/*
 * packing_start() - `word`, a path or a name, is started, with what it needs. Fills `path` with the
 * path by which the image is to start it, which is the word itself where that finds the same file
 * there.
 */
int packing_start(struct packing *packing, const char *word, char path[PATH_MAX],
		  struct reason *why);

/* packing_word() - any other word: it may be the path of a program that the first one starts. */
void packing_word(struct packing *packing, const char *word);

/*
 * packing_finds() - whether packing_start() would find a program of that name, which has no slash,
 * in the folders of PATH: of --root's, and then of the host's.
 */
bool packing_finds(const struct packing *packing, const char *name, char path[PATH_MAX]);

/*
 * packing_arguments() - the words (NULL-terminated) of a program, with `path` in front of them, as
 * an entry of the pack: `*name` is its name, and lives as long as `packing`.
 */
int packing_arguments(struct packing *packing, const char *path, const char *const *words,
		      const char **name, struct reason *why);

/* packing_end() - what options and the tool's standard input give. */
int packing_end(struct packing *packing, struct reason *why);

/* packing_is_asked() - whether options give something, so that there is a pack in any case. */
bool packing_is_asked(const struct program_given *given);

void packing_free(struct packing *packing);

#endif
