/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - what the ELF file of the image says of an address: the function, and the source line
 * where DWARF has it. Addresses are those in the file, before it is loaded anywhere.
 */
#ifndef TOOLS_OUT_SYMBOLS_H
#define TOOLS_OUT_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

struct symbol {
	const char *name;    /* as sources have it: those of C++ are demangled */
	uint64_t start, end; /* end is the first address behind it */
};

struct symbols;

/*
 * symbols_open() - reads the symbols of the file at `path`. NULL: it could not be read, with the
 * reason. A file without symbols is none with an empty table.
 */
struct symbols *symbols_open(const char *path, struct reason *why);
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
