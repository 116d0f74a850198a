// SPDX-License-Identifier: BSD-2-Clause
/* calls_advice.c - locking, advice, protection and growth of memory: effects, figures in
 * /proc/self/status, and errors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define PAGE 4096ul
#define RW   (PROT_READ | PROT_WRITE)

/* Returns a number of /proc/self/status. */
static long told(const char *name)
{
	static char all[8192];
	const int fd = open("/proc/self/status", O_RDONLY);
	const ssize_t n = read(fd, all, sizeof(all) - 1);
	const char *at;

	close(fd);
	all[n > 0 ? n : 0] = '\0';
	at = strstr(all, name);
	return at ? atol(at + strlen(name) + 1) : -1;
}

static char *map_anonymous(size_t pages, int prot, int flags)
{
	return mmap(NULL, pages * PAGE, prot, flags | MAP_ANONYMOUS, -1, 0);
}

static void check_locks(void)
{
	char *m = map_anonymous(4, RW, MAP_PRIVATE);
	unsigned char there[4] = "";
	const long before = told("VmLck:");

	check(before == 0 && !mlock(m, 2 * PAGE) && told("VmLck:") == 8);
	check(!mincore(m, 4 * PAGE, there) && there[0] & 1 && there[1] & 1 && !(there[2] & 1));
	check(!mlock(m + PAGE, 2 * PAGE) && told("VmLck:") == 12);
	check(!mlock(m + 10, 1) && told("VmLck:") == 12);
	check(!munlock(m + PAGE, PAGE) && told("VmLck:") == 8);
	check(!munmap(m + 2 * PAGE, PAGE) && told("VmLck:") == 4);
	check_error(mlock(m, 4 * PAGE), ENOMEM);
	check_error(madvise(m, PAGE, MADV_DONTNEED), EINVAL);
	check_error(munlock(m, 4 * PAGE), ENOMEM);
	check(!munlock(m, 2 * PAGE) && told("VmLck:") == 0);
	check(!syscall(SYS_mlock2, m, PAGE, MLOCK_ONFAULT) && told("VmLck:") == 4);
	check_error(syscall(SYS_mlock2, m, PAGE, 0x10), EINVAL);
	check(!mlock(m, 0) && !munlock(m, PAGE));
	check(!mlockall(MCL_CURRENT) && told("VmLck:") > 4 && !munlockall() && told("VmLck:") == 0);
	check(!mlockall(MCL_FUTURE));
	munmap(m, 2 * PAGE);
	m = map_anonymous(2, RW, MAP_PRIVATE);
	check(told("VmLck:") == 8 && !munlockall() && !munmap(m, 2 * PAGE));
	m = map_anonymous(2, RW, MAP_PRIVATE | MAP_LOCKED);
	check(told("VmLck:") == 8 && !munmap(m, 2 * PAGE) && told("VmLck:") == 0);
	check_error(mlockall(0), EINVAL);
	check_error(mlockall(0x10), EINVAL);
	check_error(mlockall(MCL_ONFAULT), EINVAL);
}

static void check_lock_children(void)
{
	char *m = map_anonymous(1, RW, MAP_PRIVATE);
	int status;
	pid_t pid;

	check(!mlock(m, PAGE));
	pid = fork();
	if (!pid)
		_exit((int)told("VmLck:"));
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check(told("VmLck:") == 4 && !munmap(m, PAGE));
}

static void check_advice(void)
{
	char *m = map_anonymous(4, RW, MAP_PRIVATE), *shared = map_anonymous(1, RW, MAP_SHARED);
	const int fd = memfd_create("advice", 0);
	char *file;

	check(!ftruncate(fd, (off_t)PAGE));
	file = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 0);
	check_error(madvise(m + 1, PAGE, MADV_NORMAL), EINVAL);
	check_error(madvise(m, PAGE, 1234), EINVAL);
	check_error(madvise(m, (size_t)-PAGE, MADV_NORMAL), EINVAL);
	check(!madvise(m, 0, MADV_NORMAL) && !madvise(nowhere, 0, MADV_NORMAL) == 0);
	check(!madvise(m, 4 * PAGE, MADV_WILLNEED) && !madvise(file, PAGE, MADV_WILLNEED));
	check_error(madvise(file, PAGE, MADV_FREE), EINVAL);
	check_error(madvise(shared, PAGE, MADV_FREE), EINVAL);
	check(!madvise(m, PAGE, MADV_COLD) && !madvise(m, PAGE, MADV_PAGEOUT));
	m[0] = 1;
	check(!madvise(m, PAGE, MADV_DONTNEED) && m[0] == 0);
	m[0] = 1;
	check(!madvise(m, PAGE, MADV_FREE) && m[0] <= 1);
	munmap(m + PAGE, PAGE);
	check_error(madvise(m, 4 * PAGE, MADV_NORMAL), ENOMEM);
	m[2 * PAGE] = 5; /* behind the hole it is done all the same */
	check_error(madvise(m, 4 * PAGE, MADV_DONTNEED), ENOMEM);
	check(m[2 * PAGE] == 0);
	check_error(madvise(m, 4 * PAGE, MADV_WILLNEED), ENOMEM);
	check_error(madvise(m, 4 * PAGE, MADV_DONTFORK), ENOMEM);
	check_error(madvise(m, 4 * PAGE, MADV_POPULATE_READ), ENOMEM);
	check(!madvise(m, PAGE, MADV_POPULATE_WRITE));
	mprotect(m, PAGE, PROT_READ);
	check_error(madvise(m, PAGE, MADV_POPULATE_WRITE), EINVAL);
	close(fd);
}

