// SPDX-License-Identifier: BSD-2-Clause
/* hang_notes.c - see hang_notes.h. */
#include "rt/console/hang_notes.h"

#include "arch/x86/dev/smbios.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/firmware/firmware_calls.h"

#include <stddef.h>

static void write_note_file(const char *path, const char *text)
{
	firmware_quiet(false);
	firmware_write(path, 0, text, strlen(text));
	firmware_quiet(true);
}

/* Reads a file of at most `most` bytes as text; "": there is none. */
static void read_note_file(const char *path, char *text, size_t most)
{
	uint64_t size;
	int64_t n;

	firmware_quiet(false);
	n = firmware_read(path, 0, text, most, &size);
	firmware_quiet(true);
	text[n > 0 ? n : 0] = '\0';
}

/* A line of both files: a step, and the machine on which it runs. */
static void name_step(char line[HANG_NOTE_MOST], const char *step)
{
	const char(*names)[SMBIOS_NAME_MAX] = smbios_names()->name;

	fmt_print(line, HANG_NOTE_MOST, "%s %s\n", step, names[SMBIOS_PRODUCT]);
}

static bool is_line_of(const char *text, const char *line)
{
	const size_t n = strlen(line);

	for (; *text; text++) {
		if (!strncmp(text, line, n))
			return true;
		while (*text && *text != '\n')
			text++;
		if (!*text)
			break;
	}
	return false;
}

void hang_notes_read(struct hang_notes *h)
{
	const size_t kept = (read_note_file(h->hung, h->list, HANG_LIST_MOST), strlen(h->list));

	read_note_file(h->now, h->note, sizeof(h->note) - 1);
	if (!*h->note || is_line_of(h->list, h->note) || kept + strlen(h->note) > HANG_LIST_MOST)
		return;
	memcpy(h->list + kept, h->note, strlen(h->note) + 1);
	write_note_file(h->hung, h->list);
}

bool hang_notes_begin(struct hang_notes *h, const char *step)
{
	name_step(h->note, step);
	if (is_line_of(h->list, h->note))
		return false;
	write_note_file(h->now, h->note);
	return true;
}

void hang_notes_end(const struct hang_notes *h)
{
	firmware_quiet(false);
	firmware_remove(h->now);
	firmware_quiet(true);
}
