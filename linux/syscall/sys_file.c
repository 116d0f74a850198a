// SPDX-License-Identifier: BSD-2-Clause
/* sys_file.c - open files: opening and closing, reading and writing, descriptors. */
#include "linux/syscall/syscall_files.h"
#include "linux/syscall/missing_files.h"
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/math.h"
#include "linux/file/fd_table.h"
#include "linux/file/pipe.h"
#include "linux/file/poll.h"
#include "linux/file/readdir.h"
#include "linux/file/record_lock.h"
#include "linux/file/regular.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/fadvise.h>
#include <linux/fs.h>

static struct fd_table *own_files(void)
{
	return sched_current()->process->files;
}

/* --- Opening --- */

/* A fifo is open when its other end is, too: before that it has no descriptor. */
static long wait_for_peer(struct task *t, struct file *f)
{
	struct wait_queue *queue;
	int err;

	if (!syscall_may_sleep())
		return -SIGNAL_RESTART;
	file_poll(f, 0, &queue);
	err = wait_set_add(&t->waits, f, queue);
	if (!err && fifo_await_peer(f))
		return syscall_sleep();
	return syscall_wait_end(err);
}

/* Finishes open(2) with the opened file, at once or after a sleep. */
static long finish_opening(struct task *t, struct file *f, unsigned flags)
{
	long err = 0;

	t->opening = NULL;
	if (!(flags & O_NONBLOCK) && fifo_await_peer(f))
		err = wait_for_peer(t, f);
	if (t->state != TASK_RUNNING)
		t->opening = f;
	else if (err)
		file_put(f);
	else
		return files_install(f, flags);
	return err;
}

static long open_user_path(int dirfd, uint64_t path, unsigned flags, uint32_t mode)
{
	struct task *t = sched_current();
	struct files_path p;
	struct file *f;
	int err;

	if (t->again && t->opening)
		return finish_opening(t, t->opening, flags);
	err = files_path(&p, dirfd, path);
	if (err)
		return err;
	err = tree_open(files_view(), p.start, p.text, flags, mode, &f);
	if (err == -ENOENT && !(flags & O_CREAT))
		sought_note(p.start, p.text);
	files_path_end(&p);
	return err ? err : finish_opening(t, f, flags);
}

static long sys_open(struct trap_frame *f)
{
	return open_user_path(AT_FDCWD, f->rdi, (unsigned)f->rsi, (uint32_t)f->rdx);
}

static long sys_openat(struct trap_frame *f)
{
	return open_user_path((int)f->rdi, f->rsi, (unsigned)f->rdx, (uint32_t)f->r10);
}

static long sys_creat(struct trap_frame *f)
{
	return open_user_path(AT_FDCWD, f->rdi, O_CREAT | O_WRONLY | O_TRUNC, (uint32_t)f->rsi);
}

static long sys_close(struct trap_frame *f)
{
	return fd_close(own_files(), (int)f->rdi);
}

static long sys_close_range(struct trap_frame *f)
{
	return fd_close_range(own_files(), (unsigned)f->rdi, (unsigned)f->rsi, f->rdx & 4);
}

/* --- Reading and writing --- */

/* A call on one open file. It is called only for a descriptor that is open. */
typedef long file_fn(struct file *f, struct trap_frame *frame);

static long with_file(uint64_t fd, file_fn *fn, struct trap_frame *frame)
{
	struct file *f = files_get(fd);
	long result;

	if (!f)
		return -EBADF;
	result = fn(f, frame);
	file_put(f);
	return result;
}

static long read_waiting(struct file *f, struct io *io)
{
	for (;;) {
		long n = file_read(f, io);

		if (n != -EAGAIN)
			return n;
		n = files_wait(f, POLLIN);
		if (n <= 0)
			return n;
	}
}

/* Writes everything before it returns, unless a signal or an error intervenes. */
static long write_waiting(struct file *f, struct io *io)
{
	struct task *t = sched_current();
	uint64_t done = t->again ? t->io_done : 0;

	if (done)
		io_skip(io, done);
	while (io->left || !done) {
		long n = file_write(f, io);

		if (n > 0)
			done += (uint64_t)n;
		if (n > 0 && f->ops->is_stream && io->left && !(f->flags & O_NONBLOCK))
			continue;
		if (n == -EPIPE)
			return files_broken_pipe();
		if (n != -EAGAIN || f->flags & O_NONBLOCK)
			return done ? (long)done : n;
		t->io_done = done;
		n = files_wait(f, POLLOUT);
		if (n < 0)
			return done ? (long)done : n;
		if (!n)
			return 0;
	}
	return (long)done;
}

