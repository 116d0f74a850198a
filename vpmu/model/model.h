/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - a core PMU as a state machine, written from the manuals.
 *
 * The model is pure: it touches no hardware, and three kinds of calls drive it. The guest accesses
 * MSRs, RDPMC and CPUID; vpmu_model_advance() says how much the guest has executed in each ring;
 * vpmu_model_deliver() says that a PMI went out. For sampled instructions the model asks what the
 * last instruction was. The same file runs inside vpmu.efi and in the host's unit tests.
 *
 * Sources: Intel SDM vol. 3 "Performance Monitoring" and vol. 4 "Model-Specific Registers"; AMD APM
 * vol. 2 "Debug and Performance Resources"; the PPR of family 19h models 10h-1Fh.
 *
 * Nothing here may include pmu/: a shared mistake must not hide itself.
 */
#ifndef VPMU_MODEL_MODEL_H
#define VPMU_MODEL_MODEL_H

#include "arch/x86/insn.h"
#include "include/perf0/faults.h"
#include "include/perf0/events_page.h"
#include "include/perf0/personalities.h"
#include "include/perf0/shape.h"
#include "lib/reason.h"
#include "vpmu/model/event_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VPMU_MAX_GP        16
#define VPMU_MAX_FIXED     16
#define VPMU_RELOADS       (32 + VPMU_MAX_FIXED) /* fixed counters from 32 on */
#define VPMU_TOPDOWN       8 /* categories: four that make up all slots, and a part of each */
#define VPMU_TOPDOWN_1     4
#define VPMU_NOMINAL_RATIO 10 /* ratio of the core's clock to the bus clock, without turbo */
#define VPMU_TARGETS       (EVENTS_TARGETS - 1) /* targets of overflows */

/* Kinds of cores of a hybrid, as in CPUID 1AH. */
enum vpmu_core_type { VPMU_ATOM = 0x20, VPMU_CORE = 0x40 };

#define VPMU_USED_WORDS ((EVENTS_NUMBERS + 63) / 64)

/* Registers of the platform that a personality has (model_platform.c, model_power.c), as bits of a
 * set. */
enum vpmu_trait {
	VPMU_INTEL_MSRS = 1 << 0,
	VPMU_AMD_MSRS = 1 << 1,
	VPMU_RAPL = 1 << 2,               /* energy of the package */
	VPMU_RAPL_CORES = 1 << 3,         /* energy of the cores */
	VPMU_RAPL_NO_CORES = 1 << 4,      /* the register of the cores exists, and is always zero */
	VPMU_RAPL_GRAPHICS = 1 << 5,      /* energy of the graphics */
	VPMU_RAPL_MEMORY = 1 << 6,        /* energy of memory */
	VPMU_RAPL_MEMORY_SERVER = 1 << 7, /* energy of memory, in a unit of its own */
	VPMU_RAPL_PLATFORM = 1 << 8,
	VPMU_PPERF = 1 << 9, /* productive cycles */
	VPMU_HWP = 1 << 10,
	VPMU_PREFETCHERS = 1 << 11,      /* a register that switches prefetchers off */
	VPMU_PREFETCHERS_CORE = 1 << 12, /* that register has a further bit */
	VPMU_UNCORE_SKX = 1 << 13,
	VPMU_OLD_SOURCES = 1 << 14, /* PEBS has the data source of memory from before Skylake */
	VPMU_ZEN = 1 << 15,         /* read-only MPERF and APERF, IRPERF, energy */
	VPMU_ZEN_UNCORE = 1 << 16,  /* counters of L3, and four of the data fabric */
	VPMU_ZEN_POWER = 1 << 17,   /* P-states, CPPC */
	VPMU_L3_MASKS = 1 << 18,    /* slices and threads of L3 by masks: before Zen 3 */
	VPMU_DF_V2 = 1 << 19,       /* the data fabric's further counters and longer selectors */
	VPMU_NORTHBRIDGE = 1 << 20, /* four counters of the northbridge: families 15h and 16h */
	VPMU_L2_SHARED = 1 << 21,   /* four counters of the L2 that is the last level: family 16h */
	VPMU_C1E = 1 << 22,         /* the firmware has C1E on: families 0Fh and 10h */
	VPMU_KVM = 1 << 23,         /* what KVM shows its guests, and no registers besides */
};

