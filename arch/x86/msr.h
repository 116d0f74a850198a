/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msr.h - model-specific registers by their manual names (SDM vol. 4; AMD APM vol. 2, appendix A).
 * Numbers and bit layouts only; access goes through insn.h.
 */
#ifndef ARCH_X86_MSR_H
#define ARCH_X86_MSR_H

#define MSR_IA32_TSC                0x010
#define MSR_IA32_APIC_BASE          0x01b
#define MSR_SMI_COUNT               0x034
#define MSR_IA32_TSC_ADJUST         0x03b
#define MSR_IA32_BIOS_SIGN_ID       0x08b /* microcode; AMD's PATCH_LEVEL */
#define MSR_IA32_PMC0               0x0c1
#define MSR_PLATFORM_INFO           0x0ce
#define MSR_PKG_CST_CONFIG          0x0e2
#define MSR_IA32_MPERF              0x0e7
#define MSR_IA32_APERF              0x0e8
#define MSR_MTRRCAP                 0x0fe
#define MSR_TSX_FORCE_ABORT         0x10f
#define MSR_IA32_SYSENTER_CS        0x174
#define MSR_IA32_SYSENTER_ESP       0x175
#define MSR_IA32_SYSENTER_EIP       0x176
#define MSR_IA32_MCG_CAP            0x179
#define MSR_IA32_PERFEVTSEL0        0x186
#define MSR_IA32_PERF_CTL           0x199
#define MSR_IA32_THERM_STATUS       0x19c
#define MSR_IA32_MISC_ENABLE        0x1a0
#define MSR_KVM_STEAL_TIME          0x4b564d03 /* Linux, Documentation/virt/kvm/x86/msr.rst */
#define KVM_STEAL_ENABLE            (1ull << 0)
#define KVM_STEAL_RESERVED          0x3eull
#define KVM_FEATURE_STEAL           (1u << 5) /* CPUID 0x40000001 EAX */
#define MSR_MISC_FEATURE_CONTROL    0x1a4     /* prefetchers */
#define MSR_OFFCORE_RSP_0           0x1a6
#define MSR_OFFCORE_RSP_1           0x1a7
#define MSR_SNOOP_RSP_0             0x1328
#define MSR_SNOOP_RSP_1             0x1329
#define MSR_IA32_ENERGY_PERF_BIAS   0x1b0
#define MSR_IA32_PKG_THERM_STATUS   0x1b1
#define MSR_LBR_SELECT              0x1c8
#define MSR_LBR_TOS                 0x1c9
#define MSR_IA32_DEBUGCTL           0x1d9
#define MSR_POWER_CTL               0x1fc
#define MSR_MTRR_PHYSBASE(n)        (0x200 + 2 * (n))
#define MSR_MTRR_PHYSMASK(n)        (0x201 + 2 * (n))
#define MSR_MTRR_FIX64K_00000       0x250
#define MSR_MTRR_FIX16K_80000       0x258
#define MSR_MTRR_FIX16K_A0000       0x259
#define MSR_MTRR_FIX4K_C0000        0x268 /* and seven more */
#define MSR_IA32_PAT                0x277
#define MSR_MTRR_DEF_TYPE           0x2ff
#define MSR_IA32_FIXED_CTR0         0x309
#define FIXED_SLOTS                 3 /* of them: TOPDOWN.SLOTS */
#define MSR_PERF_METRICS            0x329
#define MSR_IA32_PERF_CAPABILITIES  0x345
#define MSR_IA32_FIXED_CTR_CTRL     0x38d
#define MSR_IA32_PERF_GLOBAL_STATUS 0x38e
#define MSR_IA32_PERF_GLOBAL_CTRL   0x38f
/* Called IA32_PERF_GLOBAL_OVF_CTRL up to architectural version 3. */
#define MSR_IA32_PERF_GLOBAL_STATUS_RESET 0x390
#define MSR_IA32_PERF_GLOBAL_STATUS_SET   0x391
#define MSR_IA32_PERF_GLOBAL_INUSE        0x392
#define MSR_PKG_C2_RESIDENCY              0x60d
#define MSR_PKG_C3_RESIDENCY              0x3f8
#define MSR_PKG_C6_RESIDENCY              0x3f9
#define MSR_PKG_C7_RESIDENCY              0x3fa
#define MSR_CORE_C3_RESIDENCY             0x3fc
#define MSR_CORE_C6_RESIDENCY             0x3fd
#define MSR_CORE_C7_RESIDENCY             0x3fe
#define MSR_IA32_MC_STATUS(bank)          (0x401 + 4 * (bank))
#define MSR_IA32_MC_ADDR(bank)            (0x402 + 4 * (bank))
#define MSR_IA32_MC_MISC(bank)            (0x403 + 4 * (bank))
#define MSR_IA32_MCG_STATUS               0x17a
#define MSR_IA32_PEBS_ENABLE              0x3f1
#define MSR_PEBS_DATA_CFG                 0x3f2
#define MSR_PEBS_LD_LAT                   0x3f6
#define MSR_PEBS_FRONTEND                 0x3f7
#define MSR_IA32_A_PMC0                   0x4c1
#define MSR_IA32_RTIT_OUTPUT_BASE         0x560 /* and IA32_RTIT_OUTPUT_MASK_PTRS */
#define MSR_IA32_RTIT_OUTPUT_MASK_PTRS    0x561
#define MSR_IA32_RTIT_CTL                 0x570 /* and two more */
#define MSR_IA32_RTIT_STATUS              0x571
#define MSR_IA32_RTIT_CR3_MATCH           0x572
#define MSR_IA32_DS_AREA                  0x600
#define MSR_LBR_OLD_FROM0                 0x040 /* Core 2, Silvermont */
#define MSR_LBR_OLD_TO0                   0x060
#define MSR_LBR_FROM0                     0x680 /* since Nehalem */
#define MSR_LBR_TO0                       0x6c0
#define MSR_LBR_INFO0                     0xdc0
#define MSR_ARCH_LBR_INFO0                0x1200
#define MSR_IA32_LBR_CTL                  0x14ce
#define MSR_IA32_LBR_DEPTH                0x14cf
#define MSR_ARCH_LBR_FROM0                0x1500
#define MSR_ARCH_LBR_TO0                  0x1600
#define MSR_IA32_TSC_DEADLINE             0x6e0
#define MSR_RAPL_POWER_UNIT               0x606
#define MSR_UNCORE_RATIO_LIMIT            0x620 /* of clients: the ring's */
#define MSR_IA32_PM_ENABLE                0x770
#define MSR_IA32_HWP_CAPABILITIES         0x771
#define MSR_IA32_HWP_REQUEST              0x774
#define MSR_PKG_ENERGY_STATUS             0x611
#define MSR_DRAM_ENERGY_STATUS            0x619
#define MSR_PP0_ENERGY_STATUS             0x639
#define MSR_PP1_ENERGY_STATUS             0x641
#define MSR_PLATFORM_ENERGY_STATUS        0x64d
/* Since architectural version 6: the registers of a counter are adjacent, PMC_STEP before the next
 * counter's. CTR is the counter, CFG_A its selector; CFG_B and CFG_C are its automatic reload. */
