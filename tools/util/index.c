// SPDX-License-Identifier: BSD-2-Clause
/* index.c - see index.h. */
#include "tools/util/index.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

#include "tools/util/status.h"
#include "tools/util/hash.h"

#define FIRST_ROOM 64

/* Returns the start of hashes: a random number, or a constant if none is available. */
static uint64_t hash_salt(void)
{
	static uint64_t chosen;

	if (!chosen && getrandom(&chosen, sizeof(chosen), GRND_NONBLOCK) != sizeof(chosen))
		chosen = UINT64_C(0x9e3779b97f4a7c15);
	chosen |= 1;
	return chosen;
}

/* Returns the cell of the key, or the free cell where it belongs. A free cell always exists. */
static struct index_cell *find_cell(const struct index *index, uint64_t a, uint64_t b)
{
	size_t at = hash_mix(hash_mix(a + hash_salt()) + b) & (index->room - 1);

	while (index->cells[at].value && (index->cells[at].a != a || index->cells[at].b != b))
		at = (at + 1) & (index->room - 1);
	return &index->cells[at];
}

static void make_index_room(struct index *index)
{
	struct index old = *index;

	if (2 * (old.used + 1) <= old.room)
		return;
	index->room = old.room ? 2 * old.room : FIRST_ROOM;
	index->cells = calloc(index->room, sizeof(*index->cells));
	if (!index->cells)
		errx(STATUS_MACHINE, "out of memory for %zu entries", index->room);
	for (size_t i = 0; i < old.room; i++)
		if (old.cells[i].value)
			*find_cell(index, old.cells[i].a, old.cells[i].b) = old.cells[i];
	free(old.cells);
}

size_t index_find(const struct index *index, uint64_t a, uint64_t b)
{
	return index->room ? find_cell(index, a, b)->value - 1 : INDEX_NONE;
}

void index_set(struct index *index, uint64_t a, uint64_t b, size_t value)
{
	struct index_cell *cell;

	make_index_room(index);
	cell = find_cell(index, a, b);
	index->used += !cell->value;
	*cell = (struct index_cell){a, b, value + 1};
}

void index_add(struct index *index, uint64_t a, uint64_t b, size_t value)
{
	if (index_find(index, a, b) == INDEX_NONE)
		index_set(index, a, b, value);
}

static XXH128_hash_t hash_text(const char *text)
{
	return XXH3_128bits_withSeed(text, strlen(text), hash_salt());
}

size_t index_find_text(const struct index *index, const char *text)
{
	const XXH128_hash_t hash = hash_text(text);

	return index_find(index, hash.low64, hash.high64);
}

void index_add_text(struct index *index, const char *text, size_t value)
{
	const XXH128_hash_t hash = hash_text(text);

	index_add(index, hash.low64, hash.high64, value);
}

void index_free(struct index *index)
{
	free(index->cells);
	*index = (struct index){0};
}
