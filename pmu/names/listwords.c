// SPDX-License-Identifier: BSD-2-Clause
/* listwords.c - see listwords.h; the words are those of perf-list(1). */
#include "pmu/names/listwords.h"

#include "lib/string.h"

#include <stddef.h>

static const struct {
	const char *word;
	unsigned kind;
} words[] = {
	{"hw", LIST_HARDWARE},
	{"hardware", LIST_HARDWARE},
	{"sw", LIST_SOFTWARE},
	{"software", LIST_SOFTWARE},
	{"cache", LIST_CACHE},
	{"hwcache", LIST_CACHE},
	{"pmu", LIST_PMU},
	{"tracepoint", LIST_TRACEPOINT},
	{"raw", LIST_RAW},
	{"tool", LIST_TIMES},
	{"metric", LIST_METRICS},
	{"metrics", LIST_METRICS},
	{"metricgroup", LIST_METRICS},
	{"metricgroups", LIST_METRICS},
};

unsigned list_kind_of(const char *word)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, word))
			return words[i].kind;
	return 0;
}
