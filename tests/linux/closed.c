/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * closed.c - CASE ROUNDS [SIZE]: programs whose counts follow from closed forms, for each round.
 * The code before and after the rounds is the same for any number of rounds: two runs differ in
 * their rounds alone.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/linux/large.h"

#define LINE 64
#define PAGE 4096

/* A round: `body`, which has `at` as %1, DEC and JNZ. */
#define ROUNDS(n, at, body, ...)                                                                   \
	__asm__ volatile("1:\n\t" body "\n\tdec %0\n\tjnz 1b"                                      \
			 : "+r"(n), "+r"(at)                                                       \
			 : __VA_ARGS__                                                             \
			 : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r11", "xmm0", \
			   "xmm1", "xmm2", "xmm3")

static unsigned char two_pages[2 * PAGE] __attribute__((aligned(PAGE)));

static void *map_or_exit(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return at;
}

/* --- Events that are counted exactly --- */

/* Ten instructions, one of them a branch. */
static void ten(uint64_t n, uint64_t size)
{
	ROUNDS(n, size,
	       "add $1, %%rax\n\tadd $1, %%rcx\n\tlea 1(%%rax), %%rdx\n\tmov %%rdx, %%rsi\n\t"
	       "xor %%rsi, %%rdi\n\tadd $3, %%r8\n\tmov %%r8, %%r11\n\tadd %%r11, %%rax");
}

/* Two calls and two returns, two indirect jumps or calls, three conditional branches, two of them
 * taken. */
static void branches(uint64_t n, uint64_t size)
{
	ROUNDS(n, size,
	       "call 2f\n\tjmp 3f\n\t2: ret\n\t3: lea 4f(%%rip), %%rax\n\tjmp *%%rax\n\t4:"
	       "lea 2b(%%rip), %%rcx\n\tcall *%%rcx\n\ttest %%rsp, %%rsp\n\tje 4b\n\tjne 5f\n\tnop\n\t5:");
}

static void scalar(uint64_t n, uint64_t size)
{
	ROUNDS(n, size, "addsd %%xmm1, %%xmm0\n\tmulss %%xmm1, %%xmm2");
}

static void packed(uint64_t n, uint64_t size)
{
	ROUNDS(n, size, "addps %%xmm1, %%xmm0\n\tmulpd %%xmm1, %%xmm2\n\tdivpd %%xmm3, %%xmm2");
}

static void wide(uint64_t n, uint64_t size)
{
	ROUNDS(n, size, "vaddps %%ymm1, %%ymm0, %%ymm0\n\tvmulpd %%ymm1, %%ymm2, %%ymm2");
}

static void fused(uint64_t n, uint64_t size)
{
	ROUNDS(n, size, "vfmadd231pd %%ymm1, %%ymm3, %%ymm0\n\tvfmadd231ss %%xmm1, %%xmm3, %%xmm2");
}

/* Loads and stores SIZE bytes into a page: two loads, of 8 and 16 bytes, and a store of 4 bytes one
 * byte further. */
static void split(uint64_t n, uint64_t size)
{
	unsigned char *at = two_pages + size;

	ROUNDS(n, at, "mov (%1), %%rax\n\tmov %%eax, 1(%1)\n\tmovdqu (%1), %%xmm0");
}

static void locked(uint64_t n, uint64_t size)
{
	unsigned char *at = two_pages + size;

	ROUNDS(n, at, "lock addq $1, (%1)\n\txchg %%rax, 8(%1)\n\taddq $1, 16(%1)");
}

/* Three REP instructions: the first two repeat SIZE times, the third 0 times. */
static void repeated(uint64_t n, uint64_t size)
{
	ROUNDS(n, size,
	       "lea %2, %%rdi\n\tlea %2, %%rsi\n\tmov %1, %%rcx\n\trep movsb\n\t"
	       "lea %2, %%rdi\n\tmov %1, %%rcx\n\trep stosb\n\txor %%ecx, %%ecx\n\trep stosb",
	       "m"(two_pages));
}

static void divides(uint64_t n, uint64_t size)
{
	ROUNDS(n, size,
	       "mov $100, %%eax\n\txor %%edx, %%edx\n\tdivl %k1\n\txor %%edx, %%edx\n\tidivq %1");
}

/* getppid() */
static void calls(uint64_t n, uint64_t size)
{
	ROUNDS(n, size, "mov $110, %%eax\n\tsyscall");
}

/* --- Faults --- */

/* A store to an untouched page, a store that reads first, and a REP across pages: each faults and
 * runs again. */
static void touch(uint64_t n, uint64_t size)
{
	unsigned char *at = map_or_exit(4 * PAGE * n);

	(void)size;
	ROUNDS(n, at,
	       "movb $1, (%1)\n\taddb $1, %c2(%1)\n\tlea %c3(%1), %%rdi\n\tmov %2, %%ecx\n\t"
	       "rep stosb\n\tadd %4, %1",
	       "i"(PAGE), "i"(2 * PAGE + PAGE / 2), "i"(4 * PAGE));
}

static volatile sig_atomic_t faults;

static void skip_two(int signal, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)signal;
	(void)info;
	faults++;
	c->uc_mcontext.gregs[REG_RIP] += 2;
}

