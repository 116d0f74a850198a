// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_modelled.c - the generic events (perf_event_open(2), PERF_TYPE_HARDWARE and
 * PERF_TYPE_HW_CACHE) on each personality of vpmu: the events that they stand for are modelled, and
 * are no ratios. The two tables, pmu/uarch/ and vpmu/model/, were written independently.
 */
#include "include/perf0/truth.h"
#include "pmu/uarch/uarch.h"
#include "vpmu/model/model_priv.h"

#include <string.h>

#include "tests/unit/test.h"

/* Personalities whose core has another name, and small cores of hybrids. */
static const struct {
	const char *vpmu, *uarch;
} small_cores[] = {
	{"adl", "gracemont"}, {"mtl", "crestmont"}, {"lnl", "skymont"},
	{"arl", "skymont"},   {"ptl", "darkmont"},
};

struct personality {
	const struct vpmu_uarch *row;
	const struct uarch *uarch;
};

static const char *small_core_of(const char *name)
{
	for (size_t i = 0; i < sizeof(small_cores) / sizeof(*small_cores); i++)
		if (!strcmp(small_cores[i].vpmu, name))
			return small_cores[i].uarch;
	return NULL;
}

/* Lists each personality; a hybrid is followed by its small cores. */
#define MOST_PERSONALITIES (2 * VPMU_NUMBERS)
static size_t find_personalities(struct personality *found)
{
	size_t count, n = 0;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	for (size_t i = 0; i < count; i++) {
		found[n++] = (struct personality){list[i], uarch_by_name(list[i]->name)};
		if (list[i]->small)
			found[n++] = (struct personality){
				list[i]->small, uarch_by_name(small_core_of(list[i]->name))};
	}
	return n;
}

static struct vpmu_model model_of(const struct personality *p)
{
	struct vpmu_model m;

	vpmu_model_init(&m, p->row, false, 16);
	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	return m;
}

/* Events that are ratios in the model: software prefetches, dropped prefetches, memory of other
 * nodes, cycles of walks. */
static bool is_ratio(uint64_t select)
{
	static const uint64_t ratios[] = {UARCH_SELECT(0x4b, 0x01), UARCH_SELECT(0x67, 0x01),
					  UARCH_SELECT(0xe9, 0x98), UARCH_SELECT(0x05, 0x01)};

	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++)
		if (ratios[i] == select)
			return true;
	return false;
}

static void check_select(const struct personality *p, uint64_t select, const char *what,
			 unsigned cache, unsigned op, unsigned result)
{
	const struct vpmu_model m = model_of(p);
	const enum truth truth = vpmu_model_truth(&m, select);

	if (!vpmu_model_counters(&m, select))
		fail_msg("%s: %s %u %u %u: %#llx is not there", p->row->title, what, cache, op,
			 result, (unsigned long long)select);
	if (truth != TRUTH_EXACT && truth != TRUTH_MODELLED && !is_ratio(select))
		fail_msg("%s: %s %u %u %u: %#llx is a ratio", p->row->title, what, cache, op,
			 result, (unsigned long long)select);
}

TEST(test_caches)
{
	struct personality personalities[MOST_PERSONALITIES];
	const size_t count = find_personalities(personalities);
	unsigned n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct uarch *uarch = personalities[i].uarch;

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
	assert_true(n > 500);
}

/* All generic events except bus and reference cycles, which are ratios of the clock. */
TEST(test_hardware)
{
	struct personality personalities[MOST_PERSONALITIES];
	const size_t count = find_personalities(personalities);

	for (size_t i = 0; i < count; i++) {
		const struct uarch *uarch = personalities[i].uarch;

		for (unsigned event = 0; event < PERF_COUNT_HW_MAX; event++) {
			const uint64_t select = uarch_generic(uarch, event);

			if (select && event != PERF_COUNT_HW_BUS_CYCLES &&
			    event != PERF_COUNT_HW_REF_CPU_CYCLES)
				check_select(&personalities[i], select, "event", event, 0, 0);
		}
	}
}
