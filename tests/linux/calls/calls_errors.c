// SPDX-License-Identifier: BSD-2-Clause
/* calls_errors.c - errors of calls on files, as the man pages have them; a topic to a function. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define BAD_FD 999

static int file_of(const char *name, int flags)
{
	return open(name, flags | O_CREAT, 0644);
}

static char long_name[5000];

/* --- ioctl(2) that every file has --- */

static void check_ioctl_of(int fd, int readable, int async)
{
	int on = 1, off = 0, n = -1;

	check(!ioctl(fd, FIOCLEX) && fcntl(fd, F_GETFD) == FD_CLOEXEC);
	check(!ioctl(fd, FIONCLEX) && fcntl(fd, F_GETFD) == 0);
	check(!ioctl(fd, FIONBIO, &on) && fcntl(fd, F_GETFL) & O_NONBLOCK);
	check(!ioctl(fd, FIONBIO, &off) && !(fcntl(fd, F_GETFL) & O_NONBLOCK));
	check_error(ioctl(fd, FIONBIO, nowhere), EFAULT);
	check_error(ioctl(fd, FIOASYNC, nowhere), EFAULT);
	check(!ioctl(fd, FIOASYNC, &off));
	if (async >= 0)
		check_error(ioctl(fd, FIOASYNC, &on), async ? 0 : ENOTTY);
	if (async > 0)
		check(!ioctl(fd, FIOASYNC, &off));
	if (readable)
		check(!ioctl(fd, FIONREAD, &n) && n >= 0);
}

static void check_ioctls(void)
{
	int pipes[2], fd = file_of("f", O_RDWR), path, n;
	const int event = eventfd(0, 0), poll = epoll_create1(0);
	long long size = 0;

	check(!pipe(pipes) && write(fd, "hello", 5) == 5 && write(pipes[1], "abc", 3) == 3);
	check_ioctl_of(pipes[0], 1, -1);
	check_ioctl_of(pipes[1], 1, -1);
	check_ioctl_of(event, 0, 0);
	check_ioctl_of(poll, 0, 0);
	check_ioctl_of(fd, 1, 0);
	check(!ioctl(pipes[0], FIONREAD, &n) && n == 3);
	check(!ioctl(fd, FIONREAD, &n) && n == 0 && lseek(fd, 1, SEEK_SET) == 1);
	check(!ioctl(fd, FIOQSIZE, &size) && size == 4096);
	check_error(ioctl(event, FIONREAD, &n), ENOTTY);
	check_error(ioctl(pipes[0], FIOQSIZE, &size), ENOTTY);
	check(!ioctl(fd, FIGETBSZ, &n) && n == 4096);
	check_error(ioctl(fd, TCGETS, &n), ENOTTY);
	check_error(ioctl(BAD_FD, FIOCLEX), EBADF);
	path = open("f", O_PATH);
	check_error(ioctl(path, FIOCLEX), EBADF);
	close(path);
	close(fd);
	close(event);
	close(poll);
	close(pipes[0]);
	close(pipes[1]);
}

/* --- Reading and writing --- */

