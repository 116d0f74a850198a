// SPDX-License-Identifier: BSD-2-Clause
/* guest.c - see guest.h. One thread, one poll() loop; time is CLOCK_MONOTONIC in ms. */
#include "tools/guest/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "include/perf0/awaited.h"
#include "include/perf0/events_page.h"
#include "tools/guest/guest_priv.h"
#include "tools/guest/initrd.h"
#include "tools/util/artifact.h"
#include "tools/util/clock.h"
#include "tools/util/message.h"
#include "tools/util/signals.h"
#include "tools/util/status.h"
#include "tools/machine/no_tpm.h"
#include "tools/machine/qemu_version.h"

#define PROGRESS_MS  100
#define READ_BYTES   65536
#define FILE_MOST    UINT32_MAX /* bytes, the limit of fw_cfg */
#define LINE_BYTES   4096       /* bytes of a line that reports on the run */
#define TYPED_BYTES  256        /* keys that are read at once */
#define PIPE_BYTES   (1 << 20)
#define KEY_TO_LEAVE '\x1d' /* ^], as in telnet(1) */

/* --- Output of the guest --- */

/*
 * Shows text of the console. Serial lines end in CR and LF, for terminals; other readers expect LF
 * alone. The guest's own terminal gets the bytes unchanged.
 */
static void show_console(struct guest_run *run, const char *bytes, size_t n)
{
	struct buf lines = {0};

	for (size_t i = 0; i < n; i++) {
		if (run->after_cr && bytes[i] != '\n')
			buf_add(&lines, "\r", 1);
		run->after_cr = bytes[i] == '\r';
		if (!run->after_cr)
			buf_add(&lines, &bytes[i], 1);
	}
	console_text(&run->console, (const char *)lines.data, lines.size, WIRE_TEXT_STDOUT);
	buf_free(&lines);
}

/* Takes vpmu's last lines. The last one tells why vpmu ends the machine; -v shows the others. */
static void take_death(struct guest_run *run, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\r' || bytes[i] == '\n') {
			run->is_line_whole = true;
			continue;
		}
		if (run->is_line_whole)
			run->wrong.size = 0;
		run->is_line_whole = false;
		if (run->wrong.size < LINE_BYTES)
			buf_add(&run->wrong, &bytes[i], 1);
	}
}

static void on_guest_text(void *ctx, enum marks_part part, const char *bytes, size_t n)
{
	struct guest_run *run = ctx;

	if (part == MARKS_DIED)
		take_death(run, bytes, n);
	if (part != MARKS_IMAGE || run->guest->kind == GUEST_COMMAND)
		console_firmware(&run->console, bytes, n);
	else if (run->is_terminal)
		console_text(&run->console, bytes, n, WIRE_TEXT_STDOUT);
	else
		show_console(run, bytes, n);
}

static void on_guest_awaits(void *ctx)
{
	struct guest_run *run = ctx;

	run->awaits = true;
}

/* Handles the guest's start: all messages of vpmu are printed, and later output is the guest's. */
static void on_guest_start(void *ctx)
{
	struct guest_run *run = ctx;

	if (run->guest->kind != GUEST_COMMAND)
		run->has_started = true;
	console_vpmu(&run->console);
	run->console.ntail = 0;
	run->is_typed = run->guest->kind == GUEST_PROGRAM || run->guest->has_own_initrd;
}

static void send_typed(struct guest_run *run)
{
	const ssize_t n = write(run->qemu.to_guest, run->typed.data, run->typed.size);

	if (n <= 0)
		return;
	memmove(run->typed.data, run->typed.data + n, run->typed.size - (size_t)n);
	run->typed.size -= (size_t)n;
}

/* Handles the end of the firmware: saves the machine if needed, and passes vpmu's options. */
static void let_go_on(struct guest_run *run)
{
	static const char byte = AWAITED_BYTE;
	struct reason why;

	run->awaits = false;
	run->goes_on = true;
	if (warm_save(&run->warm, &run->qemu, WARM_FIRMWARE, &why)) {
		console_say(&run->console, "%s", why.text);
		run->end = GUEST_WENT;
		return;
	}
	buf_add(&run->typed, &byte, 1);
	send_typed(run);
}

static void take_guest_said(struct guest_run *run, const void *bytes, size_t n)
{
	marks_add(&run->marks, bytes, n);
	if (run->marks.part == MARKS_ENDED)
		run->end = GUEST_RETURNED;
	if (run->awaits)
		let_go_on(run);
}

static void take_line_bytes(struct guest_run *run)
{
	static char bytes[READ_BYTES];
	const ssize_t n = read(run->qemu.from_guest, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		run->end = GUEST_WENT;
		return;
	}
	if (!run->goes_on)
		warm_said(&run->warm, bytes, (size_t)n);
	take_guest_said(run, bytes, (size_t)n);
}

