// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_attach.c - `perf0 attach`: connects to a machine that this tool did not start, types
 * commands into it, and stores its stream. One thread runs one poll() loop.
 *
 * The machine may send plain text to a person, or frames to a host. Before attach sends a command,
 * it asks for frames, and waits for HELLO.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "tools/util/run_output.h"
#include "tools/events/events.h"
#include "tools/events/metric_names.h"
#include "tools/machine/boot.h"
#include "tools/machine/copied_out.h"
#include "tools/machine/missing_report.h"
#include "tools/program/crash.h"
#include "tools/machine/upload.h"
#include "tools/stream/live.h"
#include "tools/stream/typing.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/clock.h"
#include "tools/cmd/recording.h"
#include "tools/util/signals.h"
#include "tools/util/status.h"

#define CTRL_D  '\004'
#define DRAW_MS 100  /* between two progress lines on a terminal */
#define SAY_MS  5000 /* between two progress lines elsewhere */
#define ASK_MS  5000 /* between two requests for frames */

#define TYPED_MOST 4096 /* bytes that wait for the line; then standard input waits, too */

enum end {
	RUNNING,
	SAID_BYE,
	LINE_GONE,
	LINE_FAILED,
	COMMAND_DONE,
	DETACHED,
	TIMED_OUT,
	OTHER_RUN,
	OUTPUT_FAILED
};

struct attach {
	const struct options *options;
	struct live live;
	struct console console;
	FILE *stored;              /* NULL: nothing is stored */
	struct typed_line command; /* the command for the image */
	struct programs programs;  /* programs that the command names */
	struct bring bring;
	struct sought sought;
	struct crashes crashes;
	struct upload_sender upload; /* sends these programs */
	bool uploads;                /* an upload is in progress, before the command */
	struct buf hello;            /* payload of HELLO, which identifies the run */
	bool types;                  /* standard input goes to the machine */
	struct typing typing;        /* input that the line has not taken yet */
	int signals;
	int signal; /* the signal that ended attach; 0: none */
	bool asked; /* ^C went to the machine */
	enum end end;
	uint64_t start, drawn, asked_frames; /* ms */
	uint64_t bytes_drawn;
	struct reason why; /* explains LINE_FAILED */
};

static bool has_typed(const struct attach *a)
{
	return a->typing.waiting.size && live_may_write(&a->live);
}

static ssize_t write_typed(void *ctx, const void *bytes, size_t n, struct reason *why)
{
	struct attach *a = ctx;

	return live_write_some(&a->live, bytes, n, why);
}

static void send_typed(struct attach *a)
{
	if (typing_send(&a->typing, write_typed, a, &a->why))
		a->end = LINE_FAILED;
}

/* The same HELLO repeats during a run. A different HELLO means that the machine was restarted. */
static void note_run(struct attach *a, const struct frame *frame)
{
	if (!a->hello.size)
		buf_add(&a->hello, frame->payload, frame->length);
	else if (a->hello.size != frame->length ||
		 memcmp(a->hello.data, frame->payload, frame->length))
		a->end = OTHER_RUN;
}

static void type_command(struct attach *a)
{
	typed_line_send(&a->command, &a->typing, &a->live.stream);
}

static void send_command(struct attach *a)
{
	if (!a->command.text.size || a->command.is_sent || a->uploads)
		return;
	a->uploads = a->programs.n;
	if (a->uploads)
		upload_begin(&a->upload, &a->programs, NULL, clock_now_ms());
	else
		type_command(a);
}

static void end_uploads(struct attach *a)
{
	char text[UPLOAD_TEXT];

	a->uploads = false;
	upload_end(&a->upload);
	if (a->upload.state == UPLOAD_FAILED) {
		a->why = a->upload.why;
		a->end = LINE_FAILED;
		return;
	}
	upload_tell_end(&a->upload, clock_now_ms(), text, sizeof(text));
	if (a->options->output.verbose)
		console_say(&a->console, "%s", text);
	type_command(a);
}

static void type_uploads(struct attach *a)
{
	upload_type(&a->upload, clock_now_ms(), &a->typing);
	if (upload_is_over(&a->upload))
		end_uploads(a);
}

/* Ends an interrupted upload, so that the machine does not wait inside of a frame. */
static void leave_uploads(struct attach *a)
{
	const char end = (char)WIRE_TYPED_END;
	struct reason why;

	console_say(&a->console,
		    "broken off: the machine has %" PRIu64 " of %" PRIu64
		    " bytes of the programs, and keeps them",
		    a->upload.have, a->upload.size);
	if (a->end != LINE_GONE && a->end != LINE_FAILED)
		live_write(&a->live, &end, sizeof(end), &why);
	upload_end(&a->upload);
}

