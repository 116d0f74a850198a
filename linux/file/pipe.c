// SPDX-License-Identifier: BSD-2-Clause
/*
 * pipe.c - see pipe.h. Bytes pass through a buffer of ring 0 between ring 3 and the pipe, so
 * that the pipe takes or gives a piece as a whole with its lock held.
 */
#include "linux/file/pipe.h"

#include "lib/math.h"
#include "lib/string.h"
#include "linux/portable/locked.h"
#include "rt/base/heap.h"

#include <asm/ioctls.h>
#include <linux/limits.h>

#define BYTES_FIRST 65536u
#define BYTES_MOST  (1u << 20)
#define PIECE       PIPE_BUF /* bytes that are moved at once */
#define PIECE_SMALL 256

/* Queues of waiters for bytes, for room, or for both: an end does not wake waiters for its own
 * changes. */
enum pipe_queue { READERS, WRITERS, READERS_AND_WRITERS, PIPE_QUEUES };

struct pipe {
	struct lock lock;
	struct wait_queue queue[PIPE_QUEUES];
	uint8_t *ring;
	uint64_t bytes;      /* of the ring: a power of two */
	uint64_t head, tail; /* total of bytes written, and read */
	unsigned readers, writers;
	uint64_t opened_to_read, opened_to_write; /* total of openings */
};

static uint64_t bytes_in(const struct pipe *p)
{
	return p->head - p->tail;
}

static void wake_end(struct pipe *p, enum pipe_queue queue)
{
	wait_wake(&p->queue[queue]);
	wait_wake(&p->queue[READERS_AND_WRITERS]);
}

static void wake_all(struct pipe *p)
{
	wait_wake(&p->queue[READERS]);
	wake_end(p, WRITERS);
}

static struct wait_queue *wait_queue_of(struct pipe *p, const struct file *f)
{
	if (file_can_read(f) && file_can_write(f))
		return &p->queue[READERS_AND_WRITERS];
	return &p->queue[file_can_read(f) ? READERS : WRITERS];
}

/* --- In the ring --- */

static void ring_out(const struct pipe *p, uint64_t at, uint8_t *to, uint64_t n)
{
	const uint64_t offset = at & (p->bytes - 1), first = least_of(n, p->bytes - offset);

	memcpy(to, p->ring + offset, first);
	memcpy(to + first, p->ring, n - first);
}

static void ring_in(struct pipe *p, const uint8_t *from, uint64_t n)
{
	const uint64_t offset = p->head & (p->bytes - 1), first = least_of(n, p->bytes - offset);

	memcpy(p->ring + offset, from, first);
	memcpy(p->ring, from + first, n - first);
	p->head += n;
}

/* --- Reading --- */

/* Takes up to `n` bytes; 0: no writers are left; -EAGAIN. `*from`: their position. */
static long take_out_of_ring(struct pipe *p, uint8_t *to, uint64_t n, uint64_t *from)
{
	const uint64_t flags = locked(&p->lock);
	long got = (long)least_of(n, bytes_in(p));

	*from = p->tail;
	if (got) {
		ring_out(p, p->tail, to, (uint64_t)got);
		p->tail += (uint64_t)got;
	} else if (p->writers) {
		got = -EAGAIN;
	}
	unlocked(&p->lock, flags);
	return got;
}

/* Returns the bytes from `from` up to `to`, which did not reach the reader, unless others have read
 * on in the meantime. */
static void give_piece_back(struct pipe *p, uint64_t from, uint64_t to)
{
	const uint64_t flags = locked(&p->lock);

	if (p->tail == to && p->head - from <= p->bytes)
		p->tail = from;
	unlocked(&p->lock, flags);
}

static long read_piece(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room)
{
	uint64_t from;
	const long n = take_out_of_ring(p, piece, least_of(io->left, room), &from);

	if (n > 0 && io_to_user(io, piece, (size_t)n)) {
		give_piece_back(p, from, from + (uint64_t)n);
		return -EFAULT;
	}
	return n;
}

typedef long piece_fn(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room);

