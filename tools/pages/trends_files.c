// SPDX-License-Identifier: BSD-2-Clause
/* trends_files.c - see trends_files.h. */
#include "tools/pages/trends_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "tools/gate/gate_results.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

#define GATE_HEAD    "# perf0 gate "
#define ALONE        "(all)" /* the benchmark of a file that names none, nor does its own name */
#define FIGURE_BENCH "median"

/* The version and the benchmark that a file's counts are of. */
struct source {
	struct trends *trends;
	size_t version;
	const char *benchmark;
};

/* --- Results of the gate --- */

/* Returns whether the functions of a benchmark are what the gate judges of this event. */
static bool has_judged_functions(const struct gate_results *results, const struct result *row)
{
	return gate_results_find(results, row->benchmark, RESULT_INSIDE, row->name);
}

static int read_gate_results(const struct source *to, const char *text, size_t n,
			     struct reason *why)
{
	struct gate_results results = {0};
	const int err = gate_results_parse(&results, text, n, why);

	for (size_t i = 0; i < results.n && !err; i++) {
		const struct result *row = &results.row[i];

		if (row->kind == RESULT_INSIDE ||
		    (row->kind == RESULT_EVENT && !has_judged_functions(&results, row)))
			trends_add(to->trends, to->version, row->benchmark, row->name,
				   (double)row->value);
	}
	gate_results_free(&results);
	return err;
}

/* --- JSON --- */

static const char *json_text_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

/* Returns the number of a key, whether it is a number or a text in the file; NAN: there is none. */
static double json_number(struct json_object *object, const char *key)
{
	const char *text = json_text_of(object, key);
	char *end;
	double number;

	if (!text)
		return NAN;
	number = strtod(text, &end);
	return *end || end == text || !(number >= 0) || isinf(number) ? NAN : number;
}

/* Adds a count; false: it has no number. */
static bool add_json_count(const struct source *to, const char *benchmark, const char *event,
			   double value)
{
	if (!event || isnan(value))
		return false;
	if (!benchmark || !*benchmark)
		benchmark = *to->benchmark ? to->benchmark : ALONE;
	trends_add(to->trends, to->version, benchmark, event, value);
	return true;
}

/* Returns whether the counts have the event of the functions, which is the figure that is judged.
 */
static bool has_function_count(struct json_object *counts, const char *event)
{
	for (size_t i = 0; event && i < json_object_array_length(counts); i++) {
		struct json_object *count = json_object_array_get_idx(counts, i);
		const char *of = json_text_of(count, "of"), *other = json_text_of(count, "event");

		if (of && other && !strcmp(of, "function") && !strcmp(other, event))
			return true;
	}
	return false;
}

/* Returns whether the count is the figure of the benchmark's event, and was measured. */
static bool is_figure(struct json_object *counts, struct json_object *count)
{
	const char *verdict = json_text_of(count, "verdict"), *of = json_text_of(count, "of");

	if (!verdict || !of || !strcmp(verdict, "gone"))
		return false;
	return !strcmp(of, "function") || !has_function_count(counts, json_text_of(count, "event"));
}

static size_t add_gate_benchmark(const struct source *to, struct json_object *benchmark)
{
	struct json_object *counts;
	const char *name = json_text_of(benchmark, "name");
	size_t found = 0;

	if (!name || !json_object_object_get_ex(benchmark, "counts", &counts) ||
	    !json_object_is_type(counts, json_type_array))
		return 0;
	for (size_t i = 0; i < json_object_array_length(counts); i++) {
		struct json_object *count = json_object_array_get_idx(counts, i);

		if (is_figure(counts, count))
			found += add_json_count(to, name, json_text_of(count, "event"),
						json_number(count, "new"));
	}
	return found;
}

static size_t add_gate_json(const struct source *to, struct json_object *benchmarks)
{
	size_t found = 0;

	for (size_t i = 0; i < json_object_array_length(benchmarks); i++)
		found += add_gate_benchmark(to, json_object_array_get_idx(benchmarks, i));
	return found;
}

/* Adds the count of a line of `stat -j`, `bench -j` or `latency -j`. An interval is no count of a
 * run. */
