// SPDX-License-Identifier: BSD-2-Clause
/*
 * uncore.c - the counters outside the cores that have MSRs: AMD's data fabric and L3, and on
 * Intel's Skylake servers the caching agents and the UBOX with its clock. Each PMU is a row, with
 * perf's names. PPR of family 19h, "DF Performance Monitor Counters" and "L3 Cache Performance
 * Monitor Counters"; Intel, "Xeon Processor Scalable Memory Family Uncore Performance Monitoring
 * Reference Manual", "Cbo Performance Monitoring" and "UBox Performance Monitoring".
 *
 * An event has its counter from opening to closing: it is never multiplexed. The events of all CPUs
 * that share the box show which counters are taken.
 */
#include "pmu/names/dynamic.h"
#include "pmu/x86/meter.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/time.h"
#include "lib/bits.h"
#include "lib/reason.h"

#include <linux/errno.h>

#define ZEN_FAMILY   0x17
#define ZEN3_FAMILY  0x19
#define INTEL_FAMILY 6
#define SKX_MODEL    0x55

#define COUNTER_BITS 48
#define REFRESH_NS   (60 * NSEC_PER_SEC) /* 2^48 of the fastest events take some hours */

#define ENABLE (1ull << 22) /* in all these control registers */

/* The data fabric's event select: eight bits, and its other bits where the generation has them. */
#define DF_CONFIG_V2 0x0000003f0f00ffffull
#define DF_CONFIG    0x1800000f0000ffffull
#define L3_SELECT    0x000000000000ffffull

#define L3_SLICES     (0xfull << 48) /* before family 19h */
#define L3_THREADS    (0xffull << 56)
#define L3_19_CORE    (0x7ull << 42)
#define L3_19_SLICES  (1ull << 46) /* all slices */
#define L3_19_CORES   (1ull << 47)
#define L3_19_SLICE   (0x7ull << 48)
#define L3_19_THREADS (0x3ull << 56)
#define L3_19_WHERE   (L3_19_CORE | L3_19_SLICES | L3_19_CORES | L3_19_SLICE | L3_19_THREADS)

#define CHA_CONFIG  0x00000000ff8cffffull /* threshold, invert, tid_en, edge, umask, event */
#define UBOX_CONFIG 0x000000001f84ffffull
#define UBOX_CLOCK  0xff /* the event with a counter of its own */
#define CHA_RESET   0x3  /* resets controls and counters, in a unit's control register */

/* The counters of one box: the registers by number, `step` apart. */
struct box {
	uint32_t control, counter;
	uint8_t step, n;
	uint64_t config; /* bits of attr.config that have a meaning */
	uint32_t unit;   /* the box's control register; 0: none */
};

static bool has_amd(unsigned family)
{
	return pmu.caps->vendor == CPU_VENDOR_AMD && pmu.caps->family >= family;
}

static bool is_skx(void)
{
	return pmu.caps->vendor == CPU_VENDOR_INTEL && pmu.caps->family == INTEL_FAMILY &&
	       pmu.caps->model == SKX_MODEL;
}

/* --- The boxes --- */

#define DF_COUNTERS 4
#define L3_COUNTERS 6

static bool find_df(struct box *b)
{
	const bool v2 = pmu.caps->perfmon_v2;

	*b = (struct box){
		.control = MSR_AMD_DF_PERF_CTL0,
		.counter = MSR_AMD_DF_PERF_CTL0 + 1,
		.step = 2,
		.n = v2 ? pmu.caps->amd_nb : DF_COUNTERS,
		.config = v2 ? DF_CONFIG_V2 : DF_CONFIG,
	};
	return has_amd(ZEN_FAMILY) && pmu.caps->perfctr_nb;
}

static bool find_l3(struct box *b)
{
	*b = (struct box){
		.control = MSR_AMD_L3_PERF_CTL0,
		.counter = MSR_AMD_L3_PERF_CTL0 + 1,
		.step = 2,
		.n = L3_COUNTERS,
		.config = L3_SELECT | (has_amd(ZEN3_FAMILY) ? L3_19_WHERE : L3_SLICES | L3_THREADS),
	};
	return has_amd(ZEN_FAMILY) && pmu.caps->perfctr_llc;
}

/*
 * The number of agents depends on the part: an agent exists if its registers keep a value that is
 * written.
 */
static bool find_cha(struct box *b, unsigned index)
{
	const uint32_t base = MSR_SKX_CHA0 + MSR_SKX_CHA_STEP * index;

	*b = (struct box){
		.control = base + MSR_SKX_CHA_CTL0,
		.counter = base + MSR_SKX_CHA_CTR0,
		.step = 1,
		.n = 4,
		.config = CHA_CONFIG,
		.unit = base,
	};
	return is_skx();
}

static bool find_ubox(struct box *b)
{
	*b = (struct box){
		.control = MSR_SKX_U_CTL0,
		.counter = MSR_SKX_U_CTR0,
		.step = 1,
		.n = 2,
		.config = UBOX_CONFIG,
	};
	return is_skx();
}

static bool find_box(uint32_t type, struct box *b)
{
	switch (type) {
	case PMU_TYPE_AMD_DF:
		return find_df(b);
	case PMU_TYPE_AMD_L3:
		return find_l3(b);
	case PMU_TYPE_UNCORE_UBOX:
		return find_ubox(b);
	default:
		return find_cha(b, type - PMU_TYPE_UNCORE_CHA_0);
	}
}

/* --- Which counter --- */

static bool is_control_in_use(const struct pmu_context *context, uint32_t control)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			if (e->class == &pmu_meter_class && e->meter.control == control)
				return true;
	return false;
}

