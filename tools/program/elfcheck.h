/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfcheck.h - checks whether an ELF file can run in ring 3 as on Linux, and what it needs: 64-bit
 * x86, with fixed or position-independent addresses, static or with an interpreter. elfutils parse
 * the file. No value in the file is trusted.
 */
#ifndef TOOLS_PROGRAM_ELFCHECK_H
#define TOOLS_PROGRAM_ELFCHECK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/reason.h"

struct elf_needs {
	char interpreter[PATH_MAX]; /* "": none */
	char soname[NAME_MAX + 1];  /* soname of a library; "": none */
	char run_path[PATH_MAX];    /* folders that its libraries are searched in first; "": none */
	bool is_library;            /* it has no interpreter, but needs libraries or has a soname */
	unsigned isa;               /* level of x86-64 that it declares; 0: none declared */
	uint64_t loaded;            /* bytes of its segments in memory */
};

/* elfcheck_is() - returns whether the open file begins like an ELF file. */
bool elfcheck_is(int fd);

/*
 * elfcheck_program() - checks the open file of a program. -EINVAL with the reason, without the
 * file's name: it cannot be started. elfcheck_library() - checks a library, which needs no entry
 * point.
 */
int elfcheck_program(struct elf_needs *needs, int fd, struct reason *why);
int elfcheck_library(struct elf_needs *needs, int fd, struct reason *why);

#endif
