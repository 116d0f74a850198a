// SPDX-License-Identifier: BSD-2-Clause
/* moments.c - see moments.h. */
#include "apps/portable/moments.h"

#include "lib/math.h"

#define DISTANCE_BITS 53 /* 2^20 squares of such distances fit into 128 bits */
#define BAR           2  /* standard errors for 95 % */
#define FRACTION_BITS 32 /* added to a small variance, so that its root has half of them */

static void widen_unit(struct moments *m)
{
	m->unit++;
	m->sum >>= 1;
	m->squares >>= 2;
}

void moments_add(struct moments *m, uint64_t value)
{
	const bool above = value >= m->first;
	uint64_t distance;

	if (!m->n++) {
		m->first = m->least = m->most = value;
		return;
	}
	distance = above ? value - m->first : m->first - value;
	while (distance >> m->unit >> DISTANCE_BITS)
		widen_unit(m);
	distance >>= m->unit;
	m->sum += above ? (__int128)distance : -(__int128)distance;
	m->squares += (unsigned __int128)distance * distance;
	m->least = value < m->least ? value : m->least;
	m->most = value > m->most ? value : m->most;
}

static unsigned __int128 magnitude_of_sum(const struct moments *m)
{
	return m->sum < 0 ? (unsigned __int128)-m->sum : (unsigned __int128)m->sum;
}

uint64_t moments_mean(const struct moments *m)
{
	const unsigned __int128 sum = magnitude_of_sum(m) << m->unit;
	uint64_t distance;

	if (!m->n)
		return 0;
	if (m->sum >= 0)
		return m->first + (uint64_t)div_wide(sum + m->n / 2, m->n);
	distance = (uint64_t)div_wide(sum + (m->n - 1) / 2, m->n);
	return m->first - distance;
}

/* The sum of the squares of the distances from the mean: squares - sum^2 / n, computed in parts
 * that fit. */
static unsigned __int128 square_sum(const struct moments *m)
{
	const unsigned __int128 sum = magnitude_of_sum(m);
	const uint64_t whole = (uint64_t)div_wide(sum, m->n);
	const uint64_t rest = (uint64_t)(sum - (unsigned __int128)whole * m->n);

	return m->squares - whole * sum - (unsigned __int128)rest * whole - rest * rest / m->n;
}

uint64_t moments_spread(const struct moments *m)
{
	const uint64_t mean = moments_mean(m);
	unsigned __int128 variance, spread;
	unsigned shift = m->unit, fraction = 0;

	if (m->n < 2 || !mean || m->least == m->most)
		return 0;
	variance = square_sum(m);
	if (!(variance >> (126 - FRACTION_BITS))) {
		fraction = FRACTION_BITS / 2;
		variance <<= FRACTION_BITS;
	}
	variance = div_wide(div_wide(variance, m->n - 1), m->n);
	for (; variance >> 64; variance >>= 2)
		shift++;
	spread = (unsigned __int128)int_sqrt((uint64_t)variance) * 10000 << shift;
	return (uint64_t)(div_wide(spread, mean) >> fraction);
}

uint64_t moments_error(const struct moments *m, uint64_t error)
{
	const uint64_t most = error * error / m->n; /* if all of it averages out */
	uint64_t averaged = BAR * moments_spread(m);

	averaged *= averaged;
	if (averaged > most)
		averaged = most;
	return int_sqrt(error * error - averaged * (m->n - 1));
}
