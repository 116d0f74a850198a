// SPDX-License-Identifier: BSD-2-Clause
/* gate_config.c - see gate_config.h. */
#include "tools/gate/gate_config.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "include/perf0/personalities.h"
#include "lib/printf.h"
#include "lib/words/isa_level.h"
#include "lib/words/near.h"
#include "tools/events/guest_uarch.h"
#include "tools/gate/gate_results.h"
#include "tools/gate/toml.h"
#include "tools/options/tolerance.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

#define CARGO_HASH 16 /* digits */

/* The state of reading a table's entries. */
struct table_reader {
	const struct toml_table *table;
	const char *folder; /* folder of the file, with its slash; "": the current one */
	struct gate_config *config;
	/* The benchmark's entries. */
	const char *name;
	char *program; /* path of the program */
	char *const *args;
	size_t nargs;
	char *events, *tolerance;
	char *measure;
	bool same_clock, same_seed;
};

static int refuse_entry(const struct toml_entry *entry, struct reason *why, const char *what)
{
	return refuse(why, EINVAL, "%zu:%zu: %s: %s", entry->line, entry->column, entry->key, what);
}

static int want_string(const struct toml_entry *entry, struct reason *why)
{
	if (entry->kind != TOML_STRING)
		return refuse_entry(entry, why, "a string is needed");
	return *entry->text ? 0 : refuse_entry(entry, why, "this is empty");
}

/* Copies "a,b" or ["a", "b"] as an allocated text. */
static int take_list(const struct toml_entry *entry, char **out, struct reason *why)
{
	struct buf list = {0};

	if (entry->kind != TOML_ARRAY) {
		if (want_string(entry, why))
			return -EINVAL;
		free(*out);
		*out = copy_text(entry->text, strlen(entry->text));
		return 0;
	}
	if (!entry->nitems)
		return refuse_entry(entry, why, "this is empty");
	for (size_t i = 0; i < entry->nitems; i++)
		buf_printf(&list, "%s%s", i ? "," : "", entry->item[i]);
	free(*out);
	*out = copy_text(buf_text(&list), list.size);
	buf_free(&list);
	return 0;
}

/* Copies 5, "0.5%", "cycles:u=1%,5" or an array of such as an allocated text for tolerance.h. */
static int take_tolerance(const struct toml_entry *entry, char **out, struct reason *why)
{
	struct reason what;

	if (entry->kind == TOML_INTEGER) {
		struct buf text = {0};

		buf_printf(&text, "%" PRId64, entry->number);
		free(*out);
		*out = copy_text(buf_text(&text), text.size);
		buf_free(&text);
	} else if (take_list(entry, out, why)) {
		return -EINVAL;
	}
	return tolerances_check(*out, &what) ? refuse_entry(entry, why, what.text) : 0;
}

/* Returns a path relative to the file's folder. */
static char *from_folder(const char *folder, const char *path)
{
	struct buf text = {0};
	char *copy;

	buf_printf(&text, "%s%s", *path == '/' ? "" : folder, path);
	copy = copy_text(buf_text(&text), text.size);
	buf_free(&text);
	return copy;
}

static bool is_later(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/*
 * Finds the newest program for a path with a *, because cargo keeps programs of other compilers
 * there, too.
 */
static char *newest_program(const char *pattern)
{
	struct stat newest = {0}, found;
	glob_t paths;
	char *path = NULL;

	if (glob(pattern, 0, NULL, &paths))
		return NULL;
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		if (stat(paths.gl_pathv[i], &found) || !S_ISREG(found.st_mode) ||
		    !(found.st_mode & S_IXUSR) || (path && !is_later(&found, &newest)))
			continue;
		free(path);
		path = copy_text(paths.gl_pathv[i], strlen(paths.gl_pathv[i]));
		newest = found;
	}
	globfree(&paths);
	return path;
}

/* --- [gate] --- */

static int set_baseline(struct table_reader *r, const struct toml_entry *entry, struct reason *why)
{
	if (want_string(entry, why))
		return -EINVAL;
	r->config->baseline = from_folder(r->folder, entry->text);
	return 0;
}

static int set_config_uarch(struct table_reader *r, const struct toml_entry *entry,
			    struct reason *why)
{
	const struct guest_uarch *uarch;

	if (want_string(entry, why))
		return -EINVAL;
	uarch = guest_uarch_find(entry->text);
	if (!uarch)
		return refuse_entry(entry, why, "this is not " VPMU_NAMES_WHERE);
	r->config->uarch = uarch->name;
	return 0;
}

static int set_cpu_features(struct table_reader *r, const struct toml_entry *entry,
			    struct reason *why)
{
	if (want_string(entry, why))
		return -EINVAL;
	r->config->program_level = isa_level_find(entry->text);
	if (!r->config->program_level && strcmp(entry->text, "machine") != 0)
		return refuse_entry(entry, why,
				    "this is not machine, x86-64, x86-64-v2 or x86-64-v3");
	return 0;
}

static int set_config_events(struct table_reader *r, const struct toml_entry *entry,
			     struct reason *why)
{
	return take_list(entry, &r->config->events, why);
}

