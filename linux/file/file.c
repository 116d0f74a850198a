// SPDX-License-Identifier: BSD-2-Clause
/* file.c - see file.h. */
#include "linux/file/file.h"

#include "lib/string.h"
#include "linux/file/epoll.h"
#include "linux/file/record_lock.h"
#include "rt/base/heap.h"
#include "linux/mem/page_ref.h"

#include <linux/fs.h>

/* Flags that matter only to opening. */
#define FLAGS_OF_OPENING (O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC)

struct file *file_new(struct inode *inode, const struct file_ops *ops, unsigned flags,
		      void *private)
{
	struct file *f = heap_alloc(sizeof(*f));

	if (!f)
		return NULL;
	f->refs = 1;
	f->flags = flags & ~(unsigned)FLAGS_OF_OPENING;
	f->ops = ops;
	f->inode = inode;
	f->private = private;
	return f;
}

static const struct inode_ops anonymous_inode_ops = {0};

struct file *file_anonymous(const struct file_ops *ops, unsigned flags, void *private)
{
	struct inode *inode = inode_new(&anonymous_inode_ops, 0600, DEVICE_ANONYMOUS);
	struct file *f = inode ? file_new(inode, ops, flags, private) : NULL;

	if (!f)
		inode_put(inode);
	return f;
}

/* Operations of O_PATH files: none, the file only names a place in the tree. */
static const struct file_ops path_ops = {0};

int file_open_inode(struct inode *inode, unsigned flags, struct file **out)
{
	struct file *f;
	int error = 0;

	if (inode_type(inode) == MODE_LINK && !(flags & O_PATH))
		return -ELOOP;
	if (!(flags & O_PATH) && !inode->ops->open)
		return -ENXIO;
	f = file_new(inode_get(inode), &path_ops, flags, NULL);
	if (!f) {
		inode_put(inode);
		return -ENOMEM;
	}
	if (!(flags & O_PATH))
		error = inode->ops->open(f);
	if (error) {
		f->ops = &path_ops; /* there is nothing to release */
		file_put(f);
		return error;
	}
	*out = f;
	return 0;
}

struct file *file_get(struct file *f)
{
	__atomic_fetch_add(&f->refs, 1, __ATOMIC_RELAXED);
	return f;
}

void file_put(struct file *f)
{
	if (!f || __atomic_sub_fetch(&f->refs, 1, __ATOMIC_ACQ_REL))
		return;
	epoll_forget(f);
	record_locks_drop(f->inode, f);
	if (f->ops->release)
		f->ops->release(f);
	inode_put(f->inode);
	heap_free(f);
}

/* --- Reading and writing --- */

static int is_readable(const struct file *f)
{
	if (!file_can_read(f))
		return -EBADF;
	if (f->ops->read)
		return 0;
	return inode_is_directory(f->inode) ? -EISDIR : -EINVAL;
}

static int is_writable(const struct file *f)
{
	if (!file_can_write(f))
		return -EBADF;
	return f->ops->write ? 0 : -EINVAL;
}

/* May `io` begin at this position? */
static int position_holds(const struct file *f, int64_t at)
{
	if (at < 0)
		return -EINVAL;
	return f->ops->is_stream ? -ESPIPE : 0;
}

long file_read(struct file *f, struct io *io)
{
	const int error = is_readable(f);

	return error ? error : f->ops->read(f, io, NULL);
}

long file_write(struct file *f, struct io *io)
{
	const int error = is_writable(f);

	return error ? error : f->ops->write(f, io, NULL);
}

long file_read_at(struct file *f, struct io *io, int64_t at)
{
	const uint64_t position = (uint64_t)at;
	int error = position_holds(f, at);

	if (!error)
		error = is_readable(f);
	return error ? error : f->ops->read(f, io, &position);
}

long file_write_at(struct file *f, struct io *io, int64_t at)
{
	const uint64_t position = (uint64_t)at;
	int error = position_holds(f, at);

	if (!error)
		error = is_writable(f);
	return error ? error : f->ops->write(f, io, &position);
}

/* --- From file to file --- */

