// SPDX-License-Identifier: BSD-2-Clause
/* qemu_version.c - see qemu_version.h. */
#include "tools/machine/qemu_version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/machine/counting.h"
#include "tools/machine/qemu_args.h"
#include "tools/util/child.h"
#include "tools/util/helper.h"

#define SAYS "QEMU emulator version "

static bool says_since(const char *text, unsigned major, unsigned minor)
{
	const char *said = strstr(text, SAYS);
	unsigned has_major, has_minor;

	if (!said || sscanf(said, SAYS "%u.%u", &has_major, &has_minor) != 2)
		return false;
	return has_major > major || (has_major == major && has_minor >= minor);
}

bool qemu_says(struct buf *said, const char *path, const char *option, const char *value)
{
	char *words[] = {(char *)path, (char *)option, (char *)value, NULL};
	struct reason ignored;

	return child_output(words, environ, said, &ignored) == 0;
}

/* Asks the QEMU; leaves `said` empty if it does not answer. */
static void ask_version(struct buf *said, const char *name)
{
	char path[PATH_MAX];

	if (!counting_find_program(path, name) || !qemu_says(said, path, "--version", NULL))
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

int qemu_find(char path[PATH_MAX], const char *name, struct reason *why)
{
	if (counting_find_program(path, name))
		return 0;
	if (strchr(name, '/'))
		return refuse(why, errno, "%s: can not be started: %s", name, strerror(errno));
	return refuse_missing(why, name, "qemu-system-x86");
}

int machine_check_host(const struct machine_options *options, struct reason *why)
{
	char path[PATH_MAX];
	const int err = qemu_find(path, options->qemu, why);

	if (err)
		return err;
	return options->firmware != MACHINE_OVMF || firmware_find(why) ? 0 : -ENOENT;
}
