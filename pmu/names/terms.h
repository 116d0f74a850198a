/* SPDX-License-Identifier: BSD-2-Clause */
/* terms.h - parses the text between the slashes of an event. Private to the event parser. */
#ifndef PMU_NAMES_TERMS_H
#define PMU_NAMES_TERMS_H

#include "pmu/names/scan.h"

/*
 * terms_parse() - parses the terms of a PMU, behind the first slash and through the second; `*name`
 * is the value of name=, or empty. False: error reported.
 */
bool terms_parse(struct scan *s, struct perf_event_attr *attr, struct word *name);

/* terms_parse_settings() - the same for an event that has been named: settings only, or nothing. */
bool terms_parse_settings(struct scan *s, struct perf_event_attr *attr, struct word *name);

/*
 * terms_field() - number `i`, from 0, of the fields of core events: bits of attr.config, or of
 * attr.config1 if `beside`, for the register `reg` of enum uarch_register. False: there are no
 * more.
 */
struct terms_field {
	const char *name;
	bool beside;
	unsigned reg;
	uint64_t mask;
};
bool terms_field(size_t i, struct terms_field *field);

#endif
