/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * areas.h - the address space of a program as areas: its memory in the sense of mmap(2), without
 * pages. A sorted array without overlaps; equal neighbours are joined. Pure, but for the memory
 * of the array and the references to the areas' objects. The caller has the lock.
 */
#ifndef LINUX_PORTABLE_AREAS_H
#define LINUX_PORTABLE_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapped;

enum area_flags {
	AREA_SHARED = 1,       /* writes are seen by all that map the same */
	AREA_STACK = 2,        /* grows downwards, to its limit */
	AREA_HEAP = 4,         /* brk(2)'s */
	AREA_KEPT = 8,         /* the runtime's: the program may not change or unmap it */
	AREA_LARGE = 16,       /* madvise(MADV_HUGEPAGE) */
	AREA_UNCOPIED = 64,    /* fork(2) leaves it out: madvise(MADV_DONTFORK) */
	AREA_UNWRITABLE = 128, /* shared, of a file that may not be written to: never PROT_WRITE */
	AREA_SMALL = 256,      /* no large pages: madvise(MADV_NOHUGEPAGE), MAP_STACK */
	AREA_LOCKED = 512,     /* mlock(2); a copy by fork(2) is not */
	AREA_GROWS = 1024,     /* downwards, by accesses below it: MAP_GROWSDOWN */
	AREA_WIPED = 2048,     /* fork(2) copies it without its pages: madvise(MADV_WIPEONFORK) */
};

/* Addresses are multiples of 4096. */
struct area {
	uint64_t start, end;
	struct mapped *from; /* NULL: zeros. A reference is held */
	uint64_t offset;     /* of `start` in it, in bytes */
	uint8_t prot;        /* PROT_READ, PROT_WRITE, PROT_EXEC of mmap(2) */
	uint16_t flags;      /* enum area_flags */
};

struct areas {
	struct area *area; /* by address */
	unsigned n, room;
	unsigned last;       /* index of the last result of areas_at(), which it tries first */
	uint64_t bytes;      /* total of all areas */
	uint64_t bytes_most; /* maximum of `bytes` so far */
};

/* vm.max_map_count of Linux. */
#define AREAS_MOST 65530

/* areas_after() - the index of the first area that ends behind `address`; areas->n: none.
 * areas_at() - the area that has `address`, or NULL. Both are O(log n). */
unsigned areas_after(const struct areas *areas, uint64_t address);
struct area *areas_at(struct areas *areas, uint64_t address);

/* areas_again() - the area that areas_at() returned last, if it has `address`; else NULL. */
static inline struct area *areas_again(const struct areas *areas, uint64_t address)
{
	struct area *a = &areas->area[areas->last];

	return areas->last < areas->n && a->start <= address && address < a->end ? a : NULL;
}

/*
 * areas_add() - adds an area to a free range; on success it takes over the caller's reference.
 * -ENOMEM: no memory, or AREAS_MOST.
 */
int areas_add(struct areas *areas, const struct area *area);

/*
 * areas_cut() - removes everything in [start, end), and calls `drop` with each removed piece. Each
 * piece has a reference of its own, which is then `drop`'s; with `drop` NULL areas_cut() puts it.
 * -ENOMEM: nothing was done.
 */
int areas_cut(struct areas *areas, uint64_t start, uint64_t end,
	      void (*drop)(const struct area *piece, void *arg), void *arg);

/*
 * areas_change() - gives each piece of [start, end) to `change`, which may alter prot and flags.
 * -ENOMEM: no memory (nothing was done), or there were holes (the rest was done), as mprotect(2).
 */
int areas_change(struct areas *areas, uint64_t start, uint64_t end,
		 void (*change)(struct area *piece, void *arg), void *arg);

/* areas_free() - is there no area in [start, end)? areas_gap() - the highest address in [low,
 * high), a multiple of `align`, at which `bytes` are free; 0: none. */
bool areas_free(const struct areas *areas, uint64_t start, uint64_t end);
uint64_t areas_gap(const struct areas *areas, uint64_t bytes, uint64_t align, uint64_t low,
		   uint64_t high);

/* areas_copy() - copies all areas to `to`, which is empty and gets references of its own.
 * -ENOMEM. */
int areas_copy(struct areas *to, const struct areas *from);

/* areas_forget() - removes all areas and frees the array. */
void areas_forget(struct areas *areas);

#endif
