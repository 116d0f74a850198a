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

/* stale_watch() - begins the check, for a machine of `ncpus`; -ENOMEM: no room for the notes, 16
 * bytes for each page and 8 more for each further 64 CPUs. stale_unwatch() - ends it. In turn; task
 * context, one CPU at a time. */
int stale_watch(unsigned ncpus);
void stale_unwatch(void);

/* stale_removed() - the entries of `npages` pages from the physical address `page` are gone from a
 * table, or moved, and the CPUs of `cpus` (a bit each, SPACE_CPUS of them) may know them still.
 * Behind the change. Any context but NMI. */
void stale_removed(uint64_t page, size_t npages, const uint64_t *cpus);

/* stale_time() - before a flush of this CPU, which is number `cpu`. stale_flushed() - behind it,
 * with what that returned. Any context but NMI. */
uint64_t stale_time(void);
void stale_flushed(unsigned cpu, uint64_t began);

/* stale_check() - these pages become free: panics where a CPU may know one. */
void stale_check(uint64_t page, size_t npages);

#endif