static void check_transfers(void)
{
	char room[64] = "0123456789";
	struct iovec parts[3] = {{room, 4}, {nowhere, 4}, {room + 4, 4}};
	struct iovec empty = {room, 0}, negative = {room, (size_t)-1};
	int fd = file_of("t", O_RDWR | O_TRUNC), pipes[2];
	const int reads = open("t", O_RDONLY), writes = open("t", O_WRONLY),
		  dir = open(".", O_RDONLY);

	check(!pipe(pipes));
	/* The parts before the bad part are written; a first part that is bad is an error. */
	check(writev(fd, parts, 3) == 4 && lseek(fd, 0, SEEK_CUR) == 4);
	check_error(writev(fd, parts + 1, 2), EFAULT);
	check(lseek(fd, 0, SEEK_CUR) == 4 && lseek(fd, 0, SEEK_END) == 4);
	check(!lseek(fd, 0, SEEK_SET) && readv(fd, parts, 3) == 4);
	check_error(pwritev(fd, parts + 1, 2, 0), EFAULT);
	check(pwritev(fd, parts, 2, 100) == 4 && lseek(fd, 0, SEEK_END) == 104);
	check(writev(fd, &empty, 1) == 0 && writev(fd, NULL, 0) == 0 && readv(fd, NULL, 0) == 0);
	check_error(writev(fd, &negative, 1), EINVAL);
	check_error(readv(fd, &negative, 1), EINVAL);
	check_error(syscall(SYS_writev, fd, parts, -1), EINVAL);
	check_error(syscall(SYS_writev, fd, parts, 1025), EINVAL);
	check_error(writev(fd, nowhere, 1), EFAULT);
	check_error(readv(fd, nowhere, 1), EFAULT);
	check_error(writev(BAD_FD, parts, 1), EBADF);
	check_error(writev(reads, parts, 1), EBADF);
	check_error(readv(writes, parts, 1), EBADF);
	check_error(readv(dir, parts, 1), EISDIR);
	check_error(read(dir, room, 1), EISDIR);
	check_error(write(dir, room, 1), EBADF);
	check_error(read(writes, room, 1), EBADF);
	check_error(write(reads, room, 1), EBADF);
	check_error(pread(fd, room, 1, -1), EINVAL);
	check_error(pwrite(fd, room, 1, -1), EINVAL);
	check_error(pread(pipes[0], room, 1, 0), ESPIPE);
	check_error(pwrite(pipes[1], room, 1, 0), ESPIPE);
	check_error(preadv(pipes[0], parts, 1, 0), ESPIPE);
	check_error(preadv(fd, parts, 1, -1), EINVAL);
	check_error(pread(BAD_FD, room, 1, 0), EBADF);
	check_error(pread(dir, room, 1, 0), EISDIR);
	check_error(preadv2(fd, parts, 1, 0, 0x1000), EOPNOTSUPP);
	check_error(pwritev2(fd, parts, 1, 0, 0x1000), EOPNOTSUPP);
	check_error(preadv2(fd, parts, 1, -2, 0), EINVAL);
	check(preadv2(fd, parts, 1, 0, RWF_HIPRI) == 4 || errno == EOPNOTSUPP);
	check_error(lseek(fd, -1, SEEK_SET), EINVAL);
	check_error(lseek(fd, 0, 77), EINVAL);
	check_error(lseek(pipes[0], 0, SEEK_SET), ESPIPE);
	check_error(lseek(BAD_FD, 0, SEEK_SET), EBADF);
	check_error(lseek(fd, 1000, SEEK_DATA), ENXIO);
	close(pipes[0]);
	close(pipes[1]);
	close(fd);
	close(reads);
	close(writes);
	close(dir);
}

static void check_copies(void)
{
	int in = file_of("in", O_RDWR | O_TRUNC), out = file_of("out", O_RDWR | O_TRUNC), pipes[2];
	const int reads = open("out", O_RDONLY), writes = open("in", O_WRONLY),
		  dir = open(".", O_RDONLY);
	const int appends = open("out", O_WRONLY | O_APPEND);
	off_t at = 2, negative = -1;

	check(!pipe(pipes) && write(in, "0123456789", 10) == 10);
	check(sendfile(out, in, &at, 3) == 3 && at == 5 && lseek(out, 0, SEEK_CUR) == 3);
	check_error(sendfile(reads, in, &at, 1), EBADF);
	check_error(sendfile(out, writes, &at, 1), EBADF);
	check_error(sendfile(BAD_FD, in, &at, 1), EBADF);
	check_error(sendfile(out, BAD_FD, &at, 1), EBADF);
	check_error(sendfile(out, in, &negative, 1), EINVAL);
	check_error(sendfile(out, in, nowhere, 1), EFAULT);
	check_error(sendfile(appends, in, &at, 1), EINVAL);
	check_error(sendfile(out, pipes[0], &at, 1), ESPIPE);
	check_error(sendfile(out, dir, NULL, 1), EINVAL);
	check(sendfile(out, in, &at, 0) == 0);
	check_error(copy_file_range(in, NULL, reads, NULL, 1, 0), EBADF);
	check_error(copy_file_range(writes, NULL, out, NULL, 1, 0), EBADF);
	check_error(copy_file_range(in, NULL, appends, NULL, 1, 0), EBADF);
	check_error(copy_file_range(dir, NULL, out, NULL, 1, 0), EISDIR);
	check_error(copy_file_range(in, NULL, out, NULL, 1, 1), EINVAL);
	check_error(copy_file_range(pipes[0], NULL, out, NULL, 1, 0), EINVAL);
	check_error(copy_file_range(in, NULL, BAD_FD, NULL, 1, 0), EBADF);
	at = 0;
	check_error(copy_file_range(in, &at, in, &(off64_t){5}, 6, 0), EINVAL);
	at = 100;
	check(copy_file_range(in, &at, out, NULL, 6, 0) == 0);
	close(in);
	close(out);
	close(pipes[0]);
	close(pipes[1]);
	close(reads);
	close(writes);
	close(appends);
	close(dir);
}

