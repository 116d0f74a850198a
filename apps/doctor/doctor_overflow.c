// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_overflow.c - checks of overflows: an NMI for each on each counter, none without one, and
 * its distance from the overflow in instructions. SDM vol. 3, "Interrupt on Overflow".
 */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/core/freeze.h"
#include "pmu/sched/explain.h"
#include "pmu/driver/modelled.h"
#include "pmu/state/state.h"

#define PERIOD 1000
#define TURNS  4000

/* An NMI that comes late comes before the next overflow, and before the end. */
#define NMI_PERIOD 8192
#define NMI_TURNS  (4 * NMI_PERIOD - NMI_PERIOD / 4)

#define IPS_MOST 8
static volatile uint64_t nmis;
static volatile uint64_t nmi_ip[IPS_MOST]; /* what the first NMIs interrupted */

static void note_overflow(struct pmu_event *e, const struct pmu_regs *regs)
{
	(void)e;
	if (nmis < IPS_MOST)
		nmi_ip[nmis] = regs->ip;
	nmis++;
}

static int open_sampling(unsigned counter, uint64_t period, struct reason *why)
{
	struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct pmu_event *e = &doctor_events[0];
	int err;

	attr.sample_period = period;
	nmis = 0;
	err = doctor_open(e, &attr, counter, false, why);
	if (!err)
		e->out.on_overflow = note_overflow;
	return err;
}

/* The overflows that the count has, and the NMIs that came. */
static bool is_counter_right(const struct doctor *d, unsigned counter, struct doctor_verdict *v)
{
	struct pmu_event *e = &doctor_events[0];
	char name[16];
	struct pmu_value value;
	struct reason why;

	if (open_sampling(counter, NMI_PERIOD, &why))
		return true;
	d->host->run(DOCTOR_LOOP, NMI_TURNS);
	pmu_event_disable(e);
	pmu_event_read(e, &value);
	pmu_event_close(e);
	v->has_figures = true;
	v->measured = nmis;
	v->expected = value.value / NMI_PERIOD;
	if (v->measured == v->expected && v->expected)
		return true;
	doctor_wrong(v, "%s: %llu NMIs for %llu overflows", pmu_counter_name(counter, name),
		     (unsigned long long)v->measured, (unsigned long long)v->expected);
	v->counters = 1ull << counter;
	return false;
}

static void check_nmi(const struct doctor *d, struct doctor_verdict *v)
{
	doctor_right(v, "one for each overflow");
	for (uint64_t left = pmu.hw.counters & (PMU_GENERAL_MASK | UARCH_FIXED(0)); left;
	     left &= left - 1)
		if (!is_counter_right(d, bits_first(left), v))
			return;
}

/* NMIs of the last checks without an overflow. */
static void check_extra_nmis(const struct doctor *d, struct doctor_verdict *v)
{
	const uint64_t before = pmu_stats()->spurious_nmis + pmu_stats()->late_nmis;
	const unsigned counter = bits_first(pmu.hw.counters);
	struct pmu_stats now;
	struct reason why;

	if (open_sampling(counter, NMI_PERIOD, &why)) {
		doctor_absent(v, "%s", why.text);
		return;
	}
	d->host->run(DOCTOR_LOOP, NMI_TURNS);
	pmu_event_close(&doctor_events[0]);
	now = *pmu_stats();
	doctor_compare(v, "NMIs without an overflow", now.spurious_nmis + now.late_nmis - before,
		       0);
	if (v->state == DOCTOR_WRONG)
		doctor_wrong(v, "%llu NMIs came without an overflow",
			     (unsigned long long)v->measured);
}

/* --- Skid --- */

#define SKID_RUNS  DOCTOR_SKIDS
#define SKID_START 64 /* instructions of the slide before the overflow of the first run */
#define SKID_MOST  1024
#define AFTER_READ 1 /* RDPMC itself counts, after it has read */
#define KINDS      2

static struct doctor_histogram histograms[KINDS];

/* The skid of one overflow; UINT64_MAX: no NMI came while the slide ran. */
static uint64_t measure_skid(const struct doctor *d, unsigned on, uint64_t period)
{
	const struct pmu_place *place;
	uint64_t first, counter, left;
	struct reason why;

	if (open_sampling(on, period, &why))
		return UINT64_MAX;
	place = doctor_events[0].place;
	counter = d->host->slide(place->rdpmc, &first);
	left = ((~counter & pmu.counter_mask) + 1) & pmu.counter_mask;
	pmu_event_close(&doctor_events[0]);
	for (unsigned i = 0; i < nmis && i < IPS_MOST; i++)
		if (nmi_ip[i] - first < DOCTOR_SLIDE_BYTES)
			return nmi_ip[i] - first + AFTER_READ - left;
	return UINT64_MAX;
}

