// SPDX-License-Identifier: BSD-2-Clause
/* calls_mapped.c - files as memory: mappings while the file changes, devices that can be mapped,
 * seals, and the rights of a descriptor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"
#include "tests/linux/fault_caught.h"

#define PAGE 4096l
#define RW   (PROT_READ | PROT_WRITE)

static char *map_fd(int fd, long pages, int prot, int flags)
{
	return mmap(NULL, (size_t)(pages * PAGE), prot, flags, fd, 0);
}

static int memory_file(long pages)
{
	const int fd = memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	check(fd >= 0 && !ftruncate(fd, pages * PAGE));
	return fd;
}

static int all_are(const char *at, long bytes, char wanted)
{
	for (long i = 0; i < bytes; i++)
		if (at[i] != wanted)
			return 0;
	return 1;
}

/* When the file becomes shorter its touched pages disappear, private copies included. */
static void check_truncated(void)
{
	const int fd = memory_file(4);
	char *shared = map_fd(fd, 4, RW, MAP_SHARED), *own = map_fd(fd, 4, RW, MAP_PRIVATE),
	     *seen = map_fd(fd, 4, PROT_READ, MAP_PRIVATE);

	memset(shared, 5, 4 * PAGE);
	check(seen[3 * PAGE] == 5 && seen[PAGE] == 5);
	own[3 * PAGE] = own[PAGE] = own[0] = 9;
	check(!ftruncate(fd, PAGE + 10));
	check(fault_of(shared + 3 * PAGE, 0) == SIGBUS && fault_of(shared + 2 * PAGE, 1) == SIGBUS);
	check(fault_of(own + 3 * PAGE, 0) == SIGBUS && fault_of(seen + 3 * PAGE, 0) == SIGBUS);
	check(shared[PAGE + 9] == 5 && all_are(shared + PAGE + 10, PAGE - 10, 0));
	check(own[PAGE] == 9 && own[0] == 9 && seen[PAGE + 9] == 5 && !seen[PAGE + 10]);
	check(!ftruncate(fd, 4 * PAGE));
	check(all_are(shared + PAGE + 10, 3 * PAGE - 10, 0));
	check(!own[3 * PAGE] && !seen[3 * PAGE]);
	shared[3 * PAGE] = 7;
	check(seen[3 * PAGE] == 7 && own[3 * PAGE] == 7);
	munmap(shared, 4 * PAGE);
	munmap(own, 4 * PAGE);
	munmap(seen, 4 * PAGE);
	close(fd);
}

/* open(O_TRUNC) and truncate(2) by another process end mappings as well. */
static void check_truncated_by_others(void)
{
	char name[] = "/tmp/mappedXXXXXX";
	const int fd = mkstemp(name);
	char *shared;
	int status;

	check(fd >= 0 && !ftruncate(fd, 2 * PAGE));
	shared = map_fd(fd, 2, RW, MAP_SHARED);
	memset(shared, 3, 2 * PAGE);
	if (!fork())
		_exit(truncate(name, 1) != 0);
	wait(&status);
	check(!status && shared[0] == 3 && !shared[1] && fault_of(shared + PAGE, 0) == SIGBUS);
	close(open(name, O_RDWR | O_TRUNC));
	check(fault_of(shared, 0) == SIGBUS);
	munmap(shared, 2 * PAGE);
	close(fd);
	unlink(name);
}

static int stop;

static void *read_always(void *at)
{
	long seen = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		seen += *(volatile char *)at;
	return (void *)seen;
}

