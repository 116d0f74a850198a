// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_results.c - `perf0 results`: prints the results that machines wrote on a stick
 * (rt/portable/results.h) as tables, and saves recordings as perf.data.
 */
#include "tools/cmd/commands.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/there.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "tools/cmd/recording.h"
#include "tools/cmd/stored.h"
#include "tools/cmd/symfs.h"
#include "tools/there/came_home.h"
#include "tools/util/ending.h"
#include "tools/util/message.h"
#include "tools/util/plainbuf.h"
#include "tools/util/status.h"
#include "tools/util/wholefile.h"
#include "tools/verdicts/verdicts.h"

#define STREAM_SUFFIX ".perf0"
#define UNWRITTEN     "unwritten.txt" /* RESULTS_UNWRITTEN of rt/portable/results.h */

/* Sorted names of files in a folder. */
struct names {
	char **name;
	size_t n;
};

static int compare_versions(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static struct names names_in_folder(const char *folder, bool (*is_wanted)(const char *name))
{
	struct buf names = {0};
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	struct names list;

	while (dir && (entry = readdir(dir))) {
		char *name;

		if (!is_wanted(entry->d_name))
			continue;
		name = copy_text(entry->d_name, strlen(entry->d_name));
		buf_add(&names, &name, sizeof(name));
	}
	if (dir)
		closedir(dir);
	list = (struct names){(void *)names.data, names.size / sizeof(char *)};
	if (list.n)
		qsort(list.name, list.n, sizeof(*list.name), compare_versions);
	return list;
}

static void free_names(struct names *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->name[i]);
	free(list->name);
}

/* Returns whether the name is a command's number, a dash, its kind, and the suffix. */
static bool is_stream(const char *name)
{
	const size_t digits = strspn(name, "0123456789");

	return digits >= 3 && name[digits] == '-' && ends_in(name, STREAM_SUFFIX);
}

/* Returns whether the name is four digits, a dash, and the name of a machine. */
static bool is_run(const char *name)
{
	return strspn(name, "0123456789") == 4 && name[4] == '-';
}

/* --- One stream --- */

static void format_value(char text[32], const struct wire_count *c)
{
	if (c->error)
		fmt_print(text, 32, "<not supported>");
	else if (!c->time_running)
		fmt_print(text, 32, "<not counted>");
	else
		fmt_print(text, 32, "%'llu", (unsigned long long)stream_scaled_count(c));
}

static void print_count(struct buf *out, const struct stream_count *count, bool with_cpus)
{
	const struct wire_count *c = &count->count;
	char value[32];

	format_value(value, c);
	if (with_cpus)
		buf_printf(out, "    CPU%-4" PRIu32, c->cpu);
	buf_printf(out, "%26s  ", value);
	plain_add(out, count->name, strlen(count->name));
	if (count->cgroup && count->cgroup[0]) {
		buf_printf(out, "  ");
		plain_add(out, count->cgroup, strlen(count->cgroup));
	}
	if (!c->error && c->time_running && c->time_running < c->time_enabled)
		buf_printf(out, "  (%.2f%%)",
			   100.0 * (double)c->time_running / (double)c->time_enabled);
	if (*truth_name(c->truth) && c->truth != TRUTH_EXACT)
		buf_printf(out, "  [%s]", truth_name(c->truth));
	buf_printf(out, "\n");
}

static void print_counts(struct buf *out, const struct stream_command *command)
{
	bool with_cpus = false;

	for (size_t i = 0; i < command->ncounts; i++)
		with_cpus |= command->counts[i].count.cpu;
	for (size_t i = 0; i < command->ncounts; i++)
		print_count(out, &command->counts[i], with_cpus);
}

