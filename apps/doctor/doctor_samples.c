// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_samples.c - smoke tests of precise samples, branch records and traces: their addresses are
 * those of a loop that runs meanwhile. SDM vol. 3, "Processor Event Based Sampling", "Last Branch
 * Records", "Intel Processor Trace"; APM vol. 2, "Instruction-Based Sampling", "Last Branch Stack".
 */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "pmu/names/dynamic.h"
#include "pmu/state/state.h"
#include "pmu/x86/ibs_data.h"
#include "rb/rb.h"

#define TURNS      16000
#define PERIOD     1600
#define ENOUGH     8 /* samples; with fewer a longer run follows: a loop may need few fetches */
#define LONGER     8 /* times */
#define RING_PAGES 8
#define OUTSIDE    2                        /* samples of the code that starts and stops counting */
#define MOST       (4 * 2 * TURNS / PERIOD) /* a loop of two instructions; IBS counts fetches, too */

static uint8_t storage[RB_PAGE_SIZE * (1 + RING_PAGES)] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb ring;

struct branch_stack {
	uint64_t n;
	struct perf_branch_entry entry[];
};

/* The samples of a loop. */
struct found {
	unsigned samples, inside; /* samples; those in the loop's code */
	unsigned records, good;   /* branch records in these; those of the loop's branch */
};

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	struct branch_stack stack;
};

static void note_records(struct found *f, const struct sample *s, uint64_t first, uint64_t end)
{
	const size_t room = (s->header.size - sizeof(*s)) / sizeof(s->stack.entry[0]);

	for (uint64_t i = 0; i < s->stack.n && i < room; i++) {
		const struct perf_branch_entry *b = &s->stack.entry[i];

		f->records++;
		f->good += b->from >= first && b->from < end && b->to >= first && b->to < end;
	}
}

static void note_sample(struct found *f, const struct sample *s, bool stacks, uint64_t first,
			uint64_t end)
{
	const bool inside = s->ip >= first && s->ip < end;

	f->samples++;
	f->inside += inside;
	if (stacks && inside)
		note_records(f, s, first, end);
}

static void read_samples(struct found *f, bool stacks, uint64_t first, uint64_t end)
{
	static uint64_t out[RB_PAGE_SIZE * RING_PAGES / sizeof(uint64_t)];
	const size_t n = rb_read(&ring, out, sizeof(out));

	for (size_t at = 0; at + sizeof(struct perf_event_header) <= n;) {
		const struct sample *s = (const void *)((const uint8_t *)out + at);

		if (s->header.type == PERF_RECORD_SAMPLE)
			note_sample(f, s, stacks, first, end);
		at += s->header.size;
	}
}

/* Samples `kernel` by `attr`; false: the verdict says why that is not possible. */
static bool sample_kernel(const struct doctor *d, struct doctor_verdict *v,
			  struct perf_event_attr *attr, enum doctor_kernel kernel, uint64_t turns)
{
	struct pmu_event *e = &doctor_events[0];
	struct reason why;

	attr->sample_period = PERIOD;
	attr->sample_type |= PERF_SAMPLE_IP;
	if (rb_init(&ring, storage, RING_PAGES) ||
	    pmu_event_open(e, attr, -1, (int)pmu.number, NULL, 0, &why)) {
		doctor_absent(v, "%s", why.text);
		return false;
	}
	pmu_event_set_output(e, &ring);
	pmu_event_refresh(e, MOST);
	d->host->run(kernel, turns);
	pmu_event_disable(e);
	pmu_event_close(e);
	return true;
}

static bool sample_loop(const struct doctor *d, struct doctor_verdict *v,
			struct perf_event_attr *attr, struct found *f)
{
	uint64_t first, end;

