// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_power.c - registers of frequency, power, sleep and prefetchers. Each is a row, and keeps
 * the written value as far as the manuals allow. None changes the guest's speed. Turbo shows in
 * APERF alone, and only with the fault `turbo`. Sources: SDM vol. 3 "Power and Thermal Management",
 * vol. 4 "Model-Specific Registers"; AMD PPR of family 19h models 10h-1Fh.
 */
#include "arch/x86/msr.h"
#include "vpmu/model/geometry.h"
#include "vpmu/model/platform_priv.h"

#define INTEL VPMU_INTEL_MSRS
#define HWP   VPMU_HWP
#define ZEN   VPMU_ZEN_POWER

/* Ratios: nominal, the highest, the lowest. */
#define NOMINAL ((uint64_t)VPMU_NOMINAL_RATIO)
#define HIGHEST 15ull
#define LOWEST  4ull

#define BYTES(b3, b2, b1, b0) ((b3) << 24 | (b2) << 16 | (b1) << 8 | (b0))

#define THERM_VALID   (1ull << 31)
#define THERM_MARGIN  (45ull << 16) /* degrees below the limit */
#define THERM_LOGS    (THERM_LOGS_HEAT | THERM_LOGS_POWER | THERM_LOGS_DOMAIN)
#define CPPC_ENABLED  1ull
#define CC6_ENABLED   (1ull << 6 | 1ull << 14 | 1ull << 22)
#define PC6_ENABLED   (1ull << 32)
#define C1E_ENABLED   (1ull << 28)
#define CST_RESET     0x7ull /* no limit */
#define CST_DEMOTIONS (0xfull << 25)

/* How a register differs from a word of memory. */
enum nature {
	WORD,
	CONSTANT, /* read only */
	REVISION, /* writes have no effect */
	ONCE,     /* bits can be set, and not cleared */
	LOGS,     /* bits are cleared by writing 0 */
	SLEEP,    /* WORD, until it is locked */
	HALTS,    /* WORD, unless it is locked or stuck */
	FREQUENCY /* WORD, unless it is stuck */
};

