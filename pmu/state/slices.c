// SPDX-License-Identifier: BSD-2-Clause
/*
 * slices.c - how far a scaled count may be off. While an event waits, its rate is taken to be what
 * it was while it counted; how much that rate changed from one stretch of counting to the next says
 * how good a guess this is.
 *
 * With v the variance of the count per ns of time (stretches of length t differ by v * t), the
 * total over `enabled` ns of which `running` were seen has the variance
 *	v * (enabled - running) * enabled / running
 * and v is estimated from the n stretches, of c occurrences in t ns each, C in T together, by
 *	(sum of c^2 / t, less C^2 / T) / (n - 1)
 */
#include "pmu/state/slices.h"

#include "pmu/state/state.h"

/* To 32 bits and more. */
static uint64_t sqrt_128(unsigned __int128 n)
{
	unsigned half = 0;

	for (; n >> 64; n >>= 2)
		half++;
	return int_sqrt((uint64_t)n) << half;
}

/* Of Student's distribution, both sides together 5 %, in 1/1000. */
static uint64_t student_quantile(uint32_t freedom)
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

/* The sum of the weighed squares of deviations from the mean rate, times 2^32. */
static unsigned __int128 squared_deviations(const struct pmu_slices *s)
{
	unsigned __int128 square = (unsigned __int128)s->count * s->count << PMU_SLICES_SHIFT;
	unsigned __int128 mean = div_wide(square, s->running);

	return s->squares > mean ? s->squares - mean : 0;
}

static void add_to_totals(struct pmu_totals *to, const struct pmu_event *e)
{
	to->enabled += e->times.enabled;
	to->running += e->times.running;
	pmu_slices_add(&to->slices, &e->slices);
}

/* With all that was inherited from it: their stretches are as good as its own. */
static struct pmu_totals family_totals(const struct pmu_event *e)
{
	struct pmu_totals all = e->family.gone;

	add_to_totals(&all, e);
	for (const struct pmu_event *child = e->family.children; child;
	     child = child->family.next_child)
		add_to_totals(&all, child);
	return all;
}

uint32_t pmu_event_error(const struct pmu_event *e)
{
	const struct pmu_totals all = family_totals(e);
	const struct pmu_slices *s = &all.slices;
	uint64_t unseen = all.enabled - all.running, share, spread, error;

	if (!unseen)
		return 0;
	if (s->n < 2 || s->count >= PMU_SLICES_MAX)
		return PMU_ERROR_UNKNOWN;
	if (!s->count)
		return 0;
	/* Roots of: the part of time not seen, times 2^32; the deviations, times 2^32; the time
	 * seen over the degrees of freedom, times 2^16. */
	share = int_sqrt(mul_div(unseen, 1ull << 32, all.enabled));
	spread = sqrt_128(squared_deviations(s));
	error = int_sqrt(mul_div(all.running, 1ull << 16, s->n - 1));
	/* Quantiles are in 1/1000, the result in 1/10000. */
	error = mul_div(spread, error, 1ull << 16);
	error = mul_div(error, share * student_quantile(s->n - 1) * 10, s->count) >> 24;
	return error < PMU_ERROR_UNKNOWN ? (uint32_t)error : PMU_ERROR_UNKNOWN - 1;
}
