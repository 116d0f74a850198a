// SPDX-License-Identifier: BSD-2-Clause
/* mixture.c - the linear program of mixture.h. */
#include "pmu/sched/mixture.h"

#include "lib/bits.h"

#define LARGEST (1ll << 56) /* bound of the inverse and of prices: sums of a row fit */
#define SMALL \
	(1ll << 24) /* products of two such numbers, and sums of them, are far below LARGEST */
#define NEED (1ull << 62) /* limit of needs times unit, and of unit */

static int64_t magnitude(int64_t v)
{
	return v < 0 ? -v : v;
}

/* --- Values derived from the inverse --- */

static void find_shares(struct pmu_mixture *m)
{
	m->total = 0;
	for (unsigned i = 0; i < m->n; i++) {
		m->x[i] = 0;
		for (unsigned g = 0; g < m->n; g++)
			m->x[i] += (exact_t)m->inverse[i][g] * (int64_t)m->need[g];
		m->total += m->x[i];
	}
}

static void find_prices(struct pmu_mixture *m)
{
	for (unsigned g = 0; g < m->n; g++) {
		m->price[g] = 0;
		for (unsigned i = 0; i < m->n; i++)
			m->price[g] += m->inverse[i][g];
	}
}

/* --- The start --- */

void pmu_mixture_start(struct pmu_mixture *m, unsigned n)
{
	m->n = n;
	m->denominator = 1;
	m->largest = 1;
	m->unit = 1;
	m->limited = 0;
	m->turns = 0;
	for (unsigned i = 0; i < n; i++) {
		m->set[i] = 1ull << i;
		m->need[i] = 1;
		for (unsigned g = 0; g < n; g++)
			m->inverse[i][g] = i == g;
	}
	find_shares(m);
	find_prices(m);
}

void pmu_mixture_pack(struct pmu_mixture *m, unsigned g, uint64_t set)
{
	m->set[g] = set;
	for (uint64_t with = set & ~(1ull << g); with; with &= with - 1)
		m->inverse[bits_first(with)][g] = -1;
	find_shares(m);
	find_prices(m);
}

/* --- Steps --- */

int64_t pmu_mixture_worth(const struct pmu_mixture *m, uint64_t set)
{
	int64_t sum = 0;

	for (; set; set &= set - 1)
		sum += m->price[bits_first(set)];
	return sum;
}

static int64_t sum_of_row(const struct pmu_mixture *m, unsigned row, uint64_t set)
{
	int64_t sum = 0;

	for (; set; set &= set - 1)
		sum += m->inverse[row][bits_first(set)];
	return sum;
}

/*
 * The amount of each set of the basis that one unit of the new set replaces, times the denominator.
 */
static void find_direction(const struct pmu_mixture *m, uint64_t set, int64_t *d)
{
	for (unsigned i = 0; i < m->n; i++)
		d[i] = sum_of_row(m, i, set);
}

/* The set whose share reaches 0 first. It exists, because the new set covers at least one group. */
static unsigned leaving_set(const struct pmu_mixture *m, const int64_t *d)
{
	unsigned row = m->n;

	for (unsigned i = 0; i < m->n; i++)
		if (d[i] > 0 && (row == m->n ||
				 exact_less(m->x[i], (uint64_t)d[i], m->x[row], (uint64_t)d[row])))
			row = i;
	return row;
}

/*
 * The new value of an entry v, times the old denominator; r: the entry of the replaced row in the
 * same column.
 */
static exact_t eliminated_entry(int64_t v, int64_t p, int64_t d, int64_t r)
{
	return (exact_t)p * v - (exact_t)d * r;
}