/* Moves pieces until one is not moved whole. */
static long move_pieces(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room,
			piece_fn *move)
{
	long done = 0, n = 1;

	while (io->left && n > 0) {
		n = move(p, io, piece, room);
		done += n > 0 ? n : 0;
	}
	if (done)
		wake_end(p, move == read_piece ? WRITERS : READERS);
	return done ? done : io->left ? n : 0;
}

/* Provides the buffer for pieces: on the stack for few bytes. */
static long move_bytes(struct pipe *p, struct io *io, piece_fn *move)
{
	uint8_t small[PIECE_SMALL], *large;
	long n;

	if (io->left <= PIECE_SMALL)
		return move_pieces(p, io, small, PIECE_SMALL, move);
	large = heap_alloc(PIECE);
	if (!large)
		return -ENOMEM;
	n = move_pieces(p, io, large, PIECE, move);
	heap_free(large);
	return n;
}

static long pipe_read(struct file *f, struct io *io, const uint64_t *at)
{
	(void)at;
	return move_bytes(f->private, io, read_piece);
}

/* --- Writing --- */

/* Puts all `n` bytes, or with `some` as many as fit. */
static long put_piece(struct pipe *p, const uint8_t *from, uint64_t n, bool some)
{
	const uint64_t flags = locked(&p->lock), room = p->bytes - bytes_in(p);
	long put = -EAGAIN;

	if (!p->readers) {
		put = -EPIPE;
	} else if (room >= n || (some && room)) {
		put = (long)least_of(n, room);
		ring_in(p, from, (uint64_t)put);
	}
	unlocked(&p->lock, flags);
	return put;
}

/* If only a part of the piece fits, the rest is read from ring 3 again. */
static long write_piece_of(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room, bool some)
{
	struct io after = *io;
	const uint64_t n = least_of(io->left, room);
	long put;

	if (io_from_user(&after, piece, n))
		return -EFAULT;
	put = put_piece(p, piece, n, some);
	if (put > 0)
		io_skip(io, (uint64_t)put);
	return put;
}

static long write_whole(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room)
{
	return write_piece_of(p, io, piece, room, false);
}

static long write_some(struct pipe *p, struct io *io, uint8_t *piece, uint64_t room)
{
	return write_piece_of(p, io, piece, room, true);
}

static long pipe_write(struct file *f, struct io *io, const uint64_t *at)
{
	(void)at;
	return move_bytes(f->private, io, io->left <= PIPE_BUF ? write_whole : write_some);
}

/* --- States and ends --- */

static unsigned pipe_poll(struct file *f, struct wait_queue **queue)
{
	struct pipe *p = f->private;
	const uint64_t flags = locked(&p->lock);
	unsigned events = 0;

	*queue = wait_queue_of(p, f);
	if (file_can_read(f)) {
		events |= bytes_in(p) ? POLLIN | POLLRDNORM : 0;
		events |= !p->writers && p->opened_to_write != f->offset ? POLLHUP : 0;
	}
	if (file_can_write(f)) {
		events |= p->bytes - bytes_in(p) >= PIPE_BUF ? POLLOUT | POLLWRNORM : 0;
		events |= p->readers ? 0 : POLLERR;
	}
	unlocked(&p->lock, flags);
	return events;
}

static long pipe_ioctl(struct file *f, unsigned request, uint64_t argument)
{
	struct pipe *p = f->private;
	uint64_t flags;
	int bytes;

	if (request != FIONREAD)
		return -ENOTTY;
	flags = locked(&p->lock);
	bytes = (int)bytes_in(p);
	unlocked(&p->lock, flags);
	return user_copy_out(argument, &bytes, sizeof(bytes));
}

static void pipe_release(struct file *f)
{
	struct pipe *p = f->private;
	const uint64_t flags = locked(&p->lock);

	p->readers -= file_can_read(f);
	p->writers -= file_can_write(f);
	if (!p->readers && !p->writers)
		p->tail = p->head; /* for a fifo that is opened again */
	unlocked(&p->lock, flags);
	wake_all(p);
}

static const struct file_ops pipe_ops = {
	.is_stream = true,
	.read = pipe_read,
	.write = pipe_write,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};

/* --- As a kind of inode --- */

/* The otherwise unused offset of a fifo holds how often its other end had been opened by files
 * that are closed now. A pipe, whose ends are reopened through /proc/self/fd, waits for no peer:
 * 0. */