static long do_read(struct file *f, struct trap_frame *frame)
{
	struct io io = io_user(frame->rsi, frame->rdx);

	return read_waiting(f, &io);
}

static long do_write(struct file *f, struct trap_frame *frame)
{
	struct io io = io_user(frame->rsi, frame->rdx);

	return frame->rdx ? write_waiting(f, &io) : file_write(f, &io);
}

static long do_pread(struct file *f, struct trap_frame *frame)
{
	struct io io = io_user(frame->rsi, frame->rdx);

	return file_read_at(f, &io, (int64_t)frame->r10);
}

static long do_pwrite(struct file *f, struct trap_frame *frame)
{
	struct io io = io_user(frame->rsi, frame->rdx);

	return file_write_at(f, &io, (int64_t)frame->r10);
}

#define PARTS_FEW 8

/* Reads the parts of readv(2) and similar calls from ring 3. `few` has room for the parts of most
 * calls. */
static long read_parts(const struct trap_frame *frame, struct io_part *few, struct io_part **parts,
		       struct io *io)
{
	const uint64_t n = frame->rdx;
	long err = 0;

	if (n > IO_PARTS_MOST)
		return -EINVAL;
	if (!n) {
		*parts = few;
		*io = io_user(0, 0);
		return 0;
	}
	*parts = n <= PARTS_FEW ? few : heap_alloc(n * sizeof(**parts));
	if (!*parts)
		return -ENOMEM;
	if (copy_from_user(*parts, frame->rsi, n * sizeof(**parts)))
		err = -EFAULT;
	if (!err)
		err = io_user_parts(io, *parts, n);
	if (err && *parts != few)
		heap_free(*parts);
	return err;
}

static long with_parts(struct file *f, struct trap_frame *frame,
		       long (*fn)(struct file *f, struct io *io, int64_t at))
{
	struct io_part few[PARTS_FEW], *parts;
	struct io io;
	long result = read_parts(frame, few, &parts, &io);

	if (result)
		return result;
	result = fn(f, &io, (int64_t)frame->r10);
	if (parts != few)
		heap_free(parts);
	return result;
}

static long read_here(struct file *f, struct io *io, int64_t at)
{
	(void)at;
	return read_waiting(f, io);
}

static long write_here(struct file *f, struct io *io, int64_t at)
{
	(void)at;
	return io->left ? write_waiting(f, io) : file_write(f, io);
}

static long do_readv(struct file *f, struct trap_frame *frame)
{
	return with_parts(f, frame, read_here);
}

static long do_writev(struct file *f, struct trap_frame *frame)
{
	return with_parts(f, frame, write_here);
}

static long do_preadv(struct file *f, struct trap_frame *frame)
{
	return with_parts(f, frame, file_read_at);
}

static long do_pwritev(struct file *f, struct trap_frame *frame)
{
	return with_parts(f, frame, file_write_at);
}

/* Flags of preadv2(2): files are in memory, so all reads and writes satisfy them. */
#define RWF_THERE ((uint64_t)(RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_NOWAIT))

static long do_preadv2(struct file *f, struct trap_frame *frame)
{
	if (frame->r9 & ~RWF_THERE)
		return -EOPNOTSUPP;
	return (int64_t)frame->r10 == -1 ? do_readv(f, frame) : do_preadv(f, frame);
}

static long do_pwritev2(struct file *f, struct trap_frame *frame)
{
	if (frame->r9 & ~RWF_THERE)
		return -EOPNOTSUPP;
	return (int64_t)frame->r10 == -1 ? do_writev(f, frame) : do_pwritev(f, frame);
}

static long do_lseek(struct file *f, struct trap_frame *frame)
{
	return file_seek(f, (int64_t)frame->rsi, (int)frame->rdx);
}

static long do_getdents64(struct file *f, struct trap_frame *frame)
{
	struct io io = io_user(frame->rsi, frame->rdx);

	return file_readdir(f, &io);
}

static long do_ftruncate(struct file *f, struct trap_frame *frame)
{
	return file_can_write(f) ? regular_truncate(f->inode, (int64_t)frame->rsi) : -EINVAL;
}

static long do_fallocate(struct file *f, struct trap_frame *frame)
{
	return regular_allocate(f, (unsigned)frame->rsi, (int64_t)frame->rdx, (int64_t)frame->r10);
}

/* Files are in memory, so there is nothing to flush or to read ahead. */

