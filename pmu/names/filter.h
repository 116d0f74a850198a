/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h - filters of tracepoints, as perf's --filter and tracefs have them:
 *
 *      filter  = and { "||" and }
 *      and     = not { "&&" not }
 *      not     = { "!" } ( "(" filter ")" | test )
 *      test    = field operator value
 *
 * Numbers are compared by == != < <= > >= and & (any of these bits), strings by == != and ~, which
 * takes * ? and [...]. A value is a number, decimal or 0x hexadecimal, or a text, in quotes where
 * it has blanks or brackets. Fields are those of the tracepoint, and common_type, common_flags,
 * common_preempt_count and common_pid. CPU and COMM, in small letters too where the tracepoint has
 * no such field, are the CPU and the name of the task that hit it.
 *
 * A filter is a list of tests, each of which says with which one to go on, always one further
 * behind, when it holds and when not: what it takes is bounded, and no stack. Portable and pure.
 */
#ifndef PMU_NAMES_FILTER_H
#define PMU_NAMES_FILTER_H

#include "lib/reason.h"
#include "lib/trace.h"
#include "pmu/names/parse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMU_FILTER_TESTS 32  /* at most in one filter */
#define PMU_FILTER_TEXT  256 /* characters of all its texts together */

struct pmu_filter_test {
	const struct trace_field *field;
	uint8_t op;           /* enum filter_op */
	uint8_t yes, no;      /* the next test, or what filter.c has beyond them */
	uint16_t text, ntext; /* of a string's value: where it stands, and its length */
	uint64_t value;       /* of a number, extended to 64 bits by its sign */
};

struct pmu_filter {
	const struct trace_event *event;
	unsigned n, ntext;
	struct pmu_filter_test test[PMU_FILTER_TESTS];
	char text[PMU_FILTER_TEXT];
};

/*
 * pmu_filter_parse() - for hits of `event`. Returns 0, or -EINVAL: `err` tells what is wrong, and
 * in which column; `filter` is undefined then. Any context.
 */
int pmu_filter_parse(struct pmu_filter *filter, const struct trace_event *event, const char *text,
		     struct pmu_parse_error *err);

/*
 * pmu_filter_event() - the filter `text` of the event `spec`, a hit of which is of `event` (NULL:
 * of none), into `filter`, whose `event` is NULL where it has none yet. -EINVAL with the reason.
 */
int pmu_filter_event(struct pmu_filter *filter, const struct pmu_event_spec *spec,
		     const struct trace_event *event, const char *text, struct reason *why);

struct pmu_filter_hit {
	const void *entry;
	size_t size;      /* bytes of it */
	uint32_t cpu;     /* where it is */
	const char *comm; /* of the task there; terminated */
};

/* pmu_filter_match() - does it let the hit through? Any context. */
bool pmu_filter_match(const struct pmu_filter *filter, const struct pmu_filter_hit *hit);

#endif
