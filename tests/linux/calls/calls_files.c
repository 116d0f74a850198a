// SPDX-License-Identifier: BSD-2-Clause
/* calls_files.c - files, directories, descriptors, in a folder of their own below /tmp. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "tests/linux/check.h"

static void check_opening(void)
{
	struct stat st;
	int fd = open("a", O_CREAT | O_EXCL | O_RDWR, 0640);

	check(fd >= 0 && !fstat(fd, &st) && st.st_mode == (S_IFREG | 0640) && !st.st_size);
	check_error(open("a", O_CREAT | O_EXCL | O_RDWR, 0640), EEXIST);
	check_error(open("none", O_RDONLY), ENOENT);
	check_error(open("none/b", O_CREAT | O_RDWR, 0600), ENOENT);
	check_error(open("a/b", O_RDONLY), ENOTDIR);
	check_error(open("a", O_RDONLY | O_DIRECTORY), ENOTDIR);
	check_error(open(".", O_WRONLY), EISDIR);
	check_error(open(nowhere, O_RDONLY), EFAULT);
	check_error(open("", O_RDONLY), ENOENT);
	check(!link("a", "b") && !fstat(fd, &st) && st.st_nlink == 2);
	check(!unlink("b") && !fstat(fd, &st) && st.st_nlink == 1);
	check_error(unlink("b"), ENOENT);
	check_error(unlink("."), EISDIR);
	check(!unlink("a") && write(fd, "still", 5) == 5 && pread(fd, &st, 5, 0) == 5);
	check(!close(fd));
	check_error(close(fd), EBADF);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	check(fd >= 0 && write(fd, "x", 1) == 1);
	close(fd);
}

static void check_content(void)
{
	char buf[32] = "", more[32] = "";
	struct iovec parts[] = {{buf, 3}, {more, 4}};
	int fd = open("f", O_CREAT | O_RDWR, 0600), other;
	struct stat st;

	check(write(fd, "0123456789", 10) == 10 && lseek(fd, 0, SEEK_CUR) == 10);
	check(lseek(fd, 2, SEEK_SET) == 2 && read(fd, buf, 4) == 4 && !memcmp(buf, "2345", 4));
	check(pread(fd, buf, 3, 8) == 2 && pwrite(fd, "AB", 2, 0) == 2 &&
	      lseek(fd, 0, SEEK_CUR) == 6);
	check(!lseek(fd, 0, SEEK_SET) && readv(fd, parts, 2) == 7 && !memcmp(more, "3456", 4));
	check(lseek(fd, -1, SEEK_END) == 9 && writev(fd, parts, 2) == 7);
	check(lseek(fd, 100, SEEK_SET) == 100 && write(fd, "z", 1) == 1);
	check(pread(fd, buf, 1, 50) == 1 && !buf[0] && !fstat(fd, &st) && st.st_size == 101);
	check(!ftruncate(fd, 5) && !truncate("f", 8) && read(fd, buf, 9) == 0);
	check(pread(fd, buf, 9, 0) == 8 && !buf[5]);
	check_error(lseek(fd, -1, SEEK_SET), EINVAL);
	check_error(lseek(fd, 0, 99), EINVAL);
	check_error(pread(fd, buf, 1, -1), EINVAL);
	check_error(ftruncate(fd, -1), EINVAL);
	check_error(read(fd, nowhere, 4), 0);
	check_error(pread(fd, nowhere, 4, 0), EFAULT);
	check_error(pwrite(fd, nowhere, 4, 0), EFAULT);
	check_error(read(99, buf, 1), EBADF);
	other = open("f", O_WRONLY | O_APPEND);
	check_error(read(other, buf, 1), EBADF);
	check(write(other, "end", 3) == 3 && pread(fd, buf, 9, 8) == 3 && !memcmp(buf, "end", 3));
	check(!posix_fallocate(fd, 0, 4096) && !fstat(fd, &st) && st.st_size == 4096);
	check(!fsync(fd) && !fdatasync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED));
	close(other);
	other = open("g", O_CREAT | O_RDWR, 0600);
	lseek(fd, 0, SEEK_SET);
	check(sendfile(other, fd, NULL, 11) == 11 && lseek(fd, 0, SEEK_CUR) == 11);
	check(copy_file_range(fd, &(off_t){0}, other, NULL, 4, 0) == 4 &&
	      lseek(other, 0, SEEK_END) == 15);
	close(other);
	close(fd);
	check(!unlink("f") && !unlink("g"));
}

static void check_names(void)
{
	char buf[100];
	struct stat st;
	struct timespec times[] = {{1000, 5}, {2000, 6}};

	check(!mkdir("d", 0755) && !mkdir("d/e", 0700));
	check_error(mkdir("d", 0755), EEXIST);
	check_error(rmdir("d"), ENOTEMPTY);
	check(!symlink("d/e", "l") && readlink("l", buf, sizeof(buf)) == 3 &&
	      !memcmp(buf, "d/e", 3));
	check(!lstat("l", &st) && S_ISLNK(st.st_mode) && st.st_size == 3);
	check(!stat("l", &st) && S_ISDIR(st.st_mode));
	check_error(readlink("d", buf, sizeof(buf)), EINVAL);
	check(!symlink("loop", "loop"));
	check_error(open("loop", O_RDONLY), ELOOP);
	check_error(open("l", O_RDONLY | O_NOFOLLOW), ELOOP);
	check(close(open("d/n", O_CREAT | O_WRONLY, 0600)) == 0);
	check(!rename("d/n", "d/m") && access("d/n", F_OK) && !access("d/m", R_OK | W_OK));
	check_error(access("d/m", X_OK), getuid() ? EACCES : EACCES);
	check_error(rename("none", "d/x"), ENOENT);
	check_error(rename("d", "d/e/x"), EINVAL);
	check_error(rename("d/m", "d/e"), EISDIR);
	check_error(renameat2(AT_FDCWD, "d/m", AT_FDCWD, "l", RENAME_NOREPLACE), EEXIST);
	check(!chmod("d/m", 0751) && !stat("d/m", &st) && (st.st_mode & 07777) == 0751);
	check(!utimensat(AT_FDCWD, "d/m", times, 0) && !stat("d/m", &st) &&
	      st.st_atim.tv_sec == 1000 && st.st_mtim.tv_nsec == 6);
	check(umask(077) != 0777 && close(open("d/u", O_CREAT | O_WRONLY, 0666)) == 0);
	check(!stat("d/u", &st) && (st.st_mode & 07777) == 0600);
	umask(022);
	check_error(link("d", "d2"), EPERM);
	check_error(
		open("averylongname0averylongname0averylongname0averylongname0averylongname0averylongname0"
		     "averylongname0averylongname0averylongname0averylongname0averylongname0averylongname0"
		     "averylongname0averylongname0averylongname0averylongname0averylongname0averylongname0averylong",
		     O_RDONLY),
		ENAMETOOLONG);
	check(!unlink("loop") && !unlink("l") && !unlink("d/m") && !unlink("d/u"));
}

static void check_directories(void)
{
	char before[4096], after[4096];
	int found = 0, fd;
	struct dirent *entry;
	DIR *dir;

	for (int i = 0; i < 100; i++) {
		char name[16];

		snprintf(name, sizeof(name), "d/%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	dir = opendir("d");
	check(dir != NULL);
	while ((entry = readdir(dir))) {
		found += entry->d_type == DT_REG;
		if (entry->d_type == DT_REG)
			check(!unlinkat(dirfd(dir), entry->d_name, 0));
	}
	check(found == 100);
	rewinddir(dir);
	for (found = 0; readdir(dir);)
		found++;
	check(found == 3); /* . .. e */
	closedir(dir);
	check(getcwd(before, sizeof(before)) && !chdir("d/e") && getcwd(after, sizeof(after)));
	check(!strncmp(before, after, strlen(before)) && !strcmp(after + strlen(before), "/d/e"));
	fd = open("../..", O_RDONLY | O_DIRECTORY);
	check(!fchdir(fd) && getcwd(after, sizeof(after)) && !strcmp(before, after));
	check(openat(fd, "d/e", O_RDONLY) >= 0 && !faccessat(fd, "d", F_OK, 0));
	check_error(syscall(SYS_getcwd, after, 1), ERANGE);
	check_error(chdir("none"), ENOENT);
	check_error(openat(99, "x", O_RDONLY), EBADF);
	check_error(rmdir("d/none"), ENOENT);
	check(!unlinkat(AT_FDCWD, "d/e", AT_REMOVEDIR) && !rmdir("d"));
	close(fd);
}