static void on_attach_frame(void *ctx, const struct frame *frame)
{
	struct attach *a = ctx;
	const char *text;
	size_t n;

	if (frame->type == WIRE_HELLO)
		note_run(a, frame);
	if (!a->live.raw)
		return; /* a stored frame was shown and answered before */
	if (frame->type == WIRE_HELLO && a->end == RUNNING)
		send_command(a);
	if (frame->type == WIRE_TEXT) {
		int kind = stream_text(frame, &text, &n);

		if (kind)
			console_text(&a->console, text, n, (enum wire_text_kind)kind);
	}
	if (a->end != RUNNING)
		return;
	if (frame->type == WIRE_TAKEN) {
		if (a->uploads)
			upload_answer(&a->upload, clock_now_ms(), frame);
		return;
	}
	bring_frame(&a->bring, frame);
	sought_frame(&a->sought, frame);
	crashes_frame(&a->crashes, frame);
	typed_line_frame(&a->command, frame);
	if (a->live.stream.has_bye)
		a->end = SAID_BYE;
	else if ((frame->type == WIRE_RESULT || a->command.at_prompt) &&
		 typed_line_is_done(&a->command, &a->live.stream))
		a->end = COMMAND_DONE;
}

static void on_attach_text(void *ctx, const void *text, size_t n)
{
	struct attach *a = ctx;

	if (a->live.raw)
		console_stray(&a->console, text, n);
}

static void on_attach_debris(void *ctx, const void *bytes, size_t n)
{
	struct attach *a = ctx;

	if (a->live.raw)
		console_debris(&a->console, bytes, n);
}

static void on_raw(void *ctx, const void *bytes, size_t n)
{
	struct attach *a = ctx;

	if (!a->stored)
		return;
	fwrite(bytes, 1, n, a->stored);
	fflush(a->stored); /* the file stays complete, however attach ends */
}

static void read_from_line(struct attach *a)
{
	int n = live_read(&a->live, &a->why);

	if (n == -EAGAIN || a->end != RUNNING)
		return;
	if (a->console.failed) {
		a->end = OUTPUT_FAILED;
		return;
	}
	if (n <= 0)
		a->end = n ? LINE_FAILED : LINE_GONE;
}

static void take_typed(struct attach *a)
{
	char bytes[256];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (n <= 0) {
		a->types = false;
		return;
	}
	if (isatty(STDIN_FILENO) && memchr(bytes, CTRL_D, (size_t)n))
		a->end = DETACHED;
	else
		typing_add(&a->typing, bytes, (size_t)n);
}

static bool runs_something(const struct stream *stream)
{
	return stream->ncommands && !stream->commands[stream->ncommands - 1].ended;
}

/* The first ^C goes to a running workload. SIGUSR2 asks for a snapshot. Any other signal ends
 * attach, but not the machine. */
