// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_modelled.c - the generic events (perf_event_open(2), PERF_TYPE_HARDWARE and
 * PERF_TYPE_HW_CACHE) on each personality of vpmu: what they stand for there is counted, and no
 * ratio. The two tables were written apart, pmu/uarch/ and vpmu/model/.
 */
#include "include/perf0/truth.h"
#include "pmu/uarch/uarch.h"
#include "vpmu/model/model_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct personality {
	const char *vpmu, *uarch;
	bool small;
} personalities[] = {
	{"hsw", "haswell", false},    {"skx", "skylakex", false}, {"icl", "icelake", false},
	{"adl", "goldencove", false}, {"adl", "gracemont", true}, {"zen4", "zen4", false},
};
#define PERSONALITIES (sizeof(personalities) / sizeof(*personalities))

static struct vpmu_model model_of(const struct personality *p)
{
	const struct vpmu_uarch *row = vpmu_uarch_find(p->vpmu);
	struct vpmu_model m;

	vpmu_model_init(&m, p->small ? row->small : row, false, 16);
	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	return m;
}

static void check_select(const struct personality *p, uint64_t select, const char *what,
			 unsigned cache, unsigned op, unsigned result)
{
	const struct vpmu_model m = model_of(p);
	const enum truth truth = vpmu_model_truth(&m, select);

	if (!vpmu_model_counters(&m, select))
		fail_msg("%s: %s %u %u %u: %#llx is not there", p->uarch, what, cache, op, result,
			 (unsigned long long)select);
	if (truth != TRUTH_EXACT && truth != TRUTH_MODELLED)
		fail_msg("%s: %s %u %u %u: %#llx is a ratio", p->uarch, what, cache, op, result,
			 (unsigned long long)select);
}

static void test_caches(void **state)
{
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < PERSONALITIES; i++) {
		const struct uarch *uarch = uarch_by_name(personalities[i].uarch);

		assert_non_null(uarch);
		for (unsigned cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
			for (unsigned op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
				for (unsigned r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++) {
					const uint64_t select = uarch_cache(uarch, cache, op, r);

					if (!select)
						continue;
					n++;
					check_select(&personalities[i], select, "cache", cache, op,
						     r);
				}
	}
	assert_true(n > 60);
}

/* Those of the clock are ratios: bus and reference cycles. */
static void test_hardware(void **state)
{
	(void)state;
	for (size_t i = 0; i < PERSONALITIES; i++) {
		const struct uarch *uarch = uarch_by_name(personalities[i].uarch);

		for (unsigned event = 0; event < PERF_COUNT_HW_MAX; event++) {
			const uint64_t select = uarch_generic(uarch, event);

			if (select && event != PERF_COUNT_HW_BUS_CYCLES &&
			    event != PERF_COUNT_HW_REF_CPU_CYCLES)
				check_select(&personalities[i], select, "event", event, 0, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caches),
		cmocka_unit_test(test_hardware),
	};

	return cmocka_run_group_tests_name("generic events of personalities", tests, NULL, NULL);
}
