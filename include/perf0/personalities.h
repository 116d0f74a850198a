/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * personalities.h - the PMUs that vpmu can play: the one place where each has its name. The enum of
 * the model, the host tool's table, and each text that lists the names come from here; what such a
 * PMU is, is a row of vpmu/model/uarch.c, which does not compile while one is missing.
 *
 * A personality is ROW(PART, id, VENDOR, PFM): VPMU_PART in the model; `id` as in uarch=NAME and
 * --uarch NAME; VPMU_VENDOR; and the name under which libpfm4 knows its core PMU. One more is a row
 * here, with its place in the list below.
 */
#ifndef PERF0_PERSONALITIES_H
#define PERF0_PERSONALITIES_H

#define VPMU_ROW_HSW(ROW)  ROW(HSW, hsw, INTEL, "hsw")
#define VPMU_ROW_SKX(ROW)  ROW(SKX, skx, INTEL, "skx")
#define VPMU_ROW_ICL(ROW)  ROW(ICL, icl, INTEL, "icl")
#define VPMU_ROW_ADL(ROW)  ROW(ADL, adl, INTEL, "adl_glc")
#define VPMU_ROW_ZEN4(ROW) ROW(ZEN4, zen4, AMD, "amd64_fam19h_zen4")

/* All of them; the first and the last one may be treated apart. */
#define VPMU_LIST(FIRST, ROW, LAST) \
	VPMU_ROW_HSW(FIRST)         \
	VPMU_ROW_SKX(ROW) VPMU_ROW_ICL(ROW) VPMU_ROW_ADL(ROW) VPMU_ROW_ZEN4(LAST)
#define VPMU_PERSONALITIES(ROW) VPMU_LIST(ROW, ROW, ROW)

#define VPMU_DEFAULT "skx"

/* Their names as texts: "a|b|c", and "a, b or c". */
#define VPMU_NAME(part, id, vendor, pfm)       #id
#define VPMU_NAME_BAR(part, id, vendor, pfm)   "|" #id
#define VPMU_NAME_COMMA(part, id, vendor, pfm) ", " #id
#define VPMU_NAME_OR(part, id, vendor, pfm)    " or " #id
#define VPMU_NAMES_BAR                         VPMU_LIST(VPMU_NAME, VPMU_NAME_BAR, VPMU_NAME_BAR)
#define VPMU_NAMES_OR                          VPMU_LIST(VPMU_NAME, VPMU_NAME_COMMA, VPMU_NAME_OR)

enum vpmu_vendor { VPMU_INTEL, VPMU_AMD };

#define VPMU_NUMBER(part, id, vendor, pfm) VPMU_NUMBER_##part,
enum vpmu_number { VPMU_PERSONALITIES(VPMU_NUMBER) VPMU_NUMBERS };

/* Personalities, as bits of a set. */
#define VPMU_BIT(part, id, vendor, pfm) VPMU_##part = 1 << VPMU_NUMBER_##part,
enum vpmu_part { VPMU_PERSONALITIES(VPMU_BIT) };

#endif
