// SPDX-License-Identifier: BSD-2-Clause
/*
 * part_writer.c - see part_writer.h. Groups of counters that are zero are neither written nor
 * stored to, since the file is sparse.
 */
#include "vpmu/plugin/part_writer.h"

#include <stdlib.h>
#include <string.h>

#include "vpmu/plugin/profile_pieces.h"

#define PIECES 0 /* their region's number */

static struct {
	uint64_t *word; /* of the part that is being written */
	size_t n, room;
} part;

void parts_exclude(bool exclude)
{
	struct profile_file *f = profile_file();

	if (f->header.is_excluding == exclude)
		return;
	for (uint32_t i = 0; i < f->header.npieces; i++)
		f->piece[i].excluded += exclude ? -f->piece[i].count : f->piece[i].count;
	f->header.is_excluding = exclude;
}

static bool is_group_zero(const uint64_t *group, uint32_t words)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < words; i++)
		any |= group[i];
	return !any;
}

/* Calls `do_group` for each group that is not zero. The value of a piece is in its place. */
static void each_group(void (*do_group)(uint64_t key, uint64_t *group, uint32_t words))
{
	struct profile_file *f = profile_file();
	struct profile_counters of[PROFILE_COUNTERS];

	profile_counters_of(&f->header, of);
	for (uint64_t r = PIECES + 1; r < PROFILE_COUNTERS; r++)
		for (uint32_t i = 0; i < of[r].n; i++) {
			uint64_t *group = (void *)((char *)f + of[r].at + i * of[r].step);

			if (!is_group_zero(group, of[r].words))
				do_group(r << 32 | i, group, of[r].words);
		}
}

static void zero_group(uint64_t key, uint64_t *group, uint32_t words)
{
	(void)key;
	memset(group, 0, words * sizeof(*group));
}

static void exclude_all_so_far(struct profile_file *f)
{
	for (uint32_t i = 0; i < f->header.npieces; i++)
		f->piece[i].excluded = f->header.is_excluding ? 0 : f->piece[i].count;
}

void parts_zero(void)
{
	exclude_all_so_far(profile_file());
	each_group(zero_group);
}

static void append_words(const uint64_t *word, uint32_t n)
{
	if (part.n + n > part.room) {
		part.room = 2 * (part.n + n);
		part.word = realloc(part.word, part.room * sizeof(*part.word));
		if (!part.word)
			abort();
	}
	memcpy(part.word + part.n, word, n * sizeof(*word));
	part.n += n;
}

static void append_group(uint64_t key, uint64_t *group, uint32_t words)
{
	append_words(&key, 1);
	append_words(group, words);
}

static void append_pieces(void)
{
	const struct profile_file *f = profile_file();

	for (uint32_t i = 0; i < f->header.npieces; i++) {
		uint64_t executions = profile_executions(f, i);

		if (executions)
			append_group((uint64_t)PIECES << 32 | i, &executions, 1);
	}
}

void parts_write(bool ends_command)
{
	const struct profile_part begun = {.ends_command = ends_command};
	struct profile_part *head;

	part.n = 0;
	append_words(&begun.bytes, sizeof(begun) / sizeof(begun.bytes));
	append_pieces();
	each_group(append_group);
	head = (void *)part.word;
	head->bytes = part.n * sizeof(*part.word) - sizeof(*head);
	profile_append(part.word, part.n * sizeof(*part.word));
}
