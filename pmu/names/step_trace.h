/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_trace.h - attr.config of the PMU step_trace: the bits of IA32_RTIT_CTL that it uses, at the
 * places of Intel PT, so that readers of the trace find them. SDM vol. 3, "IA32_RTIT_CTL MSR".
 */
#ifndef PMU_NAMES_STEP_TRACE_H
#define PMU_NAMES_STEP_TRACE_H

#define STEP_TRACE_PT_BIT        0  /* set by tools that want the whole trace */
#define STEP_TRACE_TSC_BIT       10 /* the trace has times */
#define STEP_TRACE_NORETCOMP_BIT 11 /* returns have addresses: always set here */
#define STEP_TRACE_BRANCH_BIT    13 /* the trace has branches: always set here */
#define STEP_TRACE_PSB_SHIFT     24 /* 4 bits n: a PSB every 2^(n + 11) bytes */

#define STEP_TRACE_NEEDED \
	(1u << STEP_TRACE_PT_BIT | 1u << STEP_TRACE_NORETCOMP_BIT | 1u << STEP_TRACE_BRANCH_BIT)
#define STEP_TRACE_DEFAULT (STEP_TRACE_NEEDED | 1u << STEP_TRACE_TSC_BIT)
#define STEP_TRACE_KNOWN   (STEP_TRACE_DEFAULT | 0xfu << STEP_TRACE_PSB_SHIFT)

#endif
