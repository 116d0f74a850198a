// SPDX-License-Identifier: BSD-2-Clause
/* script.c - see script.h. */
#include "lib/script.h"

#include "lib/ascii.h"
#include "lib/string.h"

#include <linux/errno.h>

static size_t count_blanks(const char *at)
{
	size_t n = 0;

	while (ascii_is_blank(at[n]))
		n++;
	return n;
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (at[n] && !ascii_is_blank(at[n]))
		n++;
	return n;
}

bool script_is(const char *head, size_t n)
{
	return n >= 2 && head[0] == '#' && head[1] == '!';
}

/*
 * Copies the line without its "#!" and the blanks around it. False: the line is longer than
 * SCRIPT_HEAD. The end of the file also ends the line.
 */
static bool copy_script_line(char line[SCRIPT_HEAD], const char *head, size_t n)
{
	const size_t most = n < SCRIPT_HEAD ? n : SCRIPT_HEAD;
	size_t start = 2, end;
	bool ends;

	for (end = start; end < most && head[end] != '\n' && head[end]; end++)
		;
	ends = end < SCRIPT_HEAD;
	if (!ends)
		end--;
	while (start < end && ascii_is_blank(head[start]))
		start++;
	while (end > start && ascii_is_blank(head[end - 1]))
		end--;
	memcpy(line, head + start, end - start);
	line[end - start] = '\0';
	return ends;
}

int script_read(struct script *script, const char *head, size_t n, struct reason *why)
{
	char line[SCRIPT_HEAD];
	const bool ends = copy_script_line(line, head, n);
	const size_t length = word_length(line);
	const char *argument = line + length + count_blanks(line + length);

	*script = (struct script){.argument = ""};
	if (!*line)
		return refuse(why, EINVAL, "its first line names no interpreter behind #!");
	if (!ends && !line[length])
		return refuse(why, EINVAL, "its first line is longer than %d characters",
			      SCRIPT_HEAD - 1);
	memcpy(script->interpreter, line, length);
	memcpy(script->argument, argument, strlen(argument) + 1);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

bool script_env_names(const struct script *script, char name[SCRIPT_HEAD])
{
	const char *at = script->argument;
	size_t n;

	if (strcmp(base_name(script->interpreter), "env") || !*at)
		return false;
	if (!strncmp(at, "-S", 2))
		at += 2 + count_blanks(at + 2);
	n = word_length(at);
	memcpy(name, at, n);
	name[n] = '\0';
	return n && *name != '-' && !strchr(name, '=');
}
