/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_names.h - the core whose tables time a personality, and what is known about their error.
 * Pure; any context.
 */
#ifndef LIB_CORE_NAMES_H
#define LIB_CORE_NAMES_H

#include "include/perf0/core_judged.h"
#include "include/perf0/core_nearest.h"
#include "lib/string.h"

#include <stddef.h>

/* core_name_near() - the core whose tables are the nearest; NULL: none is near. */
static inline const char *core_name_near(const char *personality)
{
#define CORE_NAMES(name, core) {#name, #core},
	static const struct {
		const char *name, *core;
	} rows[] = {CORE_NEAREST(CORE_NAMES)};
#undef CORE_NAMES

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].name, personality))
			return rows[i].core;
	return NULL;
}

/* core_error() - the mean error of blocks' cycles in 1/10 of a percent; 0: no silicon judges the
 * core. */
static inline unsigned core_error(const char *core)
{
#define CORE_ERROR(name, error) {#name, error},
	static const struct {
		const char *name;
		unsigned error;
	} rows[] = {CORE_JUDGED(CORE_ERROR)};
#undef CORE_ERROR

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].name, core))
			return rows[i].error;
	return 0;
}

#endif
