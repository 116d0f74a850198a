// SPDX-License-Identifier: BSD-2-Clause
/*
 * rapl.c - the PMU `power`: the energy that a package, or a part of it, has used, by its running
 * average power limit counters. It has perf's names and numbers, and counts in units of 2^-32 J as
 * Linux does. SDM vol. 3, "Package RAPL Domain" and the sections after it; PPR of family 19h,
 * "RAPL_PWR_UNIT".
 */
#include "pmu/x86/meter.h"
#include "pmu/names/dynamic.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/time.h"
#include "lib/reason.h"

#include <linux/errno.h>

#define ENERGY_BITS  32
#define UNIT_MOST    32   /* counts are in units of 2^-32 J */
#define MOST_WATTS   1000 /* of a package: bounds the time to a wrap */
#define INTEL_FAMILY 6
#define ZEN_FAMILY   0x17

enum domain { CORES, PKG, RAM, GPU, PSYS, DOMAINS };

#define HAS(domain) (1u << (domain))

/* Indexed by attr.config - 1. */
static const struct {
	const char *name;
	uint32_t intel, amd; /* MSR; 0: none */
} domains[DOMAINS] = {
	[CORES] = {"power/energy-cores/", MSR_PP0_ENERGY_STATUS, 0},
	[PKG] = {"power/energy-pkg/", MSR_PKG_ENERGY_STATUS, MSR_AMD_PKG_ENERGY_STATUS},
	[RAM] = {"power/energy-ram/", MSR_DRAM_ENERGY_STATUS, 0},
	[GPU] = {"power/energy-gpu/", MSR_PP1_ENERGY_STATUS, 0},
	[PSYS] = {"power/energy-psys/", MSR_PLATFORM_ENERGY_STATUS, 0},
};

#define CLIENT   (HAS(CORES) | HAS(PKG) | HAS(GPU))
#define CLIENT_4 (CLIENT | HAS(RAM))
#define CLIENT_5 (CLIENT_4 | HAS(PSYS))
#define SERVER   (HAS(PKG) | HAS(RAM))

/*
 * The memory of servers up to Ice Lake counts in units of 2^-16 J, whatever the unit register says.
 */
#define FIXED_UNIT 16

/* The domains of each model, from the SDM's tables of MSRs by microarchitecture. */
static const struct model {
	uint16_t model;
	uint8_t domains;
	uint8_t ram_unit; /* the unit is 2^-n J; 0: the unit register has it */
	bool psys_in_joules;
} models[] = {
	{0x2a, CLIENT, 0, false},              /* Sandy Bridge */
	{0x2d, HAS(CORES) | SERVER, 0, false}, /* Sandy Bridge-EP */
	{0x3a, CLIENT, 0, false},              /* Ivy Bridge */
	{0x3e, HAS(CORES) | SERVER, 0, false}, /* Ivy Bridge-EP */
	{0x3c, CLIENT_4, 0, false},            /* Haswell */
	{0x45, CLIENT_4, 0, false},
	{0x46, CLIENT_4, 0, false},
	{0x3f, SERVER, FIXED_UNIT, false}, /* Haswell-EP */
	{0x3d, CLIENT_4, 0, false},        /* Broadwell */
	{0x47, CLIENT_4, 0, false},
	{0x4f, SERVER, FIXED_UNIT, false}, /* Broadwell-EP */
	{0x56, SERVER, FIXED_UNIT, false},
	{0x4e, CLIENT_5, 0, false}, /* Skylake */
	{0x5e, CLIENT_5, 0, false},
	{0x55, SERVER, FIXED_UNIT, false}, /* Skylake-SP */
	{0x8e, CLIENT_5, 0, false},        /* Kaby Lake */
	{0x9e, CLIENT_5, 0, false},
	{0x66, CLIENT_5, 0, false}, /* Cannon Lake */
	{0x7d, CLIENT_5, 0, false}, /* Ice Lake */
	{0x7e, CLIENT_5, 0, false},
	{0x6a, SERVER, FIXED_UNIT, false}, /* Ice Lake-SP */
	{0x6c, SERVER, FIXED_UNIT, false},
	{0xa5, CLIENT_5, 0, false}, /* Comet Lake */
	{0xa6, CLIENT_5, 0, false},
	{0xa7, CLIENT_5, 0, false}, /* Rocket Lake */
	{0x8c, CLIENT_5, 0, false}, /* Tiger Lake */
	{0x8d, CLIENT_5, 0, false},
	{0x97, CLIENT_5, 0, false}, /* Alder Lake */
	{0x9a, CLIENT_5, 0, false},
	{0xb7, CLIENT_5, 0, false}, /* Raptor Lake */
	{0xba, CLIENT_5, 0, false},
	{0xbf, CLIENT_5, 0, false},
	{0xbe, CLIENT_5, 0, false}, /* Alder Lake-N */
	{0xaa, CLIENT_5, 0, false}, /* Meteor Lake */
	{0xac, CLIENT_5, 0, false},
	{0xb5, CLIENT_5, 0, false}, /* Arrow Lake */
	{0xc5, CLIENT_5, 0, false},
	{0xc6, CLIENT_5, 0, false},
	{0xbd, CLIENT_5, 0, false},        /* Lunar Lake */
	{0x57, SERVER, FIXED_UNIT, false}, /* Knights Landing, Knights Mill */
	{0x85, SERVER, FIXED_UNIT, false},
	{0x5c, CLIENT_4, 0, false}, /* Goldmont */
	{0x5f, CLIENT_4, 0, false},
	{0x7a, CLIENT_4, 0, false},          /* Goldmont Plus */
	{0x8f, SERVER | HAS(PSYS), 0, true}, /* Sapphire Rapids */
	{0xcf, SERVER | HAS(PSYS), 0, true}, /* Emerald Rapids */
	{0xad, SERVER | HAS(PSYS), 0, true}, /* Granite Rapids */
	{0xae, SERVER | HAS(PSYS), 0, true},
	{0xaf, SERVER, 0, false}, /* Sierra Forest */
};

