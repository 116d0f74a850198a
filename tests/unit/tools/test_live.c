// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_live.c - listening to a stream through a pseudo-terminal, a socket and a pipe, from its
 * beginning and from its middle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"
#include "tools/stream/live.h"

#define NSAMPLES 60000

static struct {
	unsigned frames, texts, debris;
} seen;

static void count_frame(void *ctx, const struct frame *frame)
{
	(void)ctx;
	(void)frame;
	seen.frames++;
}

static void count_text(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	seen.texts++;
}

static void on_debris(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	seen.debris++;
}

static const struct frame_sink sink = {count_frame, count_text, on_debris, NULL};
static const struct live_line plain = {0};

static void write_all(int fd, const uint8_t *at, size_t n)
{
	while (n) {
		ssize_t done = write(fd, at, n);

		assert_true(done > 0);
		at += done;
		n -= (size_t)done;
	}
}

/* A child process writes the stream from `from` on, and ends. */
static pid_t feed(int fd, const struct synth *s, size_t from)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		write_all(fd, s->out.data + from, s->out.size - from);
		_exit(0);
	}
	close(fd);
	return pid;
}

static void read_to_end(struct live *live)
{
	struct reason why;
	int n;

	for (;;) {
		struct pollfd fd = {.fd = live_fd(live), .events = POLLIN};

		assert_int_equal(poll(&fd, 1, 20000), 1);
		n = live_read(live, &why);
		assert_true(n >= 0 || n == -EAGAIN);
		if (!n)
			return;
	}
}

static size_t count_samples(const struct stream_command *command)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	size_t n = 0;

	while ((record = stream_next_record(command, &cursor)))
		n += record->type == PERF_RECORD_SAMPLE;
	stream_cursor_free(&cursor);
	return n;
}

TEST(through_a_pipe)
{
	struct synth s = synth_recording(NSAMPLES);
	static struct live live;
	struct reason why;
	char path[32];
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	assert_int_equal(live_open(&live, path, &plain, &sink, &why), 0);
	close(fds[0]);
	feed(fds[1], &s, 0);
	read_to_end(&live);
	assert_int_equal(stream_check(&live.stream, &live.reader.stats, &why), 0);
	assert_int_equal(count_samples(&live.stream.commands[0]), NSAMPLES);
	assert_int_equal(live.bytes, s.out.size);
	assert_int_equal(live_write(&live, "x", 1, &why), -EBADF);
	live_close(&live);
	buf_free(&s.out);
}

/* A listener in the middle joins at the next KEY. Bytes before it are no damage. Missing samples
 * are counted. */
TEST(from_the_middle)
{
	struct synth s = synth_recording(NSAMPLES);
	static struct live live;
	const struct stream_command *command;
	struct reason why;
	char path[32];
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	assert_int_equal(live_open(&live, path, &plain, &sink, &why), 0);
	close(fds[0]);
	feed(fds[1], &s, s.out.size / 3);
	read_to_end(&live);
	assert_true(live.stream.has_hello);
	assert_int_equal(live.stream.malformed.frames, 0);
	assert_int_equal(live.stream.ncommands, 1);
	assert_int_equal(live.reader.stats.missing, 0);
	command = &live.stream.commands[0];
	assert_true(command->samples > NSAMPLES / 3 && command->samples < NSAMPLES);
	assert_int_equal(command->samples + command->lost, NSAMPLES);
	assert_int_equal(count_samples(command), command->samples);
	live_close(&live);
	buf_free(&s.out);
}

