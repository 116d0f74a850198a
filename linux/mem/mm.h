/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm.h - the memory of programs: areas, as mmap(2) and its kin arrange them, and the pages that
 * come into being in them with the first access. The threads of a process share one; fork(2) copies
 * it, page by page, when one of both writes.
 *
 * Interrupts off; any CPU, unless a function says otherwise. Functions that take something away
 * serve calls of other CPUs, and call those themselves while tasks of several threads may run: no
 * lock is held then.
 *
 * Errors are those of mmap(2), munmap(2), mprotect(2), mremap(2), brk(2).
 */
#ifndef LINUX_MEM_MM_H
#define LINUX_MEM_MM_H

#include "arch/x86/mem/paging.h"
#include "arch/x86/space/space.h"
#include "lib/lock.h"
#include "linux/portable/areas.h"
#include "linux/portable/mapped.h"

#include <linux/mman.h>
#include <stdbool.h>
#include <stdint.h>

/* Addresses whose pages are on their way out; `end` is 0 where there are none. mm.c has the rules.
 */
struct mm_claim {
	uint64_t start, end;
};

struct mm {
	struct lock lock; /* for all that follows */
	unsigned refs;    /* processes that have it */
	unsigned threads; /* tasks that run in it */
	struct space space;
	struct areas areas;
	struct mm_claim claim;
	struct mm *next_mm;      /* of all that there are, under the lock of that list */
	struct mapped *gone;     /* no area shows it any more: released with the lock */
	uint64_t brk_start, brk; /* of brk(2) */
	/* The address range of its program, and the offset from the addresses of its file. */
	uint64_t program_start, program_end, program_base;
	uint64_t resident; /* pages that have come into being and are there */
	uint64_t resident_most;
	/* For /proc: the ranges of the words and the environment of the program. */
	uint64_t args_start, args_end, env_start, env_end, aux_start, aux_end, stack_start;
	struct mapped *exe; /* the program's file, with a reference; NULL: there is none */
	bool rdpmc;         /* it may use RDPMC */
	bool prefault;      /* files that it maps as libraries are there at once */
	bool no_large;      /* no large pages: prctl(PR_SET_THP_DISABLE) */
	bool lock_later;    /* mlockall(MCL_FUTURE): what is mapped from now on is locked */
	bool allow_wx;      /* memory may be both writable and executable */
};

/* mm_refuses() - is memory with these PROT_ bits refused with -EACCES? */
static inline bool mm_refuses(const struct mm *mm, unsigned prot)
{
	return !mm->allow_wx && prot & PROT_WRITE && prot & PROT_EXEC;
}

/*
 * mm_create() - nothing is in it; NULL: no memory. mm_copy() - as fork(2) has it. mm_get(),
 * mm_put(): one holder more, or less; with the last one it is gone, when no CPU has its space
 * entered. All memory that areas show (struct mapped) is let go.
 */
struct mm *mm_create(void);
struct mm *mm_copy(struct mm *from);
struct mm *mm_get(struct mm *mm);
void mm_put(struct mm *mm);

/*
 * mm_map() - maps; the address, or -errno. `from` is what is mapped (NULL: zeros), of which a
 * reference is taken over when this succeeds. Flags are MAP_FIXED, MAP_FIXED_NOREPLACE, MAP_SHARED,
 * MAP_POPULATE of mmap(2), which are obeyed; `area` has the flags that the area is to have besides.
 */
struct mm_request {
	uint64_t address, bytes;
	unsigned prot, flags;
	struct mapped *from;
	uint64_t offset;
	unsigned area; /* enum area_flags */
};
long mm_map(struct mm *mm, const struct mm_request *request);

int mm_unmap(struct mm *mm, uint64_t address, uint64_t bytes);

/* mm_end() - the last task has left it: removes the rings of events, and keeps the rest to be
 * read. */
void mm_end(struct mm *mm);

int mm_protect(struct mm *mm, uint64_t address, uint64_t bytes, unsigned prot);
long mm_remap(struct mm *mm, uint64_t address, uint64_t old_bytes, uint64_t new_bytes,
	      unsigned flags, uint64_t to);
