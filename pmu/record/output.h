/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - shared by the writers of records. A record is one reservation, built in place word by
 * word. Layouts: <linux/perf_event.h>, enum perf_event_type. Any context, on the event's CPU.
 */
#ifndef PMU_RECORD_OUTPUT_H
#define PMU_RECORD_OUTPUT_H

#include "pmu/state/state.h"

#define PMU_WORD sizeof(uint64_t)

/* pmu_pair() - combines two 32-bit fields, in their order in memory. */
static inline uint64_t pmu_pair(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

/* pmu_padded() - rounds `n` bytes up to whole words. */
static inline size_t pmu_padded(size_t n)
{
	return (n + PMU_WORD - 1) & ~(PMU_WORD - 1);
}

static inline uint64_t pmu_current_task(void)
{
	return pmu_pair(pmu.host->current->pid, pmu.host->current->tid);
}

static inline uint64_t pmu_current_cpu(void)
{
	return pmu_pair(pmu.host->current->cpu, pmu.host->current->reserved);
}

/* pmu_header(), pmu_put_header() - struct perf_event_header. */
static inline uint64_t pmu_header(uint32_t type, uint16_t misc, size_t size)
{
	return type | (uint64_t)misc << 32 | (uint64_t)size << 48;
}

static inline void pmu_put_header(struct rb_writer *w, uint32_t type, uint16_t misc, size_t size)
{
	rb_put(w, pmu_header(type, misc, size));
}

/* pmu_record_begin() with a LOST record in front of the record. */
bool pmu_record_begin_behind_lost(struct rb_writer *w, struct pmu_event *e, size_t size);

/* pmu_record_lose() - counts a record of `e`, of `size` bytes, as lost. */
void pmu_record_lose(struct pmu_event *e, size_t size);

/*
 * pmu_record_begin() - reserves a record of `size` bytes, preceded by a LOST record if records were
 * lost. False: the record is lost, too, and counted. pmu_record_end() ends it.
 */
static inline bool pmu_record_begin(struct rb_writer *w, struct pmu_event *e, size_t size)
{
	/*
	 * The compiler keeps a writer in registers unless its address is passed on: hence `behind`
	 * instead of `w`.
	 */
	if (__builtin_expect(local_load(&e->out.rb->lost) != 0, false)) {
		struct rb_writer behind;

		if (!pmu_record_begin_behind_lost(&behind, e, size))
			return false;
		*w = behind;
		return true;
	}
	if (__builtin_expect(rb_begin(w, e->out.rb, size), true))
		return true;
	pmu_record_lose(e, size);
	return false;
}

/*
 * wakeup.c:
 * pmu_wakeup() - wakes the reader of `rb`.
 * pmu_wakeup_due() - the ring has reached its watermark.
 * pmu_wakeup_count() - a sample of an event with wakeup_events is in the ring.
 */
void pmu_wakeup(struct rb *rb);
void pmu_wakeup_due(struct rb *rb);
void pmu_wakeup_count(const struct pmu_event *e);

/*
 * pmu_wakeup_init() - `e` has got its ring. Task context, where the ring is written, interrupts
 * off.
 */
void pmu_wakeup_init(const struct pmu_event *e);

/* pmu_record_end() - ends the record, and wakes readers if that is due. */
static inline void pmu_record_end(struct rb_writer *w)
{
	struct rb *rb = w->rb;

	rb_end(w);
	if (__builtin_expect((int64_t)(local_load(&rb->head) - rb->wakeup_at) >= 0, false))
		pmu_wakeup_due(rb);
}

/* pmu_put_trailer() - writes struct sample_id, e->trailer_size bytes, at the end of a record. */
void pmu_put_trailer(struct rb_writer *w, const struct pmu_event *e);

/*
 * pmu_output_words() - writes a record of `n` words between header and trailer. False: there is no
 * ring, or no room, which is counted.
 */
bool pmu_output_words(struct pmu_event *e, uint32_t type, uint16_t misc, const uint64_t *words,
		      size_t n);

/*
 * pmu_output_aux() - reports `size` bytes of AUX data from `offset` on; `flags` are PERF_AUX_FLAG_
 * bits. False: nothing is counted, because it can be reported later.
 * pmu_output_itrace_start() - an instruction trace is of this task from here on.
 */
bool pmu_output_aux(struct pmu_event *e, uint64_t offset, uint64_t size, uint64_t flags);
bool pmu_output_itrace_start(struct pmu_event *e, uint32_t pid, uint32_t tid);

/*
 * pmu_output_throttle() - the event does not sample from here on or, with `throttled` false,
 * samples again.
 */
bool pmu_output_throttle(struct pmu_event *e, bool throttled);

/* pmu_output_read() - writes the values of `e` from pmu_sum_up(), for `task`. */
bool pmu_output_read(struct pmu_event *e, const struct pmu_task *task);

/*
 * record_sideband.c:
 * pmu_output_fork() - `task` exists, and will inherit from `parent`.
 * pmu_output_exit_within() - pmu_output_exit(), within an operation.
 * pmu_output_switch() - `task` runs from now on in place of `other` or, with
 * PERF_RECORD_MISC_SWITCH_OUT in `misc`, `other` in its place. NULL: the runtime. On the CPU of the
 * switch, paused.
 */
void pmu_output_fork(const struct pmu_task *task, const struct pmu_task *parent);
void pmu_output_exit_within(const struct pmu_task *task);
void pmu_output_switch(const struct pmu_task *task, const struct pmu_task *other, uint16_t misc);

/* pmu_trailer_size() - the trailer's bytes for `attr`; 0 without sample_id_all. */
uint16_t pmu_trailer_size(const struct perf_event_attr *attr);

#endif
