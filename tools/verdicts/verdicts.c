// SPDX-License-Identifier: BSD-2-Clause
/* verdicts.c - see verdicts.h. */
#include "tools/verdicts/verdicts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/util/plainbuf.h"
#include "tools/util/wholefile.h"

#define FILE_MOST (1u << 20)

/* Copies the value of `"key": ` in the line: a string without its quotes, or a number. */
static bool copy_value(const char *line, const char *key, char *to, size_t size)
{
	char quoted[32];
	const char *at;
	size_t n;

	*to = '\0';
	snprintf(quoted, sizeof(quoted), "\"%s\": ", key);
	at = strstr(line, quoted);
	if (!at)
		return false;
	at += strlen(quoted);
	n = *at == '"' ? strcspn(++at, "\"") : strspn(at, "0123456789");
	snprintf(to, size, "%.*s", (int)(n < size ? n : size - 1), at);
	return true;
}

static void read_verdict(struct verdicts *v, const char *line)
{
	struct told_verdict *row = &v->row[v->n];

	if (v->n == VERDICTS_MOST || !copy_value(line, "name", row->name, sizeof(row->name)) ||
	    !copy_value(line, "verdict", row->state, sizeof(row->state)))
		return;
	copy_value(line, "text", row->text, sizeof(row->text));
	copy_value(line, "measured", row->measured, sizeof(row->measured));
	copy_value(line, "expected", row->expected, sizeof(row->expected));
	v->n++;
}

static void read_report_line(struct verdicts *v, const char *line)
{
	if (*line == '{') {
		read_verdict(v, line);
		return;
	}
	if (!*v->brand)
		copy_value(line, "brand", v->brand, sizeof(v->brand));
	if (!*v->uarch)
		copy_value(line, "uarch", v->uarch, sizeof(v->uarch));
	if (!*v->product)
		copy_value(line, "product", v->product, sizeof(v->product));
}

int verdicts_read(struct verdicts *v, const char *path, struct reason *why)
{
	struct buf text = {0};
	int err = whole_file_read(&text, path, FILE_MOST, why);

	*v = (struct verdicts){.n = 0};
	if (!err && text.size > FILE_MOST)
		err = refuse(why, EFBIG, "%s: it is too large", path);
	if (!err) {
		char *rest = NULL;

		buf_add(&text, "", 1);
		for (char *line = strtok_r((char *)text.data, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			read_report_line(v, line);
	}
	buf_free(&text);
	if (!err && !v->n)
		err = refuse(why, EINVAL, "%s: this is no output of doctor -j", path);
	return err;
}

static void add_plain(struct buf *out, const char *text)
{
	plain_add(out, text, strlen(text));
}

static void add_machine_line(struct buf *out, const struct verdicts *v)
{
	add_plain(out, v->product);
	buf_printf(out, ": ");
	add_plain(out, v->brand);
	buf_printf(out, " (");
	add_plain(out, v->uarch);
	buf_printf(out, ")\n");
}

static void add_verdict(struct buf *out, const struct told_verdict *row)
{
	add_plain(out, row->state);
	if (*row->text)
		buf_printf(out, ": ");
	add_plain(out, row->text);
}

void verdicts_print(struct buf *out, const struct verdicts *v)
{
	size_t right = 0;

	buf_printf(out, "    ");
	add_machine_line(out, v);
	for (size_t i = 0; i < v->n; i++) {
		if (!strcmp(v->row[i].state, "right")) {
			right++;
			continue;
		}
		buf_printf(out, "    ");
		add_plain(out, v->row[i].name);
		buf_printf(out, ": ");
		add_verdict(out, &v->row[i]);
		buf_printf(out, "\n");
	}
	buf_printf(out, "    %zu of %zu right\n", right, v->n);
}

/* --- Comparing --- */

static const struct told_verdict *find_verdict(const struct verdicts *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcmp(v->row[i].name, name))
			return &v->row[i];
	return NULL;
}

static void add_side(struct buf *out, const char *side, const struct told_verdict *row)
{
	buf_printf(out, "  %s  ", side);
	if (row)
		add_verdict(out, row);
	else
		buf_printf(out, "has no such check");
	buf_printf(out, "\n");
}

static bool is_same_verdict(const struct told_verdict *a, const struct told_verdict *b)
{
	return a && b && !strcmp(a->state, b->state) && !strcmp(a->measured, b->measured) &&
	       !strcmp(a->expected, b->expected);
}

static size_t compare_check(struct buf *out, const char *name, const struct told_verdict *a,
			    const struct told_verdict *b)
{
	if (is_same_verdict(a, b))
		return 0;
	add_plain(out, name);
	buf_printf(out, "\n");
	add_side(out, "A", a);
	add_side(out, "B", b);
	return 1;
}

size_t verdicts_compare(struct buf *out, const struct verdicts *a, const struct verdicts *b)
{
	size_t differ = 0;

	buf_printf(out, "A  ");
	add_machine_line(out, a);
	buf_printf(out, "B  ");
	add_machine_line(out, b);
	for (size_t i = 0; i < a->n; i++)
		differ += compare_check(out, a->row[i].name, &a->row[i],
					find_verdict(b, a->row[i].name));
	for (size_t i = 0; i < b->n; i++)
		if (!find_verdict(a, b->row[i].name))
			differ += compare_check(out, b->row[i].name, NULL, &b->row[i]);
	buf_printf(out, "%zu of %zu checks differ\n", differ, a->n);
	return differ;
}
