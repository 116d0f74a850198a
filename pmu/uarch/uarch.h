/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch.h - facts about microarchitectures, as rows: their models, the counters of their PMU and
 * their errata. A row also has the event select of each generic event, the events that only some
 * counters can count, and the events that need an extra register.
 *
 * Event selects have the format of IA32_PERFEVTSELx and AMD's PERF_CTLx without the enabling bits;
 * 0 means that there is none. A constraint matches where the bits of its mask agree, and the first
 * that matches holds. An event without a constraint may use every general counter. Counter masks
 * name general counters from bit 0 and fixed counters from bit 32. They hold with hyper-threading
 * off; with it on, uarch_machine_counters() removes the counters of the sibling. On the CPU that
 * perf0 runs on, CPUID overrides the tables.
 *
 * A microarchitecture is `like` another one, its parent, and states only the differences:
 *   - a number, a generic event or a list that it does not state (0, NULL) is the parent's;
 *   - rows of constraints, cache events and extra registers come before the parent's rows. A row
 *     for the same events (match and mask; cache and operation) replaces the parent's, whatever
 *     versions of Linux either is for. Constraints for all events with some modifier (no event
 *     code in the mask) come before all others;
 *   - UARCH_NOT...(), UARCH_NO_EXTRA(), UARCH_NO_CACHE() and UARCH_NONE remove an entry of the
 *     parent;
 *   - names, models, errata and the note are never inherited.
 * A microarchitecture without a parent states everything. Code that needs a fact calls the
 * functions below: the members of struct uarch are the statements of one microarchitecture, without
 * its parents'.
 *
 * A table states the behaviour that the hardware guarantees. Where Linux had another constraint for
 * a while, the row has the versions from which and up to which Linux had it: `since` and `until`.
 *
 * To add a microarchitecture:
 *   1. NAME.c: its rows, with the manual or the event file that they are from. The best parent
 *      leaves the fewest rows to write. Where more rows would be removed than kept, it has none.
 *      Where PEBS records some events only: their list in precise_events.c.
 *   2. rows.h: a line, after its parent's.
 *   3. tests/unit/uarch/test_uarch_names.c: one of its CPUs in test_cpus(), names;
 *      test_uarch_facts.c: its counters in test_machines(), facts by hand. test_uarch_parents.c
 *      refuses rows that repeat the parent's.
 *   4. tests/uarch-check with a digest of Intel's event file, if there is one: it has to print no
 *      difference but those that the comment of NAME.c explains.
 *   5. pmu/names/dynamic.c: its name in the list of each PMU that it has beside the core's.
 *   6. vpmu/model/personality.h: only if vpmu is to simulate it; made from the manuals again, not
 * from here.
 */
#ifndef PMU_UARCH_UARCH_H
#define PMU_UARCH_UARCH_H

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/msr.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UARCH_SELECT(code, umask) ((uint64_t)(umask) << 8 | (code))
/* AMD's event select has 12 bits: the upper four lie at 35:32. */
#define UARCH_AMD_SELECT(code, umask) \
	((uint64_t)((code) >> 8) << 32 | UARCH_SELECT((code)&0xff, umask))
#define UARCH_CMASK(n) ((uint64_t)(n) << 24)

#define UARCH_CODE  EVTSEL_EVENT
#define UARCH_EXACT (EVTSEL_EVENT | EVTSEL_UMASK)
#define UARCH_FULL  (UARCH_EXACT | EVTSEL_CMASK | EVTSEL_INV)
/*
 * Intel's modifiers with TSX: count in transactions only; leave out transactions that abort (SDM
 * vol. 3, "Intel TSX PMU Events and Implementation").
 */
#define UARCH_IN_TX   (1ull << 32)
#define UARCH_IN_TXCP (1ull << 33)
/* A fixed counter has none of these modifiers: only the plain event may use it. */
#define UARCH_PLAIN                                                                 \
	(UARCH_FULL | EVTSEL_EDGE | UARCH_IN_TX | UARCH_IN_TXCP | EVTSEL_INTEL_EQ | \
	 EVTSEL_INTEL_UMASK2)
