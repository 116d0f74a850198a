// SPDX-License-Identifier: BSD-2-Clause
/* pages.c - see pages.h. */
#include "tools/saved/pages.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "tools/util/buf.h"

#define RUN_PAGES 65536 /* most that one call writes, which has a limit of 2 GiB */

/* --- A memory --- */

int memory_create(struct saved_memory *memory, const char *name, uint64_t bytes, struct reason *why)
{
	/* QEMU inherits the descriptor. */
	*memory = (struct saved_memory){.fd = memfd_create(name, 0), .bytes = bytes};
	if (memory->fd >= 0 && !ftruncate(memory->fd, (off_t)bytes))
		return 0;
	refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	memory_close(memory);
	return -ENOMEM;
}

int memory_clear(const struct saved_memory *memory, struct reason *why)
{
	if (!fallocate(memory->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		       (off_t)memory->bytes))
		return 0;
	return refuse(why, errno, "memory that is shared with QEMU: %s", strerror(errno));
}

void memory_close(struct saved_memory *memory)
{
	if (memory->fd >= 0)
		close(memory->fd);
	memory->fd = -1;
}

/* --- Saving --- */

/* The distinct pages found so far. */
struct contents {
	struct buf pages;  /* pointers to their bytes */
	struct buf places; /* struct saved_place */
	uint32_t n;
	uint32_t *slots; /* their numbers + 1 by their hashes; 0: free */
	size_t mask;     /* number of slots - 1 */
};

static const uint8_t *const *page_list(const struct contents *contents)
{
	return (const uint8_t *const *)contents->pages.data;
}

static bool is_zero_page(const uint8_t *page)
{
	return !page[0] && !memcmp(page, page + 1, SAVED_PAGE_BYTES - 1);
}

/* Returns the number of the page's content, which is added if it is new. */
static uint32_t number_content(struct contents *contents, const uint8_t *page)
{
	size_t at = XXH3_64bits(page, SAVED_PAGE_BYTES) & contents->mask;

	for (uint32_t slot; (slot = contents->slots[at]); at = (at + 1) & contents->mask)
		if (!memcmp(page_list(contents)[slot - 1], page, SAVED_PAGE_BYTES))
			return slot - 1;
	buf_add(&contents->pages, &page, sizeof(page));
	contents->slots[at] = ++contents->n;
	return contents->n - 1;
}

static void note_pages(struct contents *contents, const uint8_t *memory, uint64_t at, uint64_t end)
{
	for (; at < end; at += SAVED_PAGE_BYTES) {
		struct saved_place place = {.page = (uint32_t)(at / SAVED_PAGE_BYTES)};

		if (is_zero_page(memory + at))
			continue;
		place.content = number_content(contents, memory + at);
		buf_add(&contents->places, &place, sizeof(place));
	}
}

/* Notes the pages of a memory that were ever written. */
static void note_memory_pages(struct contents *contents, const struct saved_memory *memory,
			      const uint8_t *bytes)
{
	off_t end = 0, at;

	while ((at = lseek(memory->fd, end, SEEK_DATA)) >= 0) {
		end = lseek(memory->fd, at, SEEK_HOLE);
		note_pages(contents, bytes, (uint64_t)at, (uint64_t)end);
	}
}

static bool write_to_cache(int fd, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	while (n) {
		const ssize_t done = write(fd, at, n);

		if (done <= 0)
			return false;
		at += done;
		n -= (size_t)done;
	}
	return true;
}

/* Moves the file's position to a page behind its end. */
static bool seek_page(int fd)
{
	const off_t end = lseek(fd, 0, SEEK_END);
	const off_t page = (end + SAVED_PAGE_BYTES - 1) / SAVED_PAGE_BYTES * SAVED_PAGE_BYTES;

	return end >= 0 && lseek(fd, page, SEEK_SET) == page;
}

static bool write_contents(int fd, const struct contents *contents, const struct saved_end *end)
{
	if (!seek_page(fd))
		return false;
	for (uint32_t i = 0; i < contents->n; i++)
		if (!write_to_cache(fd, page_list(contents)[i], SAVED_PAGE_BYTES))
			return false;
	return write_to_cache(fd, contents->places.data, contents->places.size) &&
	       write_to_cache(fd, end, sizeof(*end));
}