static void check_descriptors(void)
{
	int fd = open("x", O_CREAT | O_RDWR, 0600), other, n;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct termios termios;
	pid_t child;
	int status;

	other = dup(fd);
	check(write(fd, "abc", 3) == 3 && lseek(other, 0, SEEK_CUR) == 3);
	check(dup2(fd, 100) == 100 && dup3(fd, 101, O_CLOEXEC) == 101);
	check(fcntl(101, F_GETFD) == FD_CLOEXEC && fcntl(100, F_GETFD) == 0);
	check(fcntl(fd, F_DUPFD_CLOEXEC, 200) == 200 && fcntl(200, F_GETFD) == FD_CLOEXEC);
	check((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR &&
	      !fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK));
	check((fcntl(other, F_GETFL) & (O_APPEND | O_NONBLOCK)) == (O_APPEND | O_NONBLOCK));
	check_error(dup2(fd, 100000000), EBADF);
	check_error(dup3(fd, fd, 0), EINVAL);
	check_error(dup(99), EBADF);
	check_error(fcntl(fd, 12345), EINVAL);
	check_error(tcgetattr(fd, &termios), ENOTTY);
	check(!ioctl(fd, FIONREAD, &n));
	check(!close_range(100, 300, 0));
	check_error(fcntl(200, F_GETFD), EBADF);
	check(!fcntl(fd, F_SETLK, &lock) && !flock(fd, LOCK_EX));
	child = fork();
	if (!child) {
		lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
		_exit(fcntl(fd, F_SETLK, &lock) == -1 && !fcntl(fd, F_GETLK, &lock) &&
		      lock.l_pid == getppid());
	}
	check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1);
	close(fd);
	close(other);
	unlink("x");
}