/* True: an event of any CPU that has the same box uses the counter. */
static bool in_use(const struct pmu_event *e, uint32_t control)
{
	const unsigned n = pmu.host->ncpus ? pmu.host->ncpus() : 1;

	for (unsigned cpu = 0; cpu < n; cpu++)
		if (pmu_cpus_share(e->attr.type, cpu, (unsigned)e->cpu) &&
		    is_control_in_use(&pmu_contexts[cpu], control))
			return true;
	return false;
}

static bool any_in_use(const struct pmu_event *e, const struct box *b)
{
	for (unsigned i = 0; i < b->n; i++)
		if (in_use(e, b->control + i * b->step))
			return true;
	return false;
}

/*
 * A register that exists keeps a value that is written to it. No event uses these registers now, so
 * the test may write them.
 */
static bool box_answers(const struct pmu_meter *m)
{
	uint64_t kept;
	bool ok = wrmsr_safe(m->control, ENABLE) && rdmsr_safe(m->control, &kept) &&
		  kept == ENABLE && pmu_has_msr(m->msr);

	wrmsr_safe(m->control, 0);
	return ok;
}

static int use_meter(struct pmu_event *e, const char *name, const struct pmu_meter *m,
		     struct reason *why)
{
	if (!box_answers(m))
		return refuse(why, ENOENT, "%s does not count on this machine", name);
	return pmu_meter_init(e, name, m, why);
}

/* SKX: only counter 0 of a caching agent counts RxC_OCCUPANCY and TOR_OCCUPANCY. */
static uint64_t box_counters(const struct pmu_event *e, const struct box *b)
{
	const uint64_t event = e->attr.config & 0xff;
	const bool cha = e->attr.type >= PMU_TYPE_UNCORE_CHA_0;

	return cha && (event == 0x11 || event == 0x36) ? 1 : bits_low(b->n);
}

static int no_counter(uint64_t allowed, const char *name, const struct box *b, struct reason *why)
{
	if (allowed == bits_low(b->n))
		return refuse(why, EBUSY, "%s has %u counters, and other events have them all",
			      name, b->n);
	return refuse(why, EBUSY,
		      "only counter 0 of %s can count this event, and another one has it", name);
}

static int use_free_counter(struct pmu_event *e, const char *name, const struct box *b,
			    struct reason *why)
{
	const uint64_t allowed = box_counters(e, b);
	struct pmu_meter meter = {.width = COUNTER_BITS, .refresh_ns = REFRESH_NS};

	for (uint64_t left = allowed; left; left &= left - 1) {
		const unsigned i = bits_first(left);

		meter.control = b->control + i * b->step;
		meter.msr = b->counter + i * b->step;
		if (in_use(e, meter.control))
			continue;
		return use_meter(e, name, &meter, why);
	}
	return no_counter(allowed, name, b, why);
}

static int take_clock(struct pmu_event *e, const char *name, struct reason *why)
{
	const struct pmu_meter meter = {
		.control = MSR_SKX_U_CLOCK_CTL,
		.msr = MSR_SKX_U_CLOCK,
		.width = COUNTER_BITS,
		.refresh_ns = REFRESH_NS,
	};

	if (in_use(e, meter.control))
		return refuse(why, EBUSY, "%s has one clock, and another event has it", name);
	e->config = ENABLE;
	return use_meter(e, name, &meter, why);
}

/* --- The value of the control register --- */

/* A config that does not select a place counts everywhere. */
static uint64_t l3_where(uint64_t config)
{
	if (has_amd(ZEN3_FAMILY))
		return config & L3_19_THREADS ? config & L3_19_WHERE
					      : L3_19_THREADS | L3_19_SLICES | L3_19_CORES;
	return (config & L3_SLICES ? config & L3_SLICES : L3_SLICES) |
	       (config & L3_THREADS ? config & L3_THREADS : L3_THREADS);
}

static uint64_t control_of(const struct perf_event_attr *attr)
{
	if (attr->type == PMU_TYPE_AMD_L3)
		return ENABLE | (attr->config & L3_SELECT) | l3_where(attr->config);
	return ENABLE | attr->config;
}

static int check_config(const struct pmu_event *e, const char *name, const struct box *b,
			struct reason *why)
{
	const uint64_t unknown = e->attr.config & ~b->config;

	if (unknown)
		return refuse(why, EINVAL, "%s: config has bits 0x%llx, which mean nothing here",
			      name, (unsigned long long)unknown);
	if (e->attr.config1 || e->attr.config2)
		return refuse(why, EINVAL, "%s: config1 and config2 have no meaning", name);
	return 0;
}

static int make_uncore_event(struct pmu_event *e, struct reason *why)
{
	const struct dynamic_pmu *p = dynamic_pmu_of(e->attr.type);
	struct box b;
	int err;

	if (!find_box(e->attr.type, &b))
		return refuse(why, ENOENT, "this CPU has no %s that perf0 knows", p->name);
	err = pmu_meter_needs_cpu(e, why);
	if (!err)
		err = check_config(e, p->name, &b, why);
	if (err)
		return err;
	if (e->attr.type == PMU_TYPE_UNCORE_UBOX && (e->attr.config & 0xff) == UBOX_CLOCK)
		return take_clock(e, p->name, why);
	if (b.unit && !any_in_use(e, &b) && !wrmsr_safe(b.unit, CHA_RESET))
		return refuse(why, ENOENT, "%s does not count on this machine", p->name);
	e->config = control_of(&e->attr);
	return use_free_counter(e, p->name, &b, why);
}

static const struct pmu_kind uncore_kind = {
	.first = PMU_TYPE_AMD_DF,
	.last = PMU_TYPE_UNCORE_CHA_0 + PMU_UNCORE_CHAS - 1,
	.init = make_uncore_event,
};

PMU_KIND(uncore_kind);
