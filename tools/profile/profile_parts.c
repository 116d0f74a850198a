// SPDX-License-Identifier: BSD-2-Clause
/* profile_parts.c - see profile_parts.h. */
#include "tools/profile/profile_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/memory.h"

#define OF_PIECES 0 /* the number of their region */

static uint64_t *counter_group_of(struct profile_file *file, const struct profile_counters *of,
				  uint64_t i)
{
	return (uint64_t *)(void *)((char *)file + of->at + i * of->step);
}

static void clear_counters(struct profile_file *file)
{
	struct profile_counters of[PROFILE_COUNTERS];

	profile_counters_of(&file->header, of);
	for (unsigned r = OF_PIECES + 1; r < PROFILE_COUNTERS; r++)
		for (uint32_t i = 0; i < of[r].n; i++) {
			uint64_t *word = counter_group_of(file, &of[r], i);

			for (uint32_t k = 0; k < of[r].words; k++)
				if (word[k]) /* the file is sparse */
					word[k] = 0;
		}
	for (uint32_t i = 0; i < file->header.npieces; i++)
		file->piece[i].count = file->piece[i].excluded = 0;
	for (uint32_t i = 0; i < file->header.nbranches; i++)
		file->branch[i].count = 0;
}

void profile_parts_clear(struct profile_file *file)
{
	clear_counters(file);
	file->header.parts = file->header.nparts = 0;
}

/* Adds the group at `word`, of `left` words. Returns its size; 0: it is damaged. */
static uint64_t add_counter_group(struct profile_file *file,
				  const struct profile_counters of[PROFILE_COUNTERS],
				  const uint64_t *word, uint64_t left)
{
	const uint64_t region = *word >> 32, i = (uint32_t)*word;
	uint64_t *to;

	if (region >= PROFILE_COUNTERS || i >= of[region].n || left < 1 + of[region].words)
		return 0;
	if (region == OF_PIECES) {
		file->piece[i].excluded -= word[1];
		return 2;
	}
	to = counter_group_of(file, &of[region], i);
	for (uint32_t k = 0; k < of[region].words; k++)
		to[k] += word[1 + k];
	return 1 + of[region].words;
}

static int add_groups(struct profile_file *file, const uint64_t *word, uint64_t n,
		      struct reason *why)
{
	struct profile_counters of[PROFILE_COUNTERS];
	uint64_t taken;

	profile_counters_of(&file->header, of);
	for (uint64_t i = 0; i < n; i += taken) {
		taken = add_counter_group(file, of, word + i, n - i);
		if (!taken)
			return refuse(why, EBADMSG, "a part of the profile is damaged");
	}
	return 0;
}

/* Reads `bytes` at `at` behind the structure; NULL, with the reason: it cannot. */
static void *read_part(int fd, uint64_t at, uint64_t bytes, struct reason *why)
{
	void *to = memory_checked(malloc(bytes + 1));

	if (pread(fd, to, bytes, (off_t)(sizeof(struct profile_file) + at)) == (ssize_t)bytes)
		return to;
	free(to);
	refuse(why, EBADMSG, "a part of the profile is damaged");
	return NULL;
}

/* Reads the head of the part at `*at`, which moves behind the head. */
static int read_head(const struct profile_file *file, int fd, uint64_t *at,
		     struct profile_part *head, struct reason *why)
{
	struct profile_part *part = read_part(fd, *at, sizeof(*part), why);

	if (!part)
		return -EBADMSG;
	*head = *part;
	free(part);
	*at += sizeof(*part);
	if (*at > file->header.parts || head->bytes > file->header.parts - *at)
		return refuse(why, EBADMSG, "a part of the profile is damaged");
	return 0;
}

/* Adds the part at `*at`, which moves behind it. */
static int join_part(struct profile_file *file, int fd, uint64_t *at, struct profile_part *head,
		     struct reason *why)
{
	uint64_t *word;
	int err = read_head(file, fd, at, head, why);

	if (err)
		return err;
	word = read_part(fd, *at, head->bytes, why);
	if (!word)
		return -EBADMSG;
	err = add_groups(file, word, head->bytes / sizeof(*word), why);
	free(word);
	*at += head->bytes;
	return err;
}

/* Finds the begin of a command's first part. */
static int find_command(const struct profile_file *file, int fd, size_t command, uint64_t *at,
			struct reason *why)
{
	struct profile_part head;
	int err = 0;

	for (*at = 0; !err && command && *at < file->header.parts; *at += head.bytes) {
		err = read_head(file, fd, at, &head, why);
		command -= !err && head.ends_command;
	}
	return err || !command ? err : refuse(why, ENODATA, "a part of the profile is missing");
}

int profile_parts_load(struct profile_file *file, int fd, uint64_t *at, struct reason *why)
{
	struct profile_part head;

	clear_counters(file);
	return join_part(file, fd, at, &head, why);
}

int profile_parts_load_command(struct profile_file *file, int fd, size_t command,
			       struct reason *why)
{
	struct profile_part head = {0};
	uint64_t at;
	int err = find_command(file, fd, command, &at, why);

	clear_counters(file);
	while (!err && !head.ends_command && at < file->header.parts)
		err = join_part(file, fd, &at, &head, why);
	return err || head.ends_command ? err
					: refuse(why, ENODATA, "a part of the profile is missing");
}

int profile_parts_join(struct profile_file *file, int fd, struct reason *why)
{
	struct profile_part head;
	uint64_t at = 0;
	int err = 0;

	while (!err && at < file->header.parts)
		err = join_part(file, fd, &at, &head, why);
	file->header.parts = file->header.nparts = 0;
	return err;
}
