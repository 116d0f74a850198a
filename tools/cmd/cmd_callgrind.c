// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_callgrind.c - `as-callgrind`: takes the place of Valgrind's callgrind and cachegrind. It
 * takes their command line, and writes their files and their log.
 */
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/profiling.h"
#include "tools/options/valgrind_options.h"
#include "tools/profile/profile_lines.h"
#include "tools/forms/profile_out.h"
#include "tools/profile/profile_parts.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* Callgrind's file formats have not changed since. */
#define VALGRIND_VERSION "valgrind-3.19.0"

#define EVENTS_OF_CODE     "instructions:u"
#define EVENTS_OF_ACCESSES "instructions:u,loads:u,stores:u"

/* The names of these events, in that order. */
static const char *const event_names[] = {"Ir", "Dr", "Dw"};

struct valgrind_run {
	const struct valgrind_options *asked;
	struct profiled run;
	int pid;
	struct buf out, log;      /* names of files; empty: none, or standard error */
	struct profile_sum total; /* of all parts */
};

/* --- Files --- */

static const char *out_pattern(const struct valgrind_options *asked)
{
	const bool is_cachegrind = asked->tool == VALGRIND_CACHEGRIND;
	const char *given = is_cachegrind ? asked->cachegrind_file : asked->callgrind_file;

	return given ? given : is_cachegrind ? "cachegrind.out.%p" : "callgrind.out.%p";
}

static int name_files(struct valgrind_run *v, struct reason *why)
{
	int err = 0;

	if (v->asked->tool != VALGRIND_NONE)
		err = valgrind_file_name(&v->out, out_pattern(v->asked), v->pid, why);
	if (!err && v->asked->log_file)
		err = valgrind_file_name(&v->log, v->asked->log_file, v->pid, why);
	return err;
}

/* Threads are not separated: the file of the first one has all of them. */
static void add_part_name(struct buf *name, struct valgrind_run *v, unsigned part, bool is_last)
{
	buf_printf(name, "%s", buf_text(&v->out));
	if (!is_last)
		buf_printf(name, ".%u", part);
	if (v->asked->separates_threads)
		buf_printf(name, "-01");
}

/* Can the files be written? The run comes after that. */
static int check_names(struct valgrind_run *v, struct reason *why)
{
	struct buf last = {0};
	int err = 0;

	if (v->out.size) {
		add_part_name(&last, v, 1, true);
		err = outfile_check(buf_text(&last), why);
	}
	if (!err && v->log.size)
		err = outfile_check(buf_text(&v->log), why);
	buf_free(&last);
	return err;
}

/* Appends the file of the part that is loaded. */
static int build_part(struct valgrind_run *v, struct buf *out, unsigned part, bool is_last,
		      struct reason *why)
{
	const struct valgrind_options *asked = v->asked;
	const struct profile_heading heading = {
		.pid = v->pid,
		.part = part,
		.thread = asked->separates_threads,
		.trigger = is_last ? "Program termination" : "Client Request",
		.is_appended = asked->combines_parts && part > 1,
		.has_whole_names = !asked->compresses_names || asked->combines_parts,
		.has_no_lines = !asked->by_line,
	};
	struct profile_lines lines;
	struct profile profile;
	struct profile_source source = {
		.profile = &profile,
		.lines = &lines,
		.words = asked->program,
		.by_instruction = asked->by_instruction,
		.heading = &heading,
	};
	int err = profile_run_fold_part(&v->run.profile, &profile, why);

	if (err)
		return err;
	profile_lines_read(&lines, &profile, &v->run.profile.map);
	if (asked->tool == VALGRIND_CACHEGRIND)
		profile_cachegrind(out, &source);
	else
		profile_callgrind(out, &source);
	profile_add(&v->total, &profile.total);
	profile_lines_free(&lines);
	profile_free(&profile);
	return 0;
}

static int write_part(struct valgrind_run *v, const struct buf *bytes, unsigned part, bool is_last,
		      struct reason *why)
{
	struct buf name = {0};
	int err;

	add_part_name(&name, v, part, is_last);
	err = outfile_replace(buf_text(&name), bytes, false, why);
	buf_free(&name);
	return err;
}

/* The last part comes first, because its counters are in the file until another one is loaded. */
static int write_parts(struct valgrind_run *v, struct reason *why)
{
	const unsigned last = v->run.profile.file->header.nparts + 1;
	struct buf end = {0}, bytes = {0};
	uint64_t at = 0;
	int err = build_part(v, &end, last, true, why);

	for (unsigned part = 1; !err && part < last; part++) {
		err = profile_parts_load(v->run.profile.file, v->run.profile.fd, &at, why);
		if (!err)
			err = build_part(v, &bytes, part, false, why);
		if (!err && !v->asked->combines_parts) {
			err = write_part(v, &bytes, part, false, why);
			buf_free(&bytes);
		}
	}
	buf_add(&bytes, end.data, end.size);
	if (!err)
		err = write_part(v, &bytes, last, true, why);
	buf_free(&bytes);
	buf_free(&end);
	return err;
}

/* Cachegrind has no parts. */
static int write_counts(struct valgrind_run *v, struct reason *why)
{
	int err = 0;

	if (v->asked->tool == VALGRIND_NONE)
		return 0;
	if (v->asked->tool == VALGRIND_CACHEGRIND)
		err = profile_parts_join(v->run.profile.file, v->run.profile.fd, why);
	return err ? err : write_parts(v, why);
}

/* --- The log --- */