static size_t add_json_line(const struct source *to, struct json_object *object)
{
	const char *instruction = json_text_of(object, "instruction");

	if (json_object_object_get_ex(object, "interval", NULL))
		return 0;
	if (instruction)
		return add_json_count(to, instruction, "throughput",
				      json_number(object, "throughput"));
	if (json_object_object_get_ex(object, FIGURE_BENCH, NULL))
		return add_json_count(to, json_text_of(object, "benchmark"),
				      json_text_of(object, "event"),
				      json_number(object, FIGURE_BENCH));
	return add_json_count(to, NULL, json_text_of(object, "event"),
			      json_number(object, "counter-value"));
}

static size_t read_json_of_lines(const struct source *to, const char *text, size_t n)
{
	char *copy = memory_checked(strndup(text, n)), *rest = copy, *line;
	size_t found = 0;

	while ((line = strsep(&rest, "\n"))) {
		struct json_object *object = *line == '{' ? json_tokener_parse(line) : NULL;

		if (json_object_is_type(object, json_type_object))
			found += add_json_line(to, object);
		json_object_put(object);
	}
	free(copy);
	return found;
}

static size_t read_any_json(const struct source *to, const char *text, size_t n)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *whole = json_tokener_parse_ex(tokener, text, (int)n), *benchmarks;
	size_t found = 0;

	if (json_object_is_type(whole, json_type_object) &&
	    json_object_object_get_ex(whole, "benchmarks", &benchmarks) &&
	    json_object_is_type(benchmarks, json_type_array))
		found = add_gate_json(to, benchmarks);
	else
		found = read_json_of_lines(to, text, n);
	json_object_put(whole);
	json_tokener_free(tokener);
	return found;
}

int trends_text_read(struct trends *trends, size_t version, const char *text, size_t n,
		     const char *benchmark, struct reason *why)
{
	const struct source to = {trends, version, benchmark};

	if (n >= strlen(GATE_HEAD) && !memcmp(text, GATE_HEAD, strlen(GATE_HEAD)))
		return read_gate_results(&to, text, n, why);
	if (memchr(text, '\0', n) || !read_any_json(&to, text, n))
		return refuse(
			why, EINVAL,
			"this is no result of gate, and no JSON of gate, stat, bench or latency");
	return 0;
}

int trends_file_read(struct trends *trends, size_t version, const char *path, const char *benchmark,
		     struct reason *why)
{
	struct buf text = {0};
	struct reason what;
	int err = text_file_read(&text, path, why);

	if (!err && trends_text_read(trends, version, buf_text(&text), text.size, benchmark, &what))
		err = refuse(why, EINVAL, "%s: %s", path, what.text);
	buf_free(&text);
	return err;
}

#define PAGE_END  "</footer>\n</body></html>\n"
#define PAGE_MOST (64u << 20)

/* Replaces the entities that markup_add() writes by their characters. */
static void decode_entities(char *text)
{
	static const struct {
		const char *entity;
		char character;
	} entities[] = {
		{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&amp;", '&'}};
	char *to = text;

	while (*text) {
		char c = *text;
		size_t n = 1;

		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			if (!strncmp(text, entities[i].entity, strlen(entities[i].entity))) {
				c = entities[i].character;
				n = strlen(entities[i].entity);
			}
		*to++ = c;
		text += n;
	}
	*to = '\0';
}

/* Returns the text between the tags, allocated; NULL: they are not there. */
static char *copy_title(const char *text)
{
	static const char begin[] = "<title>", end[] = "</title>";
	const char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;
	char *title;

	if (!to)
		return NULL;
	from += sizeof(begin) - 1;
	title = copy_text(from, (size_t)(to - from));
	decode_entities(title);
	return title;
}

char *trends_page_title(const char *path)
{
	const size_t nend = sizeof(PAGE_END) - 1;
	struct buf text = {0};
	struct reason ignored;
	char *title = NULL;

	if (!whole_file_read(&text, path, PAGE_MOST, &ignored) && text.size > nend &&
	    !memcmp(text.data + text.size - nend, PAGE_END, nend))
		title = copy_title(buf_text(&text));
	buf_free(&text);
	return title;
}
