// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_platform.c - the table of all registers of the platform, and the functions for those of a
 * CPU and of energy. Each energy domain takes a fixed amount for a tick of the TSC, and another for
 * an instruction of its CPUs.
 */
#include "vpmu/model/platform.h"

#include "arch/x86/msr.h"
#include "vpmu/model/platform_priv.h"

#define NANO 1000000000ull

#define ALL (VPMU_INTEL_MSRS | VPMU_AMD_MSRS)

#define MSR_PPERF           0x64e
#define MSR_U_GLOBAL_CTL    0x700 /* followed by status and configuration */
#define MSR_U_CLOCK_CTL     0x703 /* followed by the counter */
#define MSR_U_CTL0          0x705 /* two selectors; 0x708: status, two counters */
#define MSR_CHA             0xe00 /* 16 registers for a box */
#define MSR_AMD_MPERF       0xc00000e7
#define MSR_AMD_APERF       0xc00000e8
#define MSR_HWCR            0xc0010015
#define MSR_AMD_CORE_ENERGY 0xc001029a

/* --- Energy --- */

/* SDM vol. 4, "MSR_RAPL_POWER_UNIT"; PPR, "RAPL Power Unit": energy is in units of 2^-ESU J. */
#define UNITS(time, energy, power) ((time) << 16 | (energy) << 8 | (power))
#define UNITS_INTEL                UNITS(10ull, 14u, 3u)
#define UNITS_AMD                  UNITS(10ull, 16u, 3u)
#define ESU_SERVER_DRAM            16 /* fixed, whatever the unit register says */

/* Nanojoules for each tick of the TSC, and for each instruction. */
static const struct energy {
	uint32_t msr;
	uint8_t esu;
	uint32_t traits; /* the row exists with one of these */
	uint16_t tick, instruction;
	bool core; /* counts instructions of the core; otherwise of the package */
} energies[] = {
	{MSR_PP0_ENERGY_STATUS, 14, VPMU_RAPL_CORES, 4, 64, false},
	{MSR_PP0_ENERGY_STATUS, 14, VPMU_RAPL_NO_CORES, 0, 0, false},
	{MSR_PP1_ENERGY_STATUS, 14, VPMU_RAPL_GRAPHICS, 1, 0, false},
	{MSR_PKG_ENERGY_STATUS, 14, VPMU_RAPL, 10, 64, false},
	{MSR_DRAM_ENERGY_STATUS, 14, VPMU_RAPL_MEMORY, 2, 16, false},
	{MSR_DRAM_ENERGY_STATUS, ESU_SERVER_DRAM, VPMU_RAPL_MEMORY_SERVER, 2, 16, false},
	{MSR_PLATFORM_ENERGY_STATUS, 14, VPMU_RAPL_PLATFORM, 16, 80, false},
	{MSR_AMD_CORE_ENERGY, 16, VPMU_ZEN, 1, 64, true},
	{MSR_AMD_PKG_ENERGY_STATUS, 16, VPMU_ZEN, 10, 64, false},
};

static uint64_t energy_of(const struct energy *e, const struct vpmu_elapsed *now)
{
	uint64_t instructions = e->core ? now->core_instructions : now->package_instructions;
	uint64_t nj = now->tsc * e->tick + instructions * e->instruction;

	return (uint32_t)((nj / NANO << e->esu) + ((nj % NANO << e->esu) / NANO));
}

static const struct energy *find_energy(const struct vpmu_uarch *uarch, uint32_t msr)
{
	for (size_t i = 0; i < sizeof(energies) / sizeof(*energies); i++)
		if (energies[i].msr == msr && energies[i].traits & uarch->has)
			return &energies[i];
	return NULL;
}

static bool rd_unit(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	(void)i;
	*v = p->uarch->vendor == VPMU_AMD ? UNITS_AMD : UNITS_INTEL;
	return true;
}

/* --- Registers of a CPU --- */

static bool rd_tsc(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	(void)i;
	*v = p->now.tsc + p->thread->tsc_offset;
	return true;
}

static bool wr_tsc(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	(void)i;
	if (really)
		p->thread->tsc_offset = v - p->now.tsc;
	return true;
}

/* MPERF, APERF: the CPU runs at its nominal frequency, but for turbo. */
static uint64_t cycles_at(const struct vpmu_platform *p, unsigned i)
{
	return p->now.cycles + (i ? p->thread->boosted : 0);
}

