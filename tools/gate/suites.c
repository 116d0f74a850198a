// SPDX-License-Identifier: BSD-2-Clause
/* suites.c - see suites.h. */
#include "tools/gate/suites.h"

#include <stdlib.h>
#include <string.h>

#include "tools/gate/functions.h"
#include "tools/gate/gate_config.h"
#include "tools/gate/runs.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/wholefile.h"

/* A harness: how to recognise its programs, list their benchmarks, and measure one of them. */
struct suite {
	const char *name;
	const char *has[3];    /* byte strings that its programs all contain; ended by NULL */
	const char *asks[4];   /* arguments that print the list; ended by NULL; none: no list */
	const char *suffix[2]; /* endings of a line that names a benchmark; "": any line */
	const char *filter;    /* prefix of the name's argument; NULL: the name stands alone */
	const char *before[4]; /* arguments before the name; ended by NULL */
	const char *chooses;   /* prefix of an argument that selects a benchmark; NULL: none */
	char *(*function)(const char *name); /* its function's patterns; NULL: unknown */
	struct harness_loop loop;
	bool is_pattern;     /* the program takes the name as a regular expression */
	bool has_spaces;     /* names may have spaces */
	bool lists_by_exit;  /* its status is the number of benchmarks */
	const char *escapes; /* characters of a name that need a backslash; NULL: none */
	/*
	 * The argument for one iteration; bytes of programs that have a newer argument; that
	 * argument.
	 */
	const char *once, *newer, *newer_once;
};

/*
 * The function of a benchmark "NAME/ARGS", or of a fixture's "FIXTURE/NAME/ARGS" (BENCHMARK_F(3) of
 * Google Benchmark makes a class of it).
 */
static char *google_function(const char *name)
{
	const int nfirst = (int)strcspn(name, "/");
	const char *second = name[nfirst] ? name + nfirst + 1 : name + nfirst;
	struct buf patterns = {0};
	char *copy;

	buf_printf(&patterns, "%.*s|%.*s_%.*s_Benchmark::BenchmarkCase", nfirst, name, nfirst, name,
		   (int)strcspn(second, "/"), second);
	copy = copy_text(buf_text(&patterns), patterns.size);
	buf_free(&patterns);
	return copy;
}

/* The function of a benchmark of Go, and the closures in it. */
static char *go_function(const char *name)
{
	struct buf patterns = {0};
	char *copy;

	buf_printf(&patterns, "*.%s,*.%s.func*", name, name);
	copy = copy_text(buf_text(&patterns), patterns.size);
	buf_free(&patterns);
	return copy;
}

/* Rust mangles a type's functions in two forms. */
#define RUST_CLOCK_STARTS "std::time::Instant::now,<std::time::Instant>::now"
#define RUST_CLOCK_ENDS   "std::time::Instant::elapsed,<std::time::Instant>::elapsed"

