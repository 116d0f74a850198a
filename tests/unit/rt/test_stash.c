// SPDX-License-Identifier: BSD-2-Clause
/* test_stash.c - rt/portable/stash_files.c: results that pass through memory, also through memory
 * that something has changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>

#include "tests/unit/test.h"

#include "lib/format/crc32c.h"
#include "rt/portable/stash_files.h"

#define ROOM 200000

static uint8_t *memory; /* ROOM bytes, of which ASan knows the end */

/* Files of 0, 1, 7, 8, 9, ... bytes, and files of many pieces. */
static const size_t sizes[] = {0, 1, 7, 8, 9, 2000, 40000, 100001};
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

static uint8_t byte_of(size_t file, size_t at)
{
	return (uint8_t)(at * 31 + file + (at >> 8));
}

static void make_results(struct results *results)
{
	results_init(results, NULL, "Board X", "20260101");
	for (size_t i = 0; i < NSIZES; i++) {
		struct pieces content = {0};
		char name[RESULTS_NAME_MAX];

		for (size_t k = 0; k < sizes[i]; k++) {
			const uint8_t byte = byte_of(i, k);

			assert_true(pieces_add(&content, &byte, 1));
		}
		snprintf(name, sizeof(name), "%03zu-stat.txt", i);
		assert_int_equal(results_add(results, name, &content), 0);
	}
}

static void expect_file(const struct results_file *file, size_t i)
{
	char name[RESULTS_NAME_MAX];
	size_t at = 0;

	snprintf(name, sizeof(name), "%03zu-stat.txt", i);
	assert_string_equal(file->name, name);
	assert_int_equal(file->content.bytes, sizes[i]);
	for (const struct piece *p = file->content.first; p; p = p->next)
		for (uint32_t k = 0; k < p->n; k++)
			assert_int_equal(p->bytes[k], byte_of(i, at++));
	assert_int_equal(at, sizes[i]);
}

FIXTURE(setup)
{
	memory = malloc(ROOM);
	memset(memory, 0xaa, ROOM);
	return 0;
}

FIXTURE(teardown)
{
	free(memory);
	return 0;
}

TEST_WITH(there_and_back, setup, teardown)
{
	struct results before, after;
	size_t i = 0;

	make_results(&before);
	assert_int_equal(stash_pack(memory, ROOM, &before), 0);
	results_init(&after, NULL, NULL, NULL);
	assert_int_equal(stash_unpack(memory, ROOM, &after), NSIZES);
	assert_string_equal(after.label, before.label);
	assert_int_equal(after.nkept, NSIZES);
	for (const struct results_file *file = after.first; file; file = file->next)
		expect_file(file, i++);
	results_free(&after);
	results_free(&before);
	stash_forget(memory);
	assert_int_equal(stash_unpack(memory, ROOM, &after), -EINVAL);
}

/* For any amount of room, files that do not fit are left out, and the others are whole. */
TEST_WITH(little_room, setup, teardown)
{
	struct results before, after;

	make_results(&before);
	for (size_t room = sizeof(struct stash_head); room < ROOM; room += 997) {
		unsigned left_out = stash_pack(memory, room, &before);

		results_init(&after, NULL, NULL, NULL);
		assert_int_equal(stash_unpack(memory, room, &after), NSIZES - left_out);
		results_free(&after);
	}
	results_free(&before);
}

/* Each byte of head and content is checked: one change makes the whole stash invalid. */
TEST_WITH(damage, setup, teardown)
{
	struct results before, after;
	uint64_t bytes;

	make_results(&before);
	stash_pack(memory, ROOM, &before);
	memcpy(&bytes, memory + offsetof(struct stash_head, bytes), sizeof(bytes));
	results_init(&after, NULL, NULL, NULL);
	for (size_t i = 0; i < sizeof(struct stash_head) + bytes; i += i < 400 ? 1 : 1009) {
		memory[i] ^= 0x10;
		assert_int_equal(stash_unpack(memory, ROOM, &after), -EINVAL);
		memory[i] ^= 0x10;
	}
	assert_int_equal(after.nkept, 0);
	results_free(&before);
}

/* With wrong sizes and right checksums nothing outside of the stash is read. */
TEST_WITH(wrong_sizes, setup, teardown)
{
	static const uint64_t wrong[] = {UINT64_MAX, UINT64_MAX - 80, ROOM, 40};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct stash_head head = {
			.magic = STASH_MAGIC, .magic_2 = STASH_MAGIC_2, .files = 2};
		struct stash_file file = {.name = "x", .bytes = wrong[i]};
		struct results after;

		head.bytes = sizeof(file) + 8;
		memcpy(memory + sizeof(head), &file, sizeof(file));
		head.content_crc = crc32c(0, memory + sizeof(head), head.bytes);
		head.head_crc = crc32c(0, &head, offsetof(struct stash_head, head_crc));
		memcpy(memory, &head, sizeof(head));
		results_init(&after, NULL, NULL, NULL);
		assert_int_equal(stash_unpack(memory, ROOM, &after), -EINVAL);
		results_free(&after);
	}
}
