// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory_accesses.c - accesses to memory with known costs:
 *   memory chase KIB N       N loads through KIB KiB, each from the address that the last loaded
 *   memory naive | blocked   a matrix multiplication with a strided inner loop, or without
 *   memory share N [apart]   two threads that write to one line (or to two) N times each. In one
 *                            line neither gets far ahead, so that they take turns on one CPU, too
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- chase: line i links to line 5 i + 12347, of a power of two of lines --- */

struct line {
	struct line *next;
	char rest[56];
};

__attribute__((noinline)) static struct line *follow(struct line *at, uint64_t n)
{
	while (n--)
		at = at->next; // chase
	return at;
}

static int chase(uint64_t kib, uint64_t n)
{
	const uint64_t lines = kib * 1024 / sizeof(struct line);
	struct line *list = aligned_alloc(4096, lines * sizeof(*list));

	if (!list)
		return 1;
	for (uint64_t i = 0; i < lines; i++)
		list[i].next = &list[(5 * i + 12347) % lines];
	return !follow(list, n);
}

/* --- matrices --- */

#define N     128
#define BLOCK 16

double a[N][N], b[N][N], c[N][N];

__attribute__((noinline)) static void multiply_naive(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j]; // naive
			c[i][j] = sum;
		}
}

__attribute__((noinline)) static void multiply_blocked(void)
{
	for (int kk = 0; kk < N; kk += BLOCK)
		for (int i = 0; i < N; i++)
			for (int k = kk; k < kk + BLOCK; k++)
				for (int j = 0; j < N; j++)
					c[i][j] += a[i][k] * b[k][j]; // blocked
}

/* --- two threads --- */

struct counters {
	volatile uint64_t one;
	char apart[56];
	volatile uint64_t other;
} shared __attribute__((aligned(128)));

#define AHEAD 10000 /* most turns that one thread has had more than the other */

static uint64_t turns;
static pthread_barrier_t both;

/* The word of a thread, and that of the other thread if it waits for that. */
struct counting {
	volatile uint64_t *at, *beside;
};

__attribute__((noinline)) static void *count_up(void *counting)
{
	volatile uint64_t *at = ((struct counting *)counting)->at,
			  *beside = ((struct counting *)counting)->beside;

	pthread_barrier_wait(&both);
	for (uint64_t i = 0; i < turns; i++) {
		*at = *at + 1; // share
		while (beside && i % AHEAD == 0 && *beside + AHEAD < i)
			; // share
	}
	return NULL;
}

static int share(uint64_t n, int is_apart)
{
	volatile uint64_t *second = is_apart ? &shared.other : &shared.one + 1;
	struct counting one = {&shared.one, is_apart ? NULL : second},
			other = {second, is_apart ? NULL : &shared.one};
	pthread_t thread;

	turns = n;
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&thread, NULL, count_up, &other))
		return 1;
	count_up(&one);
	pthread_join(thread, NULL);
	return shared.one != n || *second != n;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "chase") && argc > 3)
		return chase(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	if (!strcmp(what, "share") && argc > 2)
		return share(strtoull(argv[2], NULL, 0), argc > 3);
	if (!strcmp(what, "naive"))
		multiply_naive();
	else if (!strcmp(what, "blocked"))
		multiply_blocked();
	else
		return 2;
	return 0;
}