/* The encoding of data sources in PEBS records: model_pebs.c. */
enum vpmu_sources {
	VPMU_SOURCES_SKYLAKE, /* and Haswell, Golden Cove */
	VPMU_SOURCES_GRACEMONT,
	VPMU_SOURCES_CRESTMONT, /* and Skymont */
	VPMU_SOURCES_LION_COVE,
};

/* One personality: a row. personality_*.c define them, with the manual beside each. */
struct vpmu_uarch {
	const char *name;  /* as in uarch=NAME */
	const char *title; /* for people */
	char brand[48];    /* CPUID 0x80000002..4; terminated */
	enum vpmu_vendor vendor;
	uint32_t has; /* enum vpmu_trait */
	/* Hybrids have one thread in a core; 0: the CPU is no hybrid. */
	uint8_t core_type;              /* enum vpmu_core_type */
	const struct vpmu_uarch *small; /* the personality of the small cores */
	uint8_t threads;                /* threads of a core with hyper-threading; 0: two */
	uint32_t signature;             /* CPUID 1 EAX */
	uint8_t version;                /* architectural perfmon version, or PerfMonVn of AMD */
	uint8_t gp[2];                  /* general counters with hyper-threading off, on */
	uint16_t fixed;                 /* fixed counters, as a mask */
	uint8_t width;                  /* bits of a counter */
	uint8_t slots;                  /* issue slots in a cycle; 0: no slots event */
	uint8_t metrics;                /* shares that PERF_METRICS has: 0, 4 or 8 */
	uint16_t arch_events;       /* architectural events, a mask by their numbers in leaf 0AH */
	bool extended;              /* CPUID has leaf 23H */
	bool tells_slots;           /* leaf 23H reports the slots in a cycle */
	bool wide_select;           /* selectors have UMASK2 and EQ */
	uint64_t reloads;           /* counters with auto counter reload, as in GLOBAL_CTRL */
	uint8_t native_model;       /* the native model in CPUID 1AH; for hybrids */
	bool lvtpc_masks;           /* delivery of a PMI sets LVTPC's mask bit (Intel) */
	uint64_t perf_capabilities; /* IA32_PERF_CAPABILITIES */
	uint64_t offcore_bits[2];   /* valid in MSR_OFFCORE_RSP_0 and _1; 0: no such register */
	bool offcore_old;           /* they have Nehalem's bits */
	uint8_t sources;            /* enum vpmu_sources */
	bool latency_parts;         /* PEBS reports the cache's part of a load's latency, too */
	uint64_t offcore_remote;    /* bits of offcore_bits for memory of other nodes, which do not
				       exist */
	uint64_t offcore_prefetch;  /* bits of offcore_bits for prefetches into L1D; 0: bit 10 */
	uint64_t frontend_bits;     /* valid in MSR_PEBS_FRONTEND; 0: no such register */
	bool tsx_force_abort;       /* has MSR_TSX_FORCE_ABORT */
	bool pt;                    /* has Intel Processor Trace */
	uint8_t lbr_format;         /* Intel: enum lbr_format */
	uint8_t lbr_depth;          /* number of last branch records; 0: none */
	uint8_t lbr_flags;          /* upper bits of a record's source that are flags; the highest:
				       mispredicted */
	bool lbr_old;               /* the registers of last branches are at Core 2's addresses */
	bool brs;                   /* AMD: Branch Sampling instead of LbrExtV2 */
	uint32_t errata;            /* enum vpmu_erratum */
	uint32_t ibs;               /* AMD: CPUID 8000_001B EAX; 0: no Instruction-Based Sampling */
	bool amd_core;         /* AMD: PerfCtrExtCore, six counters at addresses of their own */
	uint8_t pebs_counters; /* general counters that can record, as a mask; 0: the first four */
	bool pebs_extended;    /* "extended PEBS": any event, any counter */
	struct cpuid_regs descriptors; /* Intel: CPUID 2 */
	const struct vpmu_event_table *events;
};

