/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kinds.h - the type of a hybrid's cores for which an event is, by its attr. Pure functions, any
 * context.
 */
#ifndef PMU_NAMES_KINDS_H
#define PMU_NAMES_KINDS_H

#include "pmu/names/dynamic.h"
#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdbool.h>

/* kinds_is_generic() - true for an event whose config has room for a core type. */
static inline bool kinds_is_generic(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
}

/* kinds_is_core() - true for an event of the counters of any core type. */
static inline bool kinds_is_core(const struct perf_event_attr *attr)
{
	return kinds_is_generic(attr) || attr->type == PERF_TYPE_RAW ||
	       attr->type == PMU_TYPE_CPU_ATOM;
}

/*
 * kinds_extended() - the type of the PMU in the config of a generic event; 0: none, or not generic.
 */
static inline uint32_t kinds_extended(const struct perf_event_attr *attr)
{
	return kinds_is_generic(attr) ? (uint32_t)(attr->config >> PMU_EXTENDED_SHIFT) : 0;
}

/* kinds_config() - the config without that type. */
static inline uint64_t kinds_config(const struct perf_event_attr *attr)
{
	return kinds_is_generic(attr) ? attr->config & PMU_EXTENDED_CONFIG : attr->config;
}

/*
 * kinds_of() - UARCH_CORE or UARCH_ATOM if the attr names a core type; 0: it does not. A plain raw
 * event does not.
 */
static inline uint8_t kinds_of(const struct perf_event_attr *attr)
{
	const uint32_t type = kinds_is_generic(attr) ? kinds_extended(attr) : attr->type;

	if (type == PMU_TYPE_CPU_ATOM)
		return UARCH_ATOM;
	return type == PERF_TYPE_RAW && kinds_is_generic(attr) ? UARCH_CORE : 0;
}

/* kinds_set() - makes a core event one of this core type. */
static inline void kinds_set(struct perf_event_attr *attr, uint8_t core)
{
	const uint32_t type = core == UARCH_ATOM ? PMU_TYPE_CPU_ATOM : PERF_TYPE_RAW;

	if (kinds_is_generic(attr))
		attr->config = kinds_config(attr) | (uint64_t)type << PMU_EXTENDED_SHIFT;
	else
		attr->type = type;
}

/* kinds_forget() - makes a core event one of any core type. */
static inline void kinds_forget(struct perf_event_attr *attr)
{
	attr->config = kinds_config(attr);
	if (attr->type == PMU_TYPE_CPU_ATOM)
		attr->type = PERF_TYPE_RAW;
}

#endif
