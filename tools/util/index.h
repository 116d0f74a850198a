/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index.h - finds the element of an array by its key in constant time. A key is two numbers, which
 * the caller chooses. A zeroed struct is empty. Keys come from streams, whose authors may choose
 * them to collide, so each run uses another seed for the hash.
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
	struct index_cell *cells; /* hash table with open addressing */
	size_t room, used;        /* `room` is a power of two, or 0 */
};

/* index_find() - returns the value of the key, or INDEX_NONE. */
size_t index_find(const struct index *index, uint64_t a, uint64_t b);

/*
 * index_set() - sets the value of the key, and replaces an earlier one. `value` is below
 * INDEX_NONE.
 */
void index_set(struct index *index, uint64_t a, uint64_t b, size_t value);

/* index_add() - like index_set(), but keeps an earlier value. */
void index_add(struct index *index, uint64_t a, uint64_t b, size_t value);

/*
 * index_find_text(), index_add_text() - like the functions above, with the 128-bit hash of a text
 * as the key.
 */
size_t index_find_text(const struct index *index, const char *text);
void index_add_text(struct index *index, const char *text, size_t value);

void index_free(struct index *index);

#endif
