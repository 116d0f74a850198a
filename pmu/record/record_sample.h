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
 * pmu_output_plan() - called when its ring or limit has changed.
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

#endif
