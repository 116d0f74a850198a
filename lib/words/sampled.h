/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampled.h - parses options for fields of samples: lists of registers, branch filters, clocks,
 * call graphs. Any context.
 */
#ifndef LIB_WORDS_SAMPLED_H
#define LIB_WORDS_SAMPLED_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

/* registers_all() - the bits (PERF_REG_X86_...) of all registers that samples can have. */
uint64_t registers_all(void);

/*
 * registers_read() - reads "AX,bx,R8", in either case, as bits; "" is all. -EINVAL with the reason
 * and the column.
 */
int registers_read(const char *list, uint64_t *mask, struct reason *why);

/* The way in which callers of a sample are found. */
struct call_graph {
	bool frames;    /* by frame pointers */
	bool calls;     /* by the CPU's records of calls */
	uint32_t stack; /* by unwinding so many bytes of ring 3's stack; 0: not */
};

/*
 * branch_filter_read() - reads "any,u,call" as bits (PERF_SAMPLE_BRANCH_...). A filter without a
 * kind of branches selects any. -EINVAL with the reason and the column.
 */
int branch_filter_read(const char *list, uint64_t *mask, struct reason *why);

/*
 * clock_read() - reads a clock as perf record -k does: "monotonic", "mono", "CLOCK_TAI" or "4", in
 * either case, as its number (CLOCK_...). -EINVAL with the reason.
 */
int clock_read(const char *name, int *clockid, struct reason *why);

/* call_graph_read() - reads fp, dwarf, dwarf,BYTES, lbr or none. -EINVAL with the reason. */
int call_graph_read(const char *how, struct call_graph *graph, struct reason *why);

#endif
