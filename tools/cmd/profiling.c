// SPDX-License-Identifier: BSD-2-Clause
/* profiling.c - see profiling.h. */
#include "tools/cmd/profiling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/machine/boot.h"
#include "tools/machine/counting.h"
#include "tools/profile/profile_lines.h"
#include "tools/forms/profile_out.h"
#include "tools/profile/profile_text.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"
#include "tools/machine/qemu_version.h"

bool profiling_is_asked(const struct profile_options *o)
{
	return o->functions || o->function || o->line || o->calls || o->callgrind || o->pprof ||
	       o->folded || o->speedscope || o->html || o->is_valgrind;
}

static int check_machine(const struct machine_options *m, struct reason *why)
{
	char qemu[PATH_MAX];
	struct reason plugin;

	if (!counting_is_exact(m))
		return refuse(why, ENOTSUP,
			      "profiles count what QEMU executes: not with --no-vpmu, --accel "
			      "kvm or --events ratios; `perf0 record` samples there");
	if (!qemu_find(qemu, m->qemu, NULL) && counting_check(m, &plugin))
		return refuse(why, ENOTSUP,
			      "profiles count what QEMU executes: %s; `perf0 record` samples there",
			      plugin.text);
	return 0;
}

/* Ring 0 and the model count for the function that runs, which calls tell. */
static int check_self(const struct profile_run *run, struct reason *why)
{
	for (size_t i = 0; i < run->nevents; i++)
		if (run->event[i].kernel || profile_event_is_modelled(&run->event[i]))
			return refuse(why, EINVAL, "--self: %s is not counted without calls",
				      run->event[i].name);
	return 0;
}

static const char *profiled_events(const struct profile_options *o)
{
	if (o->events)
		return o->events;
	return o->is_self ? "instructions:u" : "instructions:u,instructions:k";
}

int profiling_begin(struct profile_run *run, struct options *options, struct reason *why)
{
	int err = check_machine(&options->machine, why);

	*run = (struct profile_run){.fd = 0};
	if (!err)
		err = profile_run_begin(run, profiled_events(&options->profile), why);
	if (!err && options->profile.is_self)
		err = check_self(run, why);
	if (err)
		return err;
	boot_each_file(profile_run_add, run);
	run->file->header.skips_calls = options->profile.is_self;
	run->file->header.is_valgrind = options->profile.is_valgrind;
	err = profile_run_ready(run, why);
	if (!err && profile_has_modelled(&run->file->header) &&
	    options->machine.vpmu.events != EVENTS_MODEL)
		err = refuse(why, ENOTSUP, "modelled events need --events model");
	options->machine.profile = err ? 0 : run->fd;
	return err;
}

/* --- A run --- */

/* The image's report of the events is thrown away. The caller frees the array. */
static const char **profiling_line(const char *events, const char *const *words)
{
	const char *const stat[] = {"stat", "-e", events, "--"};
	const size_t nstat = sizeof(stat) / sizeof(stat[0]), n = count_words(words);
	const char **line = memory_checked(calloc(nstat + n + 1, sizeof(*line)));

	memcpy(line, stat, sizeof(stat));
	memcpy(line + nstat, words, n * sizeof(*line));
	return line;
}

static int boot_quietly(const struct options *options, struct stream *stream)
{
	struct session_files files = {.out = fopen("/dev/null", "we"), .programs = stdout};
	int status;

	if (!files.out)
		return STATUS_FAILED;
	status = boot_image(options, &files, stream);
	fclose(files.out);
	return status;
}

static int run_checked(struct profiled *p, const char *command, struct options *options,
		       profiled_prepare_fn *prepare, const void *ctx)
{
	struct reason why;

	if (profiling_begin(&p->profile, options, &why)) {
		message("perf0 %s: %s", command, why.text);
		return STATUS_USAGE;
	}
	if (machine_check_host(&options->machine, &why)) {
		message("perf0: %s", why.text);
		return STATUS_MACHINE;
	}
	if (prepare)
		prepare(&p->profile, ctx);
	p->has_run = true;
	return boot_quietly(options, &p->stream);
}

