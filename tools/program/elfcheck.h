/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfcheck.h - whether an ELF file can run in ring 3 as Linux would run it, and what it needs:
 * 64-bit x86, at fixed addresses or position-independent, linked statically or with an interpreter.
 * By elfutils; nothing in the file is believed.
 */
#ifndef TOOLS_PROGRAM_ELFCHECK_H
#define TOOLS_PROGRAM_ELFCHECK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/reason.h"

struct elf_needs {
	char interpreter[PATH_MAX]; /* "": none */
	char soname[NAME_MAX + 1];  /* of a library; "": none */
	char run_path[PATH_MAX];    /* where its libraries are looked for first; "": nowhere */
	bool is_library;            /* it wants others, or has a soname, and names no interpreter */
	unsigned isa;               /* level of x86-64 that it says it needs; 0: it does not say */
	uint64_t loaded;            /* bytes of its segments in memory */
};

/* elfcheck_is() - whether the file that is open begins as ELF files do. */
bool elfcheck_is(int fd);

/*
 * elfcheck_program() - reads the file that is open. -EINVAL with the reason, without its name: it
 * is none that can be started. elfcheck_library(): the same of one that programs may load, which
 * need not start anywhere.
 */
int elfcheck_program(struct elf_needs *needs, int fd, struct reason *why);
int elfcheck_library(struct elf_needs *needs, int fd, struct reason *why);

#endif