#define MSR_IA32_PMC_GP0_CTR   0x1900
#define MSR_IA32_PMC_GP0_CFG_A 0x1901
#define MSR_IA32_PMC_GP0_CFG_B 0x1902
#define MSR_IA32_PMC_GP0_CFG_C 0x1903
#define MSR_IA32_PMC_FX0_CTR   0x1980
#define MSR_IA32_PMC_FX0_CFG_B 0x1982
#define MSR_IA32_PMC_FX0_CFG_C 0x1983
#define PMC_STEP               4
/* Uncore of Skylake servers. */
#define MSR_SKX_U_CLOCK_CTL 0x703
#define MSR_SKX_U_CLOCK     0x704
#define MSR_SKX_U_CTL0      0x705
#define MSR_SKX_U_CTR0      0x709
#define MSR_X2APIC_BASE     0x800
#define MSR_X2APIC_EILVT0   0x850 /* AMD */
#define MSR_SKX_CHA0        0xe00 /* a unit's control register */
#define MSR_SKX_CHA_STEP    0x10
#define MSR_SKX_CHA_CTL0    1 /* from there */
#define MSR_SKX_CHA_CTR0    8

#define MSR_EFER           0xc0000080
#define MSR_STAR           0xc0000081
#define MSR_LSTAR          0xc0000082
#define MSR_CSTAR          0xc0000083
#define MSR_SFMASK         0xc0000084
#define MSR_FS_BASE        0xc0000100
#define MSR_GS_BASE        0xc0000101
#define MSR_KERNEL_GS_BASE 0xc0000102
#define MSR_TSC_AUX        0xc0000103

