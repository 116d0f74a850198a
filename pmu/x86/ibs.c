// SPDX-License-Identifier: BSD-2-Clause
/*
 * ibs.c - see ibs.h. A unit's control register holds the period (its maximum, in units of 16) and
 * the count. At the maximum the unit tags the next instruction or op, fills its registers and sets
 * Val. It then stops until the register is written again. So there is no deadline to reload it, and
 * a sample that was not served yet can be neither lost nor overwritten.
 *
 * Units do not distinguish rings. A sample of a ring that the event excludes is dropped and is no
 * overflow; but the count and the periods include that ring.
 */
#include "pmu/core/overflow.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "lib/percpu.h"
#include "lib/bits.h"
#include "pmu/driver/modelled.h"
#include "pmu/names/dynamic.h"
#include "lib/reason.h"
#include "pmu/x86/ibs_data.h"
#include "pmu/core/open.h"
#include "pmu/core/rate.h"

#include <linux/errno.h>

#define UNIT 16 /* of periods */

enum { FETCH, OP, UNITS };

struct unit {
	const char *name;
	uint32_t ctl; /* number of the MSR */
	uint32_t cap; /* bit of CPUID 8000_001B EAX: the unit exists */
	uint64_t enable, valid;
	uint64_t least, most; /* bounds of one period */
	uint64_t config;      /* bits of attr.config that go into the control register */
};

static const struct unit units[UNITS] = {
	[FETCH] = {"ibs_fetch", MSR_AMD_IBS_FETCH_CTL, IBS_CAP_FETCH, IBS_FETCH_EN, IBS_FETCH_VAL,
		   UNIT, 0xffff * UNIT, IBS_FETCH_RAND_EN},
	[OP] = {"ibs_op", MSR_AMD_IBS_OP_CTL, IBS_CAP_OP, IBS_OP_EN, IBS_OP_VAL, 9 * UNIT,
		0xffff * UNIT, 0},
};

static PERCPU struct {
	uint32_t caps;
	bool ready;       /* the interrupt is set up */
	const char *lack; /* the reason, where `ready` is false */
	bool sources;     /* samples have the source of the data */
	struct {
		struct pmu_event *event; /* the active event; NULL: none */
		uint64_t max;            /* the period in the control register */
		uint64_t most;
		uint64_t config; /* bits that events may set on this CPU */
	} unit[UNITS];
} ibs;

/* --- The control registers --- */

#define OP_MAX_HIGH    0x7f00000ull /* bits 26:20 are at their place in the count */
#define OP_COUNT_SHIFT 32
#define OP_COUNT_BITS  0x7ffffffull
#define FETCH_SHIFT    16
#define FETCH_BITS     0xffffull

static uint64_t max_field(unsigned u, uint64_t max)
{
	const uint64_t low = max / UNIT & 0xffff;

	return u == OP ? low | (max & OP_MAX_HIGH) : low;
}

static uint64_t ibs_count_of(unsigned u, uint64_t ctl)
{
	if (ctl & units[u].valid)
		return ibs.unit[u].max;
	if (u == OP)
		return ctl >> OP_COUNT_SHIFT & OP_COUNT_BITS;
	return (ctl >> FETCH_SHIFT & FETCH_BITS) * UNIT;
}

/* QUIRK_IBS_FETCH_RESTART: a write clears the count only while the unit is disabled. */
static void start_unit(unsigned u, uint64_t control)
{
	if (u == FETCH && has_quirk(pmu.caps, QUIRK_IBS_FETCH_RESTART))
		wrmsr(units[u].ctl, control);
	wrmsr(units[u].ctl, control | units[u].enable);
}

/* QUIRK_IBS_CLEAR_MAXIMUM: a unit that is disabled with its maximum may raise an interrupt. */
static void stop_unit(unsigned u)
{
	if (has_quirk(pmu.caps, QUIRK_IBS_CLEAR_MAXIMUM))
		wrmsr(units[u].ctl, units[u].enable);
	wrmsr(units[u].ctl, 0);
}

/* Starts the unit on the rest of the period, with a count of 0. */
static void run_ibs(unsigned u)
{
	const struct pmu_event *e = ibs.unit[u].event;
	uint64_t max = e->left > 0 ? (uint64_t)e->left / UNIT * UNIT : 0;

	if (max < units[u].least)
		max = units[u].least;
	if (max > ibs.unit[u].most)
		max = ibs.unit[u].most;
	ibs.unit[u].max = max;
	start_unit(u, max_field(u, max) | e->config);
}

