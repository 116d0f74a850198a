// SPDX-License-Identifier: BSD-2-Clause
/* terminal.c - see terminal.h. */
#include "tools/top/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ESC           "\033"
#define OTHER_SCREEN  ESC "[?1049h" ESC "[?25l" /* hides the cursor, too */
#define BEFORE_SCREEN ESC "[?25h" ESC "[?1049l"
#define HOME          ESC "[H"
#define CLEAR_REST    ESC "[K"
#define CLEAR_ALL     ESC "[2J"
#define PLAIN         ESC "[m"
#define WIDTH         80 /* size of a terminal that does not tell its size */
#define HEIGHT        24
#define LINE_MAX      1024

static void write_terminal(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno != EINTR)
			return;
		at += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

static void say_to_terminal(struct terminal *terminal, const char *text)
{
	write_terminal(terminal->fd, text, strlen(text));
}

void terminal_resize(struct terminal *terminal)
{
	struct winsize size = {0};

	ioctl(terminal->fd, TIOCGWINSZ, &size);
	terminal->width = size.ws_col ? size.ws_col : WIDTH;
	terminal->height = size.ws_row ? size.ws_row : HEIGHT;
	say_to_terminal(terminal, CLEAR_ALL);
}

/* Enables single keys without echo and reads that never wait. ^C remains a signal, ^Z does not. */
int terminal_open(struct terminal *terminal, struct reason *why)
{
	struct termios raw;

	*terminal = (struct terminal){.fd = open("/dev/tty", O_RDWR | O_CLOEXEC)};
	if (terminal->fd < 0 || tcgetattr(terminal->fd, &terminal->before))
		goto none;
	raw = terminal->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_iflag &= ~(tcflag_t)ICRNL;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	if (tcsetattr(terminal->fd, TCSANOW, &raw))
		goto none;
	say_to_terminal(terminal, OTHER_SCREEN);
	terminal_resize(terminal);
	return 0;
none:
	refuse(why, ENOTTY, "no terminal to draw on: %s", strerror(errno));
	if (terminal->fd >= 0)
		close(terminal->fd);
	terminal->fd = -1;
	return -ENOTTY;
}

void terminal_close(struct terminal *terminal)
{
	if (terminal->fd < 0)
		return;
	say_to_terminal(terminal, PLAIN BEFORE_SCREEN);
	tcsetattr(terminal->fd, TCSADRAIN, &terminal->before);
	close(terminal->fd);
	buf_free(&terminal->keys);
	terminal->fd = -1;
}

/* The characters after ESC, and their key. */
static const struct {
	const char *text;
	int key;
} sequences[] = {
	{"[A", KEY_UP},       {"[B", KEY_DOWN},       {"[C", KEY_RIGHT}, {"[D", KEY_LEFT},
	{"OA", KEY_UP},       {"OB", KEY_DOWN},       {"OC", KEY_RIGHT}, {"OD", KEY_LEFT},
	{"[5~", KEY_PAGE_UP}, {"[6~", KEY_PAGE_DOWN}, {"[H", KEY_HOME},  {"[F", KEY_END},
	{"[1~", KEY_HOME},    {"[4~", KEY_END},       {"OH", KEY_HOME},  {"OF", KEY_END},
};

static void drop_keys(struct buf *keys, size_t n)
{
	memmove(keys->data, keys->data + n, keys->size - n);
	keys->size -= n;
}

/*
 * Returns the length of the control sequence at the start of `keys`: up to its final byte, or all
 * bytes.
 */
static size_t sequence_size(const struct buf *keys)
{
	size_t n = 2;

	if (keys->size < 2 || (keys->data[1] != '[' && keys->data[1] != 'O'))
		return 1;
	while (n < keys->size && (keys->data[n] < '@' || keys->data[n] > '~'))
		n++;
	return n < keys->size ? n + 1 : n;
}

static int take_sequence(struct buf *keys)
{
	size_t n = sequence_size(keys);
	int key = n == 1 ? KEY_ESC : -EAGAIN;

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		if (strlen(sequences[i].text) == n - 1 &&
		    !memcmp(keys->data + 1, sequences[i].text, n - 1))
			key = sequences[i].key;
	drop_keys(keys, n);
	return key;
}

/* Takes a key. An unknown sequence is skipped. */
static int take_key(struct buf *keys)
{
	while (keys->size) {
		int key = keys->data[0];

		if (key == KEY_ESC)
			key = take_sequence(keys);
		else
			drop_keys(keys, 1);
		if (key > 0)
			return key == '\n' ? KEY_ENTER : key;
	}
	return KEY_NONE;
}

int terminal_key(struct terminal *terminal)
{
	char bytes[64];
	ssize_t n = read(terminal->fd, bytes, sizeof(bytes));

	if (n < 0 && errno != EINTR && errno != EAGAIN)
		return -EIO;
	if (n > 0)
		buf_add(&terminal->keys, bytes, (size_t)n);
	return take_key(&terminal->keys);
}

void terminal_show(struct terminal *terminal, const struct screen *screen)
{
	say_to_terminal(terminal, HOME);
	write_terminal(terminal->fd, screen->out.data, screen->out.size);
}

void screen_start(struct screen *screen, int width, int height)
{
	screen->out.size = 0;
	screen->width = width;
	screen->height = height;
	screen->line = 0;
}

void screen_line(struct screen *screen, enum terminal_style style, const char *format, ...)
{
	static const char *const styles[] = {
		[STYLE_PLAIN] = "",
		[STYLE_BAR] = ESC "[7m",
		[STYLE_CHOSEN] = ESC "[1;7m",
		[STYLE_DIM] = ESC "[2m",
	};
	int width = screen->width < LINE_MAX ? screen->width : LINE_MAX - 1;
	char text[LINE_MAX];
	va_list args;

	if (screen->line >= screen->height)
		return;
	va_start(args, format);
	vsnprintf(text, (size_t)width + 1, format, args);
	va_end(args);
	for (char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	/* a newline after the last line would scroll the screen */
	buf_printf(&screen->out, "%s%s", screen->line++ ? "\r\n" : "", styles[style]);
	buf_printf(&screen->out, "%-*s", style == STYLE_PLAIN ? 0 : width, text);
	/* After a full line, clearing the rest would delete its last character on some
	 * terminals. */
	if (style != STYLE_PLAIN)
		buf_printf(&screen->out, PLAIN);
	else if (strlen(text) < (size_t)width)
		buf_printf(&screen->out, CLEAR_REST);
}

void screen_fill(struct screen *screen, int line)
{
	while (screen->line < line && screen->line < screen->height)
		screen_line(screen, STYLE_PLAIN, "%s", "");
}
