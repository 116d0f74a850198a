/* SPDX-License-Identifier: BSD-2-Clause */
/* terms.h - what stands between the slashes of an event. For the event parser only. */
#ifndef PMU_NAMES_TERMS_H
#define PMU_NAMES_TERMS_H

#include "pmu/names/scan.h"

/*
 * terms_parse() - the terms of a PMU, behind the first slash and through the second; `*name` is
 * what name= gives, empty when it was not given. False: complained.
 */
bool terms_parse(struct scan *s, struct perf_event_attr *attr, struct word *name);

/* terms_parse_settings() - the same for an event that has been named: settings only, or nothing. */
bool terms_parse_settings(struct scan *s, struct perf_event_attr *attr, struct word *name);

/*
 * terms_field() - number `i` from 0 of the fields that the core PMU's events have: bits of
 * attr.config, or `beside` it of attr.config1, for the register `reg` of enum uarch_register.
 * False: there are no more.
 */
struct terms_field {
	const char *name;
	bool beside;
	unsigned reg;
	uint64_t mask;
};
bool terms_field(size_t i, struct terms_field *field);

#endif
