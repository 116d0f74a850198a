/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * planned.h - a planner, and its messages.
 */
#ifndef TESTS_PLANNED_H
#define TESTS_PLANNED_H

#include "pmu/plan/planner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct planner *p;
static struct reason why;
static char written[1 << 16];

FIXTURE(setup)
{
	p = malloc(sizeof(*p));
	return p ? 0 : -1;
}

FIXTURE(teardown)
{
	free(p);
	return 0;
}

static inline int plan_request(struct planner_request r, const char *events)
{
	if (!r.events) {
		r.events = &events;
		r.nevents = events ? 1 : 0;
	}
	memset(p, 0, sizeof(*p));
	return planner_run(p, &r, &why);
}

static inline void add_text(void *ctx, const char *text)
{
	(void)ctx;
	assert_true(strlen(written) + strlen(text) < sizeof(written));
	strcat(written, text);
}

static inline const char *write_by(void (*print)(const struct planner *,
						 const struct planner_sink *))
{
	const struct planner_sink sink = {add_text, NULL};

	written[0] = '\0';
	print(p, &sink);
	return written;
}

static inline void check_shares(const char *text, const uint32_t *percent, unsigned n)
{
	assert_int_equal(p->plan.nevents, n);
	for (unsigned i = 0; i < n; i++)
		if (p->plan.events[i].percent != percent[i])
			fail_msg("%s: event %u: %u", text, i, p->plan.events[i].percent);
}

#endif
