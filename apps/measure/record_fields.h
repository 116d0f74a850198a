/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_fields.h - what samples carry beside the usual: the options of perf record that choose it,
 * by their names there. Task context.
 */
#ifndef APPS_MEASURE_RECORD_FIELDS_H
#define APPS_MEASURE_RECORD_FIELDS_H

#include "apps/measure/evset.h"

#include <stdbool.h>

/* Where the values of these options go: for options_read(). */
extern const struct option_targets fields_targets;

/* fields_reset() - forgets what an earlier command was given: before the options are read.
 * fields_settle() - reads the values that were given, once the options are; -EINVAL, with a line:
 * they do not go together. fields_apply() - asks
 * for all that in the attrs; fields_side_band() - in that of the event that carries records which
 * are no samples. fields_tell_zeros() - one line about what samples of `e`, which is open, have to
 * have and it cannot give; none where there is nothing. */
void fields_reset(void);
int fields_settle(const char *command);
void fields_apply(struct evset *set);
void fields_side_band(struct perf_event_attr *attr);
void fields_tell_zeros(const char *command, const struct pmu_event *e, const char *name);

#endif
