// SPDX-License-Identifier: BSD-2-Clause
/* listed_results.c - see listed_results.h. */
#include "tools/bench/listed_results.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "tools/util/memory.h"
#include "tools/util/plainbuf.h"
#include "tools/util/wholefile.h"

/* --- Lines --- */

void listed_json(struct buf *out, const char *text, size_t number)
{
	while (*text) {
		const size_t n = strcspn(text, "\n");

		if (*text == '{')
			buf_printf(out, "{\"piece\" : %zu, %.*s\n", number, (int)n - 1, text + 1);
		text += n + (text[n] == '\n');
	}
}

void listed_problem(struct buf *out, size_t number, const char *name, const char *problem)
{
	buf_printf(out, "{\"piece\" : %zu, \"benchmark\" : ", number);
	plain_add_json(out, name);
	buf_printf(out, ", \"error\" : ");
	plain_add_json(out, problem);
	buf_printf(out, "}\n");
}

void listed_shard(struct buf *out, unsigned shard, unsigned shards, size_t n, const char *list)
{
	buf_printf(out, "{\"shard\" : \"%u/%u\", \"pieces\" : %zu, \"list\" : ", shard, shards, n);
	plain_add_json(out, list);
	buf_printf(out, "}\n");
}

static const char *listed_text(struct json_object *line, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(line, key, &value) ? json_object_get_string(value) : NULL;
}

static size_t listed_number(struct json_object *line, const char *key)
{
	const char *text = listed_text(line, key);

	return text ? strtoul(text, NULL, 10) : 0;
}

/* --- The table --- */

#define COLUMN_LEAST 12

struct table_column {
	char *name;
	int width;
};

/* A value of a piece, or its problem (`column` is then that of no event). */
struct cell {
	size_t piece, column;
	char *text;
};
#define PROBLEM SIZE_MAX

struct table {
	struct table_column *column;
	size_t ncolumns;
	struct cell *cell;
	size_t ncells;
	char **name; /* of the pieces, in order */
	size_t nnames;
	size_t last; /* number of the last piece */
	int width;   /* of the names */
};

static size_t find_column(struct table *t, const char *name)
{
	const int n = (int)strlen(name) + 2;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (!strcmp(t->column[i].name, name))
			return i;
	t->column = memory_grow(t->column, t->ncolumns, sizeof(*t->column));
	t->column[t->ncolumns] =
		(struct table_column){strdup(name), n > COLUMN_LEAST ? n : COLUMN_LEAST};
	return t->ncolumns++;
}

static void add_listed_cell(struct table *t, size_t column, const char *text)
{
	t->cell = memory_grow(t->cell, t->ncells, sizeof(*t->cell));
	t->cell[t->ncells++] = (struct cell){t->nnames - 1, column, strdup(text)};
}

/* Adds a value with two digits behind the point, as the table of one piece has it. */
static void add_median(struct table *t, const char *event, const char *median)
{
	char text[64];

	snprintf(text, sizeof(text), "%.2f", strtod(median, NULL));
	add_listed_cell(t, find_column(t, event), text);
}

static void add_table_line(struct table *t, struct json_object *line)
{
	const size_t piece = listed_number(line, "piece");
	const char *name = listed_text(line, "benchmark"), *event = listed_text(line, "event"),
		   *metric = listed_text(line, "metric-unit"),
		   *median = listed_text(line, "median"), *problem = listed_text(line, "error");

	if (!name)
		return;
	if (!t->nnames || piece != t->last) {
		t->name = memory_grow(t->name, t->nnames, sizeof(*t->name));
		t->name[t->nnames++] = strdup(name);
		t->last = piece;
		if ((int)strlen(name) > t->width)
			t->width = (int)strlen(name);
	}
	if (problem)
		add_listed_cell(t, PROBLEM, problem);
	else if ((event || metric) && median)
		add_median(t, event ? event : metric, median);
}

