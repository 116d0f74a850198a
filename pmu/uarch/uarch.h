/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch.h - facts about microarchitectures, as rows: which models they are, what their PMU has,
 * which event select each generic event has there, which events only some counters can count,
 * which need a register of their own, and what is wrong with them.
 *
 * Event selects are written as in IA32_PERFEVTSELx and AMD's PERF_CTLx without the enabling bits;
 * 0 means that there is none. A constraint matches where the bits of its mask agree; the first that
 * matches counts; an event without any may use every general counter. Counter masks name general
 * counters from bit 0 and fixed counters from bit 32. They hold with hyper-threading off; with it
 * on, uarch_machine_counters() takes away what the sibling has. On a CPU that is there CPUID has
 * the last word.
 *
 * A microarchitecture is `like` another one, its parent, and states only what differs:
 *   - a number, a generic event or a list that is not given (0, NULL) is the parent's;
 *   - rows of constraints, cache events and extra registers come before the parent's rows, and one
 *     for the same events (match and mask; cache and operation) stands in the place of the
 *     parent's, whatever versions of Linux either is for. But constraints for all events with some
 *     modifier (no event code in the mask) come before all others;
 *   - UARCH_NOT...(), UARCH_NO_EXTRA(), UARCH_NO_CACHE() and UARCH_NONE say that what the parent
 *     has is not there;
 *   - names, models, errata and the note are its own always.
 * One without a parent states everything. Code that needs a fact asks the functions below: the
 * members of struct uarch are what one microarchitecture states, not what holds for it.
 *
 * What a table says is what the hardware guarantees. Where Linux believed otherwise for a while,
 * the row says from which version on, or up to which, Linux had it: `since` and `until`.
 *
 * To add a microarchitecture:
 *   1. NAME.c: its rows, with the manual or the event file that they are from. The parent is the
 *      one that leaves the fewest rows to write; where more rows would be taken away than stay, it
 *      has none. Where PEBS records some events only: their list in precise.c.
 *   2. rows.h: a line, behind its parent's.
 *   3. tests/unit/uarch/test_uarch_names.c: a CPU of it in test_cpus(), names; test_uarch_facts.c:
 * its counters in test_machines(), facts by hand. test_uarch_parents.c refuses rows that say what
 * the parent says anyway.
 *   4. tests/uarch-check with a digest of Intel's event file, if there is one: it has to print no
 *      difference but those that the comment of NAME.c explains.
 *   5. pmu/names/dynamic.c: its name in the list of each PMU beside the core's that it has.
 *   6. vpmu/model/personality.h: only if vpmu shall play it; made from the manuals once more, not from
 * here.
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
/* Intel's, with TSX: count in transactions only; leave out those that abort (SDM vol. 3, "Intel TSX
 * PMU Events and Implementation"). */
#define UARCH_IN_TX   (1ull << 32)
#define UARCH_IN_TXCP (1ull << 33)
/* A fixed counter knows none of these: only the plain event may use it. */
#define UARCH_PLAIN                                                                 \
	(UARCH_FULL | EVTSEL_EDGE | UARCH_IN_TX | UARCH_IN_TXCP | EVTSEL_INTEL_EQ | \
	 EVTSEL_INTEL_UMASK2)
#define UARCH_AMD_CODE (UARCH_CODE | EVTSEL_AMD_EVENT_HI)

#define UARCH_FIXED(n) (1ull << (GLOBAL_FIXED_SHIFT + (n)))
#define UARCH_GENERAL  0xffffffffull
#define UARCH_LOW4     0x0full

/* Versions of Linux, in order; a release comes after its candidates. UARCH_NOW: no version. */
#define UARCH_LINUX_RC(major, minor, rc) ((uint32_t)((major) << 16 | (minor) << 8 | (rc)))
#define UARCH_LINUX(major, minor)        UARCH_LINUX_RC(major, minor, 0xff)
#define UARCH_NOW                        UINT32_MAX

/* The document or observation that a row is taken from. */
enum uarch_source {
	UARCH_PERFMON, /* Intel's event files (perfmon), columns Counter, CounterHTOff, MSRIndex */
	UARCH_SDM,     /* Intel SDM, volumes 3 and 4 */
	UARCH_UPDATE,  /* the model's specification update */
	UARCH_BKDG,    /* AMD's BIOS and kernel developer's guides, families up to 16h */
	UARCH_PPR,     /* AMD's processor programming references, from family 17h on */
	UARCH_FIELD,   /* seen in the field: what Linux's perf took for true, and when */
	UARCH_NSOURCES,
};

