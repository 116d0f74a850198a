/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_trace.h - attr.config of the PMU step_trace: those bits of IA32_RTIT_CTL that mean something
 * to it, so that a reader of the trace finds them where Intel PT has them. SDM vol. 3,
 * "IA32_RTIT_CTL MSR".
 */
#ifndef PMU_NAMES_STEP_TRACE_H
#define PMU_NAMES_STEP_TRACE_H

#define STEP_TRACE_PT_BIT        0  /* set by tools that want all there is */
#define STEP_TRACE_TSC_BIT       10 /* with time */
#define STEP_TRACE_NORETCOMP_BIT 11 /* each return with its address: no other way here */
#define STEP_TRACE_BRANCH_BIT    13 /* of branches: no other trace here */
#define STEP_TRACE_PSB_SHIFT     24 /* 4 bits n: a PSB every 2^(n + 11) bytes */

#define STEP_TRACE_NEEDED \
	(1u << STEP_TRACE_PT_BIT | 1u << STEP_TRACE_NORETCOMP_BIT | 1u << STEP_TRACE_BRANCH_BIT)
#define STEP_TRACE_DEFAULT (STEP_TRACE_NEEDED | 1u << STEP_TRACE_TSC_BIT)
#define STEP_TRACE_KNOWN   (STEP_TRACE_DEFAULT | 0xfu << STEP_TRACE_PSB_SHIFT)

#endif
