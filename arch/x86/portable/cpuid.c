// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpuid.c - see cpuid.h. Portable: the host's tests run it on vpmu's model.
 *
 * A fact that is one CPUID field is a row of `facts`. Code below reads the facts that need a
 * condition or arithmetic. SDM vol. 2 "CPUID"; SDM vol. 3 "Architectural Performance Monitoring";
 * APM vol. 3, appendix E.
 */
#include "arch/x86/portable/cpuid.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "include/perf0/vpmu.h"
#include "lib/string.h"
#include "lib/bits.h"

#include <stddef.h>

#define EXTENDED          0x80000000u
#define TOPOLOGY_SMT      1
#define TOPOLOGY_LEVELS   8
#define LEAVES_23(n)      (1u << (n))
#define MIN_FIXED_VERSION 2
#define LARGE_CORE        0x40 /* core_type */
#define LARGE_GENERAL     8

static uint32_t highest_leaf(uint32_t leaf)
{
	uint32_t group = leaf & 0xffff0000u;
	uint32_t highest = insn_cpuid(group, 0).eax;

	return (highest & 0xffff0000u) == group ? highest : 0;
}

static uint32_t mask_low(unsigned bits)
{
	return bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
}

uint32_t cpuid_fact(struct cpuid_fact fact)
{
	struct cpuid_regs r;
	uint32_t value[4];

	if (fact.leaf > highest_leaf(fact.leaf))
		return 0;
	r = insn_cpuid(fact.leaf, fact.subleaf);
	value[CPUID_EAX] = r.eax;
	value[CPUID_EBX] = r.ebx;
	value[CPUID_ECX] = r.ecx;
	value[CPUID_EDX] = r.edx;
	return value[fact.reg] >> fact.low & mask_low(fact.high - fact.low + 1u);
}

bool cpuid_is_emulated(void)
{
	const struct cpuid_regs mark = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);

	return cpuid_fact(CPUID_FACT(1, 0, ECX, 31, 31)) ||
	       !memcmp(&mark.ebx, VPMU_SIGNATURE, VPMU_SIGNATURE_BYTES);
}

/* The leaf has no lower one that tells of it, but the bit of a hypervisor. */
bool cpuid_is_kvm(void)
{
	const struct cpuid_regs r = insn_cpuid(0x40000000, 0);
	const uint32_t signature[] = {r.ebx, r.ecx, r.edx};

	return cpuid_fact(CPUID_FACT(1, 0, ECX, 31, 31)) &&
	       !memcmp(signature, "KVMKVMKVM\0\0\0", sizeof(signature));
}

const char *cpuid_kvm_reason(void)
{
	return cpuid_is_kvm() ? ": KVM shows it to no guest" : "";
}

struct row {
	struct cpuid_fact fact;
	uint16_t offset; /* of the field in struct pmu_caps */
	uint8_t size;    /* of the field, bytes */
};

