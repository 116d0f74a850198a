// SPDX-License-Identifier: BSD-2-Clause
/*
 * hostin.c - see hostin.h. One read at a time asks the host, which has one place for its answer;
 * other reads block meanwhile.
 */
#include "linux/file/hostin.h"

#include "linux/file/file_host.h"
#include "rt/base/heap.h"

struct hostin {
	uint64_t at; /* bytes that were read */
};

static struct {
	bool is_busy;
	struct wait_queue queue;
} asking;

/* Reads up to the first short piece: a line of a terminal, or the end. */
static long read_pieces(struct hostin *in, struct io *io)
{
	long done = 0, n;
	uint32_t wanted;

	do {
		const void *bytes;

		wanted = io->left < HOST_INPUT_MOST ? (uint32_t)io->left : HOST_INPUT_MOST;
		n = wanted ? file_host.input(in->at, wanted, &bytes) : 0;
		if (n > 0 && io_to_user(io, bytes, (size_t)n))
			n = -EFAULT;
		if (n > 0) {
			in->at += (uint64_t)n;
			done += n;
		}
	} while (n > 0 && n == (long)wanted && io->left);
	return done ? done : n;
}

static long hostin_read(struct file *f, struct io *io, const uint64_t *at)
{
	long n;

	(void)at;
	if (__atomic_exchange_n(&asking.is_busy, true, __ATOMIC_ACQUIRE))
		return -EAGAIN;
	n = read_pieces(f->private, io);
	__atomic_store_n(&asking.is_busy, false, __ATOMIC_RELEASE);
	wait_wake(&asking.queue);
	return n;
}

static unsigned hostin_poll(struct file *f, struct wait_queue **queue)
{
	(void)f;
	*queue = &asking.queue;
	return __atomic_load_n(&asking.is_busy, __ATOMIC_ACQUIRE) ? 0 : POLLIN | POLLRDNORM;
}

static void hostin_release(struct file *f)
{
	heap_free(f->private);
}

static const struct file_ops hostin_ops = {
	.name = "pipe:[0]",
	.is_stream = true,
	.read = hostin_read,
	.poll = hostin_poll,
	.release = hostin_release,
};

int hostin_open(struct file **out)
{
	struct hostin *in = heap_alloc(sizeof(*in));

	if (!in)
		return -ENOMEM;
	in->at = 0;
	*out = file_anonymous(&hostin_ops, O_RDONLY, in);
	if (*out)
		return 0;
	heap_free(in);
	return -ENOMEM;
}