static int set_config_tolerance(struct table_reader *r, const struct toml_entry *entry,
				struct reason *why)
{
	return take_tolerance(entry, &r->config->tolerance, why);
}

/* --- [[benchmark]] --- */

static int set_benchmark_name(struct table_reader *r, const struct toml_entry *entry,
			      struct reason *why)
{
	r->name = entry->text;
	if (want_string(entry, why))
		return -EINVAL;
	return gate_results_name_is_plain(entry->text)
		       ? 0
		       : refuse_entry(entry, why,
				      "a name begins with no #, and has no control "
				      "character in it");
}

static int set_program(struct table_reader *r, const struct toml_entry *entry, struct reason *why)
{
	char *path;

	if (want_string(entry, why))
		return -EINVAL;
	path = strchr(entry->text, '/') ? from_folder(r->folder, entry->text)
					: copy_text(entry->text, strlen(entry->text));
	free(r->program);
	r->program = strchr(path, '*') ? newest_program(path) : path;
	if (r->program != path)
		free(path);
	return r->program ? 0 : refuse_entry(entry, why, "there is no program of that name");
}

static int set_args(struct table_reader *r, const struct toml_entry *entry, struct reason *why)
{
	r->args = entry->item;
	r->nargs = entry->nitems;
	return entry->kind == TOML_ARRAY
		       ? 0
		       : refuse_entry(entry, why, "an array of strings is needed");
}

static int set_own_events(struct table_reader *r, const struct toml_entry *entry,
			  struct reason *why)
{
	return take_list(entry, &r->events, why);
}

static int set_own_tolerance(struct table_reader *r, const struct toml_entry *entry,
			     struct reason *why)
{
	return take_tolerance(entry, &r->tolerance, why);
}

/* "function:PATTERNS", "process" or "regions" */
static int set_measure(struct table_reader *r, const struct toml_entry *entry, struct reason *why)
{
	static const char function[] = "function:";
	const size_t n = sizeof(function) - 1;
	const char *measure = entry->text;

	if (want_string(entry, why))
		return -EINVAL;
	if (!strncmp(measure, function, n) && measure[n])
		measure += n;
	else if (strcmp(measure, MEASURE_PROCESS) != 0 && strcmp(measure, MEASURE_REGIONS) != 0)
		return refuse_entry(entry, why,
				    "\"function:NAME\", \"process\" or \"regions\" is needed");
	free(r->measure);
	r->measure = copy_text(measure, strlen(measure));
	return 0;
}

static int want_boolean(const struct toml_entry *entry, struct reason *why)
{
	return entry->kind == TOML_BOOLEAN ? 0
					   : refuse_entry(entry, why, "true or false is needed");
}

static int set_same_clock(struct table_reader *r, const struct toml_entry *entry,
			  struct reason *why)
{
	r->same_clock = entry->is_true;
	return want_boolean(entry, why);
}

static int set_same_seed(struct table_reader *r, const struct toml_entry *entry, struct reason *why)
{
	r->same_seed = entry->is_true;
	return want_boolean(entry, why);
}

struct config_key {
	const char *name;
	int (*set)(struct table_reader *r, const struct toml_entry *entry, struct reason *why);
};

static const struct config_key gate_keys[] = {
	{"baseline", set_baseline},          {"uarch", set_config_uarch},
	{"cpu-features", set_cpu_features},  {"events", set_config_events},
	{"tolerance", set_config_tolerance}, {NULL, NULL},
};

static const struct config_key benchmark_keys[] = {
	{"name", set_benchmark_name},   {"program", set_program},         {"args", set_args},
	{"events", set_own_events},     {"tolerance", set_own_tolerance}, {"measure", set_measure},
	{"same-clock", set_same_clock}, {"same-seed", set_same_seed},     {NULL, NULL},
};

static int refuse_key(const struct toml_entry *entry, const struct config_key *keys,
		      struct reason *why)
{
	const char *const typed = entry->key;

	while (keys->name && !near_word(typed, strlen(typed), keys->name))
		keys++;
	return refuse(why, EINVAL, "%zu:%zu: there is no key '%s' here%s%s%s", entry->line,
		      entry->key_column, typed, keys->name ? "; did you mean '" : "",
		      keys->name ? keys->name : "", keys->name ? "'?" : "");
}

static int read_entries(struct table_reader *r, const struct config_key *keys, struct reason *why)
{
	for (size_t i = 0; i < r->table->n; i++) {
		const struct toml_entry *entry = &r->table->entry[i];
		const struct config_key *key = keys;
		int err;

		while (key->name && strcmp(key->name, entry->key))
			key++;
		if (!key->name)
			return refuse_key(entry, keys, why);
		err = key->set(r, entry, why);
		if (err)
			return err;
	}
	return 0;
}

