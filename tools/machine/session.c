// SPDX-License-Identifier: BSD-2-Clause
/* session.c - see session.h. One thread, one poll() loop; time is CLOCK_MONOTONIC in ms. */
#include "tools/machine/session.h"

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "include/perf0/awaited.h"
#include "include/perf0/events_page.h"
#include "tools/saved/cache.h"
#include "tools/machine/session_priv.h"
#include "tools/util/clock.h"
#include "tools/util/signals.h"
#include "tools/util/status.h"
#include "tools/machine/qemu_version.h"

#define PROGRESS_MS 100
#define STOPS_MS    100 /* wait for a machine that asked for input to stop */
#define ASK_MS      200 /* between two questions about progress */

/* Instructions in a second of the machine: under icount each takes the time of qemu.h. */
#define INSNS_PER_S (1000000000 >> QEMU_ICOUNT_SHIFT)
#define READ_BYTES  65536

static ssize_t write_to_guest(void *ctx, const void *bytes, size_t n, struct reason *why)
{
	struct session *s = ctx;
	const ssize_t done = write(s->qemu.to_guest, bytes, n);

	if (done > 0)
		return done;
	if (errno == EAGAIN || errno == EINTR)
		return -EAGAIN;
	return refuse(why, errno, "the serial line: %s", strerror(errno));
}

static void send_to_guest(struct session *s)
{
	struct reason ignored; /* report_death() has more details */

	if (typing_send(&s->typing, write_to_guest, s, &ignored))
		s->end = GUEST_GONE;
}

static void type_to_session(struct session *s, enum wire_typed what)
{
	typing_key(&s->typing, what);
	send_to_guest(s);
}

/* --- The progress of a run, which only a terminal shows --- */

/* Returns the address where a CPU counts its samples; 0: none, or unknown. */
static uint64_t place_of_samples(const struct session *s, unsigned cpu)
{
	return s->shared.fd >= 0 && cpu < SHARED_SAMPLES_CPUS ? s->shared.samples->address[cpu] : 0;
}

static uint64_t samples_so_far(const struct progress *p)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < SHARED_SAMPLES_CPUS; cpu++)
		sum += p->taken[cpu];
	return sum > p->before ? sum - p->before : 0;
}

/* Notes the start of a line. Samples of earlier lines do not count for it. */
static void note_begin(struct session *s)
{
	struct progress *p = &s->progress;
	int64_t now;

	if (!s->console.has_progress || qmp_begin(&s->qemu.qmp, NULL))
		return;
	for (unsigned cpu = 0; place_of_samples(s, cpu); cpu++)
		qmp_word(&s->qemu.qmp, place_of_samples(s, cpu), &p->taken[cpu]);
	p->before = 0;
	p->before = samples_so_far(p);
	now = qemu_is_exact(&s->options->machine) ? qmp_time(&s->qemu.qmp) : 0;
	p->began = now > 0 ? now : 0;
	p->asks = true;
}

/* Pins the CPUs of a machine with KVM, and begins to read what the host does with them. */
static void begin_kvm(struct session *s)
{
	const struct machine_options *machine = &s->options->machine;
	pid_t threads[KVM_CPUS_MOST];
	struct reason why;
	int n;

	if (machine->accel != ACCEL_KVM)
		return;
	n = qmp_begin(&s->qemu.qmp, &why);
	if (!n)
		n = qmp_threads(&s->qemu.qmp, threads, machine->smp, &why);
	if (n < 0)
		console_say(&s->console, "--kvm: %s", why.text);
	else
		kvm_run_begin(&s->kvm, s->qemu.pid, threads, (unsigned)n, machine->pin);
}

static const char *last_title(const struct session *s)
{
	const struct stream *stream = s->stream;

	return stream->ncommands ? stream->commands[stream->ncommands - 1].line : "";
}

/* Tells what the host did while the command ran, in JSON too if that is the output's form. */
static void end_kvm_command(struct session *s, bool is_whole)
{
	struct kvm_command command;
	struct buf text = {0};

	if (!kvm_command_end(&s->kvm, s->reads, is_whole, &command))
		return;
	kvm_command_tell(&s->kvm, &command, last_title(s), &text);
	for (const char *line = buf_text(&text); *line; line += strcspn(line, "\n") + 1)
		console_say(&s->console, "%.*s", (int)strcspn(line, "\n"), line);
	text.size = 0;
	if (s->files->is_json) {
		kvm_command_json(&s->kvm, &command, last_title(s), &text);
		console_text(&s->console, buf_text(&text), text.size, WIRE_TEXT_OUT);
	}
	buf_free(&text);
}

