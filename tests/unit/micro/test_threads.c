// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_threads.c - vCPUs in threads of their own share one last level: the invariants of each vCPU
 * still hold, and lines that only one vCPU uses are counted exactly.
 */
#include "tests/unit/micro/core.h"

#include "vpmu/micro/micro_priv.h"

#include <pthread.h>

#include "tests/unit/test.h"

#define CORES 4
#define LINES 20000u
#define BASE  0x40000000ull

/* Each core uses its own lines, and some that all cores use. */
static void *run_core(void *core)
{
	struct played_core *c = core;
	const uint64_t own = BASE + c->random * 0x4000000;

	for (unsigned i = 0; i < LINES; i++) {
		const uint64_t common = BASE - 0x100000 + i % 512 * 64;

		if (c->llc->directory)
			micro_catch_up(c->micro);
		core_block(c, 0x400000, 4);
		core_load(c, own + i * 64);
		if (c->llc->directory)
			micro_store_coherent(c->micro, common, 8, c);
		else
			core_store(c, common);
	}
	return NULL;
}

static void check_cores(const char *name, bool small, bool coherent)
{
	const struct geometry *g = vpmu_geometry(name);
	struct played_core *cores[CORES] = {NULL};
	pthread_t threads[CORES];

	for (unsigned i = 0; i < CORES; i++) {
		cores[i] = core_among(small ? g->small : g, CORE_ALONE, cores[0],
				      coherent ? CORES - 1 : 0);
		cores[i]->random = i;
	}
	for (unsigned i = 0; i < CORES; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_core, cores[i]), 0);
	for (unsigned i = 0; i < CORES; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(cores[i]->counts[EVENTS_L1D_LOADS], LINES);
		assert_int_equal(cores[i]->counts[EVENTS_L1D_LOAD_MISSES], LINES);
		assert_int_equal(cores[i]->counts[EVENTS_LLC_LOAD_MISSES], LINES);
	}
	for (unsigned i = CORES; i-- > 0;)
		core_free(cores[i], i == 0);
}

TEST(test_threads)
{
	check_cores("hsw", false, false); /* inclusive */
	check_cores("skx", false, false); /* victims */
	check_cores("adl", true, false);  /* a module, too */
	check_cores("hsw", false, true);
	check_cores("skx", false, true);
	check_cores("zen4", false, true); /* an inclusive L2 */
}
