// SPDX-License-Identifier: BSD-2-Clause
/* nanobench_events.c - see nanobench_events.h. */
#include "tools/bench/nanobench_events.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Marks that may follow event code and unit mask, each with its term in -e; NULL: no term is
 * needed.
 */
static const struct {
	const char *name, *term;
	bool has_number;
} marks[] = {
	{"CMSK", "cmask", true},
	{"AnyT", "any", false},
	{"EDG", "edge", false},
	{"INV", "inv", false},
	{"TakenAlone", NULL, false},
	{"CTR", NULL, true},
	{"MSR_3F6H", "ldlat", true},
	{"MSR_PF", "frontend", true},
	{"MSR_RSP0", "offcore_rsp", true},
	{"MSR_RSP1", "offcore_rsp", true},
};

#define NMARKS (sizeof(marks) / sizeof(marks[0]))

/* A place in a file, for messages. */
struct place {
	const char *path;
	size_t line;
	struct buf *list;
};

static int refuse_at(const struct place *p, const char *what, size_t n, const char *reason,
		     struct reason *why)
{
	return refuse(why, EINVAL, "%s: line %zu: '%.*s' %s", p->path, p->line, (int)n, what,
		      reason);
}

static bool read_hex(const char *text, size_t n, unsigned long long *value)
{
	char *copy = copy_text(text, n), *end;
	bool ok;

	*value = strtoull(copy, &end, 16);
	ok = n && isxdigit((unsigned char)copy[0]) && !*end;
	free(copy);
	return ok;
}

static int read_mark(const struct place *p, const char *mark, size_t n, struct reason *why)
{
	const size_t name = strcspn(mark, "=") < n ? strcspn(mark, "=") : n;
	unsigned long long value = 1;

	for (size_t i = 0; i < NMARKS; i++) {
		if (strlen(marks[i].name) != name || strncasecmp(mark, marks[i].name, name))
			continue;
		if (marks[i].has_number != (name < n))
			return refuse_at(p, mark, n,
					 marks[i].has_number ? "wants a number" : "takes no number",
					 why);
		if (name < n && !read_hex(mark + name + 1, n - name - 1, &value))
			return refuse_at(p, mark, n, "has no hexadecimal number", why);
		if (marks[i].term)
			buf_printf(p->list, ",%s=%#llx", marks[i].term, value);
		return 0;
	}
	return refuse_at(p, mark, n, "is not known", why);
}

/* Parses an encoding such as "D1.01.CMSK=1" of `n` characters. */
static int read_encoding(const struct place *p, const char *at, size_t n, struct reason *why)
{
	static const char *const firsts[] = {"event", "umask"};
	const char *const end = at + n;
	int err = 0;

	for (unsigned i = 0; i < 2; i++) {
		const size_t part = at < end ? strcspn(at, ". \t\r\n") : 0;
		unsigned long long value;

		if (!read_hex(at, part, &value) || value > (i ? 0xff : 0xfff))
			return refuse_at(p, at, part, i ? "is no umask" : "is no event", why);
		buf_printf(p->list, "%s%s=%#llx", i ? "," : "", firsts[i], value);
		at += part + (at[part] == '.');
	}
	while (at < end && !err) {
		const size_t part = strcspn(at, ". \t\r\n");

		err = read_mark(p, at, part, why);
		at += part + (at[part] == '.');
	}
	return err;
}

/* Adds the event's name. Characters that would end a name in a list become underscores. */
static void add_name_term(struct buf *list, const char *name, size_t n)
{
	buf_printf(list, ",name=");
	for (size_t i = 0; i < n; i++)
		buf_printf(list, "%c", strchr(",/=:{} \t", name[i]) ? '_' : name[i]);
}

static int read_event_line(const struct place *p, const char *line, struct reason *why)
{
	const char *code = line + strspn(line, " \t\r\n");
	const size_t n = strcspn(code, " \t\r\n");
	const char *name = code + n + strspn(code + n, " \t\r\n");
	size_t name_length = strlen(name);
	int err;

	if (!n || *code == '#')
		return 0;
	if (!strncasecmp(code, "msr_", 4))
		return refuse_at(p, code, n, "is a register that no counter is", why);
	while (name_length && isspace((unsigned char)name[name_length - 1]))
		name_length--;
	buf_printf(p->list, "%scpu/", p->list->size ? "," : "");
	err = read_encoding(p, code, n, why);
	add_name_term(p->list, name_length ? name : code, name_length ? name_length : n);
	buf_printf(p->list, "/");
	return err;
}

int config_read(const char *path, struct buf *list, struct reason *why)
{
	FILE *file = fopen(path, "re");
	struct place place = {.path = path, .list = list};
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!file)
		return refuse(why, errno, "--config: %s: %s", path, strerror(errno));
	while (!err && getline(&line, &room, file) > 0) {
		place.line++;
		err = read_event_line(&place, line, why);
	}
	if (!err && ferror(file))
		err = refuse(why, EIO, "--config: %s: it can not be read", path);
	if (!err && !list->size)
		err = refuse(why, EINVAL, "--config: %s: there is no event in it", path);
	free(line);
	fclose(file);
	return err;
}
