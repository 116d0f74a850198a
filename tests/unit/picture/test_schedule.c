// SPDX-License-Identifier: BSD-2-Clause
/* test_schedule.c - the period of a schedule, compared with trying all periods; and a plan's
 * slices, which agree with its counts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/picture/plan_page.h"
#include "tools/picture/schedule_chart.h"
#include "tools/picture/schedule_svg.h"
#include "tools/util/buf.h"

/* One slice for each letter; the same letters are the same arrangement. */
static void take_letters(struct schedule *s, const char *letters)
{
	schedule_init(s);
	s->watch.begin(s->watch.ctx);
	for (; *letters; letters++) {
		uint8_t counter[PMU_PLAN_EVENTS];
		const struct pmu_plan_slice slice = {PMU_NO_COUNTER, counter, NULL};

		memset(counter, PMU_PLAN_WAITS, sizeof(counter));
		counter[0] = (uint8_t)(*letters - 'a');
		s->watch.slice(s->watch.ctx, &slice);
	}
	schedule_settle(s);
}

static const struct {
	const char *letters;
	size_t lead, period;
} rows[] = {
	{"a", 1, 0},          {"ab", 2, 0},         {"aa", 0, 1},          {"aaaa", 0, 1},
	{"abab", 0, 2},       {"ababa", 0, 2},      {"cabab", 1, 2},       {"abcabcabc", 0, 3},
	{"abaabaaba", 0, 3},  {"aabbaabbaa", 0, 4}, {"dddabcabcab", 3, 3}, {"abcdefg", 7, 0},
	{"abababcccc", 6, 1}, /* a task that sleeps in the end */
};

TEST(test_periods)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct schedule s;

		take_letters(&s, rows[i].letters);
		if (s.lead != rows[i].lead || s.period != rows[i].period)
			fail_msg("%s: %zu + %zu", rows[i].letters, s.lead, s.period);
		schedule_free(&s);
	}
}

/* The lead and the period hold for every slice, and no shorter period does. */
static void check_said(const struct schedule *s)
{
	for (size_t i = s->lead; s->period && i + s->period < s->nslices; i++)
		assert_int_equal(s->slice[i], s->slice[i + s->period]);
	if (s->period) {
		assert_true(s->lead + 2 * s->period <= s->nslices);
		for (size_t p = 1; p < s->period; p++) {
			bool same = true;

			for (size_t i = s->lead; i + p < s->nslices; i++)
				same &= s->slice[i] == s->slice[i + p];
			assert_false(same);
		}
	}
}

TEST(test_random_letters)
{
	uint32_t seed = 1;

	for (unsigned round = 0; round < 3000; round++) {
		char letters[64];
		struct schedule s;
		size_t n;

		seed = seed * 1664525 + 1013904223;
		n = 1 + (seed >> 16) % (sizeof(letters) - 1);
		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			letters[i] = (char)('a' + (seed >> 24) % (1 + round % 3));
		}
		letters[n == sizeof(letters) ? n - 1 : n] = '\0';
		take_letters(&s, letters);
		check_said(&s);
		schedule_free(&s);
	}
}

static struct planner *plan_of(const char *events, struct schedule *s, uint64_t ticks)
{
	const struct planner_request request = {.uarch = "hsw",
						.events = &events,
						.nevents = 1,
						.ticks = ticks,
						.watch = &s->watch};
	struct planner *p = calloc(1, sizeof(*p));
	struct reason why;

	assert_non_null(p);
	schedule_init(s);
	if (planner_run(p, &request, &why))
		fail_msg("%s", why.text);
	schedule_settle(s);
	return p;
}

/* Each configuration has as many slices as the plan counted. */
TEST(test_plan_slices)
{
	struct schedule s;
	struct planner *p = plan_of("r0108,r0208,r0308,r0408,r0508,r0608,r0708", &s, 2520);
	uint32_t seen[PLANNER_CONFIGS] = {0};

	assert_int_equal(s.nslices, 2520);
	assert_int_equal(s.period, 7);
	assert_int_equal(s.lead, 0);
	for (size_t i = 0; i < s.nslices; i++)
		seen[schedule_at(&s, i)->config - p->configs]++;
	for (unsigned i = 0; i < p->plan.nconfigs; i++)
		assert_int_equal(seen[i], p->configs[i].ticks);
	schedule_free(&s);
	free(p);
}

/* When a weak group does not fit the plan begins anew. It does not report its first slices twice.
 */
TEST(test_plan_begins_anew)
{
	struct schedule s;
	struct planner *p = plan_of("{r0108,r0208,r0308,r0408,r0508}:W", &s, 100);

	assert_int_equal(s.nslices, 100);
	assert_int_equal(s.period, 5);
	schedule_free(&s);
	free(p);
}

/* All arrangements are drawn, even more than a plan keeps. */
TEST(test_more_than_plan_keeps)
{
	struct buf list = {0}, svg = {0};
	struct schedule s;
	struct planner *p;

	for (unsigned i = 0; i < 100; i++)
		buf_printf(&list, "%sr%02x%02x", i ? "," : "", 1 + i % 200, 0x20 + i / 200);
	p = plan_of(buf_text(&list), &s, 2520);
	assert_true(p->plan.other_ticks > 0);
	assert_int_equal(s.nslices, 2520);
	assert_int_equal(s.period, 100);
	schedule_svg(&svg, p, &s, true);
	assert_non_null(strstr(buf_text(&svg), "the same every 100 slices (400 ms)"));
	assert_true(svg.size < 2000000);
	schedule_free(&s);
	buf_free(&list);
	buf_free(&svg);
	free(p);
}

/* Names with markup, and more columns than fit. */
TEST(test_names)
{
	static const char name[] = "<b>&\"'\a-and-so-on-and-so-on-and-so-on-and-so-on-and-so-on";
	struct buf svg = {0}, page = {0};
	static const char *const typed[] = {"plan", name, NULL};
	struct schedule s;
	struct planner *p = plan_of("r0108,r0208,r0308,r0408,r0508", &s, 100);

	for (unsigned i = 0; i < p->own.n; i++) {
		snprintf(p->own.specs[i].name, sizeof(p->own.specs[i].name), "%s", name);
		refuse(&p->plan.events[i].why, EINVAL, "%s", name);
	}
	for (unsigned i = 0; i < p->plan.nconfigs; i++)
		for (unsigned g = 0; g < p->own.ngroups; g++)
			refuse(&p->configs[i].why[g], EINVAL, "%s", name);
	schedule_svg(&svg, p, &s, true);
	plan_page(&page, p, &s, typed);
	assert_null(strstr(buf_text(&svg), "<b>"));
	assert_null(strstr(buf_text(&page), "<b>"));
	assert_null(strchr(buf_text(&page), '\a'));
	assert_non_null(strstr(buf_text(&svg), "…</text>"));
	schedule_free(&s);
	buf_free(&svg);
	buf_free(&page);
	free(p);
}
