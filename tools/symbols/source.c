// SPDX-License-Identifier: BSD-2-Clause
/* source.c - see source.h. The last file is kept in memory. */
#include "tools/symbols/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/buf.h"

#define FILE_MAX (4u << 20) /* bytes; larger files are not read */

static struct {
	char file[PATH_MAX]; /* as DWARF names it */
	struct buf text;
} kept;

static FILE *open_beside(const char *folder, size_t n, const char *file)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%.*s/%s", (int)n, folder, file);
	return fopen(path, "re");
}

/*
 * Opens the file by its path, or else below one of the folders above the ELF file, the innermost
 * first.
 */
static FILE *open_source(const char *elf_path, const char *file)
{
	FILE *found = NULL;

	if (*file == '/')
		return fopen(file, "re");
	for (size_t n = strlen(elf_path); n-- && !found;)
		if (elf_path[n] == '/')
			found = open_beside(elf_path, n, file);
	return found;
}

static void read_source(const char *elf_path, const char *file)
{
	FILE *source = open_source(elf_path, file);
	char bytes[BUFSIZ];
	size_t n;

	snprintf(kept.file, sizeof(kept.file), "%s", file);
	kept.text.size = 0;
	while (source && kept.text.size < FILE_MAX &&
	       (n = fread(bytes, 1, sizeof(bytes), source)) > 0)
		buf_add(&kept.text, bytes, n);
	if (source)
		fclose(source);
}

/* Returns the line and its length; NULL if there is none. */
static const char *find_line(unsigned line, int *n)
{
	const char *at = buf_text(&kept.text);

	while (--line && (at = strchr(at, '\n')))
		at++;
	*n = at ? (int)strcspn(at, "\r\n") : 0;
	return at && *at ? at : NULL;
}

static void keep_source(const char *elf_path, const char *file)
{
	if (strcmp(kept.file, file))
		read_source(elf_path, file);
}

void source_line(char *out, size_t size, const char *elf_path, const char *file, unsigned line)
{
	const char *name = strrchr(file, '/'), *text;
	int n, blanks;

	keep_source(elf_path, file);
	text = find_line(line, &n);
	blanks = text ? (int)strspn(text, " \t") : 0;
	n = n > blanks ? n - blanks : 0;
	snprintf(out, size, "%s:%u%s%.*s", name ? name + 1 : file, line, n ? " " : "", n,
		 text ? text + blanks : "");
}

bool source_text(char *out, size_t size, const char *elf_path, const char *file, unsigned line)
{
	const char *text;
	int n = 0;

	keep_source(elf_path, file);
	text = line ? find_line(line, &n) : NULL;
	snprintf(out, size, "%.*s", n, text ? text : "");
	return text;
}
