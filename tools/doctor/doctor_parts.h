/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_parts.h - `perf0 doctor --host`: what this host has of the things that perf0 uses. */
#ifndef TOOLS_DOCTOR_DOCTOR_PARTS_H
#define TOOLS_DOCTOR_DOCTOR_PARTS_H

#include <stdbool.h>

#include "tools/doctor/doctor_said.h"
#include "tools/options/machine_options.h"

/*
 * doctor_parts() - prints a line for each thing: whether it is there, its version, and what is
 * slower or less exact without it. It adds them to `list`. `is_report`: what a bug report needs
 * comes first, and nothing names the user, the host or their folders. Returns 0 if machines can run
 * here, or STATUS_FAILED.
 */
int doctor_parts(struct said_list *list, const struct machine_options *options, bool is_report);

#endif
