/* SPDX-License-Identifier: BSD-2-Clause */
/* packing_priv.h - functions that packing.c, packing_files.c and environment.c share. */
#ifndef TOOLS_PROGRAM_PACKING_PRIV_H
#define TOOLS_PROGRAM_PACKING_PRIV_H

#include "tools/program/elfcheck.h"
#include "tools/program/packing.h"

/* packing_absolute() - stores `word` as an absolute path; a relative word begins at `folder`.
 * Returns false if the path is too long. */
bool packing_absolute(const char *folder, const char *word, char path[PATH_MAX]);

/*
 * packing_environment() - makes the environments of programs, and of interpreters that list
 * libraries.
 */
int packing_environment(struct packing *packing, struct reason *why);

/* packing_variable() - returns the value of a variable in the programs' environment; NULL: not
 * set. */
const char *packing_variable(const struct packing *packing, const char *name);

/* packing_libraries() - adds interpreter and libraries of the host's file `path`. */
int packing_libraries(struct packing *packing, const char *path, const char *interpreter,
		      const struct elf_needs *needs, struct reason *why);

/*
 * packing_cache() - makes glibc's interpreter find the library `name` at `path`. -EEXIST with the
 * reason: the cache has another path for it already. That is no error if the program `finds_itself`
 * its libraries, by a RUNPATH.
 */
int packing_cache(struct packing *packing, const char *name, const char *path, bool finds_itself,
		  struct reason *why);

#endif