static void read_listed_table(struct table *t, const char *lines)
{
	char *copy = memory_checked(strdup(lines)), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		struct json_object *object = *line ? json_tokener_parse(line) : NULL;

		if (json_object_is_type(object, json_type_object))
			add_table_line(t, object);
		json_object_put(object);
	}
	free(copy);
}

/* Prints the cells of a piece from cell `at` on; returns the first cell of the next piece. */
static size_t print_listed_row(struct buf *out, const struct table *t, size_t piece, size_t at)
{
	const char **text = memory_checked(calloc(t->ncolumns + 1, sizeof(*text)));
	const char *problem = NULL;

	for (; at < t->ncells && t->cell[at].piece == piece; at++)
		if (t->cell[at].column == PROBLEM)
			problem = t->cell[at].text;
		else
			text[t->cell[at].column] = t->cell[at].text;
	buf_printf(out, " %-*s", t->width, t->name[piece]);
	if (problem)
		buf_printf(out, "  %s", problem);
	else
		for (size_t i = 0; i < t->ncolumns; i++)
			buf_printf(out, "%*s", t->column[i].width, text[i] ? text[i] : "-");
	buf_printf(out, "\n");
	free(text);
	return at;
}

static void free_listed_table(struct table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		free(t->column[i].name);
	for (size_t i = 0; i < t->ncells; i++)
		free(t->cell[i].text);
	for (size_t i = 0; i < t->nnames; i++)
		free(t->name[i]);
	free(t->column);
	free(t->cell);
	free(t->name);
}

void listed_table(struct buf *out, const char *lines)
{
	struct table t = {0};
	size_t at = 0;

	read_listed_table(&t, lines);
	buf_printf(out, "\n %-*s", t.width, "");
	for (size_t i = 0; i < t.ncolumns; i++)
		buf_printf(out, "%*s", t.column[i].width, t.column[i].name);
	buf_printf(out, "\n");
	for (size_t i = 0; i < t.nnames; i++)
		at = print_listed_row(out, &t, i, at);
	buf_printf(out, "\n");
	free_listed_table(&t);
}

/* --- Merging --- */

/* The lines of a piece, in the bytes of its part. */
struct piece_lines {
	const char *at;
	size_t n;
};

struct merge {
	struct buf *part; /* the bytes of each file */
	unsigned shards;  /* 0: no part was read yet */
	bool *has;        /* by the number of the part */
	const char **path;
	struct piece_lines *piece; /* by the number of the piece, from 0 */
	size_t npieces;
	char *list;
};

/* Takes the first line of a part. Returns the number of the part in `*shard`. */
static int take_head(struct merge *m, const char *path, struct json_object *head, unsigned *shard,
		     struct reason *why)
{
	const char *text = head ? listed_text(head, "shard") : NULL,
		   *list = listed_text(head, "list");
	const size_t pieces = listed_number(head, "pieces");
	unsigned shards = 0;
	char end;

	if (!text || sscanf(text, "%u/%u%c", shard, &shards, &end) != 2 || !*shard ||
	    *shard > shards || !pieces || !list)
		return refuse(why, EINVAL,
			      "%s: this is no part of a list: --shard I/N -j prints one", path);
	if (!m->shards) {
		m->shards = shards;
		m->npieces = pieces;
		m->list = strdup(list);
		m->has = memory_checked(calloc(shards + 1, sizeof(*m->has)));
		m->path = memory_checked(calloc(shards + 1, sizeof(*m->path)));
		m->piece = memory_checked(calloc(pieces, sizeof(*m->piece)));
	}
	if (shards != m->shards || pieces != m->npieces)
		return refuse(why, EINVAL,
			      "%s: it is part %u of %u of %zu pieces, others of %u and %zu", path,
			      *shard, shards, pieces, m->shards, m->npieces);
	if (m->has[*shard])
		return refuse(why, EINVAL, "%s and %s are both part %u of %u", m->path[*shard],
			      path, *shard, shards);
	m->has[*shard] = true;
	m->path[*shard] = path;
	return 0;
}