/* True where all numbers stay below LARGEST when `row` is replaced. */
static bool numbers_fit(const struct pmu_mixture *m, unsigned row, const int64_t *d)
{
	const exact_t largest = (exact_t)LARGEST * m->denominator;
	const int64_t p = magnitude(d[row]);

	for (unsigned i = 0; i < m->n; i++)
		if (magnitude(d[i]) >= LARGEST)
			return false;
	for (unsigned g = 0; g < m->n; g++) {
		int64_t r = d[row] < 0 ? -m->inverse[row][g] : m->inverse[row][g];
		exact_t price = (exact_t)r * m->denominator;

		for (unsigned i = 0; i < m->n; i++) {
			exact_t v = i == row ? 0 : eliminated_entry(m->inverse[i][g], p, d[i], r);

			price += v;
			if (v >= largest || -v >= largest)
				return false;
		}
		if (price >= largest || -price >= largest)
			return false;
	}
	return true;
}

/* True where a step needs no more than 64 bits, and its result stays below LARGEST. */
static bool is_small_step(const struct pmu_mixture *m, const int64_t *d)
{
	bool small = m->largest < SMALL && m->denominator < SMALL;

	for (unsigned i = 0; i < m->n; i++)
		small &= magnitude(d[i]) < SMALL;
	return small;
}

static void eliminate_small(struct pmu_mixture *m, unsigned row, const int64_t *d)
{
	const int64_t p = magnitude(d[row]), denominator = m->denominator;

	for (unsigned i = 0; i < m->n; i++) {
		if (i == row || (!d[i] && p == denominator))
			continue;
		for (unsigned g = 0; g < m->n; g++)
			m->inverse[i][g] =
				(p * m->inverse[i][g] - d[i] * m->inverse[row][g]) / denominator;
	}
}

static void eliminate(struct pmu_mixture *m, unsigned row, const int64_t *d)
{
	const int64_t p = magnitude(d[row]);
	const unsigned zeros = exact_trailing_zeros((uexact_t)m->denominator);
	const uint64_t inverse = (uint64_t)exact_inverse((uexact_t)m->denominator >> zeros);

	for (unsigned i = 0; i < m->n; i++) {
		if (i == row || (!d[i] && p == m->denominator))
			continue;
		for (unsigned g = 0; g < m->n; g++)
			m->inverse[i][g] =
				(int64_t)((uint64_t)(eliminated_entry(m->inverse[i][g], p, d[i],
								      m->inverse[row][g]) >>
						     zeros) *
					  inverse);
	}
}

static int64_t largest_entry(const struct pmu_mixture *m)
{
	int64_t largest = 0;

	for (unsigned i = 0; i < m->n; i++)
		for (unsigned g = 0; g < m->n; g++)
			largest = magnitude(m->inverse[i][g]) > largest
					  ? magnitude(m->inverse[i][g])
					  : largest;
	return largest;
}

void pmu_mixture_restore(struct pmu_mixture *m)
{
	m->largest = largest_entry(m);
	find_shares(m);
	find_prices(m);
}

/* Puts the set into `row`, unless numbers become too large. d[row] is below 0 in a dual step. */
static bool pivot(struct pmu_mixture *m, unsigned row, uint64_t set, const int64_t *d)
{
	const bool small = is_small_step(m, d);

	if (!small && !numbers_fit(m, row, d))
		return false;
	for (unsigned g = 0; g < m->n && d[row] < 0; g++)
		m->inverse[row][g] = -m->inverse[row][g];
	if (small)
		eliminate_small(m, row, d);
	else
		eliminate(m, row, d);
	m->denominator = magnitude(d[row]);
	m->largest = largest_entry(m);
	m->set[row] = set;
	find_shares(m);
	find_prices(m);
	return true;
}

bool pmu_mixture_enter(struct pmu_mixture *m, uint64_t set)
{
	int64_t d[PMU_MIXTURE_GROUPS];

	find_direction(m, set, d);
	return pivot(m, leaving_set(m, d), set, d);
}

bool pmu_mixture_takes(const struct pmu_mixture *m, uint64_t set)
{
	if (pmu_mixture_worth(m, set) != m->denominator)
		return false;
	for (unsigned i = 0; i < m->n; i++)
		if (!m->x[i] && sum_of_row(m, i, set) > 0)
			return false;
	return true;
}