#define MSR_AMD_IRPERF                      0xc00000e9
#define MSR_AMD_PREFETCH_CONTROL            0xc0000108
#define MSR_AMD_LBR_SELECT                  0xc000010e
#define MSR_AMD_DBG_EXTN_CFG                0xc000010f
#define MSR_AMD_PERF_CNTR_GLOBAL_STATUS     0xc0000300
#define MSR_AMD_PERF_CNTR_GLOBAL_CTL        0xc0000301
#define MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR 0xc0000302
#define MSR_AMD_PERF_CNTR_GLOBAL_STATUS_SET 0xc0000303
#define MSR_K7_EVNTSEL0                     0xc0010000
#define MSR_K7_PERFCTR0                     0xc0010004
#define MSR_AMD_HWCR                        0xc0010015
#define MSR_AMD_INT_PENDING                 0xc0010055
#define MSR_AMD_PSTATE_LIMIT                0xc0010061
#define MSR_AMD_PSTATE_CTL                  0xc0010062
#define MSR_AMD_IBS_FETCH_CTL               0xc0011030
#define MSR_AMD_IBS_FETCH_LINEAR            0xc0011031
#define MSR_AMD_IBS_FETCH_PHYSICAL          0xc0011032
#define MSR_AMD_IBS_OP_CTL                  0xc0011033
#define MSR_AMD_IBS_OP_RIP                  0xc0011034
#define MSR_AMD_IBS_OP_DATA                 0xc0011035
#define MSR_AMD_IBS_OP_DATA2                0xc0011036
#define MSR_AMD_IBS_OP_DATA3                0xc0011037
#define MSR_AMD_IBS_DC_LINEAR               0xc0011038
#define MSR_AMD_IBS_DC_PHYSICAL             0xc0011039
#define MSR_AMD_IBS_CONTROL                 0xc001103a
#define MSR_AMD_IBS_BRANCH_TARGET           0xc001103b
#define MSR_AMD_IBS_FETCH_EXTENDED          0xc001103c
#define MSR_AMD_VM_CR                       0xc0010114
#define MSR_AMD_VM_HSAVE_PA                 0xc0010117
#define MSR_AMD_PERF_CTL0                   0xc0010200 /* then CTR0 at +1, CTL1 at +2, ... */
#define MSR_AMD_PERF_CTR0                   0xc0010201
#define MSR_AMD_L3_PERF_CTL0                0xc0010230 /* likewise */
#define MSR_AMD_DF_PERF_CTL0                0xc0010240 /* likewise */
#define MSR_AMD_PTSC                        0xc0010280
#define MSR_AMD_PMGT_MISC                   0xc0010292
#define MSR_AMD_CSTATE_CONFIG               0xc0010296
#define MSR_AMD_CPPC_CAP1                   0xc00102b0
#define MSR_AMD_CPPC_ENABLE                 0xc00102b1
#define MSR_AMD_CPPC_REQUEST                0xc00102b3
#define MSR_AMD_RAPL_POWER_UNIT             0xc0010299
#define MSR_AMD_PKG_ENERGY_STATUS           0xc001029b
#define MSR_AMD_LBR_FROM0                   0xc0010300 /* then TO0 at +1, FROM1 at +2, ... */