static void print_samples(struct buf *out, const struct stream_command *command)
{
	const struct wire_books *books = &command->result.books;

	if (stream_is_recording(command) && !command->ended)
		buf_printf(out, "    %" PRIu64 " samples, and no end\n", command->samples);
	else if (stream_is_recording(command))
		buf_printf(out,
			   "    %" PRIu64 " samples of %" PRIu64 " overflows, %" PRIu64
			   " lost, %" PRIu64 " refused\n",
			   command->samples, books->overflows, books->lost, books->refused);
}

static void print_noise(struct buf *out, const struct stream_command *command)
{
	if (!command->noise)
		return;
	buf_printf(out, "    ");
	plain_add(out, command->noise, strlen(command->noise));
	buf_printf(out, "\n");
}

static void print_command(struct buf *out, const char *name, const struct stream_command *command)
{
	buf_printf(out, "  %.*s  ", (int)strcspn(name, "-."), name);
	plain_add(out, command->line, strlen(command->line));
	if (command->ended && command->result.status)
		buf_printf(out, "  (status %d)", command->result.status);
	buf_printf(out, "\n");
	print_counts(out, command);
	print_samples(out, command);
	print_noise(out, command);
}

/* --- One start of a machine --- */

struct results {
	const struct options *options;
	const char *stick; /* the folder that the user named; NULL: programs are where they were */
	const char *to;    /* folder for perf.data files; NULL: none are made */
	size_t nstreams;   /* streams read so far */
	int status;
};

static void note_status(struct results *r, int status)
{
	r->status = r->status ? r->status : status;
}

static void ensure_folder(struct results *r, const char *folder)
{
	if (mkdir(folder, 0777) && errno != EEXIST) {
		message("perf0 results: %s: %s", folder, strerror(errno));
		note_status(r, STATUS_FAILED);
	}
}

/* Copies programs from the stick into the folder of the perf.data files. The user may have named
 * the stick, its folder perf0/results, or a folder inside of that. */
static void lay_programs(const struct results *r, const struct stream *stream,
			 const struct stream_command *command)
{
	static const char *const above[] = {"", "/..", "/../..", "/../../.."};
	struct buf folder[sizeof(above) / sizeof(above[0])] = {0};
	const char *from[sizeof(above) / sizeof(above[0]) + 1] = {NULL};
	const size_t n = sizeof(above) / sizeof(above[0]);

	for (size_t i = 0; i < n; i++) {
		buf_printf(&folder[i], "%s%s", r->stick, above[i]);
		from[i] = buf_text(&folder[i]);
	}
	symfs_lay(r->to, from, stream, command);
	for (size_t i = 0; i < n; i++)
		buf_free(&folder[i]);
}

/* Saves RUN/002-record.perf0 as OUT/RUN/002-record.data. */
static void save_recording(struct results *r, const char *run, const char *name,
			   const struct stream *stream, const struct stream_command *command)
{
	struct buf path = {0};

	if (!r->to || !stream_is_recording(command))
		return;
	ensure_folder(r, r->to);
	buf_printf(&path, "%s/%s", r->to, run);
	ensure_folder(r, buf_text(&path));
	buf_printf(&path, "/%.*s.data", (int)(strlen(name) - strlen(STREAM_SUFFIX)), name);
	fflush(stdout);
	note_status(r, recording_save(buf_text(&path), &out_perfdata, stream, command,
				      &r->options->output));
	buf_free(&path);
	if (r->stick)
		lay_programs(r, stream, command);
}

static void print_head(const struct stream *stream, const char *run, bool first)
{
	struct buf head = {0};

	if (!first)
		buf_printf(&head, "\n");
	plain_add(&head, run, strlen(run));
	if (stream->has_hello) {
		buf_printf(&head, ": ");
		plain_add(&head, stream->brand, strlen(stream->brand));
		buf_printf(&head, ", %u CPU%s", stream->hello.ncpus,
			   stream->hello.ncpus == 1 ? "" : "s");
	}
	puts(buf_text(&head));
	buf_free(&head);
}

