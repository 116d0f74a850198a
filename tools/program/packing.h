/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packing.h - collects the files of a run's programs, so that they find the same files in the image
 * as on the host. These are: each program with its interpreter and its libraries, or with the
 * interpreter of its script, under their paths on this host; files that options name; environment,
 * arguments, and standard input. All go into one tree, which pack_writer.h writes as the pack.
 *
 *   packing_begin();
 *   packing_start(), packing_word()     for each command's program, and for its other words
 *   packing_end();
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

/* The state of packing. A zeroed struct is empty. */
struct packing {
	const struct program_options *options;
	struct tree tree;
	struct libraries cached; /* libraries in the cache of glibc's interpreter */
	struct option_values
		listed; /* environment of interpreters that list libraries; NULL at its end */
	struct buf environment; /* K=V, each NUL-terminated */
	struct buf musl_path;   /* folders for musl's interpreter, one in each line */
	char here[PATH_MAX];    /* the tool's current folder */
	char cwd[PATH_MAX];     /* folder in which programs start */
	uint64_t loaded;        /* bytes of memory that the programs and their libraries take */
	unsigned programs;      /* number of programs added */
	unsigned arguments;     /* number of argument lists in the pack */
};

/* packing_begin() - adds --root, the folder in which programs start, and their environment. The
 * caller keeps `options`. All functions that take `why` return -E with the reason. */
int packing_begin(struct packing *packing, const struct program_options *options,
		  struct reason *why);

/*
 * packing_start() - adds the program `word`, a path or a name, with all files that it needs. `path`
 * receives the path by which the image should start it. That is the word itself if it finds the
 * same file in the image.
 */
int packing_start(struct packing *packing, const char *word, char path[PATH_MAX],
		  struct reason *why);

/*
 * packing_word() - adds the file of any other word, if it is the path of a program: the first
 * program may start it.
 */
void packing_word(struct packing *packing, const char *word);

/*
 * packing_finds() - returns whether packing_start() would find a program of this name, which has no
 * slash, in the folders of PATH: first below --root, then on the host.
 */
bool packing_finds(const struct packing *packing, const char *name, char path[PATH_MAX]);

/*
 * packing_arguments() - adds `path` and then `words` (NULL-terminated) as the arguments of a
 * program. `*name` receives the name of the pack's entry, and is valid as long as `packing`.
 */
int packing_arguments(struct packing *packing, const char *path, const char *const *words,
		      const char **name, struct reason *why);

/* packing_end() - adds the files of options, and the tool's standard input. */
int packing_end(struct packing *packing, struct reason *why);

/*
 * packing_is_asked() - returns whether the options add something, so that a pack is needed in any
 * case.
 */
bool packing_is_asked(const struct program_options *options);

void packing_free(struct packing *packing);

#endif