TEST(through_a_socket)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct synth s = synth_recording(NSAMPLES);
	const struct live_line xonxoff = {.flow = LIVE_FLOW_XONXOFF};
	static struct live live;
	struct reason why;
	int listener, fd;
	char byte;

	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/test_live.%d", getpid());
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(live_open(&live, address.sun_path, &xonxoff, &sink, &why), 0);
	fd = accept(listener, NULL, NULL);
	/* An earlier listener may have stopped the sender. */
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(byte, 0x11);
	live_stop(&live);
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(byte, 0x13);
	live_go(&live);
	assert_int_equal(live_write(&live, "help\r", 5, &why), 0);
	feed(fd, &s, 0);
	read_to_end(&live);
	assert_int_equal(stream_check(&live.stream, &live.reader.stats, &why), 0);
	live_close(&live);
	close(listener);
	unlink(address.sun_path);
	buf_free(&s.out);
}

static void feed_text(struct live *live, int fd, const char *text)
{
	struct reason why;

	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_true(live_read(live, &why) > 0);
}

/* The rest of a frame that an earlier listener left may contain any bytes. */
TEST(held_by_the_sender_alone)
{
	struct synth s = synth_recording(1);
	const struct live_line xonxoff = {.flow = LIVE_FLOW_XONXOFF};
	static struct live live;
	struct reason why;
	int pair[2];
	char path[32];

	assert_int_equal(pipe(pair), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", pair[0]);
	assert_int_equal(live_open(&live, path, &xonxoff, &sink, &why), 0);
	feed_text(&live, pair[1], "rest \023 of a frame\r\n");
	assert_true(live_may_write(&live));
	assert_int_equal(write(pair[1], s.out.data, s.out.size), (ssize_t)s.out.size);
	assert_true(live_read(&live, &why) > 0);
	feed_text(&live, pair[1], "stop \023\r\n");
	assert_false(live_may_write(&live));
	feed_text(&live, pair[1], "go \021\r\n");
	assert_true(live_may_write(&live));
	live_close(&live);
	close(pair[0]);
	close(pair[1]);
	buf_free(&s.out);
}

/* Every byte value passes through a terminal unchanged, and the terminal's settings are restored.
 */
TEST(through_a_terminal)
{
	const struct live_line line = {.baud = 57600}, bad = {.baud = 1234};
	struct synth s = synth_recording(NSAMPLES);
	struct termios before, during, after;
	static struct live live;
	struct reason why;
	int pty = posix_openpt(O_RDWR | O_NOCTTY), slave;
	const char *path = NULL;

	if (pty < 0 || grantpt(pty) || unlockpt(pty) || !(path = ptsname(pty)) ||
	    access(path, F_OK)) {
		printf("skip - test_live: no pseudo-terminals here (/dev/ptmx: %s)\n",
		       strerror(errno));
		buf_free(&s.out);
		skip();
	}
	slave = open(path, O_RDWR | O_NOCTTY);
	assert_int_equal(tcgetattr(slave, &before), 0);
	assert_int_equal(live_open(&live, path, &bad, &sink, &why), -EINVAL);
	assert_int_equal(live_open(&live, path, &line, &sink, &why), 0);
	assert_int_equal(tcgetattr(slave, &during), 0);
	assert_int_equal(cfgetospeed(&during), B57600);
	assert_int_equal(during.c_lflag & (ECHO | ICANON | ISIG), 0);
	feed(dup(pty), &s, 0);
	while (!live.stream.has_bye) {
		struct pollfd fd = {.fd = live_fd(&live), .events = POLLIN};

		assert_int_equal(poll(&fd, 1, 20000), 1);
		assert_true(live_read(&live, &why) != 0);
	}
	assert_int_equal(stream_check(&live.stream, &live.reader.stats, &why), 0);
	live_close(&live);
	assert_int_equal(tcgetattr(slave, &after), 0);
	assert_int_equal(after.c_lflag, before.c_lflag);
	close(slave);
	close(pty);
	buf_free(&s.out);
}

TEST(what_is_not_there)
{
	static struct live live;
	struct reason why;

	assert_int_equal(live_open(&live, "/nonexistent/tty", &plain, &sink, &why), -ENOENT);
	assert_string_equal(why.text, "/nonexistent/tty: No such file or directory");
}
