// SPDX-License-Identifier: BSD-2-Clause
/* free.c - prints how much memory there is, and how much of it is free. */
#include "arch/x86/mem/paging.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

static void print_pages(const char *what, size_t pages)
{
	out("%8llu KiB  %s\n", (unsigned long long)(pages * PAGE_SIZE >> 10), what);
}

static int run_free(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	print_pages("of memory", page_total_count());
	print_pages("free", page_free_count());
	print_pages("of these for the runtime alone", page_reserve_count());
	return 0;
}

static const struct command free = {
	.name = "free",
	.usage = "",
	.summary =
		"tells how much memory there is, how much is free, and what workloads cannot have",
	.run = run_free,
};
COMMAND(free);