#define UARCH_AMD_CODE (UARCH_CODE | EVTSEL_AMD_EVENT_HI)

#define UARCH_FIXED(n) (1ull << (GLOBAL_FIXED_SHIFT + (n)))
#define UARCH_GENERAL  0xffffffffull
#define UARCH_LOW4     0x0full

/*
 * Versions of Linux, in order; a release comes after its candidates. UARCH_NOW: the hardware's
 * behaviour, without a version.
 */
#define UARCH_LINUX_RC(major, minor, rc) ((uint32_t)((major) << 16 | (minor) << 8 | (rc)))
#define UARCH_LINUX(major, minor)        UARCH_LINUX_RC(major, minor, 0xff)
#define UARCH_NOW                        UINT32_MAX

/* The document or observation that a row is from. */
enum uarch_source {
	UARCH_PERFMON, /* Intel's event files (perfmon), columns Counter, CounterHTOff, MSRIndex */
	UARCH_SDM,     /* Intel SDM, volumes 3 and 4 */
	UARCH_UPDATE,  /* the model's specification update */
	UARCH_BKDG,    /* AMD's BIOS and kernel developer's guides, families up to 16h */
	UARCH_PPR,     /* AMD's processor programming references, from family 17h on */
	UARCH_FIELD,   /* observed: the constraints of Linux's perf, and their versions */
	UARCH_NSOURCES,
};

#define UARCH_OVERLAP   0x01 /* neither a subset nor a superset of its equals: assigned with care */
#define UARCH_SHARED_NB 0x02 /* northbridge: one core of the node at a time on each counter */
#define UARCH_PAIR      0x04 /* more than 15 a cycle: takes the odd counter above it as well */
#define UARCH_PEBS_ONLY 0x08 /* meaningful only as a precise event */
#define UARCH_ALONE     0x10 /* no other event may count beside it */
#define UARCH_GONE      0x80 /* no constraint: removes the parent's for these events */

struct uarch_constraint {
	uint64_t match, mask;
	uint64_t counters; /* 0: no counter counts the event */
	const char *name;  /* of the event, or of all events with the code */
	uint8_t source;    /* enum uarch_source */
	uint8_t flags;     /* UARCH_OVERLAP... */
	uint32_t since;    /* Linux has it from this version on; 0: always */
	uint32_t until;    /* Linux had it before this; 0: still has it. Not true of hardware */
};

/* Rows for one event, or for all events with a code; the last arguments set further members. */
#define UARCH_ROW(match_, mask_, counters_, name_, source_, ...)                              \
	{                                                                                     \
		.match = (match_), .mask = (mask_), .counters = (counters_), .name = (name_), \
		.source = (source_), __VA_ARGS__                                              \
	}
#define UARCH_EVENT(code, umask, counters, name, ...)                                    \
	UARCH_ROW(UARCH_SELECT(code, umask), UARCH_EXACT, counters, name, UARCH_PERFMON, \
		  __VA_ARGS__)
#define UARCH_EVENTS(code, counters, name, ...) \
	UARCH_ROW(UARCH_SELECT(code, 0), UARCH_CODE, counters, name, UARCH_PERFMON, __VA_ARGS__)

/* The parent's row for these events, which has this name, does not hold. */
#define UARCH_NOT(match_, mask_, name_)                                                  \
	{                                                                                \
		.match = (match_), .mask = (mask_), .name = (name_), .flags = UARCH_GONE \
	}
#define UARCH_NOT_EVENT(code, umask, name) UARCH_NOT(UARCH_SELECT(code, umask), UARCH_EXACT, name)
#define UARCH_NOT_EVENTS(code, name)       UARCH_NOT(UARCH_SELECT(code, 0), UARCH_CODE, name)