static const struct power {
	uint32_t msr;
	uint32_t traits; /* the row exists with one of these */
	uint8_t nature;  /* enum nature */
	bool package;    /* one register for all CPUs of a package */
	uint64_t reset;
	uint64_t valid; /* writable bits; others raise #GP */
} rows[] = {
	{MSR_IA32_BIOS_SIGN_ID, INTEL, REVISION, true, 0x2b0005c0ull << 32, 0},
	{MSR_PLATFORM_INFO, INTEL, CONSTANT, true, LOWEST << 40 | NOMINAL << 8, 0},
	{MSR_PKG_CST_CONFIG, INTEL, SLEEP, false, CST_RESET | CST_DEMOTIONS,
	 PKG_CST_LIMIT | PKG_CST_LOCKED | 1ull << 10 | CST_DEMOTIONS},
	{MSR_IA32_PERF_CTL, INTEL, FREQUENCY, false, HIGHEST << PERF_CTL_RATIO_SHIFT,
	 0xffff | PERF_CTL_NO_TURBO},
	{MSR_IA32_THERM_STATUS, INTEL, LOGS, false, THERM_VALID | THERM_MARGIN, THERM_LOGS},
	{MSR_IA32_PKG_THERM_STATUS, INTEL, LOGS, true, THERM_MARGIN, THERM_LOGS},
	{MSR_MISC_FEATURE_CONTROL, VPMU_PREFETCHERS, WORD, false, 0, 0xf},
	{MSR_MISC_FEATURE_CONTROL, VPMU_PREFETCHERS_CORE, WORD, false, 0, 0x2f},
	{MSR_IA32_ENERGY_PERF_BIAS, INTEL, WORD, false, 6, 0xf},
	{MSR_POWER_CTL, INTEL, WORD, true, POWER_CTL_C1E | 1, 0xffffffff},
	{MSR_PKG_C2_RESIDENCY, INTEL, CONSTANT, true, 0, 0},
	{MSR_PKG_C3_RESIDENCY, INTEL, CONSTANT, true, 0, 0},
	{MSR_PKG_C6_RESIDENCY, INTEL, CONSTANT, true, 0, 0},
	{MSR_PKG_C7_RESIDENCY, INTEL, CONSTANT, true, 0, 0},
	{MSR_CORE_C6_RESIDENCY, INTEL, CONSTANT, false, 0, 0},
	{MSR_UNCORE_RATIO_LIMIT, INTEL, WORD, true, 8ull << 8 | 24, 0x7f7f},
	{MSR_IA32_PM_ENABLE, HWP, ONCE, true, 1, 1},
	{MSR_IA32_HWP_CAPABILITIES, HWP, CONSTANT, false, BYTES(LOWEST, 8ull, NOMINAL, HIGHEST), 0},
	{MSR_IA32_HWP_REQUEST, HWP, FREQUENCY, false, BYTES(0x80ull, 0ull, HIGHEST, LOWEST),
	 0xffffffff | 0x3ffull << 32 | HWP_REQUEST_PACKAGE},
	{MSR_AMD_PREFETCH_CONTROL, ZEN, WORD, false, 0, 0x2f},
	{MSR_AMD_INT_PENDING, VPMU_C1E, HALTS, false, C1E_ENABLED, C1E_ENABLED | 0x3ffffff},
	{MSR_AMD_PSTATE_LIMIT, ZEN, CONSTANT, false, 2ull << 4, 0},
	{MSR_AMD_PSTATE_CTL, ZEN, FREQUENCY, false, 1, 7},
	{MSR_AMD_PMGT_MISC, ZEN, WORD, true, PC6_ENABLED, PC6_ENABLED | 0xffffffff},
	{MSR_AMD_CSTATE_CONFIG, ZEN, WORD, false, CC6_ENABLED, 0x7fffff},
	{MSR_AMD_CPPC_CAP1, ZEN, CONSTANT, false, BYTES(200ull, 140ull, 60ull, 20ull), 0},
	{MSR_AMD_CPPC_ENABLE, ZEN, ONCE, true, CPPC_ENABLED, CPPC_ENABLED},
	{MSR_AMD_CPPC_REQUEST, ZEN, FREQUENCY, false, BYTES(0x80ull, 0ull, 20ull, 200ull),
	 0xffffffff},
};

/*
 * The bits that switch the modelled prefetchers off. Bit 5 of Golden Cove (AMP) and bit 2 of Zen
 * (L1 region) switch what the model has not. Zen 2 and 3 have no documented register.
 */
static const struct prefetch_switch {
	uint32_t msr;
	uint8_t bit, prefetcher; /* enum geometry_prefetchers */
} switches[] = {
	{MSR_MISC_FEATURE_CONTROL, 0, GEOMETRY_L2_STREAM},
	{MSR_MISC_FEATURE_CONTROL, 1, GEOMETRY_L2_PAIR},
	{MSR_MISC_FEATURE_CONTROL, 2, GEOMETRY_L1_NEXT},
	{MSR_MISC_FEATURE_CONTROL, 3, GEOMETRY_L1_STRIDE},
	{MSR_AMD_PREFETCH_CONTROL, 0, GEOMETRY_L1_STREAM},
	{MSR_AMD_PREFETCH_CONTROL, 1, GEOMETRY_L1_STRIDE},
	{MSR_AMD_PREFETCH_CONTROL, 3, GEOMETRY_L2_STREAM},
	{MSR_AMD_PREFETCH_CONTROL, 5, GEOMETRY_L2_UP_DOWN},
};

_Static_assert(sizeof(rows) / sizeof(*rows) <= VPMU_POWER_MOST, "each has its word");

static const struct vpmu_faults no_faults;

static const struct vpmu_faults *faults_of(const struct vpmu_platform *p)
{
	return p->faults ? p->faults : &no_faults;
}

int vpmu_power_find(const struct vpmu_uarch *uarch, uint32_t msr)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].msr == msr && rows[i].traits & uarch->has)
			return (int)i;
	return -1;
}

