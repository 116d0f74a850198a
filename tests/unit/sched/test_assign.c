// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_assign.c - the greedy and the exact assignment: cases by hand, and comparisons with
 * exhaustive search and with a slow model of the greedy one.
 */
#include "pmu/sched/assign.h"
#include "lib/bits.h"

#include "tests/unit/test.h"

#define FIXED(n) (1ull << (32 + (n)))
#define MAX      8

struct row {
	const char *what;
	unsigned n;
	uint64_t masks[MAX];
	bool fits;
	uint8_t index[MAX];
};

static const struct row rows[] = {
	{"nothing", 0, {0}, true, {0}},
	{"first free", 3, {0xf, 0xf, 0xf}, true, {0, 1, 2}},
	{"no counter at all", 1, {0}, false, {0}},
	{"one too many", 3, {0x3, 0x3, 0x3}, false, {0}},
	{"least choice first", 2, {0xf, 0x1}, true, {1, 0}},
	{"order kept among equals", 3, {0x6, 0x6, 0x1}, true, {1, 2, 0}},
	{"fixed before general", 2, {FIXED(0) | 0xf, 0xf}, true, {32, 0}},
	{"general when fixed is taken", 2, {FIXED(0) | 0xf, FIXED(0) | 0xf}, true, {32, 0}},
	{"fixed only", 2, {FIXED(2), FIXED(2)}, false, {0}},
	{"haswell's four", 4, {0x4, 0x2, 0x8, 0xf}, true, {2, 1, 3, 0}},
	{"greedy loses: the article's overlap example", 4, {0x9, 0x3, 0x7, 0x7}, false, {0}},
};

TEST(test_rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t index[MAX] = {0};
		bool fits = pmu_assign(rows[i].masks, rows[i].n, index);

		if (fits != rows[i].fits)
			fail_msg("%s: fits is %d", rows[i].what, fits);
		for (unsigned k = 0; fits && k < rows[i].n; k++)
			if (index[k] != rows[i].index[k])
				fail_msg("%s: event %u is on %u", rows[i].what, k, index[k]);
	}
}

/* An independent model of the greedy assignment, slow and recursive, on arrays of flags. */
struct model {
	const struct pmu_assign_job *job;
	unsigned order[PMU_COUNTERS];
	bool used[PMU_COUNTERS];
	unsigned general, saved;
	uint8_t *index;
};

static bool model_allowed(const struct model *m, const struct pmu_constraint *e, unsigned c)
{
	return e->counters >> c & 1 && !m->used[c] && (c >= 32 || m->general < m->job->general_max);
}

/* Counters in the order of preference: fixed ones, then general ones, from the lowest. */
static unsigned model_counter(unsigned k)
{
	return k < PMU_COUNTERS - 32 ? 32 + k : k - (PMU_COUNTERS - 32);
}

/*
 * Returns 1 if all events from position `at` on are placed. On 0 the search goes back to the last
 * saved state. Each saved state is a frame of this recursion, which goes on with the next counter
 * of its event.
 */
static int model_place(struct model *m, unsigned at)
{
	const struct pmu_constraint *e;
	bool saves = false;

	if (at == m->job->n)
		return 1;
	e = &m->job->events[m->order[at]];
	for (unsigned k = 0; k < PMU_COUNTERS; k++) {
		unsigned c = model_counter(k);

		if (!model_allowed(m, e, c))
			continue;
		saves = e->overlap && m->saved < 2;
		m->saved += saves;
		m->used[c] = true;
		m->general += c < 32;
		m->index[m->order[at]] = (uint8_t)c;
		if (model_place(m, at + 1))
			return 1;
		m->used[c] = false;
		m->general -= c < 32;
		if (!saves)
			return 0;
		m->saved--;
	}
	return 0;
}

static bool model_assign(const struct pmu_assign_job *job, uint8_t *index)
{
	struct model m = {.job = job, .index = index};
	unsigned n = 0;

	for (unsigned weight = 0; weight <= 64; weight++)
		for (unsigned i = 0; i < job->n; i++)
			if (bits_count(job->events[i].counters) == weight)
				m.order[n++] = i;
	return model_place(&m, 0);
}

