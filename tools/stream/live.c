// SPDX-License-Identifier: BSD-2-Clause
/* live.c - see live.h. */
#include "tools/stream/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/util/clock.h"

#define XON        '\021'
#define XOFF       '\023'
#define READ_BYTES 65536
#define QUIET_MS   300   /* a line that is silent for so long has no more bytes in transfer */
#define SETTLE_MS  10000 /* a line that sends for so long after XOFF never stops */
#define WRITE_MS   2000  /* a line that takes nothing for so long is broken, or stopped */

static const struct {
	uint32_t baud;
	speed_t speed;
} speeds[] = {
	{50, B50},       {75, B75},       {110, B110},     {150, B150},       {300, B300},
	{600, B600},     {1200, B1200},   {2400, B2400},   {4800, B4800},     {9600, B9600},
	{19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200},
};

static const char *const flows[] = {
	[LIVE_FLOW_NONE] = "none",
	[LIVE_FLOW_XONXOFF] = "xonxoff",
	[LIVE_FLOW_RTSCTS] = "rtscts",
};

int live_flow_find(const char *name)
{
	for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++)
		if (!strcmp(flows[i], name))
			return (int)i;
	return -EINVAL;
}

const char *live_flow_name(enum live_flow flow)
{
	return flows[flow];
}

/* Passes a frame to the stream first, then to the caller. */

static void on_live_frame(void *ctx, const struct frame *frame)
{
	struct live *live = ctx;

	live->in_step = true;
	stream_frame(&live->stream, frame);
	live->sink.frame(live->sink.ctx, frame);
}

/* Follows XON and XOFF in plain text. The bytes before the first frame may belong to a frame for
 * an earlier listener, in which any byte may occur. */
static void follow_flow(struct live *live, const char *text, size_t n)
{
	if (live->line.flow != LIVE_FLOW_XONXOFF || !live->in_step)
		return;
	for (size_t i = 0; i < n; i++)
		live->held = text[i] == XOFF || (live->held && text[i] != XON);
}

static void on_live_text(void *ctx, const void *bytes, size_t n)
{
	struct live *live = ctx;

	follow_flow(live, bytes, n);
	live->sink.text(live->sink.ctx, bytes, n);
}

static void on_live_debris(void *ctx, const void *bytes, size_t n)
{
	struct live *live = ctx;

	live->sink.debris(live->sink.ctx, bytes, n);
}

static int find_speed(uint32_t baud, speed_t *speed)
{
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (speeds[i].baud != baud)
			continue;
		*speed = speeds[i].speed;
		return 0;
	}
	return -EINVAL;
}

static int set_up_serial(struct live *live, const char *device, struct reason *why)
{
	struct termios t;
	speed_t speed;

	if (tcgetattr(live->fd, &live->before))
		return refuse(why, errno, "%s: %s", device, strerror(errno));
	t = live->before;
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
	if (live->line.flow == LIVE_FLOW_XONXOFF)
		t.c_iflag |= IXOFF;
	if (live->line.flow == LIVE_FLOW_RTSCTS)
		t.c_cflag |= CRTSCTS;
	if (live->line.baud) {
		if (find_speed(live->line.baud, &speed))
			return refuse(why, EINVAL, "%s: no serial line has %u baud", device,
				      live->line.baud);
		cfsetspeed(&t, speed);
	}
	if (tcsetattr(live->fd, TCSANOW, &t))
		return refuse(why, errno, "%s: %s", device, strerror(errno));
	live->is_serial = true;
	return 0;
}

static int open_socket(const char *path, struct reason *why)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(address.sun_path))
		return refuse(why, ENAMETOOLONG, "%s: too long for the name of a socket", path);
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		return fd;
	refuse(why, errno, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -EIO;
}