/* --- Sizes --- */

static void check_sizes(void)
{
	int fd = file_of("s", O_RDWR | O_TRUNC), pipes[2];
	const int reads = open("s", O_RDONLY);

	check(!pipe(pipes));
	check_error(ftruncate(fd, -1), EINVAL);
	check_error(ftruncate(reads, 1), EINVAL);
	check_error(ftruncate(BAD_FD, 1), EBADF);
	check_error(ftruncate(pipes[1], 1), EINVAL);
	check_error(truncate("s", -1), EINVAL);
	check_error(truncate("none", 1), ENOENT);
	check_error(truncate(".", 1), EISDIR);
	check_error(truncate("s/x", 1), ENOTDIR);
	check_error(truncate(nowhere, 1), EFAULT);
	check_error(truncate(long_name, 1), ENAMETOOLONG);
	check_error(truncate("", 1), ENOENT);
	check_error(fallocate(fd, 0, -1, 1), EINVAL);
	check_error(fallocate(fd, 0, 0, 0), EINVAL);
	check_error(fallocate(fd, 0, 0, -1), EINVAL);
	check_error(fallocate(reads, 0, 0, 1), EBADF);
	check_error(fallocate(BAD_FD, 0, 0, 1), EBADF);
	check_error(fallocate(pipes[1], 0, 0, 1), ESPIPE);
	check_error(fallocate(fd, 0, INT64_MAX, 4096), EFBIG);
	check_error(fallocate(fd, 0x4000, 0, 1), EOPNOTSUPP);
	check_error(posix_fadvise(BAD_FD, 0, 0, POSIX_FADV_NORMAL) == EBADF ? (errno = EBADF, -1)
									    : 0,
		    EBADF);
	check_error(syscall(SYS_fadvise64, fd, 0, 0, 99), EINVAL);
	check_error(syscall(SYS_fadvise64, pipes[0], 0, 0, POSIX_FADV_NORMAL), ESPIPE);
	check_error(syscall(SYS_fadvise64, fd, 0, -1L, POSIX_FADV_NORMAL), EINVAL);
	check_error(readahead(BAD_FD, 0, 1), EBADF);
	check_error(readahead(pipes[0], 0, 1), EINVAL);
	check(!readahead(fd, 0, 1));
	check_error(sync_file_range(BAD_FD, 0, 1, SYNC_FILE_RANGE_WRITE), EBADF);
	check_error(sync_file_range(pipes[0], 0, 1, SYNC_FILE_RANGE_WRITE), ESPIPE);
	check_error(sync_file_range(fd, -1, 1, SYNC_FILE_RANGE_WRITE), EINVAL);
	check_error(sync_file_range(fd, 0, -1, SYNC_FILE_RANGE_WRITE), EINVAL);
	check_error(sync_file_range(fd, 0, 1, 8), EINVAL);
	check_error(fsync(BAD_FD), EBADF);
	check_error(fsync(pipes[0]), EINVAL);
	check_error(fdatasync(pipes[0]), EINVAL);
	check_error(syncfs(BAD_FD), EBADF);
	check(!fsync(fd) && !syncfs(fd));
	close(fd);
	close(reads);
	close(pipes[0]);
	close(pipes[1]);
}

/* --- Locks and edges --- */