static const struct suite suites[] = {
	{.name = "Google Benchmark",
	 .has = {"benchmark_list_tests", "benchmark_filter"},
	 .asks = {"--benchmark_list_tests=true"},
	 .suffix = {"", ""},
	 .filter = "--benchmark_filter=",
	 .chooses = "--benchmark_filter",
	 .function = google_function,
	 .loop = {.begins = "benchmark::State::StartKeepRunning,benchmark::State::ResumeTiming",
		  .ends = "benchmark::State::FinishKeepRunning,benchmark::State::PauseTiming",
		  .passes = "benchmark::State::*"},
	 .is_pattern = true,
	 .once = "--benchmark_min_time=0",
	 .newer = "--benchmark_min_time=`<integer>x`",
	 .newer_once = "--benchmark_min_time=1x"},
	{.name = "criterion",
	 .has = {"save-baseline", "profile-time"},
	 .asks = {"--bench", "--list"},
	 .suffix = {": benchmark", ": bench"}, /* from version 0.5 on; earlier versions */
	 .loop = {.begins = RUST_CLOCK_STARTS,
		  .ends = RUST_CLOCK_ENDS,
		  .passes = "*criterion::measurement::*",
		  .own = "criterion::bencher::*,?criterion::bencher::*",
		  .is_clock = true},
	 .is_pattern = true},
	{.name = "libtest",
	 .has = {"nocapture", "test-threads"},
	 .asks = {"--list", "--bench"},
	 .suffix = {": benchmark", ": benchmark"},
	 .before = {"--exact"},
	 .chooses = "--exact",
	 .loop = {.begins = RUST_CLOCK_STARTS,
		  .ends = RUST_CLOCK_ENDS,
		  .own = "test::bench::*,?test::bench::*",
		  .is_clock = true}},
	{.name = "Go",
	 .has = {"test.benchtime", "testing.(*B).runN"},
	 .asks = {"-test.list=^Benchmark"},
	 .suffix = {"", ""},
	 .filter = "-test.bench=",
	 .before = {"-test.run=^$", "-test.benchtime=1x"},
	 .chooses = "-test.bench",
	 .function = go_function,
	 .loop = {.begins = "testing.(*B).ResetTimer,testing.(*B).StartTimer",
		  .ends = "testing.(*B).StopTimer"},
	 .is_pattern = true},
	{.name = "Catch2",
	 .has = {"benchmark-samples", "list-test-names-only"},
	 .asks = {"--list-test-names-only", "[!benchmark]"},
	 .suffix = {"", ""},
	 .before = {"--benchmark-samples=1", "--benchmark-warmup-time=0",
		    "--benchmark-no-analysis"},
	 .loop = {.begins = "Catch::Benchmark::Detail::ChronometerModel*::start",
		  .ends = "Catch::Benchmark::Detail::ChronometerModel*::finish",
		  .own = "*",
		  .is_first = true,
		  .is_repeated = true},
	 .has_spaces = true,
	 .lists_by_exit = true,
	 .escapes = ",[\\"},
	{.name = "PERF0_BENCH()",
	 .has = {"--perf0-list", "--perf0-run"},
	 .asks = {"--perf0-list"},
	 .suffix = {"", ""},
	 .before = {"--perf0-run"},
	 .chooses = "--perf0-run",
	 .loop = {.begins = "perf0_bench_begins", .ends = "perf0_bench_ends"}},
	{.name = "nanobench",
	 .has = {"6ankerl9nanobench"},
	 .loop = {.begins = "ankerl::nanobench::detail::IterationLogic::IterationLogic",
		  .ends = "ankerl::nanobench::detail::IterationLogic::add",
		  .own = "*",
		  .is_first = true}},
};

#define NSUITES (sizeof(suites) / sizeof(suites[0]))

static bool has_bytes(const struct buf *file, const char *bytes)
{
	return memmem(file->data, file->size, bytes, strlen(bytes));
}

static bool is_suite(const struct suite *suite, const struct buf *file)
{
	for (size_t i = 0; suite->has[i]; i++)
		if (!has_bytes(file, suite->has[i]))
			return false;
	return true;
}

/* Returns whether the arguments select a benchmark already. */
static bool chooses(const struct suite *suite, const struct benchmark *b)
{
	for (size_t i = 1; suite->chooses && b->word[i]; i++)
		if (!strncmp(b->word[i], suite->chooses, strlen(suite->chooses)))
			return true;
	return false;
}

/*
 * Finds the suite of a program. If Google Benchmark is a shared library, that library has the bytes
 * of the suite, and the program has the library's name.
 */
static const struct suite *find_suite(const struct benchmark *b, struct buf *file)
{
	struct reason ignored;

	if (text_file_read(file, b->word[0], &ignored))
		return NULL;
	for (size_t i = 0; i < NSUITES; i++)
		if (is_suite(&suites[i], file))
			return &suites[i];
	/* A program linked dynamically does not contain these bytes itself: they are in the
	 * library. */
	if (has_bytes(file, "libbenchmark.so"))
		return &suites[0];
	return NULL;
}

static void add_pattern(struct buf *out, const char *name)
{
	buf_printf(out, "^");
	for (; *name; name++)
		buf_printf(out, "%s%c", strchr("\\^$.|?*+()[]{}", *name) ? "\\" : "", *name);
	buf_printf(out, "$");
}

static void add_escaped(struct buf *out, const char *name, const char *escapes)
{
	for (; *name; name++)
		buf_printf(out, "%s%c", escapes && strchr(escapes, *name) ? "\\" : "", *name);
}

/* Sets the measured part: as perf0.toml says, else the suite's loop, or the benchmark's function.
 */
static void set_measured(struct benchmark *one, const struct suite *suite, const char *name)
{
	if (one->measure)
		return;
	if (name && suite->function)
		one->measure = suite->function(name);
	if (suite->loop.begins)
		one->loop = &suite->loop;
}