	for (uint64_t turns = TURNS; turns <= TURNS * LONGER; turns *= LONGER) {
		*f = (struct found){0};
		if (!sample_kernel(d, v, attr, DOCTOR_LOOP, turns))
			return false;
		d->host->code(DOCTOR_LOOP, &first, &end);
		read_samples(f, attr->sample_type & PERF_SAMPLE_BRANCH_STACK, first, end);
		if (f->samples >= ENOUGH)
			break;
	}
	v->has_figures = true;
	v->measured = f->inside;
	v->expected = f->samples;
	return true;
}

static void judge_addresses(struct doctor_verdict *v, const struct found *f)
{
	if (!f->samples)
		doctor_wrong(v, "no sample");
	else if (f->samples >= MOST)
		doctor_wrong(v, "%u samples, and stopped: they come before their period is over",
			     f->samples);
	else if (f->inside + OUTSIDE < f->samples || !f->inside)
		doctor_wrong(v, "%u of %u samples have another address than the loop's",
			     f->samples - f->inside, f->samples);
	else
		doctor_right(v, "%u samples, %u in the loop", f->samples, f->inside);
}

static void check_pebs(const struct doctor *d, struct doctor_verdict *v)
{
	struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct found f;

	attr.precise_ip = pmu.info.max_precise > 1 ? 2 : 1;
	if (sample_loop(d, v, &attr, &f))
		judge_addresses(v, &f);
}

static struct perf_event_attr attr_of_ops(const struct doctor *d)
{
	return doctor_attr(PMU_TYPE_IBS_OP,
			   d->caps->ibs_caps & IBS_CAP_OPS ? IBS_OP_COUNTS_OPS : 0);
}

static void check_ibs(const struct doctor *d, struct doctor_verdict *v, struct perf_event_attr attr)
{
	struct found f;

	if (sample_loop(d, v, &attr, &f))
		judge_addresses(v, &f);
}

static void check_ibs_fetch(const struct doctor *d, struct doctor_verdict *v)
{
	check_ibs(d, v, doctor_attr(PMU_TYPE_IBS_FETCH, 0));
}

static void check_ibs_op(const struct doctor *d, struct doctor_verdict *v)
{
	check_ibs(d, v, attr_of_ops(d));
}

/* --- What IBS tells about loads --- */

struct sourced {
	struct perf_event_header header;
	uint64_t ip;
	union perf_mem_data_src source;
};

/* The loads among the samples, and how many of them came from one level. */
struct levels {
	unsigned loads, known, l1, l2;
};

static void note_level(struct levels *found, const union perf_mem_data_src *source)
{
	if (source->mem_op != PERF_MEM_OP_LOAD)
		return;
	found->loads++;
	found->known += source->mem_lvl_num != PERF_MEM_LVLNUM_NA;
	found->l1 += source->mem_lvl_num == PERF_MEM_LVLNUM_L1;
	found->l2 += source->mem_lvl_num == PERF_MEM_LVLNUM_L2;
}

static void read_levels(struct levels *found)
{
	static uint64_t out[RB_PAGE_SIZE * RING_PAGES / sizeof(uint64_t)];
	const size_t n = rb_read(&ring, out, sizeof(out));

	for (size_t at = 0; at + sizeof(struct perf_event_header) <= n;) {
		const struct sourced *s = (const void *)((const uint8_t *)out + at);

		if (s->header.type == PERF_RECORD_SAMPLE)
			note_level(found, &s->source);
		at += s->header.size;
	}
}

static bool sample_levels(const struct doctor *d, struct doctor_verdict *v,
			  enum doctor_kernel kernel, struct levels *found)
{
	struct perf_event_attr attr = attr_of_ops(d);

	*found = (struct levels){0};
	attr.sample_type = PERF_SAMPLE_DATA_SRC;
	if (!sample_kernel(d, v, &attr, kernel, TURNS))
		return false;
	read_levels(found);
	return true;
}

/* A prefetcher, or another access, may be behind a few loads. */
#define FEW(n) ((n) / 4)

/*
 * Loads of one line hit L1. No core's cache has the lines of the pairs, so neither load of a pair
 * hits L2: the first misses it, and the second waits for the first, or hits L1.
 */
