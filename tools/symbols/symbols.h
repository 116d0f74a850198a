/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - the function that an address lies in, and the source line where DWARF has it: all
 * that prints names asks here. Addresses are those in the file, before it is loaded anywhere; those
 * of a perf map are the process's own.
 */
#ifndef TOOLS_SYMBOLS_SYMBOLS_H
#define TOOLS_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

struct symbol {
	const char *name;    /* as sources have it, see demangle() */
	uint64_t start, end; /* end is the first address behind it */
};

struct symbols;

/*
 * symbols_open() - reads the symbols of the ELF file at `path`, and where it has none those of its
 * debug file (debugfile.h), of .gnu_debugdata, and those that it exports. NULL: it could not be
 * read, with the reason. A file without symbols is none with an empty table. A name of more than
 * 65536 bytes is left out.
 */
struct symbols *symbols_open(const char *path, struct reason *why);

/* symbols_open_perfmap() - the same of a perf map, whose lines are START SIZE NAME, in hex. Lines
 * of another form are left out, and one without an end too: its writer is not done yet. */
struct symbols *symbols_open_perfmap(const char *path, struct reason *why);
void symbols_close(struct symbols *symbols);

/* symbols_find() - the function that `address` lies in, NULL when in none. `symbols` may be NULL.
 */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

/*
 * symbols_line() - the source line of `address`, from 1; 0 when there is none. `*file` lives as
 * long as `symbols`, which may be NULL.
 */
unsigned symbols_line(const struct symbols *symbols, uint64_t address, const char **file);

#endif
