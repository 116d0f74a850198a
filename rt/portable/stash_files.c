// SPDX-License-Identifier: BSD-2-Clause
/* stash_files.c - see stash_files.h. Portable. */
#include "rt/portable/stash_files.h"

#include "lib/format/crc32c.h"
#include "lib/string.h"

#include <linux/errno.h>

_Static_assert(RESULTS_NAME_MAX == sizeof(((struct stash_file *)0)->name), "a name finds room");
_Static_assert(RESULTS_NAME_MAX == sizeof(((struct stash_head *)0)->label), "a label finds room");

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~(uint64_t)7;
}

static void put_file(uint8_t *at, const struct results_file *file)
{
	struct stash_file head = {.bytes = file->content.bytes};

	memcpy(head.name, file->name, sizeof(head.name));
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	for (const struct piece *p = file->content.first; p; at += p->n, p = p->next)
		memcpy(at, p->bytes, p->n);
	memset(at, 0, (size_t)(padded(head.bytes) - head.bytes));
}

unsigned stash_pack(void *at, size_t room, const struct results *results)
{
	struct stash_head head = {.magic = STASH_MAGIC, .magic_2 = STASH_MAGIC_2};
	uint8_t *content = (uint8_t *)at + sizeof(head);
	unsigned left_out = 0;

	for (const struct results_file *file = results->first; file; file = file->next) {
		const uint64_t size = sizeof(struct stash_file) + padded(file->content.bytes);

		if (size > room - sizeof(head) - head.bytes) {
			left_out++;
			continue;
		}
		put_file(content + head.bytes, file);
		head.bytes += size;
		head.files++;
	}
	memcpy(head.label, results->label, sizeof(head.label));
	head.content_crc = crc32c(0, content, (size_t)head.bytes);
	head.head_crc = crc32c(0, &head, offsetof(struct stash_head, head_crc));
	memcpy(at, &head, sizeof(head));
	return left_out;
}

static bool is_whole(const struct stash_head *head, const uint8_t *content, size_t room)
{
	return head->magic == STASH_MAGIC && head->magic_2 == STASH_MAGIC_2 &&
	       head->head_crc == crc32c(0, head, offsetof(struct stash_head, head_crc)) &&
	       head->bytes <= room - sizeof(*head) && !head->label[sizeof(head->label) - 1] &&
	       head->content_crc == crc32c(0, content, (size_t)head->bytes);
}

/* Adds one file, and returns its bytes in memory; -EINVAL: there is no valid file; -ENOMEM. */
static int64_t take_file(const uint8_t *at, uint64_t room, struct results *results)
{
	struct pieces content = {0};
	struct stash_file file;

	if (room < sizeof(file))
		return -EINVAL;
	memcpy(&file, at, sizeof(file));
	if (file.name[sizeof(file.name) - 1] || file.bytes > room - sizeof(file))
		return -EINVAL;
	if (!pieces_add(&content, at + sizeof(file), (size_t)file.bytes) ||
	    results_add(results, file.name, &content)) {
		pieces_free(&content);
		return -ENOMEM;
	}
	return (int64_t)(sizeof(file) + padded(file.bytes));
}

int stash_unpack(const void *at, size_t room, struct results *results)
{
	const uint8_t *content = (const uint8_t *)at + sizeof(struct stash_head);
	struct stash_head head;
	uint64_t used = 0;

	memcpy(&head, at, sizeof(head));
	if (!is_whole(&head, content, room))
		return -EINVAL;
	memcpy(results->label, head.label, sizeof(results->label));
	for (uint32_t i = 0; i < head.files; i++) {
		const int64_t size = take_file(content + used, head.bytes - used, results);

		if (size < 0)
			return (int)size;
		used += (uint64_t)size;
	}
	return (int)head.files;
}

void stash_forget(void *at)
{
	memset(at, 0, sizeof(struct stash_head));
}
