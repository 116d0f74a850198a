// SPDX-License-Identifier: BSD-2-Clause
/* page_touches N: writes a word to each of N fresh pages, for the cost of a page fault. */
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	char *p = mmap(NULL, (pages + 1) << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	for (size_t i = 0; p != MAP_FAILED && i < pages; i++)
		p[i << 12] = 1;
	return p == MAP_FAILED;
}