/* vpmu_uarch_find() - the row called `name`, or NULL. vpmu_uarch_list(): all rows. vpmu_uarch_of():
 * the row of CPU `number` of `cpus`; the second half of a hybrid are small cores. */
const struct vpmu_uarch *vpmu_uarch_find(const char *name);
const struct vpmu_uarch *const *vpmu_uarch_list(size_t *count);

/* vpmu_kvm_lacks() - the row plays KVM, whose guests get #GP at `msr`. Registers of the core's PMU
 * are not asked for here: the model has them. */
bool vpmu_kvm_lacks(const struct vpmu_uarch *uarch, uint32_t msr);

const struct vpmu_uarch *vpmu_uarch_of(const struct vpmu_uarch *uarch, unsigned number,
				       unsigned cpus);

/* vpmu_uarch_shape() - copies `uarch` with other counters (include/perf0/shape.h), followed by its
 * small cores. -EINVAL, with the reason in `why`, if that is impossible. */
int vpmu_uarch_shape(struct vpmu_uarch shaped[2], const struct vpmu_uarch *uarch,
		     const struct vpmu_shape *shape, struct reason *why);

enum vpmu_ring { VPMU_OS, VPMU_USR, VPMU_RINGS };

/* The guest's progress since the last call, by the ring in which each instruction was fetched. */
struct vpmu_progress {
	uint64_t instructions[VPMU_RINGS];
	uint64_t cycles[VPMU_RINGS];
	uint64_t ref_cycles[VPMU_RINGS];
	/* By enum events_count; NULL: no counts. Counts in vpmu_derived.used are valid. */
	const uint64_t *counts[VPMU_RINGS];
};

struct vpmu_counter {
	uint64_t value;   /* `width` bits */
	uint64_t rest;    /* rest of the division by den */
	uint64_t written; /* the last value that the guest wrote: it says what the counter is for */
	/* Events per instruction in each ring, in units of 1/den, while the counter runs and counts
	 * no counts of the plugin. Otherwise 0, and den is VPMU_COUNTER_STILL. */
	uint64_t each[VPMU_RINGS], den;
};

/* A denominator so large that no rest ever makes a whole event. */
#define VPMU_COUNTER_STILL UINT64_MAX

/* An overflow that is this far away marks a period of time, not a sample. */
#define VPMU_COUNTER_LONG (1ull << 28)

/* The rest of an event that has left its counter. */
struct vpmu_rest {
	uint64_t event; /* its selector, without the bits of interrupts and enabling; 0: free */
	uint64_t rest;
};
#define VPMU_RESTS 64

/* Events for a unit of progress: num/den of a source, or den/den cycles minus that. */
struct vpmu_rate {
	enum vpmu_source source;
	uint64_t num, den;
	bool inverted;
	struct vpmu_sum sum; /* for VPMU_SRC_COUNTS, and for instructions that the plugin counts */
};

/* A running counter. */
struct vpmu_live {
	uint64_t bit;   /* in GLOBAL_CTRL and GLOBAL_STATUS */
	uint8_t number; /* number among those of its kind */
	bool fixed;
	bool merged; /* with the next counter */
	bool interrupts;
	bool pebs;
	bool reloads; /* its overflow reloads counters */
	bool target;  /* its overflow is a target */
	bool runs[VPMU_RINGS];
	struct vpmu_rate rate;
	uint64_t per_instruction; /* 1/den of an event */
};