static void follow_kvm_command(struct session *s, const struct frame *frame)
{
	if (frame->type == WIRE_BEGIN)
		kvm_command_begin(&s->kvm, s->reads);
	if (frame->type == WIRE_RESULT)
		end_kvm_command(s, true);
}

static void end_kvm(struct session *s)
{
	end_kvm_command(s, false);
	kvm_run_end(&s->kvm);
}

#define STATE_QUESTION UINT_MAX

static void take_told_time(struct session *s)
{
	const int64_t now = qmp_told_time(&s->qemu.qmp);

	if (now > s->progress.began)
		s->progress.passed = now - s->progress.began;
}

static void take_answer_about(struct session *s, unsigned question)
{
	uint64_t word;

	if (!question)
		take_told_time(s);
	else if (!qmp_told_word(&s->qemu.qmp, &word))
		s->progress.taken[question - 1] = word;
}

static void ask_about(struct session *s, unsigned question)
{
	if (question)
		qmp_ask_word(&s->qemu.qmp, place_of_samples(s, question - 1));
	else if (s->progress.began)
		qmp_ask_time(&s->qemu.qmp);
}

/*
 * Asks QEMU about the progress. A late answer is not waited for, but it delays the next question.
 */
static void ask_how_far(struct session *s, uint64_t now)
{
	struct progress *p = &s->progress;

	if (s->qemu.qmp.asked && p->question != STATE_QUESTION)
		take_answer_about(s, p->question);
	if (s->qemu.qmp.asked || now - p->asked < ASK_MS)
		return;
	p->asked = now;
	p->question = p->question != STATE_QUESTION && place_of_samples(s, p->question)
			      ? p->question + 1
			      : 0;
	ask_about(s, p->question);
}

/* Saves the waiting machine if needed; false: it is gone. */
static bool save_waiting(struct session *s, enum warm_level level)
{
	struct reason why;

	if (!warm_save(&s->warm, &s->qemu, level, &why))
		return true;
	console_say(&s->console, "%s", why.text);
	s->end = GUEST_GONE;
	return false;
}

/* Handles the end of the firmware's start. A machine that says so twice is not saved again. */
static void give_options(struct session *s)
{
	static const char byte = AWAITED_BYTE;

	if (s->has_options)
		return;
	s->has_options = true;
	if (!save_waiting(s, WARM_FIRMWARE))
		return;
	typing_add(&s->typing, &byte, 1);
	send_to_guest(s);
}

/* Handles the end of the image's start. */
static void give_commands(struct session *s)
{
	s->has_options = s->commanded = true;
	if (!save_waiting(s, WARM_IMAGE))
		return;
	if (s->only_saves) {
		s->end = IS_SAVED;
		return;
	}
	if (!s->stays)
		begin_kvm(s);
	note_begin(s);
	type_to_session(s, WIRE_TYPED_START);
}

/* Saves a machine that waits, if needed, and gives it its options or commands. */
static void answer_wait(struct session *s)
{
	const enum warm_level level = s->waits;

	s->waits = WARM_NONE;
	if (s->end != RUNNING)
		return;
	if (level == WARM_FIRMWARE)
		give_options(s);
	if (level == WARM_IMAGE)
		give_commands(s);
}

/*
 * Returns whether the command to end by ^C has begun. Before that, the machine would take ^C as
 * typed at the prompt.
 */
static bool listens(const struct session *s)
{
	return !s->stays || s->stream->ncommands;
}

static void ask_to_end(struct session *s)
{
	if (s->uploads) {
		s->end = NOT_SENT;
		return;
	}
	s->asked = s->last_byte = clock_now_ms();
	if (listens(s))
		type_to_session(s, WIRE_TYPED_INTERRUPT);
}

static void type_line_of_session(struct session *s)
{
	begin_kvm(s);
	note_begin(s);
	typed_line_send(&s->line, &s->typing, s->stream);
}

/* --- Programs in the line of a machine that stays --- */

static void begin_uploads(struct session *s)
{
	s->uploads = true;
	upload_begin(&s->upload, s->options->machine.programs,
		     s->shared.fd >= 0 ? s->shared.in : NULL, clock_now_ms());
}

