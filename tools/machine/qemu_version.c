// SPDX-License-Identifier: BSD-2-Clause
/* qemu_version.c - see qemu_version.h. */
#include "tools/machine/qemu_version.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/machine/counting.h"
#include "tools/util/child.h"

#define SAYS "QEMU emulator version "

static bool says_since(const char *text, unsigned major, unsigned minor)
{
	const char *said = strstr(text, SAYS);
	unsigned has_major, has_minor;

	if (!said || sscanf(said, SAYS "%u.%u", &has_major, &has_minor) != 2)
		return false;
	return has_major > major || (has_major == major && has_minor >= minor);
}

bool qemu_is_since(const char *name, unsigned major, unsigned minor)
{
	static char option[] = "--version";
	char path[PATH_MAX];
	char *words[] = {path, option, NULL};
	struct buf said = {0};
	struct reason ignored;
	bool is;

	if (!counting_find_program(path, name))
		return false;
	is = child_output(words, environ, &said, &ignored) == 0 &&
	     says_since(buf_text(&said), major, minor);
	buf_free(&said);
	return is;
}