/*
 * Extra registers beside the event select. Events that use the same register need the same value in
 * it.
 */
enum uarch_register {
	UARCH_OFFCORE_0,
	UARCH_OFFCORE_1,
	UARCH_LOAD_LATENCY,
	UARCH_FRONTEND,
	UARCH_SNOOP_0,
	UARCH_SNOOP_1,
	UARCH_LBR_SELECT, /* only branch records need it: its match matches no event */
};

struct uarch_extra {
	uint64_t match, mask; /* the events that need the register */
	uint64_t valid;       /* bits that may be set in the register */
	uint64_t alternative; /* select of the same event by another register; 0: none */
	uint32_t msr;         /* 0: no register, though the parent has one for the events */
	uint8_t reg;          /* enum uarch_register */
	bool shared;          /* by the hyper-threads of a core: both need the same value */
	uint8_t source;
	const char *name;
};

/* The kinds of errata, and Linux's workarounds. One fact may take several rows. */
enum uarch_trouble {
	/*
	 * The matching events and those on the sibling's counter of the same number disturb each
	 * other: no other event may be there. With hyper-threading only.
	 */
	UARCH_HT_EXCLUSIVE,
	/* At most half of the general counters for a hyper-thread that has an exclusive event. */
	UARCH_HT_LIMIT,
	/* The same for every hyper-thread, with the fixed counters included. A record of Linux's
	 * history, which only a test reads. */
	UARCH_HT_LIMIT_ALL,
	/*
	 * Linux's workaround: no counter for the matching events. `perf0 plan --kernel` reads it;
	 * the image does not. For hardware use a constraint without counters.
	 */
	UARCH_FORBIDDEN,
	/* Transactions may take `counters` (TSX_FORCE_ABORT, bit 0 clear). */
	UARCH_TSX_TAKES,
};

struct uarch_erratum {
	uint8_t trouble; /* enum uarch_trouble */
	uint8_t source;
	uint64_t match, mask; /* the events; 0, 0: all */
	uint64_t counters;
	const char *name; /* the erratum's number or title */
	uint32_t since,
		until; /* Linux has the workaround from `since` on and before `until`; 0: open */
};

/* A generic cache event, as in perf_event_open(2): PERF_COUNT_HW_CACHE_... and its operation. */
struct uarch_cache {
	uint8_t cache, op;
	uint64_t select[PERF_COUNT_HW_CACHE_RESULT_MAX]; /* accesses, misses */
	uint64_t value[PERF_COUNT_HW_CACHE_RESULT_MAX];  /* of the register that the selects need */
};

#define UARCH_CACHE(cache_, op_, access, miss)                                             \
	{                                                                                  \
		.cache = PERF_COUNT_HW_CACHE_##cache_, .op = PERF_COUNT_HW_CACHE_OP_##op_, \
		.select = {(access), (miss)},                                              \
	}
/*
 * A cache event by an off-core response register, with the register's values for accesses and for
 * misses.
 */
#define UARCH_CACHE_OFFCORE(cache_, op_, event, access, miss)                              \
	{                                                                                  \
		.cache = PERF_COUNT_HW_CACHE_##cache_, .op = PERF_COUNT_HW_CACHE_OP_##op_, \
		.select = {(event), (miss) ? (event) : 0}, .value = {(access), (miss)},    \
	}
#define UARCH_NO_CACHE(cache, op) UARCH_CACHE(cache, op, 0, 0)

/*
 * The events that PEBS can record where it cannot record all. For some events that it cannot
 * record, `same` has one that counts the same. Plain event selects.
 */
struct uarch_same {
	uint64_t select, precise;
};
struct uarch_precise {
	const uint16_t *events; /* event select and umask */
	size_t nevents;
	const struct uarch_same *same;
	size_t nsame;
};