static void end_uploads(struct session *s)
{
	char text[UPLOAD_TEXT];

	s->uploads = false;
	upload_end(&s->upload);
	if (s->upload.state == UPLOAD_FAILED) {
		s->end = NOT_SENT;
		return;
	}
	upload_tell_end(&s->upload, clock_now_ms(), text, sizeof(text));
	if (s->options->output.verbose)
		console_say(&s->console, "%s", text);
	type_line_of_session(s);
}

static void type_uploads(struct session *s)
{
	upload_type(&s->upload, clock_now_ms(), &s->typing);
	if (upload_is_over(&s->upload))
		end_uploads(s);
}

/* Ends an interrupted upload. The last key takes the machine out of an incomplete frame. */
static void leave_uploads(struct session *s)
{
	s->uploads = false;
	upload_end(&s->upload);
	s->typing.waiting.size = 0;
	typing_key(&s->typing, WIRE_TYPED_END);
}

/* --- Frames --- */

static void keep_frame(struct session *s, const struct frame *frame)
{
	static const enum wire_type kept[KEPT_FRAMES] = {WIRE_HELLO, WIRE_CPUS};

	for (int i = 0; i < KEPT_FRAMES; i++) {
		if (frame->type != kept[i])
			continue;
		s->kept[i].type = kept[i];
		s->kept[i].payload.size = 0;
		buf_add(&s->kept[i].payload, frame->payload, frame->length);
	}
}

static void give_kept_frames(struct session *s)
{
	for (int i = 0; i < KEPT_FRAMES; i++) {
		const struct buf *payload = &s->kept[i].payload;
		const struct frame frame = {.type = (uint8_t)s->kept[i].type,
					    .stream = WIRE_STREAM_MAIN,
					    .length = (uint16_t)payload->size,
					    .payload = payload->data};

		if (payload->size)
			stream_frame(s->stream, &frame);
	}
}

/*
 * Shows text, but not the prompt and echo of a machine that stays: they are no output of a command.
 */
static void show_text(struct session *s, const struct frame *frame)
{
	const char *text;
	size_t n;
	int kind = stream_text(frame, &text, &n);

	if (kind == WIRE_TEXT_ERR || (kind && (s->runs || !s->stays)))
		console_text(&s->console, text, n, (enum wire_text_kind)kind);
}

static void watch_for_prompt(struct session *s, const struct frame *frame)
{
	keep_frame(s, frame);
	typed_line_frame(&s->line, frame);
	if (!s->line.at_prompt)
		return;
	if (!s->line.text.size || typed_line_is_done(&s->line, s->stream))
		s->end = PROMPTS;
}

static void on_session_frame(void *ctx, const struct frame *frame)
{
	struct session *s = ctx;

	stream_frame(s->stream, frame);
	if (frame->type == WIRE_AWAIT)
		s->waits = WARM_IMAGE;
	if (s->stays && frame->type == WIRE_BEGIN)
		s->limited = clock_now_ms();
	s->runs = frame->type == WIRE_BEGIN || (s->runs && frame->type != WIRE_RESULT);
	/* repeats a request that came before the image listened */
	if (frame->type == (s->stays ? WIRE_BEGIN : WIRE_HELLO) && s->asked)
		ask_to_end(s);
	if (frame->type == WIRE_HELLO)
		console_vpmu(&s->console);
	if (frame->type == WIRE_TEXT)
		show_text(s, frame);
	follow_kvm_command(s, frame);
	bring_frame(&s->bring, frame);
	input_frame(&s->input, frame);
	solver_frame(&s->solver, frame);
	sought_frame(&s->sought, frame);
	crashes_frame(&s->crashes, frame);
	if (s->uploads)
		upload_answer(&s->upload, clock_now_ms(), frame);
	if (s->stream->has_bye)
		s->end = SAID_BYE;
	if (s->stays)
		watch_for_prompt(s, frame);
}

static void on_session_text(void *ctx, const void *text, size_t n)
{
	struct session *s = ctx;

	if (s->stream->has_hello)
		console_stray(&s->console, text, n);
	else
		marks_add(&s->marks, text, n);
}

static void on_session_early_text(void *ctx, enum marks_part part, const char *text, size_t n)
{
	struct session *s = ctx;

	(void)part;
	console_firmware(&s->console, text, n);
	if (console_starts_nothing(&s->console))
		s->end = NOTHING_STARTS;
}