static void take_attach_signal(struct attach *a)
{
	const bool runs = runs_something(&a->live.stream);
	struct signalfd_siginfo info;

	if (read(a->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR2) {
		if (runs)
			typing_key(&a->typing, WIRE_TYPED_SNAPSHOT);
		return;
	}
	if (info.ssi_signo == SIGINT && !a->asked && runs) {
		a->asked = true;
		typing_key(&a->typing, WIRE_TYPED_INTERRUPT);
		return;
	}
	a->signal = (int)info.ssi_signo;
	a->end = DETACHED;
}

static void sum_samples(const struct stream *stream, uint64_t *samples, uint64_t *lost)
{
	*samples = *lost = 0;
	for (size_t i = 0; i < stream->ncommands; i++) {
		*samples += stream->commands[i].samples;
		*lost += stream->commands[i].lost + stream->commands[i].result.books.lost;
	}
}

static void show_upload(struct attach *a)
{
	const uint64_t now = clock_now_ms();
	char text[UPLOAD_TEXT];

	if (now - a->drawn < (a->console.has_progress ? DRAW_MS : SAY_MS))
		return;
	a->drawn = now;
	upload_tell(&a->upload, now, text, sizeof(text));
	if (a->console.has_progress) {
		console_end_line(&a->console); /* ends the line with the machine's prompt */
		console_status(&a->console, "%s", text);
	} else {
		console_say(&a->console, "%s", text);
	}
}

static void show_attach_progress(struct attach *a)
{
	const struct frame_stats *stats = &a->live.reader.stats;
	uint64_t now = clock_now_ms(), passed = now - a->drawn, samples, lost;
	double rate;

	if (passed < (a->console.has_progress ? DRAW_MS : SAY_MS))
		return;
	if (!a->console.has_progress && a->live.bytes == a->bytes_drawn)
		return;
	rate = (double)(a->live.bytes - a->bytes_drawn) / (double)passed / 1.024;
	a->drawn = now;
	a->bytes_drawn = a->live.bytes;
	sum_samples(&a->live.stream, &samples, &lost);
	if (a->console.has_progress)
		console_status(&a->console,
			       "attached %.1f s: %" PRIu64 " frames, %.1f KiB/s, %" PRIu64
			       " samples, %" PRIu64 " lost",
			       (double)(now - a->start) / 1000, stats->frames, rate, samples, lost);
	else if (!a->console.in_line)
		console_say(&a->console,
			    "%.1f s: %" PRIu64 " frames, %.1f KiB/s, %" PRIu64 " samples, %" PRIu64
			    " lost",
			    (double)(now - a->start) / 1000, stats->frames, rate, samples, lost);
}

/*
 * Asks for frames every ASK_MS until HELLO comes, because a starting machine does not listen yet.
 */
static void ask_for_frames(struct attach *a)
{
	uint64_t now = clock_now_ms();

	if (a->asked_frames && now - a->asked_frames < ASK_MS)
		return;
	a->asked_frames = now;
	typing_line(&a->typing, TYPED_ASK_FOR_FRAMES);
}

static void run_attach_loop(struct attach *a)
{
	enum { LINE, SIGNALS, TYPED, N };
	struct pollfd fds[N] = {
		[LINE] = {.fd = live_fd(&a->live), .events = POLLIN},
		[SIGNALS] = {.fd = a->signals, .events = POLLIN},
		[TYPED] = {.fd = STDIN_FILENO, .events = POLLIN},
	};

	while (a->end == RUNNING) {
		if (a->uploads)
			type_uploads(a);
		if (has_typed(a))
			send_typed(a);
		fds[LINE].events = has_typed(a) ? POLLIN | POLLOUT : POLLIN;
		fds[TYPED].fd = a->types && a->typing.waiting.size < TYPED_MOST ? STDIN_FILENO : -1;
		if (poll(fds, N, DRAW_MS) < 0 && errno != EINTR)
			break;
		if (fds[LINE].revents & ~POLLOUT)
			read_from_line(a);
		if (fds[SIGNALS].revents && a->end == RUNNING)
			take_attach_signal(a);
		if (fds[TYPED].revents && a->end == RUNNING)
			take_typed(a);
		if (a->options->stream.time_limit && a->end == RUNNING &&
		    clock_now_ms() - a->start >= (uint64_t)a->options->stream.time_limit * 1000)
			a->end = TIMED_OUT;
		if (a->end == RUNNING && a->command.text.size && !a->command.is_sent && !a->uploads)
			ask_for_frames(a);
		if (a->uploads)
			show_upload(a);
		else
			show_attach_progress(a);
	}
	console_wipe(&a->console);
}

static int status_of_end(struct attach *a)
{
	const struct stream *stream = &a->live.stream;

	switch (a->end) {
	case SAID_BYE:
		return stream->bye.status & 0xff;
	case COMMAND_DONE:
		return typed_line_status(&a->command, stream);
	case TIMED_OUT:
		console_say(&a->console, "detached after %u s", a->options->stream.time_limit);
		return STATUS_TIMEOUT;
	case OTHER_RUN:
		console_say(&a->console,
			    "the machine was started anew: attach again, with another --stream");
		return STATUS_MACHINE;
	case OUTPUT_FAILED:
		return console_failed(&a->console, NULL);
	case LINE_FAILED:
		console_say(&a->console, "%s", a->why.text);
		return STATUS_MACHINE;
	case LINE_GONE:
		if (!a->command.text.size)
			return 0;
		console_say(&a->console, "the line ended before the command did");
		return STATUS_MACHINE;
	default:
		if (a->uploads)
			return STATUS_SIGNAL + (a->signal ? a->signal : SIGINT);
		return a->signal && a->signal != SIGINT ? STATUS_SIGNAL + a->signal : 0;
	}
}

static int report_attach(struct attach *a)
{
	const struct stream *stream = &a->live.stream;
	int status = status_of_end(a);
	uint64_t samples, lost;
	struct reason why;

	sum_samples(stream, &samples, &lost);
	if (stream_check_so_far(stream, &a->live.reader.stats, &why)) {
		console_say(&a->console, "what came is incomplete: %s", why.text);
		status = status ? status : STATUS_MACHINE;
	} else if (a->options->output.verbose) {
		console_say(&a->console,
			    "%" PRIu64 " frames, %" PRIu64 " samples, %" PRIu64 " lost",
			    a->live.reader.stats.frames, samples, lost);
	}
	return status;
}

static int save_attached(const struct attach *a, int status)
{
	const struct options *o = a->options;
	const struct out_format *format = recording_format(&o->output);
	const struct stream_command *recording;
	struct reason why;
	int saved;

	recording = recording_choose(&a->live.stream, ANY_COMMAND, format, &why);
	if (!recording)
		return status;
	saved = recording_save(o->output.path, format, &a->live.stream, recording, &o->output);
	return status ? status : saved;
}

/* Reads the stored part of this run first. */
static int open_stored(struct attach *a)
{
	uint8_t bytes[BUFSIZ];
	size_t n;

	if (!a->options->stream.store)
		return 0;
	a->stored = fopen(a->options->stream.store, "a+be");
	if (!a->stored) {
		message("perf0: %s: %s", a->options->stream.store, strerror(errno));
		return STATUS_FAILED;
	}
	rewind(a->stored);
	while ((n = fread(bytes, 1, sizeof(bytes), a->stored)) > 0)
		live_feed(&a->live, bytes, n);
	return 0;
}

static int close_stored(struct attach *a, int status)
{
	bool failed;

	if (!a->stored)
		return status;
	failed = ferror(a->stored);
	failed |= fclose(a->stored) != 0;
	if (failed)
		message("perf0: %s: the stream could not be stored", a->options->stream.store);
	return status || !failed ? status : STATUS_FAILED;
}

/* Sends keys to the machine as they are pressed. The machine echoes them. */
static bool set_keyboard(struct termios *before)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, before))
		return false;
	t = *before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	return !tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

