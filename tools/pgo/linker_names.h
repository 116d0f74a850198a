/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linker_names.h - the functions of an ELF file by the names that optimizers know: those of the
 * symbol table. BOLT adds "/N" to a local one: it is the Nth local symbol of that name by address,
 * data included.
 */
#ifndef TOOLS_PGO_LINKER_NAMES_H
#define TOOLS_PGO_LINKER_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/symbols/elf_file.h"

struct pgo_function {
	uint64_t start, end;
	const char *name; /* of the symbol; lives as long as `file` */
	unsigned local;   /* N of BOLT's name; 0: a global symbol */
};

struct pgo_functions {
	struct elf_file file;
	struct pgo_function *function; /* sorted by address, disjoint */
	size_t n;
};

/* functions_read() - reads the file at `path`. Returns 0, or -E with the reason: it cannot be read,
 * or has no symbol table. */
int functions_read(struct pgo_functions *functions, const char *path, struct reason *why);
void functions_free(struct pgo_functions *functions);

/* functions_find() - returns the function that contains `address`; NULL: none. */
const struct pgo_function *functions_find(const struct pgo_functions *functions, uint64_t address);

/*
 * functions_jump_targets() - calls `fn` with the target of each direct jump in the function that
 * stays in it, executed or not.
 */
void functions_jump_targets(const struct pgo_functions *functions,
			    const struct pgo_function *function,
			    void (*fn)(void *ctx, uint64_t target), void *ctx);

/* functions_code_base() - returns the address of the first executable segment, and stores in
 * `*offset` where it begins in the file. */
uint64_t functions_code_base(const struct pgo_functions *functions, uint64_t *offset);

#endif