static void on_vpmu_awaits(void *ctx)
{
	struct session *s = ctx;

	s->waits = WARM_FIRMWARE;
}

/* The image says HELLO when it has started. */
static void ignore_mark(void *ctx)
{
	(void)ctx;
}

static void on_session_debris(void *ctx, const void *bytes, size_t n)
{
	struct session *s = ctx;

	console_debris(&s->console, bytes, n);
}

static void take_said(struct session *s, const void *bytes, size_t n)
{
	s->last_byte = clock_now_ms();
	if (s->files->raw)
		fwrite(bytes, 1, n, s->files->raw);
	if (s->stream->has_hello)
		s->received += n;
	frame_reader_feed(&s->reader, bytes, n);
	if (s->console.failed)
		s->end = OUTPUT_FAILED;
}

static void take_now(struct session *s, const void *bytes, size_t n)
{
	if (!s->commanded)
		warm_said(&s->warm, bytes, n);
	take_said(s, bytes, n);
}

static void take_session_signal(struct session *s);
static void watch_session_clock(struct session *s);

/* Looks at the clock and at signals, which a guest that rings without end must not hide. */
static void look_up_from_ring(struct session *s, size_t taken)
{
	struct pollfd signals = {.fd = s->signals, .events = POLLIN};

	s->unwatched += taken;
	if (s->unwatched < s->shared.out.size)
		return;
	s->unwatched = 0;
	if (s->end == RUNNING && poll(&signals, 1, 0) > 0)
		take_session_signal(s);
	if (s->end == RUNNING)
		watch_session_clock(s);
	s->floods = s->end != RUNNING;
}

/* Takes at most one ring full, which includes all bytes whose bell has rung. */
static void take_from_ring(struct session *s)
{
	struct shared_ring_reader *out = &s->shared.out;
	const uint8_t *bytes;
	size_t n, taken = 0;

	while (taken < out->size && (n = shared_ring_peek(out, &bytes))) {
		take_now(s, bytes, n);
		shared_ring_take(out, n);
		taken += n;
	}
	if (shared_ring_is_wanted(out))
		type_to_session(s, WIRE_TYPED_EMPTY);
	look_up_from_ring(s, taken);
}

/* Removes the bells from the serial bytes. Text may precede and follow them. */
static void take_serial_bytes(struct session *s, const uint8_t *bytes, size_t n)
{
	const uint8_t *end = bytes + n, *bell;

	while (s->shared.fd >= 0 && !s->floods &&
	       (bell = memchr(bytes, WIRE_BELL, (size_t)(end - bytes)))) {
		if (bell != bytes)
			take_now(s, bytes, (size_t)(bell - bytes));
		take_from_ring(s);
		bytes = bell + 1;
	}
	if (bytes != end && !s->floods)
		take_now(s, bytes, (size_t)(end - bytes));
}

/* Takes the last bytes of a machine that ended without ringing a bell for them. */
static void take_last(struct session *s)
{
	if (s->shared.fd >= 0)
		take_from_ring(s);
	if (s->end == RUNNING)
		s->end = GUEST_GONE;
}

static void take_guest_bytes(struct session *s)
{
	static uint8_t bytes[READ_BYTES];
	ssize_t n = read(s->qemu.from_guest, bytes, sizeof(bytes));

	s->reads++;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		take_last(s);
		return;
	}
	take_serial_bytes(s, bytes, (size_t)n);
	answer_wait(s);
}

/*
 * Returns whether the image can end gently. A machine that stays has nothing to end without a line.
 */
static bool is_asked_first(const struct session *s, int signal)
{
	return s->stays ? s->line.text.size : signal == SIGINT || s->stream->has_hello;
}

/*
 * Handles a signal. SIGUSR2 asks for a snapshot, which some images ignore. The first other signal
 * asks the image to end the workload, so that its counts are not lost. The second one ends the run,
 * as does the first other than SIGINT before the image runs.
 */
static void take_session_signal(struct session *s)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR2) {
		if (s->stream->has_hello)
			type_to_session(s, WIRE_TYPED_SNAPSHOT);
		return;
	}
	if (!s->signal && is_asked_first(s, (int)info.ssi_signo)) {
		s->signal = (int)info.ssi_signo;
		ask_to_end(s);
		return;
	}
	s->signal = (int)info.ssi_signo;
	s->end = KILLED_SIGNAL;
}