static int fifo_open(struct file *f)
{
	const bool is_named = f->inode->device != DEVICE_PIPES;
	struct pipe *p = f->inode->pipe;
	const uint64_t flags = locked(&p->lock);
	const bool reads = file_can_read(f), writes = file_can_write(f);
	const int error =
		is_named && writes && !reads && f->flags & O_NONBLOCK && !p->readers ? -ENXIO : 0;

	if (!error) {
		f->ops = &pipe_ops;
		f->private = p;
		if (is_named)
			f->offset = reads ? p->opened_to_write - p->writers
					  : p->opened_to_read - p->readers;
		p->readers += reads;
		p->writers += writes;
		p->opened_to_read += reads;
		p->opened_to_write += writes;
	}
	unlocked(&p->lock, flags);
	if (!error)
		wake_all(p);
	return error;
}

int fifo_await_peer(struct file *f)
{
	struct pipe *p = f->private;
	uint64_t flags;
	bool joined;

	if (f->ops != &pipe_ops || (file_can_read(f) && file_can_write(f)))
		return 0;
	flags = locked(&p->lock);
	joined =
		file_can_read(f) ? p->opened_to_write != f->offset : p->opened_to_read != f->offset;
	unlocked(&p->lock, flags);
	return joined ? 0 : -EAGAIN;
}

static void fifo_destroy(struct inode *inode)
{
	heap_free(inode->pipe->ring);
	heap_free(inode->pipe);
}

static const struct inode_ops fifo_ops = {.open = fifo_open, .destroy = fifo_destroy};

static struct pipe *pipe_new(void)
{
	struct pipe *p = heap_alloc(sizeof(*p));

	if (!p)
		return NULL;
	p->bytes = BYTES_FIRST;
	p->ring = heap_alloc(p->bytes);
	if (!p->ring) {
		heap_free(p);
		return NULL;
	}
	return p;
}

struct inode *fifo_new(uint32_t mode, enum inode_device device)
{
	struct pipe *p = pipe_new();
	struct inode *inode = p ? inode_new(&fifo_ops, MODE_FIFO | mode, device) : NULL;

	if (inode) {
		inode->pipe = p;
	} else if (p) {
		heap_free(p->ring);
		heap_free(p);
	}
	return inode;
}

int pipe_open(struct file *ends[2], unsigned flags)
{
	struct inode *inode = fifo_new(0600, DEVICE_PIPES);
	int error;

	if (!inode)
		return -ENOMEM;
	inode->links = 1;
	error = file_open_inode(inode, O_RDONLY | flags, &ends[0]);
	if (!error) {
		error = file_open_inode(inode, O_WRONLY | flags, &ends[1]);
		if (error)
			file_put(ends[0]);
	}
	inode_put(inode);
	return error;
}

/* --- Sizes --- */

int pipe_size(struct file *f)
{
	return f->ops == &pipe_ops ? (int)((struct pipe *)f->private)->bytes : -EBADF;
}

/* Replaces the ring by `ring` and returns the old one; NULL: the pipe's content does not fit. */
static uint8_t *exchange_ring(struct pipe *p, uint8_t *ring, uint64_t bytes)
{
	const uint64_t flags = locked(&p->lock), n = bytes_in(p);
	uint8_t *old = NULL;

	if (n <= bytes) {
		ring_out(p, p->tail, ring, n);
		old = p->ring;
		p->ring = ring;
		p->bytes = bytes;
		p->tail = 0;
		p->head = n;
	}
	unlocked(&p->lock, flags);
	return old;
}

int pipe_resize(struct file *f, uint64_t bytes)
{
	uint64_t rounded = PAGE_BYTES;
	uint8_t *ring, *old;

	if (f->ops != &pipe_ops)
		return -EBADF;
	if (bytes > INT32_MAX)
		return -EINVAL;
	if (bytes > BYTES_MOST)
		return -EPERM;
	while (rounded < bytes)
		rounded *= 2;
	ring = heap_alloc(rounded);
	if (!ring)
		return -ENOMEM;
	old = exchange_ring(f->private, ring, rounded);
	heap_free(old ? old : ring);
	if (!old)
		return -EBUSY;
	wake_all(f->private);
	return (int)rounded;
}
