/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_sample.h - the fast path from an overflow to a sample. The parts that most samples have
 * are inline, because its length determines the cost of sampling. Any context, on the event's CPU.
 */
#ifndef PMU_RECORD_RECORD_SAMPLE_H
#define PMU_RECORD_RECORD_SAMPLE_H

#include "pmu/record/output.h"

/*
 * pmu_output_sample() - writes a sample of `e` to its ring, and returns the outcome.
 * pmu_output_init() - computes the layout of records of a new event.
 * pmu_output_plan() - called when its ring, limit or period has changed.
 * pmu_output_fits() - true where a record of it fits into `rb`; NULL always fits.
 */
enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data);
void pmu_output_init(struct pmu_event *e);
void pmu_output_plan(struct pmu_event *e);
bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb);

/* Fields of one word each, which precede all others. */
#define PMU_WORD_FIELDS                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |  \
	 PERF_SAMPLE_PERIOD)

/* Fields of these that few events request. */
#define PMU_RARE_WORDS (PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)

#define PMU_WORDS_MOST 10 /* including the header */

/* The values of these fields that the event itself does not have. */
struct pmu_words {
	uint64_t header, ip, time, addr;
};

/* pmu_words_fill() - writes the header and the one-word fields of `e`; returns the end. */
static inline __attribute__((always_inline)) uint64_t *pmu_words_fill(uint64_t *to,
								      const struct pmu_event *e,
								      const struct pmu_words *words)
{
	uint64_t type = e->attr.sample_type;

	*to++ = words->header;
	if (type & PERF_SAMPLE_IDENTIFIER)
		*to++ = e->id;
	if (type & PERF_SAMPLE_IP)
		*to++ = words->ip;
	if (type & PERF_SAMPLE_TID)
		*to++ = pmu_current_task();
	if (type & PERF_SAMPLE_TIME)
		*to++ = words->time;
	if (__builtin_expect(type & PMU_RARE_WORDS, false)) {
		if (type & PERF_SAMPLE_ADDR)
			*to++ = words->addr;
		if (type & PERF_SAMPLE_ID)
			*to++ = e->id;
		if (type & PERF_SAMPLE_STREAM_ID)
			*to++ = e->stream_id;
	}
	if (type & PERF_SAMPLE_CPU)
		*to++ = pmu_current_cpu();
	if (type & PERF_SAMPLE_PERIOD)
		*to++ = e->last_period;
	return to;
}

/* pmu_words_wrap() - the same word by word, for records that wrap. */
void pmu_words_wrap(struct rb_writer *w, const struct pmu_event *e, const struct pmu_words *words);

/* pmu_words_put() - the same into the ring, at the beginning of the record. */
static inline __attribute__((always_inline)) void pmu_words_put(struct rb_writer *w,
								const struct pmu_event *e,
								const struct pmu_words *words)
{
	uint64_t offset = w->at & w->mask;

	if (__builtin_expect(offset + e->out.sample_size <= w->mask + 1, true)) {
		pmu_words_fill((uint64_t *)(w->data + offset), e, words);
		w->at += e->out.sample_size;
	} else {
		/*
		 * Copies, so that the addresses of the originals are not passed on: the compiler
		 * keeps these in registers.
		 */
		struct rb_writer wrapping = *w;
		const struct pmu_words copy = *words;

		pmu_words_wrap(&wrapping, e, &copy);
		w->at = wrapping.at;
	}
}

/*
 * pmu_sample_words(), pmu_sample_chain() - pmu_output_sample() for an event with exactly this
 * `way`, in code that it counts. False: lost.
 */
bool pmu_sample_chain(struct pmu_event *e, const struct pmu_regs *regs);

static inline __attribute__((always_inline)) bool pmu_sample_words(struct pmu_event *e,
								   const struct pmu_regs *regs)
{
	/*
	 * KERNEL is 1 and USER is 2. The clock is a call, so it comes before everything that stays
	 * in registers.
	 */
	const struct pmu_words words = {
		.time = e->attr.sample_type & PERF_SAMPLE_TIME ? pmu_record_time(e) : 0,
		.header = e->out.sample_header + ((uint64_t)regs->user << 32),
		.ip = regs->ip,
	};
	struct rb_writer w;

	if (__builtin_expect(!pmu_record_begin(&w, e, e->out.sample_size), false))
		return false;
	pmu_words_put(&w, e, &words);
	pmu_record_end(&w);
	return true;
}

/*
 * An event is quick if its samples have the fields of `perf record`, maybe with the CPU and the
 * call chain, and no other part; a short period that does not change; only a ring to tell; and
 * needs nothing but a counter. pmu_output_plan() decides. An event that counts in ring 0 is never
 * served quickly.
 */
#define PMU_QUICK_FIELDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

/* Periods of quick events are below this, whatever a counter can hold, and above the other one. */
#define PMU_QUICK_PERIODS (1ull << 30)
#define PMU_QUICK_LEAST   2

/* pmu_quick_words() - the same as pmu_words_fill() for a quick event in ring 3. */
static inline __attribute__((always_inline)) uint64_t *pmu_quick_words(uint64_t *to,
								       const struct pmu_event *e,
								       uint64_t ip, uint64_t time)
{
	ring_store(to++, e->out.user_header);
	ring_store(to++, ip);
	ring_store(to++, pmu_current_task());
	ring_store(to++, time);
	if (e->attr.sample_type & PERF_SAMPLE_CPU)
		ring_store(to++, pmu_current_cpu());
	ring_store(to++, e->last_period);
	return to;
}

/* pmu_quick_end() - pmu_record_end() behind rb_begin_alone(). */
static inline __attribute__((always_inline)) void pmu_quick_end(struct rb *rb, uint64_t head)
{
	rb_end_alone(rb, head);
	if (__builtin_expect((int64_t)(head - rb->wakeup_at) >= 0, 0))
		pmu_wakeup_due(rb);
}

/*
 * pmu_quick_sample(), pmu_quick_chain() - pmu_sample_words(), pmu_sample_chain() for a quick event
 * in ring 3. `time`: pmu_now(). False: nothing was written, and the other function has to be
 * called. NMI context.
 */
bool pmu_quick_chain(struct pmu_event *e, const struct pmu_regs *regs, uint64_t time);

static inline __attribute__((always_inline)) bool pmu_quick_sample(const struct pmu_event *e,
								   const struct pmu_regs *regs,
								   uint64_t time)
{
	struct rb *rb = e->out.rb;
	const size_t bytes = e->out.sample_size;
	uint64_t at, *to;

	if (__builtin_expect(!rb_begin_alone(rb, bytes, &at, &to), 0))
		return false;
	pmu_quick_words(to, e, regs->ip, time);
	pmu_quick_end(rb, at + bytes);
	return true;
}

#endif
