/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rates.h - events that sample by period and frequency, and sums over their samples.
 */
#ifndef TESTS_RATES_H
#define TESTS_RATES_H

#include "lib/time.h"
#include "arch/x86/cpu/trap_frame.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

static inline struct perf_event_attr rate_attr(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	attr.sample_id_all = 1;
	return attr;
}

static inline struct perf_event_attr by_period(uint64_t period)
{
	struct perf_event_attr attr = rate_attr();

	attr.sample_period = period;
	return attr;
}

static inline void open_with_ring(struct pmu_event *e, struct perf_event_attr attr, struct rb *rb)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

/* Sums over all records in a ring. */
struct found {
	unsigned samples, throttles, unthrottles, lost;
	uint64_t periods;
	uint64_t last[8]; /* the last THROTTLE or UNTHROTTLE */
};

static inline void look_at(struct found *f, const uint64_t *record,
			   const struct perf_event_header *header)
{
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		f->samples++;
		f->periods += record[3];
		break;
	case PERF_RECORD_LOST:
		f->lost += (unsigned)record[2];
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		f->throttles += header->type == PERF_RECORD_THROTTLE;
		f->unthrottles += header->type == PERF_RECORD_UNTHROTTLE;
		memcpy(f->last, record, header->size);
		break;
	}
}

static inline void drain_samples(struct rb *rb, struct found *f)
{
	static uint64_t out[1024];
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n;) {
			struct perf_event_header header;

			memcpy(&header, &out[at / 8], sizeof(header));
			look_at(f, &out[at / 8], &header);
			at += header.size;
		}
}

#endif