#define ROW(field, leaf, subleaf, reg, low, high)                                                  \
	{                                                                                          \
		{(leaf), (subleaf), CPUID_##reg, (low), (high)}, offsetof(struct pmu_caps, field), \
			sizeof(((struct pmu_caps *)0)->field)                                      \
	}

/* clang-format off */
static const struct row facts[] = {
	ROW(signature,             0x01, 0, EAX, 0, 31),
	ROW(stepping,              0x01, 0, EAX, 0, 3),
	ROW(hypervisor,            0x01, 0, ECX, 31, 31),
	ROW(ds,                    0x01, 0, EDX, 21, 21),
	ROW(dtes64,                0x01, 0, ECX, 2, 2),
	ROW(pdcm,                  0x01, 0, ECX, 15, 15),
	ROW(version,               0x0a, 0, EAX, 0, 7),
	ROW(gp_width,              0x0a, 0, EAX, 16, 23),
	ROW(events_length,         0x0a, 0, EAX, 24, 31),
	ROW(events_absent,         0x0a, 0, EBX, 0, 31),
	ROW(fixed_width,           0x0a, 0, EDX, 5, 12),
	ROW(any_thread_deprecated, 0x0a, 0, EDX, 15, 15),
	ROW(aperfmperf,            0x06, 0, ECX, 0, 0),
	ROW(pt,                    0x07, 0, EBX, 25, 25),
	ROW(rtm,                   0x07, 0, EBX, 11, 11),
	ROW(tsx_force_abort,       0x07, 0, EDX, 13, 13),
	ROW(hybrid,                0x07, 0, EDX, 15, 15),
	ROW(arch_lbr,              0x07, 0, EDX, 19, 19),
	ROW(tsc_denominator,       0x15, 0, EAX, 0, 31),
	ROW(tsc_numerator,         0x15, 0, EBX, 0, 31),
	ROW(crystal_hz,            0x15, 0, ECX, 0, 31),
	ROW(base_mhz,              0x16, 0, EAX, 0, 15),
	ROW(max_mhz,               0x16, 0, EBX, 0, 15),
	ROW(bus_mhz,               0x16, 0, ECX, 0, 15),
	ROW(core_type,             0x1a, 0, EAX, 24, 31),
	ROW(native_model,          0x1a, 0, EAX, 0, 23),
	ROW(perfctr_core,          0x80000001, 0, ECX, 23, 23),
	ROW(perfctr_nb,            0x80000001, 0, ECX, 24, 24),
	ROW(perfctr_llc,           0x80000001, 0, ECX, 28, 28),
	ROW(ptsc,                  0x80000001, 0, ECX, 27, 27),
	ROW(irperf,                0x80000008, 0, EBX, 1, 1),
	ROW(ibs,                   0x80000001, 0, ECX, 10, 10),
	ROW(perfmon_v2,            0x80000022, 0, EAX, 0, 0),
	ROW(lbr_v2,                0x80000022, 0, EAX, 1, 1),
	ROW(lbr_pmc_freeze,        0x80000022, 0, EAX, 2, 2),
	ROW(amd_core,              0x80000022, 0, EBX, 0, 3),
	ROW(amd_lbr_depth,         0x80000022, 0, EBX, 4, 9),
	ROW(amd_nb,                0x80000022, 0, EBX, 10, 15),
	ROW(amd_umc,               0x80000022, 0, EBX, 16, 21),
};

/* Valid only if arch_lbr of `facts` is set. */
static const struct row lbr_facts[] = {
	ROW(lbr_depths,            0x1c, 0, EAX, 0, 7),
	ROW(lbr_ebx,               0x1c, 0, EBX, 0, 31),
	ROW(lbr_ecx,               0x1c, 0, ECX, 0, 31),
};

static const struct row pt_facts[] = {
	ROW(pt_ebx,                0x14, 0, EBX, 0, 31),
	ROW(pt_ecx,                0x14, 0, ECX, 0, 31),
};

static const struct row ibs_facts[] = {
	ROW(ibs_caps,              0x8000001b, 0, EAX, 0, 31),
};

/* Leaf 0x23, "Architectural Performance Monitoring Extended": its subleaf 0 has a bit for each
 * subleaf. */
static const struct row perfmon_ext_facts[] = {
	ROW(umask2,                0x23, 0, EBX, 0, 0),
	ROW(eq_bit,                0x23, 0, EBX, 1, 1),
};

static const struct row acr_facts[] = {
	ROW(acr_mask,              0x23, 2, EAX, 0, 31),
	ROW(acr_causes,            0x23, 2, ECX, 0, 31),
};
/* clang-format on */

static void read_row(struct pmu_caps *caps, const struct row *row)
{
	uint32_t value = cpuid_fact(row->fact);

	/* Little endian: the value's low bytes are the member; a bool takes one byte. */
	memcpy((char *)caps + row->offset, &value, row->size);
}

static void read_rows(struct pmu_caps *caps, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		read_row(caps, &rows[i]);
}

#define READ_ROWS(caps, rows) read_rows((caps), (rows), sizeof(rows) / sizeof((rows)[0]))

static const struct {
	char id[13];
	enum cpu_vendor vendor;
} vendors[] = {
	{"GenuineIntel", CPU_VENDOR_INTEL},
	{"AuthenticAMD", CPU_VENDOR_AMD},
	{"HygonGenuine", CPU_VENDOR_AMD},
};

static void read_vendor(struct pmu_caps *caps)
{
	struct cpuid_regs r = insn_cpuid(0, 0);

	memcpy(caps->vendor_id, &r.ebx, 4);
	memcpy(caps->vendor_id + 4, &r.edx, 4);
	memcpy(caps->vendor_id + 8, &r.ecx, 4);
	for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++)
		if (!strcmp(caps->vendor_id, vendors[i].id))
			caps->vendor = vendors[i].vendor;
}