static long do_fsync(struct file *f, struct trap_frame *frame)
{
	(void)frame;
	if (f->flags & O_PATH)
		return -EBADF;
	return f->ops->is_stream ? -EINVAL : 0;
}

static long do_syncfs(struct file *f, struct trap_frame *frame)
{
	(void)frame;
	return f->flags & O_PATH ? -EBADF : 0;
}

#define SYNC_RANGE_FLAGS                                                  \
	((uint64_t)(SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | \
		    SYNC_FILE_RANGE_WAIT_AFTER))

static long do_sync_file_range(struct file *f, struct trap_frame *frame)
{
	int64_t end;

	if (f->flags & O_PATH)
		return -EBADF;
	if (frame->r10 & ~SYNC_RANGE_FLAGS || (int64_t)frame->rsi < 0 || (int64_t)frame->rdx < 0 ||
	    __builtin_add_overflow((int64_t)frame->rsi, (int64_t)frame->rdx, &end))
		return -EINVAL;
	return f->ops->is_stream ? -ESPIPE : 0;
}

static long do_fadvise64(struct file *f, struct trap_frame *frame)
{
	if (f->flags & O_PATH)
		return -EBADF;
	if (f->ops->is_stream)
		return -ESPIPE;
	return (int64_t)frame->rdx < 0 || frame->r10 > POSIX_FADV_NOREUSE ? -EINVAL : 0;
}

static long do_readahead(struct file *f, struct trap_frame *frame)
{
	(void)frame;
	if (!file_can_read(f))
		return -EBADF;
	return inode_has_content(f->inode) ? 0 : -EINVAL;
}

/* --- Locks --- */

typedef int lock_fn(struct file *f, unsigned how, struct flock *lock);

/* Tries again once the task is queued: a release before that has woken nothing. */
static long lock_or_wait(lock_fn *lock_try, struct file *f, unsigned how, struct flock *lock)
{
	struct task *t = sched_current();
	long err = lock_try(f, how, lock);

	if (err != -EAGAIN)
		return err;
	if (!syscall_may_sleep()) {
		record_lock_wait_end(&t->lock_wait);
		return -SIGNAL_RESTART;
	}
	err = wait_set_add(&t->waits, NULL, &record_lock_queue);
	if (!err)
		err = lock_try(f, how, lock);
	if (err == -EAGAIN)
		return syscall_sleep();
	record_lock_wait_end(&t->lock_wait);
	return syscall_wait_end(err);
}

#define LOCK_NOW 4u /* LOCK_NB of flock(2) */

static int try_flock(struct file *f, unsigned operation, struct flock *lock)
{
	(void)lock;
	return file_flock(f, operation);
}

static long do_flock(struct file *f, struct trap_frame *frame)
{
	const unsigned operation = (unsigned)frame->rsi & ~LOCK_NOW;

	return frame->rsi & LOCK_NOW ? file_flock(f, operation)
				     : lock_or_wait(try_flock, f, operation, NULL);
}

enum lock_command { LOCK_NONE, LOCK_GET, LOCK_SET, LOCK_WAIT };

static enum lock_command lock_command(unsigned command)
{
	switch (command) {
	case F_GETLK:
	case F_OFD_GETLK:
		return LOCK_GET;
	case F_SETLK:
	case F_OFD_SETLK:
		return LOCK_SET;
	case F_SETLKW:
	case F_OFD_SETLKW:
		return LOCK_WAIT;
	default:
		return LOCK_NONE;
	}
}

static int try_lock(struct file *f, unsigned command, struct flock *lock)
{
	struct task *t = sched_current();

	return record_lock_fcntl(f, own_files(), (int)t->pid, command, lock, &t->lock_wait);
}

static long do_lock(struct file *f, struct trap_frame *frame)
{
	const unsigned command = (unsigned)frame->rsi;
	struct flock lock;
	long err;

	if (copy_from_user(&lock, frame->rdx, sizeof(lock)))
		return -EFAULT;
	if (lock_command(command) == LOCK_WAIT)
		return lock_or_wait(try_lock, f, command, &lock);
	err = try_lock(f, command, &lock);
	if (!err && lock_command(command) == LOCK_GET)
		err = copy_to_user(frame->rdx, &lock, sizeof(lock));
	return err;
}

/* --- Calls on one file --- */

static long note_read(long n)
{
	struct process_io *io = &sched_current()->process->io;

	io->reads++;
	io->read += n > 0 ? (uint64_t)n : 0;
	return n;
}

static long note_written(long n)
{
	struct process_io *io = &sched_current()->process->io;

	io->writes++;
	io->written += n > 0 ? (uint64_t)n : 0;
	return n;
}

