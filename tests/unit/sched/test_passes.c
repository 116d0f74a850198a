// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_passes.c - the smallest number of passes: cases by hand, and random cases compared with a
 * slow model, which tries every way to put groups into passes and every way to place events.
 */
#include "lib/bits.h"
#include "pmu/sched/passes.h"
#include "tests/shim/rig.h"

#include <string.h>

#include "tests/unit/test.h"

#define GROUPS 24
#define EVENTS 4

struct set {
	unsigned n;
	uint64_t masks[GROUPS][EVENTS];
	struct pmu_demand groups[GROUPS];
	struct pmu_limits limits;
};

static struct pmu_passes passes;
static uint64_t seed;

static unsigned pick_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static int solve(const struct set *s)
{
	struct pmu_match idle;

	pmu_match_init(&idle);
	return pmu_passes(s->groups, s->n, &idle, &s->limits, &passes);
}

/* Model. */

static bool model_place(const uint64_t *masks, unsigned n, uint64_t used, unsigned limit)
{
	if (!n)
		return true;
	for (unsigned c = 0; c < PMU_COUNTERS; c++) {
		uint64_t bit = 1ull << c;

		if ((masks[0] & bit) && !(used & bit) &&
		    (c >= 32 || bits_count(used & PMU_GENERAL_MASK) < limit) &&
		    model_place(masks + 1, n - 1, used | bit, limit))
			return true;
	}
	return false;
}

static bool model_fits(const struct set *s, unsigned set)
{
	uint64_t masks[GROUPS * EVENTS];
	unsigned n = 0, limit = 32;
	bool exclusive = false;

	for (unsigned g = 0; g < s->n; g++) {
		if (!(set >> g & 1))
			continue;
		exclusive |= s->groups[g].exclusive;
		if (s->groups[g].corrupting)
			limit = s->limits.general_corrupting;
		for (unsigned i = 0; i < s->groups[g].n; i++)
			masks[n++] = s->masks[g][i];
	}
	if (exclusive && (set & (set - 1)))
		return false;
	return n <= s->limits.total && model_place(masks, n, 0, limit);
}

/* The fewest sets that fit and cover all groups, by dynamic programming over sets of groups. */
static unsigned model_passes(const struct set *s)
{
	static unsigned least[1 << 10];
	static bool fits[1 << 10];

	for (unsigned set = 1; set < 1u << s->n; set++)
		fits[set] = model_fits(s, set);
	for (unsigned set = 1; set < 1u << s->n; set++) {
		least[set] = UINT32_MAX;
		for (unsigned part = set; part; part = (part - 1) & set)
			if (fits[part] && least[set & ~part] + 1 < least[set])
				least[set] = least[set & ~part] + 1;
	}
	return least[(1u << s->n) - 1];
}

static void check_packing(const struct set *s)
{
	unsigned seen = 0;

	for (unsigned g = 0; g < s->n; g++) {
		assert_true(passes.pass[g] <= seen);
		seen += passes.pass[g] == seen;
	}
	assert_int_equal(seen, passes.n);
	for (unsigned p = 0; p < passes.n; p++) {
		uint64_t masks[GROUPS * EVENTS];
		unsigned n = 0, groups = 0, limit = 32;

		for (unsigned g = 0; g < s->n; g++) {
			if (passes.pass[g] != p)
				continue;
			groups++;
			if (s->groups[g].corrupting)
				limit = s->limits.general_corrupting;
			for (unsigned i = 0; i < s->groups[g].n; i++)
				masks[n++] = s->masks[g][i];
		}
		assert_true(groups > 0);
		assert_true(model_place(masks, n, 0, limit));
	}
}

static void add_demand(struct set *s, unsigned n, uint64_t mask)
{
	for (unsigned i = 0; i < n; i++)
		s->masks[s->n][i] = mask;
	s->groups[s->n] = (struct pmu_demand){.masks = s->masks[s->n], .n = (uint8_t)n};
	s->n++;
}