/* CPUID pads the brand with blanks, also in front. */
static void trim_brand(char *text)
{
	size_t n = strlen(text), skip = 0;

	while (n && text[n - 1] == ' ')
		text[--n] = '\0';
	while (text[skip] == ' ')
		skip++;
	memmove(text, text + skip, n - skip + 1);
}

static void read_brand(struct pmu_caps *caps)
{
	for (uint32_t i = 0; i < 3; i++) {
		struct cpuid_regs r;

		if (highest_leaf(EXTENDED) < EXTENDED + 2 + i)
			return;
		r = insn_cpuid(EXTENDED + 2 + i, 0);
		memcpy(caps->brand + 16 * i, &r, sizeof(r));
	}
	trim_brand(caps->brand);
}

/* SDM vol. 2, "CPUID", "Version Information": the extended fields count for families 6 and 15 only.
 */
static void read_model(struct pmu_caps *caps)
{
	uint32_t s = caps->signature;

	caps->family = s >> 8 & 0xf;
	caps->model = s >> 4 & 0xf;
	if (caps->family == 0xf || caps->family == 6)
		caps->model |= (s >> 16 & 0xf) << 4;
	if (caps->family == 0xf)
		caps->family = (uint16_t)(caps->family + (s >> 20 & 0xff));
}

/*
 * SDM vol. 3, "Microcode Update Resources": Intel's register has the revision in its upper half,
 * once CPUID 1 was executed behind a write of 0. AMD's PATCH_LEVEL has it in the lower half.
 */
static uint32_t read_microcode(enum cpu_vendor vendor)
{
	const bool intel = vendor == CPU_VENDOR_INTEL;
	uint64_t v;

	if (intel && !wrmsr_safe(MSR_IA32_BIOS_SIGN_ID, 0))
		return 0;
	insn_cpuid(1, 0);
	if (!rdmsr_safe(MSR_IA32_BIOS_SIGN_ID, &v))
		return 0;
	return (uint32_t)(intel ? v >> 32 : v);
}

/* Leaf 0xA: the counters are 0..n-1; from version 5 on it has a bitmap of fixed counters, too. */
static void count_counters(struct pmu_caps *caps)
{
	caps->gp_mask = mask_low(cpuid_fact(CPUID_FACT(0x0a, 0, EAX, 8, 15)));
	if (caps->version >= MIN_FIXED_VERSION)
		caps->fixed_mask = mask_low(cpuid_fact(CPUID_FACT(0x0a, 0, EDX, 0, 4)));
	if (caps->version >= 5)
		caps->fixed_mask |= cpuid_fact(CPUID_FACT(0x0a, 0, ECX, 0, 31));
	caps->fixed_mask &= mask_low(PMU_MAX_FIXED);
}

/*
 * On a hybrid CPU leaf 0xA reports the counters that all cores have. A large core may have more:
 * Alder Lake has two general counters and the fixed counter of slots in addition.
 */
static void find_more_counters(struct pmu_caps *caps)
{
	uint64_t v;

	if (!caps->hybrid || caps->core_type != LARGE_CORE)
		return;
	for (unsigned i = 0; i < LARGE_GENERAL; i++)
		if (!(caps->gp_mask >> i & 1) && rdmsr_safe(MSR_IA32_PMC0 + i, &v))
			caps->gp_mask |= 1u << i;
	if (rdmsr_safe(MSR_IA32_FIXED_CTR0 + FIXED_SLOTS, &v))
		caps->fixed_mask |= 1u << FIXED_SLOTS;
}

/* Leaf 0x23 replaces leaf 0xA's numbers of counters, and its list of events, by bitmaps. */
static void read_perfmon_ext(struct pmu_caps *caps)
{
	uint32_t subleaves;

	if (!cpuid_fact(CPUID_FACT(7, 1, EAX, 8, 8)))
		return;
	READ_ROWS(caps, perfmon_ext_facts);
	subleaves = cpuid_fact(CPUID_FACT(0x23, 0, EAX, 0, 31));
	if (subleaves & LEAVES_23(1)) {
		caps->gp_mask = cpuid_fact(CPUID_FACT(0x23, 1, EAX, 0, 31));
		caps->fixed_mask =
			cpuid_fact(CPUID_FACT(0x23, 1, EBX, 0, 31)) & mask_low(PMU_MAX_FIXED);
	}
	if (subleaves & LEAVES_23(2))
		READ_ROWS(caps, acr_facts);
	if (subleaves & LEAVES_23(3)) {
		caps->events_absent = ~cpuid_fact(CPUID_FACT(0x23, 3, EAX, 0, 31));
		caps->events_length = 32;
	}
}

