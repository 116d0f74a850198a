/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * large.h - memory for programs that measure caches. With large pages its physical addresses equal
 * its virtual ones within 2 MiB. Otherwise only the virtual addresses are aligned.
 */
#ifndef TESTS_LINUX_LARGE_H
#define TESTS_LINUX_LARGE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE (2ul << 20)

/* large_memory() - returns zeroed memory at a multiple of 2 MiB. */
static inline void *large_memory(size_t bytes)
{
	const size_t rounded = (bytes + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	const int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *at = mmap(NULL, rounded, prot, flags | MAP_HUGETLB, -1, 0);

	if (at != MAP_FAILED)
		return at;
	at = mmap(NULL, rounded + LARGE_PAGE, prot, flags, -1, 0);
	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return at + (-(uintptr_t)at & (LARGE_PAGE - 1));
}

#endif
