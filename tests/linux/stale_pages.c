// SPDX-License-Identifier: BSD-2-Clause
/*
 * stale_pages.c - `stale KIND [ROUNDS]`: threads that share one memory try to write to a page after
 * it was unmapped. One thread unmaps a range and maps it again, ROUNDS times. One interferes there
 * as KIND says. One writes to the whole range and never stops. New memory must be zero, and a word
 * that only one thread writes must keep its value, whatever the others do. With the runtime's page
 * poison a write to a free page is also a panic.
 */
#include "tests/linux/check.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE    4096ul
#define PAGES   8
#define BYTES   (PAGES * PAGE)
#define RANGE   ((char *)0x300000000000)
#define ELSE    ((char *)0x300040000000)
#define PATTERN 0x4141414141414141ul
#define RW      (PROT_READ | PROT_WRITE)
#define FRESH   (MAP_PRIVATE | MAP_ANONYMOUS)

static bool stop;
static uint64_t nfaults, rounds = 200;
static int memory_file;
static char *heap;
static volatile char *target = RANGE;
static __thread sigjmp_buf missed;

static bool goes_on(void)
{
	return !__atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void on_fault(int number)
{
	(void)number;
	__atomic_add_fetch(&nfaults, 1, __ATOMIC_RELAXED);
	siglongjmp(missed, 1);
}

static char *map_at(char *at, size_t pages, int flags)
{
	return mmap(at, pages * PAGE, RW, FRESH | flags, -1, 0);
}

/* --- The thread that writes --- */

static void write_page(volatile char *at)
{
	if (!sigsetjmp(missed, 1))
		*(volatile uint64_t *)at = PATTERN;
}

/* Writes to all pages until one faults, so that this CPU keeps their translations. */
static void hammer(volatile char *at, size_t pages)
{
	if (sigsetjmp(missed, 1))
		return;
	for (unsigned i = 0; i < 300; i++)
		for (size_t page = 0; page < pages; page++)
			*(volatile uint64_t *)(at + page * PAGE) = PATTERN;
}

static void *write_always(void *unused)
{
	while (goes_on())
		for (unsigned i = 0; i < PAGES; i++)
			write_page(target + i * PAGE);
	return unused;
}

/* --- The thread that gets new memory --- */

static bool is_zero(const uint64_t *word)
{
	for (size_t i = 0; i < BYTES / sizeof(*word); i++)
		if (word[i])
			return false;
	return true;
}

static void *look_at_new(void *unused)
{
	while (goes_on()) {
		char *new = map_at(NULL, PAGES, MAP_POPULATE);

		if (new == MAP_FAILED)
			continue;
		check(is_zero((uint64_t *)new));
		munmap(new, BYTES);
	}
	return unused;
}

/* --- Interference --- */

static void map_in_gap(unsigned i)
{
	char *at = RANGE + (1 + i % (PAGES - 1)) * PAGE;

	map_at(at, 1, MAP_FIXED_NOREPLACE | MAP_POPULATE);
	hammer(at, 1);
}

static void protect_all(unsigned i)
{
	mprotect(RANGE, BYTES, i % 2 ? RW : PROT_READ);
	hammer(RANGE, PAGES);
}

static void discard_all(unsigned i)
{
	(void)i;
	madvise(RANGE, BYTES, MADV_DONTNEED);
	hammer(RANGE, PAGES);
}

static void move_page(unsigned i)
{
	char *at = RANGE + i % PAGES * PAGE;

	if (mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, ELSE) != MAP_FAILED)
		munmap(ELSE, PAGE);
}

static void replace_page(unsigned i)
{
	map_at(RANGE + i % PAGES * PAGE, 1 + i % 3, MAP_FIXED | MAP_POPULATE);
}

static void truncate_file(unsigned i)
{
	check(!ftruncate(memory_file, i % 2 ? (off_t)BYTES : 0));
}

static void leave_page(unsigned i)
{
	(void)i;
}

static void fork_once(unsigned i)
{
	const pid_t pid = fork();
	int status = 0;

	(void)i;
	if (!pid)
		_exit(0);
	check(pid > 0 && waitpid(pid, &status, 0) == pid && !status);
}

static void any_of_all(unsigned i);

/* --- The thread that unmaps --- */

static void take_one(void)
{
	map_at(RANGE, 1, MAP_FIXED_NOREPLACE | MAP_POPULATE);
	munmap(RANGE, BYTES);
}

static void take_all(void)
{
	map_at(RANGE, PAGES, MAP_FIXED | MAP_POPULATE);
	munmap(RANGE, BYTES);
}

static void take_file(void)
{
	mmap(RANGE, BYTES, RW, MAP_SHARED | MAP_FIXED, memory_file, 0);
	usleep(10);
	munmap(RANGE, BYTES);
}

static void take_heap(void)
{
	check(!brk(heap + BYTES));
	check(!brk(heap));
}

static const struct kind {
	const char *name;
	void (*take)(void);
	void (*interfere)(unsigned i);
} kinds[] = {
	{"map", take_one, map_in_gap},          {"protect", take_all, protect_all},
	{"discard", take_all, discard_all},     {"move", take_all, move_page},
	{"replace", take_all, replace_page},    {"fork", take_all, fork_once},
	{"truncate", take_file, truncate_file}, {"brk", take_heap, leave_page},
	{"any", take_all, any_of_all},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void any_of_all(unsigned i)
{
	kinds[(i * 2654435761u >> 16) % (KINDS - 1)].interfere(i);
}

static void *interfere(void *kind)
{
	for (unsigned i = 0; goes_on(); i++)
		((const struct kind *)kind)->interfere(i);
	return NULL;
}

/* --- A word that only one thread writes, in a page that others write, too --- */

static volatile uint64_t *own;

static void *write_beside(void *unused)
{
	while (goes_on())
		own[1]++;
	return unused;
}

static bool own_stays(uint64_t value)
{
	for (unsigned i = 0; i < 50; i++)
		if (*own != value)
			return false;
	return true;
}

static void *write_own(void *unused)
{
	for (uint64_t i = 1; goes_on(); i++) {
		*own = i;
		check(own_stays(i));
	}
	return unused;
}

#define BESIDE 5 /* threads beside the first one; a machine of four CPUs runs three at once */

static void run_kind(const struct kind *kind)
{
	void *(*const fn[BESIDE])(void *) = {interfere, write_always, look_at_new, write_own,
					     write_beside};
	const unsigned n = kind->interfere == fork_once ? BESIDE : 3;
	pthread_t thread[BESIDE];

	for (unsigned i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, fn[i], (void *)(uintptr_t)kind);
	for (uint64_t i = 0; i < rounds; i++)
		kind->take();
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static const struct kind *find_kind(const char *name)
{
	for (unsigned i = 0; i < KINDS; i++)
		if (name && !strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind = find_kind(argv[1]);

	if (!kind || argc > 3) {
		fprintf(stderr, "usage: stale KIND [ROUNDS]\n");
		return 2;
	}
	if (argc == 3)
		rounds = strtoull(argv[2], NULL, 10);
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	memory_file = memfd_create("stale", 0);
	heap = sbrk(0);
	heap += -(uintptr_t)heap & (PAGE - 1);
	if (kind->take == take_heap)
		target = heap;
	own = (volatile uint64_t *)map_at(NULL, 1, 0);
	run_kind(kind);
	printf("stale: %s, %lu rounds, %s\n", kind->name, rounds, failed ? "failed" : "held");
	return failed != 0;
}