#define VPMU_EILVTS 4 /* AMD's extended interrupts of the local APIC */

/* AMD's Instruction-Based Sampling. Owner: model_ibs.c. */
struct vpmu_ibs {
	uint64_t fetch_ctl; /* without its count, whose bits 19:4 the register shows */
	uint64_t fetch_count;
	uint64_t fetch_linear, fetch_physical, fetch_extended;
	uint64_t op_ctl, op_rip, op_data, op_data2, op_data3;
	uint64_t dc_linear, dc_physical, target;
	uint64_t control;
	bool fetch_picked, op_picked; /* the last instruction is sampled, and not described yet */
	bool was_on;                  /* it was on since the measurement began */
	bool interrupts;
	uint64_t fetches; /* samples of fetches */
	uint32_t eilvt[VPMU_EILVTS];
	bool is_set_up; /* the guest has written to an extended interrupt */
};

/* Intel Processor Trace. Owner: model_pt.c. */
#define PT_CALLS 64
struct vpmu_pt {
	uint64_t ctl, status, output_base, mask_ptrs, cr3_match;
	bool is_on;   /* TraceEn, as packets have reported it */
	bool enabled; /* PacketEn */
	uint8_t outcomes,
		noutcomes;     /* outcomes without a packet yet, the oldest in the highest bit */
	uint8_t mode;          /* told last */
	uint64_t last_ip, tsc; /* told last */
	uint64_t since_psb;    /* bytes */
	unsigned ncalls, top;  /* calls that a decoder knows, and the place of the next one */
	uint64_t call[PT_CALLS];
};

/* One instruction that has retired. */
struct vpmu_op {
	uint64_t rip, rip_physical;
	bool has_rip_physical;
	bool branch, taken, returns;
	uint64_t target; /* the address that it led to */
	bool load, store;
	uint8_t bytes; /* size of the memory operand */
	bool has_linear, has_physical;
	uint64_t linear, physical;
	uint8_t rip_page_shift,
		page_shift;       /* log2 of the sizes of the pages at the physical addresses */
	bool unknown;             /* nothing but `rip` is known */
	struct events_last model; /* from the model of a core; number 0: unknown */
};

/* vpmu_access_of() - the first load or store that the model of a core has seen; NULL: none. */
static inline const struct events_access *vpmu_access_of(const struct events_last *last, bool store)
{
	for (unsigned i = 0; last->number && i < last->naccesses; i++)
		if (last->access[i].store == store)
			return &last->access[i];
	return NULL;
}

static inline const struct events_access *vpmu_op_access(const struct vpmu_op *op, bool store)
{
	return vpmu_access_of(&op->model, store);
}

/* An index of CPUID's rows: the first row for the leaf's lowest bits, and for each row the next. */
#define VPMU_LEAF_SLOTS    128
#define VPMU_MAX_LEAF_ROWS 64
struct vpmu_leaves {
	uint8_t first[VPMU_LEAF_SLOTS], next[VPMU_MAX_LEAF_ROWS];
};

struct geometry;

/* The counters that exist. Owner: model_msr.c. Sets are bits as in GLOBAL_CTRL. */
struct vpmu_layout {
	unsigned ngp, nfixed;  /* fixed counters have numbers below nfixed: those in uarch->fixed */
	unsigned told_gp;      /* general counters that CPUID 0AH reports */
	uint32_t told_fixed;   /* fixed counters that it reports, a mask */
	uint32_t told_events;  /* architectural events that it reports, a mask */
	uint64_t counters;     /* all counters */
	uint64_t counter_mask; /* the bits of a counter */
	uint64_t soon;         /* a counter that samples overflows within so many events */
};

