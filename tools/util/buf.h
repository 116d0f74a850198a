/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buf.h - bytes that grow. A zeroed struct is empty; the data moves when it grows, so that others
 * keep offsets, not pointers. Out of memory ends the program with one line: the tool holds nothing
 * that would be lost but the run itself.
 */
#ifndef TOOLS_UTIL_BUF_H
#define TOOLS_UTIL_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf_file {
	int fd;
	int err; /* -E of the first write that failed; then nothing more is written */
	void (*written)(struct buf_file *file); /* behind each write; may set err. NULL: nothing */
};

struct buf {
	uint8_t *data;
	size_t size, room;     /* bytes */
	struct buf_file *file; /* where what is settled goes; NULL: it stays in memory */
	uint64_t written;      /* bytes that went there */
};

/* buf_extend() - `n` more bytes at the end, zeroed; returns where they are until the next growth.
 */
void *buf_extend(struct buf *buf, size_t n);

void buf_add(struct buf *buf, const void *bytes, size_t n);
void buf_add_u32(struct buf *buf, uint32_t value);
void buf_add_u64(struct buf *buf, uint64_t value);

/* buf_printf() - formatted text without a terminator; buf_text() terminates, uncounted. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args);
const char *buf_text(struct buf *buf);

/* buf_pad() - zero bytes up to a multiple of `multiple`, counted from offset `start`. */
void buf_pad(struct buf *buf, size_t start, size_t multiple);

/*
 * buf_settle() - what is in `buf` is complete: where it has a file, it goes there when it is much,
 * or `all` is set, and `data` and `size` begin anew. buf_position() counts on.
 */
void buf_settle(struct buf *buf, bool all);

static inline uint64_t buf_position(const struct buf *buf)
{
	return buf->written + buf->size;
}

/* buf_rewrite() - changes bytes that were added at `position` in one piece, settled or not. */
void buf_rewrite(struct buf *buf, uint64_t position, const void *bytes, size_t n);

void buf_free(struct buf *buf);

/* copy_text() - the first `n` characters of `text`, terminated, allocated; never NULL. */
char *copy_text(const char *text, size_t n);

#endif
