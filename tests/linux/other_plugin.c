/* SPDX-License-Identifier: BSD-2-Clause */
/* other_plugin.c - a plugin for QEMU whose page of counts is of the next version. */
#include "include/perf0/events_page.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

extern int qemu_plugin_version;
int qemu_plugin_version = 1;
int qemu_plugin_install(unsigned long id, const void *info, int argc, char **argv);

static void fill_page(const char *path)
{
	const struct events_header header = {
		.magic = EVENTS_PAGE_MAGIC,
		.version = EVENTS_PAGE_VERSION + 1,
		.counts = EVENTS_NUMBERS,
		.cpus = 1,
		.highest = EVENTS_LEVEL_MODEL,
	};
	void *page = mmap(NULL, EVENTS_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			  open(path, O_RDWR), 0);

	memcpy(page, &header, sizeof(header));
}

int qemu_plugin_install(unsigned long id, const void *info, int argc, char **argv)
{
	(void)id;
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "page=", 5))
			fill_page(argv[i] + 5);
	return 0;
}
