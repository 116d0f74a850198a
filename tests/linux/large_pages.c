// SPDX-License-Identifier: BSD-2-Clause
/*
 * large_pages.c - memory that may consist of large pages: after any operations on parts of it each
 * byte is right. `large_pages count` counts faults, whose number on Linux depends on its settings.
 * `large_pages heap MIB` allocates MIB by malloc(3), and uses all of it.
 */
#include "tests/linux/check.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE  (2ul << 20)
#define PAGE   4096ul
#define BLOCKS 4
#define BYTES  (BLOCKS * LARGE)

static char *map_bytes(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	return at;
}

static uint64_t *word_of(char *at, size_t page)
{
	return (uint64_t *)(at + page * PAGE);
}

static void fill(char *at, size_t bytes, uint64_t tag)
{
	for (size_t i = 0; i < bytes / PAGE; i++)
		*word_of(at, i) = tag + i;
}

static bool holds(char *at, size_t bytes, uint64_t tag)
{
	for (size_t i = 0; i < bytes / PAGE; i++)
		if (*word_of(at, i) != tag + i)
			return false;
	return true;
}

static bool is_zero(const char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i])
			return false;
	return true;
}

/* --- Parts --- */

static void check_unmapping(void)
{
	char *at = map_bytes(BYTES), *again;

	fill(at, BYTES, 1000);
	check(!munmap(at + LARGE + PAGE, PAGE));
	check(holds(at, LARGE + PAGE, 1000));
	check(holds(at + LARGE + 2 * PAGE, BYTES - LARGE - 2 * PAGE, 1000 + 514));
	again = mmap(at + LARGE + PAGE, PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	check(again == at + LARGE + PAGE && is_zero(again, PAGE));
	check(!madvise(at + LARGE / 2, LARGE, MADV_DONTNEED));
	check(is_zero(at + LARGE / 2, LARGE));
	check(holds(at, LARGE / 2, 1000));
	check(holds(at + LARGE + LARGE / 2, BYTES - LARGE - LARGE / 2, 1000 + 768));
	check(!munmap(at, BYTES));
}

/* The writes of a system call show which pages may be written. */
static void check_protection(void)
{
	char *at = map_bytes(BYTES);
	int ends[2];

	fill(at, BYTES, 2000);
	check(!pipe(ends) && write(ends[1], "1234", 4) == 4);
	check(!mprotect(at + PAGE, PAGE, PROT_READ));
	check_error(read(ends[0], at + PAGE, 1), EFAULT);
	check(read(ends[0], at + 2 * PAGE + 8, 1) == 1);
	check(!mprotect(at + LARGE, LARGE, PROT_NONE));
	check_error(write(ends[1], at + LARGE + PAGE, 1), EFAULT);
	check(!mprotect(at + LARGE, LARGE, PROT_READ | PROT_WRITE));
	check(!mprotect(at + PAGE, PAGE, PROT_READ | PROT_WRITE));
	check(read(ends[0], at + PAGE + 8, 1) == 1);
	check(holds(at, BYTES, 2000));
	close(ends[0]);
	close(ends[1]);
	check(!munmap(at, BYTES));
}

static void check_moving(void)
{
	char *at = map_bytes(BYTES), *moved;

	fill(at, BYTES, 3000);
	moved = mremap(at, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
	check(moved != MAP_FAILED && holds(moved, BYTES, 3000));
	check(is_zero(moved + BYTES, BYTES));
	fill(moved, 2 * BYTES, 4000);
	check(mremap(moved, 2 * BYTES, LARGE + PAGE, 0) == moved);
	check(holds(moved, LARGE + PAGE, 4000));
	check(!munmap(moved, LARGE + PAGE));
}

/* --- fork(2) --- */

static int change_copy(char *at)
{
	if (!holds(at, BYTES, 5000))
		return 1;
	*word_of(at, 3) = 1;
	fill(at + LARGE, LARGE, 6000);
	if (munmap(at + 2 * LARGE, PAGE))
		return 2;
	if (*word_of(at, 3) != 1 || *word_of(at, 4) != 5004 || !holds(at + LARGE, LARGE, 6000))
		return 3;
	return holds(at + 3 * LARGE, LARGE, 5000 + 3 * 512) ? 0 : 4;
}

static void check_copies(void)
{
	char *at = map_bytes(BYTES);
	int status = -1;

	fill(at, BYTES, 5000);
	for (int turn = 0; turn < 2; turn++) {
		const pid_t child = fork();

		if (!child)
			_exit(change_copy(at));
		if (turn)
			*word_of(at, 3 * 512) = 77; /* while the child has it, too */
		check(waitpid(child, &status, 0) == child && (turn || status == 0));
		if (turn)
			*word_of(at, 3 * 512) = 5000 + 3 * 512;
		check(holds(at, BYTES, 5000));
	}
	fill(at, BYTES, 7000);
	check(holds(at, BYTES, 7000));
	check(!munmap(at, BYTES));
}

/* --- How many faults --- */

static long faults_of(char *at, size_t bytes)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	fill(at, bytes, 1);
	getrusage(RUSAGE_SELF, &after);
	return after.ru_minflt - before.ru_minflt;
}

/* AnonHugePages of the area at `at`, in KiB. */
static long huge_kib(const char *at)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512];
	long kib = -1;
	bool here = false;

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long start, end;

		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			here = start <= (uintptr_t)at && (uintptr_t)at < end;
		else if (here)
			sscanf(line, "AnonHugePages: %ld kB", &kib);
	}
	if (f)
		fclose(f);
	return kib;
}