/* Another thread always reads the page that contains the end of the file: that page stays. */
static void check_truncated_in_use(void)
{
	const int fd = memory_file(3);
	char *shared = map_fd(fd, 3, RW, MAP_SHARED);
	pthread_t thread;

	pthread_create(&thread, NULL, read_always, shared);
	for (int i = 0; i < 50; i++) {
		memset(shared + PAGE, 1, 2 * PAGE);
		check(!ftruncate(fd, PAGE) && fault_of(shared + PAGE, 0) == SIGBUS);
		check(!ftruncate(fd, 3 * PAGE) && !shared[PAGE] && !shared[2 * PAGE]);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	munmap(shared, 3 * PAGE);
	close(fd);
}

static void check_punched(void)
{
	const int fd = memory_file(3), mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	char *shared = map_fd(fd, 3, RW, MAP_SHARED), *own = map_fd(fd, 3, RW, MAP_PRIVATE),
	     *seen = map_fd(fd, 3, PROT_READ, MAP_PRIVATE);

	memset(shared, 5, 3 * PAGE);
	own[PAGE] = 9;
	check(seen[PAGE] == 5 && own[2 * PAGE] == 5);
	check(!fallocate(fd, mode, PAGE, 2 * PAGE));
	check(shared[PAGE - 1] == 5 && all_are(shared + PAGE, 2 * PAGE, 0));
	check(!seen[PAGE] && !own[2 * PAGE] && own[PAGE] == 9);
	shared[PAGE] = 6;
	check(seen[PAGE] == 6 && own[PAGE] == 9);
	munmap(shared, 3 * PAGE);
	munmap(own, 3 * PAGE);
	munmap(seen, 3 * PAGE);
	close(fd);
}

/* A hole that was read is the file's page from then on: later writes to it are visible. */
static void check_holes(void)
{
	const int fd = memory_file(2);
	char *shared = map_fd(fd, 2, PROT_READ, MAP_SHARED),
	     *seen = map_fd(fd, 2, PROT_READ, MAP_PRIVATE), *other = map_fd(fd, 2, RW, MAP_SHARED);

	check(!shared[0] && !seen[0] && !shared[PAGE] && !seen[PAGE]);
	check(pwrite(fd, "abc", 3, 0) == 3);
	check(!memcmp(shared, "abc", 3) && !memcmp(seen, "abc", 3));
	other[PAGE] = 'd';
	check(shared[PAGE] == 'd' && seen[PAGE] == 'd');
	munmap(shared, 2 * PAGE);
	munmap(seen, 2 * PAGE);
	munmap(other, 2 * PAGE);
	close(fd);
}

/* A file that was packed with the program is copied when it is written to. */
static int shows_written(const char *path)
{
	const int fd = open(path, O_RDWR);
	char *shared, *seen, was, got;
	int same;

	if (fd < 0) /* it runs: ETXTBSY */
		return 1;
	shared = map_fd(fd, 1, PROT_READ, MAP_SHARED);
	seen = map_fd(fd, 1, PROT_READ, MAP_PRIVATE);
	was = shared[8];
	got = (char)(was + 1);
	same = seen[8] == was && pwrite(fd, &got, 1, 8) == 1 && shared[8] == got &&
	       seen[8] == got && pwrite(fd, &was, 1, 8) == 1 && shared[8] == was;
	munmap(shared, PAGE);
	munmap(seen, PAGE);
	close(fd);
	return same;
}

static void check_devices(void)
{
	const int zero = open("/dev/zero", O_RDWR), null = open("/dev/null", O_RDWR);
	char *own = map_fd(zero, 2, RW, MAP_PRIVATE), *shared = map_fd(zero, 2, RW, MAP_SHARED);
	int pipes[2];

	check(own != MAP_FAILED && shared != MAP_FAILED);
	if (own == MAP_FAILED || shared == MAP_FAILED)
		return;
	check(all_are(own, 2 * PAGE, 0) && all_are(shared, 2 * PAGE, 0));
	own[0] = 1;
	if (!fork()) {
		shared[0] = 2;
		own[0] = 3;
		_exit(0);
	}
	wait(NULL);
	check(own[0] == 1 && shared[0] == 2);
	check_error(map_fd(null, 1, RW, MAP_PRIVATE), ENODEV);
	check(!pipe(pipes));
	check_error(map_fd(pipes[0], 1, PROT_READ, MAP_PRIVATE), ENODEV);
	munmap(own, 2 * PAGE);
	munmap(shared, 2 * PAGE);
	close(pipes[0]);
	close(pipes[1]);
	close(zero);
	close(null);
}

static void check_read_only(void)
{
	const int fd = memory_file(2);
	char path[64], *shared, *own;
	int reads, writes;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reads = open(path, O_RDONLY);
	writes = open(path, O_WRONLY);
	check(reads >= 0 && writes >= 0);
	check_error(map_fd(reads, 2, RW, MAP_SHARED), EACCES);
	check_error(map_fd(writes, 2, PROT_WRITE, MAP_SHARED), EACCES);
	check_error(map_fd(writes, 2, PROT_READ, MAP_PRIVATE), EACCES);
	shared = map_fd(reads, 2, PROT_READ, MAP_SHARED);
	own = map_fd(reads, 2, PROT_READ, MAP_PRIVATE);
	check_error(mprotect(shared, PAGE, RW), EACCES);
	check(!mprotect(shared, PAGE, PROT_NONE) && !mprotect(shared, PAGE, PROT_READ));
	check(!mprotect(own, PAGE, RW));
	own[0] = 1;
	check(!shared[0] && fault_of(shared, 1) == SIGSEGV);
	check(!munmap(shared + PAGE, PAGE));
	check_error(mprotect(shared, PAGE, RW), EACCES);
	munmap(shared, PAGE);
	munmap(own, 2 * PAGE);
	shared = map_fd(fd, 2, PROT_READ, MAP_SHARED);
	check(!mprotect(shared, PAGE, RW));
	munmap(shared, 2 * PAGE);
	close(reads);
	close(writes);
	close(fd);
}

static void check_seals(void)
{
	int fd = memory_file(2);
	char *shared = map_fd(fd, 2, RW, MAP_SHARED), *own;

	check_error(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), EBUSY);
	if (!fork()) /* its copy goes with it */
		_exit(0);
	wait(NULL);
	munmap(shared, PAGE);
	check_error(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), EBUSY);
	munmap(shared + PAGE, PAGE);
	shared = map_fd(fd, 2, PROT_READ, MAP_SHARED); /* it could be made writable */
	check_error(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), EBUSY);
	munmap(shared, 2 * PAGE);
	check(!fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	check_error(map_fd(fd, 2, RW, MAP_SHARED), EPERM);
	own = map_fd(fd, 2, RW, MAP_PRIVATE);
	check(own != MAP_FAILED);
	munmap(own, 2 * PAGE);
	close(fd);

	fd = memory_file(2);
	shared = map_fd(fd, 2, RW, MAP_SHARED);
	check(!fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
	shared[0] = 1;
	check_error(map_fd(fd, 2, RW, MAP_SHARED), EPERM);
	munmap(shared, 2 * PAGE);
	shared = map_fd(fd, 2, PROT_READ, MAP_SHARED);
	check(shared != MAP_FAILED && shared[0] == 1);
	check_error(mprotect(shared, PAGE, RW), EACCES);
	munmap(shared, 2 * PAGE);
	close(fd);
}

int main(int argc, char **argv)
{
	(void)argc;
	check_truncated();
	check_truncated_by_others();
	check_truncated_in_use();
	check_punched();
	check_holes();
	check(shows_written(argv[0]));
	check_devices();
	check_read_only();
	check_seals();
	return check_end();
}
