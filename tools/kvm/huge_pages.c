// SPDX-License-Identifier: BSD-2-Clause
/* huge_pages.c - see huge_pages.h. Linux, Documentation/admin-guide/mm/hugetlbpage.rst. */
#include "tools/kvm/huge_pages.h"

#include <stdio.h>

#define PAGE_MIB 2

unsigned long huge_pages_free(void)
{
	FILE *file = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "re");
	unsigned long n = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lu", &n) != 1)
		n = 0;
	fclose(file);
	return n;
}

bool huge_pages_fit(unsigned mib)
{
	return huge_pages_free() >= (mib + PAGE_MIB - 1) / PAGE_MIB;
}