static const struct flock lock_all = {.l_type = F_WRLCK, .l_whence = SEEK_SET},
			  unlock_all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

static int lock_by_flock(int fd, int on)
{
	return flock(fd, on ? LOCK_EX : LOCK_UN);
}

static int lock_by_fcntl(int fd, int on)
{
	return fcntl(fd, F_SETLKW, on ? &lock_all : &unlock_all);
}

#define LOCKERS 4
#define LOCKED  200

/* Adds to the number in "x" while it has the lock. */
static int count_locked(int (*lock)(int fd, int on))
{
	int fd = open("x", O_RDWR), n;

	for (int i = 0; i < LOCKED; i++) {
		if (lock(fd, 1) || pread(fd, &n, sizeof(n), 0) != sizeof(n))
			return 1;
		n++;
		if (pwrite(fd, &n, sizeof(n), 0) != sizeof(n) || lock(fd, 0))
			return 1;
	}
	return 0;
}

/* Processes want the same lock: each waits until it gets the lock, and no unlocking is missed. */
static void check_waiting_for_locks(int (*lock)(int fd, int on))
{
	int fd = open("x", O_CREAT | O_RDWR, 0600), n = 0, status, good = 0;

	check(pwrite(fd, &n, sizeof(n), 0) == sizeof(n));
	for (int i = 0; i < LOCKERS; i++)
		if (!fork())
			_exit(count_locked(lock));
	while (wait(&status) > 0)
		good += !status;
	check(good == LOCKERS && pread(fd, &n, sizeof(n), 0) == sizeof(n) && n == LOCKERS * LOCKED);
	close(fd);
	unlink("x");
}

static void check_special(void)
{
	char buf[64], name[] = "v";
	struct statfs fs;
	int fd = open("/dev/zero", O_RDWR);

	memset(buf, 1, sizeof(buf));
	check(read(fd, buf, sizeof(buf)) == sizeof(buf) && !buf[63]);
	close(fd);
	fd = open("/dev/null", O_RDWR);
	check(write(fd, buf, 64) == 64 && read(fd, buf, 64) == 0);
	close(fd);
	fd = open("/dev/full", O_RDWR);
	check_error(write(fd, buf, 1), ENOSPC);
	close(fd);
	fd = open("/dev/urandom", O_RDONLY);
	check(read(fd, buf, 64) == 64 && memcmp(buf, buf + 32, 32));
	close(fd);
	check(!statfs(".", &fs) && fs.f_bsize > 0 && fs.f_blocks > 0);
	fd = memfd_create(name, MFD_ALLOW_SEALING);
	check(write(fd, "12", 2) == 2 && !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK));
	check_error(write(fd, "12", 2), EPERM);
	check_error(ftruncate(fd, 1), EPERM);
	check(fcntl(fd, F_GET_SEALS) == (F_SEAL_WRITE | F_SEAL_SHRINK));
	close(fd);
	check(getxattr(".", "user.perf0", buf, sizeof(buf)) == -1 &&
	      (errno == ENODATA || errno == EOPNOTSUPP));
	check(listxattr(".", NULL, 0) >= 0);
}

int main(void)
{
	char folder[] = "/tmp/perf0-XXXXXX";

	umask(022);
	if (!check(mkdtemp(folder) && !chdir(folder)))
		return check_end();
	check_opening();
	check_content();
	check_names();
	check_directories();
	check_descriptors();
	check_waiting_for_locks(lock_by_flock);
	check_waiting_for_locks(lock_by_fcntl);
	check_special();
	check(!chdir("/") && !rmdir(folder));
	return check_end();
}
