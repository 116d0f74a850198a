// SPDX-License-Identifier: BSD-2-Clause
/*
 * papi.c - events by PAPI: its library finds the PMU, opens, starts, reads and stops them, by
 * perf_event_open(2) and RDPMC.
 */
#include "tests/linux/perf_events.h"

#include <papi.h>

#define TURNS 100000ull

static int make_set(void)
{
	int set = PAPI_NULL;

	check("PAPI_create_eventset", (uint64_t)PAPI_create_eventset(&set), PAPI_OK);
	check("PAPI_TOT_INS", (uint64_t)PAPI_add_event(set, PAPI_TOT_INS), PAPI_OK);
	check("PAPI_BR_INS", (uint64_t)PAPI_add_event(set, PAPI_BR_INS), PAPI_OK);
	return set;
}

/* The first time the dynamic linker has to find functions. */
static void count_turns(int set, uint64_t turns, long long values[2])
{
	for (int i = 0; i < 2; i++) {
		check("PAPI_start", (uint64_t)PAPI_start(set), PAPI_OK);
		turn(turns);
		check("PAPI_stop", (uint64_t)PAPI_stop(set, values), PAPI_OK);
	}
}

int main(void)
{
	long long once[2], twice[2], before, after;
	int set;

	setvbuf(stdout, NULL, _IOLBF, 0);
	check("PAPI_library_init", (uint64_t)PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	check("it finds counters", PAPI_num_cmp_hwctrs(0) >= 4, true);
	set = make_set();
	count_turns(set, TURNS, once);
	count_turns(set, 2 * TURNS, twice);
	check("instructions of the turns", (uint64_t)(twice[0] - once[0]), 2 * TURNS);
	check("branches were counted", once[1] > 0 && twice[1] > once[1], true);
	PAPI_start(set);
	PAPI_read(set, once);
	before = once[0];
	turn(TURNS);
	PAPI_read(set, once);
	after = once[0];
	PAPI_stop(set, once);
	check("read while it counts", after - before > (long long)(2 * TURNS), true);
	check("cleanup", (uint64_t)PAPI_cleanup_eventset(set), PAPI_OK);
	PAPI_shutdown();
	printf("%d failed\n", failed);
	return failed != 0;
}
