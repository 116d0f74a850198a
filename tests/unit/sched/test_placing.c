// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_placing.c - the greedy assignment group by group, compared with pmu_assign_greedy() on all
 * events each time.
 */
#include "lib/bits.h"
#include "pmu/sched/placing.h"

#include <string.h>

#include "tests/unit/test.h"

#define FIXED(n)   (1ull << (PMU_FIRST_FIXED + (n)))
#define SEQUENCES  100000
#define GROUP_MAX  4
#define EVENTS_MAX (PMU_COUNTERS + GROUP_MAX)

static uint64_t seed;

static unsigned lcg_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* The same by pmu_assign_greedy(). */
struct model {
	uint8_t flags, general_max;
	unsigned n;
	struct pmu_constraint events[EVENTS_MAX];
	uint8_t index[EVENTS_MAX];
};

static bool model_accept(struct model *m, unsigned more)
{
	const struct pmu_assign_job job = {
		.events = m->events,
		.n = m->n + more,
		.general_max = m->general_max,
		.flags = m->flags,
	};
	uint8_t index[EVENTS_MAX];

	if (!pmu_assign_greedy(&job, index))
		return false;
	m->n += more;
	memcpy(m->index, index, m->n);
	return true;
}

/* Parameters for random loads. Each kind of step is common with one of them. */
struct kind {
	unsigned general, one_group;     /* counters; 1 in so many has up to GROUP_MAX events */
	unsigned fixed, narrow, overlap; /* 1 in so many; 0: none */
};

static const struct kind kinds[] = {
	{8, 4, 4, 3, 0}, {4, 3, 5, 4, 0}, {8, 1, 6, 2, 6},
	{8, 9, 3, 0, 0}, {6, 3, 3, 2, 3}, {32, 2, 5, 4, 0},
};

static bool has_one_in(unsigned n)
{
	return n && !lcg_below(n);
}

static struct pmu_constraint random_constraint(const struct kind *k)
{
	uint64_t mask = bits_low(k->general);

	if (has_one_in(k->narrow))
		mask &= has_one_in(2) ? 1ull << lcg_below(k->general) : lcg_below(1u << 16);
	if (has_one_in(k->fixed))
		mask = FIXED(lcg_below(4)) | (has_one_in(3) ? 0 : mask);
	return pmu_constraint(mask, has_one_in(k->overlap));
}

static uint8_t random_flags(void)
{
	return lcg_below(8) ? PMU_ASSIGN_DEFAULT : (uint8_t)lcg_below(16);
}

/* Offers a group to both. Returns whether they accepted it. */
static bool one_group(struct pmu_placing *p, struct model *m, const struct kind *k)
{
	unsigned n = has_one_in(k->one_group) ? 1 + lcg_below(GROUP_MAX) : 1;
	bool accepted;

	for (unsigned i = m->n; i < m->n + n; i++) {
		m->events[i] = random_constraint(k);
		pmu_placing_offer(p, &m->events[i]);
	}
	accepted = pmu_placing_accept(p, m->general_max);
	assert_int_equal(accepted, model_accept(m, n));
	assert_int_equal(p->n, m->n);
	assert_memory_equal(p->index, m->index, m->n);
	return accepted;
}

TEST(test_sequences)
{
	unsigned refused = 0;

	seed = 1;
	for (unsigned round = 0; round < SEQUENCES; round++) {
		const struct kind *k = &kinds[round % (sizeof(kinds) / sizeof(kinds[0]))];
		struct model m = {.flags = random_flags(), .general_max = PMU_NO_LIMIT};
		struct pmu_placing p;
		uint64_t used = 0;

		pmu_placing_begin(&p, m.flags);
		for (unsigned groups = 1 + lcg_below(16); groups; groups--) {
			unsigned limit = k->general / (1 + lcg_below(3));

			if (has_one_in(12) && limit < m.general_max)
				m.general_max = (uint8_t)limit;
			refused += !one_group(&p, &m, k);
		}
		for (unsigned i = 0; i < p.n; i++)
			used |= 1ull << p.index[i];
		assert_true(used == ~p.free);
	}
	/* Either outcome is common. */
	assert_in_range(refused, SEQUENCES / 2, SEQUENCES * 8);
}

/* pmu_placing_offer() keeps a pointer to the constraint, which its caller must store. */
static void offer(struct pmu_placing *p, uint64_t counters)
{
	static struct pmu_constraint kept[256];
	static uint8_t next;
	struct pmu_constraint *c = &kept[next++];

	*c = pmu_constraint(counters, false);
	pmu_placing_offer(p, c);
}

/* A group is placed as a whole, or not at all. */
TEST(test_whole)
{
	struct pmu_placing p;

	pmu_placing_begin(&p, PMU_ASSIGN_DEFAULT);
	offer(&p, 0x3);
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	assert_int_equal(p.index[0], 0);
	/* The second event would move the first one. Its group is refused, so the first event
	 * stays. */
	offer(&p, 0x1);
	offer(&p, 0x1);
	assert_false(pmu_placing_accept(&p, PMU_NO_LIMIT));
	assert_int_equal(p.n, 1);
	assert_int_equal(p.index[0], 0);
	/* By itself the second event moves the first one. */
	offer(&p, 0x1);
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	assert_int_equal(p.index[0], 1);
	assert_int_equal(p.index[1], 0);
	/* An empty group is always accepted. An event without a possible counter never is. */
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	offer(&p, 0);
	assert_false(pmu_placing_accept(&p, PMU_NO_LIMIT));
	/* Within a group, too, the event with the least choice comes first. */
	pmu_placing_begin(&p, PMU_ASSIGN_DEFAULT);
	offer(&p, 0x5);
	offer(&p, 0x1);
	offer(&p, 0x6);
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	assert_int_equal(p.index[0], 2);
	assert_int_equal(p.index[2], 1);
}

/* A group's limit also holds for earlier groups. If the group is refused, so is its limit. */
TEST(test_limit)
{
	struct pmu_placing p;

	pmu_placing_begin(&p, PMU_ASSIGN_DEFAULT);
	for (unsigned i = 0; i < 2; i++)
		offer(&p, FIXED(i) | 0xf);
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	offer(&p, 0xf);
	assert_true(pmu_placing_accept(&p, 2));
	assert_true(p.index[0] == 32 && p.index[1] == 33 && p.index[2] == 0);
	offer(&p, 0xf);
	assert_false(pmu_placing_accept(&p, 1));
	offer(&p, 0xf);
	assert_true(pmu_placing_accept(&p, 2));
	assert_int_equal(p.index[3], 1);
}

TEST(test_too_many)
{
	struct pmu_placing p;

	pmu_placing_begin(&p, PMU_ASSIGN_DEFAULT);
	for (unsigned i = 0; i < PMU_COUNTERS + 3; i++)
		offer(&p, bits_low(PMU_COUNTERS));
	assert_false(pmu_placing_accept(&p, PMU_NO_LIMIT));
	for (unsigned i = 0; i < PMU_COUNTERS; i++)
		offer(&p, bits_low(PMU_COUNTERS));
	assert_true(pmu_placing_accept(&p, PMU_NO_LIMIT));
	assert_int_equal(p.n, PMU_COUNTERS);
	assert_int_equal(p.index[PMU_COUNTERS - 1], PMU_FIRST_FIXED - 1);
	offer(&p, bits_low(PMU_COUNTERS));
	assert_false(pmu_placing_accept(&p, PMU_NO_LIMIT));
}
