/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpuid.h - identifies the CPU and its PMU once, at boot; afterwards they are data.
 *
 * A CPUID fact is a tuple (leaf, subleaf, register, low bit, high bit): CPUID_FACT names it, and
 * cpuid_fact() reads it; a new fact is one line. A leaf above the CPU's highest reads as zero.
 */
#ifndef ARCH_X86_PORTABLE_CPUID_H
#define ARCH_X86_PORTABLE_CPUID_H

#include <stdbool.h>
#include <stdint.h>

enum cpuid_reg { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };

struct cpuid_fact {
	uint32_t leaf;
	uint16_t subleaf;
	uint8_t reg; /* enum cpuid_reg */
	uint8_t low, high;
};

#define CPUID_FACT(leaf, subleaf, reg, low, high) \
	((struct cpuid_fact){(leaf), (subleaf), CPUID_##reg, (low), (high)})

/* cpuid_fact() - the field's value. Any context. */
uint32_t cpuid_fact(struct cpuid_fact fact);

/*
 * cpuid_is_emulated() - whether CPUID reports a hypervisor, or vpmu, which may hide the hypervisor
 * bit. Only then may a driver probe for devices that only an emulator has. Any context.
 */
bool cpuid_is_emulated(void);

/* cpuid_is_kvm() - whether CPUID reports KVM: Linux, Documentation/virt/kvm/x86/cpuid.rst. Any
 * context. */
bool cpuid_is_kvm(void);

/* cpuid_kvm_reason() - behind a refusal of what the CPU lacks: that KVM hides it, or nothing. Any
 * context. */
const char *cpuid_kvm_reason(void);

enum cpu_vendor { CPU_VENDOR_OTHER, CPU_VENDOR_INTEL, CPU_VENDOR_AMD };

#define PMU_MAX_GP    32
#define PMU_MAX_FIXED 16

/* The core PMU as CPUID and IA32_PERF_CAPABILITIES describe it. */
struct pmu_caps {
	enum cpu_vendor vendor;
	char vendor_id[13];
	char brand[49];
	uint32_t signature; /* CPUID 1 EAX */
	uint16_t family, model;
	uint8_t stepping;
	bool hypervisor;    /* CPUID 1 ECX bit 31 */
	bool kvm;           /* that hypervisor is KVM */
	uint32_t microcode; /* revision; 0: unknown */
	uint32_t quirks;    /* mask by enum quirk: quirks.h */

	/* Intel: leaves 0xA, 0x23 (SDM vol. 3, "Architectural Performance Monitoring"). */
	uint8_t version;        /* 0: no architectural PMU */
	uint8_t gp_width;       /* bits */
	uint8_t fixed_width;    /* bits */
	uint32_t gp_mask;       /* existing general counters; may have holes (leaf 0x23) */
	uint32_t fixed_mask;    /* existing fixed counters */
	uint32_t events_absent; /* leaf 0xA EBX: bit n set = architectural event n is missing */
	uint8_t events_length;  /* number of valid bits of EBX */
	bool any_thread_deprecated;
	bool umask2, eq_bit;           /* leaf 0x23.0 EBX */
	uint32_t acr_mask, acr_causes; /* leaf 0x23.2: auto counter reload */
	bool ds, dtes64;               /* leaf 1: debug store, with fields of 64 bits */
	bool pdcm;                     /* IA32_PERF_CAPABILITIES exists */
	bool pdcm_readable;            /* and could be read */
	uint64_t perf_capabilities;
	bool hybrid;               /* leaf 7 EDX bit 15 */
	uint8_t core_type;         /* leaf 0x1A EAX 31:24: 0x20 Atom, 0x40 Core, 0 none */
	uint32_t native_model;     /* leaf 0x1A EAX 23:0 */
	bool arch_lbr;             /* leaf 7 EDX bit 19 */
	uint8_t lbr_depths;        /* leaf 0x1C EAX 7:0: bit n = depth 8*(n+1) */
	uint32_t lbr_ebx, lbr_ecx; /* leaf 0x1C: filters, formats, events logged */
	bool pt;                   /* leaf 7 EBX bit 25 */
	uint32_t pt_ebx, pt_ecx;   /* leaf 0x14 subleaf 0 */
	bool tsx_force_abort;      /* leaf 7 EDX bit 13 */
	bool rtm;                  /* leaf 7 EBX bit 11 */
	bool aperfmperf;           /* leaf 6 ECX bit 0 */

	/* AMD: 0x80000001 ECX, 0x80000022, 0x8000001B (APM vol. 3, appendix E). */
	bool perfctr_core, perfctr_nb, perfctr_llc;
	bool ptsc;   /* 0x80000001 ECX bit 27 */
	bool irperf; /* 0x80000008 EBX bit 1 */
	bool perfmon_v2, lbr_v2, lbr_pmc_freeze;
	uint8_t amd_core, amd_lbr_depth, amd_nb, amd_umc; /* counters */
	bool ibs;
	uint32_t ibs_caps; /* 0x8000001B EAX */

	/* Nominal ratios, 0 if CPUID does not report them: leaves 0x15, 0x16. */
	uint32_t tsc_denominator, tsc_numerator, crystal_hz;
	uint16_t base_mhz, max_mhz, bus_mhz;

	uint8_t threads_per_core; /* by leaf 0xB or 0x8000001E; 1 without both */
};

/* The place of a CPU in the topology. Numbers are parts of its APIC id, so they may have holes. */
struct cpu_place {
	uint32_t apic_id; /* all bits, also if the APIC register has only eight */
	uint32_t package;
	uint32_t core;   /* in its package */
	uint32_t thread; /* in its core */
};

/*
 * cpuid_place() - stores this CPU's place: SDM vol. 3, "Detecting Hardware Multi-threading Support
 * and Topology"; APM vol. 3, leaves 0xB and 0x80000008. Any context.
 */
void cpuid_place(struct cpu_place *place);

/* cpu_siblings() - whether the two CPUs are threads of one core, or the same CPU. */
static inline bool cpu_siblings(const struct cpu_place *a, const struct cpu_place *b)
{
	return a->package == b->package && a->core == b->core;
}

/* pmu_caps_detect() - fills `caps` from CPUID and the capability MSRs of this CPU. Task context. */
void pmu_caps_detect(struct pmu_caps *caps);

#endif
