// SPDX-License-Identifier: BSD-2-Clause
/*
 * output.c - records of an event other than samples; record_sideband.c has those about tasks.
 *
 * A LOST record precedes the first record that finds room again, in the same reservation.
 */
#include "pmu/record/output.h"

#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/state/mux_trace.h"
#include "pmu/state/read.h"
#include "pmu/state/remote.h"

/* The sample fields that a sample_id trailer contains. */
#define TRAILER_FIELDS                                                                 \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* Header, id, number. */
#define LOST_SIZE(e) (3 * PMU_WORD + (e)->out.trailer_size)
/* Header, number. */
#define LOST_SAMPLES_SIZE(e) (2 * PMU_WORD + (e)->out.trailer_size)

uint16_t pmu_trailer_size(const struct perf_event_attr *attr)
{
	return attr->sample_id_all
		       ? (uint16_t)(PMU_WORD * bits_count(attr->sample_type & TRAILER_FIELDS))
		       : 0;
}

/* Writes struct sample_id: the fields by which readers sort and match records, as in samples. */
void pmu_put_trailer(struct rb_writer *w, const struct pmu_event *e)
{
	uint64_t type = e->attr.sample_id_all ? e->attr.sample_type : 0;

	if (type & PERF_SAMPLE_TID)
		rb_put(w, pmu_current_task());
	if (type & PERF_SAMPLE_TIME)
		rb_put(w, pmu_record_time(e));
	if (type & PERF_SAMPLE_ID)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rb_put(w, e->stream_id);
	if (type & PERF_SAMPLE_CPU)
		rb_put(w, pmu_current_cpu());
	if (type & PERF_SAMPLE_IDENTIFIER)
		rb_put(w, e->id);
}

static void put_lost(struct rb_writer *w, const struct pmu_event *e, uint64_t lost)
{
	pmu_put_header(w, PERF_RECORD_LOST, 0, LOST_SIZE(e));
	rb_put(w, e->id);
	rb_put(w, lost);
	pmu_put_trailer(w, e);
}

bool pmu_record_begin_behind_lost(struct rb_writer *w, struct pmu_event *e, size_t size)
{
	uint64_t lost = rb_take_lost(e->out.rb);

	if (!rb_begin(w, e->out.rb, size + (lost ? LOST_SIZE(e) : 0))) {
		rb_return_lost(e->out.rb, lost);
		pmu_record_lose(e, size);
		return false;
	}
	if (lost)
		put_lost(w, e, lost);
	return true;
}

void pmu_record_lose(struct pmu_event *e, size_t size)
{
	rb_lose(e->out.rb, 1);
	trace(rb_lost, e->id, size, e->out.rb->lost_total);
}

static void put_words(struct rb_writer *w, const struct pmu_event *e, uint32_t type, uint16_t misc,
		      const uint64_t *words, size_t n)
{
	pmu_put_header(w, type, misc, (1 + n) * PMU_WORD + e->out.trailer_size);
	for (size_t i = 0; i < n; i++)
		rb_put(w, words[i]);
	pmu_put_trailer(w, e);
	pmu_record_end(w);
}

bool pmu_output_words(struct pmu_event *e, uint32_t type, uint16_t misc, const uint64_t *words,
		      size_t n)
{
	const size_t size = (1 + n) * PMU_WORD + e->out.trailer_size;
	struct rb_writer w;

	if (!e->out.rb || !pmu_record_begin(&w, e, size))
		return false;
	put_words(&w, e, type, misc, words, n);
	return true;
}

/* A record that does not fit now is written later, so it does not count as lost. */
bool pmu_output_aux(struct pmu_event *e, uint64_t offset, uint64_t size, uint64_t flags)
{
	struct rb_writer w;

	if (!e->out.rb || !rb_begin(&w, e->out.rb, 4 * PMU_WORD + e->out.trailer_size))
		return false;
	put_words(&w, e, PERF_RECORD_AUX, 0, (const uint64_t[]){offset, size, flags}, 3);
	return true;
}

bool pmu_output_itrace_start(struct pmu_event *e, uint32_t pid, uint32_t tid)
{
	return pmu_output_words(e, PERF_RECORD_ITRACE_START, 0,
				(const uint64_t[]){pmu_pair(pid, tid)}, 1);
}

bool pmu_output_throttle(struct pmu_event *e, bool throttled)
{
	return pmu_output_words(e, throttled ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, 0,
				(const uint64_t[]){pmu_record_time(e), e->id, e->stream_id}, 3);
}

/* PERF_RECORD_READ: the task, and its values in the layout of attr.read_format. */
bool pmu_output_read(struct pmu_event *e, const struct pmu_task *task)
{
	const size_t size = 2 * PMU_WORD + pmu_read_size(e) + e->out.trailer_size;
	struct rb_writer w;

	if (!e->out.rb || !pmu_record_begin(&w, e, size))
		return false;
	pmu_put_header(&w, PERF_RECORD_READ, 0, size);
	rb_put(&w, pmu_pair(task->pid, task->tid));
	pmu_put_sums(&w, e);
	pmu_put_trailer(&w, e);
	pmu_record_end(&w);
	return true;
}

static bool output_ring_lost(struct pmu_event *e)
{
	uint64_t lost = rb_take_lost(e->out.rb);
	struct rb_writer w;

	if (!lost)
		return true;
	if (!rb_begin(&w, e->out.rb, LOST_SIZE(e))) {
		rb_return_lost(e->out.rb, lost);
		return false;
	}
	put_lost(&w, e, lost);
	pmu_record_end(&w);
	return true;
}

static bool output_samples_lost(struct pmu_event *e, uint64_t total)
{
	uint64_t lost = total - e->out.lost_reported;
	struct rb_writer w;

	if (!lost)
		return true;
	if (!rb_begin(&w, e->out.rb, LOST_SAMPLES_SIZE(e)))
		return false;
	pmu_put_header(&w, PERF_RECORD_LOST_SAMPLES, 0, LOST_SAMPLES_SIZE(e));
	rb_put(&w, lost);
	pmu_put_trailer(&w, e);
	pmu_record_end(&w);
	e->out.lost_reported += lost;
	return true;
}

struct telling {
	struct pmu_event *e;
	uint64_t lost; /* number of samples */
	bool told;
};

static void tell_lost(void *arg)
{
	struct telling *t = arg;

	t->told = output_ring_lost(t->e) && output_samples_lost(t->e, t->lost);
}

bool pmu_output_lost(struct pmu_event *e)
{
	struct telling t = {.e = e, .told = true};

	t.lost = pmu_event_books(e).lost;
	if (e->out.rb)
		pmu_in_ring(e, tell_lost, &t);
	return t.told;
}
