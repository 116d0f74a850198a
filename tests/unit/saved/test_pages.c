// SPDX-License-Identifier: BSD-2-Clause
/* test_pages.c - memories of a machine: what is filled is what was saved, and nothing else. */
#include "tools/saved/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define PAGES  5000 /* of the first memory; more than one call writes */
#define DEVICE "device"
#define LISTED "pci/" DEVICE "\0\0\0\0\0\0\x30\0" /* its length: 3 pages */

static struct saved_memory memories[2];
static struct reason why;

static void write_filled(size_t memory, size_t page, int byte, size_t changed)
{
	uint8_t bytes[SAVED_PAGE_BYTES];

	memset(bytes, byte, sizeof(bytes));
	bytes[changed] ^= 1;
	assert_int_equal(
		pwrite(memories[memory].fd, bytes, sizeof(bytes), (off_t)(page * sizeof(bytes))),
		sizeof(bytes));
}

/* Pages of each kind: without writes, of zeros, of one byte, all alike, all different. */
static void write_memories(void)
{
	const uint8_t zeros[SAVED_PAGE_BYTES] = {0};

	assert_int_equal(memory_create(&memories[0], "test", PAGES * SAVED_PAGE_BYTES, &why), 0);
	assert_int_equal(memory_create(&memories[1], "test", 3 * SAVED_PAGE_BYTES, &why), 0);
	memories[1].device = DEVICE;
	for (size_t i = 10; i < 3000; i++)
		write_filled(0, i, 0xaf, 7);
	for (size_t i = 3000; i < 3300; i++)
		write_filled(0, i, (int)i, i);
	assert_int_equal(pwrite(memories[0].fd, zeros, sizeof(zeros), 4000 * sizeof(zeros)),
			 sizeof(zeros));
	write_filled(0, PAGES - 1, 0, SAVED_PAGE_BYTES - 1);
	write_filled(1, 1, 0xaf, 7);
}

static uint64_t sum_of_memory(const struct saved_memory *memory)
{
	const uint8_t *bytes = mmap(NULL, memory->bytes, PROT_READ, MAP_SHARED, memory->fd, 0);
	uint64_t sum = 0;

	assert_true(bytes != MAP_FAILED);
	for (size_t i = 0; i < memory->bytes; i++)
		sum = sum * 31 + bytes[i];
	munmap((void *)bytes, memory->bytes);
	return sum;
}

/* A state as QEMU writes it, which lists the memory of the device with an address. */
static int begin_state(void)
{
	const int fd = memfd_create("state", 0);

	assert_int_equal(write(fd, LISTED "\xfe\xc0", sizeof(LISTED) + 1), sizeof(LISTED) + 1);
	assert_int_equal(write(fd, "rest of the state", 17), 17);
	return fd;
}

static const uint8_t *map_state(int fd, size_t *bytes)
{
	*bytes = (size_t)lseek(fd, 0, SEEK_END);
	return mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
}

static void close_memories(void)
{
	memory_close(&memories[0]);
	memory_close(&memories[1]);
	assert_int_equal(memories[0].fd, -1);
}

TEST(test_filled)
{
	struct saved_pages pages;
	uint64_t sums[2];
	const uint8_t *saved;
	size_t bytes;
	int fd = begin_state();

	write_memories();
	for (size_t i = 0; i < 2; i++)
		sums[i] = sum_of_memory(&memories[i]);
	assert_int_equal(pages_save(fd, 0, memories, 2, &why), 0);
	saved = map_state(fd, &bytes);
	/* Alike pages are stored once: there are 302 contents. */
	assert_true(bytes > 302 * SAVED_PAGE_BYTES && bytes < 320 * SAVED_PAGE_BYTES);
	/* The device has no address. */
	assert_memory_equal(saved + sizeof(LISTED) - 1, "\0\0\0", 3);
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), 0);
	for (size_t i = 0; i < 2; i++) {
		/* Pages that are not saved become zero. */
		write_filled(i, 0, 0x55, 1);
		write_filled(i, 2, 0x55, 2);
		assert_int_equal(pages_put(&pages, memories, i, &why), 0);
		assert_true(sum_of_memory(&memories[i]) == sums[i]);
	}
	munmap((void *)saved, bytes);
	close(fd);
	close_memories();
}

/* A state that does not list the memory, or one of another size, is refused. */
TEST(test_other_memories)
{
	struct saved_pages pages;
	const uint8_t *saved;
	size_t bytes;
	int fd = begin_state();

	write_memories();
	memories[1].device = "other";
	assert_int_equal(pages_save(fd, 0, memories, 2, &why), -EPROTO);
	assert_non_null(strstr(why.text, "does not list the memory 'other'"));
	close(fd);
	fd = begin_state();
	memories[1].device = DEVICE;
	assert_int_equal(pages_save(fd, 0, memories, 2, &why), 0);
	saved = map_state(fd, &bytes);
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 1, &why), -EBADMSG);
	memories[0].bytes += SAVED_PAGE_BYTES;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), -EBADMSG);
	munmap((void *)saved, bytes);
	close(fd);
	close_memories();
}

/* Numbers that lead out of the state or of a memory are refused. */
TEST(test_wrong_numbers)
{
	struct saved_pages pages;
	struct saved_end *end;
	struct saved_place *last;
	uint8_t *saved;
	size_t bytes;
	int fd = begin_state();

	write_memories();
	assert_int_equal(pages_save(fd, 0, memories, 2, &why), 0);
	saved = (uint8_t *)map_state(fd, &bytes);
	end = (struct saved_end *)(saved + bytes - sizeof(*end));
	last = (struct saved_place *)end - 1;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), 0);
	assert_int_equal(pages_find(&pages, saved, sizeof(*end) - 1, memories, 2, &why), -EBADMSG);
	last->page += 2;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), -EBADMSG);
	last->page -= 2;
	last->content = end->contents;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), -EBADMSG);
	last->content = 0;
	end->contents += 100;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), -EBADMSG);
	end->contents -= 100;
	end->places[2]++;
	assert_int_equal(pages_find(&pages, saved, bytes, memories, 2, &why), -EBADMSG);
	munmap(saved, bytes);
	close(fd);
	close_memories();
}
