// SPDX-License-Identifier: BSD-2-Clause
/* buf.c - see buf.h. */
#include "tools/util/buf.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/status.h"

#define FIRST_ROOM 256
#define SETTLED    (1u << 20) /* bytes that are written at once */

static void reserve_bytes(struct buf *buf, size_t room)
{
	size_t new_room = buf->room ? buf->room : FIRST_ROOM;

	if (room <= buf->room)
		return;
	while (new_room < room)
		new_room *= 2;
	buf->data = realloc(buf->data, new_room);
	if (!buf->data)
		errx(STATUS_MACHINE, "out of memory for %zu bytes", new_room);
	buf->room = new_room;
}

void *buf_extend(struct buf *buf, size_t n)
{
	void *at;

	reserve_bytes(buf, buf->size + n + 1);
	at = buf->data + buf->size;
	memset(at, 0, n);
	buf->size += n;
	return at;
}

void buf_add(struct buf *buf, const void *bytes, size_t n)
{
	void *at = buf_extend(buf, n);

	if (n)
		memcpy(at, bytes, n);
}

void buf_add_u32(struct buf *buf, uint32_t value)
{
	buf_add(buf, &value, sizeof(value));
}

void buf_add_u64(struct buf *buf, uint64_t value)
{
	buf_add(buf, &value, sizeof(value));
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	reserve_bytes(buf, buf->size + (size_t)n + 1);
	vsnprintf((char *)buf->data + buf->size, (size_t)n + 1, format, again);
	va_end(again);
	buf->size += (size_t)n;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

const char *buf_text(struct buf *buf)
{
	reserve_bytes(buf, buf->size + 1);
	buf->data[buf->size] = '\0';
	return (const char *)buf->data;
}

void buf_pad(struct buf *buf, size_t start, size_t multiple)
{
	size_t over = (buf->size - start) % multiple;

	if (over)
		buf_extend(buf, multiple - over);
}

static void write_file_bytes(struct buf_file *file, const uint8_t *bytes, size_t n)
{
	while (n && !file->err) {
		ssize_t done = write(file->fd, bytes, n < SETTLED ? n : SETTLED);

		if (done < 0 && errno != EINTR)
			file->err = -errno;
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
		if (file->written)
			file->written(file);
	}
}

void buf_settle(struct buf *buf, bool all)
{
	if (!buf->file || (!all && buf->size < SETTLED))
		return;
	write_file_bytes(buf->file, buf->data, buf->size);
	buf->written += buf->size;
	buf->size = 0;
}

void buf_rewrite(struct buf *buf, uint64_t position, const void *bytes, size_t n)
{
	if (position >= buf->written)
		memcpy(buf->data + (position - buf->written), bytes, n);
	else if (!buf->file->err && pwrite(buf->file->fd, bytes, n, (off_t)position) != (ssize_t)n)
		buf->file->err = errno ? -errno : -EIO;
}

void buf_free(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

char *copy_text(const char *text, size_t n)
{
	char *copy = strndup(text, n);

	if (!copy)
		errx(STATUS_MACHINE, "out of memory for %zu bytes", n);
	return copy;
}
