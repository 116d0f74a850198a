// SPDX-License-Identifier: BSD-2-Clause
/*
 * knobs.c - see knobs.h.
 *
 * Sources: Intel SDM vol. 3 "Power and Thermal Management" (HWP, IA32_PERF_CTL, EPB, turbo) and
 * "Performance Monitoring" (FREEZE_WHILE_SMM), vol. 4 for MSRs of models; Intel's "Hardware
 * Prefetch Controls for Intel Atom Cores"; AMD APM vol. 2 "Core Performance Boost", "Collaborative
 * Processor Performance Control", "Prefetch Control"; PPRs of families 17h, 19h and 1Ah.
 */
#include "rt/portable/knobs.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "lib/string.h"
#include "lib/words/number.h"
#include "pmu/uarch/rows.h"

#include <linux/errno.h>

/* --- What registers are set to, where that is not a constant --- */

#define HAS_HWP  CPUID_FACT(6, 0, EAX, 7, 7)
#define HAS_CPPC CPUID_FACT(0x80000008, 0, EBX, 27, 27)

static bool is_on(struct cpuid_fact fact, uint32_t msr)
{
	uint64_t enabled;

	return cpuid_fact(fact) && rdmsr_safe(msr, &enabled) && enabled & 1;
}

static bool has_hwp_on(void)
{
	return is_on(HAS_HWP, MSR_IA32_PM_ENABLE);
}

static bool has_cppc_on(void)
{
	return is_on(HAS_CPPC, MSR_AMD_CPPC_ENABLE);
}

/* Sets the minimum, maximum and desired level of a request. */
static uint64_t all_levels(uint64_t level)
{
	return level << 16 | level << 8 | level;
}

/* All levels of HWP_REQUEST become the guaranteed one, with preference for speed. */
static bool hold_hwp(uint64_t now, uint64_t *to)
{
	const uint64_t others = ~(bits_low(32) | HWP_REQUEST_WINDOW | HWP_REQUEST_PACKAGE);
	uint64_t caps;

	/* HWP stays on until a reset, so it is never switched on here. */
	if (!has_hwp_on() || !rdmsr_safe(MSR_IA32_HWP_CAPABILITIES, &caps) || !HWP_GUARANTEED(caps))
		return false;
	*to = (now & others) | all_levels(HWP_GUARANTEED(caps));
	return true;
}

static bool hold_ratio(uint64_t now, uint64_t *to)
{
	uint64_t info;

	/* With HWP the register means nothing. */
	if (has_hwp_on() || !rdmsr_safe(MSR_PLATFORM_INFO, &info) || !PLATFORM_INFO_RATIO(info))
		return false;
	*to = (now & ~0xffffull) | PLATFORM_INFO_RATIO(info) << PERF_CTL_RATIO_SHIFT;
	return true;
}

static bool hold_cppc(uint64_t now, uint64_t *to)
{
	uint64_t caps;

	if (!has_cppc_on() || !rdmsr_safe(MSR_AMD_CPPC_CAP1, &caps) || !CPPC_NOMINAL(caps))
		return false;
	*to = (now & ~bits_low(32)) | all_levels(CPPC_NOMINAL(caps));
	return true;
}

/* The fastest P-state within the limit; P0 is the nominal frequency. */
static bool hold_pstate(uint64_t now, uint64_t *to)
{
	uint64_t limit;

	if (has_cppc_on() || !rdmsr_safe(MSR_AMD_PSTATE_LIMIT, &limit))
		return false;
	*to = (now & ~7ull) | (limit & 7);
	return true;
}

/* The present maximum ratio becomes the minimum, too. */
static bool hold_uncore(uint64_t now, uint64_t *to)
{
	const uint64_t most = now & 0x7f;

	*to = (now & ~0x7f00ull) | most << 8;
	return most;
}

/* --- The rows --- */

#define ANCESTORS 8

/* Cores that a row is limited to, with those like them; NULL ends the list. An empty list: each
 * CPU of the vendor. */
