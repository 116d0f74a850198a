// SPDX-License-Identifier: BSD-2-Clause
/* eventfd.c - see eventfd.h. */
#include "linux/file/eventfd.h"

#include "linux/portable/locked.h"
#include "rt/base/heap.h"

#define COUNT_MOST (UINT64_MAX - 1)

struct eventfd {
	struct lock lock;
	struct wait_queue queue;
	uint64_t count;
	bool semaphore;
};

/* The value that a read takes; 0: the read would block. */
static uint64_t take_count(struct eventfd *e)
{
	const uint64_t flags = locked(&e->lock);
	const uint64_t n = e->semaphore && e->count ? 1 : e->count;

	e->count -= n;
	unlocked(&e->lock, flags);
	return n;
}

static bool add_count(struct eventfd *e, uint64_t n)
{
	const uint64_t flags = locked(&e->lock);
	const bool fits = n <= COUNT_MOST - e->count;

	if (fits)
		e->count += n;
	unlocked(&e->lock, flags);
	return fits;
}

static long eventfd_read(struct file *f, struct io *io, const uint64_t *at)
{
	struct eventfd *e = f->private;
	uint64_t n;

	(void)at;
	if (io->left < sizeof(n))
		return -EINVAL;
	n = take_count(e);
	if (!n)
		return -EAGAIN;
	wait_wake(&e->queue);
	return io_to_user(io, &n, sizeof(n)) ? -EFAULT : (long)sizeof(n);
}

static long eventfd_write(struct file *f, struct io *io, const uint64_t *at)
{
	struct eventfd *e = f->private;
	uint64_t n;

	(void)at;
	if (io->left < sizeof(n))
		return -EINVAL;
	if (io_from_user(io, &n, sizeof(n)))
		return -EFAULT;
	if (n == UINT64_MAX)
		return -EINVAL;
	if (!add_count(e, n))
		return -EAGAIN;
	wait_wake(&e->queue);
	return sizeof(n);
}

static unsigned eventfd_poll(struct file *f, struct wait_queue **queue)
{
	struct eventfd *e = f->private;
	const uint64_t flags = locked(&e->lock);
	const unsigned events = (e->count ? POLLIN | POLLRDNORM : 0) |
				(e->count < COUNT_MOST ? POLLOUT | POLLWRNORM : 0);

	*queue = &e->queue;
	unlocked(&e->lock, flags);
	return events;
}

static void eventfd_release(struct file *f)
{
	heap_free(f->private);
}

static const struct file_ops eventfd_ops = {
	.name = "[eventfd]",
	.is_stream = true,
	.read = eventfd_read,
	.write = eventfd_write,
	.poll = eventfd_poll,
	.release = eventfd_release,
};

int eventfd_open(uint32_t count, bool semaphore, unsigned flags, struct file **out)
{
	struct eventfd *e = heap_alloc(sizeof(*e));

	if (!e)
		return -ENOMEM;
	e->count = count;
	e->semaphore = semaphore;
	*out = file_anonymous(&eventfd_ops, O_RDWR | flags, e);
	if (*out)
		return 0;
	heap_free(e);
	return -ENOMEM;
}