static int locks_told(int fd, short type, off_t from, off_t *start, off_t *length)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from};

	if (fcntl(fd, F_GETLK, &lock))
		return 0;
	*start = lock.l_start;
	*length = lock.l_len;
	return lock.l_type == type;
}

static void set_lock(int fd, short type, off_t start, off_t length)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};

	check(!fcntl(fd, F_SETLK, &lock));
}

/* In a child: F_GETLK reports the lowest of several locks, and adjacent pieces are one lock. */
static int look_at_locks(int fd)
{
	off_t start, length;

	if (!locks_told(fd, F_WRLCK, 0, &start, &length) || start != 10 || length != 10)
		return 1;
	if (!locks_told(fd, F_RDLCK, 20, &start, &length) || start != 20 || length != 30)
		return 2;
	if (!locks_told(fd, F_WRLCK, 50, &start, &length) || start != 60 || length != 20)
		return 3;
	return locks_told(fd, F_UNLCK, 100, &start, &length) ? 0 : 4;
}

static void check_locks(void)
{
	const int fd = file_of("l", O_RDWR);
	int status;
	pid_t pid;

	set_lock(fd, F_WRLCK, 60, 10);
	set_lock(fd, F_WRLCK, 10, 40);
	set_lock(fd, F_RDLCK, 20, 20);
	set_lock(fd, F_RDLCK, 40, 10);
	set_lock(fd, F_WRLCK, 70, 10);
	pid = fork();
	if (!pid)
		_exit(look_at_locks(fd));
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(fd);
}

/* An edge is new data or new room: neither data that a reader leaves nor a further write is one. */
static void check_edges(void)
{
	const int poll = epoll_create1(0);
	struct epoll_event in = {.events = EPOLLIN | EPOLLET}, out = {.events = EPOLLOUT | EPOLLET},
			   got;
	char room[64] = "";
	int pipes[2];

	check(!pipe(pipes) && !epoll_ctl(poll, EPOLL_CTL_ADD, pipes[0], &in));
	check(write(pipes[1], room, 40) == 40 && epoll_wait(poll, &got, 1, 0) == 1);
	check(read(pipes[0], room, 20) == 20 && epoll_wait(poll, &got, 1, 0) == 0);
	check(write(pipes[1], room, 1) == 1 && epoll_wait(poll, &got, 1, 0) == 1 &&
	      got.events == EPOLLIN);
	check(!epoll_ctl(poll, EPOLL_CTL_DEL, pipes[0], NULL));
	check(!epoll_ctl(poll, EPOLL_CTL_ADD, pipes[1], &out) && epoll_wait(poll, &got, 1, 0) == 1);
	check(write(pipes[1], room, 10) == 10 && epoll_wait(poll, &got, 1, 0) == 0);
	close(poll);
	close(pipes[0]);
	close(pipes[1]);
}

/* --- Names --- */

static void check_renames(void)
{
	close(file_of("a", O_RDWR));
	close(file_of("b", O_RDWR));
	check(!mkdir("d", 0755) && !mkdir("d/e", 0755) && !mkdir("empty", 0755));
	close(file_of("d/f", O_RDWR));
	check_error(rename("none", "x"), ENOENT);
	check_error(rename("a", "none/x"), ENOENT);
	check_error(rename("a", "b/x"), ENOTDIR);
	check_error(rename("a/", "x"), ENOTDIR);
	check_error(rename("a", "d"), EISDIR);
	check_error(rename("d", "a"), ENOTDIR);
	check_error(rename("d", "d/e/x"), EINVAL);
	check_error(rename("d", "d/x"), EINVAL);
	check_error(rename("empty", "d"), ENOTEMPTY);
	check_error(rename(".", "x"), EBUSY);
	check_error(rename("d/..", "x"), EBUSY);
	check_error(rename("a", "."), EBUSY);
	check_error(rename("a", "d/.."), EBUSY);
	check_error(rename("", "x"), ENOENT);
	check_error(rename("a", ""), ENOENT);
	check_error(rename(nowhere, "x"), EFAULT);
	check_error(rename("a", nowhere), EFAULT);
	check_error(rename(long_name, "x"), ENAMETOOLONG);
	check_error(rename("a", long_name), ENAMETOOLONG);
	check(!rename("empty", "d/e") && !rename("a", "a"));
	check(!symlink("loop2", "loop1") && !symlink("loop1", "loop2"));
	check_error(rename("loop1/x", "y"), ELOOP);
	check_error(rename("a", "loop1/y"), ELOOP);
	check_error(syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "b", RENAME_NOREPLACE), EEXIST);
	check_error(syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "none", RENAME_EXCHANGE),
		    ENOENT);
	check_error(syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "b",
			    RENAME_NOREPLACE | RENAME_EXCHANGE),
		    EINVAL);
	check_error(syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "b", 0x100), EINVAL);
	check_error(renameat(BAD_FD, "a", AT_FDCWD, "b"), EBADF);
	check(!syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "d", RENAME_EXCHANGE));
	check(!syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "d", RENAME_EXCHANGE));
}

