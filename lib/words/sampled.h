/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampled.h - what people type for what samples are to have: lists of registers, and how to find
 * callers. Any context.
 */
#ifndef LIB_WORDS_SAMPLED_H
#define LIB_WORDS_SAMPLED_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

/* registers_all() - the bits (PERF_REG_X86_...) of all registers that samples can have. */
uint64_t registers_all(void);

/*
 * registers_read() - the bits of "AX,bx,R8", in either case; "" is all. -EINVAL with the reason and
 * the column.
 */
int registers_read(const char *list, uint64_t *mask, struct reason *why);

/* How the callers of a sample are found. */
struct call_graph {
	bool frames;    /* by frame pointers */
	bool calls;     /* by the CPU's records of calls */
	uint32_t stack; /* by unwinders, from so many bytes of ring 3's stack; 0: not */
};

/*
 * branch_filter_read() - the bits (PERF_SAMPLE_BRANCH_...) of "any,u,call"; where no kind of
 * branches is named, of any. -EINVAL with the reason and the column.
 */
int branch_filter_read(const char *list, uint64_t *mask, struct reason *why);

/*
 * clock_read() - the number (CLOCK_...) of "monotonic", "mono", "CLOCK_TAI" or "4": what perf
 * record -k takes, in either case. -EINVAL with the reason.
 */
int clock_read(const char *name, int *clockid, struct reason *why);

/* call_graph_read() - fp, dwarf, dwarf,BYTES, lbr or none. -EINVAL with the reason. */
int call_graph_read(const char *how, struct call_graph *graph, struct reason *why);

#endif
