/* SPDX-License-Identifier: BSD-2-Clause */
/* record_fields.h - optional fields of samples: the options of perf record that choose them, with
 * the same names. Task context. */
#ifndef APPS_MEASURE_RECORD_FIELDS_H
#define APPS_MEASURE_RECORD_FIELDS_H

#include "apps/measure/evset.h"

#include <stdbool.h>

/* The targets of these options, for options_read(). */
extern const struct option_targets fields_targets;

/*
 * fields_reset() - forgets the options of an earlier command: before the options are read.
 * fields_settle() - checks the values of the options after that; -EINVAL, with a line: they do not
 * go together. fields_apply() - requests the fields in the attrs; fields_side_band() - in the attr
 * of the event that carries records which are no samples. fields_tell_zeros() - one line about
 * fields that samples of `e`, which is open, have, but that it cannot fill; none where there are
 * none.
 */
void fields_reset(void);
int fields_settle(const char *command);
void fields_apply(struct evset *set);
void fields_side_band(struct perf_event_attr *attr);
void fields_tell_zeros(const char *command, const struct pmu_event *e, const char *name);

#endif