/* Adds a skid to its row; rows stand in order. */
static void note_skid(struct doctor_histogram *h, uint64_t skid)
{
	unsigned i = 0;

	while (i < h->n && h->bin[i].skid < skid)
		i++;
	if (i == h->n || h->bin[i].skid != skid) {
		for (unsigned k = h->n++; k > i; k--)
			h->bin[k] = h->bin[k - 1];
		h->bin[i].skid = skid;
		h->bin[i].times = 0;
	}
	h->bin[i].times++;
}

static void measure_kind(const struct doctor *d, struct doctor_histogram *h, const char *kind,
			 unsigned counter)
{
	*h = (struct doctor_histogram){.kind = kind};
	for (unsigned i = 0; i < SKID_RUNS; i++) {
		const uint64_t skid = measure_skid(d, counter, PERIOD + SKID_START + i);

		if (skid == UINT64_MAX)
			h->unseen++;
		else
			note_skid(h, skid);
	}
}

/* Measures the first counter of each kind that has one; returns how many kinds. */
static unsigned measure_kinds(const struct doctor *d)
{
	static const struct {
		const char *name;
		uint64_t counters;
	} kinds[KINDS] = {{"general", PMU_GENERAL_MASK}, {"fixed", UARCH_FIXED(0)}};
	unsigned n = 0;

	for (unsigned i = 0; i < KINDS; i++) {
		const uint64_t there = pmu.hw.counters & kinds[i].counters &
				       ~(pmu_firmware().borrowed | doctor_taken());

		if (there)
			measure_kind(d, &histograms[n++], kinds[i].name, bits_first(there));
	}
	return n;
}

static void check_skid(const struct doctor *d, struct doctor_verdict *v)
{
	const unsigned n = measure_kinds(d);
	uint64_t least = UINT64_MAX, most = 0;
	unsigned unseen = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct doctor_histogram *h = &histograms[i];

		unseen += h->unseen;
		if (!h->n || h->bin[h->n - 1].skid > SKID_MOST) {
			doctor_wrong(v,
				     "an NMI comes more than %d instructions behind its overflow",
				     SKID_MOST);
			return;
		}
		least = h->bin[0].skid < least ? h->bin[0].skid : least;
		most = h->bin[h->n - 1].skid > most ? h->bin[h->n - 1].skid : most;
	}
	if (!n) {
		doctor_absent(v, "no counter is left");
		return;
	}
	v->has_figures = true;
	v->measured = most;
	v->expected = pmu_modelled_skid();
	v->histogram = histograms;
	v->nhistograms = n;
	doctor_right(v, "%llu to %llu instructions, %u of %u NMIs", (unsigned long long)least,
		     (unsigned long long)most, n * SKID_RUNS - unseen, n * SKID_RUNS);
}

/* --- Freezing --- */

static void check_freeze(const struct doctor *d, struct doctor_verdict *v)
{
	struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct pmu_event *e = &doctor_events[0];
	const enum pmu_freeze kind = pmu_freeze_kind();
	enum pmu_frozen frozen;
	struct reason why;
	uint64_t value;
	int err;

	if (kind == PMU_FREEZE_NMI) {
		doctor_absent(v, "this CPU does not stop its counters by itself");
		return;
	}
	if (doctor_open(e, &attr, DOCTOR_ANY, false, &why)) {
		doctor_absent(v, "%s", why.text);
		return;
	}
	pmu_freeze_begin(e, PERIOD, kind);
	pmu_freeze_start();
	d->host->run(DOCTOR_LOOP, TURNS);
	err = pmu_freeze_end(&e, 1, &value, &frozen);
	pmu_event_close(e);
	v->has_figures = !err;
	v->measured = err ? 0 : value;
	v->expected = PERIOD;
	if (err || frozen != PMU_FROZEN)
		doctor_wrong(v, "the counters ran on behind an overflow");
	else
		doctor_right(v, "stopped %llu instructions behind the overflow",
			     (unsigned long long)(value - PERIOD));
}

const struct doctor_check doctor_overflow_checks[] = {
	{"nmi", DOCTOR_OVERFLOW, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "NMIs and overflows of each counter", check_nmi, true},
	{"extra", DOCTOR_OVERFLOW, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE, "NMIs without an overflow",
	 check_extra_nmis, false},
	{"skid", DOCTOR_OVERFLOW, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "instructions from an overflow to its NMI", check_skid, false},
	{"freeze", DOCTOR_OVERFLOW, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "counters that stop at an overflow", check_freeze, false},
};
const size_t doctor_noverflow_checks =
	sizeof(doctor_overflow_checks) / sizeof(doctor_overflow_checks[0]);