#define CORES                                                                       \
	{                                                                           \
		&uarch_nehalem, &uarch_sandybridge, &uarch_skylake, &uarch_icelake, \
			&uarch_goldencove, &uarch_lioncove,                         \
	}
#define CORES_AND_ATOMS                                                             \
	{                                                                           \
		&uarch_nehalem, &uarch_sandybridge, &uarch_skylake, &uarch_icelake, \
			&uarch_goldencove, &uarch_lioncove, &uarch_goldmont,        \
	}
/* Silvermont's IA32_PERF_CTL wants a voltage, too. */
#define BY_RATIO CORES_AND_ATOMS
#define FROM_HASWELL                                                               \
	{                                                                          \
		&uarch_haswell, &uarch_skylake, &uarch_icelake, &uarch_goldencove, \
			&uarch_lioncove,                                           \
	}
#define ZENS                 \
	{                    \
		&uarch_zen1, \
	}

struct row {
	struct knob knob;
	enum cpu_vendor vendor;
	const struct uarch *like[ANCESTORS];
	struct cpuid_fact when; /* has to be 1; leaf 0: no condition */
	uint64_t mask;          /* the bits that are set, to `value`, or by `hold` */
	uint64_t value;
	bool (*hold)(uint64_t now, uint64_t *to); /* false: it cannot be done by this register */
	uint64_t lock;                            /* bits of which one locks it */
};

#define INTEL .vendor = CPU_VENDOR_INTEL
#define AMD   .vendor = CPU_VENDOR_AMD

static const struct row rows[] = {
	/* clang-format off */
	{{"turbo", "turbo", MSR_IA32_MISC_ENABLE, KNOB_TURBO}, INTEL, .like = CORES_AND_ATOMS,
	 .mask = MISC_ENABLE_NO_TURBO, .value = MISC_ENABLE_NO_TURBO},
	{{"hwp", "HWP request", MSR_IA32_HWP_REQUEST, KNOB_FREQUENCY}, INTEL,
	 .when = HAS_HWP, .mask = UINT64_MAX, .hold = hold_hwp},
	{{"perf_ctl", "P-state", MSR_IA32_PERF_CTL, KNOB_FREQUENCY}, INTEL, .like = BY_RATIO,
	 .when = CPUID_FACT(1, 0, ECX, 7, 7), .mask = 0xffff, .hold = hold_ratio},
	{{"epb", "energy performance bias", MSR_IA32_ENERGY_PERF_BIAS, KNOB_POWER}, INTEL,
	 .when = CPUID_FACT(6, 0, ECX, 3, 3), .mask = 0xf, .value = 0},
	{{"c1e", "C1E", MSR_POWER_CTL, KNOB_SLEEP}, INTEL, .like = CORES_AND_ATOMS,
	 .mask = POWER_CTL_C1E, .value = 0},
	{{"cstates", "package C-states", MSR_PKG_CST_CONFIG, KNOB_SLEEP}, INTEL,
	 .like = CORES_AND_ATOMS, .mask = PKG_CST_LIMIT, .value = 0, .lock = PKG_CST_LOCKED},
	{{"uncore", "uncore ratio", MSR_UNCORE_RATIO_LIMIT, KNOB_UNCORE}, INTEL,
	 .like = FROM_HASWELL, .mask = 0x7f7f, .hold = hold_uncore},
	{{"freeze_smm", "counters freeze in SMM", MSR_IA32_DEBUGCTL, KNOB_COUNTING}, INTEL,
	 .mask = DEBUGCTL_FREEZE_IN_SMM, .value = DEBUGCTL_FREEZE_IN_SMM},
	{{"cpb", "core performance boost", MSR_AMD_HWCR, KNOB_TURBO}, AMD,
	 .when = CPUID_FACT(0x80000007, 0, EDX, 9, 9), .mask = HWCR_CPB_DIS, .value = HWCR_CPB_DIS},
	{{"cppc", "CPPC request", MSR_AMD_CPPC_REQUEST, KNOB_FREQUENCY}, AMD,
	 .when = HAS_CPPC, .mask = UINT64_MAX, .hold = hold_cppc},
	{{"pstate", "P-state", MSR_AMD_PSTATE_CTL, KNOB_FREQUENCY}, AMD,
	 .when = CPUID_FACT(0x80000007, 0, EDX, 7, 7), .mask = 7, .hold = hold_pstate},
	{{"pc6", "package C6", MSR_AMD_PMGT_MISC, KNOB_SLEEP}, AMD, .like = ZENS,
	 .mask = 1ull << 32, .value = 0},
	{{"cc6", "core C6", MSR_AMD_CSTATE_CONFIG, KNOB_SLEEP}, AMD, .like = ZENS,
	 .mask = 1ull << 6 | 1ull << 14 | 1ull << 22, .value = 0},
	/* Bits 0 to 3: L2 stream, L2 adjacent line, L1D stream, L1D by instruction. */
	{{"prefetchers", "prefetchers", MSR_MISC_FEATURE_CONTROL, KNOB_PREFETCH}, INTEL,
	 .like = {&uarch_nehalem, &uarch_sandybridge, &uarch_skylake, &uarch_icelake},
	 .mask = 0xf},
	/* Bit 5: the L2's of whole pages. */
	{{"prefetchers", "prefetchers", MSR_MISC_FEATURE_CONTROL, KNOB_PREFETCH}, INTEL,
	 .like = {&uarch_goldencove, &uarch_lioncove}, .mask = 0x2f},
	{{"prefetchers", "prefetchers", MSR_MISC_FEATURE_CONTROL, KNOB_PREFETCH}, INTEL,
	 .like = {&uarch_goldmont}, .mask = 0x5},
	/* L1 stream, stride and region, L2 stream, up and down. */
	{{"prefetchers", "prefetchers", MSR_AMD_PREFETCH_CONTROL, KNOB_PREFETCH}, AMD,
	 .when = CPUID_FACT(0x80000021, 0, EAX, 13, 13), .mask = 0x2f},
	/* clang-format on */
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))
_Static_assert(NROWS <= KNOBS_MOST, "each CPU has a value of each");

