/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - finds the function and, with DWARF, the source line of an address. All code that
 * prints names uses it. Addresses are those in the file, before it is loaded; those of a perf map
 * are the process's own.
 */
#ifndef TOOLS_SYMBOLS_SYMBOLS_H
#define TOOLS_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

struct symbol {
	const char *name;    /* the name in the source, see demangle() */
	uint64_t start, end; /* `end` is the first address behind the function */
};

struct symbols;

/*
 * symbols_open() - reads the symbols of the ELF file at `path`. If it has none, those of its debug
 * file (debugfile.h) or of .gnu_debugdata and the exported ones are read. NULL with the reason: the
 * file cannot be read. A file without symbols has an empty table, which is no error. Names of more
 * than 65536 bytes are dropped.
 */
struct symbols *symbols_open(const char *path, struct reason *why);

/* symbols_open_perfmap() - like symbols_open(), for a perf map, whose lines are START SIZE NAME,
 * in hex. Lines of another form are skipped, and so is an incomplete last line, whose writer is
 * still at work. A jitdump (jitdump.h) is read as the perf map that says the same. */
struct symbols *symbols_open_perfmap(const char *path, struct reason *why);
void symbols_close(struct symbols *symbols);

/* symbols_find() - returns the function that contains `address`; NULL: none. `symbols` may be
 * NULL. */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

/*
 * symbols_each() - calls `fn` with the number of each function and its addresses, which are
 * disjoint and ascend. A function ends where the next one begins at the latest. One without a size
 * reaches up to the next one, and the last one has end == start. A label without a size inside of a
 * function is no function.
 */
void symbols_each(const struct symbols *symbols,
		  void (*fn)(void *ctx, size_t number, uint64_t start, uint64_t end), void *ctx);

/* symbols_name() - returns the source name of the function with that number; see demangle(). */
const char *symbols_name(const struct symbols *symbols, size_t number);

/* symbols_dwarf() - returns the debug information, as libdw's Dwarf; NULL: none. */
struct Dwarf *symbols_dwarf(const struct symbols *symbols);

/*
 * symbols_line() - returns the source line of `address`, from 1; 0: unknown. `*file` is valid as
 * long as `symbols`, which may be NULL.
 */
unsigned symbols_line(const struct symbols *symbols, uint64_t address, const char **file);

#endif