static void check_links(void)
{
	char room[64];

	check_error(link("none", "x"), ENOENT);
	check_error(link("a", "b"), EEXIST);
	check_error(link("d", "x"), EPERM);
	check_error(link("a/x", "x"), ENOTDIR);
	check_error(link("a", "none/x"), ENOENT);
	check_error(link("", "x"), ENOENT);
	check_error(link("a", ""), ENOENT);
	check_error(link(nowhere, "x"), EFAULT);
	check_error(link(long_name, "x"), ENAMETOOLONG);
	check_error(link("loop1/x", "x"), ELOOP);
	check_error(linkat(AT_FDCWD, "a", AT_FDCWD, "x", 0x1), EINVAL);
	check_error(linkat(BAD_FD, "a", AT_FDCWD, "x", 0), EBADF);
	check_error(symlink("", "x"), ENOENT);
	check_error(symlink("a", ""), ENOENT);
	check_error(symlink("a", "b"), EEXIST);
	check_error(symlink(long_name, "x"), ENAMETOOLONG);
	check_error(symlink("a", long_name), ENAMETOOLONG);
	check_error(symlink(nowhere, "x"), EFAULT);
	check_error(symlink("a", "b/x"), ENOTDIR);
	check_error(readlink("a", room, 1), EINVAL);
	check_error(readlink("none", room, 1), ENOENT);
	check_error(readlink("loop1", room, 0), EINVAL);
	check_error(readlink("loop1", nowhere, 1), EFAULT);
	check_error(readlink("a/x", room, 1), ENOTDIR);
	check_error(readlink("loop1/x", room, 1), ELOOP);
	check_error(readlink(long_name, room, 1), ENAMETOOLONG);
	check(readlink("loop1", room, 2) == 2);
	check_error(unlink("none"), ENOENT);
	check_error(unlink("d"), EISDIR);
	check_error(unlink("a/x"), ENOTDIR);
	check_error(unlink(""), ENOENT);
	check_error(unlink(nowhere), EFAULT);
	check_error(unlink(long_name), ENAMETOOLONG);
	check_error(unlink("loop1/x"), ELOOP);
	check_error(unlinkat(AT_FDCWD, "d", 0x1), EINVAL);
	check_error(unlinkat(AT_FDCWD, "a", AT_REMOVEDIR), ENOTDIR);
	check_error(unlinkat(BAD_FD, "a", 0), EBADF);
	check_error(rmdir("d"), ENOTEMPTY);
	check_error(rmdir("none"), ENOENT);
	check_error(rmdir("a"), ENOTDIR);
	check_error(rmdir("d/."), EINVAL);
	check_error(rmdir("d/e/.."), ENOTEMPTY);
	check_error(rmdir("loop1/x"), ELOOP);
	check_error(rmdir(long_name), ENAMETOOLONG);
	check_error(rmdir(nowhere), EFAULT);
	check_error(mkdir("d", 0755), EEXIST);
	check_error(mkdir("a", 0755), EEXIST);
	check_error(mkdir("none/x", 0755), ENOENT);
	check_error(mkdir("a/x", 0755), ENOTDIR);
	check_error(mkdir("", 0755), ENOENT);
	check_error(mkdir("loop1/x", 0755), ELOOP);
	check_error(mkdir(long_name, 0755), ENAMETOOLONG);
	check_error(mkdir(nowhere, 0755), EFAULT);
	check_error(mknod("a", S_IFREG | 0644, 0), EEXIST);
	check_error(mknod("none/x", S_IFREG | 0644, 0), ENOENT);
	check_error(mknod("a/x", S_IFREG | 0644, 0), ENOTDIR);
	check_error(mknod("x", S_IFMT, 0), EINVAL);
	check_error(mknod("x", S_IFDIR | 0755, 0), EPERM);
	check_error(mknod(nowhere, S_IFREG, 0), EFAULT);
	check_error(mknod(long_name, S_IFREG, 0), ENAMETOOLONG);
	check_error(mknod("loop1/x", S_IFREG, 0), ELOOP);
}

