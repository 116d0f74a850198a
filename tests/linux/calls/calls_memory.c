// SPDX-License-Identifier: BSD-2-Clause
/* calls_memory.c - system calls on memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"
#include "tests/linux/fault_caught.h"

#define PAGE 4096ul

static char *map_private(void *at, size_t bytes, int prot, int flags)
{
	return mmap(at, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void check_mapping(void)
{
	char *p = map_private(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, 0);

	check(p != MAP_FAILED);
	check(!p[0] && !p[4 * PAGE - 1]);
	memset(p, 7, 4 * PAGE);
	check(!munmap(p + PAGE, PAGE)); /* a hole in the middle */
	check(faults(p + PAGE, 0));
	check(p[0] == 7 && p[2 * PAGE] == 7);
	check(map_private(p + PAGE, PAGE, PROT_READ, MAP_FIXED) == p + PAGE);
	check(!p[PAGE] && faults(p + PAGE, 1));
	check_error(map_private(p, PAGE, PROT_READ, MAP_FIXED_NOREPLACE), EEXIST);
	check_error(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL);
	check_error(mmap(NULL, PAGE, PROT_READ, MAP_ANONYMOUS, -1, 0), EINVAL);
	check_error(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, -1, 0), EBADF);
	check_error(
		mmap((void *)1, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
		EINVAL);
	check_error(mmap(NULL, 1ul << 47, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ENOMEM);
	check_error(munmap(p + 1, PAGE), EINVAL);
	check_error(munmap(p, 0), EINVAL);
	check(!munmap(p, 4 * PAGE));
	check(!munmap(p, 4 * PAGE)); /* an unmapped range is no error */
	check(faults(p, 0));
}

static void check_protection(void)
{
	char *p = map_private(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, 0);

	p[PAGE] = 1;
	check(!mprotect(p + PAGE, PAGE, PROT_READ));
	check(p[PAGE] == 1 && faults(p + PAGE, 1) && !faults(p, 1) && !faults(p + 2 * PAGE, 1));
	check(!mprotect(p, 3 * PAGE, PROT_NONE));
	check(faults(p, 0));
	check(!mprotect(p, 3 * PAGE, PROT_READ | PROT_WRITE));
	check(p[PAGE] == 1);
	check_error(mprotect(p + 1, PAGE, PROT_READ), EINVAL);
	munmap(p + 2 * PAGE, PAGE);
	check_error(mprotect(p, 3 * PAGE, PROT_READ), ENOMEM);
	munmap(p, 2 * PAGE);
}

/* Code that was written, and then made executable: mov eax, 42; ret. */
static void check_code(void)
{
	static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3};
	char *p = map_private(NULL, PAGE, PROT_READ | PROT_WRITE, 0);
	union {
		char *at;
		int (*fn)(void);
	} call = {p};

	memcpy(p, code, sizeof(code));
	check(!mprotect(p, PAGE, PROT_READ | PROT_EXEC));
	check(call.fn() == 42);
	check(faults(p, 1));
	munmap(p, PAGE);
}

static void check_remap(void)
{
	char *p = map_private(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, 0), *q;

	memset(p, 3, 8 * PAGE);
	check(mremap(p, 8 * PAGE, 2 * PAGE, 0) == p);
	check(faults(p + 2 * PAGE, 0));
	check(map_private(p + 2 * PAGE, PAGE, PROT_READ, MAP_FIXED) == p + 2 * PAGE);
	check_error(mremap(p, 2 * PAGE, 16 * PAGE, 0), ENOMEM);
	q = mremap(p, 2 * PAGE, 16 * PAGE, MREMAP_MAYMOVE);
	check(q != MAP_FAILED && q[0] == 3 && q[2 * PAGE - 1] == 3 && !q[2 * PAGE]);
	check(faults(p, 0));
	p = map_private(NULL, 16 * PAGE, PROT_NONE, 0);
	check(mremap(q, 16 * PAGE, 16 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p) == p);
	check(p[0] == 3);
	check_error(mremap(p + 1, PAGE, PAGE, 0), EINVAL);
	check_error(mremap((void *)0x10000, PAGE, 2 * PAGE, MREMAP_MAYMOVE), EFAULT);
	munmap(p, 16 * PAGE);
}

