/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dynamic.h - the PMUs beside that of the core, as rows: their names, their perf_event_attr.type,
 * and the fields of attr.config, as /sys/bus/event_source/devices has them on Linux. Portable and
 * pure, any context.
 */
#ifndef PMU_NAMES_DYNAMIC_H
#define PMU_NAMES_DYNAMIC_H

#include "pmu/names/scan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* These values are never PERF_TYPE_*. Other tools have no meaning for them. */
enum pmu_dynamic_type {
	PMU_TYPE_STEP_TRACE = 8,
	PMU_TYPE_IBS_FETCH,
	PMU_TYPE_IBS_OP,
	PMU_TYPE_MSR,
	PMU_TYPE_POWER,
	PMU_TYPE_AMD_DF,
	PMU_TYPE_AMD_L3,
	PMU_TYPE_UNCORE_UBOX,
	PMU_TYPE_UNCORE_CHA_0, /* one type for each of PMU_UNCORE_CHAS */
};
#define PMU_UNCORE_CHAS 28

/*
 * The PMU of a hybrid's small cores; that of the large ones is PERF_TYPE_RAW. For
 * PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE, bits 63:32 of config hold one of these types; 0: any
 * core.
 */
#define PMU_TYPE_CPU_ATOM   (PMU_TYPE_UNCORE_CHA_0 + PMU_UNCORE_CHAS)
#define PMU_EXTENDED_SHIFT  32
#define PMU_EXTENDED_CONFIG 0xffffffffull /* the bits of the event itself */

/* The scope of one instance of a PMU, which determines the CPUs on which its events are opened. */
enum dynamic_scope {
	DYNAMIC_CPU,     /* every CPU */
	DYNAMIC_PACKAGE, /* the first CPU of each package */
	DYNAMIC_L3,      /* the first CPU of each L3 */
};

/* Bits of attr.config, or of attr.config1 if `beside`. */
struct dynamic_field {
	const char *name; /* NULL: end of the list */
	uint8_t shift, bits;
	uint8_t more_shift, more_bits; /* place of the value's upper bits; more_bits 0: none */
	bool beside;
};

/* A named event. */
struct dynamic_event {
	const char *name; /* NULL: end of the list */
	uint64_t config;
};

struct dynamic_pmu {
	const char *name;
	uint32_t type;
	uint64_t config; /* value of bits that no term sets */
	const struct dynamic_field *fields;
	const char *what;                   /* for lists */
	const struct dynamic_event *events; /* NULL: no named events */
	const char *unit;                   /* unit of counts; NULL: plain numbers */
	uint8_t fraction;                   /* a count is in units of 2^-n */
	uint8_t scope;                      /* enum dynamic_scope */
	const char
		*uarchs; /* names separated by blanks; NULL: CPUID tells, or any CPU may have it */
};

/*
 * dynamic_pmu_find() - the PMU that `word` names; NULL: none. dynamic_pmu() - the PMU number
 * `index`; NULL past the last.
 */
const struct dynamic_pmu *dynamic_pmu_find(const struct word *word);
const struct dynamic_pmu *dynamic_pmu(size_t index);

/* dynamic_pmu_of() - the PMU of type `type`; NULL: none. */
const struct dynamic_pmu *dynamic_pmu_of(uint32_t type);

/* dynamic_pmu_is_of() - true where a CPU of the microarchitecture `uarch` may have `p`. */
bool dynamic_pmu_is_of(const struct dynamic_pmu *p, const char *uarch);

/* dynamic_pmu_in_kvm() - true where KVM lets its guests have the event `config` of `p`. */
bool dynamic_pmu_in_kvm(const struct dynamic_pmu *p, uint64_t config);

/* dynamic_scope_name() - for example "a package". */
const char *dynamic_scope_name(uint8_t scope);

/*
 * dynamic_parse() - parses the terms of an event of `p`, behind the first slash and through the
 * second: the name of an event, fields, or config=. False: error reported.
 */
bool dynamic_parse(struct scan *s, const struct dynamic_pmu *p, struct perf_event_attr *attr);

#endif