static int take_piece_line(struct merge *m, const char *path, unsigned shard, size_t number,
			   const char *line, size_t n, struct reason *why)
{
	struct piece_lines *piece;

	if (!number || number > m->npieces || (number - 1) % m->shards + 1 != shard)
		return refuse(why, EINVAL, "%s: there is a line that is not of part %u", path,
			      shard);
	piece = &m->piece[number - 1];
	if (piece->at && piece->at + piece->n != line)
		return refuse(why, EINVAL, "%s: piece %zu is there twice", path, number);
	if (!piece->at)
		piece->at = line;
	piece->n += n;
	return 0;
}

/* A line without its end is what a run that was cut off leaves. */
static struct json_object *parse_part_line(const char *line, size_t n, bool ends)
{
	char *copy = ends ? copy_text(line, n) : NULL;
	struct json_object *object = copy ? json_tokener_parse(copy) : NULL;

	free(copy);
	return object;
}

static int take_list_part(struct merge *m, const char *path, const char *text, struct reason *why)
{
	unsigned shard = 0;
	int err = *text ? 0 : refuse(why, EINVAL, "%s: it is empty", path);

	for (size_t number = 1; *text && !err; number++) {
		const size_t n = strcspn(text, "\n");
		struct json_object *line = parse_part_line(text, n, text[n] == '\n');

		if (!json_object_is_type(line, json_type_object))
			err = refuse(why, EINVAL, "%s:%zu: it is cut off, or no line of JSON", path,
				     number);
		else if (number == 1)
			err = take_head(m, path, line, &shard, why);
		else
			err = take_piece_line(m, path, shard, listed_number(line, "piece"), text,
					      n + 1, why);
		json_object_put(line);
		text += n + (text[n] == '\n');
	}
	return err;
}

/* Returns whether all pieces of a part are there. */
static bool is_whole_part(const struct merge *m, unsigned shard)
{
	for (size_t i = shard - 1; i < m->npieces; i += m->shards)
		if (!m->piece[i].at)
			return false;
	return m->has[shard];
}

static int find_lost_parts(const struct merge *m, struct buf *lost, struct reason *why)
{
	struct buf numbers = {0};
	unsigned n = 0;
	int err = 0;

	for (unsigned shard = 1; shard <= m->shards; shard++)
		if (!is_whole_part(m, shard)) {
			n++;
			buf_printf(&numbers, " %u", shard);
			buf_printf(
				lost,
				"part %u is made up by: perf0 bench --list %s --shard %u/%u -j >part%u\n",
				shard, m->list, shard, m->shards, shard);
		}
	if (n)
		err = refuse(why, ENOENT, "of %u parts %u %s missing or not whole:%s", m->shards, n,
			     n == 1 ? "is" : "are", buf_text(&numbers));
	buf_free(&numbers);
	return err;
}

static void free_merge(struct merge *m, size_t nparts)
{
	for (size_t i = 0; i < nparts; i++)
		buf_free(&m->part[i]);
	free(m->part);
	free(m->has);
	free(m->path);
	free(m->piece);
	free(m->list);
}

int listed_merge(struct buf *out, const char *const *path, size_t npaths, struct buf *lost,
		 struct reason *why)
{
	struct merge m = {.part = memory_checked(calloc(npaths + 1, sizeof(*m.part)))};
	int err = 0;

	for (size_t i = 0; i < npaths && !err; i++) {
		err = text_file_read(&m.part[i], path[i], why);
		if (!err)
			err = take_list_part(&m, path[i], buf_text(&m.part[i]), why);
	}
	if (!err)
		err = find_lost_parts(&m, lost, why);
	for (size_t i = 0; i < m.npieces && !err; i++)
		buf_add(out, m.piece[i].at, m.piece[i].n);
	free_merge(&m, npaths);
	return err;
}
