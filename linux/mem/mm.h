/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm.h - the memory of programs: areas, as mmap(2) arranges them, and pages, which the first access
 * makes. The threads of a process share one struct mm. fork(2) copies the areas at once, and a page
 * when one of the two processes writes to it.
 *
 * Interrupts off; any CPU, unless a function says otherwise. Functions that remove something serve
 * calls of other CPUs. If several threads may run, they also call other CPUs. Their caller must
 * hold no lock.
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

/* A range whose pages are being removed; `end` 0: none. mm.c has the rules. */
struct mm_claim {
	uint64_t start, end;
};

struct mm {
	struct lock lock; /* for all that follows */
	unsigned refs;    /* number of holders */
	unsigned threads; /* tasks in it, until their CPU has left `space` */
	struct space space;
	struct areas areas;
	struct mm_claim claim;
	uint64_t number;         /* never used for another one */
	struct mm *next_mm;      /* list of all address spaces; it has a lock of its own */
	struct mapped *gone;     /* objects without an area, released without the lock */
	uint64_t brk_start, brk; /* of brk(2) */
	/* The address range of its program, and the offset from the addresses of its file. */
	uint64_t program_start, program_end, program_base;
	uint64_t resident; /* number of pages that are present */
	uint64_t resident_most;
	/* For /proc: the ranges of the arguments, the environment and the auxiliary vector. */
	uint64_t args_start, args_end, env_start, env_end, aux_start, aux_end, stack_start;
	struct mapped *exe; /* the program's file, with a reference; NULL: there is none */
	bool rdpmc;         /* it may use RDPMC */
	bool prefault;      /* libraries are populated when they are mapped */
	bool no_large;      /* no large pages: prctl(PR_SET_THP_DISABLE) */
	bool lock_later;    /* mlockall(MCL_FUTURE): later mappings are locked */
	bool allow_wx;      /* memory may be both writable and executable */
};

/* mm_refuses() - true where memory with these PROT_ bits is refused with -EACCES. */
static inline bool mm_refuses(const struct mm *mm, unsigned prot)
{
	return !mm->allow_wx && prot & PROT_WRITE && prot & PROT_EXEC;
}

/*
 * mm_create() - returns an empty address space; NULL: no memory.
 * mm_copy() - returns a copy, as fork(2) makes it; NULL: no memory.
 * mm_get(), mm_put() - takes or drops a reference. The last mm_put() frees the address space and
 * drops its references to mapped objects (struct mapped). No CPU may be in the address space then.
 */
struct mm *mm_create(void);
struct mm *mm_copy(struct mm *from);
struct mm *mm_get(struct mm *mm);
void mm_put(struct mm *mm);

/*
 * mm_map() - maps memory; returns the address, or -errno. `from` is the object to map; NULL: zeros.
 * On success the area takes over the caller's reference to it. `flags` are MAP_FIXED,
 * MAP_FIXED_NOREPLACE, MAP_SHARED and MAP_POPULATE of mmap(2). `area` has further flags of the new
 * area.
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

/* mm_end() - called when the last task has left: removes the areas that fork(2) does not copy, such
 * as rings of events. The other areas stay readable. */
void mm_end(struct mm *mm);

int mm_protect(struct mm *mm, uint64_t address, uint64_t bytes, unsigned prot);
long mm_remap(struct mm *mm, uint64_t address, uint64_t old_bytes, uint64_t new_bytes,
	      unsigned flags, uint64_t to);
uint64_t mm_brk(struct mm *mm, uint64_t wanted);

/*
 * mm_is_mapped() - 0: areas cover the whole range; -EINVAL: it is no range of pages; -ENOMEM: there
 * are holes.
 * mm_discard() - madvise(MADV_DONTNEED): removes the pages; the next access makes new ones.
 * mm_advise() - sets or clears a flag of areas, such as AREA_LARGE (MADV_HUGEPAGE), AREA_SMALL
 * (MADV_NOHUGEPAGE), AREA_UNCOPIED (MADV_DONTFORK).
 * mm_populate() - makes all pages of a range now. It stops at the first page that it cannot make.
 * mm_resident() - for mincore(2). 1: the page at `address` is present; 0: it is not; -ENOMEM: no
 * area has the address.
 */