#define UARCH_OVERLAP   0x01 /* neither a subset nor a superset of its equals: assign with care */
#define UARCH_SHARED_NB 0x02 /* northbridge: one core of the node at a time on each counter */
#define UARCH_PAIR      0x04 /* more than 15 a cycle: takes the odd counter above it as well */
#define UARCH_PEBS_ONLY 0x08 /* says something only as a precise event */
#define UARCH_ALONE     0x10 /* no other event may count beside it */
#define UARCH_GONE      0x80 /* no constraint: takes the parent's for these events away */

struct uarch_constraint {
	uint64_t match, mask;
	uint64_t counters; /* 0: no counter counts it */
	const char *name;  /* of the event, or of the events with that code */
	uint8_t source;    /* enum uarch_source */
	uint8_t flags;     /* UARCH_OVERLAP... */
	uint32_t since;    /* Linux knew it from here on; 0: always */
	uint32_t until;    /* Linux believed it before this; 0: to this day. Not true of hardware */
};

/* Rows: of an event, of all events with a code; the last arguments set further members. */
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

/* The parent's row for these events, which has that name, does not hold. */
#define UARCH_NOT(match_, mask_, name_)                                                  \
	{                                                                                \
		.match = (match_), .mask = (mask_), .name = (name_), .flags = UARCH_GONE \
	}
#define UARCH_NOT_EVENT(code, umask, name) UARCH_NOT(UARCH_SELECT(code, umask), UARCH_EXACT, name)
#define UARCH_NOT_EVENTS(code, name)       UARCH_NOT(UARCH_SELECT(code, 0), UARCH_CODE, name)

/* Registers beside the event select. Events that use the same one need the same value in it. */
enum uarch_register {
	UARCH_OFFCORE_0,
	UARCH_OFFCORE_1,
	UARCH_LOAD_LATENCY,
	UARCH_FRONTEND,
	UARCH_SNOOP_0,
	UARCH_SNOOP_1,
	UARCH_LBR_SELECT, /* needed by no event, but by branch records: its match matches nothing */
};

struct uarch_extra {
	uint64_t match, mask; /* the events that need it */
	uint64_t valid;       /* bits that may be set in it */
	uint64_t alternative; /* select of the same event by another register; 0: none */
	uint32_t msr;         /* 0: none, though the parent has one for them */
	uint8_t reg;          /* enum uarch_register */
	bool shared;          /* by the hyper-threads of a core: both need the same value */
	uint8_t source;
	const char *name;
};

/* What is wrong with a CPU, and what Linux does about it. One fact may take several rows. */
enum uarch_trouble {
	/* Events that match disturb the sibling's counter of the same number, and it theirs: no
	 * other event may be there. With hyper-threading only. */
	UARCH_HT_EXCLUSIVE,
	/* At most half of the general counters for a hyper-thread that has an exclusive event. */
	UARCH_HT_LIMIT,
	/* The same for every hyper-thread, fixed counters counted in. */
	UARCH_HT_LIMIT_ALL,
	/* No counter at all for events that match. */
	UARCH_FORBIDDEN,
	/* `counters` are lost while transactions may run (TSX_FORCE_ABORT, bit 0 clear). */
	UARCH_TSX_TAKES,
};

struct uarch_erratum {
	uint8_t trouble; /* enum uarch_trouble */
	uint8_t source;
	uint64_t match, mask; /* events; 0, 0: all */
	uint64_t counters;
	const char *name;      /* the erratum's number or title */
	uint32_t since, until; /* Linux treats it so from `since` on and before `until`; 0: open */
};

/* A generic cache event, as in perf_event_open(2): PERF_COUNT_HW_CACHE_... and its operation. */
struct uarch_cache {
	uint8_t cache, op;
	uint64_t select[PERF_COUNT_HW_CACHE_RESULT_MAX]; /* accesses, misses */
	uint64_t value[PERF_COUNT_HW_CACHE_RESULT_MAX];  /* of the register that these need */
};

#define UARCH_CACHE(cache_, op_, access, miss)                                             \
	{                                                                                  \
		.cache = PERF_COUNT_HW_CACHE_##cache_, .op = PERF_COUNT_HW_CACHE_OP_##op_, \
		.select = {(access), (miss)},                                              \
	}