/* Each round divides by zero, or loads from nowhere (SIZE 1): the handler goes on after it. */
static void fail(uint64_t n, uint64_t size)
{
	const struct sigaction action = {.sa_sigaction = skip_two, .sa_flags = SA_SIGINFO};
	const uint64_t rounds = n;

	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	if (size)
		ROUNDS(n, size, "xor %%eax, %%eax\n\tmov (%%rax), %%ecx");
	else
		ROUNDS(n, size, "xor %%ecx, %%ecx\n\tdiv %%ecx");
	if ((uint64_t)faults != rounds)
		exit(1);
}

/* --- Modelled events --- */

static uint32_t any(void)
{
	static uint32_t seed = 1;

	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

/* A list through all lines of SIZE bytes, in an order without a rule; a round goes through it once.
 */
static void chase(uint64_t n, uint64_t size)
{
	const size_t lines = size / LINE;
	unsigned char *memory = large_memory(size);
	uint32_t *order = malloc(lines * sizeof(*order));
	void *at = memory;

	for (uint32_t i = 0; i < lines; i++) {
		const uint32_t j = any() % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (size_t i = 0; i < lines; i++)
		*(void **)(memory + (size_t)order[i] * LINE) =
			memory + (size_t)order[(i + 1) % lines] * LINE;
	for (; n; n--) {
		uint64_t left = lines;

		__asm__ volatile("1: mov (%1), %1\n\tdec %0\n\tjnz 1b"
				 : "+r"(left), "+r"(at)
				 :
				 : "cc", "memory");
	}
}

/* Reads SIZE bytes, eight at a time. */
static void stream(uint64_t n, uint64_t size)
{
	unsigned char *memory = map_or_exit(size);

	memset(memory, 1, size);
	for (; n; n--) {
		uint64_t left = size;

		__asm__ volatile("1: mov -8(%1,%0), %%rax\n\tsub $8, %0\n\tjnz 1b"
				 : "+r"(left)
				 : "r"(memory)
				 : "rax", "cc", "memory");
	}
}

/* A load from each of SIZE pages. */
static void pages(uint64_t n, uint64_t size)
{
	unsigned char *memory = map_or_exit(size * PAGE);

	memset(memory, 1, size * PAGE);
	for (; n; n--) {
		const unsigned char *at = memory;
		uint64_t left = size;

		__asm__ volatile("1: mov (%1), %%rax\n\tadd %2, %1\n\tdec %0\n\tjnz 1b"
				 : "+r"(left), "+r"(at)
				 : "i"(PAGE)
				 : "rax", "cc", "memory");
	}
}

/* A branch back that is taken SIZE - 1 times, then not. */
static void period(uint64_t n, uint64_t size)
{
	for (; n; n--) {
		uint64_t left = size;

		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(left) : : "cc");
	}
}

/* A branch with a random outcome. */
static void chance(uint64_t n, uint64_t size)
{
	uint64_t x = 88172645463325252ull;

	(void)size;
	ROUNDS(n, x,
	       "mov %1, %%rax\n\tshl $13, %%rax\n\txor %%rax, %1\n\tmov %1, %%rax\n\t"
	       "shr $7, %%rax\n\txor %%rax, %1\n\tmov %1, %%rax\n\tshl $17, %%rax\n\t"
	       "xor %%rax, %1\n\ttest %1, %1\n\tjs 2f\n\tnop\n\t2:");
}

#define N 256 /* rows and columns */

/* Transposes by rows, or (SIZE 8) by tiles of 8 by 8. */
static void transpose(uint64_t n, uint64_t size)
{
	volatile double(*from)[N] = large_memory(2 * sizeof(double[N][N])), (*to)[N] = from + N;
	const size_t tile = size ? size : N;

	for (; n; n--)
		for (size_t i = 0; i < N; i += tile)
			for (size_t j = 0; j < N; j += tile)
				for (size_t y = i; y < i + tile; y++)
					for (size_t x = j; x < j + tile; x++)
						to[x][y] = from[y][x];
}

/* --- Which --- */

static const struct {
	const char *name;
	void (*run)(uint64_t n, uint64_t size);
} cases[] = {
	{"ten", ten},
	{"branches", branches},
	{"scalar", scalar},
	{"packed", packed},
	{"wide", wide},
	{"fused", fused},
	{"split", split},
	{"locked", locked},
	{"repeated", repeated},
	{"divides", divides},
	{"calls", calls},
	{"touch", touch},
	{"fail", fail},
	{"chase", chase},
	{"stream", stream},
	{"pages", pages},
	{"period", period},
	{"chance", chance},
	{"transpose", transpose},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(argv[1], cases[i].name)) {
			cases[i].run(strtoull(argv[2], NULL, 10),
				     argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
			return 0;
		}
	fprintf(stderr, "closed: CASE ROUNDS [SIZE]\n");
	return 1;
}
