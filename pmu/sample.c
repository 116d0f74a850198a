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
	e->parts = pmu_parts_of(&e->attr);
	e->trailer_size = pmu_trailer_size(&e->attr);
}

bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb)
{
	return !rb || e->sample_size + pmu_parts_most(&e->attr, e->parts) <= rb->mask + 1;
}

/*
 * An event that leaves ring 0 out can overflow on a system call, or right before it, and be noticed
 * behind it: the sample belongs to where ring 3 stands.
 */
static struct pmu_regs attribute(const struct pmu_event *e, const struct pmu_regs *regs)
{
	struct pmu_regs at = *regs;
	uint64_t user_ip;

	if (regs->user || !e->attr.exclude_kernel || !pmu.host->user_ip)
		return at;
	user_ip = pmu.host->user_ip();
	if (user_ip)
		at = (struct pmu_regs){.ip = user_ip, .user = true};
	return at;
}

static inline void put_words(struct rb_writer *w, const struct pmu_event *e, uint64_t ip,
			     const struct pmu_sample_data *data)
{
	uint64_t type = e->attr.sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_IP)
		rb_put(w, ip);
	if (type & PERF_SAMPLE_TID)
		rb_put(w, pmu_current_task());
	if (type & PERF_SAMPLE_TIME)
		rb_put(w, data && data->fields & PERF_SAMPLE_TIME ? data->time : pmu_now());
	if (type & PERF_SAMPLE_ADDR)
		rb_put(w, data ? pmu_given(data, PERF_SAMPLE_ADDR, data->addr) : 0);
	if (type & PERF_SAMPLE_ID)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rb_put(w, e->stream_id);
	if (type & PERF_SAMPLE_CPU)
		rb_put(w, pmu_current_cpu());
	if (type & PERF_SAMPLE_PERIOD)
		rb_put(w, e->last_period);
}

static uint16_t misc_of(const struct pmu_regs *at, const struct pmu_sample_data *data)
{
	return (at->user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |
	       (data && data->exact_ip ? PERF_RECORD_MISC_EXACT_IP : 0);
}

static enum pmu_verdict output_words(struct pmu_event *e, const struct pmu_regs *regs,
				     const struct pmu_sample_data *data)
{
	const struct pmu_regs at = attribute(e, regs);
	struct rb_writer w;

	if (!pmu_record_begin(&w, e, e->sample_size))
		return PMU_LOST;
	pmu_put_header(&w, PERF_RECORD_SAMPLE, misc_of(&at, data), e->sample_size);
	put_words(&w, e, at.ip, data);
	rb_end(&w);
	return PMU_WRITTEN;
}

/* More than a record can hold there is only in raw data: it is lost. */
static enum pmu_verdict output_parts(struct pmu_event *e, const struct pmu_regs *regs,
				     const struct pmu_sample_data *data)
{
	static const struct pmu_sample_data nothing;
	const struct pmu_regs at = attribute(e, regs);
	struct pmu_sample s;
	struct rb_writer w;

	s.e = e;
	s.at = &at;
	s.was = regs;
	s.data = data ? data : &nothing;
	s.size = e->sample_size;
	pmu_parts_measure(&s, e->parts);
	if (s.size > RB_MAX_RECORD) {
		rb_lose(e->rb, 1);
		return PMU_LOST;
	}
	if (!pmu_record_begin(&w, e, s.size))
		return PMU_LOST;
	pmu_put_header(&w, PERF_RECORD_SAMPLE, misc_of(&at, data), s.size);
	put_words(&w, e, at.ip, data);
	pmu_parts_put(&w, &s, e->parts);
	rb_end(&w);
	return PMU_WRITTEN;
}

enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data)
{
	if (!e->rb)
		return PMU_REFUSED;
	return e->parts ? output_parts(e, regs, data) : output_words(e, regs, data);
}