uint64_t mm_brk(struct mm *mm, uint64_t wanted);

/* mm_discard() - madvise(MADV_DONTNEED): the pages are gone, and come anew. mm_advise() - areas
 * get or lose a flag: AREA_LARGE (MADV_HUGEPAGE), AREA_SMALL (MADV_NOHUGEPAGE), AREA_UNCOPIED
 * (MADV_DONTFORK). mm_populate() - all pages of a range come into being now, as far as there is
 * memory. mm_resident() - whether a page is there, for mincore(2). */
/* mm_is_mapped() - all of a range has memory: 0; -EINVAL: it is none; -ENOMEM. */
int mm_is_mapped(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_discard(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_advise(struct mm *mm, uint64_t address, uint64_t bytes, unsigned flag, bool set);
void mm_populate(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_resident(struct mm *mm, uint64_t address);

/* mm_mlock() - mlock(2), munlock(2): the areas are locked, or no more; their pages are as they
 * were. -EINVAL: it is no range; -ENOMEM: there are holes. mm_mlock_all() - all that there are. */
int mm_mlock(struct mm *mm, uint64_t address, uint64_t bytes, bool locked);
void mm_mlock_all(struct mm *mm, bool locked);

/* mm_has() - is there an area in the range that has one of `flags`, or shows a file, or lacks one
 * of the PROT_ bits `lacks`? */
struct mm_parts {
	unsigned flags, lacks;
	bool of_files;
};
bool mm_has(struct mm *mm, uint64_t address, uint64_t bytes, const struct mm_parts *parts);

/*
 * mm_fault_in() - ring 3 accesses `address`, of which the page may have to come into being first,
 * or to be copied. BAD: it has no such memory, or not for that; BEYOND: behind the end of a file;
 * NO_MEMORY. MINOR: it is there now, or again; MAJOR: a file was read for it.
 */
enum mm_fault { MM_FAULT_BAD, MM_FAULT_BEYOND, MM_FAULT_NO_MEMORY, MM_FAULT_MINOR, MM_FAULT_MAJOR };
static inline bool mm_fault_mended(enum mm_fault kind)
{
	return kind >= MM_FAULT_MINOR;
}
enum mm_access { MM_READ, MM_WRITE, MM_FETCH };
enum mm_fault mm_fault_in(struct mm *mm, uint64_t address, enum mm_access access);

/* mm_poke() - writes into memory of it, whatever ring 3 may do with that, from ring 0's own; the
 * pages come into being. -EFAULT: no such memory; -ENOMEM. For a program that is being loaded: a
 * file that is shared would change. mm_store() - likewise; -EFAULT also where ring 3 may not
 * write. */
int mm_poke(struct mm *mm, uint64_t address, const void *from, size_t bytes);
int mm_store(struct mm *mm, uint64_t address, const void *from, size_t bytes);

/* mm_read(), mm_write() - memory of another process, as its tracer has it, to and from ring 0's
 * own: writes also where ring 3 may only read or execute. Without any lock. How many bytes were
 * copied: less where there is no memory, or that of the runtime, or none left. */
size_t mm_read(struct mm *mm, uint64_t address, void *to, size_t bytes);
size_t mm_write(struct mm *mm, uint64_t address, const void *from, size_t bytes);

/* mm_unmap_content() - of all memory that shows `content` (struct mapped) the pages from `first` up
 * to `end` come anew: all, or only those that are `page`. Without any lock. */
void mm_unmap_content(const void *content, uint64_t first, uint64_t end, const void *page);

/* mm_may_have_large() - large pages can come into being in an area, with mm_each(). */
bool mm_may_have_large(const struct mm *mm, const struct area *area);

/* mm_each() - calls `fn` for each area, in ascending order, with the lock: for records and
 * /proc. */
void mm_each(struct mm *mm, void (*fn)(const struct area *area, void *arg), void *arg);

#endif