#define HWCR_CPB_DIS   (1ull << 25) /* no frequency above the nominal one */
#define HWCR_IRPERF_EN (1ull << 30) /* MSR_AMD_IRPERF counts */

/* RAPL_POWER_UNIT: a step of an energy counter is 2^-n J. */
#define RAPL_ENERGY_UNIT(v) ((v) >> 8 & 0x1f)

/* IA32_PERFEVTSELx and AMD's PERF_CTLx (SDM vol. 3, "Architectural Performance Monitoring"). */
#define EVTSEL_EVENT        0x000000ffull
#define EVTSEL_UMASK        0x0000ff00ull
#define EVTSEL_USR          (1ull << 16)
#define EVTSEL_OS           (1ull << 17)
#define EVTSEL_EDGE         (1ull << 18)
#define EVTSEL_PC           (1ull << 19)
#define EVTSEL_INT          (1ull << 20)
#define EVTSEL_ANY          (1ull << 21)
#define EVTSEL_EN           (1ull << 22)
#define EVTSEL_INV          (1ull << 23)
#define EVTSEL_CMASK        0xff000000ull
#define EVTSEL_ADAPTIVE     (1ull << 34) /* PEBS records as MSR_PEBS_DATA_CFG has them */
#define EVTSEL_INTEL_EQ     (1ull << 36) /* counts cycles with exactly CMASK occurrences */
#define EVTSEL_INTEL_UMASK2 (0xffull << 40)
/* AMD's bits 40 and 41: count in guests alone, in the host alone. */
#define EVTSEL_AMD_WORLDS   (3ull << 40)
#define EVTSEL_AMD_EVENT_HI (0xfull << 32) /* bits 11:8 of AMD's event select */

/* IA32_FIXED_CTR_CTRL: four bits a counter. */
#define FIXED_CTRL_OS       0x1ull
#define FIXED_CTRL_USR      0x2ull
#define FIXED_CTRL_ANY      0x4ull
#define FIXED_CTRL_PMI      0x8ull
#define FIXED_CTRL_SHIFT(n) (4 * (n))
#define FIXED_CTRL_ADAPTIVE (1ull << 32) /* shifted as the others */

#define GLOBAL_FIXED_SHIFT      32
#define GLOBAL_STATUS_CTR_FRZ   (1ull << 59)
#define GLOBAL_STATUS_LBR_FRZ   (1ull << 58)
#define GLOBAL_STATUS_TOPA_PMI  (1ull << 55) /* Trace_ToPA_PMI */
#define GLOBAL_STATUS_OVF_BUF   (1ull << 62)
#define GLOBAL_STATUS_COND_CHGD (1ull << 63)
#define GLOBAL_METRICS          (1ull << 48) /* PERF_METRICS enable, overflow */

#define DEBUGCTL_LBR            (1ull << 0)
#define DEBUGCTL_BTF            (1ull << 1)
#define DEBUGCTL_TR             (1ull << 6)
#define DEBUGCTL_BTS            (1ull << 7)
#define DEBUGCTL_BTINT          (1ull << 8)
#define DEBUGCTL_BTS_OFF_OS     (1ull << 9)
#define DEBUGCTL_BTS_OFF_USR    (1ull << 10)
#define DEBUGCTL_FREEZE_LBRS    (1ull << 11)
#define DEBUGCTL_FREEZE_PERFMON (1ull << 12)
#define DEBUGCTL_FREEZE_IN_SMM  (1ull << 14)

