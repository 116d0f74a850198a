/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.h - the memories of a saved machine. Each is a file in memory that QEMU maps, so QEMU
 * itself neither saves nor loads it. Pages of zeros are not saved, and equal pages are saved once.
 * In a file of the cache, behind the state that QEMU wrote:
 *
 *   page       contents  pages that are not zero, each one once
 *              places    struct saved_place, in the order of the memories and of their pages
 *   end        struct saved_end
 *
 *   pages_save()    appends the memories to a file
 *   pages_find()    finds them in the state of such a file
 *   pages_put()     fills one memory
 */
#ifndef TOOLS_SAVED_PAGES_H
#define TOOLS_SAVED_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

#define SAVED_MEMORIES   3 /* most of one machine */
#define SAVED_PAGE_BYTES 4096u

/* A memory of a machine. */
struct saved_memory {
	int fd;             /* inherited by QEMU; -1: there is none */
	uint64_t bytes;     /* a multiple of the page size */
	const char *device; /* its name in QEMU, if a device has it; NULL: the machine's own */
};

/* Where a page lies in its memory, and which of the contents it has. */
struct saved_place {
	uint32_t page, content;
};

struct saved_end {
	uint64_t bytes[SAVED_MEMORIES];
	uint32_t places[SAVED_MEMORIES]; /* of each memory */
	uint32_t contents;
};

_Static_assert(sizeof(struct saved_end) == 40, "a file's layout");

/* Saved memories, which lie in the state of an open file. */
struct saved_pages {
	const uint8_t *contents;
	const struct saved_place *places;
	struct saved_end end;
};

/*
 * memory_create() - creates a memory of zeros. memory_clear() - makes it zero again.
 * memory_close() - closes it, if there is one. 0, or -E with the reason.
 */
int memory_create(struct saved_memory *memory, const char *name, uint64_t bytes,
		  struct reason *why);
int memory_clear(const struct saved_memory *memory, struct reason *why);
void memory_close(struct saved_memory *memory);

/*
 * pages_save() - appends `n` memories to the file `fd`, behind the state that QEMU wrote at
 * `state`. 0, or -E with the reason.
 */
int pages_save(int fd, uint64_t state, const struct saved_memory *memories, size_t n,
	       struct reason *why);

/*
 * pages_find() - finds the memories in `state`, which begins at a page of its file. -EBADMSG with
 * the reason: it does not end with memories of the sizes of `memories`.
 */
int pages_find(struct saved_pages *pages, const void *state, uint64_t bytes,
	       const struct saved_memory *memories, size_t n, struct reason *why);

/*
 * pages_put() - gives memory number `which` its saved pages. Its other pages become zero. 0, or -E
 * with the reason.
 */
int pages_put(const struct saved_pages *pages, const struct saved_memory *memories, size_t which,
	      struct reason *why);

#endif