TEST(test_too_many)
{
	uint64_t masks[PMU_COUNTERS + 1];
	uint8_t index[PMU_COUNTERS + 1];

	for (unsigned i = 0; i <= PMU_COUNTERS; i++)
		masks[i] = bits_low(PMU_COUNTERS);
	assert_true(pmu_assign(masks, PMU_COUNTERS, index));
	assert_false(pmu_assign(masks, PMU_COUNTERS + 1, index));
}

static bool feasible(const uint64_t *masks, unsigned n, uint64_t used)
{
	if (!n)
		return true;
	for (uint64_t free = *masks & ~used; free; free &= free - 1)
		if (feasible(masks + 1, n - 1, used | 1ull << bits_first(free)))
			return true;
	return false;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static void check_valid(const uint64_t *masks, unsigned n, const uint8_t *index)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < n; i++) {
		assert_true(masks[i] >> index[i] & 1);
		assert_false(used >> index[i] & 1);
		used |= 1ull << index[i];
	}
}

/* Each assignment is valid, and impossible sets are refused. Nested masks are never refused
 * wrongly.
 */
TEST(test_random)
{
	static const uint64_t nested[] = {0x01, 0x03, 0x0f, 0xff};
	uint64_t seed = 1;

	for (unsigned round = 0; round < 20000; round++) {
		uint64_t masks[MAX];
		uint8_t index[MAX];
		unsigned n = 1 + (unsigned)next_random(&seed) % MAX;
		bool is_nested = round & 1, fits;

		for (unsigned i = 0; i < n; i++)
			masks[i] = is_nested ? nested[next_random(&seed) % 4]
					     : next_random(&seed) & (0x3f | FIXED(0));
		fits = pmu_assign(masks, n, index);
		if (fits)
			check_valid(masks, n, index);
		if (fits || is_nested)
			assert_int_equal(fits, feasible(masks, n, 0));
	}
}

static void random_events(struct pmu_constraint *events, unsigned n, uint64_t *seed)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t mask = next_random(seed) & 0xff;

		if (next_random(seed) % 4 == 0)
			mask |= FIXED(next_random(seed) % 3);
		events[i] = pmu_constraint(mask, next_random(seed) % 4 == 0);
	}
}

/* The counters equal the model's, with limits and overlapping constraints. */
TEST(test_model)
{
	uint64_t seed = 7;
	unsigned fitted = 0;

	for (unsigned round = 0; round < 50000; round++) {
		struct pmu_constraint events[MAX];
		uint8_t index[MAX], expected[MAX];
		const struct pmu_assign_job job = {
			.events = events,
			.n = 1 + (unsigned)next_random(&seed) % MAX,
			.general_max =
				round % 3 ? PMU_NO_LIMIT : (uint8_t)(1 + next_random(&seed) % 6),
			.flags = PMU_ASSIGN_DEFAULT,
		};
		bool fits;

		random_events(events, job.n, &seed);
		fits = pmu_assign_greedy(&job, index);
		assert_int_equal(fits, model_assign(&job, expected));
		for (unsigned i = 0; fits && i < job.n; i++)
			assert_int_equal(index[i], expected[i]);
		fitted += fits;
	}
	assert_in_range(fitted, 5000, 45000);
}

/* The article's example: A 1001, B 0011, C and D 0111. */
TEST(test_overlap)
{
	struct pmu_constraint events[] = {pmu_constraint(0x9, true), pmu_constraint(0x3, true),
					  pmu_constraint(0x7, false), pmu_constraint(0x7, false)};
	struct pmu_assign_job job = {
		.events = events, .n = 4, .general_max = PMU_NO_LIMIT, .flags = PMU_ASSIGN_DEFAULT};
	static const uint8_t expected[] = {3, 0, 1, 2};
	uint8_t index[4];

	assert_true(pmu_assign_greedy(&job, index));
	assert_memory_equal(index, expected, 4);
	/* All four general counters are needed. Going back with PMU_ASSIGN_LEAK loses some. */
	job.general_max = 4;
	assert_true(pmu_assign_greedy(&job, index));
	job.flags |= PMU_ASSIGN_LEAK;
	assert_false(pmu_assign_greedy(&job, index));
	job.general_max = PMU_NO_LIMIT;
	assert_true(pmu_assign_greedy(&job, index));
	job.flags = PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST;
	assert_false(pmu_assign_greedy(&job, index));
	/* The search saves two states at most: none for a third overlapping event. */
	events[0].overlap = false;
	job.flags = PMU_ASSIGN_DEFAULT;
	assert_false(pmu_assign_greedy(&job, index));
	/* The search ends for an overlapping constraint with a fixed counter, too. */
	events[0] = pmu_constraint(FIXED(0) | 0x1, true);
	events[1] = events[2] = events[3] = pmu_constraint(FIXED(0) | 0x1, true);
	assert_false(pmu_assign_greedy(&job, index));
}