/* SDM vol. 3, "Intel Processor Trace": IA32_RTIT_CTL and IA32_RTIT_STATUS. */
#define RTIT_TRACE_EN          (1ull << 0)
#define RTIT_OS                (1ull << 2)
#define RTIT_USER              (1ull << 3)
#define RTIT_CR3_FILTER        (1ull << 7)
#define RTIT_TOPA              (1ull << 8)
#define RTIT_TSC_EN            (1ull << 10)
#define RTIT_DIS_RETC          (1ull << 11)
#define RTIT_BRANCH_EN         (1ull << 13)
#define RTIT_STATUS_FILTER_EN  (1ull << 0)
#define RTIT_STATUS_CONTEXT_EN (1ull << 1)
#define RTIT_STATUS_TRIGGER_EN (1ull << 2)
#define RTIT_STATUS_ERROR      (1ull << 4)
#define RTIT_STATUS_STOPPED    (1ull << 5)

#define TSX_FORCE_ABORT_RTM (1ull << 0)

/*
 * Last branch records. MSR_LBR_SELECT (SDM vol. 3, "LBR Select Register"; AMD's is the same, PPR of
 * family 19h): a bit suppresses records, except for LBR_CALL_STACK, which is a mode.
 */
#define LBR_NO_RING_0     (1ull << 0) /* branches to ring 0 */
#define LBR_NO_RING_3     (1ull << 1)
#define LBR_NO_KIND_SHIFT 2 /* kinds, in the order of enum branch_kind */
#define LBR_CALL_STACK    (1ull << 9)

/* IA32_LBR_CTL (SDM vol. 3, "Architectural Last Branch Records"): a bit enables records. */
#define ARCH_LBR_ENABLE     (1ull << 0)
#define ARCH_LBR_OS         (1ull << 1)
#define ARCH_LBR_USR        (1ull << 2)
#define ARCH_LBR_CALL_STACK (1ull << 3)
#define ARCH_LBR_JCC        (1ull << 16)
#define ARCH_LBR_REL_JUMP   (1ull << 17)
#define ARCH_LBR_IND_JUMP   (1ull << 18)
#define ARCH_LBR_REL_CALL   (1ull << 19)
#define ARCH_LBR_IND_CALL   (1ull << 20)
#define ARCH_LBR_RETURN     (1ull << 21)
#define ARCH_LBR_OTHER      (1ull << 22)
#define ARCH_LBR_KINDS      (0x7full << 16)

/* IA32_LBR_x_INFO, and MSR_LBR_INFO_x of format 5, which has no type and no bit 60. */
#define LBR_INFO_MISPREDICTED (1ull << 63)
#define LBR_INFO_IN_TSX       (1ull << 62)
#define LBR_INFO_TSX_ABORT    (1ull << 61)
#define LBR_INFO_TIMED        (1ull << 60)
#define LBR_INFO_TYPE(v)      ((v) >> 56 & 0xf)
#define LBR_INFO_TYPE_SHIFT   56
#define LBR_INFO_CYCLES       0xffffull

/* IA32_PERF_CAPABILITIES: the format of legacy records. */
#define PERF_CAP_LBR_FMT(v) ((v)&0x3f)
enum lbr_format {
	LBR_FORMAT_32,                   /* offsets of 32 bits */
	LBR_FORMAT_LIP,                  /* linear addresses */
	LBR_FORMAT_EIP,                  /* offsets of 64 bits */
	LBR_FORMAT_EIP_FLAGS,            /* bit 63 of the source: mispredicted */
	LBR_FORMAT_EIP_FLAGS2,           /* bits 62 and 61, too: in a transaction, and its abort */
	LBR_FORMAT_INFO,                 /* a register beside both */
	LBR_FORMAT_TIME,                 /* small cores: cycles in the upper bits of the target */
	LBR_FORMAT_INFO2,                /* as 5, cycles without mispredictions */
	LBR_FORMAT_ARCHITECTURAL = 0x3f, /* CPUID leaf 1CH describes the records */
};
#define LBR_FROM_MISPREDICTED (1ull << 63)
#define LBR_FROM_IN_TSX       (1ull << 62)
#define LBR_FROM_TSX_ABORT    (1ull << 61)

