// SPDX-License-Identifier: BSD-2-Clause
/*
 * record_sample.c - PERF_RECORD_SAMPLE. Samples of one-word fields have a size that is known at
 * opening, and a path of their own. Samples with parts of varying size first determine these.
 */
#include "pmu/record/output.h"

#include "lib/bits.h"
#include "pmu/record/callchain.h"
#include "pmu/record/record_sample.h"
#include "pmu/record/sample_parts.h"

void pmu_output_init(struct pmu_event *e)
{
	uint64_t type = e->attr.sample_type;

	e->out.sample_size = (uint16_t)(PMU_WORD * (1 + bits_count(type & PMU_WORD_FIELDS)));
	e->out.sample_header =
		pmu_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, e->out.sample_size);
	e->out.user_header =
		pmu_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, e->out.sample_size);
	e->out.parts = pmu_parts_of(&e->attr);
	e->out.trailer_size = pmu_trailer_size(&e->attr);
	e->out.wakeup_events = e->attr.watermark ? 0 : e->attr.wakeup_events;
}

bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb)
{
	return !rb || e->out.sample_size + pmu_parts_most(&e->attr, e->out.parts) <= rb->mask + 1;
}

/*
 * An event that excludes ring 0 can overflow on or right before a system call and be noticed after
 * it: the sample belongs to the place where ring 3 stands.
 */
static const struct pmu_regs *regs_in_ring_3(const struct pmu_regs *regs, struct pmu_regs *at)
{
	uint64_t user_ip = pmu.host->user_ip ? pmu.host->user_ip() : 0;

	if (!user_ip)
		return regs;
	*at = (struct pmu_regs){.ip = user_ip, .user = true};
	return at;
}

void pmu_words_wrap(struct rb_writer *w, const struct pmu_event *e, const struct pmu_words *words)
{
	uint64_t aside[PMU_WORDS_MOST], *end = pmu_words_fill(aside, e, words);

	for (const uint64_t *from = aside; from < end; from++)
		rb_put(w, *from);
}

static uint16_t misc_of(const struct pmu_regs *at, const struct pmu_sample_data *data)
{
	return (at->user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |
	       (data && data->exact_ip ? PERF_RECORD_MISC_EXACT_IP : 0);
}

static uint64_t time_of(const struct pmu_event *e, const struct pmu_sample_data *data)
{
	if (!(e->attr.sample_type & PERF_SAMPLE_TIME))
		return 0;
	return pmu_record_time_at(e,
				  data && data->fields & PERF_SAMPLE_TIME ? data->time : pmu_now());
}

/* The sample is in the ring. */
static enum pmu_verdict end_sample(struct rb_writer *w, const struct pmu_event *e)
{
	pmu_record_end(w);
	if (e->out.wakeup_events)
		pmu_wakeup_count(e);
	return PMU_WRITTEN;
}

static enum pmu_verdict output_words(struct pmu_event *e, struct pmu_words *words, uint16_t misc)
{
	struct rb_writer w;

	if (!pmu_record_begin(&w, e, e->out.sample_size))
		return PMU_LOST;
	words->header = pmu_header(PERF_RECORD_SAMPLE, misc, e->out.sample_size);
	pmu_words_put(&w, e, words);
	return end_sample(&w, e);
}

/* Only raw data can make a sample larger than a record can be: it is lost. */
static enum pmu_verdict output_parts(struct pmu_event *e, struct pmu_words *words, uint16_t misc,
				     const struct pmu_regs *at, const struct pmu_regs *was,
				     const struct pmu_sample_data *data)
{
	static const struct pmu_sample_data nothing;
	struct pmu_sample s;
	struct rb_writer w;

	s.e = e;
	s.at = at;
	s.was = was;
	s.data = data ? data : &nothing;
	s.size = e->out.sample_size;
	pmu_parts_measure(&s, e->out.parts);
	if (s.size > RB_MAX_RECORD) {
		pmu_record_lose(e, s.size);
		return PMU_LOST;
	}
	if (!pmu_record_begin(&w, e, s.size))
		return PMU_LOST;
	words->header = pmu_header(PERF_RECORD_SAMPLE, misc, s.size);
	pmu_words_put(&w, e, words);
	pmu_parts_put(&w, &s, e->out.parts);
	return end_sample(&w, e);
}

enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data)
{
	const struct pmu_regs *at = regs;
	struct pmu_regs elsewhere;
	struct pmu_words words;

	if (!e->out.rb)
		return PMU_REFUSED;
	if (!regs->user && e->attr.exclude_kernel)
		at = regs_in_ring_3(regs, &elsewhere);
	words = (struct pmu_words){
		.ip = at->ip,
		.time = time_of(e, data),
		.addr = data ? pmu_given(data, PERF_SAMPLE_ADDR, data->addr) : 0,
	};
	if (e->out.parts)
		return output_parts(e, &words, misc_of(at, data), at, regs, data);
	return output_words(e, &words, misc_of(at, data));
}

