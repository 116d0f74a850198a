// SPDX-License-Identifier: BSD-2-Clause
/* gate_results.c - see gate_results.h. */
#include "tools/gate/gate_results.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/formats.h"
#include "tools/options/tolerance.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

#define HEADER  "# perf0 gate "
#define SHARD   "# shard "
#define END     "# end"
#define COUNTED "counted"

#define FILE_COLUMNS     2
#define FUNCTION_COLUMNS 5

/* The lines of a file. */
enum line_kind { LINE_EVENT, LINE_FILES, LINE_FUNCTIONS, LINE_INSIDE, LINE_KINDS };

static const char *const line_kinds[LINE_KINDS] = {"event", "files", "functions", "inside"};

/* Kinds of format 1 that are dropped. */
static const char *const dropped_kinds[] = {"code", "function", "period", "size"};

static bool is_plain(char c)
{
	return (unsigned char)c >= ' ' && c != 127;
}

static bool has_control(const char *name)
{
	for (; *name; name++)
		if (!is_plain(*name))
			return true;
	return false;
}

bool gate_results_name_is_plain(const char *name)
{
	return *name && *name != '#' && !has_control(name);
}

/* Returns the results' own copy of a name, without characters that a line cannot hold. */
static const char *keep_name(struct gate_results *results, const char *text)
{
	char *copy;
	const char *kept;

	if (!has_control(text))
		return text_pool_add(&results->names, text);
	copy = copy_text(text, strlen(text));
	for (char *c = copy; *c; c++)
		if (!is_plain(*c))
			*c = '?';
	kept = text_pool_add(&results->names, copy);
	free(copy);
	return kept;
}

void gate_results_add(struct gate_results *results, const char *benchmark, enum result_kind kind,
		      const char *name, uint64_t value)
{
	results->row = memory_grow(results->row, results->n, sizeof(*results->row));
	results->row[results->n++] = (struct result){.benchmark = keep_name(results, benchmark),
						     .name = keep_name(results, name),
						     .kind = kind,
						     .value = value,
						     .truth = TRUTH_KINDS};
}

void gate_results_add_count(struct gate_results *results, const char *benchmark, const char *event,
			    uint64_t value, enum truth truth)
{
	gate_results_add(results, benchmark, RESULT_EVENT, event, value);
	results->row[results->n - 1].truth = truth;
}

void gate_results_copy(struct gate_results *results, const struct result *row)
{
	gate_results_add(results, row->benchmark, row->kind, row->name, row->value);
	results->row[results->n - 1].truth = row->truth;
}

static int compare_rows(const void *a, const void *b)
{
	const struct result *x = a, *y = b;
	int order = strcmp(x->benchmark, y->benchmark);

	if (!order && x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return order ? order : strcmp(x->name, y->name);
}

void gate_results_sort(struct gate_results *results)
{
	if (results->n)
		qsort(results->row, results->n, sizeof(*results->row), compare_rows);
}

const struct result *gate_results_find(const struct gate_results *results, const char *benchmark,
				       enum result_kind kind, const char *name)
{
	const struct result key = {
		.benchmark = (char *)benchmark, .name = (char *)name, .kind = kind};

	if (!results->n)
		return NULL;
	return bsearch(&key, results->row, results->n, sizeof(key), compare_rows);
}

size_t gate_results_begin(const struct gate_results *results, const char *benchmark)
{
	size_t low = 0, high = results->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(results->row[middle].benchmark, benchmark) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < results->n && !strcmp(results->row[low].benchmark, benchmark))
		return low;
	return results->n;
}

void gate_results_free(struct gate_results *results)
{
	text_pool_free(&results->names);
	free(results->row);
	free(results->version);
	free(results->uarch);
	free(results->machine);
	free(results->cpu);
	free(results->measured_on);
	*results = (struct gate_results){0};
}

/* --- Classes --- */

const char *gate_results_class(enum truth truth)
{
	return truth == TRUTH_UNTOLD ? COUNTED : truth_name(truth);
}

/* Returns TRUTH_KINDS for an unknown name. */
static enum truth class_of_name(const char *name)
{
	enum truth truth = TRUTH_UNTOLD;

	while (truth < TRUTH_KINDS && strcmp(gate_results_class(truth), name))
		truth++;
	return truth;
}