/* AMD's Branch Sampling of Zen 3: MSR_AMD_DBG_EXTN_CFG (PPR of family 19h model 01h). */
#define BRS_ENABLE       (1ull << 2)
#define BRS_ONES         (3ull << 3) /* always set */
#define BRS_VALID        (1ull << 5) /* branches are recorded */
#define BRS_OFFSET_SHIFT 16          /* index of the next record */
#define BRS_OFFSET(v)    ((v) >> BRS_OFFSET_SHIFT & 0xf)
#define BRS_PMC_SHIFT    24 /* the counter whose overflow starts the sampling */
#define BRS_PMC(v)       ((v) >> BRS_PMC_SHIFT & 7)

/* AMD's, LbrExtV2. */
#define AMD_LBR_ENABLE            (1ull << 6) /* of MSR_AMD_DBG_EXTN_CFG, beside BRS_ONES */
#define AMD_LBR_FROM_MISPREDICTED (1ull << 63)
#define AMD_LBR_TO_VALID          (1ull << 63)
#define AMD_LBR_TO_SPECULATIVE    (1ull << 62)
#define AMD_LBR_TO_ERRONEOUS      (1ull << 61) /* erratum 1452 */

#define PERF_CAP_PEBS_TRAP     (1ull << 6)
#define PERF_CAP_PEBS_REGS     (1ull << 7)
#define PERF_CAP_PEBS_FMT(v)   ((v) >> 8 & 0xf)
#define PERF_CAP_PEBS_IS(fmt)  ((uint64_t)(fmt) << 8)
#define PERF_CAP_FREEZE_SMM    (1ull << 12)
#define PERF_CAP_FW_WRITE      (1ull << 13)
#define PERF_CAP_PEBS_BASELINE (1ull << 14)
#define PERF_CAP_METRICS       (1ull << 15)

/* IA32_MISC_ENABLE (SDM vol. 4). */
#define MISC_ENABLE_FAST_STRINGS     (1ull << 0)
#define MISC_ENABLE_PERFMON          (1ull << 7)
#define MISC_ENABLE_BTS_UNAVAILABLE  (1ull << 11)
#define MISC_ENABLE_PEBS_UNAVAILABLE (1ull << 12)
#define MISC_ENABLE_NO_TURBO         (1ull << 38)

/* Powers and frequencies (SDM vol. 3, "Power and Thermal Management"; vol. 4). */
#define PLATFORM_INFO_RATIO(v) ((v) >> 8 & 0xff) /* the highest without turbo */
#define PERF_CTL_RATIO_SHIFT   8
#define PERF_CTL_NO_TURBO      (1ull << 32)
#define HWP_GUARANTEED(v)      ((v) >> 8 & 0xff) /* of HWP_CAPABILITIES */
#define HWP_REQUEST_WINDOW     (0x3ffull << 32)
#define HWP_REQUEST_PACKAGE    (1ull << 42) /* by MSR_IA32_HWP_REQUEST_PKG instead */
#define AMD_INT_PENDING_C1E    (3ull << 27) /* C1eOnCmpHalt, SmiOnCmpHalt */
#define POWER_CTL_C1E          (1ull << 1)
#define PKG_CST_LIMIT          0xfull
#define PKG_CST_LOCKED         (1ull << 15)
#define THERM_STATUS_NOW       (1ull << 0)
#define THERM_LOGS_HEAT        (1ull << 1 | 1ull << 3 | 1ull << 5)
#define THERM_LOGS_POWER       (1ull << 11 | 1ull << 13)
#define THERM_LOGS_DOMAIN      (1ull << 15)
#define MC_STATUS_VALID        (1ull << 63)
/* AMD's CPPC (PPR of family 19h): four levels of eight bits. */
#define CPPC_NOMINAL(cap1) ((cap1) >> 16 & 0xff)