/* Returns the descriptor, or -E with the reason. Stored files are only read. */
static int open_device(const char *device, struct reason *why)
{
	struct stat st;
	int fd;

	if (!strcmp(device, "-"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (stat(device, &st))
		return refuse(why, errno, "%s: %s", device, strerror(errno));
	if (S_ISSOCK(st.st_mode))
		return open_socket(device, why);
	fd = open(device,
		  (S_ISCHR(st.st_mode) ? O_RDWR : O_RDONLY) | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 ? fd : refuse(why, errno, "%s: %s", device, strerror(errno));
}

int live_open(struct live *live, const char *device, const struct live_line *line,
	      const struct frame_sink *sink, struct reason *why)
{
	const struct frame_sink inner = {on_live_frame, on_live_text, on_live_debris, live};
	int err;

	memset(live, 0, sizeof(*live));
	live->line = *line;
	live->sink = *sink;
	stream_init(&live->stream);
	frame_reader_init(&live->reader, &inner);
	frame_reader_join(&live->reader);
	live->fd = open_device(device, why);
	if (live->fd < 0)
		return live->fd;
	err = isatty(live->fd) ? set_up_serial(live, device, why) : 0;
	if (err)
		close(live->fd);
	else
		live_go(live);
	return err;
}

void live_feed(struct live *live, const void *bytes, size_t n)
{
	frame_reader_feed(&live->reader, bytes, n);
}

int live_read(struct live *live, struct reason *why)
{
	static uint8_t bytes[READ_BYTES];
	ssize_t n = read(live->fd, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return -EAGAIN;
	/* pseudo-terminals and sockets report by an error that the other side is gone */
	if (!n || (n < 0 && (errno == EIO || errno == ECONNRESET))) {
		frame_reader_end(&live->reader);
		return 0;
	}
	if (n < 0)
		return refuse(why, errno, "the line: %s", strerror(errno));
	live->bytes += (uint64_t)n;
	if (live->raw)
		live->raw(live->raw_ctx, bytes, (size_t)n);
	live_feed(live, bytes, (size_t)n);
	return (int)n;
}

/* Writes bytes. If the other side is gone, that is an error without a signal. */
static ssize_t write_some(int fd, const void *bytes, size_t n)
{
	ssize_t done = send(fd, bytes, n, MSG_NOSIGNAL);

	return done < 0 && errno == ENOTSOCK ? write(fd, bytes, n) : done;
}

ssize_t live_write_some(struct live *live, const void *bytes, size_t n, struct reason *why)
{
	const ssize_t done = write_some(live->fd, bytes, n);

	if (done > 0)
		return done;
	if (!done || errno == EAGAIN || errno == EINTR)
		return -EAGAIN;
	return refuse(why, errno, "the line takes nothing: %s", strerror(errno));
}

int live_write(struct live *live, const void *bytes, size_t n, struct reason *why)
{
	const uint8_t *at = bytes;

	while (n) {
		struct pollfd fd = {.fd = live->fd, .events = POLLOUT};
		ssize_t done = live_write_some(live, at, n, why);

		if (done > 0) {
			at += done;
			n -= (size_t)done;
		} else if (done != -EAGAIN) {
			return (int)done;
		} else if (!poll(&fd, 1, WRITE_MS)) {
			return refuse(why, ETIMEDOUT, "the line takes nothing");
		}
	}
	return 0;
}

/* Asks the sender to stop or to go on. A failure is ignored: the sender then goes on sending. */
static void ask_to_send(struct live *live, bool go)
{
	const char byte = go ? XON : XOFF;
	int rts = TIOCM_RTS;
	struct reason why;

	if (live->line.flow == LIVE_FLOW_XONXOFF)
		live_write(live, &byte, 1, &why);
	else if (live->line.flow == LIVE_FLOW_RTSCTS && live->is_serial)
		ioctl(live->fd, go ? TIOCMBIS : TIOCMBIC, &rts);
}

void live_stop(struct live *live)
{
	ask_to_send(live, false);
}

void live_go(struct live *live)
{
	ask_to_send(live, true);
}

void live_settle(struct live *live)
{
	struct pollfd fd = {.fd = live->fd, .events = POLLIN};
	const uint64_t start = clock_now_ms();
	struct reason why;

	if (live->line.flow == LIVE_FLOW_NONE)
		return;
	live_stop(live);
	while (clock_now_ms() - start < SETTLE_MS && poll(&fd, 1, QUIET_MS) > 0) {
		int n = live_read(live, &why);

		if (n <= 0 && n != -EAGAIN)
			return;
	}
}

void live_close(struct live *live)
{
	live_stop(live);
	if (live->is_serial) {
		tcdrain(live->fd);
		tcsetattr(live->fd, TCSANOW, &live->before);
	}
	close(live->fd);
	stream_free(&live->stream);
}