/*
 * The least distance of a counter from its overflow: at least `least` events, and a multiple of
 * `step`. It holds for events that match, from precise_ip `precise` on. The first row that matches
 * holds.
 */
struct uarch_setting {
	uint64_t match, mask;
	uint8_t precise;
	uint16_t least, step; /* step: a power of two */
	uint8_t source;
	const char *name; /* of the erratum, or of the reason */
};

/* The encoding of a load's data source in PEBS records; pmu/driver/datasrc.c has the tables. */
enum uarch_sources {
	UARCH_SOURCES_PARENT, /* the parent's; UARCH_SOURCES_SANDYBRIDGE without a parent */
	UARCH_SOURCES_SANDYBRIDGE,
	UARCH_SOURCES_SKYLAKE,
	UARCH_SOURCES_SKYLAKEX,   /* with persistent memory where others have a fourth level */
	UARCH_SOURCES_GOLDENCOVE, /* this and the following also encode the reason that blocked a
				     load */
	UARCH_SOURCES_SAPPHIRERAPIDS,
	UARCH_SOURCES_GRACEMONT,
	UARCH_SOURCES_CRESTMONT,
	UARCH_SOURCES_LIONCOVE,
	UARCH_NSOURCE_TABLES
};

/* An event under perf's name: for memory accesses, or for top-down. */
struct uarch_named {
	const char *name;
	uint64_t select;
	uint64_t config1; /* the default value of its register */
};

#define UARCH_ATOM 0x20 /* core types of CPUID leaf 0x1A */
#define UARCH_CORE 0x40

struct uarch_model {
	uint16_t family, first, last;
	uint8_t core;   /* of a hybrid: UARCH_ATOM, UARCH_CORE; 0: any */
	uint8_t native; /* leaf 0x1A EAX 7:0 where it distinguishes the cores; 0: any */
	uint8_t stepping, steppings; /* the first, and the number of steppings; 0: any */
};

/* In `generic`: there is no such event, though the parent has one. */
#define UARCH_NONE UINT64_MAX

struct uarch {
	/* These members are never inherited. */
	const char *name;
	const char *aliases; /* separated by blanks; one is the name of Intel's event file */
	const char *pfm;     /* libpfm4's name of the core PMU; "": none */
	enum cpu_vendor vendor;
	struct uarch_model models[12]; /* ends with a family of 0 */
	const struct uarch_erratum *errata;
	size_t nerrata;
	const char *note; /* NULL: no note */

	const struct uarch *like; /* the parent, of the same vendor; NULL: none */

	/* The PMU of these models, for planning on another machine. 0: as the parent. */
	uint8_t gp, gp_ht; /* general counters with hyper-threading off and on; gp_ht 0: no HT. Both
			      are given, or both are the parent's */
	uint8_t fixed;     /* mask of the fixed counters, which may have gaps */
	uint8_t width;     /* of general counters, bits */
	uint8_t fixed_width; /* bits */
	uint64_t pebs;       /* the counters that can sample precisely */
	/*
	 * Last branch records, where CPUID does not describe them: the number, and the registers of
	 * the first one; depth 0: the parent's.
	 */
	struct uarch_lbr {
		uint8_t depth;
		bool mispredicts; /* bit 63 of a source, though the format is of plain addresses */
		uint16_t from, to;
	} lbr;
	uint8_t metrics;    /* shares of the slots in PERF_METRICS */
	bool latency_parts; /* bits 47:32 of a load's latency are the cache's, 15:0 the whole */
	/*
	 * The events of memory accesses under perf's names: mem-loads, with a latency, and
	 * mem-stores; a name of NULL ends the list.
	 */
	const struct uarch_named *memory;
	/*
	 * A load latency counts only in a group where this event is the leader or precedes it. 0:
	 * it needs no such event.
	 */
	uint64_t latency_aux;
	uint8_t sources; /* enum uarch_sources */
	bool mid_ack;    /* LVTPC is unmasked before the counters resume, while they are stopped */
	const struct uarch_setting *settings; /* NULL: the parent's */
	size_t nsettings;
	const struct uarch_precise
		*precise; /* NULL, also in all parents: all events, or not known */

