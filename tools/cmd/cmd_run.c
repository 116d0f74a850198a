// SPDX-License-Identifier: BSD-2-Clause
/* cmd_run.c - the commands that boot the image: run, stat, record, caps, doctor,
 * list. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/doctor/doctor_kvm.h"
#include "tools/doctor/doctor_parts.h"
#include "tools/machine/boot.h"
#include "tools/pages/doctor_page.h"
#include "tools/picture/save.h"
#include "tools/options/option_scan.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/cmd/pictured.h"
#include "tools/cmd/profiling.h"
#include "tools/cmd/recording.h"
#include "tools/machine/session.h"
#include "tools/util/status.h"
#include "tools/verdicts/verdicts.h"

static int complain_of_run(int status, const char *what)
{
	message("perf0: %s", what);
	return status;
}

static int boot_and_forget(const struct options *options, const struct session_files *files)
{
	struct stream stream;
	int status;

	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	status = boot_image(options, files, &stream);
	stream_free(&stream);
	return status;
}

int cmd_image(const struct options *options, const char **words)
{
	const struct session_files none = {0};
	int status = boot_check(options, words);

	return status ? status : boot_and_forget(options, &none);
}

static int compare_verdicts(const char **words)
{
	static struct verdicts a, b;
	struct buf text = {0};
	struct reason why;
	size_t differ;

	if (words[0] && !strcmp(words[0], "--"))
		words++;
	if (!words[0] || !words[1] || words[2])
		return complain_of_run(STATUS_USAGE, "doctor --compare: two files are needed");
	if (verdicts_read(&a, words[0], &why) || verdicts_read(&b, words[1], &why))
		return complain_of_run(STATUS_USAGE, why.text);
	differ = verdicts_compare(&text, &a, &b);
	fputs(buf_text(&text), stdout);
	buf_free(&text);
	return differ ? STATUS_FAILED : 0;
}

/* Writes the page of --html; `status` is that of the checks, which a full disk does not hide. */
static int save_doctor_page(const struct options *options, const struct buf *page, int status)
{
	struct reason why;

	if (!picture_save(options->output.html, page, &why))
		return status;
	message("perf0 doctor: --html: %s", why.text);
	return status ? status : STATUS_FAILED;
}

static int examine_host(const struct options *options)
{
	const char *title = options->doctor.kvm ? "Doctor: whether guests of KVM can count here"
						: "Doctor: whether machines can run here";
	struct said_list list = {0};
	struct buf page = {0};
	int status;

	if (options->doctor.kvm)
		status = doctor_kvm(&list, options->doctor.root ? options->doctor.root : "");
	else
		status = doctor_parts(&list, &options->machine, options->doctor.report);
	if (options->output.html) {
		doctor_host_page(&page, &list, title, options->typed);
		status = save_doctor_page(options, &page, status);
	}
	buf_free(&page);
	said_list_free(&list);
	return status;
}

/* Returns the words with --also-json in them. The caller frees the array. */
static const char **also_json_line(const char **words)
{
	const size_t n = count_words(words);
	const char **line = memory_checked(calloc(n + 2, sizeof(*line)));

	line[0] = words[0];
	line[1] = "--also-json";
	memcpy(line + 2, words + 1, n * sizeof(*line));
	return line;
}

static int save_machine_page(const struct options *options, const struct stream *stream, int status)
{
	const struct stream_command *command = pictured_report(stream);
	struct buf page = {0};
	struct reason why;

	if (!command && status)
		return status;
	if (doctor_machine_page(&page, command ? command->report.data : NULL,
				command ? command->report.size : 0, options->typed, &why)) {
		message("perf0 doctor: --html: %s", why.text);
		status = status ? status : STATUS_FAILED;
	} else {
		status = save_doctor_page(options, &page, status);
	}
	buf_free(&page);
	return status;
}

static int examine_machine(const struct options *options, const char **words)
{
	const struct session_files none = {0};
	const char **line = also_json_line(words);
	struct stream stream;
	int status = boot_check(options, line);

	if (!status) {
		stream_init(&stream);
		stream.max_size = options->stream.max_size;
		status = boot_image(options, &none, &stream);
		status = save_machine_page(options, &stream, status);
		stream_free(&stream);
	}
	free(line);
	return status;
}

