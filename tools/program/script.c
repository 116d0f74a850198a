// SPDX-License-Identifier: BSD-2-Clause
/* script.c - see script.h. */
#include "tools/program/script.h"

#include <errno.h>
#include <string.h>

#define BLANKS " \t"

bool script_is(const char *head, size_t n)
{
	return n >= 2 && head[0] == '#' && head[1] == '!';
}

/* The line without its "#!" and the blanks around; a file may end before the line does. */
static size_t take_line(char line[SCRIPT_HEAD], const char *head, size_t n)
{
	size_t start = 2, end;

	n = n < SCRIPT_HEAD ? n : SCRIPT_HEAD - 1;
	for (end = start; end < n && head[end] != '\n' && head[end]; end++)
		;
	while (start < end && strchr(BLANKS, head[start]))
		start++;
	while (end > start && strchr(BLANKS, head[end - 1]))
		end--;
	memcpy(line, head + start, end - start);
	line[end - start] = '\0';
	return end - start;
}

int script_read(struct script *script, const char *head, size_t n, struct reason *why)
{
	char line[SCRIPT_HEAD];
	size_t length;

	*script = (struct script){.argument = ""};
	if (!take_line(line, head, n))
		return refuse(why, EINVAL, "its first line names no interpreter behind #!");
	length = strcspn(line, BLANKS);
	if (n >= SCRIPT_HEAD && !memchr(head, '\n', SCRIPT_HEAD) && !line[length])
		return refuse(why, EINVAL, "its first line is longer than %d characters",
			      SCRIPT_HEAD - 1);
	memcpy(script->interpreter, line, length);
	strcpy(script->argument, line + length + strspn(line + length, BLANKS));
	return 0;
}

bool script_env_names(const struct script *script, char name[SCRIPT_HEAD])
{
	const char *slash = strrchr(script->interpreter, '/'), *at = script->argument;
	size_t n;

	if (strcmp(slash ? slash + 1 : script->interpreter, "env") || !*at)
		return false;
	if (!strncmp(at, "-S", 2))
		at += 2 + strspn(at + 2, BLANKS);
	n = strcspn(at, BLANKS);
	memcpy(name, at, n);
	name[n] = '\0';
	return n && *name != '-' && !strchr(name, '=');
}