/* By an off-core response register: what it is to be for accesses, and for misses. */
#define UARCH_CACHE_OFFCORE(cache_, op_, event, access, miss)                              \
	{                                                                                  \
		.cache = PERF_COUNT_HW_CACHE_##cache_, .op = PERF_COUNT_HW_CACHE_OP_##op_, \
		.select = {(event), (miss) ? (event) : 0}, .value = {(access), (miss)},    \
	}
#define UARCH_NO_CACHE(cache, op) UARCH_CACHE(cache, op, 0, 0)

/* Events that PEBS can record where it cannot record all; and, for some that it cannot, one that
 * counts the same. Plain event selects. */
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
 * How far from its overflow a counter may be set: at least `least` events, and a multiple of
 * `step`. For events that match, from precise_ip `precise` on. The first row that matches holds.
 */
struct uarch_setting {
	uint64_t match, mask;
	uint8_t precise;
	uint16_t least, step; /* step: a power of two */
	uint8_t source;
	const char *name; /* of the erratum, or of what needs it */
};

/* What PEBS tells of where the data of a load came from: pmu/driver/datasrc.c has the tables. */
enum uarch_sources {
	UARCH_SOURCES_PARENT, /* the parent's, with none UARCH_SOURCES_SANDYBRIDGE */
	UARCH_SOURCES_SANDYBRIDGE,
	UARCH_SOURCES_SKYLAKE,
	UARCH_SOURCES_SKYLAKEX,   /* with persistent memory where others have a fourth level */
	UARCH_SOURCES_GOLDENCOVE, /* and from here on what a load was blocked by */
	UARCH_SOURCES_SAPPHIRERAPIDS,
	UARCH_SOURCES_GRACEMONT,
	UARCH_SOURCES_CRESTMONT,
	UARCH_SOURCES_LIONCOVE,
	UARCH_NSOURCE_TABLES
};

/* An event under perf's name: of memory accesses, or of top-down. */
struct uarch_named {
	const char *name;
	uint64_t select;
	uint64_t config1; /* of its register, where none is given */
};

#define UARCH_ATOM 0x20 /* core types of CPUID leaf 0x1A */
#define UARCH_CORE 0x40

struct uarch_model {
	uint16_t family, first, last;
	uint8_t core;                /* of a hybrid: UARCH_ATOM, UARCH_CORE; 0: any */
	uint8_t native;              /* leaf 0x1A EAX 7:0 where that has to tell; 0: any */
	uint8_t stepping, steppings; /* the first, and how many; 0: any */
};

/* In `generic`: there is no such event, though the parent has one. */
#define UARCH_NONE UINT64_MAX

struct uarch {
	/* Its own always. */
	const char *name;
	const char *aliases; /* separated by blanks; among them the name of Intel's event file */
	const char *pfm;     /* libpfm4's name of the core PMU; "": it has none */
	enum cpu_vendor vendor;
	struct uarch_model models[12]; /* a family of 0 ends them */
	const struct uarch_erratum *errata;
	size_t nerrata;
	const char *note; /* NULL: there is nothing to say */

	const struct uarch *like; /* the parent, of the same vendor; NULL: none */

	/* The PMU that these models have, for planning on another one. 0: as the parent. */
	uint8_t gp, gp_ht; /* general counters with hyper-threading off and on; gp_ht 0: no HT. Both
			      are given, or both are the parent's */
	uint8_t fixed;     /* mask of the fixed counters: there are holes */
	uint8_t width;     /* of general counters, bits */
	uint8_t fixed_width; /* bits */
	uint64_t pebs;       /* of the counters, those that can sample precisely */
	/* Records of the last branches, where CPUID does not tell: how many, and the registers of
	 * the first one; depth 0: the parent's. */
	struct uarch_lbr {
		uint8_t depth;
		bool mispredicts; /* bit 63 of a source, though the format is of plain addresses */
		uint16_t from, to;
	} lbr;
	uint8_t metrics;    /* shares of the slots that PERF_METRICS has */
	bool latency_parts; /* of a load's latency bits 47:32 are the cache's, 15:0 the whole */
	/* Of memory accesses, those that perf has names for: mem-loads, with a latency, mem-stores;
	 * a name of NULL ends them. */
	const struct uarch_named *memory;
	/* A load latency counts only in a group with this event: the leader, or before it. 0: by
	 * itself. */
	uint64_t latency_aux;
	uint8_t sources; /* enum uarch_sources */
	bool mid_ack;    /* LVTPC is unmasked before the counters go on, and with them stopped */
	const struct uarch_setting *settings; /* NULL: the parent's */
	size_t nsettings;
	const struct uarch_precise *precise; /* NULL, with no parent's: all events, or not known */