TEST(test_by_hand)
{
	struct set s = {.limits = PMU_UNLIMITED};

	assert_int_equal(solve(&s), -1);
	assert_int_equal(passes.n, 0);
	/* Five on the low four: two. */
	for (unsigned i = 0; i < 5; i++)
		add_demand(&s, 1, 0xf);
	assert_int_equal(solve(&s), -1);
	assert_int_equal(passes.n, 2);
	/* Three on counter 2 alone: three, however many are free. */
	for (unsigned i = 0; i < 3; i++)
		add_demand(&s, 1, 0x4);
	assert_int_equal(solve(&s), -1);
	assert_int_equal(passes.n, 3);
	assert_true(passes.proven);
	/* Groups stay whole: 3, 3, 2, 2, 2 on four counters need four passes, single events three.
	 */
	memset(&s, 0, sizeof(s));
	s.limits = PMU_UNLIMITED;
	add_demand(&s, 3, 0xf);
	add_demand(&s, 3, 0xf);
	add_demand(&s, 2, 0xf);
	add_demand(&s, 2, 0xf);
	add_demand(&s, 2, 0xf);
	assert_int_equal(solve(&s), -1);
	assert_int_equal(passes.n, 4);
	assert_int_equal(passes.bound, 4);
	assert_true(passes.proven);
	/* A group that fits nowhere. */
	add_demand(&s, 3, 0x3);
	assert_int_equal(solve(&s), 5);
}

/* A pinned event is in every pass, and moves to another counter if necessary. */
TEST(test_start)
{
	struct set s = {.limits = PMU_UNLIMITED};
	struct pmu_match start;

	pmu_match_init(&start);
	assert_true(pmu_match_add(&start, 0x5, 99, 0));
	add_demand(&s, 1, 0x1);
	add_demand(&s, 1, 0x2);
	add_demand(&s, 1, 0x3);
	assert_int_equal(pmu_passes(s.groups, s.n, &start, &s.limits, &passes), -1);
	assert_int_equal(passes.n, 2);
	add_demand(&s, 1, 0x4);
	assert_int_equal(pmu_passes(s.groups, s.n, &start, &s.limits, &passes), -1);
	assert_int_equal(passes.n, 2);
	assert_true(passes.proven);
}

static void random_set(struct set *s, unsigned n, unsigned most)
{
	unsigned general = pick_below(2) ? 4 : 6;

	memset(s, 0, sizeof(*s));
	s->limits = PMU_UNLIMITED;
	if (pick_below(4) == 0)
		s->limits.general_corrupting = 2;
	while (s->n < n) {
		struct pmu_demand *d = &s->groups[s->n];
		uint64_t *masks = s->masks[s->n];

		*d = (struct pmu_demand){.masks = masks, .n = (uint8_t)(1 + pick_below(most))};
		d->corrupting = pick_below(5) == 0;
		d->exclusive = pick_below(30) == 0;
		for (unsigned i = 0; i < d->n; i++)
			masks[i] = pick_below(3) ? pick_below(1u << general) |
							   (pick_below(4) ? 0 : 1ull << 32)
						 : bits_low(general);
		s->n++;
		if (!model_fits(s, 1u << (s->n - 1)))
			s->n--;
	}
}

TEST(test_random)
{
	struct set s;

	for (unsigned number = 1; number <= 1500; number++) {
		seed = number;
		random_set(&s, 2 + pick_below(6), 1 + pick_below(EVENTS));
		assert_int_equal(solve(&s), -1);
		assert_true(passes.proven);
		assert_true(passes.bound <= passes.n);
		if (passes.n != model_passes(&s))
			fail_msg("set %u: %u passes instead of %u", number, passes.n,
				 model_passes(&s));
		check_packing(&s);
	}
}

/* 24 events, alone and in groups: the number is proven, except for a few sets with limits of
 * hyper-threads. */
TEST(test_24_events)
{
	unsigned unproven = 0, total = 300;
	struct set s;

	for (unsigned number = 1; number <= total; number++) {
		unsigned size = 1 + number % 3;

		seed = number;
		random_set(&s, 24 / size, size);
		assert_int_equal(solve(&s), -1);
		if (!passes.proven && s.limits.general_corrupting == PMU_NO_LIMIT)
			fail_msg("set %u: not proven after %u steps", number, passes.steps);
		unproven += !passes.proven;
		check_packing(&s);
	}
	print_message("%u sets of %u not proven\n", unproven, total);
	assert_true(unproven * 100 <= total);
}

