/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_machine.h - the machine under the checks of apps/doctor/: kernels, clocks, and notes on
 * the volume that the image came from.
 *
 * Before each check a note with its name is written there (\perf0\doctor.now). If the machine
 * hangs, the note is found at the next start, and the check is skipped on machines of that name
 * from then on: \perf0\doctor.hung lists them. Without such a volume there are no notes. Where the
 * chipset has a watchdog, it resets a machine that hangs. Task context.
 */
#ifndef APPS_DOCTOR_MACHINE_H
#define APPS_DOCTOR_MACHINE_H

#include "apps/doctor/doctor.h"

/*
 * doctor_machine_begin() - prepares the machine, and reads the notes; -ENOMEM. `hang`: the name of
 * a check that never ends, for tests; NULL: none. `watchdog`: seconds that a check may take, 0:
 * any. doctor_machine_end() - removes the note, and stops the watchdog.
 */
#define DOCTOR_WATCHDOG_SECONDS 60
int doctor_machine_begin(const char *hang, unsigned watchdog);
void doctor_machine_end(void);

/* doctor_machine() - after doctor_machine_begin(). */
const struct doctor_host *doctor_machine(void);

#endif
