/* SPDX-License-Identifier: BSD-2-Clause */
/* listwords.h - words of perf list for kinds of events. Pure functions, any context. */
#ifndef PMU_NAMES_LISTWORDS_H
#define PMU_NAMES_LISTWORDS_H

enum list_kind {
	LIST_HARDWARE = 1 << 0,
	LIST_SOFTWARE = 1 << 1,
	LIST_CACHE = 1 << 2,
	LIST_PMU = 1 << 3,
	LIST_TRACEPOINT = 1 << 4,
	LIST_RAW = 1 << 5,
	LIST_TIMES = 1 << 6,
	LIST_METRICS = 1 << 7,
	LIST_ALL = (1 << 8) - 1,
};

/* list_kind_of() - the kind that `word` names ("hw", "hardware", "cache"...); 0: unknown. */
unsigned list_kind_of(const char *word);

#endif
