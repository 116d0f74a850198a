// SPDX-License-Identifier: BSD-2-Clause
/* sample.c - PERF_RECORD_SAMPLE. */
#include "pmu/output.h"

#include "pmu/bits.h"

/* Fields of one word each. */
#define SAMPLE_FIELDS                                                                   \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

void pmu_output_init(struct pmu_event *e)
{
	uint64_t type = e->attr.sample_type;

	e->sample_size = (uint16_t)(PMU_WORD * (1 + bits_count(type & SAMPLE_FIELDS)));
	e->trailer_size = pmu_trailer_size(&e->attr);
}

bool pmu_output_fits(const struct pmu_event *e, const struct rb *rb)
{
	return !rb || e->sample_size <= rb->mask + 1;
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

static void put_sample(struct rb_writer *w, const struct pmu_event *e, const struct pmu_regs *regs)
{
	const struct pmu_regs at = attribute(e, regs);
	uint64_t type = e->attr.sample_type;

	pmu_put_header(w, PERF_RECORD_SAMPLE,
		       at.user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL, e->sample_size);
	if (type & PERF_SAMPLE_IDENTIFIER)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_IP)
		rb_put(w, at.ip);
	if (type & PERF_SAMPLE_TID)
		rb_put(w, pmu_current_task());
	if (type & PERF_SAMPLE_TIME)
		rb_put(w, pmu_now());
	if (type & PERF_SAMPLE_ID)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rb_put(w, e->stream_id);
	if (type & PERF_SAMPLE_CPU)
		rb_put(w, pmu_current_cpu());
	if (type & PERF_SAMPLE_PERIOD)
		rb_put(w, e->last_period);
}

enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs,
				   const struct pmu_sample_data *data)
{
	struct rb_writer w;

	(void)data;
	if (!e->rb)
		return PMU_REFUSED;
	if (!pmu_record_begin(&w, e, e->sample_size))
		return PMU_LOST;
	put_sample(&w, e, regs);
	rb_end(&w);
	return PMU_WRITTEN;
}
