// SPDX-License-Identifier: BSD-2-Clause
/* signalfd.c - see signalfd.h. */
#include "linux/file/signalfd.h"

#include "linux/file/file_host.h"
#include "rt/base/heap.h"

#define INFO_BYTES 128 /* struct signalfd_siginfo of <linux/signalfd.h> */

static uint64_t mask_of(const struct file *f)
{
	return __atomic_load_n((const uint64_t *)f->private, __ATOMIC_RELAXED);
}

static long signalfd_read(struct file *f, struct io *io, const uint64_t *at)
{
	const uint64_t room = io->left;
	uint8_t info[INFO_BYTES];

	(void)at;
	if (room < INFO_BYTES)
		return -EINVAL;
	while (io->left >= INFO_BYTES && file_host.signal_take(mask_of(f), info))
		if (io_to_user(io, info, INFO_BYTES))
			return -EFAULT;
	return io->left < room ? (long)(room - io->left) : -EAGAIN;
}

static unsigned signalfd_poll(struct file *f, struct wait_queue **queue)
{
	*queue = file_host.signal_queue();
	return file_host.signal_pending(mask_of(f)) ? POLLIN | POLLRDNORM : 0;
}

static void signalfd_release(struct file *f)
{
	heap_free(f->private);
}

static const struct file_ops signalfd_ops = {
	.name = "[signalfd]",
	.is_stream = true,
	.read = signalfd_read,
	.poll = signalfd_poll,
	.release = signalfd_release,
};

int signalfd_open(uint64_t mask, unsigned flags, struct file **out)
{
	uint64_t *kept = heap_alloc(sizeof(*kept));

	if (!kept)
		return -ENOMEM;
	*kept = mask;
	*out = file_anonymous(&signalfd_ops, O_RDWR | flags, kept);
	if (*out)
		return 0;
	heap_free(kept);
	return -ENOMEM;
}

int signalfd_set(struct file *f, uint64_t mask)
{
	if (f->ops != &signalfd_ops)
		return -EINVAL;
	__atomic_store_n((uint64_t *)f->private, mask, __ATOMIC_RELAXED);
	return 0;
}