static const struct model *find_model(const struct pmu_caps *caps)
{
	static const struct model zen = {.domains = HAS(PKG)};

	if (caps->vendor == CPU_VENDOR_AMD && caps->family >= ZEN_FAMILY)
		return &zen;
	if (caps->vendor != CPU_VENDOR_INTEL || caps->family != INTEL_FAMILY)
		return NULL;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (models[i].model == caps->model)
			return &models[i];
	return NULL;
}

/* The unit of the counter is 2^-n J; -1: the machine has no unit. */
static int rapl_unit(const struct model *m, enum domain d)
{
	const bool amd = pmu.caps->vendor == CPU_VENDOR_AMD;
	uint64_t units;

	if (d == RAM && m->ram_unit)
		return m->ram_unit;
	if (d == PSYS && m->psys_in_joules)
		return 0;
	if (!rdmsr_safe(amd ? MSR_AMD_RAPL_POWER_UNIT : MSR_RAPL_POWER_UNIT, &units) || !units)
		return -1;
	return (int)RAPL_ENERGY_UNIT(units);
}

/* Half of the time in which the counter wraps at MOST_WATTS. */
static uint64_t refresh_of(unsigned unit)
{
	const uint64_t joules = 1ull << (ENERGY_BITS - unit);

	return joules * NSEC_PER_SEC / MOST_WATTS / 2;
}

static int make_energy_event(struct pmu_event *e, struct reason *why)
{
	const struct model *m = find_model(pmu.caps);
	const uint64_t d = e->attr.config - 1;
	struct pmu_meter meter = {.width = ENERGY_BITS};
	uint64_t now;
	int unit, err;

	if (d >= DOMAINS)
		return refuse(why, EINVAL, "power has no event %llu",
			      (unsigned long long)e->attr.config);
	if (!m || !(m->domains & HAS(d)))
		return refuse(why, ENOENT, "this CPU has no %s%s", domains[d].name,
			      cpuid_kvm_reason());
	err = pmu_meter_needs_cpu(e, why);
	if (err)
		return err;
	meter.msr = pmu.caps->vendor == CPU_VENDOR_AMD ? domains[d].amd : domains[d].intel;
	unit = rapl_unit(m, (enum domain)d);
	/*
	 * A counter that does not exist, or that the machine does not update, reads as 0 or faults.
	 */
	if (unit < 0 || unit > UNIT_MOST - 1 || !rdmsr_safe(meter.msr, &now) || !now)
		return refuse(why, ENOENT, "%s does not count on this machine", domains[d].name);
	meter.shift = (uint8_t)(UNIT_MOST - unit);
	meter.refresh_ns = refresh_of((unsigned)unit);
	return pmu_meter_init(e, "power", &meter, why);
}

static const struct pmu_kind energy_kind = {
	.first = PMU_TYPE_POWER,
	.last = PMU_TYPE_POWER,
	.init = make_energy_event,
};

PMU_KIND(energy_kind);