static void check_advice(void)
{
	char *p = map_private(NULL, 4 << 20, PROT_READ | PROT_WRITE, 0);
	unsigned char there[2];

	p[0] = p[PAGE] = 1;
	check(!madvise(p, PAGE, MADV_DONTNEED));
	check(!p[0] && p[PAGE] == 1);
	check(!madvise(p, 4 << 20, MADV_WILLNEED) && !madvise(p, 4 << 20, MADV_SEQUENTIAL));
	check(!mincore(p, 2 * PAGE, there) && there[0] & 1 && there[1] & 1);
	check_error(madvise(p, PAGE, 12345), EINVAL);
	check_error(madvise(p + 1, PAGE, MADV_DONTNEED), EINVAL);
	check(!mlock(p, PAGE) && !munlock(p, PAGE));
	check(!msync(p, PAGE, MS_SYNC));
	check_error(msync(p, PAGE, MS_SYNC | MS_ASYNC), EINVAL);
	munmap(p, 4 << 20);
	check_error(madvise(p, PAGE, MADV_WILLNEED), ENOMEM);
	check_error(mincore(p, PAGE, there), ENOMEM);
}

static void check_files(const char *self)
{
	int fd = memfd_create("x", MFD_CLOEXEC);
	char *shared, *own, got[4] = "";

	check(fd >= 0 && !ftruncate(fd, PAGE + 10));
	shared = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	own = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	strcpy(shared, "one");
	check(!strcmp(own, "one"));
	check(pread(fd, got, 4, 0) == 4 && !strcmp(got, "one"));
	strcpy(own, "two");
	check(!strcmp(shared, "one"));
	check(pwrite(fd, "six", 4, 0) == 4 && !strcmp(shared, "six") && !strcmp(own, "two"));
	check(!ftruncate(fd, PAGE));
	check(faults(shared + PAGE, 0)); /* behind the end of the file: SIGBUS */
	if (!fork()) {
		strcpy(shared, "kid");
		strcpy(own, "own");
		_exit(0);
	}
	wait(NULL);
	check(!strcmp(shared, "kid") && !strcmp(own, "two"));
	check_error(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 1), EINVAL);
	close(fd);
	check(!strcmp(shared, "kid"));
	munmap(shared, 2 * PAGE);
	munmap(own, 2 * PAGE);
	fd = open(self, O_RDONLY);
	check_error(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EACCES);
	close(fd);
}

static void check_brk(void)
{
	char *before = sbrk(0);

	check(sbrk(3 * PAGE) == before);
	memset(before, 1, 3 * PAGE);
	check(sbrk(-3 * (long)PAGE) == before + 3 * PAGE && sbrk(0) == before);
	check(!brk(before));
	check_error(brk((void *)(1ul << 62)), ENOMEM);
}

/* Each level takes 64 KiB of the stack: the test goes nearly to the limit of `ulimit -s`. */
static int __attribute__((noinline)) go_deep(int n)
{
	volatile char room[64 << 10];

	room[0] = (char)n;
	return n ? go_deep(n - 1) + room[0] - room[0] : 0;
}

static void check_large(void)
{
	const size_t bytes = 64 << 20;
	char *p = malloc(bytes);

	check(p != NULL);
	for (size_t i = 0; i < bytes; i += 64 * PAGE)
		p[i] = (char)i;
	free(p);
	check(!go_deep(100));
}

int main(int argc, char **argv)
{
	(void)argc;
	check_mapping();
	check_protection();
	check_code();
	check_remap();
	check_advice();
	check_files(argv[0]);
	check_brk();
	check_large();
	return check_end();
}