/* The machine below. Owner: model.c; the hypervisor overwrites members that it knows better. */
struct vpmu_machine {
	unsigned threads;                /* of a core */
	unsigned package;                /* CPUs of the package; 0: those of one core */
	uint64_t tsc_hz;                 /* as Intel's brand string reports it; 0: it does not */
	uint64_t cycles_per_instruction; /* for vpmu_model_until() */
	bool estimates;                  /* instructions and cycles are estimated by elapsed time */
	bool ipc1;                       /* an instruction takes one cycle; no time is modelled */
	uint32_t errata;                 /* enum vpmu_erratum */
	bool clock_is_modelled;          /* time goes by modelled cycles, so they always count */
	bool hides_hypervisor;           /* CPUID does not report a hypervisor */
};

/* Registers of counting. Owner: model_msr.c; counters: model.c. */
struct vpmu_registers {
	struct vpmu_counter gp[VPMU_MAX_GP], fixed[VPMU_MAX_FIXED];
	uint64_t evtsel[VPMU_MAX_GP];
	const struct vpmu_event *event[VPMU_MAX_GP]; /* that evtsel selects; NULL: none */
	uint64_t misc_enable, steal_time;
	uint64_t fixed_ctrl, global_ctrl, global_status, debugctl;
	uint64_t perf_metrics, offcore_rsp[2], ld_lat, frontend, tsx_force_abort;
};

/* The PMI. Owner: model.c. */
struct vpmu_pending_pmi {
	uint64_t pending;         /* status bits whose PMI was not delivered yet */
	uint64_t skid, skid_left; /* instructions from an overflow to its PMI; those left */
};

/* Auto counter reload. Owner: model_reload.c. Sets are bits as in GLOBAL_CTRL. */
struct vpmu_reload {
	struct {
		uint64_t causes; /* counters whose overflow sets this one */
		uint32_t value;  /* its value then */
	} counter[VPMU_RELOADS];
	uint64_t causes; /* of all counters */
	uint64_t due;    /* those of `causes` that have just overflowed */
};

/* Faults by the firmware. Owner: model_faults.c. */
struct vpmu_firmware {
	uint64_t occupied; /* counters that it uses and the guest has not written yet */
	uint64_t steal;    /* instructions counted until it takes a counter; 0: never */
	uint64_t still;    /* counters that stand still */
	uint64_t unready;  /* counters that VPMU_COUNTERS_RESET keeps from counting */
	bool was_reset;    /* the sequence that makes them count came last */
};

/* PEBS. Owner: model_pebs.c. Sets are bits as in GLOBAL_CTRL. */
struct vpmu_pebs_state {
	uint64_t ds_area, enable, data_cfg; /* registers */
	uint64_t armed; /* counters that overflowed: the next event is recorded */
	uint64_t due;   /* counters whose event has happened */
	uint64_t now;   /* counters that had events in the last vpmu_model_advance() */
	uint64_t gp_after[VPMU_MAX_GP], fixed_after[VPMU_MAX_FIXED]; /* events since that event */
};

/* Last branch records. Owner: model_branch.c. */
struct vpmu_lbr {
	bool exists;       /* the machine below reports branches */
	uint64_t select;   /* MSR_LBR_SELECT, or IA32_LBR_CTL */
	uint64_t dbg_extn; /* AMD's MSR_AMD_DBG_EXTN_CFG */
	struct branch_stack stack;
	bool samples; /* Branch Sampling: an overflow waits for the records */
};

/* Traced branches. Owner: model_trace.c. */
struct vpmu_trace {
	bool exists; /* the machine below reports all branches, and stops the guest in time */
	bool was_on; /* ever: the plugin goes on looking at branches between two traces */
};

