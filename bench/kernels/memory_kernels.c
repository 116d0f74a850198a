// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory_kernels.c - times of memory (`perf0 latency --set memory`): of loads that depend on each
 * other, by the size of their ring, and by pages; of a load directly after a store to its address;
 * of a misprediction; of the four loops of STREAM.
 *
 * The measured instructions are written in assembly: a disassembly shows which counts to expect.
 */
#include "bench/perf0_bench.h"
#include "bench/bench_sys.h"

#include <stdbool.h>

#define KIB   1024ull
#define MIB   (1024 * KIB)
#define PAGE  4096ull
#define LARGE (2 * MIB)

/* --- Rings of pointers --- */

/* The ring has every second line: the neighbours that a prefetcher adds are never loaded. */
#define STRIDE 128ull
#define LINE   64ull
#define LOADS  32768ull /* of one call */

static void **position;

static uint64_t map_aligned(uint64_t bytes, bool large)
{
	const uint64_t room = bytes + LARGE;
	uint64_t at = (uint64_t)sys_map(room);

	if (at > UINT64_MAX - PAGE)
		sys_exit(1);
	at = (at + LARGE - 1) & ~(LARGE - 1);
	sys_call(__NR_madvise, at, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE, 0, 0, 0);
	return at;
}

/* One cycle through all of the elements, in an order that is the same each time (Sattolo). */
static void tie_ring(uint64_t (*address)(uint64_t i, uint64_t n), uint64_t n)
{
	uint64_t random = 88172645463325252ull;

	for (uint64_t i = 0; i < n; i++)
		*(uint64_t *)address(i, n) = address(i, n);
	for (uint64_t i = n - 1; i; i--) {
		uint64_t *const a = (uint64_t *)address(i, n), *b, value = *a;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		b = (uint64_t *)address(random % i, n);
		*a = *b;
		*b = value;
	}
	position = (void **)address(0, n);
}

static void follow_links(uint64_t loads)
{
	void **at = position;

	__asm__ volatile("1:\n\t"
			 ".rept 16\n\t"
			 "mov (%0), %0\n\t"
			 ".endr\n\t"
			 "sub $16, %1\n\t"
			 "jnz 1b"
			 : "+r"(at), "+r"(loads)
			 :
			 : "cc", "memory");
	position = at;
}

/* The result is the time of the loads beyond these few, which exceed those in flight in a core. In
 * both, loads of one call overlap with the next call's. */
#define FEW 1024ull

static void chase_few(uint64_t arg)
{
	(void)arg;
	follow_links(FEW);
}

#define CHASE .against = chase_few, .each = LOADS, .unit = PERF0_BENCH_LATENCY

/* --- Loads by size, in large pages --- */

static uint64_t large_base, small_base;

static uint64_t by_size(uint64_t i, uint64_t n)
{
	(void)n;
	return large_base + i * STRIDE;
}

/* Follows the ring once, so that caches hold as much of it as they can. */
static void make_ring(uint64_t bytes)
{
	if (!large_base)
		large_base = map_aligned(64 * MIB, true);
	tie_ring(by_size, bytes / STRIDE);
	follow_links((bytes / STRIDE + 15) & ~15ull);
}

PERF0_BENCH(load, 4 * KIB, 64 * MIB, .factor = 2, .setup = make_ring, CHASE)
{
	(void)arg;
	follow_links(LOADS + FEW);
}

/* --- Loads by pages of 4 KiB: a line of each, so that they spread over the sets of a cache --- */

static uint64_t by_page(uint64_t i, uint64_t n)
{
	return small_base + i * PAGE + (n < 64 ? i : i / (n / 64)) % 64 * LINE;
}

static void make_pages(uint64_t pages)
{
	if (!small_base)
		small_base = map_aligned(4096 * PAGE, false);
	tie_ring(by_page, pages);
	follow_links((pages + 15) & ~15ull);
}

PERF0_BENCH(load_in_pages, 16, 4096, .factor = 2, .setup = make_pages, CHASE)
{
	(void)arg;
	follow_links(LOADS + FEW);
}

/* --- A load behind a store to its address --- */

PERF0_BENCH(store_to_load, 0, 0, .each = 4096, .unit = PERF0_BENCH_LATENCY)
{
	uint64_t place = 0, value = 0, turns = 4096 / 16;

	__asm__ volatile("1:\n\t"
			 ".rept 16\n\t"
			 "mov %1, %0\n\t"
			 "mov %0, %1\n\t"
			 ".endr\n\t"
			 "dec %2\n\t"
			 "jnz 1b"
			 : "+m"(place), "+r"(value), "+r"(turns)
			 :
			 : "cc");
}

