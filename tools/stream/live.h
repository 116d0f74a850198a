/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h - reads a live stream: from a serial line, a pseudo-terminal, a socket, a pipe or a stored
 * file. The caller polls live_fd(), and calls live_read() when it is readable. A frame goes into
 * `stream` first, and then to the sink. To find the new records of a command, the caller keeps a
 * cursor from the previous time (stream_next_record()).
 *
 *   live_open(&live, "/dev/ttyUSB0", &line, &sink, &why);
 *   while (live_fd(&live) becomes readable)
 *   	live_read(&live, &why);      calls the sink; live.stream grows
 *   live_close(&live);
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

/* Ways in which the receiver stops a sender that is too fast. */
enum live_flow { LIVE_FLOW_NONE, LIVE_FLOW_XONXOFF, LIVE_FLOW_RTSCTS };

/*
 * live_flow_find() - returns the flow control of that name: none, xonxoff, rtscts; or -EINVAL.
 * live_flow_name() - returns the name.
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
	struct frame_reader reader; /* its statistics count frames, missing and skipped ones */
	struct frame_sink sink;     /* the caller's sink */
	uint64_t bytes;             /* bytes received */
	int fd;
	bool in_step;   /* a frame has arrived */
	bool held;      /* XOFF came outside of frames, and no XON since */
	bool is_serial; /* a terminal, whose settings are restored */
	struct live_line line;
	struct termios before;
	/* Receives the raw bytes as they arrive; may be NULL. */
	void (*raw)(void *ctx, const void *bytes, size_t n);
	void *raw_ctx;
};

/*
 * live_open() - opens `device`: a terminal (set to 8N1, raw, at line->baud), a UNIX socket (and
 * connects to it), any other file, or "-", standard input. The stream may have begun earlier: lost
 * frames count from the first frame that arrives. With XON/XOFF, XON is sent, because an earlier
 * listener may have left after XOFF. `sink` is copied. Returns 0, or -E with the reason.
 */
int live_open(struct live *live, const char *device, const struct live_line *line,
	      const struct frame_sink *sink, struct reason *why);

/* live_fd() - returns the descriptor to poll for POLLIN. */
static inline int live_fd(const struct live *live)
{
	return live->fd;
}

/*
 * live_read() - takes the available bytes, at most 64 KiB, without waiting. Returns their number, 0
 * at the end of the stream, -EAGAIN if no bytes are available, or another -E with the reason.
 */
int live_read(struct live *live, struct reason *why);

/* live_feed() - takes bytes from another source, such as the stored part of the stream. */
void live_feed(struct live *live, const void *bytes, size_t n);

/*
 * live_write() - sends typed bytes. Returns 0, or -E with the reason: standard input and stored
 * files accept no bytes.
 */
int live_write(struct live *live, const void *bytes, size_t n, struct reason *why);

/*
 * live_write_some() - sends as many bytes as the line takes now, without waiting. Returns their
 * number, or -E with the reason; -EAGAIN: none now. live_may_write() - returns whether the machine
 * has not sent XOFF. It sends XOFF between frames if it has no room for more typed bytes.
 */
ssize_t live_write_some(struct live *live, const void *bytes, size_t n, struct reason *why);
static inline bool live_may_write(const struct live *live)
{
	return !live->held;
}

/*
 * live_stop(), live_go() - ask the sender to pause, and to continue, by XOFF and XON, or by RTS,
 * depending on the flow control of live_open(). Without flow control they have no effect. Bytes
 * that were sent before may still arrive.
 */
void live_stop(struct live *live);
void live_go(struct live *live);

/*
 * live_settle() - with flow control, stops the sender, and takes bytes until none arrive for a
 * while. So no bytes are lost between this listener and the next one. If the sender does not stop,
 * it gives up after SETTLE_MS.
 */
void live_settle(struct live *live);

/*
 * live_close() - stops the sender if possible, restores a terminal's settings, closes the device,
 * and frees the stream.
 */
void live_close(struct live *live);

#endif