/* Prints a stream. A damaged stream still shows its intact part. */
static void tell_stream(struct results *r, const char *run, const char *name,
			const struct stream *stream, const struct frame_stats *stats)
{
	struct reason why;

	for (size_t i = 0; i < stream->ncommands; i++) {
		struct buf text = {0};

		print_command(&text, name, &stream->commands[i]);
		fputs(buf_text(&text), stdout);
		buf_free(&text);
		save_recording(r, run, name, stream, &stream->commands[i]);
	}
	if (stream_check(stream, stats, &why)) {
		fflush(stdout);
		message("perf0 results: %s/%s is not whole: %s", run, name, why.text);
		note_status(r, STATUS_MACHINE);
	}
}

/*
 * Refuses anything but a plain file: a FIFO would block, a device has no end, and a link may lead
 * off the stick.
 */
static int check_plain_file(const char *path, struct reason *why)
{
	struct stat st;

	if (lstat(path, &st))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	return S_ISREG(st.st_mode) ? 0 : refuse(why, EINVAL, "%s: it is no plain file", path);
}

/* `is_first`: no head was printed for the run yet. */
static void read_run_file(struct results *r, const char *folder, const char *run, const char *name,
			  bool is_first)
{
	struct frame_stats stats;
	struct buf path = {0};
	struct stream stream;
	struct reason why;

	stream_init(&stream);
	buf_printf(&path, "%s/%s", folder, name);
	if (check_plain_file(buf_text(&path), &why) ||
	    stored_read(buf_text(&path), false, &stream, &stats, &why)) {
		message("perf0 results: %s", why.text);
		note_status(r, STATUS_FAILED);
	} else {
		if (is_first)
			print_head(&stream, run, !r->nstreams);
		r->nstreams++;
		tell_stream(r, run, name, &stream, &stats);
	}
	buf_free(&path);
	stream_free(&stream);
}

/* Returns whether the name is that of a report of `doctor`. */
static bool is_report(const char *name)
{
	return ends_in(name, "-report-doctor.json");
}

static void read_reports(struct results *r, const char *folder)
{
	struct names list = names_in_folder(folder, is_report);

	for (size_t i = 0; i < list.n; i++) {
		static struct verdicts verdicts;
		struct buf path = {0}, text = {0};
		struct reason why;

		buf_printf(&path, "%s/%s", folder, list.name[i]);
		if (check_plain_file(buf_text(&path), &why) ||
		    verdicts_read(&verdicts, buf_text(&path), &why)) {
			message("perf0 results: %s", why.text);
			note_status(r, STATUS_FAILED);
		} else {
			buf_printf(&text, "  %.*s  doctor\n", (int)strcspn(list.name[i], "-"),
				   list.name[i]);
			verdicts_print(&text, &verdicts);
			fputs(buf_text(&text), stdout);
		}
		buf_free(&path);
		buf_free(&text);
	}
	free_names(&list);
}

/* Tells the files that found no room (RESULTS_UNWRITTEN): their number, then their names. */
static void tell_unwritten(struct results *r, const char *folder, const char *run)
{
	struct buf path = {0}, text = {0};
	struct reason ignored;
	unsigned long n;
	char *names;

	buf_printf(&path, "%s/" UNWRITTEN, folder);
	if (!check_plain_file(buf_text(&path), &ignored) &&
	    !text_file_read(&text, buf_text(&path), &ignored)) {
		n = strtoul(buf_text(&text), &names, 10);
		for (char *c = names; (c = strchr(c, '\n'));)
			*c = ' ';
		if (n)
			message("perf0 results: %s: %lu files are missing, which found no room on the "
				"stick:%s",
				run, n, names);
		if (n)
			note_status(r, STATUS_MACHINE);
	}
	buf_free(&path);
	buf_free(&text);
}

