// SPDX-License-Identifier: BSD-2-Clause
/*
 * sample.c - PERF_RECORD_SAMPLE. Samples of fields of one word each have a size that is known at
 * opening, and a path of their own; those with parts of varying size first find out what these are.
 */
#include "pmu/output.h"

#include "pmu/bits.h"
#include "pmu/sample_parts.h"

/* Fields of one word each, in front of all others. */
#define WORD_FIELDS                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |  \
	 PERF_SAMPLE_PERIOD)

void pmu_output_init(struct pmu_event *e)
{
	uint64_t type = e->attr.sample_type;

	e->sample_size = (uint16_t)(PMU_WORD * (1 + bits_count(type & WORD_FIELDS)));
	e->sample_header = pmu_header(PERF_RECORD_SAMPLE, 0, e->sample_size);
	e->parts = pmu_parts_of(&e->attr);
	e->trailer_size = pmu_trailer_size(&e->attr);
	e->wakeup_events = e->attr.watermark ? 0 : e->attr.wakeup_events;
}

bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb)
{
	return !rb || e->sample_size + pmu_parts_most(&e->attr, e->parts) <= rb->mask + 1;
}

/*
 * An event that leaves ring 0 out can overflow on a system call, or right before it, and be noticed
 * behind it: the sample belongs to where ring 3 stands.
 */
static __attribute__((noinline)) const struct pmu_regs *in_ring_3(const struct pmu_regs *regs,
								  struct pmu_regs *at)
{
	uint64_t user_ip = pmu.host->user_ip ? pmu.host->user_ip() : 0;

	if (!user_ip)
		return regs;
	*at = (struct pmu_regs){.ip = user_ip, .user = true};
	return at;
}

/* Room for these and the header, where they cannot be put into the ring one behind the other. */
#define WORDS_MOST 10

static uint16_t misc_of(const struct pmu_regs *at, const struct pmu_sample_data *data)
{
	return (at->user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |
	       (data && data->exact_ip ? PERF_RECORD_MISC_EXACT_IP : 0);
}

/* Reading the clock is a call: before all that the rest keeps in registers. */
static inline uint64_t time_of(const struct pmu_event *e, const struct pmu_sample_data *data)
{
	if (!(e->attr.sample_type & PERF_SAMPLE_TIME))
		return 0;
	return data && data->fields & PERF_SAMPLE_TIME ? data->time : pmu_now();
}

/* The header, then the fields of one word. Unless the record wraps, nobody has to look for that
 * word by word. */
static inline void put_words(struct rb_writer *w, const struct pmu_event *e, uint64_t header,
			     uint64_t ip, uint64_t time, const struct pmu_sample_data *data)
{
	uint64_t type = e->attr.sample_type, offset = w->at & w->mask, aside[WORDS_MOST];
	bool straight = offset + e->sample_size <= w->mask + 1;
	uint64_t *to = straight ? (uint64_t *)(w->data + offset) : aside;

	*to++ = header;
	if (type & PERF_SAMPLE_IDENTIFIER)
		*to++ = e->id;
	if (type & PERF_SAMPLE_IP)
		*to++ = ip;
	if (type & PERF_SAMPLE_TID)
		*to++ = pmu_current_task();
	if (type & PERF_SAMPLE_TIME)
		*to++ = time;
	if (type & PERF_SAMPLE_ADDR)
		*to++ = data ? pmu_given(data, PERF_SAMPLE_ADDR, data->addr) : 0;
	if (type & PERF_SAMPLE_ID)
		*to++ = e->id;
	if (type & PERF_SAMPLE_STREAM_ID)
		*to++ = e->stream_id;
	if (type & PERF_SAMPLE_CPU)
		*to++ = pmu_current_cpu();
	if (type & PERF_SAMPLE_PERIOD)
		*to++ = e->last_period;
	if (__builtin_expect(straight, true)) {
		w->at += e->sample_size;
		return;
	}
	for (const uint64_t *from = aside; from < to; from++)
		rb_put(w, *from);
}

/* The sample is in the ring. */
static inline enum pmu_verdict end_sample(struct rb_writer *w, const struct pmu_event *e)
{
	pmu_record_end(w);
	if (__builtin_expect(e->wakeup_events != 0, false))
		pmu_wakeup_count(e);
	return PMU_WRITTEN;
}

static inline enum pmu_verdict output_words(struct pmu_event *e, const struct pmu_regs *at,
					    uint64_t time, const struct pmu_sample_data *data)
{
	struct rb_writer w;

	if (!pmu_record_begin(&w, e, e->sample_size))
		return PMU_LOST;
	put_words(&w, e, e->sample_header | (uint64_t)misc_of(at, data) << 32, at->ip, time, data);
	return end_sample(&w, e);
}

/* More than a record can hold there is only in raw data: it is lost. */
static __attribute__((noinline)) enum pmu_verdict
output_parts(struct pmu_event *e, const struct pmu_regs *at, const struct pmu_regs *was,
	     uint64_t time, const struct pmu_sample_data *data)
{
	static const struct pmu_sample_data nothing;
	struct pmu_sample s;
	struct rb_writer w;

	s.e = e;
	s.at = at;
	s.was = was;
	s.data = data ? data : &nothing;
	s.size = e->sample_size;
	pmu_parts_measure(&s, e->parts);
	if (s.size > RB_MAX_RECORD) {
		rb_lose(e->rb, 1);
		return PMU_LOST;
	}
	if (!pmu_record_begin(&w, e, s.size))
		return PMU_LOST;
	put_words(&w, e, pmu_header(PERF_RECORD_SAMPLE, misc_of(at, data), s.size), at->ip, time,
		  data);
	pmu_parts_put(&w, &s, e->parts);
	return end_sample(&w, e);
}

enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data)
{
	const struct pmu_regs *at = regs;
	struct pmu_regs elsewhere;
	uint64_t time;

	if (__builtin_expect(!e->rb, false))
		return PMU_REFUSED;
	time = time_of(e, data);
	if (__builtin_expect(!regs->user && e->attr.exclude_kernel, false))
		at = in_ring_3(regs, &elsewhere);
	if (e->parts)
		return output_parts(e, at, regs, time, data);
	return output_words(e, at, time, data);
}