static long read_into_page(struct file *f, int64_t *at, void *page, uint64_t bytes)
{
	struct io io = io_kernel(page, bytes < PAGE_BYTES ? bytes : PAGE_BYTES);

	return at ? file_read_at(f, &io, *at) : file_read(f, &io);
}

static long write_piece(struct file *f, int64_t *at, const void *page, long bytes)
{
	struct io io = io_kernel(page, (uint64_t)bytes);

	return at ? file_write_at(f, &io, *at) : file_write(f, &io);
}

static void move_position(struct file *f, int64_t *at, int64_t by)
{
	if (at)
		*at += by;
	else if (!f->ops->is_stream)
		file_seek(f, by, SEEK_CUR);
}

/* Copies at most one page. If less was written than was read, the rest will be read again. */
static long copy_piece(struct file *to, int64_t *to_at, struct file *from, int64_t *from_at,
		       void *page, uint64_t bytes)
{
	const long n = read_into_page(from, from_at, page, bytes);
	long done;

	if (n <= 0)
		return n;
	done = write_piece(to, to_at, page, n);
	if (from_at)
		*from_at += done > 0 ? done : 0;
	else if (done < n)
		move_position(from, NULL, (done > 0 ? done : 0) - n);
	if (to_at && done > 0)
		*to_at += done;
	return done;
}

static long copy_pieces(struct file *to, int64_t *to_at, struct file *from, int64_t *from_at,
			void *page, uint64_t bytes)
{
	uint64_t sum = 0;
	long n = 0;

	while (sum < bytes) {
		n = copy_piece(to, to_at, from, from_at, page, bytes - sum);
		if (n <= 0)
			break;
		sum += (uint64_t)n;
		if (n < PAGE_BYTES && sum < bytes && from->ops->is_stream)
			break;
	}
	return sum ? (long)sum : n;
}

long file_copy(struct file *to, int64_t *to_at, struct file *from, int64_t *from_at, uint64_t bytes)
{
	void *page = page_ref_new();
	long n;

	if (!page)
		return -ENOMEM;
	n = copy_pieces(to, to_at, from, from_at, page,
			bytes < IO_BYTES_MOST ? bytes : IO_BYTES_MOST);
	page_ref_put(page);
	return n;
}

/* --- Positions and states --- */

int64_t file_seek_base(const struct file *f, int whence)
{
	switch (whence) {
	case SEEK_SET:
		return 0;
	case SEEK_CUR:
		return (int64_t)f->offset;
	case SEEK_END:
		return (int64_t)f->inode->size;
	default:
		return -EINVAL;
	}
}

int64_t file_seek_plain(struct file *f, int64_t offset, int whence)
{
	if (whence == SEEK_CUR)
		offset += (int64_t)f->offset;
	else if (whence != SEEK_SET)
		return -EINVAL;
	if (offset < 0)
		return -EINVAL;
	f->offset = (uint64_t)offset;
	return offset;
}

int64_t file_seek(struct file *f, int64_t offset, int whence)
{
	if (f->flags & O_PATH)
		return -EBADF;
	if (f->ops->is_stream || !f->ops->seek)
		return -ESPIPE;
	return f->ops->seek(f, offset, whence);
}

long file_ioctl(struct file *f, unsigned request, uint64_t argument)
{
	if (f->flags & O_PATH)
		return -EBADF;
	return f->ops->ioctl ? f->ops->ioctl(f, request, argument) : -ENOTTY;
}

int file_set_flags(struct file *f, int fd, unsigned flags)
{
	const unsigned changed = (f->flags ^ flags) & FILE_FLAGS_SET;

	f->flags ^= changed;
	if (changed & FASYNC && f->ops->async) {
		f->signal_fd = fd;
		f->ops->async(f, f->flags & FASYNC);
	}
	return 0;
}

int file_page(struct file *f, uint64_t index, bool own, void **page)
{
	return f->ops->page ? f->ops->page(f, index, own, page) : -ENODEV;
}

#define POLL_ALWAYS (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM)

unsigned file_poll(struct file *f, unsigned events, struct wait_queue **queue)
{
	*queue = NULL;
	if (f->flags & O_PATH)
		return POLLNVAL;
	return (f->ops->poll ? f->ops->poll(f, queue) : POLL_ALWAYS) & (events | POLLERR | POLLHUP);
}