/* --- Samples --- */

/*
 * The ring of an address: the tagged instruction may be of another ring than the code that the NMI
 * interrupted.
 */
static bool is_ip_in_ring_3(uint64_t ip, const struct pmu_regs *regs)
{
	return pmu.host->watchable ? pmu.host->watchable(ip, 1) : regs->user;
}

static struct pmu_regs ibs_regs(const struct ibs_sample *s, const struct pmu_regs *regs)
{
	struct pmu_regs at = *regs;

	if (s->exact) {
		at.ip = s->ip;
		at.user = is_ip_in_ring_3(s->ip, regs);
	}
	return at;
}

/* Not inlined: its frame is no part of the NMI handler's when there is no sample. */
static __attribute__((noinline)) void sample_ibs(unsigned u, struct pmu_event *e, uint64_t ctl,
						 const struct pmu_regs *regs)
{
	struct ibs_sample s;
	struct pmu_regs at;

	if (u == OP)
		ibs_read_op(&s, ctl, pmu.caps);
	else
		ibs_read_fetch(&s, ctl, pmu.caps);
	if (s.lost)
		return;
	if (!ibs.sources)
		s.data.fields &= ~(PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC);
	if (e->config & IBS_OP_SLOW_ONLY && s.data.weight.var1_dw <= e->attr.config1)
		return;
	at = ibs_regs(&s, regs);
	if (at.user ? e->attr.exclude_user : e->attr.exclude_kernel)
		return;
	pmu_overflow(e, &at, &s.data);
}

/* The rest of a period may be less than a unit: the next period includes it. */
static void serve_ibs(unsigned u, uint64_t ctl, const struct pmu_regs *regs)
{
	struct pmu_event *e = ibs.unit[u].event;
	const uint64_t n = ibs_count_of(u, ctl);

	local_add(&e->count, n);
	e->left -= (int64_t)n;
	if (!(ctl & units[u].valid) || e->left >= UNIT)
		return;
	pmu_next_period(e);
	sample_ibs(u, e, ctl, regs);
}

static bool ibs_nmi(const struct pmu_regs *regs)
{
	bool any = false;

	for (unsigned left = pmu.ibs_active; left; left &= left - 1) {
		const unsigned u = bits_first(left);
		const uint64_t ctl = rdmsr(units[u].ctl);

		if (!(ctl & units[u].valid) || !(ctl & units[u].enable))
			continue;
		any = true;
		serve_ibs(u, ctl, regs);
		if (pmu_limit_hit(ibs.unit[u].event))
			stop_unit(u);
		else
			run_ibs(u);
	}
	return any;
}

static bool ibs_pause(const struct pmu_regs *regs)
{
	bool any = false;

	for (unsigned left = pmu.ibs_active; left; left &= left - 1) {
		const unsigned u = bits_first(left);
		const uint64_t ctl = rdmsr(units[u].ctl);

		stop_unit(u);
		if (!(ctl & units[u].enable))
			continue;
		any |= ctl & units[u].valid;
		serve_ibs(u, ctl, regs);
	}
	return any;
}

static void ibs_resume(void)
{
	for (unsigned left = pmu.ibs_active; left; left &= left - 1)
		run_ibs(bits_first(left));
}

/* --- The events --- */

static const struct pmu_class classes[UNITS];

static unsigned unit_of_event(const struct pmu_event *e)
{
	return (unsigned)(e->class - classes);
}

static void start_ibs(struct pmu_event *e)
{
	const unsigned u = unit_of_event(e);

	ibs.unit[u].event = e;
	pmu.ibs_active |= 1u << u;
}

static void stop_ibs(struct pmu_event *e)
{
	const unsigned u = unit_of_event(e);

	ibs.unit[u].event = NULL;
	pmu.ibs_active &= ~(1u << u);
}

static void update_ibs(struct pmu_event *e)
{
	(void)e; /* the pause brought the count up to date */
}