int gate_results_check_classes(const struct gate_results *old, const struct gate_results *got,
			       struct reason *why)
{
	for (size_t i = 0; i < got->n; i++) {
		const struct result *now = &got->row[i],
				    *was = gate_results_find(old, now->benchmark, now->kind,
							     now->name);

		if (was && was->truth != TRUTH_KINDS && now->truth != TRUTH_KINDS &&
		    was->truth != now->truth)
			return refuse(why, EINVAL,
				      "%s: %s is '%s' in the baseline and '%s' now: counts of "
				      "another class are not compared; --update takes the new ones",
				      now->benchmark, now->name, gate_results_class(was->truth),
				      gate_results_class(now->truth));
	}
	return 0;
}

/* --- Writing --- */

static void write_number(struct buf *out, const struct result *row, enum line_kind kind)
{
	buf_printf(out, "%s\t%s\t%s\t%" PRIu64, row->benchmark, line_kinds[kind], row->name,
		   row->value);
	if (row->truth != TRUTH_KINDS)
		buf_printf(out, "\t%s", gate_results_class(row->truth));
	buf_printf(out, "\n");
}

static uint64_t row_value(const struct gate_results *results, const struct result *function,
			  enum result_kind kind)
{
	const struct result *row =
		gate_results_find(results, function->benchmark, kind, function->name);

	return row ? row->value : 0;
}

/* Writes the rows of a kind that begin at `at` as one line; returns how many they are. */
static size_t write_list(struct buf *out, const struct gate_results *results, size_t at,
			 enum line_kind kind)
{
	const struct result *first = &results->row[at];
	size_t n = 0;

	while (at + n < results->n && first[n].kind == first->kind &&
	       !strcmp(first[n].benchmark, first->benchmark))
		n++;
	buf_printf(out, "%s\t%s\t%zu", first->benchmark, line_kinds[kind], n);
	for (size_t i = 0; i < n; i++) {
		const struct result *row = &first[i];

		buf_printf(out, "\t%s\t%" PRIu64, row->name, row->value);
		if (kind == LINE_FUNCTIONS)
			buf_printf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
				   row_value(results, row, RESULT_CALLS),
				   row_value(results, row, RESULT_SIZE),
				   row_value(results, row, RESULT_CODE));
	}
	buf_printf(out, "\n");
	return n;
}

/* Writes the rows at `at` that make a line; returns how many they are. */
static size_t write_line(struct buf *out, const struct gate_results *results, size_t at)
{
	switch (results->row[at].kind) {
	case RESULT_EVENT:
		write_number(out, &results->row[at], LINE_EVENT);
		break;
	case RESULT_INSIDE:
		write_number(out, &results->row[at], LINE_INSIDE);
		break;
	case RESULT_FILE:
		return write_list(out, results, at, LINE_FILES);
	case RESULT_FUNCTION:
		return write_list(out, results, at, LINE_FUNCTIONS);
	default: /* part of a function */
		break;
	}
	return 1;
}

void gate_results_write(struct buf *out, const struct gate_results *results)
{
	buf_printf(out, HEADER "%u\tversion=%s\tuarch=%s\tmachine=%s", BASELINE_VERSION,
		   results->version, results->uarch, results->machine);
	if (results->cpu)
		buf_printf(out, "\tcpu=%s", results->cpu);
	if (results->measured_on)
		buf_printf(out, "\ton=%s", results->measured_on);
	buf_printf(out, "\n");
	if (results->shards)
		buf_printf(out, SHARD "%u/%u\n", results->shard, results->shards);
	for (size_t i = 0; i < results->n;)
		i += write_line(out, results, i);
	buf_printf(out, END "\n");
}

/* --- What it was measured on --- */

static void tell_differences(struct buf *out, struct json_object *was, struct json_object *is)
{
	struct json_object *old;

	json_object_object_foreach(is, name, value)
	{
		if (json_object_object_get_ex(was, name, &old) && !json_object_equal(old, value))
			buf_printf(out, "%s%s was %s and is %s", out->size ? ", " : "", name,
				   json_object_get_string(old), json_object_get_string(value));
	}
}

void gate_results_tell_machine(struct buf *out, const struct gate_results *old,
			       const struct gate_results *got)
{
	struct json_object *was = old->measured_on ? json_tokener_parse(old->measured_on) : NULL;
	struct json_object *is = got->measured_on ? json_tokener_parse(got->measured_on) : NULL;

	if (json_object_is_type(was, json_type_object) && json_object_is_type(is, json_type_object))
		tell_differences(out, was, is);
	json_object_put(was);
	json_object_put(is);
}