/* --- Events of the task --- */

#define RAW(code)   rig_attr(PERF_TYPE_RAW, code)
#define BRANCHES    RAW(0xc4)   /* any general counter */
#define ONLY_2      RAW(0x148)  /* Haswell: counter 2 only */
#define CORRUPTING  RAW(0x81d0) /* Haswell: disturbs the other hyper-thread */
#define TASK_EVENTS 12

struct task_events {
	unsigned n, nleaders;
	struct pmu_event events[TASK_EVENTS];
	struct pmu_event *leaders[TASK_EVENTS];
};

/* Opens events as commands do: exec enables them. */
static struct pmu_event *open_event(struct task_events *t, struct perf_event_attr attr,
				    struct pmu_event *leader)
{
	struct pmu_event *e = &t->events[t->n++];

	attr.disabled = attr.enable_on_exec = !leader;
	assert_int_equal(rig_open(e, &attr, leader), 0);
	if (!leader && !attr.pinned)
		t->leaders[t->nleaders++] = e;
	return e;
}

static void close_events(struct task_events *t)
{
	while (t->n)
		pmu_event_close(&t->events[--t->n]);
}

static int solve_task(const struct task_events *t)
{
	return pmu_task_passes(pmu_task_find(RIG_TID), t->leaders, t->nleaders, &passes);
}

TEST(test_task)
{
	struct task_events t = {.n = 0};
	struct pmu_event *leader;

	rig_boot("hsw", true);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 0);
	for (unsigned i = 0; i < 4; i++)
		open_event(&t, BRANCHES, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 1);
	open_event(&t, BRANCHES, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 2);
	assert_true(passes.proven);
	/* A group of four has a pass of its own; three events that need the same counter are in
	 * three passes. */
	leader = open_event(&t, BRANCHES, NULL);
	for (unsigned i = 0; i < 3; i++)
		open_event(&t, BRANCHES, leader);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 3);
	for (unsigned i = 0; i < 3; i++)
		open_event(&t, ONLY_2, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 4);
	close_events(&t);
}

/* Events that corrupt the other hyper-thread's counters may use half of the counters. */
TEST(test_task_limits)
{
	struct task_events t = {.n = 0};

	rig_boot("hsw", true);
	for (unsigned i = 0; i < 4; i++)
		open_event(&t, CORRUPTING, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 2);
	close_events(&t);
	t.nleaders = 0;
	rig_boot("hsw", false);
	for (unsigned i = 0; i < 4; i++)
		open_event(&t, CORRUPTING, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 1);
	close_events(&t);
}

/* Off-core events have two registers for their requests: two different values in each pass. */
TEST(test_task_registers)
{
	struct task_events t = {.n = 0};

	rig_boot("hsw", true);
	for (unsigned i = 0; i < 4; i++) {
		struct perf_event_attr offcore = RAW(0x1b7);

		offcore.config1 = 1ull << (i < 3 ? i : 0);
		open_event(&t, offcore, NULL);
	}
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 2);
	assert_true(passes.proven);
	assert_int_equal(passes.pass[0], passes.pass[3]);
	close_events(&t);
}

/* Pinned events of the task and of the CPU count in each pass and take room from all of them. */
TEST(test_task_pinned)
{
	struct perf_event_attr pinned = ONLY_2, watchdog = BRANCHES;
	struct task_events t = {.n = 0};
	struct pmu_event of_cpu;

	pinned.pinned = watchdog.pinned = 1;
	rig_boot("hsw", true);
	assert_int_equal(pmu_event_open(&of_cpu, &watchdog, -1, 0, NULL, 0, NULL), 0);
	open_event(&t, pinned, NULL);
	for (unsigned i = 0; i < 5; i++)
		open_event(&t, BRANCHES, NULL);
	assert_int_equal(solve_task(&t), -1);
	assert_int_equal(passes.n, 3);
	open_event(&t, ONLY_2, NULL);
	assert_int_equal(solve_task(&t), 5);
	open_event(&t, pinned, NULL);
	assert_int_equal(solve_task(&t), t.nleaders);
	close_events(&t);
	pmu_event_close(&of_cpu);
}