int cmd_doctor(const struct options *options, const char **words)
{
	const bool is_of_host =
		options->doctor.host || options->doctor.report || options->doctor.kvm;
	struct reason why;

	if (is_of_host && words[1]) {
		message("perf0 doctor: takes no operand: '%s'", words[1]);
		return STATUS_USAGE;
	}
	if (pictured_check(&options->output, &why)) {
		message("perf0 doctor: %s", why.text);
		return STATUS_FAILED;
	}
	if (is_of_host)
		return examine_host(options);
	if (options->output.compares)
		return compare_verdicts(words + 1);
	return options->output.html ? examine_machine(options, words) : cmd_image(options, words);
}

/* Closes the file. Only then is a full disk reported. */
static int close_file(FILE *file, const char *path)
{
	bool failed;

	if (!file)
		return 0;
	failed = ferror(file);
	failed |= fclose(file) != 0;
	if (failed)
		message("perf0: %s: the results could not be written", path);
	return failed ? STATUS_FAILED : 0;
}

/* Opens the report. Each run in the file begins with the line that perf stat prints. */
static FILE *open_report(const struct options *options)
{
	FILE *file = fopen(options->output.path, options->output.append ? "ae" : "we");
	time_t now = time(NULL);

	if (!file)
		message("perf0: %s: %s", options->output.path, strerror(errno));
	else
		fprintf(file, "# started on %s\n", ctime(&now));
	return file;
}

/* Runs it, and reports what was counted by function if the user asked for that. */
static int boot_profiled(const struct options *options, const char *const *words,
			 const struct session_files *files, struct stream *stream)
{
	struct options with = *options;
	struct profile_run profile;
	struct reason why;
	int status, reported;

	if (!profiling_is_asked(&options->profile))
		return boot_image(options, files, stream);
	if (profiling_begin(&profile, &with, &why)) {
		profile_run_end(&profile);
		return complain_of_run(STATUS_USAGE, why.text);
	}
	status = boot_image(&with, files, stream);
	reported = profiling_report(&profile, &with, words, files->out ? files->out : stdout);
	profile_run_end(&profile);
	return status ? status : reported;
}

struct forms {
	bool json, quiet, verbose;
};

static int note_form(void *ctx, const struct scanned *s, struct reason *why)
{
	struct forms *forms = ctx;

	(void)why;
	forms->json |= s->id == OPT_STAT_JSON;
	forms->quiet |= s->id == OPT_STAT_QUIET;
	forms->verbose |= s->id == OPT_STAT_VERBOSE;
	return 0;
}

static struct forms forms_of(const char *const *words)
{
	const size_t n = count_words(words) + 1;
	const char **copy = memory_checked(calloc(n, sizeof(*copy)));
	struct forms forms = {.json = false};
	struct reason ignored;
	bool ended;

	memcpy(copy, words, n * sizeof(*copy));
	scan_options(IMAGE_STAT, false, copy + 1, &ended, note_form, &forms, &ignored);
	free(copy);
	return forms;
}

/* Runs a checked stat, and saves its report and pictures if the user asked for them. */
static int run_stat(const struct options *options, const char *const *words)
{
	struct session_files files = {.is_json = forms_of(words).json};
	struct stream stream;
	struct buf measured_on = {0};
	int status, closed;

	if (options->output.path && !(files.out = open_report(options)))
		return STATUS_FAILED;
	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	if (files.is_json && options->output.verbose)
		boot_measured_on(&measured_on, options);
	status = boot_profiled(options, words, &files, &stream);
	if (measured_on.size)
		fwrite(measured_on.data, 1, measured_on.size, files.out ? files.out : stdout);
	buf_free(&measured_on);
	closed = close_file(files.out, options->output.path);
	if (pictured_is_asked(&options->output))
		status = pictured_save(options, words, &stream, status);
	stream_free(&stream);
	return status ? status : closed;
}

/*
 * Returns whether the image also gets -v, which the tool takes: if its output is for programs, and
 * has neither -q nor -v.
 */
static bool is_verbose(const struct options *options, const char *const *words)
{
	const struct forms forms = forms_of(words);

	return options->output.verbose && forms.json && !forms.quiet && !forms.verbose;
}

/* Returns the stat's words with those that the tool's options add. The caller frees the array. */
static const char **stat_line(const struct options *options, const char **words, bool pictured)
{
	const size_t n = count_words(words);
	const char **line = memory_checked(calloc(n + 3, sizeof(*line)));
	size_t at = 0;

	line[at++] = words[0];
	if (pictured)
		line[at++] = "--also-json";
	if (is_verbose(options, words))
		line[at++] = "--verbose";
	memcpy(line + at, words + 1, n * sizeof(*line));
	return line;
}