static void check_opens(void)
{
	struct stat st;
	struct statfs fs;
	struct statx stx;

	check_error(open("none", O_RDONLY), ENOENT);
	check_error(open("a", O_CREAT | O_EXCL, 0644), EEXIST);
	check_error(open("d", O_WRONLY), EISDIR);
	check_error(open("d", O_RDWR), EISDIR);
	check_error(open("d", O_CREAT, 0644), EISDIR);
	check_error(open("a", O_DIRECTORY), ENOTDIR);
	check_error(open("a/x", O_RDONLY), ENOTDIR);
	check_error(open("a/", O_RDONLY), ENOTDIR);
	check_error(open("loop1", O_RDONLY), ELOOP);
	check_error(open("loop1", O_NOFOLLOW), ELOOP);
	check_error(open(nowhere, O_RDONLY), EFAULT);
	check_error(open(long_name, O_RDONLY), ENAMETOOLONG);
	check_error(open("", O_RDONLY), ENOENT);
	check_error(open("x/", O_CREAT, 0644), EISDIR);
	check_error(openat(BAD_FD, "a", O_RDONLY), EBADF);
	check_error(open("a", O_TMPFILE | O_RDWR, 0644), ENOTDIR);
	check_error(open("d", O_TMPFILE | O_RDONLY, 0644), EINVAL);
	check_error(creat("d", 0644), EISDIR);
	check_error(stat("none", &st), ENOENT);
	check_error(stat("a", nowhere), EFAULT);
	check_error(stat(nowhere, &st), EFAULT);
	check_error(stat("", &st), ENOENT);
	check_error(stat("a/x", &st), ENOTDIR);
	check_error(stat("loop1", &st), ELOOP);
	check_error(stat(long_name, &st), ENAMETOOLONG);
	check_error(lstat("loop1/x", &st), ELOOP);
	check_error(fstat(BAD_FD, &st), EBADF);
	check_error(fstat(0, nowhere), EFAULT);
	check_error(fstatat(AT_FDCWD, "a", &st, 0x1), EINVAL);
	check_error(fstatat(BAD_FD, "a", &st, 0), EBADF);
	check_error(statx(AT_FDCWD, "none", 0, STATX_ALL, &stx), ENOENT);
	check_error(statx(AT_FDCWD, "a", 0x1, STATX_ALL, &stx), EINVAL);
	check_error(statx(AT_FDCWD, "a", 0, STATX__RESERVED, &stx), EINVAL);
	check_error(statx(BAD_FD, "a", 0, STATX_ALL, &stx), EBADF);
	check_error(statx(AT_FDCWD, nowhere, 0, STATX_ALL, &stx), EFAULT);
	check_error(statx(AT_FDCWD, "a", 0, STATX_ALL, nowhere), EFAULT);
	check_error(statx(AT_FDCWD, "", 0, STATX_ALL, &stx), ENOENT);
	check_error(statfs("none", &fs), ENOENT);
	check_error(statfs("a", nowhere), EFAULT);
	check_error(statfs("a/x", &fs), ENOTDIR);
	check_error(statfs(nowhere, &fs), EFAULT);
	check_error(statfs("loop1", &fs), ELOOP);
	check_error(fstatfs(BAD_FD, &fs), EBADF);
	check_error(fstatfs(0, nowhere), EFAULT);
	check_error(access("a", 8), EINVAL);
	check_error(access("none", F_OK), ENOENT);
	check_error(access(nowhere, F_OK), EFAULT);
	check_error(access("a/x", F_OK), ENOTDIR);
	check_error(access("loop1", F_OK), ELOOP);
	check_error(faccessat(BAD_FD, "a", F_OK, 0), EBADF);
	check_error(syscall(SYS_faccessat2, AT_FDCWD, "a", F_OK, 0x1), EINVAL);
	check_error(chdir("none"), ENOENT);
	check_error(chdir("a"), ENOTDIR);
	check_error(chdir(nowhere), EFAULT);
	check_error(chdir("loop1"), ELOOP);
	check_error(chdir(long_name), ENAMETOOLONG);
	check_error(fchdir(BAD_FD), EBADF);
	check_error(fchdir(0), ENOTDIR);
	check_error(chroot("none"), ENOENT);
	check_error(chroot("a"), ENOTDIR);
	check_error(chroot(nowhere), EFAULT);
	check_error(chroot("loop1"), ELOOP);
	check_error(syscall(SYS_getcwd, nowhere, 100), EFAULT);
	check_error(syscall(SYS_getcwd, &st, 1), ERANGE);
	check_error(syscall(SYS_getcwd, NULL, 0), ERANGE);
}

