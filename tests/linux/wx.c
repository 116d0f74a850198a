// SPDX-License-Identifier: BSD-2-Clause
/*
 * wx.c - memory that is both writable and executable, as JIT compilers use it: the program writes
 * code to it and runs it, with mmap(2) and mprotect(2), anonymous, of a file and after fork(2).
 * `wx refused`: both are EACCES, and writable memory that becomes executable is not writable.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define PAGE 4096
#define RW   (PROT_READ | PROT_WRITE)
#define RWX  (PROT_READ | PROT_WRITE | PROT_EXEC)

/* mov eax, n; ret */
static void put_code(uint8_t *at, uint32_t n)
{
	at[0] = 0xb8;
	memcpy(at + 1, &n, sizeof(n));
	at[5] = 0xc3;
}

static uint32_t call_written(const void *code)
{
	uint32_t (*fn)(void);

	memcpy(&fn, &code, sizeof(fn));
	return fn();
}

/* Writes, runs, writes and runs code, without changing rights in between. */
static void check_code(uint8_t *at)
{
	for (uint32_t n = 1; n <= 3; n++) {
		put_code(at, n);
		check(call_written(at) == n);
	}
}

static void check_forked(uint8_t *at)
{
	int status;
	pid_t pid;

	put_code(at, 4);
	pid = fork();
	if (!pid) {
		put_code(at, 5);
		_exit((int)call_written(at));
	}
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5);
	check(call_written(at) == 4);
	put_code(at, 6);
	check(call_written(at) == 6);
}

static void check_allowed(void)
{
	uint8_t *direct = mmap(NULL, 2 * PAGE, RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *changed = mmap(NULL, PAGE, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int fd = memfd_create("code", 0);
	uint8_t *of_file;

	check(direct != MAP_FAILED && changed != MAP_FAILED && !ftruncate(fd, PAGE));
	check_code(direct);
	check_code(direct + PAGE - 3); /* across two pages */
	check_forked(direct);
	put_code(changed, 9);
	check(!mprotect(changed, PAGE, RWX) && call_written(changed) == 9);
	check_code(changed);
	of_file = mmap(NULL, PAGE, RWX, MAP_SHARED, fd, 0);
	check(of_file != MAP_FAILED);
	check_code(of_file);
	of_file = mmap(NULL, PAGE, RWX, MAP_PRIVATE, fd, 0);
	check(of_file != MAP_FAILED && call_written(of_file) == 3);
	check_code(of_file);
	check(!mprotect(direct, 2 * PAGE, PROT_READ | PROT_EXEC) && call_written(direct) == 6);
}

static void check_no_rwx(void)
{
	uint8_t *memory = mmap(NULL, PAGE, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check_error((long)mmap(NULL, PAGE, RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EACCES);
	check_error(mprotect(memory, PAGE, RWX), EACCES);
	put_code(memory, 7);
	check(!mprotect(memory, PAGE, PROT_READ | PROT_EXEC) && call_written(memory) == 7);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "refused"))
		check_no_rwx();
	else
		check_allowed();
	return check_end();
}