static void take_said(struct guest_run *run, const char *line)
{
	static const char status[] = INITRD_STATUS, error[] = INITRD_ERROR;

	line = strstr(line, INITRD_SAYS);
	if (!line)
		return;
	line += sizeof(INITRD_SAYS) - 1;
	if (!strcmp(line, INITRD_RUNS)) {
		run->has_started = true;
		run->is_typed = run->guest->kind == GUEST_CONSOLE;
	} else if (!strncmp(line, status, sizeof(status) - 1)) {
		run->status = atoi(line + sizeof(status) - 1) & 0xff;
		run->end = GUEST_TOLD;
	} else if (!strncmp(line, error, sizeof(error) - 1)) {
		buf_printf(&run->wrong, "%s", line + sizeof(error) - 1);
		run->end = GUEST_REFUSED;
	}
}

static void take_says(struct guest_run *run, const char *bytes, size_t n)
{
	for (; n; bytes++, n--) {
		if (*bytes != '\n') {
			if (run->says.size < LINE_BYTES && *bytes)
				buf_add(&run->says, bytes, 1);
			continue;
		}
		take_said(run, buf_text(&run->says));
		run->says.size = 0;
	}
}

/* Returns false if the pipe is empty now. */
static bool take_pipe(struct guest_run *run, enum guest_line line)
{
	static char bytes[READ_BYTES];
	const ssize_t n = read(run->from[line], bytes, sizeof(bytes));

	if (n < 0)
		return errno == EINTR;
	if (!n) {
		close(run->from[line]);
		run->from[line] = -1;
		return false;
	}
	if (line == GUEST_SAYS)
		take_says(run, bytes, (size_t)n);
	else
		console_text(&run->console, bytes, (size_t)n,
			     line == GUEST_OUT ? WIRE_TEXT_STDOUT : WIRE_TEXT_STDERR);
	return true;
}

/* Empties the pipes, which contain all output from before the end. */
static void drain_pipes(struct guest_run *run)
{
	for (int i = GUEST_OUT; i < GUEST_LINES; i++)
		while (run->from[i] >= 0 && take_pipe(run, (enum guest_line)i))
			;
}

static void take_monitor(struct guest_run *run)
{
	ssize_t n;

	do {
		uint8_t bytes[512];

		n = read(run->qemu.qmp.fd, bytes, sizeof(bytes));
		if (n > 0)
			buf_add(&run->events, bytes, (size_t)n);
	} while (n > 0);
}

static void take_guest_signal(struct guest_run *run)
{
	struct signalfd_siginfo info;

	if (read(run->signals, &info, sizeof(info)) != sizeof(info) || info.ssi_signo == SIGUSR2)
		return;
	run->signal = (int)info.ssi_signo;
	run->end = GUEST_KILLED;
}

/* --- Keys --- */

static void take_keys(struct guest_run *run)
{
	char keys[TYPED_BYTES];
	const ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	if (n <= 0) {
		run->is_typed = n < 0 && errno == EINTR;
		return;
	}
	if (isatty(STDIN_FILENO) && memchr(keys, KEY_TO_LEAVE, (size_t)n))
		run->end = GUEST_LEFT;
	buf_add(&run->typed, keys, (size_t)n);
	send_typed(run);
}

/*
 * Makes keys go to the guest at once, which echoes them. ^C goes to a console, but ends a program.
 */
static bool set_guest_keyboard(const struct guest *guest, struct termios *before)
{
	struct termios t;

	if (guest->kind == GUEST_COMMAND || tcgetattr(STDIN_FILENO, before))
		return false;
	t = *before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | (guest->kind == GUEST_CONSOLE ? ISIG : 0));
	t.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	return !tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

/* --- The loop --- */

static void watch_guest_clock(struct guest_run *run)
{
	const uint64_t now = clock_now_ms(), limit = guest_time_limit(run);
	const struct console_progress shown = {.what = run->has_started ? "running" : "booting",
					       .ms = now - run->start};

	if (limit && now - run->start >= limit * 1000)
		run->end = GUEST_TIMED_OUT;
	if (now - run->drawn < PROGRESS_MS ||
	    (run->has_started && run->guest->kind != GUEST_COMMAND))
		return;
	run->drawn = now;
	console_progress(&run->console, &shown);
}

enum { LINE, MESSAGES, SIGNALS, MONITOR, KEYS, TYPED, PIPES, NFDS = PIPES + GUEST_LINES };

