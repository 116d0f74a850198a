/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h - a stream as it comes: from a serial line, a pseudo-terminal, a socket, a pipe or a
 * stored file. The caller polls live_fd() and calls live_read() when there is something; frames are
 * taken into `stream` first and are then given to the sink, so that the new records of a command
 * are those behind a cursor (stream_next_record()) that was kept from the last time.
 *
 *	live_open(&live, "/dev/ttyUSB0", &line, &sink, &why);
 *	while (poll() says that live_fd(&live) has something)
 *		live_read(&live, &why);      the sink is called, live.stream grows
 *	live_close(&live);
 */
#ifndef TOOLS_STREAM_LIVE_H
#define TOOLS_STREAM_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "lib/format/frame.h"
#include "lib/reason.h"
#include "tools/stream/stream.h"

/* How the receiver stops a sender that is too fast. */
enum live_flow { LIVE_FLOW_NONE, LIVE_FLOW_XONXOFF, LIVE_FLOW_RTSCTS };

/*
 * live_flow_find() - the flow control by its name in options: none, xonxoff, rtscts; or -EINVAL.
 * And back.
 */
int live_flow_find(const char *name);
const char *live_flow_name(enum live_flow flow);

/* The settings of a serial line; other devices use `flow` alone. */
struct live_line {
	uint32_t baud; /* 0: unchanged */
	enum live_flow flow;
};

struct live {
	struct stream stream;
	struct frame_reader reader; /* its statistics: frames, missing, skipped */
	struct frame_sink sink;     /* of the caller */
	uint64_t bytes;             /* that came */
	int fd;
	bool in_step;   /* a frame came */
	bool held;      /* then XOFF outside of frames, and no XON yet */
	bool is_serial; /* a terminal, whose settings are put back */
	struct live_line line;
	struct termios before;
	/* Where raw bytes go as they come, if it is not NULL. */
	void (*raw)(void *ctx, const void *bytes, size_t n);
	void *raw_ctx;
};

/*
 * live_open() - opens `device`: a terminal (set to 8N1, raw, at line->baud), a UNIX socket (which
 * is connected to), any other file, or "-", standard input. The stream may have begun long ago:
 * counting of lost frames starts with the first that comes. With XON/XOFF, XON is sent, in case
 * that an earlier listener went away after XOFF. `sink` is copied. Returns 0, or -E with the
 * reason.
 */
int live_open(struct live *live, const char *device, const struct live_line *line,
	      const struct frame_sink *sink, struct reason *why);

/* live_fd() - to poll for POLLIN. */
static inline int live_fd(const struct live *live)
{
	return live->fd;
}

/*
 * live_read() - takes the bytes that are there, at most 64 KiB, without waiting. Returns their
 * number, 0 at the end of the stream, -EAGAIN when there are none, or another -E with the reason.
 */
int live_read(struct live *live, struct reason *why);

/* live_feed() - takes bytes from elsewhere: the stored part of the stream. */
void live_feed(struct live *live, const void *bytes, size_t n);

/*
 * live_write() - sends typed bytes. Returns 0, or -E with the reason: a stream that is only read
 * (standard input, a stored file) takes none.
 */
int live_write(struct live *live, const void *bytes, size_t n, struct reason *why);

/*
 * live_write_some() - as much of it as the line takes at once, without waiting. Returns the bytes,
 * or -E with the reason; -EAGAIN: none now. live_may_write(): the machine has not said XOFF, as it
 * does between frames where it has no room for more that is typed.
 */
ssize_t live_write_some(struct live *live, const void *bytes, size_t n, struct reason *why);
static inline bool live_may_write(const struct live *live)
{
	return !live->held;
}

/*
 * live_stop(), live_go() - ask the sender to stop for a while, and to go on: XOFF and XON, or the
 * line RTS, as live_open() was told. Without flow control nothing is asked. What was on its way may
 * still come.
 */
void live_stop(struct live *live);
void live_go(struct live *live);

/*
 * live_settle() - with flow control: stops the sender, and takes what was on its way, until nothing
 * has come for a while. So nothing is lost between this listener and the next. A sender that does
 * not stop is left after SETTLE_MS.
 */
void live_settle(struct live *live);

/*
 * live_close() - stops the sender if there is a way, puts a terminal's settings back, closes; frees
 * the stream.
 */
void live_close(struct live *live);

#endif