#define NOTED_CALL(name, fd, note)                           \
	static long sys_##name(struct trap_frame *f)         \
	{                                                    \
		return note(with_file(f->fd, do_##name, f)); \
	}
NOTED_CALL(write, rdi, note_written)
NOTED_CALL(pread, rdi, note_read)
NOTED_CALL(pwrite, rdi, note_written)
NOTED_CALL(readv, rdi, note_read)
NOTED_CALL(writev, rdi, note_written)
NOTED_CALL(preadv, rdi, note_read)
NOTED_CALL(pwritev, rdi, note_written)
NOTED_CALL(preadv2, rdi, note_read)
NOTED_CALL(pwritev2, rdi, note_written)
#undef NOTED_CALL

#define FILE_CALL(name, fd)                            \
	static long sys_##name(struct trap_frame *f)   \
	{                                              \
		return with_file(f->fd, do_##name, f); \
	}
FILE_CALL(lseek, rdi)
FILE_CALL(getdents64, rdi)
FILE_CALL(ftruncate, rdi)
FILE_CALL(fallocate, rdi)
FILE_CALL(fsync, rdi)
FILE_CALL(syncfs, rdi)
FILE_CALL(sync_file_range, rdi)
FILE_CALL(fadvise64, rdi)
FILE_CALL(readahead, rdi)
FILE_CALL(flock, rdi)
#undef FILE_CALL

static long sys_read(struct trap_frame *f)
{
	return note_read(with_file(f->rdi, do_read, f));
}

/* Most reads of an event get only its count, and have to be fast. Without other threads nothing
 * closes the file meanwhile. */
static USER_BRIEF long brief_read(uint64_t fd, uint64_t to, uint64_t bytes)
{
	const struct process *p = sched_running->process;
	const struct file *file;
	uint64_t word;

	if (p->threads != 1 || p->files->refs != 1 || bytes < sizeof(word))
		return USER_NOT_BRIEF;
	file = fd_peek(p->files, fd);
	if (!file || !file->ops->read_word || !file->ops->read_word(file, &word) ||
	    put_user(to, word))
		return USER_NOT_BRIEF;
	return sizeof(word);
}

/* --- From one file to another --- */

/* A range of bytes of a file to be copied; `at`: its own offset where ring 3 names none. */
struct copied {
	struct file *file;
	int64_t at;
};

/* May the copy be made? 0 or -E. */
typedef int may_copy_fn(const struct copied *to, const struct copied *from, uint64_t bytes);

static int may_send(const struct copied *to, const struct copied *from, uint64_t bytes)
{
	(void)bytes;
	if (!file_can_write(to->file) || !file_can_read(from->file))
		return -EBADF;
	return to->file->flags & O_APPEND || inode_is_directory(from->file->inode) ? -EINVAL : 0;
}

static bool is_regular(const struct file *f)
{
	return inode_type(f->inode) == MODE_REGULAR;
}

static int may_copy_range(const struct copied *to, const struct copied *from, uint64_t bytes)
{
	if (inode_is_directory(to->file->inode) || inode_is_directory(from->file->inode))
		return -EISDIR;
	if (!is_regular(to->file) || !is_regular(from->file))
		return -EINVAL;
	if (!file_can_read(from->file) || !file_can_write(to->file) || to->file->flags & O_APPEND)
		return -EBADF;
	return to->file->inode == from->file->inode && to->at < from->at + (int64_t)bytes &&
			       from->at < to->at + (int64_t)bytes
		       ? -EINVAL
		       : 0;
}

static struct copied copied_of(struct file *f, const int64_t *at)
{
	return (struct copied){f, at ? *at : (int64_t)f->offset};
}

/* Offsets of ring 3 are read, and written back; NULL: the file's own offset. */
static long copy_between_files(uint64_t to_fd, uint64_t to_at, uint64_t from_fd, uint64_t from_at,
			       uint64_t bytes, may_copy_fn *may_copy)
{
	int64_t at[2];
	struct file *to, *from;
	long n = -EBADF;

	if ((to_at && copy_from_user(&at[0], to_at, sizeof(at[0]))) ||
	    (from_at && copy_from_user(&at[1], from_at, sizeof(at[1]))))
		return -EFAULT;
	to = files_get(to_fd);
	from = files_get(from_fd);
	if (to && from) {
		const struct copied target = copied_of(to, to_at ? &at[0] : NULL),
				    source = copied_of(from, from_at ? &at[1] : NULL);

		n = may_copy(&target, &source, least_of(bytes, IO_BYTES_MOST));
	}
	if (!n)
		n = file_copy(to, to_at ? &at[0] : NULL, from, from_at ? &at[1] : NULL, bytes);
	file_put(to);
	file_put(from);
	if (n < 0)
		return n;
	if ((to_at && copy_to_user(to_at, &at[0], sizeof(at[0]))) ||
	    (from_at && copy_to_user(from_at, &at[1], sizeof(at[1]))))
		return -EFAULT;
	return n;
}

static long sys_sendfile(struct trap_frame *f)
{
	return copy_between_files(f->rdi, 0, f->rsi, f->rdx, f->r10, may_send);
}

static long sys_copy_file_range(struct trap_frame *f)
{
	return f->r9 ? -EINVAL
		     : copy_between_files(f->rdx, f->r10, f->rdi, f->rsi, f->r8, may_copy_range);
}

/* --- Descriptors --- */

static long sys_dup(struct trap_frame *f)
{
	return fd_dup(own_files(), (int)f->rdi, 0, false);
}

static long sys_dup2(struct trap_frame *f)
{
	return fd_dup_to(own_files(), (int)f->rdi, (int)f->rsi, false, true);
}

static long sys_dup3(struct trap_frame *f)
{
	if (f->rdx & ~(uint64_t)O_CLOEXEC)
		return -EINVAL;
	return fd_dup_to(own_files(), (int)f->rdi, (int)f->rsi, f->rdx & O_CLOEXEC, false);
}

static long sys_ioctl(struct trap_frame *f)
{
	return fd_ioctl(own_files(), (int)f->rdi, (unsigned)f->rsi, f->rdx);
}

static bool is_owner_command(unsigned command)
{
	return command == F_SETOWN_EX || command == F_GETOWN_EX;
}

static long do_owner(struct file *f, struct trap_frame *frame)
{
	struct f_owner_ex owner = {f->owner_kind, f->owner};

	if (frame->rsi == F_GETOWN_EX)
		return copy_to_user(frame->rdx, &owner, sizeof(owner)) ? -EFAULT : 0;
	if (copy_from_user(&owner, frame->rdx, sizeof(owner)))
		return -EFAULT;
	if ((unsigned)owner.type > F_OWNER_PGRP || owner.pid < 0)
		return -EINVAL;
	f->owner_kind = owner.type;
	f->owner = owner.pid;
	return 0;
}

static long sys_fcntl(struct trap_frame *f)
{
	if (is_owner_command((unsigned)f->rsi))
		return with_file(f->rdi, do_owner, f);
	if (lock_command((unsigned)f->rsi))
		return with_file(f->rdi, do_lock, f);
	return fd_fcntl(own_files(), (int)f->rdi, (unsigned)f->rsi, f->rdx);
}

const struct syscall_row syscall_file_rows[] = {
	{__NR_open, sys_open},
	{__NR_openat, sys_openat},
	{__NR_creat, sys_creat},
	{__NR_close, sys_close},
	{__NR_close_range, sys_close_range},
	{__NR_read, sys_read},
	{__NR_write, sys_write},
	{__NR_pread64, sys_pread},
	{__NR_pwrite64, sys_pwrite},
	{__NR_readv, sys_readv},
	{__NR_writev, sys_writev},
	{__NR_preadv, sys_preadv},
	{__NR_pwritev, sys_pwritev},
	{__NR_preadv2, sys_preadv2},
	{__NR_pwritev2, sys_pwritev2},
	{__NR_lseek, sys_lseek},
	{__NR_ioctl, sys_ioctl},
	{__NR_getdents64, sys_getdents64},
	{__NR_ftruncate, sys_ftruncate},
	{__NR_fallocate, sys_fallocate},
	{__NR_fsync, sys_fsync},
	{__NR_fdatasync, sys_fsync},
	{__NR_syncfs, sys_syncfs},
	{__NR_sync_file_range, sys_sync_file_range},
	{__NR_fadvise64, sys_fadvise64},
	{__NR_readahead, sys_readahead},
	{__NR_flock, sys_flock},
	{__NR_sendfile, sys_sendfile},
	{__NR_copy_file_range, sys_copy_file_range},
	{__NR_dup, sys_dup},
	{__NR_dup2, sys_dup2},
	{__NR_dup3, sys_dup3},
	{__NR_fcntl, sys_fcntl},
	{0, NULL},
};

const struct syscall_brief_row syscall_file_brief[] = {
	{__NR_read, brief_read},
	{0, NULL},
};