/* Makes the table of hashes, at most half full. */
static int begin_contents(struct contents *contents, const struct saved_memory *memories, size_t n)
{
	uint64_t pages = 0;
	size_t slots = 2;

	for (size_t i = 0; i < n; i++)
		pages += memories[i].bytes / SAVED_PAGE_BYTES;
	while (slots < 2 * pages)
		slots *= 2;
	*contents = (struct contents){.slots = calloc(slots, sizeof(uint32_t)), .mask = slots - 1};
	return contents->slots ? 0 : -ENOMEM;
}

static void free_contents(struct contents *contents)
{
	free(contents->slots);
	buf_free(&contents->pages);
	buf_free(&contents->places);
}

static void unmap_memories(uint8_t *const *maps, const struct saved_memory *memories, size_t n)
{
	for (size_t i = 0; i < n; i++)
		munmap(maps[i], memories[i].bytes);
}

/* The contents point into all memories, so these are mapped together. */
static int map_memories(uint8_t **maps, const struct saved_memory *memories, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		maps[i] = mmap(NULL, memories[i].bytes, PROT_READ, MAP_SHARED, memories[i].fd, 0);
		if (maps[i] == MAP_FAILED) {
			const int err = -errno;

			unmap_memories(maps, memories, i);
			return err;
		}
	}
	return 0;
}

static bool save_mapped(int fd, uint8_t *const *maps, const struct saved_memory *memories, size_t n,
			struct contents *contents)
{
	struct saved_end end = {0};
	size_t before = 0;

	for (size_t i = 0; i < n; i++) {
		note_memory_pages(contents, &memories[i], maps[i]);
		end.bytes[i] = memories[i].bytes;
		end.places[i] =
			(uint32_t)((contents->places.size - before) / sizeof(struct saved_place));
		before = contents->places.size;
	}
	end.contents = contents->n;
	return write_contents(fd, contents, &end);
}

#define HEAD_BYTES 65536 /* the list of memories is near the start of a state */

/*
 * Makes the address of a device's memory 0 in the state. QEMU lists each memory as name, length
 * and, if it leaves shared memory out, address, the numbers with the high byte first. It refuses a
 * memory at another address. A device has none before its registers are loaded.
 */
static bool forget_address(int fd, uint64_t state, const struct saved_memory *memory)
{
	const uint64_t length = htobe64(memory->bytes), none = 0;
	struct buf listed = {0};
	uint8_t *head = malloc(HEAD_BYTES), *found = NULL;
	const ssize_t n = head ? pread(fd, head, HEAD_BYTES, (off_t)state) : 0;
	bool is_done = false;

	buf_printf(&listed, "/%s", memory->device);
	buf_add(&listed, &length, sizeof(length));
	if (n > 0)
		found = memmem(head, (size_t)n, listed.data, listed.size);
	if (found)
		is_done =
			pwrite(fd, &none, sizeof(none),
			       (off_t)state + (found - head) + (off_t)listed.size) == sizeof(none);
	buf_free(&listed);
	free(head);
	return is_done;
}

static int forget_addresses(int fd, uint64_t state, const struct saved_memory *memories, size_t n,
			    struct reason *why)
{
	for (size_t i = 0; i < n; i++)
		if (memories[i].device && !forget_address(fd, state, &memories[i]))
			return refuse(why, EPROTO, "QEMU's state does not list the memory '%s'",
				      memories[i].device);
	return 0;
}

int pages_save(int fd, uint64_t state, const struct saved_memory *memories, size_t n,
	       struct reason *why)
{
	uint8_t *maps[SAVED_MEMORIES];
	struct contents contents;
	int err = map_memories(maps, memories, n);