	uint64_t generic[PERF_COUNT_HW_MAX]; /* 0: the parent's; UARCH_NONE: none */

	/* These rows come before the parent's. */
	const struct uarch_cache *caches;
	size_t ncaches;
	const struct uarch_constraint *constraints;
	size_t nconstraints;
	const struct uarch_extra *extras;
	size_t nextras;
};

#define UARCH_COUNT(table)       (sizeof(table) / sizeof((table)[0]))
#define UARCH_CACHES(table)      .caches = (table), .ncaches = UARCH_COUNT(table)
#define UARCH_CONSTRAINTS(table) .constraints = (table), .nconstraints = UARCH_COUNT(table)
#define UARCH_SETTINGS(table)    .settings = (table), .nsettings = UARCH_COUNT(table)
#define UARCH_EXTRAS(table)      .extras = (table), .nextras = UARCH_COUNT(table)
#define UARCH_ERRATA(table)      .errata = (table), .nerrata = UARCH_COUNT(table)

/*
 * The nearest of `from`, its parent, the parent's parent... that states `member`; if none states
 * it, the last of them.
 */
#define UARCH_WITH(from, member)                      \
	({                                            \
		const struct uarch *with_ = (from);   \
		while (!with_->member && with_->like) \
			with_ = with_->like;          \
		with_;                                \
	})

