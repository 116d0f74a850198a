/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_times.h - exact profiles (include/perf0/profile_file.h): the entries for what the
 * modelled core spends on each run of instructions, if the host wants them (`wants_times`). */
#ifndef VPMU_PLUGIN_PROFILE_TIMES_H
#define VPMU_PLUGIN_PROFILE_TIMES_H

#include "include/perf0/profile_file.h"

/* times_are_wanted() - the profile has entries. */
bool times_are_wanted(void);

/* times_of() - the entry of the run that begins with the `insn`'th instruction, at `va`, of the
 * block that is being translated; NULL: times are not wanted, it is not profiled, or no room. */
struct profile_time *times_of(size_t insn, uint64_t va);

#endif
