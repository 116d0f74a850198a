// SPDX-License-Identifier: BSD-2-Clause
/*
 * slices.c - estimates the full count of an event that counted only in some slices, and the error
 * of that estimate.
 *
 * Ratio. As in perf: all occurrences times enabled / running.
 *
 * Interpolated. While the event waits, its rate is taken to change from that of the slice before to
 * that of the slice behind. The gap is divided between the two in proportion to their lengths, and
 * each part gets its slice's rate. Before the first slice and behind the last one there is only one
 * rate. So a slice of t ns stands for s more ns without counting.
 *
 * Error. Let the rate of a slice differ randomly from that of the next one, with the variance v / t
 * in a slice of t ns. Then the variance of the estimate is
 *         interpolated        v * (sum of s^2 / t over slices + time without counting)
 *         ratio                v * time without counting * enabled / running
 * The first part is the error of the slices about the time that they stand for; the second one is
 * the random variation of that time itself. v is the mean of (r - r')^2 * t t' / (t + t') over all
 * pairs of consecutive slices with the rates r and r'. Differences of neighbours ignore long-term
 * changes of the program, which interpolation follows. Changes within few slices do appear in them,
 * and then the interval is too wide rather than too narrow.
 *
 * Two terms are added that differences do not contain: half an occurrence for each slice, because
 * counts are whole numbers, and 0.1 % of the estimate, because slices begin and end some
 * instructions away from their recorded times. The interval is 1.96 times the root. With few pairs
 * it is wider, by Student's quantile, with 2 degrees of freedom for 3 pairs, because neighbouring
 * pairs have a slice in common.
 *
 * Sums. Each slice is added when it ends. The parts p and p' of a gap g between slices of t and t'
 * ns have p^2 / t + p'^2 / t' = g^2 / (t + t'), so a gap is added to the sum of s^2 / t at once.
 * Only a slice between two gaps has another term, 2 p' p / t.
 *
 * Cost. A usual slice has neighbours without a gap. Its rate is one division, and t t' / (t + t')
 * another; a span has both for all of its events. A gap takes one more.
 */
#include "pmu/state/slices.h"

#include "lib/math.h"
#include "lib/real.h"
#include "pmu/api/pmu_read.h"
#include "pmu/state/state.h"

typedef unsigned __int128 wide_t;

/* Rounded to the nearest, and limited. */
static inline uint64_t rate_of(uint64_t count, uint64_t ns)
{
	const wide_t scaled = ((wide_t)count << PMU_RATE_SHIFT) + ns / 2;

	if (__builtin_expect(count >> PMU_RATE_LIMIT >= ns, 0))
		return PMU_RATE_MOST;
	return div_128((uint64_t)(scaled >> 64), (uint64_t)scaled, ns);
}

static wide_t product_of(uint64_t a, uint64_t b)
{
	return (wide_t)a * b;
}

/* --- Slices --- */

static inline wide_t divided(wide_t n, uint64_t d)
{
	const uint64_t high = (uint64_t)(n >> 64);

	return __builtin_expect(high < d, 1) ? div_128(high, (uint64_t)n, d) : div_wide(n, d);
}

void pmu_slice_add_parts(struct pmu_slices *s, uint64_t before, uint64_t behind)
{
	s->sums.weights += divided(2 * product_of(before, behind), s->last.ns);
}

static void log_slice(struct pmu_slice_log *log, const struct pmu_slices *s, uint64_t ns,
		      uint64_t count)
{
	const uint32_t n = __atomic_fetch_add(&log->n, 1, __ATOMIC_RELAXED);

	if (n < log->size)
		log->slot[n] = (struct pmu_slice){
			.from = s->running + s->waited, .ns = ns, .count = count};
}

static inline void end_slice(struct pmu_slices *s, uint64_t ns, uint64_t count)
{
	struct pmu_edge slice = {.count = count, .ns = ns, .rate = PMU_RATE_MOST};
	const uint64_t weight = pmu_slice_weight(s->last.ns, ns);

	(void)pmu_slice_rate(count, ns, &slice.rate);
	if (s->gap)
		slice.stands = pmu_slice_gap(s, ns, count);
	pmu_slice_add(s, &slice, weight);
	s->series = 0;
}

void pmu_slice_end(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;
	const uint64_t ns = e->times.running - s->running, count = e->count - s->count;

	if (!ns)
		return;
	if (__builtin_expect(s->log != NULL, 0))
		log_slice(s->log, s, ns, count);
	end_slice(s, ns, count);
}

static void add_sums(struct pmu_slice_sums *to, const struct pmu_slice_sums *s)
{
	to->n += s->n;
	to->pairs += s->pairs;
	to->count += s->count;
	to->running += s->running;
	to->enabled += s->enabled;
	to->blind += s->blind;
	to->filled += s->filled;
	to->weights += s->weights;
	to->changes += s->changes;
}

/* Adds the wait behind the last slice, and completes the sums. */
static void complete_sums(struct pmu_slices *s, uint64_t wait, uint64_t enabled)
{
	s->sums.filled += product_of(wait, rate_of(s->last.count, s->last.ns));
	s->sums.weights += divided(product_of(wait, wait + 2 * s->last.stands), s->last.ns);
	s->sums.pairs = s->sums.n - 1;
	s->sums.count = s->count - s->since_count;
	s->sums.running = s->running - s->since_running;
	s->sums.enabled = enabled - s->since;
}

