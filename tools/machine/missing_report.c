// SPDX-License-Identifier: BSD-2-Clause
/* missing_report.c - see missing_report.h. */
#include "tools/machine/missing_report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "include/perf0/wire_frames.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"

/*
 * Returns whether the path needs no report: the machine provides it, or C libraries do not depend
 * on it.
 */
static bool is_done_without(const char *path)
{
	static const char *const begins[] = {"/proc/",
					     "/sys/",
					     "/dev/",
					     "/etc/nsswitch.conf",
					     "/etc/localtime",
					     "/usr/lib/locale/",
					     "/usr/share/locale/"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(path, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool is_here(const char *path)
{
	struct stat st;

	return !is_done_without(path) && !stat(path, &st) && S_ISREG(st.st_mode);
}

static void take_name(struct sought *sought, const char *path)
{
	if (!is_here(path))
		return;
	free(sought->name[SOUGHT_NAMED - 1]);
	for (unsigned i = SOUGHT_NAMED - 1; i; i--)
		sought->name[i] = sought->name[i - 1];
	sought->name[0] = memory_checked(strdup(path));
	sought->n++;
}

static void take_names(struct sought *sought, const char *at, size_t left)
{
	while (left) {
		const size_t n = strnlen(at, left);

		if (n == left)
			return;
		take_name(sought, at);
		at += n + 1;
		left -= n + 1;
	}
}

void sought_line(const struct sought *sought, struct buf *text)
{
	const unsigned named = sought->n < SOUGHT_NAMED ? sought->n : SOUGHT_NAMED;

	if (!named)
		return;
	buf_printf(text, "the program looked for what this host has and the machine has not: ");
	for (unsigned i = 0; i < named; i++)
		buf_printf(text, "%s%s", i ? ", " : "", sought->name[i]);
	if (sought->n > named)
		buf_printf(text, " and %u more", sought->n - named);
	buf_printf(text, "; `--file %s` takes one along, `--root DIR` a tree", sought->name[0]);
}

void sought_end(struct sought *sought)
{
	for (unsigned i = 0; i < SOUGHT_NAMED; i++)
		free(sought->name[i]);
	*sought = (struct sought){0};
}

static void tell(struct sought *sought)
{
	struct buf line = {0};

	sought_line(sought, &line);
	if (line.size)
		message("perf0: %s", buf_text(&line));
	buf_free(&line);
	sought_end(sought);
}

void sought_frame(struct sought *sought, const struct frame *frame)
{
	if (frame->type == WIRE_SOUGHT)
		take_names(sought, frame->payload, frame->length);
	else if (frame->type == WIRE_RESULT)
		tell(sought);
}
