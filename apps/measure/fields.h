/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fields.h - what samples carry beside the usual: the options of perf record that choose it, by
 * their names there. Task context.
 */
#ifndef APPS_MEASURE_FIELDS_H
#define APPS_MEASURE_FIELDS_H

#include "apps/measure/evset.h"

#include <stdbool.h>

extern const struct option fields_options[];

/* The help for these. */
#define FIELDS_HELP                                                                             \
	"  -g                     samples have their chain of callers, by frame pointers\n"     \
	"      --call-graph HOW   fp: the same; dwarf[,BYTES]: ring 3's registers and BYTES "   \
	"(8192)\n"                                                                              \
	"                         of its stack, for unwinders; none\n"                          \
	"      --max-stack N      chains of at most N frames (127)\n"                           \
	"  -d, --data             the address of data and where it came from, of events that\n" \
	"                         know them, and records of memory that is no code\n"           \
	"      --phys-data        its physical address, too\n"                                  \
	"      --data-page-size   the size of its page; --code-page-size: that of the code's\n" \
	"  -W, --weight           the weight (latency) that precise events know\n"              \
	"  -R, --raw-samples      the raw data of events that have some, as IBS does\n"         \
	"  -I, --intr-regs[=LIST] the interrupted registers: AX,BX,... (all)\n"                 \
	"      --user-regs[=LIST] the registers of ring 3\n"                                    \
	"  -T, --timestamp, -P, --period, --sample-cpu\n"                                       \
	"                         time, period and CPU, also where they would be left out\n"    \
	"      --switch-events    records of when the workload is and is not on the CPU\n"      \
	"  -s, --stat             its counts at the end, for perf report -T\n"                  \
	"  -i, --no-inherit       tasks that it starts do not count for it\n"

/* fields_reset() - forgets what an earlier command was given: before the options are read.
 * fields_check() - whether the values that were given mean something. False: one line of complaint,
 * which starts with `who`, said what does not. fields_apply() - asks for all that in the attrs;
 * fields_side_band() - in that of the event that carries records which are no samples.
 * fields_tell_zeros() - one line about what samples of `e`, which is open, have to have and it
 * cannot give; none where there is nothing. */
void fields_reset(void);
bool fields_check(const char *who);
void fields_apply(struct evset *set);
void fields_side_band(struct perf_event_attr *attr);
void fields_tell_zeros(const char *who, const struct pmu_event *e, const char *name);

#endif