void pmu_slices_close(struct pmu_slice_sums *to, const struct pmu_event *e)
{
	struct pmu_slices s = e->slices;
	const uint64_t waited = e->times.enabled - e->times.running;
	const int64_t ns = (int64_t)(e->times.running - s.running);
	uint64_t enabled = e->times.enabled;

	if (ns > 0)
		end_slice(&s, (uint64_t)ns, e->count - s.count);
	else
		enabled += (uint64_t)-ns; /* the slices are ahead: see slices.h */
	if (!s.last.ns) {
		to->blind += enabled - s.since;
		return;
	}
	complete_sums(&s, waited - s.waited + s.gap, enabled);
	add_sums(to, &s.sums);
}

void pmu_slices_forget(struct pmu_event *e)
{
	const uint64_t waited = e->times.enabled - e->times.running;

	e->family.gone.slices = (struct pmu_slice_sums){.n = 0};
	e->slices = (struct pmu_slices){
		.count = e->count,
		.running = e->times.running,
		.waited = waited,
		.since_count = e->count,
		.since_running = e->times.running,
		.since = e->times.enabled,
		.log = e->slices.log,
	};
}

/* --- Estimation --- */

/* The sums of the event and of all that was inherited from it: their slices are equivalent. */
static struct pmu_slice_sums family_sums(const struct pmu_event *e)
{
	struct pmu_slice_sums all = e->family.gone.slices;

	pmu_slices_close(&all, e);
	for (const struct pmu_event *child = e->family.children; child;
	     child = child->family.next_child)
		pmu_slices_close(&all, child);
	return all;
}

static struct real real_of_wide(wide_t n)
{
	const struct real two_to_32 = real_of(1ull << 32);
	const struct real high = real_of((uint64_t)(n >> 64));

	return real_add(real_multiply(real_multiply(high, two_to_32), two_to_32),
			real_of((uint64_t)n));
}

static struct real square(struct real a)
{
	return real_multiply(a, a);
}

/* The two-sided 5 % quantile of Student's distribution. */
static struct real student_quantile(uint64_t freedom)
{
	static const uint16_t in_1000[] = {
		12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228,
		2201,  2179, 2160, 2145, 2131, 2120, 2110, 2101, 2093, 2086,
		2080,  2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
	};

	if (freedom < 1)
		freedom = 1;
	if (freedom <= sizeof(in_1000) / sizeof(in_1000[0]))
		return real_ratio(in_1000[freedom - 1], 1000);
	return real_ratio(1960 + 2450 / freedom, 1000);
}

/* The variance of the two terms that differences do not contain. */
static struct real least_variance(const struct pmu_slice_sums *s, uint64_t count)
{
	const struct real unseen_share = real_ratio(s->enabled - s->running, s->running);
	const struct real whole_numbers = real_multiply(real_ratio(s->n, 4), square(unseen_share));

	return real_add(whole_numbers, square(real_ratio(count, 1000)));
}

/* The factor of the rate's variance, in ns. */
static struct real variance_factor(const struct pmu_slice_sums *s, enum pmu_estimator how)
{
	const struct real unseen = real_of(s->enabled - s->running);

	if (how == PMU_ESTIMATE_RATIO)
		return real_multiply(unseen, real_ratio(s->enabled, s->running));
	return real_add(unseen, real_of_wide(s->weights));
}

static struct real half_interval(const struct pmu_slice_sums *s, enum pmu_estimator how,
				 uint64_t count)
{
	const struct real scale = square(real_of(1ull << PMU_RATE_SHIFT));
	const struct real per_ns =
		real_divide(real_divide(real_of_wide(s->changes), scale), real_of(s->pairs));
	const struct real variance =
		real_add(real_multiply(per_ns, variance_factor(s, how)), least_variance(s, count));

	return real_multiply(student_quantile((2 * s->pairs + 1) / 3), real_sqrt(variance));
}

static uint32_t relative_error(struct real half, uint64_t count)
{
	const int64_t error =
		real_to_integer(real_divide(real_multiply(half, real_of(10000)), real_of(count)));

	return error < PMU_ERROR_UNKNOWN ? (uint32_t)error : PMU_ERROR_UNKNOWN - 1;
}

/* The estimate for those of a family that have slices, over all of their time. */
static uint64_t whole_count(const struct pmu_slice_sums *s, enum pmu_estimator how)
{
	if (how == PMU_ESTIMATE_RATIO)
		return mul_div(s->count, s->enabled, s->running);
	return s->count +
	       (uint64_t)((s->filled + (1ull << (PMU_RATE_SHIFT - 1))) >> PMU_RATE_SHIFT);
}

void pmu_event_estimate(const struct pmu_event *e, enum pmu_estimator how, struct pmu_estimate *to)
{
	const struct pmu_slice_sums s = family_sums(e);

	*to = (struct pmu_estimate){.count = s.count, .error = 0};
	if (s.running >= s.enabled && !s.blind)
		return;
	to->error = PMU_ERROR_UNKNOWN;
	if (!s.running)
		return;
	to->count = whole_count(&s, how);
	if (s.pairs && to->count)
		to->error = relative_error(half_interval(&s, how, to->count), to->count);
	to->count = mul_div(to->count, s.enabled + s.blind, s.enabled);
}

void pmu_event_end_slices(struct pmu_event *e)
{
	pmu_slice_end(e);
}

void pmu_event_log_slices(struct pmu_event *e, struct pmu_slice_log *log)
{
	e->slices.log = log;
}