static void add_log_line(struct buf *log, int pid, const char *text)
{
	buf_printf(log, "==%d==%s%s\n", pid, *text ? " " : "", text);
}

static const char *tool_heading(enum valgrind_tool tool)
{
	static const char *const headings[] = {
		[VALGRIND_NONE] = "None, counts by perf0",
		[VALGRIND_CALLGRIND] = "Callgrind, exact counts by perf0",
		[VALGRIND_CACHEGRIND] = "Cachegrind, exact counts by perf0",
	};

	return headings[tool];
}

static void add_words_line(struct buf *log, const struct valgrind_run *v)
{
	struct buf line = {0};

	buf_printf(&line, "Command:");
	for (const char *const *word = v->asked->program; *word; word++)
		buf_printf(&line, " %s", *word);
	add_log_line(log, v->pid, buf_text(&line));
	buf_free(&line);
}

static void add_totals(struct buf *log, const struct valgrind_run *v)
{
	struct buf names = {0}, counts = {0};

	buf_printf(&names, "Events    :");
	buf_printf(&counts, "Collected :");
	for (size_t i = 0; i < v->run.profile.nevents; i++) {
		buf_printf(&names, " %s", v->run.profile.event[i].name);
		buf_printf(&counts, " %llu", (unsigned long long)v->total.of[i]);
	}
	add_log_line(log, v->pid, buf_text(&names));
	add_log_line(log, v->pid, buf_text(&counts));
	buf_free(&names);
	buf_free(&counts);
}

static int write_log(struct valgrind_run *v, struct reason *why)
{
	struct buf log = {0}, parent = {0};
	int err = 0;

	add_log_line(&log, v->pid, tool_heading(v->asked->tool));
	add_words_line(&log, v);
	if (v->log.size) {
		buf_printf(&parent, "Parent PID: %d", (int)getppid());
		add_log_line(&log, v->pid, buf_text(&parent));
	}
	add_log_line(&log, v->pid, "");
	if (v->asked->tool != VALGRIND_NONE)
		add_totals(&log, v);
	if (v->log.size)
		err = outfile_replace(buf_text(&v->log), &log, false, why);
	else if (!v->asked->is_quiet)
		fwrite(log.data, 1, log.size, stderr);
	buf_free(&parent);
	buf_free(&log);
	return err;
}

/* --- The run --- */

static int complain_of(const struct reason *why, int status)
{
	message("perf0 as-callgrind: %s", why->text);
	return status;
}

static void begin_collecting(struct profile_run *run, const void *words)
{
	const struct valgrind_options *asked = words;
	struct profile_header *h = &run->file->header;

	h->is_machine_ignored = !asked->starts_instrumented;
	h->is_task_ignored = !asked->starts_collecting;
	for (size_t i = 0; i < run->nevents; i++)
		run->event[i].name = event_names[i];
	for (const char **pattern = asked->toggle; *pattern; pattern++)
		if (!profile_run_mark(run, *pattern, PROFILE_TOGGLES))
			message("perf0 as-callgrind: --toggle-collect=%s: no function has such a "
				"name",
				*pattern);
}

static int write_all(struct valgrind_run *v, int status)
{
	const int incomplete = profiling_tell_missing(&v->run.profile);
	struct reason why;

	if (write_counts(v, &why) || write_log(v, &why))
		return complain_of(&why, STATUS_FAILED);
	return status ? status : incomplete;
}

static int run_counted(struct valgrind_run *v, struct options *options)
{
	int status;

	options->profile.is_self = v->asked->tool == VALGRIND_CACHEGRIND && !*v->asked->toggle;
	options->profile.events = v->asked->counts_accesses ? EVENTS_OF_ACCESSES : EVENTS_OF_CODE;
	status = profiled_begin(&v->run, "as-callgrind", options, "instructions:u",
				v->asked->program, begin_collecting, v->asked);
	if (v->run.has_run)
		status = write_all(v, status);
	profiled_end(&v->run);
	return status;
}

static int run_as_callgrind(const struct valgrind_options *asked, struct options *options)
{
	struct valgrind_run v = {.asked = asked, .pid = getpid()};
	struct reason why;
	int status;

	if (name_files(&v, &why))
		status = complain_of(&why, STATUS_USAGE);
	else if (check_names(&v, &why))
		status = complain_of(&why, STATUS_FAILED);
	else
		status = run_counted(&v, options);
	buf_free(&v.out);
	buf_free(&v.log);
	return status;
}

/* perf0's own options may stand among Valgrind's. */
static int run_with_own(const struct valgrind_options *asked)
{
	const size_t n = count_words(asked->own);
	const char **own = memory_checked(calloc(n + 1, sizeof(*own)));
	struct options options;
	struct reason why;
	int status;

	memcpy(own, asked->own, n * sizeof(*own));
	if (tool_options_parse(&options, TAKER_AS_CALLGRIND, own, &why)) {
		status = complain_of(&why, STATUS_USAGE);
	} else {
		options.program.keep_env = true; /* as Valgrind's programs do */
		options.profile.is_valgrind = true;
		status = run_as_callgrind(asked, &options);
	}
	tool_options_free(&options);
	free(own);
	return status;
}

int cmd_as_callgrind(const char **words)
{
	struct valgrind_options asked;
	struct reason why;
	int status = 0;

	if (valgrind_options_read(&asked, words + 1, &why))
		status = complain_of(&why, STATUS_USAGE);
	else if (asked.asks_version)
		puts(VALGRIND_VERSION);
	else
		status = run_with_own(&asked);
	valgrind_options_free(&asked);
	return status;
}
