/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth.h - the accuracy class of a count where no silicon counts; used by vpmu, the image, the
 * wire and the host tool.
 */
#ifndef PERF0_TRUTH_H
#define PERF0_TRUTH_H

#include <stddef.h>
#include <stdint.h>

#define TRUTHS(ROW)                                                              \
	ROW(UNTOLD, "")           /* the CPU or the runtime counts it */         \
	ROW(EXACT, "exact")       /* what the program did */                     \
	ROW(MODELLED, "modelled") /* what a machine with such caches would do */ \
	ROW(RATIO, "ratio")       /* a fixed share of an exact count */          \
	ROW(ESTIMATE, "estimate") /* derived from elapsed time */                \
	ROW(HOST, "host")         /* a time of the host's clock */               \
	ROW(KVM, "kvm")           /* a counter of the CPU, as KVM lends it */

#define TRUTH_NUMBER(name, text) TRUTH_##name,
enum truth { TRUTHS(TRUTH_NUMBER) TRUTH_KINDS };
#undef TRUTH_NUMBER

/* truth_name() - "" for TRUTH_UNTOLD and unknown values. */
static inline const char *truth_name(uint32_t truth)
{
#define TRUTH_NAME(name, text) text,
	static const char *const names[] = {TRUTHS(TRUTH_NAME)};
#undef TRUTH_NAME

	return truth < TRUTH_KINDS ? names[truth] : "";
}

#endif