	uint64_t generic[PERF_COUNT_HW_MAX]; /* 0: the parent's; UARCH_NONE: none */

	/* Before the parent's rows. */
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

/* The nearest of `from`, its parent, the parent's parent... that gives `member`; if none of them
 * does, the last. */
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

/* The fixed counters and the events that they have: the same for all of Intel's. They come before
 * the constraints. */
extern const struct uarch_constraint uarch_intel_fixed[];
extern const size_t uarch_intel_nfixed;

/* What CPUs of an unknown model get. They have no models and are in no list. */
extern const struct uarch uarch_intel_generic, uarch_amd_generic;

/* uarch_find() - the row of this CPU, or its vendor's fall-back; never NULL. Any context. */
const struct uarch *uarch_find(const struct pmu_caps *caps);

/*
 * uarch_by_name() - the row with that name or alias, in any case of letters; NULL: there is none.
 * The name of a hybrid alone ("adl") means its large cores.
 * uarch_list() - the row number `i` from 0; NULL: there are no more. Any context.
 */
const struct uarch *uarch_by_name(const char *name);

/*
 * uarch_has_core() - are these the cores of kind `core` (UARCH_CORE, UARCH_ATOM; 0: of whichever
 * kind) of some hybrid? uarch_beside() - the cores of the other kind, beside which they are first;
 * NULL: there are none. Any context.
 */
bool uarch_has_core(const struct uarch *uarch, uint8_t core);
const struct uarch *uarch_beside(const struct uarch *uarch);
const struct uarch *uarch_list(size_t i);

/* uarch_suggest() - names and aliases like `name`, ", " between them, in `size` bytes; "": none.
 * Task context. */
void uarch_suggest(const char *name, char *text, size_t size);

/*
 * uarch_lbr() - the branch records of these models, by registers of their own; depth 0: they have
 * none, or CPUID tells. uarch_branches() - the register that filters them; NULL: not known. Any
 * context.
 */
struct uarch_lbr uarch_lbr(const struct uarch *uarch);
const struct uarch_extra *uarch_branches(const struct uarch *uarch);

/*
 * Top-down metrics (SDM vol. 3, "Performance Metrics"): PERF_METRICS has shares of the slots that
 * fixed counter 3 counted, in 255ths, a byte each. As events they have code 0 and a unit mask from
 * UARCH_METRIC_UMASK on, as Linux numbers them. uarch_is_metric() - `select` is one of the
 * `metrics` that there are. uarch_metric_shift() - its lowest bit in PERF_METRICS. uarch_metrics()
 * - how many these models have, 0: none. Any context.
 */
#define UARCH_METRICS_MOST  8
#define UARCH_METRIC_UMASK  0x80
#define UARCH_METRIC_LINUX  UARCH_LINUX(5, 10) /* from which version on Linux has them */
#define UARCH_SLOTS         UARCH_SELECT(0, 4)
#define UARCH_SLOTS_COUNTER 3 /* the fixed one */
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

/* uarch_has_latency_parts() - PEBS tells a load's latency in two parts. Any context. */
bool uarch_has_latency_parts(const struct uarch *uarch);

/* uarch_is() - `caps` is one of `uarch`'s models. At most one of the list is. Any context. */
bool uarch_is(const struct uarch *uarch, const struct pmu_caps *caps);

/*
 * uarch_machine_counters() - the counters that these models have; uarch_general() - how many of
 * them are general, with `ht_on` and without hyper-threading; 0 with it: there is none. Any
 * context.
 */
uint64_t uarch_machine_counters(const struct uarch *uarch, bool ht_on);
unsigned uarch_general(const struct uarch *uarch, bool ht_on);

/*
 * uarch_generic(), uarch_cache() - the event select of PERF_COUNT_HW_..., and of
 * PERF_COUNT_HW_CACHE_... with its operation and result; 0: there is none, or no such number.
 * uarch_cache_value() - of the latter, the value of the register that its event needs; 0: it needs
 * none. Any context.
 */
uint64_t uarch_generic(const struct uarch *uarch, uint64_t event);
uint64_t uarch_cache(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result);
uint64_t uarch_cache_value(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result);

/*
 * uarch_constraint() - the row that holds for `select`, as Linux `version` (UARCH_LINUX()) knew it,
 * or as it is (UARCH_NOW); NULL: there is none, and it may use all general counters. Any context.
 */
const struct uarch_constraint *uarch_constraint(const struct uarch *uarch, uint64_t select,
						uint32_t version);

/*
 * uarch_raw_select() - the event select of a raw event: `config` without the bits that
 * perf_event_open(2) drops without a word. The rings, the interrupt and the enabling are the
 * kernel's to set, and so is the pin; AMD's AnyThread does not exist, and the bits for hosts and
 * guests come from the attr. Any context.
 */
uint64_t uarch_raw_select(const struct uarch *uarch, uint64_t config);

/* uarch_counters() - where `select` can count, before CPUID has its say. Any context. */
uint64_t uarch_counters(const struct uarch *uarch, uint64_t select);

/*
 * uarch_constraint_row(), uarch_extra_row() - number `i` from 0 of the rows that hold for `uarch`,
 * its own first; without uarch_intel_fixed. NULL: there are no more. Takes time in the square of
 * the rows. uarch_flags() - the flags of all those constraints. Task context.
 */
const struct uarch_constraint *uarch_constraint_row(const struct uarch *uarch, size_t i);
const struct uarch_extra *uarch_extra_row(const struct uarch *uarch, size_t i);
uint8_t uarch_flags(const struct uarch *uarch);

/* uarch_shared_registers() - those that events need and that the hyper-threads of a core share: a
 * bit for each of enum uarch_register. Task context. */
uint8_t uarch_shared_registers(const struct uarch *uarch);

/*
 * uarch_extra() - the register that `select` needs, or NULL. uarch_alternative() - the same event
 * by its other register: changes `*select` and returns that row; NULL: there is none. The other may
 * have fewer valid bits. Any context.
 */
const struct uarch_extra *uarch_extra(const struct uarch *uarch, uint64_t select);
const struct uarch_extra *uarch_alternative(const struct uarch *uarch, uint64_t *select);

/*
 * The names that perf has for Intel's events of memory accesses, and for slots and their shares.
 * uarch_named_event() - number `i` of `uarch`'s; uarch_named_find() - the one that `n` characters
 * name. NULL: there is none. Any context.
 */
const struct uarch_named *uarch_named_event(const struct uarch *uarch, size_t i);
const struct uarch_named *uarch_named_find(const struct uarch *uarch, const char *text, size_t n);

/*
 * uarch_setting() - how a counter may be set for `select` with that attr.precise_ip; NULL: at will.
 * uarch_fit_setting() - the next such setting from `events` on. Any context.
 */
const struct uarch_setting *uarch_setting(const struct uarch *uarch, uint64_t select,
					  unsigned precise_ip);
static inline uint64_t uarch_fit_setting(const struct uarch_setting *s, uint64_t events)
{
	if (events < s->least)
		events = s->least;
	return (events + s->step - 1) & ~(uint64_t)(s->step - 1);
}

/* uarch_latency_aux() - the event that has to stand before a load latency in its group; 0: none is
 * needed. uarch_sources() - which table PEBS's sources are of. Any context. */
uint64_t uarch_latency_aux(const struct uarch *uarch);
enum uarch_sources uarch_sources(const struct uarch *uarch);
bool uarch_mid_ack(const struct uarch *uarch);

/*
 * uarch_precise() - PEBS without "extended PEBS" can record `select`, or what it becomes: an event
 * that counts the same. False: it cannot, or it is not known which events it can. Any context.
 */
bool uarch_precise(const struct uarch *uarch, uint64_t *select);
extern const struct uarch_precise uarch_precise_haswell, uarch_precise_haswellx,
	uarch_precise_broadwell, uarch_precise_broadwellx, uarch_precise_skylake,
	uarch_precise_skylakex, uarch_precise_cascadelakex;

/* uarch_erratum() - the first row with that trouble for `select` in Linux `version` (or
 * UARCH_NOW); NULL: there is none. Any context. */
const struct uarch_erratum *uarch_erratum(const struct uarch *uarch, enum uarch_trouble trouble,
					  uint64_t select, uint32_t version);

/* uarch_source_name() - "Intel's event files", ... Any context. */
const char *uarch_source_name(uint8_t source);

#endif