/* IA32_PEBS_ENABLE: counters by their bits in IA32_PERF_GLOBAL_CTRL; where records are not
 * adaptive, load latency of general counter n instead of fixed ones. */
#define PEBS_ENABLE_LATENCY(n) (1ull << (32 + (n)))

/* MSR_PEBS_DATA_CFG (SDM vol. 3, "Adaptive PEBS"): record groups in addition to the basic group. */
#define PEBS_DATA_MEMORY         (1ull << 0)
#define PEBS_DATA_GPRS           (1ull << 1)
#define PEBS_DATA_XMMS           (1ull << 2)
#define PEBS_DATA_LBRS           (1ull << 3)
#define PEBS_DATA_LBR_ENTRIES(n) (((n)-1ull) << 24)
/* Since format 6: counters: bits 47:32 select general ones, bits 55:48 fixed ones; and the fixed
 * counter of slots with MSR_PERF_METRICS. */
#define PEBS_DATA_COUNTERS     (1ull << 4)
#define PEBS_DATA_METRICS      (1ull << 5)
#define PEBS_DATA_GENERAL(map) ((uint64_t)(map) << 32)
#define PEBS_DATA_FIXED(map)   ((uint64_t)(map) << 48)

/* Instruction-Based Sampling (APM vol. 2, "Instruction-Based Sampling"; PPR of family 19h). */
#define IBS_FETCH_EN             (1ull << 48)
#define IBS_FETCH_VAL            (1ull << 49)
#define IBS_FETCH_COMP           (1ull << 50)
#define IBS_FETCH_L1_MISS        (1ull << 51)
#define IBS_FETCH_PHYSICAL_VALID (1ull << 52)
#define IBS_FETCH_PAGE_SHIFT     53 /* 0: 4 KiB, 1: 2 MiB, 2: 1 GiB */
#define IBS_FETCH_TLB_MISS       (1ull << 55)
#define IBS_FETCH_STLB_MISS      (1ull << 56)
#define IBS_FETCH_RAND_EN        (1ull << 57)
#define IBS_FETCH_L2_MISS        (1ull << 58)
#define IBS_FETCH_L3_MISS_ONLY   (1ull << 59)
#define IBS_FETCH_L3_MISS        (1ull << 61)
#define IBS_FETCH_LATENCY_SHIFT  32
#define IBS_OP_L3_MISS_ONLY      (1ull << 16)
#define IBS_OP_EN                (1ull << 17)
#define IBS_OP_VAL               (1ull << 18)
#define IBS_OP_COUNTS_OPS        (1ull << 19) /* IbsOpCntCtl; else cycles */
#define IBS_OP_SLOW_SHIFT        59 /* 62:59: the threshold, in steps of 128 cycles, less one */
#define IBS_OP_SLOW_BITS         0xfull
#define IBS_OP_SLOW_UNIT         128
#define IBS_OP_SLOW_ONLY         (1ull << 63) /* loads that miss L1 and take longer */
/* IBS_OP_DATA */
#define IBS_OP_RETURN         (1ull << 34)
#define IBS_OP_BRANCH_TAKEN   (1ull << 35)
#define IBS_OP_MISPREDICTED   (1ull << 36)
#define IBS_OP_BRANCH_RETIRED (1ull << 37)
#define IBS_OP_RIP_INVALID    (1ull << 38)
/* IBS_OP_DATA3 */
#define IBS_OP_LOAD           (1ull << 0)
#define IBS_OP_STORE          (1ull << 1)
#define IBS_OP_TLB_MISS       (1ull << 2)
#define IBS_OP_STLB_MISS      (1ull << 3)
#define IBS_OP_PAGE_SHIFT     4 /* from Zen 5 on, two bits: 4 KiB, 2 MiB, 1 GiB; before: */
#define IBS_OP_TLB_HIT_2M     (1ull << 4)
#define IBS_OP_TLB_HIT_1G     (1ull << 5)
#define IBS_OP_STLB_HIT_2M    (1ull << 6)
#define IBS_OP_L1_MISS        (1ull << 7)
#define IBS_OP_LOCKED         (1ull << 15)
#define IBS_OP_NO_BUFFER      (1ull << 16) /* another miss had already requested the line */
#define IBS_OP_LINEAR_VALID   (1ull << 17)
#define IBS_OP_PHYSICAL_VALID (1ull << 18)
#define IBS_OP_STLB_HIT_1G    (1ull << 19)
#define IBS_OP_L2_MISS        (1ull << 20)
#define IBS_OP_PREFETCH       (1ull << 21) /* by software */
#define IBS_OP_WIDTH_SHIFT    22
#define IBS_OP_LATENCY_SHIFT  32
#define IBS_OP_REFILL_SHIFT   48