static void check_modes(void)
{
	const struct timespec bad[2] = {{0, 1000000000}, {0, 0}}, times[2] = {{1, 2}, {3, 4}};
	const struct timeval bad_us[2] = {{0, 1000000}, {0, 0}};

	check_error(chmod("none", 0), ENOENT);
	check_error(chmod("a/x", 0), ENOTDIR);
	check_error(chmod(nowhere, 0), EFAULT);
	check_error(chmod("loop1", 0), ELOOP);
	check_error(chmod(long_name, 0), ENAMETOOLONG);
	check_error(fchmod(BAD_FD, 0), EBADF);
	check_error(syscall(SYS_fchmodat, BAD_FD, "a", 0), EBADF);
	check_error(chown("none", 0, 0), ENOENT);
	check_error(chown("a/x", 0, 0), ENOTDIR);
	check_error(chown(nowhere, 0, 0), EFAULT);
	check_error(chown("loop1", 0, 0), ELOOP);
	check_error(lchown(long_name, 0, 0), ENAMETOOLONG);
	check_error(fchown(BAD_FD, 0, 0), EBADF);
	check_error(fchownat(AT_FDCWD, "a", 0, 0, 0x1), EINVAL);
	check_error(fchownat(BAD_FD, "a", 0, 0, 0), EBADF);
	check_error(utimensat(AT_FDCWD, "a", bad, 0), EINVAL);
	check_error(utimensat(AT_FDCWD, "none", times, 0), ENOENT);
	check_error(utimensat(AT_FDCWD, "a", times, 0x1), EINVAL);
	check_error(utimensat(BAD_FD, "a", times, 0), EBADF);
	check_error(utimensat(AT_FDCWD, "a", nowhere, 0), EFAULT);
	check_error(syscall(SYS_utimes, "a", bad_us), EINVAL);
	check_error(syscall(SYS_utimes, "none", NULL), ENOENT);
	check_error(syscall(SYS_utimes, nowhere, NULL), EFAULT);
	check_error(syscall(SYS_utime, "none", NULL), ENOENT);
	check_error(syscall(SYS_utime, "a", nowhere), EFAULT);
	check_error(syscall(SYS_futimesat, BAD_FD, "a", NULL), EBADF);
	check(umask(0777) == 022 && umask(022) == 0777);
}

int main(void)
{
	char dir[] = "/dev/shm/sys_errorsXXXXXX";

	memset(long_name, 'x', sizeof(long_name) - 1);
	umask(022);
	check(mkdtemp(dir) && !chdir(dir));
	check_ioctls();
	check_transfers();
	check_copies();
	check_sizes();
	check_locks();
	check_edges();
	check_renames();
	check_links();
	check_opens();
	check_modes();
	return check_end();
}