/* --- Reading --- */

struct reading {
	struct gate_results *results;
	char *text, *end; /* the unread text; `end` is its terminator */
	size_t line;      /* line that was taken last, from 1 */
	bool ended;       /* the END line was taken */
	char *key;        /* the beginning of the last line, which orders lines; NULL: none */
};

/* Takes a line without its end; NULL: no more lines, or the rest is incomplete. */
static char *take_line(struct reading *r)
{
	char *line = r->text, *end = memchr(line, '\n', (size_t)(r->end - line));

	if (!end)
		return NULL;
	*end = '\0';
	r->text = end + 1;
	r->line++;
	return line;
}

/* Returns the value of NAME=VALUE in the header, behind a tab; NULL: missing. */
static char *header_value(const char *line, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = strchr(line, '\t'); at; at = strchr(at + 1, '\t'))
		if (!strncmp(at + 1, name, n) && at[n + 1] == '=')
			return copy_text(at + n + 2, strcspn(at + n + 2, "\t"));
	return NULL;
}

/* Reads the format's number behind HEADER; 0: it is none that this program reads. */
static unsigned format_of(const char *line)
{
	char *end;
	const unsigned long format = strtoul(line, &end, 10);

	return end > line && (!*end || *end == '\t') && format <= BASELINE_VERSION
		       ? (unsigned)format
		       : 0;
}

static int take_header(struct reading *r, struct reason *why)
{
	struct gate_results *results = r->results;
	const char *line = take_line(r);

	if (!line || strncmp(line, HEADER, strlen(HEADER)) != 0)
		return refuse(why, EINVAL, "line 1: this is no file of perf0 gate");
	if (line[strlen(line) - 1] == '\r')
		return refuse(
			why, EINVAL,
			"line 1: it ends with a carriage return, as git's core.autocrlf makes "
			"it: `*.baseline -text` in .gitattributes keeps it as it is");
	results->format = format_of(line + strlen(HEADER));
	if (!results->format)
		return refuse(why, EINVAL,
			      "line 1: '%.30s' is of another perf0; this one reads formats 1 to %u",
			      line, BASELINE_VERSION);
	results->version = header_value(line, "version");
	results->uarch = header_value(line, "uarch");
	results->machine = header_value(line, "machine");
	results->cpu = header_value(line, "cpu");
	results->measured_on = header_value(line, "on");
	if (!results->version || !results->uarch || !results->machine)
		return refuse(why, EINVAL, "line 1: version=, uarch= or machine= is missing");
	return 0;
}

/* Accepts digits alone, as gate_results_write() writes them. */
static bool parse_digits(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9' || (*text == '0' && text[1]))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end;
}

static int take_shard(struct reading *r, const char *text, struct reason *why)
{
	if (r->line == 2 && shard_parse(text, &r->results->shard, &r->results->shards))
		return 0;
	return refuse(why, EINVAL, "line %zu: this is no shard I/N", r->line);
}

static int find_line_kind(const char *name)
{
	for (int i = 0; i < LINE_KINDS; i++)
		if (!strcmp(line_kinds[i], name))
			return i;
	return -ENOENT;
}

static bool is_dropped_kind(const struct reading *r, const char *name)
{
	for (size_t i = 0; i < sizeof(dropped_kinds) / sizeof(dropped_kinds[0]); i++)
		if (r->results->format == 1 && !strcmp(dropped_kinds[i], name))
			return true;
	return false;
}

/* Lines are in the order of benchmark and kind, and numbers in that of their names. */
static int refuse_line_order(struct reading *r, char *const column[3], bool is_number,
			     struct reason *why)
{
	struct buf key = {0};
	int order;

	buf_printf(&key, "%s\t%s\t%s", column[0], column[1], is_number ? column[2] : "");
	order = r->key ? strcmp(r->key, buf_text(&key)) : -1;
	free(r->key);
	r->key = copy_text(buf_text(&key), key.size);
	buf_free(&key);
	if (order < 0)
		return 0;
	return refuse(why, EINVAL,
		      order ? "line %zu is not in its place: lines are sorted by their bytes"
			    : "line %zu is there twice",
		      r->line);
}

/* The columns of a line. */
struct columns {
	char **at;
	size_t n;
};

static struct columns split_columns(char *line)
{
	struct columns c = {.n = 1};
	size_t n = 0;

