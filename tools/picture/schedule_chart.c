// SPDX-License-Identifier: BSD-2-Clause
/* schedule_chart.c - see schedule_chart.h. */
#include "tools/picture/schedule_chart.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

#define COUNTERS_SIZE sizeof(((struct schedule_layout *)0)->counter)

static bool is_layout(const struct schedule_layout *l, const struct pmu_plan_slice *slice)
{
	return l->watchdog == slice->watchdog && !memcmp(l->counter, slice->counter, COUNTERS_SIZE);
}

/* Finds the layout of a slice. Layouts mostly repeat in one order, so the search begins behind
 * the last one found. */
static size_t find_layout(const struct schedule *s, const struct pmu_plan_slice *slice)
{
	for (size_t n = 0; n < s->nlayouts; n++) {
		const size_t i = (s->hint + n) % s->nlayouts;

		if (is_layout(&s->layout[i], slice))
			return i;
	}
	return s->nlayouts;
}

static void take_slice(void *ctx, const struct pmu_plan_slice *slice)
{
	struct schedule *s = ctx;
	const size_t i = find_layout(s, slice);

	if (i == s->nlayouts) {
		struct schedule_layout *l;

		s->layout = memory_grow(s->layout, s->nlayouts, sizeof(*s->layout));
		l = &s->layout[s->nlayouts++];
		l->watchdog = slice->watchdog;
		memcpy(l->counter, slice->counter, COUNTERS_SIZE);
		l->config = slice->config;
	}
	s->hint = i + 1;
	s->slice = memory_grow(s->slice, s->nslices, sizeof(*s->slice));
	s->slice[s->nslices++] = (uint32_t)i;
}

static void begin_slices(void *ctx)
{
	struct schedule *s = ctx;

	s->nlayouts = s->nslices = s->hint = 0;
}

void schedule_init(struct schedule *s)
{
	*s = (struct schedule){.watch = {begin_slices, take_slice, s}};
}

void schedule_free(struct schedule *s)
{
	free(s->layout);
	free(s->slice);
}

/*
 * Computes for each period how many of the last slices equal those `period` before them. It is the
 * Z algorithm on the reversed sequence, and takes linear time.
 */
static void match_from_end(const struct schedule *s, size_t *matches)
{
	const size_t n = s->nslices;
	const uint32_t *last = s->slice + n - 1;
	size_t left = 0, right = 0;

	for (size_t i = 1; i < n; i++) {
		size_t z = 0;

		if (i < right)
			z = matches[i - left] < right - i ? matches[i - left] : right - i;
		while (i + z < n && last[-(ptrdiff_t)z] == last[-(ptrdiff_t)(i + z)])
			z++;
		if (i + z > right) {
			left = i;
			right = i + z;
		}
		matches[i] = z;
	}
}

/*
 * Chooses the shortest period that covers at most one period fewer slices than the best one. The
 * schedule settles in the slices before it. A period has to occur at least twice.
 */
void schedule_settle(struct schedule *s)
{
	size_t *matches, most = 0;

	s->lead = s->nslices;
	s->period = 0;
	if (!s->nslices)
		return;
	matches = memory_checked(calloc(s->nslices, sizeof(*matches)));
	match_from_end(s, matches);
	for (size_t p = 1; p < s->nslices; p++)
		if (matches[p] >= p && matches[p] + p > most)
			most = matches[p] + p;
	for (size_t p = 1; p < s->nslices && !s->period; p++)
		if (matches[p] >= p && matches[p] + 2 * p >= most) {
			s->period = p;
			s->lead = s->nslices - matches[p] - p;
		}
	free(matches);
}