static void watch_session_clock(struct session *s)
{
	uint64_t now = clock_now_ms();

	if (!s->asked) {
		if (!session_time_limit(s) ||
		    now - s->limited < (uint64_t)session_time_limit(s) * 1000)
			return;
		s->timed_out = true;
		ask_to_end(s);
	} else if (now - s->last_byte >= GRACE_MS || now - s->asked >= GRACE_MAX_MS) {
		s->end = s->timed_out ? KILLED_TIMEOUT : KILLED_SIGNAL;
	}
}

static void show_uploads(struct session *s, uint64_t now)
{
	char text[UPLOAD_TEXT];

	upload_tell(&s->upload, now, text, sizeof(text));
	console_status(&s->console, "%s", text);
}

/* Adds the steps of a command that works in steps. The rate counts from the first finished step. */
static void add_steps(struct session *s, uint64_t now, struct console_progress *shown)
{
	struct progress *p = &s->progress;

	if (s->shared.fd < 0 || !s->shared.steps)
		return;
	shown->done = s->shared.steps->done;
	shown->steps = s->shared.steps->all;
	if (!shown->steps || shown->done < p->first_step || !p->steps_since) {
		p->first_step = shown->done;
		p->steps_since = shown->steps ? now : 0;
	} else if (shown->done > p->first_step && shown->done < shown->steps) {
		shown->left_ms = (now - p->steps_since) * (shown->steps - shown->done) /
				 (shown->done - p->first_step);
	}
}

#define STATE_MS 1000 /* of silence until QEMU is asked, and between two questions */

/* True once QEMU has greeted: qmp_begin() would wait for that. */
static bool has_greeted(const struct qmp *qmp)
{
	struct pollfd greeting = {.fd = qmp->fd, .events = POLLIN};

	return qmp->begun || (poll(&greeting, 1, 0) > 0 && greeting.revents & POLLIN);
}

/*
 * Asks QEMU for the machine's state while it is silent. QEMU stops a machine that it cannot run any
 * further, and stays: KVM does so after an internal error.
 */
static void watch_machine_state(struct session *s)
{
	const uint64_t now = clock_now_ms();
	struct qmp *qmp = &s->qemu.qmp;

	if (qmp->asked && s->progress.question == STATE_QUESTION &&
	    qmp_told_failure(qmp, s->stopped) > 0)
		s->end = MACHINE_STOPPED;
	if (qmp->asked || now - s->start < STATE_MS || now - s->last_byte < STATE_MS ||
	    now - s->state_asked < STATE_MS || !has_greeted(qmp) || qmp_begin(qmp, NULL))
		return;
	s->state_asked = now;
	s->progress.question = STATE_QUESTION;
	qmp_ask_state(qmp);
}

static void show_session_progress(struct session *s)
{
	uint64_t now = clock_now_ms();
	struct console_progress shown;
	const char *what = !s->commanded ? "booting" : s->asked ? "ending" : "running";

	if (now - s->drawn < PROGRESS_MS)
		return;
	s->drawn = now;
	if (s->uploads) {
		show_uploads(s, now);
		return;
	}
	if (s->progress.asks)
		ask_how_far(s, now);
	shown = (struct console_progress){
		.what = what,
		.ms = now - s->start,
		.insns = (uint64_t)s->progress.passed * INSNS_PER_S,
		.samples = samples_so_far(&s->progress),
		.bytes = s->received,
	};
	add_steps(s, now, &shown);
	console_progress(&s->console, &shown);
}

/* The cache keeps shares like a machine: its state is the solution. */
static bool load_shares(const char *key, struct fair_solution *solution)
{
	struct cache_file file;
	struct reason ignored;
	bool is_whole;

	if (cache_open(&file, key, &ignored))
		return false;
	is_whole = file.state_bytes == sizeof(*solution) && cache_read(&file);
	if (is_whole)
		memcpy(solution, file.state, sizeof(*solution));
	cache_close(&file);
	return is_whole;
}

static void save_shares(const char *key, const struct fair_solution *solution)
{
	const struct buf none = {0};
	struct cache_file file;
	struct reason ignored;

	if (cache_create(&file, key, &none, &ignored))
		return;
	if (write(file.fd, solution, sizeof(*solution)) == sizeof(*solution))
		cache_keep(&file, key, &ignored);
	cache_close(&file);
}

