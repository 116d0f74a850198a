/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intel_names.h - the event names that Intel has published for its cores. scripts/event-names
 * generates the table. Pure functions, any context.
 *
 * Names match in any letter case, and with any of the characters . _ : = for another. So LIKWID's
 * INST_RETIRED_ANY and libpfm4's INST_RETIRED:ANY are INST_RETIRED.ANY. The events of a
 * microarchitecture remain distinct.
 */
#ifndef PMU_NAMES_INTEL_NAMES_H
#define PMU_NAMES_INTEL_NAMES_H

#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTEL_NAME_MAX 112
#define INTEL_FILES    4 /* files of one microarchitecture */

struct intel_event {
	char name[INTEL_NAME_MAX]; /* in Intel's spelling */
	uint64_t config, config1;  /* as in struct perf_event_attr */
};

/* A position in the table, for the events of one microarchitecture. */
struct intel_walk {
	const char *sets, *at;
	const char *head; /* first part of the names at this position */
	size_t nhead;
	unsigned nfiles;
	struct {
		unsigned bit;
		size_t place; /* position among the names of the microarchitecture */
	} file[INTEL_FILES];  /* nearest first */
};

/*
 * intel_begin() - moves before the first event of `uarch`.
 * intel_next() - the next event in alphabetical order; false: there are no more.
 */
void intel_begin(struct intel_walk *walk, const struct uarch *uarch);
bool intel_next(struct intel_walk *walk, struct intel_event *event);

/*
 * intel_find() - the event of `uarch` that the `n` characters at `text` name; false: there is none.
 */
bool intel_find(const struct uarch *uarch, const char *text, size_t n, struct intel_event *event);

#endif
