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

/* Asks the QEMU; leaves `said` empty if it does not answer. */
static void ask_version(struct buf *said, const char *name)
{
	static char option[] = "--version";
	char path[PATH_MAX];
	char *words[] = {path, option, NULL};
	struct reason ignored;

	if (!counting_find_program(path, name) || child_output(words, environ, said, &ignored) != 0)
		said->size = 0;
}

bool qemu_is_since(const char *name, unsigned major, unsigned minor)
{
	struct buf said = {0};
	bool is;

	ask_version(&said, name);
	is = says_since(buf_text(&said), major, minor);
	buf_free(&said);
	return is;
}

void qemu_version_text(struct buf *out, const char *name)
{
	struct buf said = {0};
	const char *version;

	ask_version(&said, name);
	version = strstr(buf_text(&said), SAYS);
	if (version)
		buf_printf(out, "%.*s", (int)strcspn(version + strlen(SAYS), " (\n"),
			   version + strlen(SAYS));
	buf_free(&said);
}