/* --- Mispredictions --- */

/*
 * Each callee overwrites its return address, with label 2: without a NOP, that is the same address;
 * behind a NOP, it is one that no predictor of returns knows.
 */
#define RETURNS 8192ull

#define CALLS(nop)                                     \
	__asm__ volatile("mov %0, %%rcx\n\t"           \
			 "1:\n\t"                      \
			 "call 3f\n\t" nop "2:\n\t"    \
			 "dec %%rcx\n\t"               \
			 "jnz 1b\n\t"                  \
			 "jmp 4f\n\t"                  \
			 "3: lea 2b(%%rip), %%rax\n\t" \
			 "mov %%rax, (%%rsp)\n\t"      \
			 "ret\n\t"                     \
			 "4:"                          \
			 :                             \
			 : "i"(RETURNS)                \
			 : "rax", "rcx", "cc", "memory")

static void predicted_returns(uint64_t arg)
{
	(void)arg;
	CALLS("");
}

PERF0_BENCH(misprediction, 0, 0, .against = predicted_returns, .each = RETURNS,
	    .unit = PERF0_BENCH_LATENCY)
{
	CALLS("nop\n\t");
}

/* --- STREAM --- */

#define WORDS (64 * MIB / 3 / sizeof(double) / 16 * 16)

static double *a, *b, *c;

static void make_arrays(uint64_t n)
{
	(void)n;
	if (!large_base)
		large_base = map_aligned(64 * MIB, true);
	a = (double *)large_base;
	b = a + WORDS;
	c = b + WORDS;
	for (uint64_t i = 0; i < WORDS; i++) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
}

/* `step` handles two doubles in XMM0; RAX is their index, and XMM1 holds 2 twice. */
#define STREAM(step)                                          \
	__asm__ volatile("mov $2, %%eax\n\t"                  \
			 "cvtsi2sd %%eax, %%xmm1\n\t"         \
			 "unpcklpd %%xmm1, %%xmm1\n\t"        \
			 "xor %%eax, %%eax\n\t"               \
			 "1:\n\t" step "add $2, %%rax\n\t"    \
			 "cmp %3, %%rax\n\t"                  \
			 "jne 1b"                             \
			 :                                    \
			 : "r"(a), "r"(b), "r"(c), "r"(WORDS) \
			 : "rax", "xmm0", "xmm1", "cc", "memory")

#define BYTES(arrays)                                                                  \
	.setup = make_arrays, .each = WORDS / 2, .bytes = (arrays)*2 * sizeof(double), \
	.unit = PERF0_BENCH_BYTES

PERF0_BENCH(stream_copy, 0, 0, BYTES(2))
{
	STREAM("movupd (%0, %%rax, 8), %%xmm0\n\t"
	       "movupd %%xmm0, (%2, %%rax, 8)\n\t");
}

PERF0_BENCH(stream_scale, 0, 0, BYTES(2))
{
	STREAM("movupd (%2, %%rax, 8), %%xmm0\n\t"
	       "mulpd %%xmm1, %%xmm0\n\t"
	       "movupd %%xmm0, (%1, %%rax, 8)\n\t");
}

PERF0_BENCH(stream_add, 0, 0, BYTES(3))
{
	STREAM("movupd (%0, %%rax, 8), %%xmm0\n\t"
	       "addpd (%1, %%rax, 8), %%xmm0\n\t"
	       "movupd %%xmm0, (%2, %%rax, 8)\n\t");
}

PERF0_BENCH(stream_triad, 0, 0, BYTES(3))
{
	STREAM("movupd (%2, %%rax, 8), %%xmm0\n\t"
	       "mulpd %%xmm1, %%xmm0\n\t"
	       "addpd (%1, %%rax, 8), %%xmm0\n\t"
	       "movupd %%xmm0, (%0, %%rax, 8)\n\t");
}

/* --- A program without a library --- */

__attribute__((used)) _Noreturn static void memory_main(long *stack)
{
	sys_exit(perf0_bench_main((int)stack[0], (char **)(stack + 1)));
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"mov %rsp, %rdi\n\t"
	"and $-16, %rsp\n\t"
	"call memory_main\n");