static const struct solver_store shares_cache = {load_shares, save_shares};

/* Returns whether the machine waits for an answer that is complete. */
static bool can_answer(const struct session *s)
{
	return s->solver.is_wanted ||
	       (s->input.is_wanted && (s->asked || input_is_ready(&s->input)));
}

/*
 * Answers a machine that asked for input, or for shares. The machine stops itself after its
 * question, perhaps later. A machine that runs on is tried again: waiting here would delay the
 * timeout and signals.
 */
static void answer_question(struct session *s)
{
	struct qmp *qmp = &s->qemu.qmp;
	struct reason why;
	int err;

	if (s->shared.fd < 0 || !can_answer(s))
		return;
	err = qmp_begin(qmp, &why);
	if (!err)
		err = qmp_await_stopped(qmp, STOPS_MS, &why);
	if (err == -EAGAIN)
		return;
	if (err) {
		console_say(&s->console, "%s", why.text);
		s->end = GUEST_GONE;
		return;
	}
	if (s->solver.is_wanted)
		solver_answer(&s->solver, (struct fair_exchange *)s->shared.in, &shares_cache);
	else
		input_answer(&s->input, s->shared.in, s->asked);
	if (qmp_go_on(qmp, &why))
		s->end = GUEST_GONE;
}

static void run_session_loop(struct session *s)
{
	enum { GUEST, MESSAGES, SIGNALS, TYPED, INPUT, N };
	struct pollfd fds[N] = {
		[TYPED] = {.events = POLLOUT},
		[GUEST] = {.fd = s->qemu.from_guest, .events = POLLIN},
		[MESSAGES] = {.fd = s->qemu.messages, .events = POLLIN},
		[SIGNALS] = {.fd = s->signals, .events = POLLIN},
		[INPUT] = {.events = POLLIN},
	};

	while (s->end == RUNNING) {
		if (s->uploads)
			type_uploads(s);
		fds[TYPED].fd = s->typing.waiting.size ? s->qemu.to_guest : -1;
		fds[INPUT].fd = input_fd(&s->input);
		if (poll(fds, N, PROGRESS_MS) < 0 && errno != EINTR)
			break;
		if (fds[MESSAGES].revents & POLLIN)
			qemu_take_messages(&s->qemu, &s->messages);
		else if (fds[MESSAGES].revents)
			fds[MESSAGES].fd = -1;
		if (fds[GUEST].revents)
			take_guest_bytes(s);
		if (fds[SIGNALS].revents)
			take_session_signal(s);
		if (fds[TYPED].revents && s->end == RUNNING)
			send_to_guest(s);
		if (fds[INPUT].revents)
			input_take(&s->input);
		if (s->end == RUNNING)
			answer_question(s);
		if (s->end == RUNNING) {
			watch_session_clock(s);
			watch_machine_state(s);
			show_session_progress(s);
		}
	}
	if (s->uploads)
		leave_uploads(s);
	console_wipe(&s->console);
}

static int describe_machine(struct buf *out, enum warm_level level, const void *machine,
			    struct reason *why)
{
	return level == WARM_FIRMWARE ? qemu_describe_firmware(out, machine, why)
				      : qemu_describe(out, machine, why);
}

static int start_qemu(struct qemu *qemu, const void *machine, bool is_restored, struct reason *why)
{
	return qemu_start(qemu, machine, is_restored, why);
}

static int start_machine(struct session *s, const char *command_line, struct reason *why)
{
	const struct qemu_machine machine = {
		.options = &s->options->machine,
		.commands = command_line,
		.shared = s->shared.fd >= 0 ? &s->shared : NULL,
		.counting = &s->counting,
		.memory = &s->memory,
		.verbose = s->options->output.verbose,
	};
	struct warm_machine started = {
		.options = &s->options->machine,
		.verbose = s->options->output.verbose,
		.tells = &s->console,
		.machine = &machine,
		.waits = {[WARM_FIRMWARE] = qemu_awaits_options(&s->options->machine),
			  [WARM_IMAGE] = true},
		.describe = describe_machine,
		.start = start_qemu,
		.memories = {s->memory},
		.nmemories = 1,
	};
	int err;

	warm_add_memory(&started, s->shared.fd, SHARED_BYTES, "shared");
	warm_add_memory(&started, s->counting.fd, EVENTS_PAGE_BYTES, "events");
	err = warm_start(&s->warm, &s->qemu, &started, why);

	if (!err && machine.shared)
		shared_open(&s->shared);
	return err;
}

