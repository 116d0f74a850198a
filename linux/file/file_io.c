// SPDX-License-Identifier: BSD-2-Clause
/* file_io.c - see file_io.h. */
#include "linux/file/file_io.h"

#include "lib/panic.h"
#include "lib/string.h"

#include <linux/errno.h>

static uint64_t limit_bytes(uint64_t bytes)
{
	return bytes < IO_BYTES_MOST ? bytes : IO_BYTES_MOST;
}

struct io io_user(uint64_t address, uint64_t bytes)
{
	return (struct io){.one = {address, bytes}, .nparts = 1, .left = limit_bytes(bytes)};
}

struct io io_kernel(const void *memory, uint64_t bytes)
{
	struct io io = io_user((uintptr_t)memory, bytes);

	io.is_kernel = true;
	return io;
}

int io_user_parts(struct io *io, const struct io_part *parts, uint64_t nparts)
{
	uint64_t sum = 0;

	if (nparts > IO_PARTS_MOST)
		return -EINVAL;
	for (uint64_t i = 0; i < nparts; i++) {
		if (parts[i].bytes > INT64_MAX - sum)
			return -EINVAL;
		sum += parts[i].bytes;
	}
	*io = (struct io){.parts = parts, .nparts = (unsigned)nparts, .left = limit_bytes(sum)};
	return 0;
}

typedef int copy_fn(uint64_t address, void *memory, size_t bytes);

static int copy_out_user(uint64_t address, void *memory, size_t bytes)
{
	return user_copy_out(address, memory, bytes);
}

static int copy_in_user(uint64_t address, void *memory, size_t bytes)
{
	return user_copy_in(memory, address, bytes);
}

static int copy_out_kernel(uint64_t address, void *memory, size_t bytes)
{
	memcpy((void *)(uintptr_t)address, memory, bytes);
	return 0;
}

static int copy_in_kernel(uint64_t address, void *memory, size_t bytes)
{
	memcpy(memory, (const void *)(uintptr_t)address, bytes);
	return 0;
}

/* The part with the next bytes. */
static const struct io_part *current_part(struct io *io)
{
	const struct io_part *parts = io->parts ? io->parts : &io->one;

	while (io->done_of_part == parts[io->at].bytes) {
		io->at++;
		io->done_of_part = 0;
	}
	return &parts[io->at];
}

static int copy_parts(struct io *io, uint8_t *memory, size_t bytes, copy_fn *copy)
{
	ASSERT(bytes <= io->left);
	while (bytes) {
		const struct io_part *part = current_part(io);
		const uint64_t rest = part->bytes - io->done_of_part;
		const size_t n = bytes < rest ? bytes : rest;

		if (copy(part->address + io->done_of_part, memory, n))
			return -EFAULT;
		io->done_of_part += n;
		io->left -= n;
		memory = memory ? memory + n : NULL;
		bytes -= n;
	}
	return 0;
}

int io_to_user(struct io *io, const void *from, size_t bytes)
{
	return copy_parts(io, (uint8_t *)from, bytes,
			  io->is_kernel ? copy_out_kernel : copy_out_user);
}

int io_from_user(struct io *io, void *to, size_t bytes)
{
	return copy_parts(io, to, bytes, io->is_kernel ? copy_in_kernel : copy_in_user);
}

static int copy_nothing(uint64_t address, void *memory, size_t bytes)
{
	(void)address, (void)memory, (void)bytes;
	return 0;
}

void io_skip(struct io *io, uint64_t bytes)
{
	copy_parts(io, NULL, bytes, copy_nothing);
}
