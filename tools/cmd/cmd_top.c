// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_top.c - `perf0 top`: shows the functions of a recording while it arrives. It reads a stream
 * from any source (tools/stream/live.h). For a workload, a child process boots the machine and
 * passes every byte of its serial line through a pipe.
 */
#include "tools/cmd/commands.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/machine/boot.h"
#include "tools/machine/copied_out.h"
#include "tools/stream/live.h"
#include "tools/symbols/debuginfod.h"
#include "tools/util/message.h"
#include "tools/top/profile.h"
#include "tools/util/clock.h"
#include "tools/util/status.h"
#include "tools/top/terminal.h"
#include "tools/top/topview.h"
#include "tools/util/memory.h"
#include "tools/util/signals.h"

#define NO_COMMAND    SIZE_MAX
#define MESSAGE_BYTES 1152

struct top {
	struct live live;
	struct terminal terminal;
	struct topview view;
	struct screen screen;
	struct profile profile;
	size_t command; /* index in the stream of the recording that is shown, or NO_COMMAND */
	struct stream_cursor cursor;
	struct places places;
	struct elf_image elf;
	bool has_elf;
	char message[MESSAGE_BYTES]; /* the last line of text that arrived */
	bool message_ended;          /* the next text begins a new message */
	pid_t child;                 /* 0: no child */
	const struct option_values *brings;
	int child_says; /* file with the child's messages */
	int signals;
	int signal; /* the signal that ended top; 0: none */
	bool is_over, leave;
	uint64_t period, drawn; /* ms */
};

/* Keeps the last line of text for the foot of the screen. The line may arrive in pieces. */
static void keep_message(struct top *top, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t used = strlen(top->message);

		if (text[i] == '\n' || text[i] == '\r') {
			top->message_ended = true;
			continue;
		}
		if (top->message_ended)
			used = 0;
		top->message_ended = false;
		if (used + 1 < sizeof(top->message))
			top->message[used++] = text[i];
		top->message[used] = '\0';
	}
}

/* Keeps the child's last messages, which say why there is no machine. */
static void keep_last_words(struct top *top)
{
	char bytes[4096];
	ssize_t n;
	off_t at = 0;

	while (top->child && (n = pread(top->child_says, bytes, sizeof(bytes), at)) > 0) {
		keep_message(top, bytes, (size_t)n);
		at += n;
	}
}

static void on_top_frame(void *ctx, const struct frame *frame)
{
	const char *text;
	size_t n;

	if (frame->type == WIRE_TEXT && stream_text(frame, &text, &n))
		keep_message(ctx, text, n);
}

