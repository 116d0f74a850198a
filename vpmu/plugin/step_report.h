/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_report.h - the report on one instruction for vpmu, in the page (include/perf0/events_page.h,
 * struct events_last). The instruction is a block of its own, as it is stepped; larger blocks are
 * not reported.
 */
#ifndef VPMU_PLUGIN_STEP_REPORT_H
#define VPMU_PLUGIN_STEP_REPORT_H

#include "vpmu/plugin/run_time.h"
#include "vpmu/plugin/vcpu_counts.h"

/* Counts that show how the instruction's code was fetched. */
struct stepped_fetches {
	uint64_t l1, l2, llc, misses, walks;
};

/* stepped_fetches() - takes these counts from `n`. */
void stepped_fetches(struct stepped_fetches *fetches, const uint64_t *n);

/* stepped_is_wanted() - whether vpmu wants a report. */
bool stepped_is_wanted(unsigned vcpu);

/*
 * stepped_begin() - the instruction at `rip` has been fetched in `latency` cycles, and runs; `n`
 * are the counts, `before` those before the fetch. Starts a report if vpmu wants one. Then, as far
 * as it has run: stepped_accesses(), of the last run of the core in time; stepped_branch(). They do
 * nothing for another instruction than that of the report.
 */
void stepped_begin(unsigned vcpu, uint64_t rip, bool locked, const struct stepped_fetches *before,
		   const uint64_t *n, uint64_t latency);
void stepped_accesses(unsigned vcpu, const struct run_time *time);
void stepped_branch(unsigned vcpu, uint64_t rip, bool taken, bool mispredicted);

#endif