/* The chain is determined first, because it determines the length of the record. */
bool pmu_sample_chain(struct pmu_event *e, const struct pmu_regs *regs)
{
	uint64_t chain[1 + PMU_MAX_CHAIN], time = 0, bytes;
	struct pmu_words words;
	struct rb_writer w;

	if (e->attr.sample_type & PERF_SAMPLE_TIME)
		time = pmu_record_time(e);
	chain[0] = pmu_callchain(e, regs, regs, chain + 1);
	bytes = PMU_WORD * (1 + chain[0]);
	words = (struct pmu_words){
		.header = e->out.sample_header + ((uint64_t)regs->user << 32) + (bytes << 48),
		.ip = regs->ip,
		.time = time,
	};
	if (!pmu_record_begin(&w, e, e->out.sample_size + bytes))
		return false;
	pmu_words_put(&w, e, &words);
	rb_put_words(&w, chain, 1 + chain[0]);
	pmu_record_end(&w);
	return true;
}

static bool has_short_way(const struct pmu_event *e)
{
	return e->out.rb && !e->out.on_overflow && !e->out.notify && !e->family.ancestor &&
	       !e->out.wakeup_events && !e->limit && !e->attr.sigtrap;
}

/* The chain goes into the ring at once: no other writer can come before its length is known. */
bool pmu_quick_chain(struct pmu_event *e, const struct pmu_regs *regs, uint64_t time)
{
	struct rb *rb = e->out.rb;
	uint64_t at, *record, *to, chain, bytes;

	if (!rb_begin_alone(rb, e->out.sample_size + PMU_WORD * (1 + PMU_MAX_CHAIN), &at, &record))
		return false;
	to = pmu_quick_words(record, e, regs->ip, time);
	chain = pmu_callchain_user(e, regs, to + 1);
	ring_store(to, chain);
	bytes = PMU_WORD * (1 + chain);
	ring_store(record, e->out.user_header + (bytes << 48));
	pmu_quick_end(rb, at + e->out.sample_size + bytes);
	return true;
}

static bool is_quick(const struct pmu_event *e)
{
	const uint64_t may = PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN;

	return (e->attr.sample_type & ~may) == PMU_QUICK_FIELDS && !e->attr.use_clockid &&
	       !e->attr.exclude_callchain_user && e->class->hardware &&
	       e->period > PMU_QUICK_LEAST && e->period < PMU_QUICK_PERIODS && !e->rate.interval &&
	       !e->setting && !e->pebs && !e->branches && !e->tick.pair;
}

void pmu_output_plan(struct pmu_event *e)
{
	const uint64_t rest = e->attr.sample_type & ~(uint64_t)PMU_WORD_FIELDS;

	e->out.way = PMU_WAY_LONG;
	if (has_short_way(e) && !rest)
		e->out.way = PMU_WAY_WORDS;
	else if (has_short_way(e) && rest == PERF_SAMPLE_CALLCHAIN)
		e->out.way = PMU_WAY_CHAIN;
	e->out.quick = is_quick(e) ? e->out.way : PMU_WAY_LONG;
}