int profiled_begin(struct profiled *p, const char *command, struct options *options,
		   const char *events, const char *const *program, profiled_prepare_fn *prepare,
		   const void *ctx)
{
	const char **line = profiling_line(events, program);
	int status;

	*p = (struct profiled){.has_run = false};
	stream_init(&p->stream);
	status = boot_check(options, line);
	if (!status)
		status = run_checked(p, command, options, prepare, ctx);
	free(line);
	return status;
}

void profiled_end(struct profiled *p)
{
	stream_free(&p->stream);
	profile_run_end(&p->profile);
	*p = (struct profiled){.has_run = false};
}

/* --- A command --- */

const char *const *profiling_program(const char *const *words)
{
	const char *const *program = words + 1;

	if (*program && !strcmp(*program, "--"))
		program++;
	if (*program)
		return program;
	message("perf0 %s: no program: perf0 %s [OPTIONS] -- PROGRAM [ARGS]", words[0], words[0]);
	return NULL;
}

int profiling_do(const char *command, struct options *options, const char *const *program,
		 profiling_report_fn *report, const void *ctx)
{
	struct profiled p;
	int status = profiled_begin(&p, command, options, "instructions:u", program, NULL, NULL);
	int reported = 0;

	if (p.has_run)
		reported = report(&p.profile, options, ctx);
	profiled_end(&p);
	return status ? status : reported;
}

/* --- The report --- */

static int print_tables(struct buf *out, const struct profile *profile,
			const struct profile_lines *lines, const struct profile_options *o,
			struct reason *why)
{
	int err = 0;

	if (o->functions)
		profile_text_functions(out, profile, o->functions);
	if (o->function)
		err = profile_text_matching(out, profile, lines, o->function, why);
	if (!err && o->line)
		err = profile_text_line(out, profile, lines, o->line, why);
	if (!err && o->calls)
		profile_text_calls(out, profile, lines, o->calls);
	return err;
}

static int complain_of_profile(const struct reason *why)
{
	message("perf0: %s", why->text);
	return STATUS_FAILED;
}

/* Returns whether a table or a file has source lines, for which debug information is read. */
static bool has_lines(const struct profile_options *o)
{
	return o->function || o->line || o->calls || o->callgrind || o->pprof || o->speedscope ||
	       o->html;
}

static int write_report(struct profile *profile, const struct profile_run *run,
			const struct options *options, const char *const *words, FILE *out)
{
	struct profile_lines lines = {0};
	struct buf text = {0};
	struct reason why;
	int status = 0;

	if (has_lines(&options->profile))
		profile_lines_read(&lines, profile, &run->map);
	if (print_tables(&text, profile, &lines, &options->profile, &why))
		status = complain_of_profile(&why);
	fwrite(text.data, 1, text.size, out);
	if (profile_write_files(
		    &(struct profile_source){.profile = profile,
					     .lines = &lines,
					     .words = words,
					     .by_instruction = options->profile.by_instruction},
		    &options->profile, &why))
		status = complain_of_profile(&why);
	buf_free(&text);
	profile_lines_free(&lines);
	return status;
}

int profiling_tell_missing(const struct profile_run *run)
{
	const struct profile_header *h = &run->file->header;

	if (h->nunread)
		message("perf0: %u client requests of Valgrind were not read: this QEMU does not "
			"export its functions for registers, as one with modules does",
			h->nunread);
	if (!h->nfull)
		return 0;
	message("perf0: the profile is incomplete: %u entries found no room", h->nfull);
	return STATUS_FAILED;
}

int profiling_report(const struct profile_run *run, const struct options *options,
		     const char *const *words, FILE *out)
{
	struct profile profile;
	struct reason why;
	int status;

	if (profile_run_fold(run, &profile, &why))
		return complain_of_profile(&why);
	status = write_report(&profile, run, options, words, out);
	if (profiling_tell_missing(run))
		status = STATUS_FAILED;
	profile_free(&profile);
	return status;
}