/* --- Raising needs --- */

void pmu_mixture_limit(struct pmu_mixture *m)
{
	for (unsigned g = 0; g < m->n; g++)
		if (m->price[g] > 0 || (exact_t)m->denominator * (int64_t)m->need[g] == m->total)
			m->limited |= 1ull << g;
}

/* Sets the needs in the largest possible unit. False: they are still too large. */
static bool reduce_needs(struct pmu_mixture *m, const uexact_t *need, uexact_t unit)
{
	uexact_t divisor = unit;

	for (unsigned g = 0; g < m->n && divisor != 1; g++)
		divisor = exact_gcd(divisor, need[g]);
	for (unsigned g = 0; g < m->n; g++)
		if ((uexact_t)exact_divide((exact_t)need[g], divisor) >= NEED)
			return false;
	unit = (uexact_t)exact_divide((exact_t)unit, divisor);
	if (unit >= NEED)
		return false;
	for (unsigned g = 0; g < m->n; g++)
		m->need[g] = (uint64_t)exact_divide((exact_t)need[g], divisor);
	m->unit = (uint64_t)unit;
	return true;
}

/* Raises the needs by p / q, in units of 1 / unit. */
static bool raise_needs(struct pmu_mixture *m, uexact_t p, uexact_t q)
{
	uexact_t divisor = exact_gcd(p, q);
	uexact_t need[PMU_MIXTURE_GROUPS];

	if (!p)
		return true;
	p = (uexact_t)exact_divide((exact_t)p, divisor);
	q = (uexact_t)exact_divide((exact_t)q, divisor);
	if (p >= NEED || q >= NEED)
		return false;
	for (unsigned g = 0; g < m->n; g++)
		need[g] = m->need[g] * q + (m->limited >> g & 1 ? 0 : p);
	if (!reduce_needs(m, need, m->unit * q))
		return false;
	find_shares(m);
	return true;
}

int pmu_mixture_raise(struct pmu_mixture *m)
{
	const uint64_t open = bits_low(m->n) & ~m->limited;
	int64_t fall, least = 0;
	int row = -1;

	for (unsigned k = 0; k < m->n; k++) {
		unsigned i = (k + m->turns) % m->n;

		fall = -sum_of_row(m, i, open);
		if (fall > 0 &&
		    (row < 0 || exact_less(m->x[i], (uint64_t)fall, m->x[row], (uint64_t)least))) {
			row = (int)i;
			least = fall;
		}
	}
	if (row < 0 || !raise_needs(m, (uexact_t)m->x[row], (uexact_t)least))
		return -1;
	return row;
}

int64_t pmu_mixture_gain(const struct pmu_mixture *m, unsigned row, uint64_t set)
{
	return -sum_of_row(m, row, set);
}

bool pmu_mixture_offer(const struct pmu_mixture *m, unsigned row, uint64_t set, int64_t *price,
		       int64_t *worth)
{
	const int64_t lack = m->denominator - pmu_mixture_worth(m, set);
	const int64_t gain = pmu_mixture_gain(m, row, set);

	if (gain >= LARGEST)
		return false;
	for (unsigned g = 0; g < m->n; g++) {
		exact_t sum = eliminated_entry(m->price[g], gain, lack, m->inverse[row][g]);

		sum = exact_divide(sum, (uexact_t)m->denominator);
		if (sum >= LARGEST)
			return false;
		price[g] = sum > 0 ? (int64_t)sum : 0;
	}
	*worth = gain;
	return true;
}

bool pmu_mixture_replace(struct pmu_mixture *m, unsigned row, uint64_t set)
{
	int64_t d[PMU_MIXTURE_GROUPS];

	m->turns += 7;
	find_direction(m, set, d);
	return pivot(m, row, set, d);
}