static void read_run(struct results *r, const char *folder)
{
	struct names list = names_in_folder(folder, is_stream);
	const char *slash = strrchr(folder, '/');
	const size_t before = r->nstreams;

	for (size_t i = 0; i < list.n; i++)
		read_run_file(r, folder, slash ? slash + 1 : folder, list.name[i],
			      r->nstreams == before);
	free_names(&list);
	read_reports(r, folder);
	fflush(stdout);
	tell_unwritten(r, folder, slash ? slash + 1 : folder);
}

/* --- A stick --- */

static void read_runs(struct results *r, const char *folder)
{
	struct names list = names_in_folder(folder, is_run);

	for (size_t i = 0; i < list.n; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/%s", folder, list.name[i]);
		read_run(r, buf_text(&path));
		buf_free(&path);
	}
	free_names(&list);
}

/* Accepts the stick, its folder of results, or the folder of one run. */
static void read_any(struct results *r, const char *folder)
{
	static const char *const places[] = {"perf0/results", "results", "."};

	read_run(r, folder);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !r->nstreams; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/%s", folder, places[i]);
		read_runs(r, buf_text(&path));
		buf_free(&path);
	}
}

/* Returns the absolute path, which the caller frees; NULL with the reason. The path's last part
 * names a folder below --output, so it must not be `..`. */
static char *find_folder(const char *folder, struct reason *why)
{
	DIR *dir = opendir(folder);
	char *path = dir ? realpath(folder, NULL) : NULL;

	if (!path)
		refuse(why, errno, "%s: %s", folder, strerror(errno));
	if (dir)
		closedir(dir);
	return path;
}

/* --- What this machine has brought home --- */

/* Returns whether the folder has a perf.data already. */
static bool is_data(const char *name)
{
	return ends_in(name, ".data");
}

static bool has_data(const char *folder)
{
	struct names list = names_in_folder(folder, is_data);
	const bool has = list.n;

	free_names(&list);
	return has;
}

/* Tells how the time away ended, if not by the last command's end. */
static void tell_end(struct results *r, const char *folder)
{
	struct buf path = {0}, text = {0};
	struct reason why;

	buf_printf(&path, "%s/" THERE_STATUS, folder);
	if (text_file_read(&text, buf_text(&path), &why)) {
		message("perf0 results: %s", why.text);
		note_status(r, STATUS_MACHINE);
	} else if (strcmp(buf_text(&text), THERE_ENDED "\n") != 0) {
		text.size = strcspn(buf_text(&text), "\n");
		message("perf0 results: %s", buf_text(&text));
		note_status(r, STATUS_MACHINE);
	}
	buf_free(&path);
	buf_free(&text);
}

static int show_home(const struct options *options)
{
	struct results r = {.options = options, .to = options->output.path};
	char folder[PATH_MAX];
	struct reason why;
	const int err = came_home_save("", CAME_HOME_FOLDER, folder, &why);

	if (err < 0) {
		message("perf0 results: %s", why.text);
		return STATUS_FAILED;
	}
	if (!r.to && !has_data(folder))
		r.to = CAME_HOME_FOLDER;
	read_run(&r, folder);
	tell_end(&r, folder);
	message("perf0 results: %s has %s", folder, err ? "them from now on" : "them");
	return r.status;
}

int cmd_results(const struct options *options, const char **words)
{
	struct results r = {.options = options, .to = options->output.path};
	struct reason why;
	char *folder;

	if (!words[1])
		return show_home(options);
	if (words[2]) {
		message("perf0 results: one folder is needed: a stick, or its perf0/results");
		return STATUS_USAGE;
	}
	folder = find_folder(words[1], &why);
	if (!folder) {
		message("perf0 results: %s", why.text);
		return STATUS_FAILED;
	}
	r.stick = folder;
	read_any(&r, folder);
	if (!r.nstreams && !r.status) {
		message("perf0 results: %s: there are no results: no folder perf0/results with "
			"files *" STREAM_SUFFIX " below it",
			words[1]);
		r.status = STATUS_FAILED;
	}
	free(folder);
	return r.status;
}