/* A child finds zeros behind MADV_WIPEONFORK, and no memory behind MADV_DONTFORK. */
static void check_forks(void)
{
	char *m = map_anonymous(2, RW, MAP_PRIVATE), *shared = map_anonymous(1, RW, MAP_SHARED);
	int status;
	pid_t pid;

	m[0] = m[PAGE] = 1;
	check(!madvise(m, PAGE, MADV_WIPEONFORK));
	check_error(madvise(shared, PAGE, MADV_WIPEONFORK), EINVAL);
	pid = fork();
	if (!pid)
		_exit(m[0] * 2 + m[PAGE]);
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1);
	check(!madvise(m, PAGE, MADV_KEEPONFORK) && m[0] == 1);
	pid = fork();
	if (!pid)
		_exit(m[0] * 2 + m[PAGE]);
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void check_mprotect(void)
{
	char *m = map_anonymous(3, RW, MAP_PRIVATE);
	const int fd = open("/proc/self/exe", O_RDONLY), both = memfd_create("both", 0);
	char *file = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	check_error(mprotect(m + 1, PAGE, PROT_READ), EINVAL);
	check_error(mprotect(m, PAGE, 0x80), EINVAL);
	check_error(mprotect(m, PAGE, PROT_READ | PROT_GROWSDOWN | PROT_GROWSUP), EINVAL);
	check_error(mprotect(m, PAGE, PROT_READ | PROT_GROWSDOWN), EINVAL);
	check_error(mprotect(file, PAGE, RW), EACCES);
	check(!mprotect(m, 0, PROT_READ) && !mprotect(m, PAGE, PROT_NONE));
	munmap(m + PAGE, PAGE);
	check_error(mprotect(m, 3 * PAGE, RW), ENOMEM);
	m[0] = 1; /* before the hole it is done */
	check_error(munmap(m + 1, PAGE), EINVAL);
	check_error(munmap(m, 0), EINVAL);
	check_error(msync(m + 1, PAGE, MS_SYNC), EINVAL);
	check_error(msync(m, PAGE, MS_SYNC | MS_ASYNC), EINVAL);
	check_error(msync(m, PAGE, 0x100), EINVAL);
	check_error(msync(m, 3 * PAGE, MS_SYNC), ENOMEM);
	check(!mlock(m, PAGE));
	check_error(msync(m, PAGE, MS_INVALIDATE), EBUSY);
	check_error(mincore(m + 1, PAGE, (unsigned char *)m), EINVAL);
	check_error(mincore(m, 3 * PAGE, (unsigned char *)m + 100), ENOMEM);
	check_error(mincore(m, PAGE, nowhere), EFAULT);
	check_error((long)mmap(NULL, 0, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL);
	check_error((long)mmap(NULL, PAGE, RW, MAP_ANONYMOUS, -1, 0), EINVAL);
	check_error((long)mmap(NULL, PAGE, RW, MAP_PRIVATE, -1, 0), EBADF);
	check_error((long)mmap(NULL, PAGE, RW, MAP_PRIVATE, fd, 1), EINVAL);
	check_error((long)mmap(NULL, PAGE, RW, MAP_SHARED_VALIDATE | 0x800000, both, 0),
		    EOPNOTSUPP);
	check_error((long)mremap(m + 1, PAGE, PAGE, 0), EINVAL);
	check_error((long)mremap(m, PAGE, 0, 0), EINVAL);
	check_error((long)mremap(m, PAGE, 2 * PAGE, 0x100), EINVAL);
	check_error((long)mremap(m, PAGE, 2 * PAGE, MREMAP_FIXED, m), EINVAL);
	check_error((long)mremap(m + PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE), EFAULT);
	close(fd);
}

/* --- MAP_GROWSDOWN --- */

static sigjmp_buf out;

static void on_fault(int number)
{
	siglongjmp(out, number);
}

static int writes(char *at)
{
	const int number = sigsetjmp(out, 1);

	if (!number)
		*(volatile char *)at = 1;
	return number;
}

/* It grows by each page that is touched below it, but not next to other memory. */
static void check_growing(void)
{
	const size_t pages = 1024;
	char *room = map_anonymous(pages, PROT_NONE, MAP_PRIVATE), *low;

	check(!munmap(room, pages * PAGE));
	low = mmap(room + (pages - 4) * PAGE, 2 * PAGE, RW,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_GROWSDOWN, -1, 0);
	check(low == room + (pages - 4) * PAGE && writes(low) == 0);
	check(writes(low - 1) == 0 && writes(low - PAGE - 1) == 0 && low[-1] == 1);
	check(writes(low - 100 * PAGE) == 0 && low[-50 * (long)PAGE] == 0);
	check(mmap(room, PAGE, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == room);
	check(writes(room + PAGE) == SIGSEGV && writes(room + 257 * PAGE) == 0);
	check(!munmap(room, pages * PAGE));
}

int main(void)
{
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	check_locks();
	check_lock_children();
	check_advice();
	check_forks();
	check_mprotect();
	check_growing();
	return check_end();
}