/* The older rules: before fixed counters came first, and before weights. */
TEST(test_old_kernels)
{
	const struct pmu_constraint fixed[] = {pmu_constraint(FIXED(0) | 0x1, false),
					       pmu_constraint(0x3, false),
					       pmu_constraint(0x3, false)};
	const struct pmu_constraint weights[] = {pmu_constraint(0xf, false),
						 pmu_constraint(0x1, false)};
	struct pmu_assign_job job = {
		.events = fixed, .n = 3, .general_max = PMU_NO_LIMIT, .flags = PMU_ASSIGN_DEFAULT};
	uint8_t index[3];

	assert_true(pmu_assign_greedy(&job, index));
	job.flags = PMU_ASSIGN_BY_WEIGHT;
	assert_false(pmu_assign_greedy(&job, index));
	job.events = weights;
	job.n = 2;
	assert_true(pmu_assign_greedy(&job, index));
	job.flags = PMU_ASSIGN_FIXED_FIRST;
	assert_false(pmu_assign_greedy(&job, index));
}

/* If all events can stay on their counters within the limit, they stay. Otherwise all are assigned
 * anew. */
TEST(test_previous)
{
	const struct pmu_constraint events[] = {pmu_constraint(0xf, false),
						pmu_constraint(FIXED(0) | 0xf, false)};
	uint8_t previous[] = {3, 2}, index[2];
	struct pmu_assign_job job = {.events = events,
				     .n = 2,
				     .general_max = 2,
				     .flags = PMU_ASSIGN_DEFAULT,
				     .previous = previous};

	assert_true(pmu_assign_greedy(&job, index));
	assert_memory_equal(index, previous, 2);
	job.general_max = 1;
	assert_true(pmu_assign_greedy(&job, index));
	assert_int_equal(index[0], 0);
	assert_int_equal(index[1], 32);
	job.general_max = 2;
	previous[1] = PMU_NO_COUNTER;
	assert_true(pmu_assign_greedy(&job, index));
	assert_int_equal(index[0], 0);
	previous[1] = 3;
	assert_true(pmu_assign_greedy(&job, index));
	assert_int_equal(index[1], 32);
	previous[1] = 4;
	assert_true(pmu_assign_greedy(&job, index));
	assert_int_equal(index[1], 32);
}

static bool feasible_within(const uint64_t *masks, unsigned n, uint64_t used, unsigned limit)
{
	if (!n)
		return true;
	for (uint64_t free = *masks & ~used; free; free &= free - 1) {
		uint64_t bit = free & -free;

		if (bits_count((used | bit) & PMU_GENERAL_MASK) <= limit &&
		    feasible_within(masks + 1, n - 1, used | bit, limit))
			return true;
	}
	return false;
}

/* The exact assignment finds a solution exactly if there is one, with limits, too. */
TEST(test_exact)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < 20000; round++) {
		unsigned n = 1 + (unsigned)next_random(&seed) % MAX, general = 0;
		uint8_t limit = (uint8_t)(next_random(&seed) % 8), index[MAX];
		uint64_t masks[MAX];
		bool fits;

		for (unsigned i = 0; i < n; i++)
			masks[i] = next_random(&seed) & (0x3f | FIXED(0) | FIXED(1) | FIXED(2)) &
				   (next_random(&seed) | next_random(&seed) << 32);
		fits = pmu_assign_exact(masks, n, limit, index);
		assert_int_equal(fits, feasible_within(masks, n, 0, limit));
		if (!fits)
			continue;
		check_valid(masks, n, index);
		for (unsigned i = 0; i < n; i++)
			general += index[i] < 32;
		assert_true(general <= limit);
	}
}

TEST(test_bits)
{
	assert_int_equal(bits_count(0), 0);
	assert_int_equal(bits_count(UINT64_MAX), 64);
	assert_int_equal(bits_count(0x8000000100000001), 3);
	assert_int_equal(bits_first(1ull << 47), 47);
	assert_true(bits_low(64) == UINT64_MAX && bits_low(48) == 0xffffffffffff && !bits_low(0));
}
