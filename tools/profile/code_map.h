/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_map.h - the code that a run may execute: the ELF files of programs, their loader, libraries,
 * and the image. The plugin recognizes the pages of these files, and their functions by number
 * (include/perf0/profile_file.h). Names stay here.
 */
#ifndef TOOLS_PROFILE_CODE_MAP_H
#define TOOLS_PROFILE_CODE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "include/perf0/profile_file.h"
#include "lib/reason.h"
#include "tools/symbols/symbols.h"
#include "tools/util/buf.h"

/* A function, [start, end), as the file counts addresses. */
struct code_symbol {
	uint64_t start, end;
	size_t number; /* for symbols_name(), if `plt` is NULL */
	char *plt;     /* its name, if it has no symbol: "NAME@plt", or "[0xADDRESS]" */
};

struct code_object {
	char *path; /* in the image */
	char *host; /* on the host */
	struct symbols *symbols;
	struct buf symbol; /* struct code_symbol, sorted by address, disjoint */
	struct buf page;   /* struct profile_page, sorted by address */
	size_t first;      /* number of functions in the objects before */
};

struct code_map {
	struct code_object *object;
	size_t n;
};

/*
 * code_map_add() - adds the ELF file at `host`, which the image knows as `path`. A path that is
 * there already is ignored. Returns 0, or -E with the reason: the file cannot be read. A file
 * without symbols is no error.
 */
int code_map_add(struct code_map *map, const char *path, const char *host, struct reason *why);

/*
 * code_map_write() - writes pages, objects and symbols to a profile file that is zero. Returns 0,
 * or -E2BIG with the reason: these are more than the file has room for.
 */
int code_map_write(const struct code_map *map, struct profile_file *file, struct reason *why);

void code_map_free(struct code_map *map);

static inline size_t code_object_symbols(const struct code_object *object)
{
	return object->symbol.size / sizeof(struct code_symbol);
}

static inline const struct code_symbol *code_object_symbol(const struct code_object *object,
							   size_t i)
{
	return (const struct code_symbol *)(const void *)object->symbol.data + i;
}

/* code_object_find() - returns the index of the function at `address`, or SIZE_MAX. */
size_t code_object_find(const struct code_object *object, uint64_t address);

/* code_symbol_name() - returns the source name of a function, which lives as long as the map. */
const char *code_symbol_name(const struct code_object *object, const struct code_symbol *symbol);

#endif