	if (err)
		return refuse(why, -err, "the machine's memory: %s", strerror(-err));
	err = begin_contents(&contents, memories, n);
	if (err)
		refuse(why, -err, "the machine's memory: %s", strerror(-err));
	else if (!save_mapped(fd, maps, memories, n, &contents))
		err = refuse(why, EIO, "the cache can not be written: %s", strerror(errno));
	else
		err = forget_addresses(fd, state, memories, n, why);
	free_contents(&contents);
	unmap_memories(maps, memories, n);
	return err;
}

/* --- Restoring --- */

static int refuse_pages(struct reason *why)
{
	return refuse(why, EBADMSG, "the saved machine is damaged");
}

/* Returns whether the places name contents that exist, and pages of their memories. */
static bool are_places_right(const struct saved_pages *pages)
{
	const struct saved_place *place = pages->places;

	for (size_t i = 0; i < SAVED_MEMORIES; i++)
		for (uint32_t n = pages->end.places[i]; n; n--, place++)
			if (place->content >= pages->end.contents ||
			    place->page >= pages->end.bytes[i] / SAVED_PAGE_BYTES)
				return false;
	return true;
}

int pages_find(struct saved_pages *pages, const void *state, uint64_t bytes,
	       const struct saved_memory *memories, size_t n, struct reason *why)
{
	const uint8_t *first = state;
	uint64_t places = 0, behind;

	*pages = (struct saved_pages){0};
	if (bytes < sizeof(pages->end))
		return refuse_pages(why);
	memcpy(&pages->end, first + bytes - sizeof(pages->end), sizeof(pages->end));
	for (size_t i = 0; i < SAVED_MEMORIES; i++) {
		if (pages->end.bytes[i] != (i < n ? memories[i].bytes : 0))
			return refuse_pages(why);
		places += pages->end.places[i];
	}
	behind = sizeof(pages->end) + places * sizeof(struct saved_place);
	if (behind + (uint64_t)pages->end.contents * SAVED_PAGE_BYTES > bytes ||
	    (bytes - behind) % SAVED_PAGE_BYTES)
		return refuse_pages(why);
	pages->places = (const struct saved_place *)(first + bytes - behind);
	pages->contents = first + bytes - behind - (size_t)pages->end.contents * SAVED_PAGE_BYTES;
	return are_places_right(pages) ? 0 : refuse_pages(why);
}

/* Adds a page to the pieces; pages that lie side by side in the file are one piece. */
static int add_page_piece(struct iovec *pieces, int n, const uint8_t *page)
{
	struct iovec *last = &pieces[n - 1];

	if (n && (const uint8_t *)last->iov_base + last->iov_len == page) {
		last->iov_len += SAVED_PAGE_BYTES;
		return n;
	}
	pieces[n] = (struct iovec){(void *)page, SAVED_PAGE_BYTES};
	return n + 1;
}

/* Writes pages that lie side by side in the memory. Returns how many, or -E. */
static int put_run(const struct saved_pages *pages, const struct saved_place *place, size_t n,
		   int fd)
{
	struct iovec pieces[IOV_MAX];
	int used = 0;
	size_t i;

	for (i = 0; i < n && i < RUN_PAGES && used < IOV_MAX && place[i].page == place[0].page + i;
	     i++)
		used = add_page_piece(pieces, used,
				      pages->contents +
					      (size_t)place[i].content * SAVED_PAGE_BYTES);
	if (pwritev(fd, pieces, used, (off_t)place[0].page * SAVED_PAGE_BYTES) !=
	    (ssize_t)(i * SAVED_PAGE_BYTES))
		return -EIO;
	return (int)i;
}

int pages_put(const struct saved_pages *pages, const struct saved_memory *memories, size_t which,
	      struct reason *why)
{
	const struct saved_place *place = pages->places;
	int done = memory_clear(&memories[which], why);

	if (done)
		return done;
	for (size_t i = 0; i < which; i++)
		place += pages->end.places[i];
	for (size_t left = pages->end.places[which]; left; left -= (size_t)done, place += done) {
		done = put_run(pages, place, left, memories[which].fd);
		if (done < 0)
			return refuse(why, EIO, "memory that is shared with QEMU: %s",
				      strerror(errno));
	}
	return 0;
}