static void check_ibs_source(const struct doctor *d, struct doctor_verdict *v)
{
	struct levels near, far;

	if (!sample_levels(d, v, DOCTOR_LOADS, &near) || !sample_levels(d, v, DOCTOR_PAIRS, &far))
		return;
	if (!near.known || !far.loads) {
		doctor_absent(v, "no sample tells where the data of a load came from");
		return;
	}
	v->has_figures = true;
	v->measured = far.l2;
	if (near.loads - near.l1 > FEW(near.loads))
		doctor_wrong(v, "%u of %u loads of one line have another source than L1",
			     near.loads - near.l1, near.loads);
	else if (far.l2 > FEW(far.loads))
		doctor_wrong(v, "%u of %u loads of lines that L2 does not have hit L2", far.l2,
			     far.loads);
	else
		doctor_right(v, "%u of %u loads hit L1; of %u far ones %u hit L2, %u L1", near.l1,
			     near.loads, far.loads, far.l2, far.l1);
}

/* Loads that hit L1 are never slow: the unit does not interrupt for them. */
static void check_ibs_slow(const struct doctor *d, struct doctor_verdict *v)
{
	struct perf_event_attr attr = attr_of_ops(d);
	const uint64_t before = pmu_stats()->nmis;

	if (!(d->caps->ibs_caps & IBS_CAP_SLOW_ONLY)) {
		doctor_absent(v, "this CPU has no such filter, as AMD's have from Zen 5 on");
		return;
	}
	attr.config1 = IBS_OP_SLOW_UNIT;
	if (!sample_kernel(d, v, &attr, DOCTOR_LOADS, TURNS))
		return;
	v->has_figures = true;
	v->measured = pmu_stats()->nmis - before;
	if (v->measured > OUTSIDE)
		doctor_wrong(v, "%llu interrupts for loads that hit L1",
			     (unsigned long long)v->measured);
	else
		doctor_right(v, "%llu interrupts for loads that hit L1",
			     (unsigned long long)v->measured);
}

static void check_lbr(const struct doctor *d, struct doctor_verdict *v)
{
	struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct found f;

	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	/* All rings: nothing is filtered, so each record of the CPU is seen. */
	attr.branch_sample_type =
		PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	if (!sample_loop(d, v, &attr, &f))
		return;
	v->measured = f.good;
	v->expected = f.records;
	if (!f.records)
		doctor_wrong(v, "no records of branches in %u samples", f.samples);
	else if (f.records - f.good > f.records / 4)
		doctor_wrong(v, "%u of %u records are not of the loop's branch", f.records - f.good,
			     f.records);
	else
		doctor_right(v, "%u of %u records are of the loop's branch", f.good, f.records);
}

/* --- Processor Trace --- */

#define TRACE_BYTES    RB_PAGE_SIZE
#define PT_ECX_TOPA    (1u << 0)
#define PT_ECX_SINGLE  (1u << 2)
#define PT_STOP_CTL    0
#define PT_PSB_BYTES_2 16 /* 02 82, eight times */
#define PT_MASK_LOW    0x7full
#define PT_TOPA_END    (1ull << 0)

static bool has_psb(const uint8_t *trace, size_t n)
{
	static const uint8_t psb[PT_PSB_BYTES_2] = {2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
						    2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82};

	for (size_t i = 0; i + sizeof(psb) <= n; i++)
		if (!memcmp(trace + i, psb, sizeof(psb)))
			return true;
	return false;
}

