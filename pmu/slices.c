// SPDX-License-Identifier: BSD-2-Clause
/*
 * slices.c - how far a scaled count may be off. While an event waits, its rate is taken to be what
 * it was while it counted; how much that rate changed from one stretch of counting to the next says
 * how good a guess this is.
 *
 * With v the variance of the count per ns of time (stretches of length t differ by v * t), the
 * total over `enabled` ns of which `running` were seen has the variance
 *	v * (enabled - running) * enabled / running
 * and v is estimated from the stretches with n - 1 degrees of freedom. Integers only: the mean and
 * the squares are brought up to date with each stretch, so that nothing cancels.
 */
#include "pmu/core.h"

#include "lib/math.h"

#define RATE_SHIFT   32 /* rates are occurrences per ns times 2^32 */
#define WEIGHT_SHIFT 10 /* weights are ns / 2^10 */
#define WEIGHT_MAX   (1u << 24)

static uint64_t rate_of(uint64_t count, uint64_t ns)
{
	unsigned up = count >> RATE_SHIFT ? (unsigned)__builtin_clzll(count) : RATE_SHIFT;

	return (count << up) / ns << (RATE_SHIFT - up);
}

void pmu_slice_begin(struct pmu_event *e)
{
	e->slices.count = e->count;
	e->slices.running = e->running;
}

void pmu_slice_end(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;
	uint64_t ns = e->running - s->running, weight = ns >> WEIGHT_SHIFT;
	int64_t rate, before;

	if (!weight)
		return;
	if (weight > WEIGHT_MAX)
		weight = WEIGHT_MAX;
	rate = (int64_t)rate_of(e->count - s->count, ns);
	before = rate - s->mean;
	s->n++;
	s->weight += weight;
	s->mean += before * (int64_t)weight / (int64_t)s->weight;
	s->squares += (__int128)before * (rate - s->mean) * (int64_t)weight;
}

/* To 32 bits and more. */
static uint64_t sqrt_128(unsigned __int128 n)
{
	unsigned half = 0;

	for (; n >> 64; n >>= 2)
		half++;
	return int_sqrt((uint64_t)n) << half;
}

/* Of Student's distribution, both sides together 5 %, in 1/1000. */
static uint64_t quantile(uint32_t freedom)
{
	static const uint16_t table[] = {
		12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228,
		2201,  2179, 2160, 2145, 2131, 2120, 2110, 2101, 2093, 2086,
		2080,  2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
	};

	if (freedom <= sizeof(table) / sizeof(table[0]))
		return table[freedom - 1];
	return 1960 + 2450 / freedom;
}

uint32_t pmu_event_error(const struct pmu_event *e)
{
	const struct pmu_slices *s = &e->slices;
	uint64_t unseen = e->enabled - e->running, share, spread, time, error;

	if (!unseen)
		return 0;
	if (s->n < 2)
		return PMU_ERROR_UNKNOWN;
	if (s->mean <= 0)
		return 0;
	/* Roots of: the part of time not seen, times 2^32; the deviation; the time seen, times 2^8.
	 */
	share = int_sqrt(mul_div(unseen, 1ull << 32, e->enabled));
	spread = sqrt_128((unsigned __int128)s->squares);
	time = int_sqrt((e->running >> WEIGHT_SHIFT) * (s->n - 1) << 8);
	if (!time)
		return PMU_ERROR_UNKNOWN;
	/* Quantiles are in 1/1000, the result in 1/10000. */
	error = mul_div(spread, quantile(s->n - 1) * 10 * share, (uint64_t)s->mean);
	error = mul_div(error, 16, time << 16);
	return error < PMU_ERROR_UNKNOWN ? (uint32_t)error : PMU_ERROR_UNKNOWN - 1;
}