static uint64_t ibs_event_count(const struct pmu_event *e)
{
	const unsigned u = unit_of_event(e);
	uint64_t before, now;

	/* An NMI that served a sample in between changed the count: read again. */
	do {
		before = local_load(&e->count);
		now = before;
		if (ibs.unit[u].event == e)
			now += ibs_count_of(u, rdmsr(units[u].ctl));
	} while (local_load(&e->count) != before);
	return now;
}

#define IBS_CLASS(f)                                                                       \
	{                                                                                  \
		.fields = (f), .start = start_ibs, .stop = stop_ibs, .update = update_ibs, \
		.count = ibs_event_count                                                   \
	}

static const struct pmu_class classes[UNITS] = {
	[FETCH] = IBS_CLASS(IBS_FETCH_FIELDS),
	[OP] = IBS_CLASS(IBS_OP_FIELDS),
};

static int check_ibs_unit(const struct pmu_event *e, unsigned u, struct reason *why)
{
	if (!(ibs.caps & units[u].cap))
		return refuse(why, ENOENT, "this CPU has no %s%s", units[u].name,
			      cpuid_kvm_reason());
	if (!ibs.ready)
		return refuse(why, EOPNOTSUPP, "%s: %s", units[u].name, ibs.lack);
	if (pmu_open_beside(e, &classes[u]))
		return refuse(why, EBUSY, "%s is one, and another event has it", units[u].name);
	return 0;
}

/*
 * attr.config1: only loads that miss L1 and take longer than this many cycles. The CPU compares in
 * steps of 128; the exact limit is checked when the sample is taken.
 */
#define SLOW_LEAST IBS_OP_SLOW_UNIT
#define SLOW_MOST  ((IBS_OP_SLOW_BITS + 1) * IBS_OP_SLOW_UNIT)

static uint64_t filter_of_latency(uint64_t cycles)
{
	if (!cycles)
		return 0;
	return IBS_OP_SLOW_ONLY | (cycles / IBS_OP_SLOW_UNIT - 1) << IBS_OP_SLOW_SHIFT |
	       (has_quirk(pmu.caps, QUIRK_IBS_SLOW_L3_ONLY) ? IBS_OP_L3_MISS_ONLY : 0);
}

static int check_latency(uint64_t cycles, struct reason *why)
{
	if (!cycles)
		return 0;
	if (!(ibs.caps & IBS_CAP_SLOW_ONLY))
		return refuse(why, EOPNOTSUPP,
			      "ibs_op: this CPU knows no ldlat, as AMD's do from Zen 5 on");
	if (!ibs.sources)
		return refuse(why, EOPNOTSUPP,
			      "ibs_op: vpmu knows latencies of loads where it models a core only "
			      "(--events model)");
	if (cycles < SLOW_LEAST || cycles > SLOW_MOST)
		return refuse(why, EINVAL, "ibs_op: ldlat is %d cycles to %llu", SLOW_LEAST,
			      SLOW_MOST);
	return 0;
}

static int check_attr(const struct perf_event_attr *attr, unsigned u, struct reason *why)
{
	const uint64_t unknown = attr->config & ~ibs.unit[u].config;

	if (unknown)
		return refuse(why, EINVAL, "%s: config has bits 0x%llx, which mean nothing here",
			      units[u].name, (unsigned long long)unknown);
	if ((u != OP && attr->config1) || attr->config2)
		return refuse(why, EINVAL, "%s: config1 and config2 have no meaning",
			      units[u].name);
	return check_latency(attr->config1, why);
}

static int check_period(const struct perf_event_attr *attr, unsigned u, struct reason *why)
{
	if (!attr->sample_period)
		return refuse(why, EINVAL, "%s samples, and does not count: it takes a period",
			      units[u].name);
	if (attr->freq)
		return 0;
	if (attr->sample_period % UNIT)
		return refuse(why, EINVAL, "%s: a period is a multiple of %d", units[u].name, UNIT);
	if (attr->sample_period < units[u].least)
		return refuse(why, EINVAL, "%s: a period is %llu at least", units[u].name,
			      (unsigned long long)units[u].least);
	return 0;
}

/* Gives `e` the unit, which exists and is free. */
static int take_ibs_unit(struct pmu_event *e, unsigned u, uint64_t config, struct reason *why)
{
	int err = check_period(&e->attr, u, why);

	if (err)
		return err;
	if (e->attr.exclude_host)
		return refuse(why, EINVAL, "%s samples the host, and there are no guests",
			      units[u].name);
	e->class = &classes[u];
	e->config = config;
	return 0;
}