static int listen_and_save(struct attach *a)
{
	struct termios keyboard;
	void (*pipe_was)(int) = signal(SIGPIPE, SIG_IGN);
	bool is_keyboard;
	sigset_t old;
	int status;

	a->signals = signals_open(0, &old);
	is_keyboard = a->types && set_keyboard(&keyboard);
	if (is_keyboard)
		console_echo(&a->console);
	a->start = a->drawn = clock_now_ms();
	run_attach_loop(a);
	if (a->uploads)
		leave_uploads(a);
	if (a->end != LINE_GONE && a->end != LINE_FAILED)
		live_settle(&a->live);
	status = report_attach(a);
	if (is_keyboard)
		tcsetattr(STDIN_FILENO, TCSANOW, &keyboard);
	signal(SIGPIPE, pipe_was);
	status = save_attached(a, status);
	signals_close(a->signals, &old);
	return status;
}

static int read_attach_command(struct attach *a, const char **words)
{
	const struct events_machine any = {.uarch = NULL};
	struct reason why;

	if (!*words)
		return 0;
	split_at_semicolons(words);
	if (!boot_programs(&a->programs, &a->options->program, words, false, &why) &&
	    !events_encode_words(words, &any, events_tell_refused, &why) &&
	    !metrics_encode_words(words, &any, NULL, &why) &&
	    !typed_line_words(&a->command, words, &why))
		return 0;
	message("perf0: %s", why.text);
	return STATUS_USAGE;
}

static int attach_to(struct attach *a, const char *device)
{
	const struct frame_sink sink = {on_attach_frame, on_attach_text, on_attach_debris, a};
	int status;

	if (live_open(&a->live, device, &a->options->machine.line, &sink, &a->why)) {
		message("perf0: %s", a->why.text);
		return STATUS_FAILED;
	}
	a->live.stream.max_size = a->options->stream.max_size;
	status = open_stored(a);
	if (!status) {
		a->live.raw = on_raw;
		a->live.raw_ctx = a;
		status = listen_and_save(a);
	}
	status = close_stored(a, status);
	live_close(&a->live);
	return status;
}

int cmd_attach(const struct options *options, const char **words)
{
	static struct attach a;
	int status, brought;

	if (!words[1]) {
		message("perf0: attach: a device is needed; see `perf0 help attach`");
		return STATUS_USAGE;
	}
	a = (struct attach){.options = options};
	a.types = !words[2] && strcmp(words[1], "-") != 0;
	console_init(&a.console, true, recording_to_stdout(&options->output) ? stderr : NULL,
		     recording_to_stdout(&options->output) ? stderr : NULL, NULL);
	bring_begin(&a.bring, &options->program.brings);
	a.crashes.options = &options->program;
	status = read_attach_command(&a, words + 2);
	if (!status)
		status = attach_to(&a, words[1]);
	brought = bring_end(&a.bring);
	sought_end(&a.sought);
	crashes_end(&a.crashes);
	buf_free(&a.command.text);
	buf_free(&a.typing.waiting);
	buf_free(&a.hello);
	programs_free(&a.programs);
	return status ? status : brought;
}