/* SDM vol. 3, "Pre-defined Architectural Performance Events"; ref-cycles by its fixed counter. */
#define UARCH_INTEL_ARCHITECTURAL                                       \
	[PERF_COUNT_HW_CPU_CYCLES] = UARCH_SELECT(0x3c, 0x00),          \
	[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_SELECT(0xc0, 0x00),        \
	[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_SELECT(0x2e, 0x4f),    \
	[PERF_COUNT_HW_CACHE_MISSES] = UARCH_SELECT(0x2e, 0x41),        \
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_SELECT(0xc4, 0x00), \
	[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_SELECT(0xc5, 0x00),       \
	[PERF_COUNT_HW_BUS_CYCLES] = UARCH_SELECT(0x3c, 0x01),          \
	[PERF_COUNT_HW_REF_CPU_CYCLES] = UARCH_SELECT(0x00, 0x03)

/*
 * The fixed counters and their events, which are the same for all of Intel's. They come before the
 * constraints.
 */
extern const struct uarch_constraint uarch_intel_fixed[];
extern const size_t uarch_intel_nfixed;

/* The rows for CPUs of an unknown model. They have no models and are in no list. */
extern const struct uarch uarch_intel_generic, uarch_amd_generic;

/* uarch_find() - the row of this CPU, or its vendor's fallback; never NULL. Any context. */
const struct uarch *uarch_find(const struct pmu_caps *caps);

/*
 * uarch_by_name() - the row with this name or alias, in upper or lower case; NULL: there is none.
 * The name of a hybrid alone ("adl") means its large cores.
 * uarch_list() - row number `i` from 0; NULL: there are no more. Any context.
 */
const struct uarch *uarch_by_name(const char *name);

/* uarch_is_kvm_name() - true: the name means a guest of KVM on that microarchitecture. Any context.
 */
bool uarch_is_kvm_name(const char *name);

/*
 * uarch_has_core() - true: these are the cores of kind `core` (UARCH_CORE, UARCH_ATOM; 0: any kind)
 * of a hybrid. uarch_beside() - the first row with the cores of the other kind on the same CPU;
 * NULL: there are none. Any context.
 */
bool uarch_has_core(const struct uarch *uarch, uint8_t core);
const struct uarch *uarch_beside(const struct uarch *uarch);
const struct uarch *uarch_list(size_t i);

/*
 * uarch_suggest() - writes the names and aliases that are similar to `name`, separated by ", ",
 * into `size` bytes; "": none. Task context.
 */
void uarch_suggest(const char *name, char *text, size_t size);

/*
 * uarch_lbr() - the last branch records of these models; depth 0: there are none, or CPUID
 * describes them. uarch_branches() - the register that filters them; NULL: not known. Any context.
 */
struct uarch_lbr uarch_lbr(const struct uarch *uarch);
const struct uarch_extra *uarch_branches(const struct uarch *uarch);

/*
 * Top-down metrics (SDM vol. 3, "Performance Metrics"): PERF_METRICS has shares of the slots that
 * fixed counter 3 counted, in 255ths, a byte each. As events they have code 0 and a unit mask from
 * UARCH_METRIC_UMASK on, as Linux numbers them. uarch_is_metric() - true: `select` is one of the
 * first `metrics` of them. uarch_metric_shift() - its lowest bit in PERF_METRICS. uarch_metrics() -
 * the number of metrics of these models; 0: none. Any context.
 */
#define UARCH_METRICS_MOST  8
#define UARCH_METRIC_UMASK  0x80
#define UARCH_METRIC_LINUX  UARCH_LINUX(5, 10) /* Linux has them from this version on */
#define UARCH_SLOTS         UARCH_SELECT(0, 4)
#define UARCH_SLOTS_COUNTER 3 /* number of the fixed counter */
static inline bool uarch_is_metric(uint64_t select, unsigned metrics)
{
	return !(select & UARCH_CODE) &&
	       ((select & UARCH_EXACT) >> 8) - UARCH_METRIC_UMASK < metrics;
}
static inline unsigned uarch_metric_shift(uint64_t select)
{
	return 8 * (unsigned)((select >> 8) % UARCH_METRICS_MOST);
}
unsigned uarch_metrics(const struct uarch *uarch);

/* uarch_has_latency_parts() - true: PEBS records a load's latency in two parts. Any context. */
bool uarch_has_latency_parts(const struct uarch *uarch);

/*
 * uarch_is() - true: `caps` is one of `uarch`'s models. At most one row of the list has it. Any
 * context.
 */
bool uarch_is(const struct uarch *uarch, const struct pmu_caps *caps);

/*
 * uarch_machine_counters() - the counters of these models. uarch_general() - the number of general
 * ones, with hyper-threading (`ht_on`) or without; 0 with it: there is no hyper-threading. Any
 * context.
 */
uint64_t uarch_machine_counters(const struct uarch *uarch, bool ht_on);
unsigned uarch_general(const struct uarch *uarch, bool ht_on);

/*
 * uarch_generic(), uarch_cache() - the event select of PERF_COUNT_HW_..., and of
 * PERF_COUNT_HW_CACHE_... with its operation and result; 0: there is none, or no such number.
 * uarch_cache_value() - the value of the register that the cache event needs; 0: it needs none. Any
 * context.
 */
uint64_t uarch_generic(const struct uarch *uarch, uint64_t event);
uint64_t uarch_cache(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result);
uint64_t uarch_cache_value(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result);

/*
 * uarch_constraint() - the row for `select`, as Linux `version` (UARCH_LINUX()) had it, or as the
 * hardware is (UARCH_NOW). NULL: there is none, and the event may use all general counters. Any
 * context.
 */
const struct uarch_constraint *uarch_constraint(const struct uarch *uarch, uint64_t select,
						uint32_t version);

/*
 * uarch_raw_select() - the event select of a raw event: `config` without the bits that
 * perf_event_open(2) silently drops. The kernel sets the bits of the rings, the interrupt, the
 * enabling and the pin. AMD's AnyThread does not exist, and the bits for hosts and guests come from
 * the attr. Any context.
 */
uint64_t uarch_raw_select(const struct uarch *uarch, uint64_t config);

/*
 * uarch_counters() - the counters that can count `select`, before CPUID limits them. Any context.
 */
uint64_t uarch_counters(const struct uarch *uarch, uint64_t select);

/*
 * uarch_constraint_row(), uarch_extra_row() - number `i` from 0 of the rows that hold for `uarch`,
 * its own first; without uarch_intel_fixed. NULL: there are no more. The time grows with the square
 * of the number of rows. uarch_flags() - the flags of all these constraints. Task context.
 */
const struct uarch_constraint *uarch_constraint_row(const struct uarch *uarch, size_t i);
const struct uarch_extra *uarch_extra_row(const struct uarch *uarch, size_t i);
uint8_t uarch_flags(const struct uarch *uarch);

/*
 * uarch_shared_registers() - the extra registers that the hyper-threads of a core share: a bit for
 * each of enum uarch_register. Task context.
 */
uint8_t uarch_shared_registers(const struct uarch *uarch);

/*
 * uarch_extra() - the register that `select` needs, or NULL. uarch_alternative() - the same event
 * by its other register: changes `*select` and returns the row of that register; NULL: there is
 * none. The other register may have fewer valid bits. Any context.
 */
const struct uarch_extra *uarch_extra(const struct uarch *uarch, uint64_t select);
const struct uarch_extra *uarch_alternative(const struct uarch *uarch, uint64_t *select);

/*
 * perf's names for Intel's events of memory accesses, and for the slots and their shares.
 * uarch_named_event() - number `i` of `uarch`'s names; uarch_named_find() - the row whose name is
 * the `n` characters of `text`. NULL: there is none. Any context.
 */
const struct uarch_named *uarch_named_event(const struct uarch *uarch, size_t i);
const struct uarch_named *uarch_named_find(const struct uarch *uarch, const char *text, size_t n);

/*
 * uarch_setting() - the least distance from an overflow for `select` with this attr.precise_ip;
 * NULL: none. uarch_fit_setting() - the next such distance from `events` on. Any context.
 */
const struct uarch_setting *uarch_setting(const struct uarch *uarch, uint64_t select,
					  unsigned precise_ip);
static inline uint64_t uarch_fit_setting(const struct uarch_setting *s, uint64_t events)
{
	if (events < s->least)
		events = s->least;
	return (events + s->step - 1) & ~(uint64_t)(s->step - 1);
}

/*
 * uarch_latency_aux() - the event that has to precede a load latency in its group; 0: none.
 * uarch_sources() - the table of PEBS's data sources. Any context.
 */
uint64_t uarch_latency_aux(const struct uarch *uarch);
enum uarch_sources uarch_sources(const struct uarch *uarch);
bool uarch_mid_ack(const struct uarch *uarch);

/*
 * uarch_precise() - true: PEBS without "extended PEBS" can record `select`, or another event that
 * counts the same, which `*select` then becomes. False: it cannot, or its events are not known. Any
 * context.
 */
bool uarch_precise(const struct uarch *uarch, uint64_t *select);
extern const struct uarch_precise uarch_precise_nehalem, uarch_precise_nehalemex,
	uarch_precise_westmere, uarch_precise_westmereex, uarch_precise_sandybridge,
	uarch_precise_sandybridgex, uarch_precise_ivybridge, uarch_precise_haswell,
	uarch_precise_haswellx, uarch_precise_broadwell, uarch_precise_broadwellx,
	uarch_precise_skylake, uarch_precise_skylakex, uarch_precise_cascadelakex;

/*
 * uarch_erratum() - the first row of this kind for `select` in Linux `version` (or UARCH_NOW);
 * NULL: there is none. Any context.
 */
const struct uarch_erratum *uarch_erratum(const struct uarch *uarch, enum uarch_trouble trouble,
					  uint64_t select, uint32_t version);

/* uarch_source_name() - "Intel's event files", ... Any context. */
const char *uarch_source_name(uint8_t source);

#endif
