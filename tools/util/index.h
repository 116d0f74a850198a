/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index.h - finds the element of an array by its key in constant time. A key is two numbers, which
 * the caller chooses; an unused key has no value. A zeroed struct is empty. Keys come from streams,
 * which may choose them to collide: the hash is seeded anew in each run.
 */
#ifndef TOOLS_UTIL_INDEX_H
#define TOOLS_UTIL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE SIZE_MAX

struct index_cell {
	uint64_t a, b;
	size_t value; /* the value plus 1; 0: the cell is free */
};

struct index {
	struct index_cell *cells; /* a hash table of open addressing */
	size_t room, used;        /* cells: a power of two, or 0 */
};

/* index_find() - the value of the key, or INDEX_NONE. */
size_t index_find(const struct index *index, uint64_t a, uint64_t b);

/*
 * index_set() - sets the value of the key, and replaces an older one. `value` is below INDEX_NONE.
 */
void index_set(struct index *index, uint64_t a, uint64_t b, size_t value);

/* index_add() - the same, but keeps an older value. */
void index_add(struct index *index, uint64_t a, uint64_t b, size_t value);

/* index_find_text(), index_add_text() - the same with a text as the key, by its 128-bit hash. */
size_t index_find_text(const struct index *index, const char *text);
void index_add_text(struct index *index, const char *text, size_t value);

void index_free(struct index *index);

#endif