static void read_perf_capabilities(struct pmu_caps *caps)
{
	if (caps->pdcm)
		caps->pdcm_readable =
			rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &caps->perf_capabilities);
}

static void read_optional(struct pmu_caps *caps)
{
	if (caps->arch_lbr)
		READ_ROWS(caps, lbr_facts);
	if (caps->pt)
		READ_ROWS(caps, pt_facts);
	if (caps->ibs)
		READ_ROWS(caps, ibs_facts);
}

static uint8_t threads_per_core(void)
{
	uint32_t threads = 0;

	if (cpuid_fact(CPUID_FACT(0x0b, 0, ECX, 8, 15)) == TOPOLOGY_SMT)
		threads = cpuid_fact(CPUID_FACT(0x0b, 0, EBX, 0, 7));
	else if (cpuid_fact(CPUID_FACT(0x80000001, 0, ECX, 22, 22)))
		threads = cpuid_fact(CPUID_FACT(0x8000001e, 0, EBX, 8, 15)) + 1;
	return threads ? (uint8_t)threads : 1;
}

void pmu_caps_detect(struct pmu_caps *caps)
{
	memset(caps, 0, sizeof(*caps));
	read_vendor(caps);
	read_brand(caps);
	READ_ROWS(caps, facts);
	caps->kvm = cpuid_is_kvm();
	read_model(caps);
	count_counters(caps);
	find_more_counters(caps);
	read_perfmon_ext(caps);
	read_perf_capabilities(caps);
	read_optional(caps);
	caps->threads_per_core = threads_per_core();
	caps->microcode = read_microcode(caps->vendor);
	caps->quirks = quirks_find(caps);
}

/*
 * Subleaves of leaves 0x1F and 0xB are levels of the topology, from the thread upwards. Each has
 * the number of low x2APIC id bits to shift out for the next level's id.
 */
static bool place_by_levels(struct cpu_place *place, uint32_t leaf)
{
	uint32_t core_shift = 0, package_shift = 0, levels = 0;

	for (uint32_t sub = 0; sub < TOPOLOGY_LEVELS; sub++, levels++) {
		struct cpuid_regs r = insn_cpuid(leaf, sub);
		uint32_t type = r.ecx >> 8 & 0xff;

		if (!type)
			break;
		place->apic_id = r.edx;
		package_shift = r.eax & 0x1f;
		if (type == TOPOLOGY_SMT)
			core_shift = package_shift;
	}
	if (!levels || !insn_cpuid(leaf, 0).ebx)
		return false;
	place->thread = place->apic_id & mask_low(core_shift);
	place->core = (place->apic_id & mask_low(package_shift)) >> core_shift;
	place->package = place->apic_id >> package_shift;
	return true;
}

/* Without leaves 0x1F and 0xB: AMD reports the bits of the APIC id within a package, Intel the
 * number of ids. */
static void place_by_counts(struct cpu_place *place)
{
	const uint32_t threads = threads_per_core();
	const uint32_t core_shift = bits_to_number(threads);
	uint32_t package_shift = cpuid_fact(CPUID_FACT(0x80000008, 0, ECX, 12, 15));

	if (!package_shift && cpuid_fact(CPUID_FACT(1, 0, EDX, 28, 28)))
		package_shift = bits_to_number(cpuid_fact(CPUID_FACT(1, 0, EBX, 16, 23)));
	if (package_shift < core_shift)
		package_shift = core_shift;
	place->apic_id = cpuid_fact(CPUID_FACT(1, 0, EBX, 24, 31));
	place->thread = place->apic_id & mask_low(core_shift);
	place->core = (place->apic_id & mask_low(package_shift)) >> core_shift;
	place->package = place->apic_id >> package_shift;
}

void cpuid_place(struct cpu_place *place)
{
	static const uint32_t leaves[] = {0x1f, 0x0b};

	memset(place, 0, sizeof(*place));
	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (leaves[i] <= highest_leaf(leaves[i]) && place_by_levels(place, leaves[i]))
			return;
	place_by_counts(place);
}