/* Results of vpmu_model_derive() from the registers, kept as each exit needs them. */
struct vpmu_derived {
	unsigned nlive, ntargets;
	struct vpmu_live live[VPMU_MAX_GP + VPMU_MAX_FIXED];
	bool asymmetric, measures_metrics;
	bool traces, follows;     /* all branches are traced; last branches are recorded */
	bool uses_counts;         /* `used` is not empty */
	bool is_intricate;        /* a running counter has more to it than its `each` */
	bool times[VPMU_RINGS];   /* a running counter counts modelled time there */
	enum events_level needed; /* by the counters; falls when no event is selected any more */
	uint64_t used[VPMU_USED_WORDS]; /* counts that running counters need */
};

/* Abilities of QEMU's plugin. Owner: model.c. */
struct vpmu_plugin {
	enum events_level level;  /* the highest */
	bool counts_instructions; /* instructions are counts of the plugin, as no clock tells them
				   */
	bool stops;               /* the guest can be stopped where a count reaches a target */
};

/* Rests of events that had counters since the measurement began. Owner: model_msr.c. */
struct vpmu_rests {
	struct vpmu_rest rest[VPMU_RESTS];
	unsigned n, oldest; /* the oldest makes room for a new one */
};

/* Instructions that were executed while a counter counted modelled time. Owner: model.c. */
struct vpmu_timed {
	uint64_t instructions;
	uint64_t rowless[EVENTS_ROWLESS_KINDS]; /* those without a row in the core's tables */
};

struct vpmu_model {
	const struct vpmu_uarch *uarch;
	const struct geometry *geometry; /* of its core */
	struct vpmu_rows rows;
	struct vpmu_leaves leaves;
	struct vpmu_layout layout;
	struct vpmu_machine machine;
	struct vpmu_registers regs;
	struct vpmu_timed timed;
	uint64_t topdown[VPMU_TOPDOWN]; /* slots of each category since perf_metrics was written;
					   some are multiples: model.c */
	struct vpmu_pending_pmi pmi;
	struct vpmu_reload reload;
	struct vpmu_firmware firmware;
	struct vpmu_ibs ibs; /* owner: model_ibs.c */
	struct vpmu_pebs_state pebs;
	struct vpmu_lbr lbr;
	struct vpmu_trace trace;
	struct vpmu_pt pt; /* owner: model_pt.c */
	struct vpmu_derived derived;
	struct vpmu_plugin plugin;
	struct vpmu_rests rests;
};

/* vpmu_model_init() - the state after reset (SDM vol. 3, "Processor State After Reset"). */
void vpmu_model_init(struct vpmu_model *m, const struct vpmu_uarch *uarch, bool ht_on,
		     uint64_t cycles_per_instruction);

/*
 * vpmu_model_beside() - the machine also has cores of `other`. CPUID then reports only the counters
 * and events that all cores have.
 */
void vpmu_model_beside(struct vpmu_model *m, const struct vpmu_uarch *other);

/*
 * vpmu_model_fail() - the PMU has these faults from now on. vpmu_model_occupy() - the firmware uses
 * `counters`, bits as in GLOBAL_CTRL. vpmu_faults_cpuid() - changes an answer of CPUID according to
 * `faults`.
 */
void vpmu_model_fail(struct vpmu_model *m, const struct vpmu_faults *faults);
void vpmu_model_occupy(struct vpmu_model *m, uint64_t counters);
void vpmu_faults_cpuid(const struct vpmu_faults *faults, uint32_t leaf, struct cpuid_regs *r);

/* vpmu_model_event() - the row that selector `sel` names on general counter `i`, or NULL. */
const struct vpmu_event *vpmu_model_event(const struct vpmu_model *m, unsigned i, uint64_t sel);

enum vpmu_access {
	VPMU_DONE,     /* emulated */
	VPMU_GP,       /* the guest gets #GP(0) */
	VPMU_NOT_OURS, /* not an MSR of the PMU */
};

/* Call vpmu_model_advance() up to the accessing instruction first. `v` is written only with
 * VPMU_DONE. */
