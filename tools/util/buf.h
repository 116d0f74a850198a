/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buf.h - a growing buffer of bytes. A zeroed struct is empty. The data moves when it grows, so
 * callers keep offsets instead of pointers. Lack of memory ends the program with a message.
 */
#ifndef TOOLS_UTIL_BUF_H
#define TOOLS_UTIL_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf_file {
	int fd;
	int err; /* -E of the first write that failed; nothing is written after it */
	void (*written)(
		struct buf_file *file); /* called after each write; may set err. NULL: none */
};

struct buf {
	uint8_t *data;
	size_t size, room;     /* bytes */
	struct buf_file *file; /* receives settled bytes; NULL: they stay in memory */
	uint64_t written;      /* bytes that went to the file */
};

/* buf_extend() - appends `n` zeroed bytes; returns their address until the next growth. */
void *buf_extend(struct buf *buf, size_t n);

void buf_add(struct buf *buf, const void *bytes, size_t n);
void buf_add_u32(struct buf *buf, uint32_t value);
void buf_add_u64(struct buf *buf, uint64_t value);

/*
 * buf_printf() - appends formatted text without a terminator. buf_text() - terminates the text;
 * `size` does not count the terminator.
 */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args);
const char *buf_text(struct buf *buf);

/* buf_pad() - appends zero bytes up to a multiple of `multiple`, counted from offset `start`. */
void buf_pad(struct buf *buf, size_t start, size_t multiple);

/*
 * buf_settle() - declares the contents of `buf` complete. If `buf` has a file, and holds many bytes
 * or `all` is set, the bytes are written to the file, and the buffer is empty again. buf_position()
 * includes written bytes.
 */
void buf_settle(struct buf *buf, bool all);

static inline uint64_t buf_position(const struct buf *buf)
{
	return buf->written + buf->size;
}

/*
 * buf_rewrite() - overwrites bytes that were appended at `position` in one piece, settled or not.
 */
void buf_rewrite(struct buf *buf, uint64_t position, const void *bytes, size_t n);

void buf_free(struct buf *buf);

/*
 * copy_text() - returns the first `n` characters of `text`, terminated and allocated; never NULL.
 */
char *copy_text(const char *text, size_t n);

#endif