/* Takes the output that a machine wrote before it was saved. */
static void take_said_before(struct session *s)
{
	take_said(s, s->warm.said.data, s->warm.said.size);
	answer_wait(s);
}

/* Ignores a failure: a QEMU that takes no commands has ended, and its serial line ends, too. */
static void ask_qemu(struct session *s, int (*ask)(struct qmp *qmp, struct reason *why))
{
	struct reason ignored;

	if (!qmp_begin(&s->qemu.qmp, &ignored))
		ask(&s->qemu.qmp, &ignored);
}

/*
 * Waits for the end or a prompt. A machine that does not prompt is ended. A machine that prompts is
 * stopped: without -icount's sleep an idle machine runs from timer to timer at full speed.
 */
static int run_until_end(struct session *s)
{
	int wait_status = 0;

	run_session_loop(s);
	end_kvm(s);
	if (s->end == PROMPTS || s->end == NOT_SENT) {
		ask_qemu(s, qmp_stop);
	} else {
		wait_status = qemu_end(&s->qemu, s->end == GUEST_GONE);
		s->is_up = false;
		frame_reader_end(&s->reader);
	}
	return s->end == PROMPTS && !s->line.text.size ? 0 : session_report(s, wait_status);
}

/* Checks the shell's `ulimit -f`, because the memory that QEMU shares is in files. */
static int check_file_limit(const struct session *s, struct reason *why)
{
	const rlim_t least = s->options->machine.serial ? EVENTS_PAGE_BYTES : SHARED_BYTES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= least)
		return 0;
	return refuse(why, EFBIG,
		      "a file may have %llu KiB by `ulimit -f` (RLIMIT_FSIZE), and memory that the "
		      "machine shares is a file of %llu KiB",
		      (unsigned long long)limit.rlim_cur >> 10, (unsigned long long)least >> 10);
}

static int check_pin(const struct session *s, struct reason *why)
{
	const struct machine_options *machine = &s->options->machine;
	unsigned cpus[KVM_CPUS_MOST];
	struct reason what;

	if (!machine->pin || !host_cpus_choose(machine->pin, machine->smp, cpus, &what))
		return 0;
	return refuse(why, EINVAL, "--pin %s: %s", machine->pin, what.text);
}

static int run_machine(struct session *s, const char *command_line)
{
	const struct frame_sink sink = {on_session_frame, on_session_text, on_session_debris, s};
	struct reason why;

	frame_reader_init(&s->reader, &sink);
	s->marks = (struct marks){.text = on_session_early_text,
				  .awaits = on_vpmu_awaits,
				  .started = ignore_mark,
				  .ctx = s};
	s->shared.fd = s->memory.fd = -1;
	if (check_pin(s, &why)) {
		console_say(&s->console, "%s", why.text);
		return STATUS_USAGE;
	}
	if (check_file_limit(s, &why)) {
		console_say(&s->console, "%s", why.text);
		return STATUS_FAILED;
	}
	if (machine_check_host(&s->options->machine, &why)) {
		console_say(&s->console, "%s", why.text);
		return STATUS_MACHINE;
	}
	if (counting_begin(&s->counting, &s->options->machine, &why))
		console_say(&s->console, "events are ratios of instructions and cycles: %s",
			    why.text);
	warm_create_memory(&s->warm, &s->memory, &s->options->machine,
			   qemu_memory(&s->options->machine));
	if ((!s->options->machine.serial && shared_create(&s->shared, &why)) ||
	    start_machine(s, command_line, &why)) {
		console_say(&s->console, "%s", why.text);
		return STATUS_MACHINE;
	}
	s->is_up = true;
	if (s->warm.restored)
		take_said_before(s);
	return run_until_end(s);
}

static int type_and_run(struct session *s, const char *line)
{
	s->line.text.size = 0;
	buf_printf(&s->line.text, "%s", line);
	s->reader.stats = (struct frame_stats){0};
	give_kept_frames(s);
	ask_qemu(s, qmp_go_on);
	if (s->options->machine.programs && s->options->machine.programs->n)
		begin_uploads(s);
	else
		type_line_of_session(s);
	return run_until_end(s);
}