const struct knob *knob_row(size_t i)
{
	return i < NROWS ? &rows[i].knob : NULL;
}

const char *knob_state_name(enum knob_state state)
{
	static const char *const names[] = {
		[KNOB_ABSENT] = "absent",      [KNOB_LEFT] = "left alone",
		[KNOB_ALREADY] = "so already", [KNOB_SET] = "set",
		[KNOB_LOCKED] = "locked",      [KNOB_DROPPED] = "dropped",
		[KNOB_REFUSED] = "refused",
	};

	return names[state];
}

static bool is_like(const struct uarch *uarch, const struct uarch *ancestor)
{
	while (uarch && uarch != ancestor)
		uarch = uarch->like;
	return uarch;
}

static bool is_of_known_model(const struct row *row, const struct pmu_caps *caps)
{
	const struct uarch *uarch;

	if (!row->like[0])
		return true;
	uarch = uarch_find(caps);
	for (unsigned i = 0; i < ANCESTORS && row->like[i]; i++)
		if (is_like(uarch, row->like[i]))
			return true;
	return false;
}

/*
 * Decides by CPUID; the bit for FREEZE_WHILE_SMM is in IA32_PERF_CAPABILITIES. KVM keeps what a
 * guest writes, and nothing of the CPU changes by it.
 */
static bool has_knob(const struct row *row, const struct pmu_caps *caps)
{
	if (caps->kvm || row->vendor != caps->vendor || !is_of_known_model(row, caps))
		return false;
	if (row->knob.group == KNOB_COUNTING)
		return caps->perf_capabilities & PERF_CAP_FREEZE_SMM;
	return !row->when.leaf || cpuid_fact(row->when);
}

