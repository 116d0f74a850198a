/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stale.h - a check for tests: when a page becomes free, each CPU that could have a translation of
 * it has flushed since its entry was removed. The check costs memory and time, so it starts as off.
 *
 * space.c removes entries and flushes CPUs; page.c checks while its poison is on.
 */
#ifndef ARCH_X86_SPACE_STALE_H
#define ARCH_X86_SPACE_STALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The check is on. */
extern bool stale_watched;

/*
 * stale_watch() - begins the check on a machine of `ncpus`; -ENOMEM: no memory for the notes, 8
 * bytes for each page and CPU. stale_unwatch() - ends it. The two alternate; task context, one CPU
 * at a time.
 */
int stale_watch(unsigned ncpus);
void stale_unwatch(void);

struct space;

/*
 * stale_removed() - the entries of `npages` pages from the physical address `page` on were removed
 * from a table of `s`, or moved, and the CPUs that have it entered may still have translations.
 * Called after the change. Any context but NMI.
 */
void stale_removed(const struct space *s, uint64_t page, size_t npages);

/* stale_lock() - holds off all notes of removals until stale_unlock(), which takes its result: a
 * CPU that leaves a space flushes and clears its bit as one step. Any context but NMI. */
uint64_t stale_lock(void);
void stale_unlock(uint64_t flags);

/* stale_time() - called before a flush of a CPU. stale_flushed() - called after it with the result,
 * by the CPU whose number is `cpu`. Any context but NMI. */
uint64_t stale_time(void);
void stale_flushed(unsigned cpu, uint64_t began);

/* stale_check() - panics if a CPU may have a translation of these pages, which become free. */
void stale_check(uint64_t page, size_t npages);

#endif