/* One region of memory; with tables of regions only, a table of it and the table itself. */
static bool set_trace_output(const struct doctor *d, uint64_t memory, uint64_t table_at,
			     uint64_t *table, uint64_t *control)
{
	const bool single = d->caps->pt_ecx & PT_ECX_SINGLE;

	*control = RTIT_TRACE_EN | RTIT_OS | RTIT_BRANCH_EN | RTIT_DIS_RETC;
	if (!single) {
		table[0] = memory;
		table[1] = table_at | PT_TOPA_END;
		*control |= RTIT_TOPA;
	}
	return wrmsr_safe(MSR_IA32_RTIT_CTL, PT_STOP_CTL) && wrmsr_safe(MSR_IA32_RTIT_STATUS, 0) &&
	       wrmsr_safe(MSR_IA32_RTIT_OUTPUT_BASE, single ? memory : table_at) &&
	       wrmsr_safe(MSR_IA32_RTIT_OUTPUT_MASK_PTRS,
			  single ? (TRACE_BYTES - 1) | PT_MASK_LOW : PT_MASK_LOW);
}

static void check_pt(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t control, status = 0, position = 0, memory, table_at;
	uint8_t *trace = d->host->trace_page ? d->host->trace_page(0, &memory) : NULL;
	uint64_t *table = trace ? d->host->trace_page(1, &table_at) : NULL;

	if (!d->caps->pt || !table) {
		doctor_absent(v, "CPUID shows no Processor Trace");
		return;
	}
	memset(trace, 0, TRACE_BYTES);
	if (!set_trace_output(d, memory, table_at, table, &control)) {
		doctor_wrong(v, "CPUID shows it, and its registers fault");
		return;
	}
	wrmsr_safe(MSR_IA32_RTIT_CTL, control);
	d->host->run(DOCTOR_LOOP, PERIOD);
	wrmsr_safe(MSR_IA32_RTIT_CTL, control & ~RTIT_TRACE_EN);
	rdmsr_safe(MSR_IA32_RTIT_STATUS, &status);
	rdmsr_safe(MSR_IA32_RTIT_OUTPUT_MASK_PTRS, &position);
	wrmsr_safe(MSR_IA32_RTIT_CTL, PT_STOP_CTL);
	position >>= 32;
	v->has_figures = true;
	v->measured = position;
	if (status & RTIT_STATUS_ERROR)
		doctor_wrong(v, "the trace ended with an error (status 0x%llx)",
			     (unsigned long long)status);
	else if (!has_psb(trace, TRACE_BYTES))
		doctor_wrong(v, "the trace of a loop has no PSB in %llu bytes",
			     (unsigned long long)position);
	else
		doctor_right(v, "a loop of %d branches has %llu bytes", PERIOD,
			     (unsigned long long)position);
}

const struct doctor_check doctor_sample_checks[] = {
	{"pebs", DOCTOR_SAMPLES, DOCTOR_NEEDS_INTEL, PMU_FEATURE_PEBS, "addresses of PEBS records",
	 check_pebs, false},
	{"ibs-fetch", DOCTOR_SAMPLES, DOCTOR_NEEDS_AMD, PMU_FEATURE_IBS,
	 "addresses of sampled fetches", check_ibs_fetch, false},
	{"ibs-op", DOCTOR_SAMPLES, DOCTOR_NEEDS_AMD, PMU_FEATURE_IBS, "addresses of sampled ops",
	 check_ibs_op, false},
	{"ibs-source", DOCTOR_SAMPLES, DOCTOR_NEEDS_AMD, PMU_FEATURE_NONE,
	 "caches that sampled loads hit", check_ibs_source, false},
	{"ibs-slow", DOCTOR_SAMPLES, DOCTOR_NEEDS_AMD, PMU_FEATURE_NONE,
	 "filter of sampled loads by their latency", check_ibs_slow, false},
	{"lbr", DOCTOR_SAMPLES, DOCTOR_NEEDS_PMU, PMU_FEATURE_LBR, "records of last branches",
	 check_lbr, false},
	{"pt", DOCTOR_SAMPLES, DOCTOR_NEEDS_INTEL, PMU_FEATURE_NONE, "packets of Processor Trace",
	 check_pt, false},
};
const size_t doctor_nsample_checks = sizeof(doctor_sample_checks) / sizeof(doctor_sample_checks[0]);