#define IBS_CONTROL_LVT       0xfull
#define IBS_CONTROL_LVT_VALID (1ull << 8)

#define EFER_SCE  (1ull << 0)
#define EFER_LME  (1ull << 8)
#define EFER_LMA  (1ull << 10)
#define EFER_NXE  (1ull << 11)
#define EFER_SVME (1ull << 12)

#define MTRRCAP_VARIABLE(v)  ((v)&0xff)
#define MTRRCAP_FIXED        (1ull << 8)
#define MTRR_DEF_TYPE_ENABLE (1ull << 11)

#define APIC_BASE_EXTD (1ull << 10)
#define APIC_BASE_EN   (1ull << 11)

/* Control registers (SDM vol. 3, "Control Registers"). */
#define CR0_PE         (1ull << 0)
#define CR0_MP         (1ull << 1)
#define CR0_ET         (1ull << 4)
#define CR0_NE         (1ull << 5)
#define CR0_WP         (1ull << 16)
#define CR0_AM         (1ull << 18)
#define CR0_CD         (1ull << 30)
#define CR0_PG         (1ull << 31)
#define CR4_PAE        (1ull << 5)
#define CR4_MCE        (1ull << 6)
#define CR4_PCE        (1ull << 8)
#define CR4_OSFXSR     (1ull << 9)
#define CR4_OSXMMEXCPT (1ull << 10)
#define CR4_UMIP       (1ull << 11)
#define CR4_LA57       (1ull << 12)
#define CR4_FSGSBASE   (1ull << 16)
#define CR4_OSXSAVE    (1ull << 18)
#define CR4_SMEP       (1ull << 20)
#define CR4_SMAP       (1ull << 21)

/* Debug registers (SDM vol. 3, "Debug Registers"): DR0 to DR3 are addresses. */
#define DR_BREAKPOINTS    4
#define DR6_BREAKPOINTS   0xfull       /* bit i: DRi was hit, even where DR7 does not enable it */
#define DR6_STEP          (1ull << 14) /* RFLAGS.TF */
#define DR6_OTHERS        (7ull << 13) /* a write to a debug register, TF, a task switch */
#define DR7_FIXED         (1ull << 10)
#define DR7_ENABLE(i)     (2ull << 2 * (i)) /* in all tasks */
#define DR7_TYPE_SHIFT(i) (16 + 4 * (i))
#define DR7_EXECUTE       0
#define DR7_WRITE         1
#define DR7_ACCESS        3 /* reads and writes of data */
#define DR7_LEN_SHIFT(i)  (18 + 4 * (i))
#define DR7_LEN_1         0
#define DR7_LEN_2         1
#define DR7_LEN_4         3
#define DR7_LEN_8         2

#endif