static void add_one(struct benchmarks *out, const struct benchmark *from, const struct suite *suite,
		    const struct buf *file, const char *name)
{
	const char **words;
	struct buf full = {0}, filter = {0};
	struct benchmark *one;
	size_t n = 0;

	while (from->word[n])
		n++;
	words = memory_checked(calloc(n + 7, sizeof(*words)));
	memcpy(words, from->word, n * sizeof(*words));
	if (suite->once)
		words[n++] = suite->newer && has_bytes(file, suite->newer) ? suite->newer_once
									   : suite->once;
	for (size_t i = 0; suite->before[i]; i++)
		words[n++] = suite->before[i];
	buf_printf(&filter, "%s", suite->filter ? suite->filter : "");
	if (suite->is_pattern)
		add_pattern(&filter, name);
	else
		add_escaped(&filter, name, suite->escapes);
	words[n++] = buf_text(&filter);
	buf_printf(&full, "%s/%s", from->name, name);
	one = gate_config_add(out, buf_text(&full), words);
	if (from->events)
		one->events = copy_text(from->events, strlen(from->events));
	if (from->measure)
		one->measure = copy_text(from->measure, strlen(from->measure));
	set_measured(one, suite, name);
	one->same_seed = from->same_seed;
	one->same_clock = true; /* suites print the time, and how long they ran */
	if (from->tolerance)
		one->tolerance = copy_text(from->tolerance, strlen(from->tolerance));
	buf_free(&full);
	buf_free(&filter);
	free(words);
}

/* Returns the suffix behind the name in a line; NULL: the line names no benchmark. */
static char *find_suffix(const struct suite *suite, char *line)
{
	const size_t n = strlen(line);

	for (size_t i = 0; i < 2; i++) {
		const size_t nsuffix = strlen(suite->suffix[i]);

		if (n > nsuffix && !strcmp(line + n - nsuffix, suite->suffix[i]))
			return line + n - nsuffix;
	}
	return NULL;
}

/* Adds a benchmark for each line of the list. Returns their number. */
static size_t add_listed(struct benchmarks *out, const struct benchmark *from,
			 const struct suite *suite, const struct buf *file, struct buf *list)
{
	size_t found = 0;
	char *rest = (char *)buf_text(list), *line;

	while ((line = strsep(&rest, "\r\n"))) {
		char *end = find_suffix(suite, line);

		if (!end)
			continue;
		*end = '\0';
		if (!gate_results_name_is_plain(line) || (!suite->has_spaces && strchr(line, ' ')))
			continue;
		add_one(out, from, suite, file, line);
		found++;
	}
	return found;
}

/* Moves the benchmark to `out`. `suite` NULL: no harness is known. */
static void keep_one(struct benchmarks *out, struct benchmark *from, const struct suite *suite)
{
	if (suite)
		set_measured(from, suite, NULL);
	out->one = memory_grow(out->one, out->n, sizeof(*out->one));
	out->one[out->n++] = *from;
	*from = (struct benchmark){.word = memory_checked(calloc(1, sizeof(*from->word)))};
}

/* Lists a suite's benchmarks. A suite that lists none is one benchmark as a whole. */
static int ask_suite(struct benchmarks *out, struct benchmark *from, const struct suite *suite,
		     const struct buf *file, const struct options *options)
{
	const char *words[8] = {from->word[0]};
	struct buf list = {0};
	size_t n = 1, found = 0;
	int status;

	for (size_t i = 0; suite->asks[i]; i++)
		words[n++] = suite->asks[i];
	status = runs_output(options, words, &list);
	if (!status || suite->lists_by_exit)
		found = add_listed(out, from, suite, file, &list);
	if (suite->lists_by_exit && found)
		status = 0;
	if (status)
		message("perf0 gate: %s: its benchmarks (%s) could not be listed: status %d",
			from->name, suite->name, status);
	else if (!found)
		keep_one(out, from, suite);
	buf_free(&list);
	return status;
}

static void mark_loop(struct profile_run *profile, const struct harness_loop *loop)
{
	if (!loop->begins)
		return;
	if (loop->passes)
		profile_run_mark(profile, loop->passes, PROFILE_PASSES);
	profile_run_mark(profile, loop->begins,
			 loop->is_repeated ? PROFILE_BEGINS_ONCE : PROFILE_BEGINS);
	profile_run_mark(profile, loop->ends, PROFILE_ENDS);
}

int suites_expand(struct benchmarks *benchmarks, const struct options *options,
		  struct profile_run *profile)
{
	struct benchmarks out = {0};
	bool is_marked[NSUITES] = {0};
	int status = 0;

	for (size_t i = 0; i < benchmarks->n && !status; i++) {
		struct benchmark *b = &benchmarks->one[i];
		struct buf file = {0};
		const struct suite *suite = find_suite(b, &file);

		if (suite && profile && !is_marked[suite - suites]) {
			mark_loop(profile, &suite->loop);
			is_marked[suite - suites] = true;
		}
		if (suite && suite->asks[0] && !chooses(suite, b))
			status = ask_suite(&out, b, suite, &file, options);
		else
			keep_one(&out, b, suite);
		buf_free(&file);
	}
	benchmarks_free(benchmarks);
	*benchmarks = out;
	return status;
}
