/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inlined.h - finds source lines and inlined functions of many addresses by DWARF. It reads each
 * compilation unit once, when the first of its addresses is asked for.
 */
#ifndef TOOLS_SYMBOLS_INLINED_H
#define TOOLS_SYMBOLS_INLINED_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

/* A function that was inlined. */
struct inlined {
	const char *name;            /* of the source */
	const char *linkage;         /* as linkers know it; NULL: unknown */
	unsigned declared;           /* line where it is declared; 0: unknown */
	const char *file;            /* where it was inlined; NULL: unknown */
	unsigned line;               /* there; 0: unknown */
	unsigned discriminator;      /* of the call in that line, as the compiler encodes it */
	const struct inlined *outer; /* which was inlined around it; NULL: none */
};

/* A place in the sources. */
struct source_place {
	const char *file; /* NULL: unknown */
	unsigned line;
	unsigned discriminator;        /* of the block in that line, as the compiler encodes it */
	const struct inlined *inlined; /* the innermost; NULL: not in an inlined function */
};

struct inlined_reader;

/* inlined_open() - returns a reader of the debug information of `symbols`, which it refers to. */
struct inlined_reader *inlined_open(const struct symbols *symbols);

/* inlined_find() - returns the place of `address`, which lives as long as the reader. */
struct source_place inlined_find(struct inlined_reader *reader, uint64_t address);

/* inlined_unit() - finds the compilation unit with the code at `address`; false: there is none. */
bool inlined_unit(const struct inlined_reader *reader, uint64_t address, Dwarf_Die *unit);

void inlined_close(struct inlined_reader *reader);

#endif