static int add_benchmark(struct table_reader *r, struct reason *why)
{
	struct benchmarks *all = &r->config->benchmarks;
	struct benchmark *added;
	const char **words;

	words = memory_checked(calloc(r->nargs + 2, sizeof(*words)));
	words[0] = r->program;
	for (size_t i = 0; i < r->nargs; i++)
		words[i + 1] = r->args[i];
	added = gate_config_add(all, r->name, words);
	added->events = r->events;
	added->tolerance = r->tolerance;
	added->measure = r->measure;
	added->same_clock = r->same_clock;
	added->same_seed = r->same_seed;
	free(words);
	if (index_find_text(&r->config->names, added->name) != INDEX_NONE)
		return refuse(why, EINVAL, "%zu:1: there are two benchmarks '%s'", r->table->line,
			      added->name);
	index_add_text(&r->config->names, added->name, all->n - 1);
	return 0;
}

static int read_table(struct gate_config *config, const struct toml_table *table,
		      const char *folder, struct reason *why)
{
	struct table_reader r = {.table = table, .folder = folder, .config = config};
	int err;

	if (!*table->name && !table->n)
		return 0;
	if (!strcmp(table->name, "gate") && !table->is_array)
		return read_entries(&r, gate_keys, why);
	if (strcmp(table->name, "benchmark") || !table->is_array)
		return refuse(why, EINVAL,
			      *table->name ? "%zu:1: %s is neither [gate] nor [[benchmark]]"
					   : "%zu:1: %skeys stand below [gate] or [[benchmark]]",
			      *table->name ? table->line : table->entry[0].line, table->name);
	err = read_entries(&r, benchmark_keys, why);
	if (!err && !r.program)
		err = refuse(why, EINVAL, "%zu:1: a benchmark without program", table->line);
	if (!err) {
		err = add_benchmark(&r, why);
	} else {
		free(r.events);
		free(r.tolerance);
		free(r.measure);
	}
	free(r.program);
	return err;
}

static int read_tables(struct gate_config *config, const struct buf *text, const char *folder,
		       struct reason *why)
{
	struct toml toml = {0};
	int err = toml_parse(&toml, (const char *)text->data, text->size, why);

	for (size_t i = 0; i < toml.n && !err; i++)
		err = read_table(config, &toml.table[i], folder, why);
	toml_free(&toml);
	return err;
}

int gate_config_read(struct gate_config *config, const char *path, struct reason *why)
{
	const char *slash = strrchr(path, '/');
	char *folder = copy_text(path, slash ? (size_t)(slash - path) + 1 : 0);
	struct buf text = {0};
	struct reason what;
	int err = text_file_read(&text, path, why);

	buf_text(&text);
	if (!err && read_tables(config, &text, folder, &what))
		err = refuse(why, EINVAL, "%s:%s", path, what.text);
	if (!err && !config->baseline)
		config->baseline = from_folder(folder, GATE_BASELINE);
	buf_free(&text);
	free(folder);
	return err;
}

/*
 * Returns the length of a file's name without cargo's hash of 16 digits, which changes with the
 * compiler.
 */
static int name_length(const char *file)
{
	const size_t n = strlen(file), nhash = CARGO_HASH + 1;

	if (n > nhash && file[n - nhash] == '-' &&
	    strspn(file + n - CARGO_HASH, "0123456789abcdef") == CARGO_HASH)
		return (int)(n - nhash);
	return (int)n;
}

/* Makes a name such as "bench parse 1000" from {"./bench", "parse", "1000"}. */
static char *name_words(const char *const *words)
{
	const char *slash = strrchr(words[0], '/');
	const char *file = slash && slash[1] ? slash + 1 : words[0];
	struct buf name = {0};
	char *copy;

	buf_printf(&name, "%.*s", name_length(file), file);
	for (words++; *words; words++)
		buf_printf(&name, " %s", *words);
	copy = copy_text(buf_text(&name), name.size);
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127 || (c == copy && *c == '#'))
			*c = '?';
	buf_free(&name);
	return copy;
}

struct benchmark *gate_config_add(struct benchmarks *benchmarks, const char *name,
				  const char *const *words)
{
	struct benchmark *one;
	size_t n = 0;

	while (words[n])
		n++;
	benchmarks->one = memory_grow(benchmarks->one, benchmarks->n, sizeof(*one));
	one = &benchmarks->one[benchmarks->n++];
	*one = (struct benchmark){0};
	one->name = name ? copy_text(name, strlen(name)) : name_words(words);
	one->word = memory_checked(calloc(n + 1, sizeof(*one->word)));
	for (size_t i = 0; i < n; i++)
		one->word[i] = copy_text(words[i], strlen(words[i]));
	return one;
}

void benchmarks_free(struct benchmarks *benchmarks)
{
	for (size_t i = 0; i < benchmarks->n; i++) {
		struct benchmark *one = &benchmarks->one[i];

		for (size_t w = 0; one->word[w]; w++)
			free((char *)one->word[w]);
		free(one->word);
		free(one->name);
		free((char *)one->events);
		free((char *)one->tolerance);
		free(one->measure);
	}
	free(benchmarks->one);
	*benchmarks = (struct benchmarks){0};
}

void gate_config_free(struct gate_config *config)
{
	benchmarks_free(&config->benchmarks);
	index_free(&config->names);
	free(config->baseline);
	free(config->events);
	free(config->tolerance);
	*config = (struct gate_config){0};
}
