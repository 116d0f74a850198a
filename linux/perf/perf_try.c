// SPDX-License-Identifier: BSD-2-Clause
/* perf_try.c - finds out which events exist, by opening them. */
#include "linux/perf/perf.h"

#include "pmu/api/pmu.h"
#include "pmu/uarch/uarch.h"

#include <stddef.h>

static bool is_slots_metric(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && uarch_is_metric(attr->config, UARCH_METRICS_MOST);
}

bool perf_can_open(const struct perf_event_attr *attr, int task, int cpu)
{
	static struct pmu_event slots, e;
	struct perf_event_attr of_slots = *attr;
	const bool led = is_slots_metric(attr);
	bool opens;

	of_slots.config = UARCH_SLOTS;
	if (led && pmu_event_open(&slots, &of_slots, task, cpu, NULL, 0, NULL))
		return false;
	opens = !pmu_event_open(&e, attr, task, cpu, led ? &slots : NULL, 0, NULL);
	if (opens)
		pmu_event_close(&e);
	if (led)
		pmu_event_close(&slots);
	return opens;
}
