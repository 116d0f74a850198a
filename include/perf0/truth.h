/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth.h - what kind of number a count is where no silicon counts: for vpmu, which knows, the
 * image, the wire, and the host tool.
 */
#ifndef PERF0_TRUTH_H
#define PERF0_TRUTH_H

#include <stddef.h>
#include <stdint.h>

#define TRUTHS(ROW)                                                          \
	ROW(UNTOLD, "")           /* the CPU, or the runtime, counts it */   \
	ROW(EXACT, "exact")       /* what the program did */                 \
	ROW(MODELLED, "modelled") /* what a machine with such caches does */ \
	ROW(RATIO, "ratio")       /* a fixed share of an exact count */      \
	ROW(ESTIMATE, "estimate") /* from the time that went by */           \
	ROW(HOST, "host")         /* a time by the host's clock */

#define TRUTH_NUMBER(name, text) TRUTH_##name,
enum truth { TRUTHS(TRUTH_NUMBER) TRUTH_KINDS };
#undef TRUTH_NUMBER

/* truth_name() - "" for one that is not told, or not known. */
static inline const char *truth_name(uint32_t truth)
{
#define TRUTH_NAME(name, text) text,
	static const char *const names[] = {TRUTHS(TRUTH_NAME)};
#undef TRUTH_NAME

	return truth < TRUTH_KINDS ? names[truth] : "";
}

#endif
