/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_json.h - the report of the doctor as one JSON object: verdicts, CPUID leaves, registers,
 * and the firmware's name and version. It has no serial numbers, and no leaf or register with one.
 * Task context.
 */
#ifndef APPS_DOCTOR_JSON_H
#define APPS_DOCTOR_JSON_H

#include "apps/doctor/doctor.h"

#include <stddef.h>

/* doctor_json() - returns the text, and its length in `*n`; valid until the next call. */
const char *doctor_json(const struct doctor_report *report, size_t *n);

#endif
