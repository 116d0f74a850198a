/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stale.h - a check for tests: when a page becomes free, each CPU that could know an entry for it
 * has flushed since that entry went. It costs memory and time, so it begins as off.
 *
 * Entries are taken by space.c, and CPUs flush there; page.c asks while its poison is on.
 */
#ifndef ARCH_X86_SPACE_STALE_H
#define ARCH_X86_SPACE_STALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The check is on. */
extern bool stale_watched;

/* stale_watch() - begins the check, for a machine of `ncpus`; -ENOMEM: no room for the notes, 8
 * bytes for each page and CPU. stale_unwatch() - ends it. In turn; task
 * context, one CPU at a time. */
int stale_watch(unsigned ncpus);
void stale_unwatch(void);

struct space;

/* stale_removed() - the entries of `npages` pages from the physical address `page` are gone from a
 * table of `s`, or moved, and the CPUs that have it entered may know them still. Behind the change.
 * Any context but NMI. */
void stale_removed(const struct space *s, uint64_t page, size_t npages);

/* stale_lock() - no removal is noted until stale_unlock(), which gets what it returned: a CPU that
 * leaves a space flushes and clears its bit as one step. Any context but NMI. */
uint64_t stale_lock(void);
void stale_unlock(uint64_t flags);

/* stale_time() - before a flush of this CPU, which is number `cpu`. stale_flushed() - behind it,
 * with what that returned. Any context but NMI. */
uint64_t stale_time(void);
void stale_flushed(unsigned cpu, uint64_t began);

/* stale_check() - these pages become free: panics where a CPU may know one. */
void stale_check(uint64_t page, size_t npages);

#endif