static void fill_fds(const struct guest_run *run, struct pollfd fds[NFDS])
{
	fds[LINE] = (struct pollfd){.fd = run->qemu.from_guest, .events = POLLIN};
	fds[MESSAGES] = (struct pollfd){.fd = run->qemu.messages, .events = POLLIN};
	fds[SIGNALS] = (struct pollfd){.fd = run->signals, .events = POLLIN};
	fds[MONITOR] = (struct pollfd){.fd = run->qemu.qmp.fd, .events = POLLIN};
	fds[KEYS] = (struct pollfd){.fd = run->is_typed && !run->typed.size ? STDIN_FILENO : -1,
				    .events = POLLIN};
	fds[TYPED] =
		(struct pollfd){.fd = run->typed.size ? run->qemu.to_guest : -1, .events = POLLOUT};
	for (int i = 0; i < GUEST_LINES; i++)
		fds[PIPES + i] = (struct pollfd){.fd = run->from[i], .events = POLLIN};
}

static void take_ready(struct guest_run *run, const struct pollfd fds[NFDS])
{
	if (fds[MESSAGES].revents & POLLIN)
		qemu_take_messages(&run->qemu, &run->messages);
	if (fds[MONITOR].revents & POLLIN)
		take_monitor(run);
	for (int i = GUEST_SAYS; i < GUEST_LINES; i++)
		if (fds[PIPES + i].revents)
			take_pipe(run, (enum guest_line)i);
	if (fds[LINE].revents)
		take_line_bytes(run);
	if (fds[KEYS].revents)
		take_keys(run);
	if (fds[TYPED].revents)
		send_typed(run);
	if (fds[SIGNALS].revents)
		take_guest_signal(run);
}

static void run_guest_loop(struct guest_run *run)
{
	struct pollfd fds[NFDS];

	while (run->end == GUEST_RUNS) {
		fill_fds(run, fds);
		if (poll(fds, NFDS, PROGRESS_MS) < 0 && errno != EINTR)
			break;
		take_ready(run, fds);
		if (run->end == GUEST_RUNS)
			watch_guest_clock(run);
		if (run->console.failed)
			run->end = GUEST_UNWRITTEN;
	}
	drain_pipes(run);
	qemu_take_messages(&run->qemu, &run->messages);
	take_monitor(run);
	console_wipe(&run->console);
}

/* --- The machine --- */

/* Lets QEMU inherit `fd`, whose whole file it puts into fw_cfg. */
static int pass_file(int fd, const char *name, struct reason *why)
{
	struct stat st;

	if (fstat(fd, &st) || fcntl(fd, F_SETFD, 0))
		return refuse(why, errno, "%s: %s", name, strerror(errno));
	if (st.st_size > 0 && st.st_size <= FILE_MOST)
		return 0;
	return refuse(why, EFBIG, "%s: it has %s", name,
		      st.st_size ? "more than 4 GiB" : "no bytes");
}

static int hand_over_files(struct guest_run *run, struct reason *why)
{
	const struct guest *g = run->guest;
	int err = pass_file(g->program, g->name, why);

	if (!err && g->initrd >= 0)
		err = pass_file(g->initrd, "the initrd", why);
	run->files.program = g->program;
	run->files.initrd = g->initrd;
	return err;
}

static int make_pipe(struct guest_run *run, enum guest_line line, struct reason *why)
{
	int ends[2];

	if (pipe(ends))
		return refuse(why, errno, "pipe: %s", strerror(errno));
	/* Best effort: a small pipe is slower, not wrong. */
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	run->from[line] = ends[0];
	run->files.line[line] = ends[1];
	return 0;
}

/* Writes the options of vpmu and of the guest to a file in memory. */
static int make_options(struct guest_run *run, struct reason *why)
{
	struct buf text = {0};

	guest_load_options(&text, run->guest);
	run->files.options = qemu_keep_options(&text, why);
	buf_free(&text);
	return run->files.options < 0 ? run->files.options : 0;
}

static int prepare_machine(struct guest_run *run, struct reason *why)
{
	struct guest_files *files = &run->files;
	int err = artifact_path(files->vpmu, sizeof(files->vpmu), ARTIFACT_VPMU, why);

	files->firmware = err ? NULL : firmware_find(why);
	if (!files->firmware)
		return -ENOENT;
	err = hand_over_files(run, why);
	if (!err)
		err = make_options(run, why);
	if (!err && run->guest->kind != GUEST_PROGRAM && !run->guest->has_own_initrd)
		err = make_pipe(run, GUEST_SAYS, why);
	for (int i = GUEST_OUT; run->guest->kind == GUEST_COMMAND && i < GUEST_LINES && !err; i++)
		err = make_pipe(run, (enum guest_line)i, why);
	return err;
}

static int describe_guest(struct buf *out, enum warm_level level, const void *machine,
			  struct reason *why)
{
	const struct guest_run *run = machine;

	(void)level;
	return guest_describe(out, run->guest, &run->files, &run->counting, why);
}

