/* SPDX-License-Identifier: BSD-2-Clause */
/* packing_priv.h - what packing.c, packing_files.c and environment.c share. */
#ifndef TOOLS_PROGRAM_PACKING_PRIV_H
#define TOOLS_PROGRAM_PACKING_PRIV_H

#include "tools/program/elfcheck.h"
#include "tools/program/packing.h"

/* packing_absolute() - `word` as an absolute path, which is relative to `folder`; false: too long.
 */
bool packing_absolute(const char *folder, const char *word, char path[PATH_MAX]);

/* packing_environment() - of programs, and of interpreters that list libraries. */
int packing_environment(struct packing *packing, struct reason *why);

/* packing_variable() - the value of a variable of the programs' environment; NULL: it is not set.
 */
const char *packing_variable(const struct packing *packing, const char *name);

/* packing_libraries() - interpreter and libraries of the host's file `path`. */
int packing_libraries(struct packing *packing, const char *path, const char *interpreter,
		      const struct elf_needs *needs, struct reason *why);

/*
 * packing_cache() - glibc's interpreter is to find the library `name` at `path`. -EEXIST with the
 * reason: it already is to find it elsewhere, unless the program `finds_itself` what it wants, by a
 * RUNPATH.
 */
int packing_cache(struct packing *packing, const char *name, const char *path, bool finds_itself,
		  struct reason *why);

#endif