	for (const char *t = line; *t; t++)
		c.n += *t == '\t';
	c.at = memory_checked(calloc(c.n, sizeof(*c.at)));
	for (char *rest = line; rest;)
		c.at[n++] = strsep(&rest, "\t");
	return c;
}

static int take_class(struct reading *r, const char *name, struct reason *why)
{
	struct result *row = &r->results->row[r->results->n - 1];

	row->truth = class_of_name(name);
	if (row->kind == RESULT_EVENT && row->truth != TRUTH_KINDS)
		return 0;
	return refuse(why, EINVAL, "line %zu: '%s' is no class of %s", r->line, name,
		      row->kind == RESULT_EVENT ? "event" : "inside");
}

static int take_number(struct reading *r, const struct columns *c, enum result_kind kind,
		       struct reason *why)
{
	uint64_t value;

	if (c->n != 4 && c->n != 5)
		return refuse(why, EINVAL,
			      "line %zu: %zu column%s, and not benchmark, kind, name and number",
			      r->line, c->n, c->n == 1 ? "" : "s");
	if (!parse_digits(c->at[3], &value))
		return refuse(why, EINVAL, "line %zu: '%s' is no number", r->line, c->at[3]);
	if (!*c->at[0] || !*c->at[2])
		return refuse(why, EINVAL, "line %zu: a benchmark or a number without a name",
			      r->line);
	gate_results_add(r->results, c->at[0], kind, c->at[2], value);
	return c->n > 4 ? take_class(r, c->at[4], why) : 0;
}

static int take_name_list(struct reading *r, const struct columns *c, const enum result_kind *kinds,
			  size_t width, struct reason *why)
{
	uint64_t count, value;

	if (!*c->at[0] || !parse_digits(c->at[2], &count) || count > c->n ||
	    c->n != 3 + count * width)
		return refuse(why, EINVAL, "line %zu: this is no list of %s entries", r->line,
			      c->at[2]);
	for (size_t i = 3; i < c->n; i += width)
		for (size_t k = 1; k < width; k++) {
			if (!*c->at[i] || !parse_digits(c->at[i + k], &value))
				return refuse(why, EINVAL, "line %zu: '%s' is no number", r->line,
					      c->at[i + k]);
			gate_results_add(r->results, c->at[0], kinds[k - 1], c->at[i], value);
		}
	return 0;
}

static int take_columns(struct reading *r, const struct columns *c, struct reason *why)
{
	static const enum result_kind file[] = {RESULT_FILE},
				      function[] = {RESULT_FUNCTION, RESULT_CALLS, RESULT_SIZE,
						    RESULT_CODE};
	const int kind = c->n > 2 ? find_line_kind(c->at[1]) : LINE_EVENT;
	int err;

	if (c->n > 2 && is_dropped_kind(r, c->at[1]))
		return 0;
	if (kind < 0)
		return refuse(why, EINVAL,
			      "line %zu: '%s' is not event, files, functions or inside", r->line,
			      c->at[1]);
	if ((*c->at[0] && !gate_results_name_is_plain(c->at[0])) ||
	    (c->n > 2 && has_control(c->at[2])))
		return refuse(why, EINVAL,
			      "line %zu: a name with a control character in it, or a # in front",
			      r->line);
	if (kind == LINE_FILES)
		err = take_name_list(r, c, file, FILE_COLUMNS, why);
	else if (kind == LINE_FUNCTIONS)
		err = take_name_list(r, c, function, FUNCTION_COLUMNS, why);
	else
		err = take_number(r, c, kind == LINE_EVENT ? RESULT_EVENT : RESULT_INSIDE, why);
	return err ? err
		   : refuse_line_order(r, c->at, kind == LINE_EVENT || kind == LINE_INSIDE, why);
}

static int take_row(struct reading *r, char *line, struct reason *why)
{
	struct columns c = split_columns(line);
	const int err = take_columns(r, &c, why);

	free(c.at);
	return err;
}

static int take_any_line(struct reading *r, char *line, struct reason *why)
{
	if (r->ended)
		return refuse(why, EINVAL, "line %zu: there is more behind '" END "'", r->line);
	if (!strncmp(line, SHARD, strlen(SHARD)))
		return take_shard(r, line + strlen(SHARD), why);
	if (strcmp(line, END))
		return take_row(r, line, why);
	r->ended = true;
	return 0;
}

