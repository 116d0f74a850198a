// SPDX-License-Identifier: BSD-2-Clause
/* programs.c - see programs.h. */
#include "tools/machine/programs.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_elf(const char *path)
{
	FILE *file = fopen(path, "rbe");
	char magic[SELFMAG];
	bool is;

	if (!file)
		return false;
	is = fread(magic, sizeof(magic), 1, file) == 1 && !memcmp(magic, ELFMAG, SELFMAG);
	fclose(file);
	return is;
}

static bool is_program_listed(const struct programs *programs, const char *path)
{
	for (size_t i = 0; i < programs->n; i++)
		if (!strcmp(programs->path[i], path))
			return true;
	return false;
}

int program_check(const char *path, struct reason *why)
{
	FILE *file = fopen(path, "rbe");
	char magic[SELFMAG];
	size_t n;

	if (!file)
		return refuse(why, EINVAL, "%s: %s", path, strerror(errno));
	errno = 0;
	n = fread(magic, 1, sizeof(magic), file);
	if (ferror(file))
		refuse(why, EINVAL, "%s: %s", path, strerror(errno));
	else
		refuse(why, EINVAL, "%s: it is no ELF file", path);
	n = ferror(file) ? 0 : n;
	fclose(file);
	return n == sizeof(magic) && !memcmp(magic, ELFMAG, SELFMAG) ? 0 : -EINVAL;
}

int programs_find(struct programs *programs, const char **words, struct reason *why)
{
	programs->n = 0;
	for (; *words; words++) {
		char *path;

		if (!strchr(*words, '/') || !is_elf(*words))
			continue;
		path = realpath(*words, NULL);
		if (!path)
			continue;
		*words = path;
		if (is_program_listed(programs, path))
			continue;
		if (programs->n == PROGRAMS_MAX)
			return refuse(why, E2BIG, "%s: only %d different programs can be run", path,
				      PROGRAMS_MAX);
		snprintf(programs->path[programs->n++], PATH_MAX, "%s", path);
	}
	return 0;
}
