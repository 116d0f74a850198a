// SPDX-License-Identifier: BSD-2-Clause
/* ioctl.c - requests of ioctl(2) that every file knows, one row each, before those of its kind: see
 * fd_table.h. */
#include "linux/file/fd_table.h"

#include "lib/math.h"
#include "linux/portable/locked.h"
#include "linux/file/regular.h"

#include <asm/ioctls.h>
#include <asm/stat.h>
#include <linux/fs.h>

typedef long ioctl_fn(struct fd_table *table, int fd, struct file *f, uint64_t argument);

static long mark_closes(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f, (void)argument;
	return fd_set_closes(table, fd, true);
}

static long mark_stays_open(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f, (void)argument;
	return fd_set_closes(table, fd, false);
}

/* The argument is the address of an int that is true or false. */
static long switch_flag(struct file *f, int fd, uint64_t argument, unsigned flag)
{
	int on;

	if (user_copy_in(&on, argument, sizeof(on)))
		return -EFAULT;
	return file_set_flags(f, fd, on ? f->flags | flag : f->flags & ~flag);
}

static long switch_nonblock(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table;
	return switch_flag(f, fd, argument, O_NONBLOCK);
}

/* A file that sends no signals refuses a change of the flag. */
static long switch_async(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	int on;

	(void)table;
	if (user_copy_in(&on, argument, sizeof(on)))
		return -EFAULT;
	if (!f->ops->async)
		return !on == !(f->flags & FASYNC) ? 0 : -ENOTTY;
	return switch_flag(f, fd, argument, FASYNC);
}

static bool has_size(const struct inode *inode)
{
	const uint32_t type = inode_type(inode);

	return type == MODE_REGULAR || type == MODE_DIRECTORY || type == MODE_LINK;
}

/* FIOQSIZE: the file's size. */
static long tell_size(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	struct stat st;
	uint64_t bytes;

	(void)table, (void)fd;
	if (!has_size(f->inode))
		return -ENOTTY;
	inode_stat(f->inode, &st);
	bytes = (uint64_t)st.st_blocks * 512;
	return user_copy_out(argument, &bytes, sizeof(bytes));
}

static long tell_block(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	static const int bytes = PAGE_BYTES;

	(void)table, (void)fd, (void)f;
	return user_copy_out(argument, &bytes, sizeof(bytes));
}

/* FIONREAD of a regular file: the bytes behind the offset. */
static long tell_left(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	uint64_t flags, left;
	int bytes;

	(void)table, (void)fd;
	if (inode_type(f->inode) != MODE_REGULAR)
		return file_ioctl(f, FIONREAD, argument);
	flags = tree_lock();
	left = f->inode->size > f->offset ? f->inode->size - f->offset : 0;
	tree_unlock(flags);
	bytes = (int)least_of(left, INT32_MAX);
	return user_copy_out(argument, &bytes, sizeof(bytes));
}

static const struct ioctl_row {
	unsigned request;
	ioctl_fn *fn;
} rows[] = {
	{FIOCLEX, mark_closes},   {FIONCLEX, mark_stays_open}, {FIONBIO, switch_nonblock},
	{FIOASYNC, switch_async}, {FIOQSIZE, tell_size},       {FIGETBSZ, tell_block},
	{FIONREAD, tell_left},
};

static const struct ioctl_row *find_ioctl(unsigned request)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].request == request)
			return &rows[i];
	return NULL;
}

long fd_ioctl(struct fd_table *table, int fd, unsigned request, uint64_t argument)
{
	const struct ioctl_row *row = find_ioctl(request);
	struct file *f = fd_get(table, fd);
	long result;

	if (!f)
		return -EBADF;
	if (f->flags & O_PATH)
		result = -EBADF;
	else
		result = row ? row->fn(table, fd, f, argument) : file_ioctl(f, request, argument);
	file_put(f);
	return result;
}
