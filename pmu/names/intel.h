/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intel.h - the names that Intel has published for the events of its cores. scripts/event-names
 * makes their table. Pure, any context.
 *
 * A name is found in any case of letters, and with any of the marks . _ : = for another, so that
 * LIKWID's INST_RETIRED_ANY and libpfm4's INST_RETIRED:ANY are INST_RETIRED.ANY. No two events of a
 * microarchitecture are the same then.
 */
#ifndef PMU_NAMES_INTEL_H
#define PMU_NAMES_INTEL_H

#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTEL_NAME_MAX 112
#define INTEL_FILES    4 /* of one microarchitecture */

struct intel_event {
	char name[INTEL_NAME_MAX]; /* as Intel writes it */
	uint64_t config, config1;  /* as in struct perf_event_attr */
};

/* The place in the table, for the events of one microarchitecture. */
struct intel_walk {
	const char *sets, *at;
	const char *head; /* of the names at this place */
	size_t nhead;
	unsigned nfiles;
	struct {
		unsigned bit;
		size_t place; /* among the names of the microarchitecture */
	} file[INTEL_FILES];  /* the nearest first */
};

/* intel_begin() - before the first event of `uarch`. intel_next() - the next one in alphabetical
 * order; false: there are no more. */
void intel_begin(struct intel_walk *walk, const struct uarch *uarch);
bool intel_next(struct intel_walk *walk, struct intel_event *event);

/* intel_find() - the event of `uarch` that `n` characters at `text` name; false: there is none. */
bool intel_find(const struct uarch *uarch, const char *text, size_t n, struct intel_event *event);

#endif
