// SPDX-License-Identifier: BSD-2-Clause
/* micro.c - the cost of the model of a core on the host, in ns a call. */
#include "tests/unit/micro/core.h"

#include <stdio.h>
#include <time.h>

#define ROUNDS 25
#define CALLS  100000u
#define LINES  (1u << 20)

static struct played_core *core;

/* CPU time of this thread alone: the host may run other programs. */
static double thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t addresses[LINES];

/* Calls a function for each access, as a plugin does. */
__attribute__((noinline)) static void loaded(uint64_t va)
{
	micro_load(core->micro, va, 8, core);
}

__attribute__((noinline)) static void branched(enum micro_branch kind, uint64_t ip, uint64_t to,
					       bool taken)
{
	micro_branch(core->micro, kind, ip, to, ip + 2, taken);
}

__attribute__((noinline)) static void ran(const struct micro_block *b)
{
	micro_block(core->micro, b);
}

typedef void work_fn(uint32_t i);

static double time_of(work_fn *work)
{
	double best = 1e18;

	for (unsigned round = 0; round < ROUNDS; round++) {
		double start = thread_ns(), each;

		for (uint32_t i = 0; i < CALLS; i++)
			work(i + round * CALLS);
		each = (thread_ns() - start) / CALLS;
		best = each < best ? each : best;
	}
	return best;
}

/* Loads a random line of `span` bytes each time. */
static void scatter(uint64_t span)
{
	for (uint32_t i = 0; i < LINES; i++)
		addresses[i] = 0x10000000 + core_random(core) % span / 64 * 64;
}

static void load_listed(uint32_t i)
{
	loaded(addresses[i % LINES]);
}

static void load_next(uint32_t i)
{
	loaded(0x10000000 + i * 8ull % (64u << 20));
}

static void load_same(uint32_t i)
{
	loaded(0x10000000 + i % 8 * 8);
}

static void load_few(uint32_t i)
{
	loaded(0x10000000 + i * 0x1040ull % 0x10400);
}

static double time_loads(uint64_t span)
{
	scatter(span);
	return time_of(load_listed);
}

static void branch_loop(uint32_t i)
{
	branched(MICRO_CONDITIONAL, 0x401000, 0x400f00, i % 20 != 0);
}

static void branch_many(uint32_t i)
{
	branched(MICRO_CONDITIONAL, 0x401000 + i % 97 * 12, 0x400f00, i % 97 % 3 != 0);
}

static void branch_random(uint32_t i)
{
	branched(MICRO_CONDITIONAL, 0x401000, 0x400f00, addresses[i % LINES] >> 6 & 1);
}

static void branch_indirect(uint32_t i)
{
	branched(MICRO_JUMP_INDIRECT, 0x401000, 0x500000 + i % 5 * 64, true);
}

static void block_same(uint32_t i)
{
	static const struct micro_block b = {
		.va = 0x401000, .physical = 0x401000, .bytes = 28, .shift = 12};

	(void)i;
	ran(&b);
}

static void block_many(uint32_t i)
{
	const struct micro_block b = {.va = 0x401000 + i % 64 * 80,
				      .physical = 0x401000,
				      .physical_next = 0x402000,
				      .bytes = 40,
				      .shift = 12};

	ran(&b);
}

static void reset_both(uint32_t i)
{
	if (i % 2000 == 0) {
		micro_reset(core->micro);
		micro_shared_reset(core->llc);
	}
}

static void row(const char *name, double ns)
{
	printf("micro.%s %.1f ns\n", name, ns);
}

int main(int argc, char **argv)
{
	const char *uarch = argc > 1 ? argv[1] : VPMU_DEFAULT;
	const unsigned flags = argc > 2 ? (unsigned)atoi(argv[2]) : 0;

	if (!vpmu_geometry(uarch))
		return 2;
	core = core_named(uarch, flags);
	row("load_same_line", time_of(load_same));
	row("load_16_pages", time_of(load_few));
	row("load_next", time_of(load_next));
	row("load_of_L1", time_loads(16 << 10));
	row("load_of_L2", time_loads(192 << 10));
	row("load_of_LLC", time_loads(6 << 20));
	row("load_of_memory", time_loads(1ull << 30));
	row("branch_loop", time_of(branch_loop));
	row("branch_many", time_of(branch_many));
	row("branch_random", time_of(branch_random));
	row("branch_indirect", time_of(branch_indirect));
	row("block_same_line", time_of(block_same));
	row("block_many", time_of(block_many));
	row("reset", time_of(reset_both) * 2000);
	core_free(core, true);
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
