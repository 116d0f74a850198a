/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_names.h - the core whose tables time a personality, and what is known about their error.
 * Pure; any context.
 */
#ifndef LIB_CORE_NAMES_H
#define LIB_CORE_NAMES_H

#include "include/perf0/core_judged.h"
#include "lib/string.h"

#include <stddef.h>

/* ROW(personality, core). Small cores are not listed. */
#define CORE_NEAREST(ROW)   \
	ROW(snb, snb)       \
	ROW(hsw, hsw)       \
	ROW(bdw, bdw)       \
	ROW(skl, skl)       \
	ROW(skx, skx)       \
	ROW(icl, icl)       \
	ROW(adl, adl)       \
	ROW(zen2, zen2)     \
	ROW(zen3, zen3)     \
	ROW(zen4, zen4)     \
	ROW(snbx, snb)      \
	ROW(ivb, snb)       \
	ROW(ivbx, snb)      \
	ROW(hsx, hsw)       \
	ROW(bdx, bdw)       \
	ROW(bde, bdw)       \
	ROW(clx, skx)       \
	ROW(icx, icl)       \
	ROW(rkl, icl)       \
	ROW(tgl, icl)       \
	ROW(spr, adl)       \
	ROW(emr, adl)       \
	ROW(gnr, adl)       \
	ROW(rpl, adl)       \
	ROW(zen1, zen2)     \
	ROW(zen5, zen4)     \
	ROW(kvm_intel, skx) \
	ROW(kvm_amd, zen3)

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
