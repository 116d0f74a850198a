/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_sample.h - parses a PERF_RECORD_SAMPLE according to its event's attr, in the layout of
 * perf_event_open(2). No value in the record is trusted: every length is checked against the
 * record's own size.
 */
#ifndef TOOLS_STREAM_STREAM_SAMPLE_H
#define TOOLS_STREAM_STREAM_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/stream/stream_record.h"

/* Bytes, or 8-byte words, inside of the record. */
struct sample_bytes {
	const uint8_t *at;
	size_t n;
};

struct sample_words {
	const uint64_t *at;
	size_t n;
};

struct sample {
	const struct stream_event *event;
	uint64_t has; /* PERF_SAMPLE_* bits of the present fields; the others read as 0 */
	bool kernel;  /* the sample interrupted ring 0 */
	uint64_t ip, time, addr, id, stream_id, period, weight, data_src, transaction, phys_addr;
	uint64_t cgroup, data_page_size, code_page_size;
	uint32_t pid, tid, cpu;
	struct sample_words read;  /* layout: attr.read_format */
	struct sample_words chain; /* contains PERF_CONTEXT_* words among the addresses */
	struct sample_bytes raw;
	struct sample_words branches;             /* 3 words each, without the number and hw_idx */
	struct sample_words regs_user, regs_intr; /* in the mask's order, without the ABI word */
	struct sample_bytes stack_user;           /* the bytes that were written (dyn_size) */
	struct sample_bytes aux;
};

/*
 * sample_parse() - parses `record`, a PERF_RECORD_SAMPLE whose size the caller has checked. Returns
 * false if its fields do not fill its size exactly; `sample` is invalid then.
 */
bool sample_parse(const struct record_format *format, const struct perf_event_header *record,
		  struct sample *sample);

/*
 * sample_weight() - returns the number of events for which a sample stands: its period, or 1 if the
 * period is unknown.
 */
static inline uint64_t sample_weight(const struct sample *sample)
{
	return sample->period ? sample->period : 1;
}

#endif