void knobs_read(const struct pmu_caps *caps, struct knob_value values[KNOBS_MOST])
{
	memset(values, 0, KNOBS_MOST * sizeof(*values));
	for (unsigned i = 0; i < NROWS; i++) {
		struct knob_value *v = &values[i];

		if (!has_knob(&rows[i], caps))
			continue;
		if (!rdmsr_safe(rows[i].knob.msr, &v->before))
			v->state = KNOB_REFUSED;
		else
			v->state = v->before & rows[i].lock ? KNOB_LOCKED : KNOB_LEFT;
		v->now = v->before;
	}
}

/* Gets the wanted value of the register. False: none is wanted. */
static bool wanted_value(const struct row *row, const struct knob_choice *choice, uint64_t now,
			 uint64_t *to)
{
	uint64_t bits = row->value;

	if (row->knob.group == KNOB_PREFETCH) {
		if (choice->prefetchers == PREFETCH_LEFT)
			return false;
		bits = choice->prefetchers == PREFETCH_OFF    ? row->mask
		       : choice->prefetchers == PREFETCH_MASK ? choice->mask
							      : 0;
	} else if (row->hold) {
		return row->hold(now, to);
	}
	*to = (now & ~row->mask) | (bits & row->mask);
	return true;
}

static void set_knob(const struct row *row, uint64_t to, struct knob_value *v)
{
	if (to == v->before) {
		v->state = KNOB_ALREADY;
		return;
	}
	if (v->state == KNOB_LOCKED)
		return;
	if (!wrmsr_safe(row->knob.msr, to)) {
		v->state = KNOB_REFUSED;
		return;
	}
	v->state = rdmsr_safe(row->knob.msr, &v->now) && (v->now & row->mask) == (to & row->mask)
			   ? KNOB_SET
			   : KNOB_DROPPED;
}

void knobs_set(const struct knob_choice *choice, struct knob_value values[KNOBS_MOST])
{
	for (unsigned i = 0; i < NROWS; i++) {
		uint64_t to;

		if (values[i].state == KNOB_ABSENT || values[i].state == KNOB_REFUSED)
			continue;
		if (wanted_value(&rows[i], choice, values[i].before, &to))
			set_knob(&rows[i], to, &values[i]);
		else if (values[i].state == KNOB_LOCKED)
			values[i].state = KNOB_LEFT;
	}
}

/* Restores only the bits of the knob: events may have changed others in the meantime. */
static bool restore_knob(const struct row *row, const struct knob_value *v)
{
	const uint32_t msr = row->knob.msr;
	uint64_t now;

	return rdmsr_safe(msr, &now) &&
	       wrmsr_safe(msr, (now & ~row->mask) | (v->before & row->mask)) &&
	       rdmsr_safe(msr, &now) && !((now ^ v->before) & row->mask);
}

uint32_t knobs_restore(const struct knob_value values[KNOBS_MOST])
{
	uint32_t failed = 0;

	/* Reverse order: turbo is restored last. */
	for (unsigned i = NROWS; i-- > 0;) {
		const struct knob_value *v = &values[i];

		if ((v->state == KNOB_SET || v->state == KNOB_DROPPED) &&
		    !restore_knob(&rows[i], v))
			failed |= 1u << i;
	}
	return failed;
}

uint64_t knob_prefetchers(const struct pmu_caps *caps)
{
	for (unsigned i = 0; i < NROWS; i++)
		if (rows[i].knob.group == KNOB_PREFETCH && has_knob(&rows[i], caps))
			return rows[i].mask;
	return 0;
}

int knob_choose(const char *text, struct knob_choice *choice, struct reason *why)
{
	if (!strcmp(text, "on"))
		choice->prefetchers = PREFETCH_ON;
	else if (!strcmp(text, "off"))
		choice->prefetchers = PREFETCH_OFF;
	else if (!number_parse(text, &choice->mask))
		choice->prefetchers = PREFETCH_MASK;
	else
		return refuse(why, EINVAL, "'%s' is neither on, off nor a mask", text);
	return 0;
}