enum vpmu_access vpmu_model_rdmsr(struct vpmu_model *m, uint32_t msr, uint64_t *v);
enum vpmu_access vpmu_model_wrmsr(struct vpmu_model *m, uint32_t msr, uint64_t v);
bool vpmu_model_wrmsr_faults(const struct vpmu_model *m, uint32_t msr, uint64_t v); /* or would */
enum vpmu_access vpmu_model_rdpmc(struct vpmu_model *m, uint32_t ecx, uint64_t *v);

/*
 * vpmu_model_cpuid() - turns the machine's own answer for (leaf, subleaf) in `r` into the
 * personality's.
 */
void vpmu_model_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		      struct cpuid_regs *r);

/* vpmu_model_describe() - the answers of include/perf0/vpmu.h about the model: its identity, and
 * the events that it counts. False: the leaf is not one of them. */
bool vpmu_model_describe(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
			 struct cpuid_regs *r);

/* vpmu_model_counts() - from now on the plugin counts up to `level`: events that need no higher
 * level use its counts, and others a ratio. */
void vpmu_model_counts(struct vpmu_model *m, enum events_level level);

/*
 * vpmu_model_clock() - from now on the guest's time goes by modelled cycles.
 * vpmu_models_time() - whether cycles are the model's.
 */
void vpmu_model_clock(struct vpmu_model *m);
bool vpmu_models_time(const struct vpmu_model *m);

/* vpmu_model_counts_instructions() - from now on the plugin counts instructions (`counts`), or a
 * clock does. */
void vpmu_model_counts_instructions(struct vpmu_model *m, bool counts);

/* vpmu_model_stops() - from now on the guest is stopped where a count reaches a target, or not. */
void vpmu_model_stops(struct vpmu_model *m, bool stops);

/* vpmu_model_begin() - a measurement begins: forgets the level that earlier ones needed, and the
 * rests of events. */
void vpmu_model_begin(struct vpmu_model *m);

/* vpmu_model_fetch_latency() - the least latency of lines of code that count as late, in cycles. */
static inline uint32_t vpmu_model_fetch_latency(const struct vpmu_model *m)
{
	return m->regs.frontend >> 8 & 0xfff;
}

/* vpmu_rests_forget() - forgets the rests of events, also of running counters: from here on cycles
 * are counted from the beginning of one. */
void vpmu_rests_forget(struct vpmu_model *m);

#define VPMU_XMMS 16

/* The guest's state right behind the instruction whose event is recorded. */
struct vpmu_state {
	uint64_t eventing_ip; /* of that instruction */
	uint64_t rip, rflags;
	uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t tsc;
	uint64_t xmm[VPMU_XMMS][2]; /* where vpmu_model_wants_xmms() */
	uint64_t address;           /* linear address of its memory operand; 0: none, or unknown */
	struct events_last model;   /* of that instruction; number 0: not known */
};

/* The guest's memory by linear address. False: not all of it is mapped. */
struct vpmu_memory {
	bool (*read)(uint64_t va, void *buf, size_t n);
	bool (*write)(uint64_t va, const void *buf, size_t n);
};

/*
 * vpmu_model_due() - whether the last vpmu_model_advance() ended with an event that PEBS records.
 * vpmu_model_record() then writes the record, reloads the counters, and raises the PMI at the
 * buffer's threshold. vpmu_model_wants_access(): the event is of instructions that load, or store.
 * vpmu_model_due_is_counted(): the plugin counts the event, so the instruction has it.
 */
enum vpmu_access_kind { VPMU_ANY_ACCESS, VPMU_LOAD, VPMU_STORE };
bool vpmu_model_due(const struct vpmu_model *m);
enum vpmu_access_kind vpmu_model_wants_access(const struct vpmu_model *m);
bool vpmu_model_due_is_counted(const struct vpmu_model *m);

/* vpmu_model_wants_xmms() - whether the record that is due has XMM registers. */
bool vpmu_model_wants_xmms(const struct vpmu_model *m);