static void on_top_debris(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

static const struct stream_command *shown_recording(const struct top *top)
{
	return top->command == NO_COMMAND ? NULL : &top->live.stream.commands[top->command];
}

/* Shows a new recording in place of the previous one. */
static void show_recording(struct top *top, size_t command)
{
	struct stream *stream = &top->live.stream;
	struct reason why;

	if (top->command != NO_COMMAND)
		places_free(&top->places);
	profile_clear(&top->profile);
	topview_forget(&top->view);
	top->command = command;
	stream_cursor_free(&top->cursor);
	top->has_elf = stream->has_hello && !elf_image_find(&top->elf, &stream->hello, &why);
	if (stream->has_hello && !top->has_elf)
		snprintf(top->message, sizeof(top->message), "no symbols: %s", why.text);
	places_init(&top->places, stream, &stream->commands[command],
		    top->has_elf ? &top->elf : NULL);
}

static void choose_recording(struct top *top)
{
	const struct stream *stream = &top->live.stream;
	size_t last = stream->ncommands;

	while (last-- > 0)
		if (stream_is_recording(&stream->commands[last]))
			break;
	if (last < stream->ncommands && last != top->command)
		show_recording(top, last);
}

static void add_top_sample(struct top *top, const struct record_format *format,
			   const struct perf_event_header *record)
{
	struct sample sample;
	struct place place;

	if (!sample_parse(format, record, &sample))
		return;
	place = places_find(&top->places, sample.pid, sample.ip, sample.kernel);
	profile_add(&top->profile, (size_t)(sample.event - format->events), &place,
		    sample_weight(&sample), sample.cpu);
}

/* Perf maps that the child has copied out also name the samples that are shown already. */
static void name_by_perfmaps(struct top *top)
{
	if (top->child && bring_note_perfmaps(top->brings) && top->command != NO_COMMAND)
		show_recording(top, top->command);
}

/* Takes the records that follow those taken before. */
static void take_records(struct top *top)
{
	const struct stream_command *command;
	const struct perf_event_header *record;
	struct record_format format;

	choose_recording(top);
	command = shown_recording(top);
	if (!command)
		return;
	format = stream_format(command);
	while ((record = stream_next_record(command, &top->cursor))) {
		if (record->type == PERF_RECORD_SAMPLE)
			add_top_sample(top, &format, record);
		else
			places_record(&top->places, record);
	}
}

static void take_stream(struct top *top)
{
	struct reason why;
	int n = live_read(&top->live, &why);

	if (n == -EAGAIN)
		return;
	if (n <= 0) {
		top->is_over = true;
		keep_last_words(top);
		name_by_perfmaps(top);
	}
	if (n < 0)
		snprintf(top->message, sizeof(top->message), "%s", why.text);
	take_records(top);
}

/* Returns the word for the state on the screen. */

static const char *top_state(const struct top *top)
{
	const struct stream_command *command = shown_recording(top);

	if (top->is_over || (command && command->ended))
		return "ended";
	return command ? "running" : "waiting";
}

static struct top_model shown_model(const struct top *top)
{
	const struct stream_command *command = shown_recording(top);

	return (struct top_model){
		.command = command ? command->line : "",
		.state = top_state(top),
		.message = command && !command->ended && !top->is_over ? "" : top->message,
		.events = command ? command->events : NULL,
		.nevents = command ? command->nevents : 0,
		.profile = &top->profile,
		.lost = command ? command->result.books.lost + command->lost : 0,
		.skipped = top->live.reader.stats.skipped,
		.ncpus = top->live.stream.hello.ncpus,
	};
}

static void draw_top(struct top *top)
{
	const struct top_model model = shown_model(top);

	screen_start(&top->screen, top->terminal.width, top->terminal.height);
	topview_draw(&top->view, &model, &top->screen);
	terminal_show(&top->terminal, &top->screen);
	top->drawn = clock_now_ms();
}

static void take_keys(struct top *top)
{
	const struct top_model model = shown_model(top);
	int key;

	/* The previous key changes the screen, and with it the meaning of the next key. */
	while ((key = terminal_key(&top->terminal)) > 0 && !top->leave) {
		top->leave = !topview_key(&top->view, &model, key);
		if (!top->leave)
			draw_top(top);
	}
	top->leave |= key < 0;
}

static void take_top_signal(struct top *top)
{
	struct signalfd_siginfo info;

	if (read(top->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR2)
		return; /* nothing runs that could send a snapshot */
	if (info.ssi_signo == SIGWINCH) {
		terminal_resize(&top->terminal);
		draw_top(top);
		return;
	}
	top->signal = (int)info.ssi_signo;
	top->leave = true;
}

/* Redraws when data arrived, at most once a period; keys and new sizes redraw at once. */
static void run_top_loop(struct top *top)
{
	enum { STREAM, KEYS, SIGNALS, N };
	struct pollfd fds[N] = {
		[STREAM] = {.fd = live_fd(&top->live), .events = POLLIN},
		[KEYS] = {.fd = top->terminal.fd, .events = POLLIN},
		[SIGNALS] = {.fd = top->signals, .events = POLLIN},
	};

	draw_top(top);
	while (!top->leave) {
		uint64_t passed = clock_now_ms() - top->drawn;
		int wait = top->is_over           ? -1
			   : passed < top->period ? (int)(top->period - passed)
						  : (int)top->period;

		if (poll(fds, N, wait) < 0 && errno != EINTR)
			break;
		if (fds[STREAM].revents)
			take_stream(top);
		if (fds[KEYS].revents & POLLIN)
			take_keys(top);
		else if (fds[KEYS].revents)
			top->leave = true;
		if (fds[SIGNALS].revents)
			take_top_signal(top);
		if (top->is_over && fds[STREAM].fd >= 0) {
			fds[STREAM].fd = -1;
			draw_top(top);
		} else if (!top->is_over && clock_now_ms() - top->drawn >= top->period) {
			draw_top(top);
		}
	}
}

/* --- The child that runs the machine --- */

/* Runs in the child. The terminal belongs to the parent, and so does ^C. */
static void run_child(const struct options *options, int to_parent, int says)
{
	struct session_files files = {.raw = fdopen(to_parent, "w")};
	struct stream stream;
	sigset_t none;
	int status;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the child must not survive its parent */
	dup2(says, STDOUT_FILENO);
	dup2(says, STDERR_FILENO);
	if (!files.raw || !freopen("/dev/null", "r", stdin))
		_exit(STATUS_MACHINE);
	setvbuf(files.raw, NULL, _IONBF, 0);
	stream_init(&stream);
	stream.max_size = UINT64_MAX; /* the stream is not stored, so no limit applies */
	status = boot_image(options, &files, &stream);
	fclose(files.raw);
	fflush(stdout);
	fflush(stderr);
	_exit(status);
}

/* Starts the child. `device` then names the source of its stream. */
static int start_child(struct top *top, const struct options *options, char device[32])
{
	int ends[2];

	top->child_says = memfd_create("messages", MFD_CLOEXEC);
	if (top->child_says < 0 || pipe2(ends, O_CLOEXEC))
		err(STATUS_MACHINE, "perf0 top");
	top->child = fork();
	if (top->child < 0)
		err(STATUS_MACHINE, "perf0 top");
	if (!top->child) {
		close(ends[0]);
		run_child(options, ends[1], top->child_says);
	}
	close(ends[1]);
	snprintf(device, 32, "/dev/fd/%d", ends[0]);
	return ends[0];
}

/* Prints the child's messages, after the screen was given back to the user. */
static void show_live_messages(int says)
{
	char bytes[4096];
	ssize_t n;

	lseek(says, 0, SEEK_SET);
	while ((n = read(says, bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, (size_t)n, stderr);
}

/* Returns the child's status; 0 if the child still ran when the user left. */
static int end_child(struct top *top)
{
	int status = 0;

	if (!top->child)
		return 0;
	if (!top->is_over) { /* a second signal keeps the child from waiting for the image */
		kill(top->child, SIGINT);
		kill(top->child, SIGTERM);
	}
	while (waitpid(top->child, &status, 0) < 0 && errno == EINTR)
		;
	if (top->is_over)
		show_live_messages(top->child_says);
	close(top->child_says);
	return top->is_over && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void free_all(struct top *top)
{
	if (top->command != NO_COMMAND)
		places_free(&top->places);
	profile_clear(&top->profile);
	topview_free(&top->view);
	buf_free(&top->screen.out);
	stream_cursor_free(&top->cursor);
	live_close(&top->live);
}

/* Watches a stream. The terminal is opened first: without one nothing boots. */
static int watch_device(struct top *top, const char *device, const struct live_line *line)
{
	const struct frame_sink sink = {on_top_frame, on_top_debris, on_top_debris, top};
	struct reason why;

	if (live_open(&top->live, device, line, &sink, &why)) {
		terminal_close(&top->terminal);
		message("perf0: top: %s", why.text);
		return STATUS_FAILED;
	}
	top->live.stream.max_size = UINT64_MAX; /* the stream is not stored, so no limit applies */
	run_top_loop(top);
	terminal_close(&top->terminal);
	free_all(top);
	return top->signal ? STATUS_SIGNAL + top->signal : 0;
}

/* Returns words for the image's `record`, which sends samples while the workload runs. */
static const char **record_words(const char **words)
{
	size_t n = 0;
	const char **all;

	while (words[n])
		n++;
	all = memory_checked(calloc(n + 2, sizeof(*all)));
	all[0] = "record";
	all[1] = "--live";
	memcpy(all + 2, words + 1, n * sizeof(*all));
	return all;
}

static int run_and_look(struct top *top, const struct options *options)
{
	char device[32];
	const struct live_line no_line = {0};
	int pipe_end = start_child(top, options, device), status, child;

	status = watch_device(top, device, &no_line);
	close(pipe_end);
	child = end_child(top);
	return status ? status : child;
}

static int refuse_usage(const char *what)
{
	message("perf0: top: %s; see `perf0 help top`", what);
	return STATUS_USAGE;
}

int cmd_top(const struct options *options, const char **words)
{
	static struct top top;
	struct reason why;
	sigset_t old;
	int status;

	if (options->stream.input && words[1])
		return refuse_usage("a stream of -i, or a workload, but not both");
	if (!options->stream.input && !words[1])
		return refuse_usage("a workload is needed, or a stream by -i");
	if (!options->stream.input) {
		const char **all = record_words(words);

		status = boot_check(options, all);
		free(all);
		if (status)
			return status;
	}
	top = (struct top){.command = NO_COMMAND,
			   .period = (uint64_t)options->output.delay * 1000,
			   .child_says = -1,
			   .brings = &options->program.brings};
	if (terminal_open(&top.terminal, &why)) {
		message("perf0: top: %s", why.text);
		return STATUS_FAILED;
	}
	debuginfod_never();
	top.signals = signals_open(SIGWINCH, &old);
	status = options->stream.input
			 ? watch_device(&top, options->stream.input, &options->machine.line)
			 : run_and_look(&top, options);
	signals_close(top.signals, &old);
	return status;
}