/* Resets the state of one run, or of one line. */
static void begin_run(struct session *s, const struct options *options,
		      const struct session_files *files, struct stream *stream)
{
	s->options = options;
	s->files = files;
	s->stream = stream;
	s->end = RUNNING;
	s->signal = 0;
	s->timed_out = s->floods = false;
	s->asked = s->received = s->messages.size = 0;
	s->progress = (struct progress){0};
	s->start = s->limited = s->last_byte = clock_now_ms();
	console_init(&s->console, options->output.verbose, files->out, files->programs,
		     files->text);
	s->console.tells_lines = options->output.tells_progress;
	if (files->errors)
		s->console.errors = files->errors;
	bring_begin(&s->bring, &options->program.brings);
	input_begin(&s->input);
	s->crashes = (struct crashes){.options = &options->program};
}

static int run_session(struct session *s, int (*run)(struct session *s, const char *commands),
		       const char *commands)
{
	void (*pipe_was)(int);
	sigset_t old;
	int status, brought;

	s->signals = signals_open(0, &old);
	pipe_was = signal(SIGPIPE, SIG_IGN);
	status = run(s, commands);
	signal(SIGPIPE, pipe_was);
	signals_close(s->signals, &old);
	brought = bring_end(&s->bring);
	input_end(&s->input);
	sought_end(&s->sought);
	crashes_end(&s->crashes);
	return status ? status : brought;
}

static void free_session(struct session *s)
{
	warm_end(&s->warm);
	shared_end(&s->shared);
	counting_end(&s->counting);
	memory_close(&s->memory);
	buf_free(&s->messages);
	buf_free(&s->typing.waiting);
	buf_free(&s->line.text);
	for (int i = 0; i < KEPT_FRAMES; i++)
		buf_free(&s->kept[i].payload);
}

int session_run(const struct options *options, const char *command_line,
		const struct session_files *files, struct stream *stream)
{
	static struct session session;
	int status;

	session = (struct session){0};
	begin_run(&session, options, files, stream);
	status = run_session(&session, run_machine, command_line);
	free_session(&session);
	return status;
}

static const struct session_files no_files;

int session_save(const struct options *options)
{
	static struct session session;
	struct stream stream;
	int status;

	stream_init(&stream);
	session = (struct session){.only_saves = true};
	begin_run(&session, options, &no_files, &stream);
	status = run_session(&session, run_machine, "");
	free_session(&session);
	stream_free(&stream);
	return status;
}

int session_key(const struct machine_options *options, char key[CACHE_KEY_MAX], struct reason *why)
{
	struct shared shared = {.fd = -1};
	struct counting counting;
	struct qemu_machine machine = {.options = options, .commands = "", .counting = &counting};
	struct reason ignored;
	struct buf text = {0};
	int err;

	counting_begin(&counting, options, &ignored);
	err = options->serial ? 0 : shared_create(&shared, why);
	if (!err) {
		machine.shared = shared.fd >= 0 ? &shared : NULL;
		err = qemu_describe(&text, &machine, why);
	}
	if (!err)
		cache_key(key, buf_text(&text));
	buf_free(&text);
	shared_end(&shared);
	counting_end(&counting);
	return err;
}

/* --- A machine that stays --- */

int session_open(struct session **out, const struct options *options)
{
	struct session *s = calloc(1, sizeof(*s));
	struct stream stream;
	int status;

	if (!s)
		errx(STATUS_MACHINE, "out of memory");
	s->stays = true;
	stream_init(&stream);
	begin_run(s, options, &no_files, &stream);
	status = run_session(s, run_machine, "");
	stream_free(&stream);
	*out = s;
	if (s->is_up)
		return 0;
	session_close(s);
	*out = NULL;
	return status;
}

int session_line(struct session *s, const struct options *options, const char *line,
		 const struct session_files *files, struct stream *stream)
{
	begin_run(s, options, files, stream);
	return run_session(s, type_and_run, line);
}

/* Returns whether the machine is alive. A machine that died has closed its line. */
bool session_is_up(const struct session *s)
{
	struct pollfd line = {.fd = s->qemu.from_guest};

	return s->is_up && poll(&line, 1, 0) >= 0 && !(line.revents & (POLLHUP | POLLERR));
}

void session_close(struct session *s)
{
	if (s->is_up)
		qemu_end(&s->qemu, false);
	free_session(s);
	free(s);
}