static bool rd_perf(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	*v = cycles_at(p, i) + p->thread->perf[i];
	return true;
}

static bool wr_perf(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	if (really)
		p->thread->perf[i] = v - cycles_at(p, i);
	return true;
}

/* Three of four cycles count as productive. */
static bool rd_pperf(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	(void)i;
	*v = p->now.cycles * 3 / 4;
	return true;
}

/* SMIs occur only as a fault, and all CPUs of the package take each. */
static bool rd_smi_count(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const uint64_t every = p->faults ? p->faults->smi : 0;

	(void)i;
	*v = every ? (uint32_t)(p->now.package_instructions / every) : 0;
	return true;
}

/* PPR of family 19h, "Instructions Retired Performance Count", "Hardware Configuration". */
#define HWCR_IRPERF_EN (1ull << 30)

static bool rd_irperf(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct vpmu_thread *t = p->thread;

	(void)i;
	*v = t->irperf + (t->hwcr & HWCR_IRPERF_EN ? p->now.instructions : 0);
	return true;
}

static bool wr_irperf(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	uint64_t before = 0;

	rd_irperf(p, i, &before);
	if (really)
		p->thread->irperf += v - before;
	return true;
}

static bool rd_hwcr(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	(void)i;
	*v = p->thread->hwcr;
	return true;
}

/* The count resumes at its value. */
static bool wr_hwcr(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	uint64_t count = 0;

	if (!really)
		return true;
	rd_irperf(p, i, &count);
	p->thread->hwcr = v;
	return wr_irperf(p, i, count, true);
}

/* --- All of them --- */

