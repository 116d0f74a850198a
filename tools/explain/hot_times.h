/* SPDX-License-Identifier: BSD-2-Clause */
/* hot_times.h - what a modelled core spent on hot code when the program ran. */
#ifndef TOOLS_EXPLAIN_HOT_TIMES_H
#define TOOLS_EXPLAIN_HOT_TIMES_H

#include "tools/explain/hot_code.h"

struct hot_times {
	uint64_t width; /* slots of a cycle; 0: nothing is known */
	uint64_t count[PROFILE_TIME_COUNTS];
};

/* hot_times_of() - sums up the runs of the file that begin in the code. */
void hot_times_of(struct hot_times *times, const struct profile_file *file,
		  const struct profile *profile, const struct hot_code *hot);

#endif