/* The state of the register: its difference to the reset value. */
static uint64_t *state_word(const struct vpmu_platform *p, int i)
{
	return rows[i].package ? &p->package->power[i] : &p->thread->power[i];
}

static uint64_t register_value(const struct vpmu_platform *p, int i)
{
	return rows[i].reset ^ *state_word(p, i);
}

static bool is_sleep_locked(const struct vpmu_platform *p, int i)
{
	return rows[i].nature == SLEEP &&
	       (faults_of(p)->locked || register_value(p, i) & PKG_CST_LOCKED);
}

uint64_t vpmu_power_read(const struct vpmu_platform *p, int i)
{
	uint64_t v = register_value(p, i);

	if (is_sleep_locked(p, i))
		v |= PKG_CST_LOCKED;
	if (rows[i].nature == LOGS && faults_of(p)->thermal)
		v |= THERM_STATUS_NOW | THERM_LOGS_HEAT | THERM_LOGS_POWER;
	return v;
}

/* A personality has one of the two registers. */
static void switch_prefetchers(struct vpmu_thread *t, uint32_t msr, uint64_t v)
{
	uint64_t off = 0;
	bool is_switch = false;

	for (unsigned i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (switches[i].msr == msr) {
			is_switch = true;
			off |= v >> switches[i].bit & 1 ? switches[i].prefetcher : 0;
		}
	if (is_switch)
		t->prefetchers_off = off;
}

bool vpmu_power_write(const struct vpmu_platform *p, int i, uint64_t v, bool really)
{
	const struct power *row = &rows[i];

	if (row->nature == REVISION)
		return true;
	if (row->nature == CONSTANT || is_sleep_locked(p, i) ||
	    (row->nature == HALTS && faults_of(p)->locked))
		return false;
	if (row->nature == ONCE)
		return !(v & ~row->valid);
	if (row->nature == LOGS)
		v = register_value(p, i) & (v | ~row->valid);
	else if (v & ~row->valid)
		return false;
	if (really &&
	    !((row->nature == FREQUENCY || row->nature == HALTS) && faults_of(p)->stuck)) {
		*state_word(p, i) = v ^ row->reset;
		switch_prefetchers(p->thread, row->msr, v);
	}
	return true;
}

/* --- Turbo --- */

static uint64_t read_power(const struct vpmu_platform *p, uint32_t msr)
{
	const int i = vpmu_power_find(p->uarch, msr);

	return i < 0 ? 0 : register_value(p, i);
}

static bool may_boost(const struct vpmu_platform *p)
{
	if (p->uarch->vendor == VPMU_AMD)
		return !(p->thread->hwcr & HWCR_CPB_DIS);
	if (p->no_turbo)
		return false;
	if (p->uarch->has & HWP)
		return (read_power(p, MSR_IA32_HWP_REQUEST) >> 8 & 0xff) > NOMINAL;
	return PLATFORM_INFO_RATIO(read_power(p, MSR_IA32_PERF_CTL)) > NOMINAL;
}

/*
 * Extra cycles of turbo up to cycle `n`: a quarter more for 2^20 cycles, then an eighth, and so on.
 */
static uint64_t boost_until(uint64_t n)
{
	const uint64_t turn = 1ull << 20, rest = n % (2 * turn);

	return n / (2 * turn) * (turn / 4 + turn / 8) +
	       (rest < turn ? rest / 4 : turn / 4 + (rest - turn) / 8);
}

void vpmu_platform_settle(const struct vpmu_platform *p)
{
	struct vpmu_thread *t = p->thread;

	if (faults_of(p)->turbo && may_boost(p))
		t->boosted += boost_until(p->now.cycles) - boost_until(t->settled);
	t->settled = p->now.cycles;
}

/* --- Refusals --- */

bool vpmu_platform_refuses(const struct vpmu_faults *faults, uint32_t msr)
{
	for (unsigned i = 0; i < faults->ngp; i++)
		if (faults->gp[i] == msr)
			return true;
	return false;
}
