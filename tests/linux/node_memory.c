// SPDX-License-Identifier: BSD-2-Clause
/*
 * node_memory.c - nodes CPU PAGES: writes to PAGES small pages on that CPU; each page is allocated
 * by its first write.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096

int main(int argc, char **argv)
{
	const size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	cpu_set_t set;
	volatile char *memory;

	CPU_ZERO(&set);
	CPU_SET(argc > 1 ? atoi(argv[1]) : 0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	memory = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise((void *)memory, n * PAGE, MADV_NOHUGEPAGE))
		return 1;
	for (size_t i = 0; i < n; i++)
		memory[i * PAGE] = 1;
	return 0;
}