int mm_is_mapped(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_discard(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_advise(struct mm *mm, uint64_t address, uint64_t bytes, unsigned flag, bool set);
void mm_populate(struct mm *mm, uint64_t address, uint64_t bytes);
int mm_resident(struct mm *mm, uint64_t address);

/* mm_mlock() - mlock(2), munlock(2): marks areas as locked, or as unlocked; their pages do not
 * change. -EINVAL: it is no range; -ENOMEM: there are holes. mm_mlock_all() - marks all areas. */
int mm_mlock(struct mm *mm, uint64_t address, uint64_t bytes, bool locked);
void mm_mlock_all(struct mm *mm, bool locked);

/* mm_has() - true where the range has an area with one of `flags`, with an object (if `of_files`),
 * or without one of the PROT_ bits `lacks`. */
struct mm_parts {
	unsigned flags, lacks;
	bool of_files;
};
bool mm_has(struct mm *mm, uint64_t address, uint64_t bytes, const struct mm_parts *parts);

/*
 * mm_fault_in() - handles an access of ring 3 to `address`: makes or copies the page if needed.
 * BAD: no area allows the access; BEYOND: the page is beyond the end of the file; NO_MEMORY.
 * MINOR and MAJOR: the access can be repeated; MAJOR: the page came from a file.
 */
enum mm_fault { MM_FAULT_BAD, MM_FAULT_BEYOND, MM_FAULT_NO_MEMORY, MM_FAULT_MINOR, MM_FAULT_MAJOR };
static inline bool mm_fault_mended(enum mm_fault kind)
{
	return kind >= MM_FAULT_MINOR;
}
enum mm_access { MM_READ, MM_WRITE, MM_FETCH };
enum mm_fault mm_fault_in(struct mm *mm, uint64_t address, enum mm_access access);

/* mm_touch() - the fast path of mm_fault_in(): the first access to private zeros in the area, and
 * in the page table, of the last fault. True: MINOR. False: nothing was done. */
bool mm_touch(struct mm *mm, uint64_t address, enum mm_access access);

/*
 * mm_poke() - writes bytes of ring 0 to `address`, even where ring 3 may not write, and makes
 * missing pages. -EFAULT: no such memory; -ENOMEM. It is for a program that is being loaded: a
 * write to a shared mapping changes the file.
 * mm_store() - likewise, but -EFAULT where ring 3 may not write.
 */
int mm_poke(struct mm *mm, uint64_t address, const void *from, size_t bytes);
int mm_store(struct mm *mm, uint64_t address, const void *from, size_t bytes);

/* mm_read(), mm_write() - copy memory of another process, for its tracer, to or from ring 0's own.
 * mm_write() also writes where ring 3 may not, except to shared memory. Without any lock. They
 * return the number of bytes copied, and stop early where there is no memory, at memory of the
 * runtime, or when no page is left. */
size_t mm_read(struct mm *mm, uint64_t address, void *to, size_t bytes);
size_t mm_write(struct mm *mm, uint64_t address, const void *from, size_t bytes);

/* mm_unmap_content() - removes pages of `content` (struct mapped) from `first` up to `end` from
 * every address space. The next access makes them again. `page`: only where that page is mapped;
 * NULL: all pages. Without any lock. */
void mm_unmap_content(const void *content, uint64_t first, uint64_t end, const void *page);

/* mm_may_have_large() - true where the area can get large pages. For functions that mm_each()
 * calls. */
bool mm_may_have_large(const struct mm *mm, const struct area *area);

/* mm_each() - calls `fn` for each area, in ascending order, with the lock: for records and
 * /proc. */
void mm_each(struct mm *mm, void (*fn)(const struct area *area, void *arg), void *arg);

/*
 * mm_layout_shift() - pages by which programs that start later have other addresses.
 * mm_set_layout_shift() - sets it, from 0 to MM_LAYOUT_SHIFT_MOST; returns 0.
 * mm_map_top() - the end of the addresses that mmap(2) chooses. Task context.
 */
#define MM_LAYOUT_SHIFT_MOST 255
uint64_t mm_layout_shift(void);
int mm_set_layout_shift(uint64_t pages);
uint64_t mm_map_top(void);

#endif
