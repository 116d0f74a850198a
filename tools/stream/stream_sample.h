/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_sample.h - a PERF_RECORD_SAMPLE taken apart by its event's attr, as perf_event_open(2)
 * lays it out. Nothing in the record is trusted: every length is checked against the record's own
 * size.
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
	uint64_t has; /* PERF_SAMPLE_* bits of the fields that are there; all others read as 0 */
	bool kernel;  /* ring 0 was interrupted */
	uint64_t ip, time, addr, id, stream_id, period, weight, data_src, transaction, phys_addr;
	uint64_t cgroup, data_page_size, code_page_size;
	uint32_t pid, tid, cpu;
	struct sample_words read;  /* by attr.read_format */
	struct sample_words chain; /* PERF_CONTEXT_* words among the addresses */
	struct sample_bytes raw;
	struct sample_words branches;             /* 3 words each; without the number and hw_idx */
	struct sample_words regs_user, regs_intr; /* without the ABI word; in order of the mask */
	struct sample_bytes stack_user;           /* the bytes that were written (dyn_size) */
	struct sample_bytes aux;
};

/*
 * sample_parse() - takes `record`, a PERF_RECORD_SAMPLE whose size was checked against what there
 * is, apart. False: its fields do not fill its size; `sample` is then not to be used.
 */
bool sample_parse(const struct record_format *format, const struct perf_event_header *record,
		  struct sample *sample);

/*
 * sample_weight() - the number of events that a sample stands for: its period, or 1 if that is not
 * known.
 */
static inline uint64_t sample_weight(const struct sample *sample)
{
	return sample->period ? sample->period : 1;
}

#endif
