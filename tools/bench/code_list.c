// SPDX-License-Identifier: BSD-2-Clause
/* code_list.c - see code_list.h. */
#include "tools/bench/code_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/bench.h"
#include "tools/util/buf.h"
#include "tools/util/memory.h"

#define BLANKS " \t\r\n\v\f"

/* Returns the length of the line without its comment and the blanks at its end. */
static size_t length_of_line(const char *line, size_t all)
{
	bool quoted = false;
	size_t n = 0;

	for (; n < all && (quoted || line[n] != '#'); n++) {
		if (line[n] == '\\' && quoted && n + 1 < all)
			n++;
		else if (line[n] == '"')
			quoted = !quoted;
	}
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	return n;
}

static void add_problem(struct listed_code *to, size_t column, const char *what)
{
	struct buf text = {0};

	buf_printf(&text, "%s:%zu: %s", to->place, column, what);
	buf_text(&text);
	to->problem = (char *)text.data;
}

/* Splits `line`, of `n` characters, into a name and code. Returns what is wrong; NULL: nothing. */
static const char *split_line(const char *line, size_t n, size_t begin, size_t *nname, size_t *code)
{
	size_t end = begin;

	while (end < n && !isspace((unsigned char)line[end]))
		end++;
	*nname = 0;
	*code = begin;
	if (line[end - 1] != ':')
		return "a name and a colon are missing in front of the code, as in `chain: imul rax, rax`";
	if (end - 1 == begin)
		return "the name in front of the colon is missing";
	if (end - 1 - begin > BENCH_NAME_MAX)
		return "the name is too long";
	*nname = end - 1 - begin;
	*code = end;
	if (end == n)
		return "there is no code behind the name";
	*code += strspn(line + end, BLANKS);
	return NULL;
}

static char *name_of_line(size_t number)
{
	struct buf name = {0};

	buf_printf(&name, "line %zu", number);
	buf_text(&name);
	return (char *)name.data;
}

/* Names are how results are found again, so each is there once. */
static void check_code_name(const struct code_list *list, struct listed_code *to, size_t column)
{
	const size_t other = index_find_text(&list->names, to->name);
	struct buf what = {0};

	if (other == INDEX_NONE)
		return;
	buf_printf(&what, "%s has the name '%s', too", list->one[other].place, to->name);
	add_problem(to, column, buf_text(&what));
	buf_free(&what);
}

static void read_code_line(struct code_list *list, const char *path, size_t number,
			   const char *line, size_t all)
{
	const size_t n = length_of_line(line, all), begin = strspn(line, BLANKS);
	struct listed_code one = {0};
	struct buf place = {0};
	const char *wrong;
	size_t nname = 0, code = begin;

	if (begin >= n)
		return;
	buf_printf(&place, "%s:%zu", path, number);
	buf_text(&place);
	one.place = (char *)place.data;
	wrong = memchr(line, '\0', n) ? "there is a NUL byte in it"
				      : split_line(line, n, begin, &nname, &code);
	one.name = !wrong || nname ? copy_text(line + begin, nname) : name_of_line(number);
	if (wrong)
		add_problem(&one, (nname ? code : begin) + 1, wrong);
	else
		check_code_name(list, &one, begin + 1);
	if (!one.problem) {
		one.code = copy_text(line + code, n - code);
		one.column = code + 1;
	}
	list->one = memory_grow(list->one, list->n, sizeof(*list->one));
	index_add_text(&list->names, one.name, list->n);
	list->one[list->n++] = one;
}

int code_list_read(struct code_list *list, const char *path, struct reason *why)
{
	FILE *file = fopen(path, "re");
	size_t number = 0, room = 0;
	char *line = NULL;
	ssize_t n;
	int err = 0;

	*list = (struct code_list){0};
	if (!file)
		return refuse(why, errno, "--list %s: %s", path, strerror(errno));
	while ((n = getline(&line, &room, file)) > 0)
		read_code_line(list, path, ++number, line, (size_t)n);
	if (ferror(file))
		err = refuse(why, EIO, "--list %s: it can not be read", path);
	else if (!list->n)
		err = refuse(why, EINVAL, "--list %s: there is no code in it", path);
	free(line);
	fclose(file);
	return err;
}

void code_list_free(struct code_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->one[i].name);
		free(list->one[i].code);
		free(list->one[i].problem);
		free(list->one[i].place);
	}
	free(list->one);
	index_free(&list->names);
	*list = (struct code_list){0};
}
