/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dynamic.h - PMUs beside that of the core, as rows: their names, the types by which
 * perf_event_attr.type means them, and the fields of attr.config, as a system has them in
 * /sys/bus/event_source/devices. Portable and pure, any context.
 */
#ifndef PMU_NAMES_DYNAMIC_H
#define PMU_NAMES_DYNAMIC_H

#include "pmu/names/scan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Never PERF_TYPE_*; where other tools give meaning to numbers, these mean nothing to them. */
enum pmu_dynamic_type {
	PMU_TYPE_STEP_TRACE = 8,
	PMU_TYPE_IBS_FETCH,
	PMU_TYPE_IBS_OP,
	PMU_TYPE_MSR,
	PMU_TYPE_POWER,
	PMU_TYPE_AMD_DF,
	PMU_TYPE_AMD_L3,
	PMU_TYPE_UNCORE_UBOX,
	PMU_TYPE_UNCORE_CHA_0, /* and those behind it */
};
#define PMU_UNCORE_CHAS 28

/*
 * The PMU of a hybrid's small cores; that of the large ones is PERF_TYPE_RAW. Bits 63:32 of the
 * config of PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE say which of them is meant, 0: whichever.
 */
#define PMU_TYPE_CPU_ATOM   (PMU_TYPE_UNCORE_CHA_0 + PMU_UNCORE_CHAS)
#define PMU_EXTENDED_SHIFT  32
#define PMU_EXTENDED_CONFIG 0xffffffffull /* what is left for the event */

/* What one instance of a PMU is for, and so on which CPUs its events are opened. */
enum dynamic_scope {
	DYNAMIC_CPU,     /* each */
	DYNAMIC_PACKAGE, /* the first of each package */
	DYNAMIC_L3,      /* the first of those that share an L3 */
};

/* Bits of attr.config, or `beside` it of attr.config1. */
struct dynamic_field {
	const char *name; /* NULL: no more */
	uint8_t shift, bits;
	uint8_t more_shift, more_bits; /* the value's upper bits; more_bits 0: there are none */
	bool beside;
};

/* An event that has a name. */
struct dynamic_event {
	const char *name; /* NULL: no more */
	uint64_t config;
};

struct dynamic_pmu {
	const char *name;
	uint32_t type;
	uint64_t config; /* what no term changes */
	const struct dynamic_field *fields;
	const char *what;                   /* for lists */
	const struct dynamic_event *events; /* NULL: none has a name */
	const char *unit;                   /* of counts; NULL: they are numbers of something */
	uint8_t fraction;                   /* a count is in 2^-n of it */
	uint8_t scope;                      /* enum dynamic_scope */
	const char *uarchs; /* that have it, separated by blanks; NULL: CPUID tells, or any may */
};

/* dynamic_pmu_find() - the one that `word` names; dynamic_pmu() - one by one; NULL: none, no more.
 */
const struct dynamic_pmu *dynamic_pmu_find(const struct word *word);
const struct dynamic_pmu *dynamic_pmu(size_t index);

/*
 * dynamic_pmu_of() - the one of the type `type`; NULL: none.
 */
const struct dynamic_pmu *dynamic_pmu_of(uint32_t type);

/* dynamic_pmu_is_of() - may a CPU of the microarchitecture `uarch` have `p`? */
bool dynamic_pmu_is_of(const struct dynamic_pmu *p, const char *uarch);

/* dynamic_scope_name() - as "a package". */
const char *dynamic_scope_name(uint8_t scope);

/*
 * dynamic_parse() - the terms of an event of `p`, behind the first slash and through the second:
 * the name of an event, fields, or config=. False: complained.
 */
bool dynamic_parse(struct scan *s, const struct dynamic_pmu *p, struct perf_event_attr *attr);

#endif