#define MANY (64ul << 20)

static void check_count(void)
{
	char *at = map_bytes(MANY), *small = map_bytes(MANY);

	check(faults_of(at, MANY) == 32);
	check(huge_kib(at) == 65536);
	check(!madvise(small, MANY, MADV_NOHUGEPAGE));
	check(faults_of(small, MANY) == 16384);
	check(huge_kib(small) == 0);
	check(!munmap(small, MANY));
	check(!munmap(at + PAGE, PAGE));
	check(huge_kib(at + LARGE) == 65536 - 2048);
	check(!munmap(at, MANY));
	at = map_bytes(MANY);
	check(faults_of(at, MANY) == 32);
	check(!munmap(at, MANY));
	check(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0);
	check_error(prctl(PR_SET_THP_DISABLE, 1, 1, 0, 0), EINVAL);
	check(!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
	check(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1);
	at = map_bytes(LARGE);
	check(faults_of(at, LARGE) == 512);
	check(!prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0));
	check(!munmap(at, LARGE));
}

/* --- Beside another thread, which may be on another CPU --- */

static volatile bool over;

static void *use_own(void *wrong)
{
	char *at = map_bytes(BYTES);

	for (uint64_t tag = 1; !over; tag++) {
		fill(at, BYTES, tag);
		if (!holds(at, BYTES, tag) ||
		    madvise(at + tag % 700 * PAGE, LARGE, MADV_DONTNEED) ||
		    !is_zero(at + tag % 700 * PAGE, PAGE))
			*(bool *)wrong = true;
	}
	return NULL;
}

static void check_parts(void)
{
	check_unmapping();
	check_protection();
	check_moving();
	check_copies();
}

static void check_beside(void)
{
	bool wrong = false;
	pthread_t other;

	check(!pthread_create(&other, NULL, use_own, &wrong));
	check_parts();
	over = true;
	check(!pthread_join(other, NULL));
	check(!wrong);
}

static void check_heap(size_t mib)
{
	char *at = malloc(mib << 20);

	check(at != NULL);
	if (!at)
		return;
	fill(at, mib << 20, 9);
	check(holds(at, mib << 20, 9));
	free(at);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "heap")) {
		check_heap((size_t)atol(argv[2]));
	} else if (argc > 1) {
		check_count();
	} else {
		check_parts();
		check_beside();
	}
	return check_end();
}