/* `span` registers from `first` on; functions get the index. No function to write: #GP. */
static const struct reg {
	uint32_t first, span;
	uint32_t traits;
	bool (*read)(const struct vpmu_platform *p, unsigned i, uint64_t *v);
	bool (*write)(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
} regs[] = {
	{MSR_IA32_TSC, 1, ALL, rd_tsc, wr_tsc},
	{MSR_SMI_COUNT, 1, VPMU_INTEL_MSRS, rd_smi_count, NULL},
	{MSR_IA32_MPERF, VPMU_PERFS, ALL, rd_perf, wr_perf},
	{MSR_RAPL_POWER_UNIT, 1, VPMU_RAPL, rd_unit, NULL},
	{MSR_PPERF, 1, VPMU_PPERF, rd_pperf, NULL},
	{MSR_U_GLOBAL_CTL, 3, VPMU_UNCORE_SKX, vpmu_uncore_global_read, vpmu_uncore_global_write},
	{MSR_U_CLOCK_CTL, 2, VPMU_UNCORE_SKX, vpmu_uncore_clock_read, vpmu_uncore_clock_write},
	{MSR_U_CTL0, UBOX_SPAN, VPMU_UNCORE_SKX, vpmu_uncore_ubox_read, vpmu_uncore_ubox_write},
	{MSR_CHA, CHA_SPAN *VPMU_CHAS, VPMU_UNCORE_SKX, vpmu_uncore_cha_read,
	 vpmu_uncore_cha_write},
	{MSR_AMD_MPERF, VPMU_PERFS, VPMU_ZEN, rd_perf, NULL},
	{MSR_AMD_IRPERF, 1, VPMU_ZEN, rd_irperf, wr_irperf},
	{MSR_HWCR, 1, VPMU_ZEN, rd_hwcr, wr_hwcr},
	{MSR_AMD_L3_PERF_CTL0, AMD_PAIR *VPMU_L3_COUNTERS, VPMU_ZEN_UNCORE, vpmu_uncore_l3_read,
	 vpmu_uncore_l3_write},
	{MSR_AMD_L3_PERF_CTL0, AMD_PAIR *VPMU_L2_COUNTERS, VPMU_L2_SHARED, vpmu_uncore_l3_read,
	 vpmu_uncore_l3_write},
	{MSR_AMD_DF_PERF_CTL0, AMD_PAIR *VPMU_DF_COUNTERS, VPMU_DF_V2, vpmu_uncore_df_read,
	 vpmu_uncore_df_write},
	{MSR_AMD_DF_PERF_CTL0, AMD_PAIR *VPMU_NB_COUNTERS, VPMU_ZEN_UNCORE | VPMU_NORTHBRIDGE,
	 vpmu_uncore_df_read, vpmu_uncore_df_write},
	{MSR_AMD_RAPL_POWER_UNIT, 1, VPMU_ZEN, rd_unit, NULL},
};

static const struct reg *find_platform_register(const struct vpmu_uarch *uarch, uint32_t msr)
{
	for (size_t i = 0; i < sizeof(regs) / sizeof(*regs); i++)
		if (regs[i].traits & uarch->has && msr - regs[i].first < regs[i].span)
			return &regs[i];
	return NULL;
}

bool vpmu_platform_names(const struct vpmu_uarch *uarch, uint32_t msr)
{
	return find_platform_register(uarch, msr) || find_energy(uarch, msr) ||
	       vpmu_power_find(uarch, msr) >= 0;
}

enum vpmu_access vpmu_platform_rdmsr(const struct vpmu_platform *p, uint32_t msr, uint64_t *v)
{
	const struct energy *energy = find_energy(p->uarch, msr);
	const struct reg *reg = find_platform_register(p->uarch, msr);
	const int power = vpmu_power_find(p->uarch, msr);
	uint64_t value = 0;

	if (power >= 0) {
		*v = vpmu_power_read(p, power);
		return VPMU_DONE;
	}
	if (energy) {
		*v = energy_of(energy, &p->now);
		return VPMU_DONE;
	}
	if (!reg)
		return VPMU_NOT_OURS;
	if (!reg->read(p, msr - reg->first, &value))
		return VPMU_GP;
	*v = value;
	return VPMU_DONE;
}

static enum vpmu_access write_platform_register(const struct vpmu_platform *p, uint32_t msr,
						uint64_t v, bool really)
{
	const struct reg *reg = find_platform_register(p->uarch, msr);
	const int power = vpmu_power_find(p->uarch, msr);

	if (power >= 0)
		return vpmu_power_write(p, power, v, really) ? VPMU_DONE : VPMU_GP;
	if (find_energy(p->uarch, msr))
		return VPMU_GP;
	if (!reg)
		return VPMU_NOT_OURS;
	return reg->write && reg->write(p, msr - reg->first, v, really) ? VPMU_DONE : VPMU_GP;
}

enum vpmu_access vpmu_platform_wrmsr(const struct vpmu_platform *p, uint32_t msr, uint64_t v)
{
	return write_platform_register(p, msr, v, true);
}

enum vpmu_access vpmu_platform_try(const struct vpmu_platform *p, uint32_t msr, uint64_t v)
{
	return write_platform_register(p, msr, v, false);
}

/* --- RDPMC --- */

/* APM vol. 3, "RDPMC": the counters that ECX selects from `first` on. */
static const struct rdpmc_row {
	uint32_t first, span;
	uint32_t traits;
	uint32_t msr; /* the first one's selector */
} rdpmcs[] = {
	{6, VPMU_NB_COUNTERS, VPMU_ZEN_UNCORE | VPMU_NORTHBRIDGE, MSR_AMD_DF_PERF_CTL0},
	{10, VPMU_L3_COUNTERS, VPMU_ZEN_UNCORE, MSR_AMD_L3_PERF_CTL0},
	{10, VPMU_L2_COUNTERS, VPMU_L2_SHARED, MSR_AMD_L3_PERF_CTL0},
	{16, VPMU_DF_COUNTERS - VPMU_NB_COUNTERS, VPMU_DF_V2,
	 MSR_AMD_DF_PERF_CTL0 + AMD_PAIR *VPMU_NB_COUNTERS},
};

static const struct rdpmc_row *find_rdpmc(const struct vpmu_uarch *uarch, uint32_t ecx)
{
	for (size_t i = 0; i < sizeof(rdpmcs) / sizeof(*rdpmcs); i++)
		if (rdpmcs[i].traits & uarch->has && ecx - rdpmcs[i].first < rdpmcs[i].span)
			return &rdpmcs[i];
	return NULL;
}

bool vpmu_platform_counts(const struct vpmu_uarch *uarch, uint32_t ecx)
{
	return find_rdpmc(uarch, ecx);
}

enum vpmu_access vpmu_platform_rdpmc(const struct vpmu_platform *p, uint32_t ecx, uint64_t *v)
{
	const struct rdpmc_row *row = find_rdpmc(p->uarch, ecx);

	if (!row)
		return VPMU_GP;
	return vpmu_platform_rdmsr(p, row->msr + AMD_PAIR * (ecx - row->first) + 1, v);
}
