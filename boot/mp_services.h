/* SPDX-License-Identifier: BSD-2-Clause */
/* mp_services.h - starts other CPUs by the firmware's MP services: FIRMWARE_CPU. */
#ifndef BOOT_MP_SERVICES_H
#define BOOT_MP_SERVICES_H

#include "boot/efi.h"
#include "include/perf0/firmware.h"

/* cpus_start() - answers FIRMWARE_CPU: 0, -ENODEV or -ENOMEM. Interrupts on, TPL_APPLICATION. */
int cpus_start(EFI_SYSTEM_TABLE *st, const struct firmware_cpu *call);

/* cpus_wait() - waits until no started CPU executes code of the image. cpus_end() - waits until the
 * firmware has noticed that, too. */
void cpus_wait(void);
void cpus_end(EFI_SYSTEM_TABLE *st);

#endif
