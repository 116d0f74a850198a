/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * part_writer.h - parts of an exact profile: what counts, and from when on. While no vCPU runs,
 * or under the lock of profile_calls.h.
 */
#ifndef VPMU_PLUGIN_PROFILE_PARTS_H
#define VPMU_PLUGIN_PROFILE_PARTS_H

#include <stdbool.h>

/* parts_exclude() - pieces that are executed from now on do not count, or count again. */
void parts_exclude(bool exclude);

/* parts_zero() - all counters of the file are zero. */
void parts_zero(void);

/* parts_write() - appends all counters to the file. `ends_command`: see struct profile_part. */
void parts_write(bool ends_command);

#endif