int cmd_stat(const struct options *options, const char **words)
{
	const bool pictured = pictured_is_asked(&options->output);
	const char **line = stat_line(options, words, pictured);
	struct reason why;
	int status = boot_check(options, line);

	if (!status && pictured && pictured_check(&options->output, &why)) {
		message("perf0 stat: %s", why.text);
		status = STATUS_FAILED;
	}
	if (!status)
		status = run_stat(options, line);
	free(line);
	return status;
}

/*
 * Saves the recording even if the run failed. The run's status takes precedence over that of
 * saving.
 */
static int save_in_format(const char *path, const struct out_format *format,
			  const struct stream *stream, const struct stream_command *recording,
			  const struct output_options *options, int status)
{
	int saved = recording_save(path, format, stream, recording, options);

	return status ? status : saved;
}

/* If the recording goes to standard output, the image's text goes to standard error. */
int cmd_record(const struct options *options, const char **words)
{
	const struct session_files files = {
		.out = recording_to_stdout(&options->output) ? stderr : NULL,
		.programs = recording_to_stdout(&options->output) ? stderr : NULL,
	};
	const struct out_format *format = recording_format(&options->output);
	const struct stream_command *recording;
	struct stream stream;
	struct reason why;
	int status = boot_check(options, words);

	if (!status && recording_check(options->output.path, format, &why))
		status = complain_of_run(STATUS_FAILED, why.text);
	if (!status && pictured_check(&options->output, &why))
		status = complain_of_run(STATUS_FAILED, why.text);
	if (status)
		return status;
	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	status = boot_image(options, &files, &stream);
	recording = recording_choose(&stream, ANY_COMMAND, format, &why);
	if (recording)
		status = save_in_format(options->output.path, format, &stream, recording,
					&options->output, status);
	else if (!status)
		status = complain_of_run(STATUS_MACHINE, why.text);
	if (recording && options->output.html)
		status = recording_save_page(options, words, &stream, recording, status);
	stream_free(&stream);
	return status;
}

/* Creates a file in a folder of results: DIR/stream.perf0, DIR/console.txt, DIR/perf.data. */

static FILE *create_in_folder(const char *folder, const char *name)
{
	struct buf path = {0};
	FILE *file;

	buf_printf(&path, "%s/%s", folder, name);
	file = fopen(buf_text(&path), "wbe");
	if (!file)
		message("perf0: %s: %s", buf_text(&path), strerror(errno));
	buf_free(&path);
	return file;
}

static int open_files(struct session_files *files, const char *folder)
{
	if (mkdir(folder, 0777) && errno != EEXIST) {
		message("perf0: %s: %s", folder, strerror(errno));
		return -errno;
	}
	files->raw = create_in_folder(folder, "stream.perf0");
	files->text = files->raw ? create_in_folder(folder, "console.txt") : NULL;
	return files->text ? 0 : -EIO;
}

static int close_files(struct session_files *files, const char *folder)
{
	int raw = close_file(files->raw, folder), text = close_file(files->text, folder);

	return raw ? raw : text;
}

static int save_recording(const struct options *options, const struct stream *stream, int status)
{
	const struct stream_command *recording;
	struct buf path = {0};
	struct reason why;

	recording = recording_choose(stream, ANY_COMMAND, &out_perfdata, &why);
	if (recording) {
		buf_printf(&path, "%s/%s", options->output.path, out_perfdata.file);
		status = save_in_format(buf_text(&path), &out_perfdata, stream, recording,
					&options->output, status);
	}
	buf_free(&path);
	return status;
}

static int run_into(const struct options *options, const char **words)
{
	struct session_files files = {0};
	struct stream stream;
	int status = boot_check(options, words), closed;

	if (status)
		return status;
	if (open_files(&files, options->output.path)) {
		close_files(&files, options->output.path);
		return STATUS_FAILED;
	}
	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	status = boot_image(options, &files, &stream);
	closed = close_files(&files, options->output.path);
	status = save_recording(options, &stream, status ? status : closed);
	stream_free(&stream);
	return status;
}

int cmd_command(const struct options *options, const char **words)
{
	return options->output.path ? run_into(options, words + 1) : cmd_image(options, words + 1);
}

int cmd_run(const struct options *options, const char **words)
{
	if (!words[1])
		return complain_of_run(STATUS_USAGE,
				       "run: no command; `perf0 run -- help` lists them");
	split_at_semicolons(words + 1);
	return cmd_command(options, words);
}
