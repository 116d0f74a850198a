// SPDX-License-Identifier: BSD-2-Clause
/* perf_settings.c - settings for all events, which programs change by files of /sys. They are
 * restored when the command that runs the programs ends. */
#include "linux/perf/perf.h"

#include "lib/time.h"
#include "pmu/api/pmu.h"

#include <linux/errno.h>

#define US_PER_MS 1000u

static uint64_t interval_before; /* the interval before a program set it, in us; 0: none has */

int perf_set_mux_interval_ms(uint64_t ms)
{
	const uint64_t before = pmu_mux_interval_us();
	int err = ms ? 0 : -EINVAL;

	perf_lock();
	if (!err)
		err = pmu_set_mux_interval_us(ms * US_PER_MS);
	if (!err && !interval_before)
		interval_before = before;
	perf_unlock();
	return err;
}

uint64_t perf_mux_interval_ms(void)
{
	return (pmu_mux_interval_us() + US_PER_MS - 1) / US_PER_MS;
}

void perf_end_settings(void)
{
	if (interval_before)
		pmu_set_mux_interval_us(interval_before);
	interval_before = 0;
}