static int parse_lines(struct reading *r, struct reason *why)
{
	char *line;
	int err = take_header(r, why);

	while (!err && (line = take_line(r)))
		err = take_any_line(r, line, why);
	if (err)
		return err;
	if (!r->ended || *r->text)
		return refuse(why, EINVAL,
			      "line %zu: the file is cut off: its last line is not '" END "'",
			      r->line + (*r->text != 0));
	return 0;
}

int gate_results_parse(struct gate_results *results, const char *text, size_t n, struct reason *why)
{
	char *copy;
	struct reading r;
	int err;

	if (memchr(text, 0, n)) {
		size_t line = 1;

		for (const char *c = text; *c; c++)
			line += *c == '\n';
		return refuse(why, EINVAL, "line %zu: a byte 0: this is no text", line);
	}
	copy = copy_text(text, n);
	r = (struct reading){.results = results, .text = copy, .end = copy + n};
	err = parse_lines(&r, why);
	gate_results_sort(results);
	free(r.key);
	free(copy);
	return err;
}

int gate_results_read(struct gate_results *results, const char *path, struct reason *why)
{
	struct buf bytes = {0};
	struct reason what;
	int err = text_file_read(&bytes, path, why);

	if (!err && gate_results_parse(results, buf_text(&bytes), bytes.size, &what))
		err = refuse(why, EINVAL, "%s: %s", path, what.text);
	buf_free(&bytes);
	return err;
}

/* --- Shards --- */

static int refuse_shards(const struct gate_results *shard, const char *const *path, size_t count,
			 struct reason *why)
{
	const struct gate_results *first = &shard[0];

	for (size_t i = 0; i < count; i++) {
		const struct gate_results *s = &shard[i];

		if (!s->shards)
			return refuse(why, EINVAL, "%s: this is no shard, but all", path[i]);
		if (s->shards != first->shards)
			return refuse(why, EINVAL, "%s is a shard of %u, and %s one of %u", path[i],
				      s->shards, path[0], first->shards);
		if (strcmp(s->uarch, first->uarch) || strcmp(s->version, first->version) ||
		    strcmp(s->machine, first->machine))
			return refuse(why, EINVAL, "%s and %s were measured by different machines",
				      path[i], path[0]);
		for (size_t k = 0; k < i; k++)
			if (shard[k].shard == s->shard)
				return refuse(why, EINVAL, "%s and %s are both shard %u of %u",
					      path[k], path[i], s->shard, s->shards);
	}
	return 0;
}

bool gate_results_has_shard(const struct gate_results *shard, size_t count, unsigned number)
{
	for (size_t i = 0; i < count; i++)
		if (shard[i].shard == number)
			return true;
	return false;
}

/* Names the missing shards by their numbers. */
static int refuse_lost(const struct gate_results *shard, size_t count, struct reason *why)
{
	struct buf lost = {0};
	size_t nlost = 0;
	int err = 0;

	for (unsigned number = 1; number <= shard[0].shards; number++)
		if (!gate_results_has_shard(shard, count, number))
			buf_printf(&lost, "%s%u", nlost++ ? ", " : "", number);
	if (nlost)
		err = refuse(why, ENOENT, "of %u shards %zu %s missing: %s", shard[0].shards, nlost,
			     nlost == 1 ? "is" : "are", buf_text(&lost));
	buf_free(&lost);
	return err;
}

static int refuse_twice(const struct gate_results *results, struct reason *why)
{
	for (size_t i = 1; i < results->n; i++)
		if (!compare_rows(&results->row[i - 1], &results->row[i]))
			return refuse(why, EINVAL, "benchmark '%s' is in two shards",
				      results->row[i].benchmark);
	return 0;
}

static char *copy_text_or_null(const char *text)
{
	return text ? copy_text(text, strlen(text)) : NULL;
}

int gate_results_merge(struct gate_results *out, const struct gate_results *shard,
		       const char *const *path, size_t count, struct reason *why)
{
	int err = refuse_shards(shard, path, count, why);

	if (!err)
		err = refuse_lost(shard, count, why);
	if (err)
		return err;
	out->version = copy_text(shard[0].version, strlen(shard[0].version));
	out->uarch = copy_text(shard[0].uarch, strlen(shard[0].uarch));
	out->machine = copy_text(shard[0].machine, strlen(shard[0].machine));
	out->cpu = copy_text_or_null(shard[0].cpu);
	out->measured_on = copy_text_or_null(shard[0].measured_on);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < shard[i].n; k++) {
			const struct result *row = &shard[i].row[k];

			gate_results_copy(out, row);
		}
	gate_results_sort(out);
	return refuse_twice(out, why);
}
