/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h - filters of tracepoints, in the syntax of perf's --filter and of tracefs:
 *
 *      filter  = and { "||" and }
 *      and     = not { "&&" not }
 *      not     = { "!" } ( "(" filter ")" | test )
 *      test    = field operator value
 *
 * Numbers are compared by == != < <= > >= and & (any of these bits); strings by == != and ~, which
 * takes * ? and [...]. A value is a number, decimal or 0x hexadecimal, or a text, quoted if it has
 * blanks or brackets. Fields are those of the tracepoint, and common_type, common_flags,
 * common_preempt_count and common_pid. CPU and COMM are the CPU and the name of the task that hit
 * it; small letters also work if the tracepoint has no such field.
 *
 * A filter is a list of tests. Each names its successors, further behind in the list, for true and
 * for false. So a match takes bounded time and no stack. Portable and pure.
 */
#ifndef PMU_NAMES_FILTER_H
#define PMU_NAMES_FILTER_H

#include "lib/reason.h"
#include "lib/trace.h"
#include "pmu/names/parse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMU_FILTER_TESTS 32  /* in one filter */
#define PMU_FILTER_TEXT  256 /* characters of all texts of a filter */

struct pmu_filter_test {
	const struct trace_field *field;
	uint8_t op;           /* enum filter_op */
	uint8_t yes, no;      /* the next test, or a value beyond them of filter.c */
	uint16_t text, ntext; /* string: position in `text` of the filter, and length */
	uint64_t value;       /* number: sign-extended to 64 bits */
};

struct pmu_filter {
	const struct trace_event *event;
	unsigned n, ntext;
	struct pmu_filter_test test[PMU_FILTER_TESTS];
	char text[PMU_FILTER_TEXT];
};

/*
 * pmu_filter_parse() - parses a filter for hits of `event`. Returns 0, or -EINVAL: `err` has the
 * reason and the column, and `filter` is undefined. Any context.
 */
int pmu_filter_parse(struct pmu_filter *filter, const struct trace_event *event, const char *text,
		     struct pmu_parse_error *err);

/*
 * pmu_filter_event() - parses the filter `text` of the event `spec`, which is the tracepoint
 * `event` (NULL: not a tracepoint), into `filter`. filter->event is NULL if the event has no filter
 * yet. -EINVAL with the reason.
 */
int pmu_filter_event(struct pmu_filter *filter, const struct pmu_event_spec *spec,
		     const struct trace_event *event, const char *text, struct reason *why);

struct pmu_filter_hit {
	const void *entry;
	size_t size;      /* bytes of `entry` */
	uint32_t cpu;     /* CPU of the hit */
	const char *comm; /* name of the task, terminated */
};

/* pmu_filter_match() - true where the hit matches. Any context. */
bool pmu_filter_match(const struct pmu_filter *filter, const struct pmu_filter_hit *hit);

#endif
