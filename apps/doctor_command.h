/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_command.h - the doctor, for `selftest pmu`. Task context. */
#ifndef APPS_DOCTOR_COMMAND_H
#define APPS_DOCTOR_COMMAND_H

/* doctor_selftest() - runs all checks and prints their page. The number of checks that are wrong;
 * -E: they cannot run, and the reason is printed. */
int doctor_selftest(void);

#endif