/* vpmu_model_due_now() - whether the last vpmu_model_advance() had the event. Where the guest stops
 * late, a record may wait for the next instruction that has it. */
bool vpmu_model_due_now(const struct vpmu_model *m);
void vpmu_model_record(struct vpmu_model *m, const struct vpmu_state *s,
		       const struct vpmu_memory *memory);

/* vpmu_model_advance() - counts; wraps set GLOBAL_STATUS and, where enabled, pmi_pending. */
void vpmu_model_advance(struct vpmu_model *m, const struct vpmu_progress *p);

/*
 * vpmu_model_until() - instructions to execute in `ring` until the next overflow that raises a PMI,
 * sampled instruction, or event that PEBS records. 0: a PMI is pending; UINT64_MAX: none will come.
 */
uint64_t vpmu_model_until(const struct vpmu_model *m, enum vpmu_ring ring);

/* vpmu_model_record_is_next() - whether a record is due at the next instruction in `ring`. */
bool vpmu_model_record_is_next(const struct vpmu_model *m, enum vpmu_ring ring);

/* vpmu_model_samples() - an instruction may be sampled, by PEBS or IBS. */
bool vpmu_model_samples(const struct vpmu_model *m);

/*
 * vpmu_model_targets() - the targets in `ring` for overflows that vpmu_model_until() leaves out, as
 * the plugin stops the guest there. Returns how many. vpmu_model_targets_record(): PEBS records at
 * one of them, in any ring.
 */
bool vpmu_model_targets_record(const struct vpmu_model *m);
unsigned vpmu_model_targets(const struct vpmu_model *m, enum vpmu_ring ring,
			    struct events_target targets[VPMU_TARGETS]);

/*
 * vpmu_model_asymmetric() - whether a running counter counts one ring and not the other, or has
 * done so since an event was first selected. So each turn costs the guest the same while events
 * take turns on the counters.
 */
bool vpmu_model_asymmetric(const struct vpmu_model *m);

/*
 * vpmu_model_deliver() - delivers one PMI for all pending status bits; applies freeze on PMI.
 * Returns false when nothing was pending.
 */
bool vpmu_model_deliver(struct vpmu_model *m);

/* vpmu_model_branches_on() - whether last branches are recorded now. vpmu_model_branches_wanted() -
 * the kinds of branches to record that end in `ring`, as bits of enum branch_kind; 0: none. */
bool vpmu_model_branches_on(const struct vpmu_model *m);
uint8_t vpmu_model_branches_wanted(const struct vpmu_model *m, enum vpmu_ring ring);

/* vpmu_model_branch() - records a taken branch that ends in `ring`. */
void vpmu_model_branch(struct vpmu_model *m, enum vpmu_ring ring, enum branch_kind kind,
		       struct branch_record record);

/*
 * vpmu_model_ibs_waits() - whether IBS samples the last instruction of the last
 * vpmu_model_advance(); vpmu_model_ibs_pick() then describes that instruction.
 * vpmu_model_ibs_deliver(): delivers an interrupt for the samples since the last time; false: there
 * is none.
 */
bool vpmu_model_ibs_waits(const struct vpmu_model *m);
void vpmu_model_ibs_pick(struct vpmu_model *m, const struct vpmu_op *op);
bool vpmu_model_ibs_deliver(struct vpmu_model *m);

/*
 * vpmu_eilvt_read(), _write() - the local APIC's extended interrupt `i`, below VPMU_EILVTS.
 * vpmu_model_ibs_lvt() - the one by which IBS interrupts. If the guest was not seen to write it, it
 * is taken for an unmasked NMI, as every system sets it.
 */
uint32_t vpmu_eilvt_read(const struct vpmu_model *m, unsigned i);
void vpmu_eilvt_write(struct vpmu_model *m, unsigned i, uint32_t v);
uint32_t vpmu_model_ibs_lvt(const struct vpmu_model *m);

#endif
