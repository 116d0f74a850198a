/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampled_events.h - shared by the tests of sampling: events that sample, and their drained
 * samples.
 */
#ifndef TESTS_SAMPLED_H
#define TESTS_SAMPLED_H

#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <string.h>

#include "tests/unit/test.h"

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static inline struct perf_event_attr sampling(uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER;
	attr.sample_id_all = 1;
	return attr;
}

static inline void open_into(struct pmu_event *e, struct perf_event_attr attr, struct rb *rb)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

/* Counts the records of `type` in the ring, and keeps the last one. */
static uint64_t last[64];

static inline unsigned drain_records(struct rb *rb, uint32_t type)
{
	uint8_t out[8192];
	struct perf_event_header header;
	unsigned found = 0;
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += header.size) {
			memcpy(&header, out + at, sizeof(header));
			if (header.type != type)
				continue;
			found++;
			assert_true(header.size <= sizeof(last));
			memcpy(last, out + at, header.size);
		}
	return found;
}

static inline void check_books(const struct pmu_event *e)
{
	assert_int_equal(e->books.overflows, e->books.written + e->books.lost + e->books.refused);
	assert_int_equal(pmu_stats()->books.overflows, pmu_stats()->books.written +
							       pmu_stats()->books.lost +
							       pmu_stats()->books.refused);
}

#endif
