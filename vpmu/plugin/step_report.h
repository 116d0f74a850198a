/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_report.h - one instruction, of which vpmu wants to know all: it goes to the page
 * (include/perf0/events_page.h, struct events_last). The instruction is a block of its own, since
 * it is stepped; blocks of several are not looked at.
 */
#ifndef VPMU_PLUGIN_STEP_REPORT_H
#define VPMU_PLUGIN_STEP_REPORT_H

#include "vpmu/micro/micro.h"
#include "vpmu/plugin/vcpu_counts.h"

/* What tells how the code of an instruction came. */
struct stepped_fetches {
	uint64_t l1, l2, llc, misses, walks, stalls;
};

/* stepped_fetches() - as counts `n` have it now. */
void stepped_fetches(struct stepped_fetches *fetches, const uint64_t *n);

/* stepped_is_wanted() - vpmu wants to know of an instruction. */
bool stepped_is_wanted(unsigned vcpu);

/*
 * stepped_begin() - the instruction at `rip` runs, and is fetched: `n` are the counts since
 * `before`. It is told if vpmu wants it; then so are stepped_access(), stepped_branch(), and else
 * they do nothing.
 */
void stepped_begin(unsigned vcpu, uint64_t rip, bool locked, const struct stepped_fetches *before,
		   const uint64_t *n);
void stepped_access(unsigned vcpu, uint64_t va, unsigned bytes, bool store,
		    const struct micro_outcome *outcome);
void stepped_branch(unsigned vcpu, uint64_t rip, bool taken, bool mispredicted);

#endif