static int make_ibs_event(struct pmu_event *e, struct reason *why)
{
	const unsigned u = e->attr.type == PMU_TYPE_IBS_FETCH ? FETCH : OP;
	int err = check_ibs_unit(e, u, why);

	if (!err)
		err = check_attr(&e->attr, u, why);
	if (err)
		return err;
	return take_ibs_unit(e, u, e->attr.config | filter_of_latency(e->attr.config1), why);
}

#define SELECT_CYCLES 0x76
#define SELECT_OPS    0xc1
#define PRECISE_MOST  2

/* Turns an event of the core PMU into one of IBS: only these two events can select ops. */
static int take_core_event_over(struct pmu_event *e, uint64_t select, struct reason *why)
{
	int err;

	if (e->attr.precise_ip > PRECISE_MOST)
		return refuse(why, EOPNOTSUPP,
			      "precise_ip is %d at most: Instruction-Based Sampling tags an op "
			      "that comes at the end of a period, whatever it is",
			      PRECISE_MOST);
	if (select != SELECT_CYCLES && select != SELECT_OPS)
		return refuse(why, EOPNOTSUPP,
			      "only cycles (r076) and ops (r0c1) can be precise, by "
			      "Instruction-Based Sampling; this event cannot");
	err = check_ibs_unit(e, OP, why);
	return err ? err : take_ibs_unit(e, OP, select == SELECT_OPS ? IBS_OP_COUNTS_OPS : 0, why);
}

/* --- Start-up --- */

static void find_extras(void)
{
	for (unsigned u = 0; u < UNITS; u++) {
		ibs.unit[u].most = units[u].most;
		ibs.unit[u].config = units[u].config;
	}
	if (ibs.caps & IBS_CAP_OP_COUNT_EXTENDED)
		ibs.unit[OP].most |= OP_MAX_HIGH;
	if (ibs.caps & IBS_CAP_OPS)
		ibs.unit[OP].config |= IBS_OP_COUNTS_OPS;
	if (ibs.caps & IBS_CAP_ZEN4) {
		ibs.unit[OP].config |= IBS_OP_L3_MISS_ONLY;
		ibs.unit[FETCH].config |= IBS_FETCH_L3_MISS_ONLY;
	}
}

/* The firmware chooses the extended interrupt; perf0 makes it an NMI. */
static const char *set_up_interrupt(void)
{
	uint64_t control;

	if (!pmu.host->extended_nmi)
		return "nobody sets up its interrupt";
	if (!rdmsr_safe(MSR_AMD_IBS_CONTROL, &control) || !pmu_has_msr(MSR_AMD_IBS_OP_CTL))
		return "CPUID shows it, but its registers cannot be read";
	if (!(control & IBS_CONTROL_LVT_VALID))
		return "the firmware gave it no interrupt";
	if (!pmu.host->extended_nmi((unsigned)(control & IBS_CONTROL_LVT)))
		return "the firmware gave it an interrupt that the local APIC does not have";
	return NULL;
}

static void distrust_ibs(const char *lack)
{
	ibs.lack = lack;
	ibs.ready = false;
}

static const struct pmu_unit ibs_unit = {
	.nmi = ibs_nmi,
	.pause = ibs_pause,
	.resume = ibs_resume,
	.take_over = take_core_event_over,
	.distrust = distrust_ibs,
};

static void ibs_start_up(void)
{
	ibs.caps = pmu.caps->ibs_caps & IBS_CAP_VALID ? pmu.caps->ibs_caps : 0;
	pmu.ibs_active = 0;
	pmu.unit = &ibs_unit;
	if (!ibs.caps)
		return;
	find_extras();
	ibs.sources = pmu_modelled_sources();
	ibs.lack = set_up_interrupt();
	ibs.ready = !ibs.lack;
	for (unsigned u = 0; ibs.ready && u < UNITS; u++)
		if (ibs.caps & units[u].cap)
			wrmsr_safe(units[u].ctl, 0);
}

static const struct pmu_kind ibs_kind = {
	.first = PMU_TYPE_IBS_FETCH,
	.last = PMU_TYPE_IBS_OP,
	.init = make_ibs_event,
	.start_up = ibs_start_up,
};

PMU_KIND(ibs_kind);
