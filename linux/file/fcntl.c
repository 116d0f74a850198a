// SPDX-License-Identifier: BSD-2-Clause
/* fcntl.c - commands of fcntl(2), one row each: see fd_table.h. */
#include "linux/file/fd_table.h"

#include "linux/file/pipe.h"
#include "linux/file/regular.h"

#define SIGNALS 64

typedef long fcntl_fn(struct fd_table *table, int fd, struct file *f, uint64_t argument);

static long dup_fd(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f;
	return fd_dup(table, fd, (int)argument, false);
}

static long dup_closes(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f;
	return fd_dup(table, fd, (int)argument, true);
}

static long get_closes(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f, (void)argument;
	return fd_closes(table, fd);
}

static long set_closes(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)f;
	return fd_set_closes(table, fd, argument & FD_CLOEXEC);
}

static long get_flags(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd, (void)argument;
	return f->flags;
}

static long set_flags(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table;
	return file_set_flags(f, fd, (unsigned)argument);
}

static long get_owner(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd, (void)argument;
	return f->owner_kind == F_OWNER_PGRP ? -f->owner : f->owner;
}

static long set_owner(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	const int id = (int)argument;

	(void)table, (void)fd;
	f->owner = id < 0 ? -id : id;
	f->owner_kind = id < 0 ? F_OWNER_PGRP : F_OWNER_PID;
	return 0;
}

static long get_signal(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd, (void)argument;
	return f->signal;
}

static long set_signal(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd;
	if (argument > SIGNALS)
		return -EINVAL;
	f->signal = (int)argument;
	return 0;
}

static long get_pipe_size(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd, (void)argument;
	return pipe_size(f);
}

static long set_pipe_size(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd;
	return pipe_resize(f, argument);
}

static long get_seals(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd, (void)argument;
	return regular_seals(f->inode);
}

static long add_seals(struct fd_table *table, int fd, struct file *f, uint64_t argument)
{
	(void)table, (void)fd;
	return regular_add_seals(f, (unsigned)argument);
}

static const struct fcntl_row {
	unsigned command;
	bool with_path; /* also of a file that was opened with O_PATH */
	fcntl_fn *fn;
} rows[] = {
	{F_DUPFD, true, dup_fd},
	{F_DUPFD_CLOEXEC, true, dup_closes},
	{F_GETFD, true, get_closes},
	{F_SETFD, true, set_closes},
	{F_GETFL, true, get_flags},
	{F_SETFL, false, set_flags},
	{F_GETOWN, false, get_owner},
	{F_SETOWN, false, set_owner},
	{F_GETSIG, false, get_signal},
	{F_SETSIG, false, set_signal},
	{F_GETPIPE_SZ, false, get_pipe_size},
	{F_SETPIPE_SZ, false, set_pipe_size},
	{F_GET_SEALS, false, get_seals},
	{F_ADD_SEALS, false, add_seals},
};

static const struct fcntl_row *find_row(unsigned command)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].command == command)
			return &rows[i];
	return NULL;
}

long fd_fcntl(struct fd_table *table, int fd, unsigned command, uint64_t argument)
{
	const struct fcntl_row *row = find_row(command);
	struct file *f = fd_get(table, fd);
	long result;

	if (!f)
		return -EBADF;
	if (!row)
		result = -EINVAL;
	else if (f->flags & O_PATH && !row->with_path)
		result = -EBADF;
	else
		result = row->fn(table, fd, f, argument);
	file_put(f);
	return result;
}
