/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_io.h - source or destination of a file's bytes: memory of ring 3 in one or more parts, as in
 * readv(2) and writev(2), or memory of ring 0. A copy may fault and allocate pages: never with a
 * lock of linux/file held.
 */
#ifndef LINUX_FILE_FILE_IO_H
#define LINUX_FILE_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One part, laid out as struct iovec of <linux/uio.h>. */
struct io_part {
	uint64_t address, bytes;
};

struct io {
	struct io_part one; /* the only part, where `parts` is NULL */
	const struct io_part *parts;
	unsigned nparts, at;   /* number of parts; index of the next one */
	uint64_t done_of_part; /* bytes of that part that were copied */
	uint64_t left;         /* total of bytes left */
	bool is_kernel;        /* addresses are those of ring 0 */
};

#define IO_BYTES_MOST 0x7ffff000u /* maximum of Linux: longer requests are cut */
#define IO_PARTS_MOST 1024u

/* io_user(), io_kernel() - one part, of ring 3's or of ring 0's memory. */
struct io io_user(uint64_t address, uint64_t bytes);
struct io io_kernel(const void *memory, uint64_t bytes);

/* io_user_parts() - up to IO_PARTS_MOST parts. `parts` stays the caller's, and unchanged while `io`
 * is in use. -EINVAL: more parts, or their sum exceeds any object. */
int io_user_parts(struct io *io, const struct io_part *parts, uint64_t nparts);

/*
 * io_to_user(), io_from_user() - copies `bytes`, at most io->left, at the position of `io`, and
 * advances it. -EFAULT: `io` has advanced by the parts that were copied whole.
 */
int io_to_user(struct io *io, const void *from, size_t bytes);
int io_from_user(struct io *io, void *to, size_t bytes);

/* io_skip() - skips `bytes`, at most io->left, that an earlier try has copied. */
void io_skip(struct io *io, uint64_t bytes);

/* user_copy_in(), user_copy_out() - copies from or to memory of ring 3. 0 or -EFAULT. The image and
 * the tests each define them. */
int user_copy_in(void *to, uint64_t address, size_t bytes);
int user_copy_out(uint64_t address, const void *from, size_t bytes);

#endif