/*
 * Starts a machine. A machine that could not be restored must not leave anything to the next one.
 */
static int start_guest(struct qemu *qemu, const void *machine, bool is_restored, struct reason *why)
{
	const struct guest_run *run = machine;
	const struct no_tpm no_tpm =
		no_tpm_device(&run->guest->options->machine, -1, run->counting.fd);
	struct args args = {0};
	int err = counting_reset(&run->counting, why);

	if (!err && run->files.memory.fd >= 0)
		err = memory_clear(&run->files.memory, why);
	if (err)
		return err;
	guest_args(&args, run->guest, &run->files, &run->counting);
	err = qemu_launch(qemu, &args, is_restored ? NULL : &no_tpm,
			  run->guest->options->output.verbose, why);
	qemu_args_free(&args);
	return err;
}

static int launch_guest(struct guest_run *run, struct reason *why)
{
	struct warm_machine started = {
		.options = &run->guest->options->machine,
		.verbose = run->guest->options->output.verbose,
		.tells = &run->console,
		.machine = run,
		.waits[WARM_FIRMWARE] = true,
		.describe = describe_guest,
		.start = start_guest,
		.nmemories = 1,
	};
	struct reason ignored; /* a QEMU that does not answer has died, and is reported elsewhere */
	int err = prepare_machine(run, why);

	warm_create_memory(&run->warm, &run->files.memory, started.options,
			   guest_memory(run->guest));
	started.memories[0] = run->files.memory;
	warm_add_memory(&started, run->counting.fd, EVENTS_PAGE_BYTES, "events");
	if (!err)
		err = warm_start(&run->warm, &run->qemu, &started, why);
	if (!err)
		qmp_begin(&run->qemu.qmp, &ignored);
	return err;
}

static void close_files(struct guest_run *run)
{
	struct guest_files *files = &run->files;

	if (files->options >= 0)
		close(files->options);
	files->options = -1;
	for (int i = 0; i < GUEST_LINES; i++) {
		if (files->line[i] >= 0)
			close(files->line[i]);
		files->line[i] = -1;
	}
}

static int run_guest_machine(struct guest_run *run)
{
	struct reason why;
	int wait_status;

	if (machine_check_host(&run->guest->options->machine, &why)) {
		console_say(&run->console, "%s", why.text);
		return STATUS_MACHINE;
	}
	if (counting_begin(&run->counting, &run->guest->options->machine, &why))
		console_say(&run->console, "events are ratios of instructions and cycles: %s",
			    why.text);
	if (launch_guest(run, &why)) {
		console_say(&run->console, "%s", why.text);
		return STATUS_MACHINE;
	}
	close_files(run);
	if (run->warm.restored)
		take_guest_said(run, run->warm.said.data, run->warm.said.size);
	run_guest_loop(run);
	wait_status = qemu_end(&run->qemu, run->end == GUEST_WENT);
	return guest_report(run, wait_status);
}

static void init_guest_run(struct guest_run *run, const struct guest *guest)
{
	*run = (struct guest_run){
		.guest = guest,
		.files = {.options = -1, .memory.fd = -1},
		.marks = {.text = on_guest_text,
			  .awaits = on_guest_awaits,
			  .started = on_guest_start,
			  .ctx = run},
		.start = clock_now_ms(),
	};
	for (int i = 0; i < GUEST_LINES; i++)
		run->from[i] = run->files.line[i] = -1;
	console_init(&run->console, guest->options->output.verbose, NULL, NULL, NULL);
	/* a terminal belongs to the guest, whose programs edit lines and draw */
	run->is_terminal =
		guest->kind == GUEST_CONSOLE && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (run->is_terminal)
		run->console.programs_shared = false;
}

int guest_run(const struct guest *guest)
{
	static struct guest_run run;
	struct termios keyboard;
	void (*pipe_was)(int);
	bool is_keyboard;
	sigset_t old;
	int status;

	init_guest_run(&run, guest);
	run.signals = signals_open(0, &old);
	pipe_was = signal(SIGPIPE, SIG_IGN);
	is_keyboard = set_guest_keyboard(guest, &keyboard);
	status = run_guest_machine(&run);
	if (is_keyboard)
		tcsetattr(STDIN_FILENO, TCSANOW, &keyboard);
	signal(SIGPIPE, pipe_was);
	signals_close(run.signals, &old);
	close_files(&run);
	counting_end(&run.counting);
	memory_close(&run.files.memory);
	for (int i = 0; i < GUEST_LINES; i++)
		if (run.from[i] >= 0)
			close(run.from[i]);
	warm_end(&run.warm);
	buf_free(&run.says);
	buf_free(&run.wrong);
	buf_free(&run.messages);
	buf_free(&run.typed);
	buf_free(&run.events);
	return status;
}
