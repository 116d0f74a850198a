/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sleep.h - S3, behind which the firmware, not vpmu, wakes the CPU up: what vpmu watches of it
 * (ACPI 6.5, "Sleeping States"). Where vpmu does not live through it, the tables do not offer it.
 */
#ifndef BOOT_SLEEP_H
#define BOOT_SLEEP_H

#include "include/perf0/vpmu.h"

#include <efi.h>

/* sleep_find() - the port and the FACS, by the firmware's tables. False: they have not both. */
bool sleep_find(EFI_SYSTEM_TABLE *st, struct vpmu_config *config);

/* sleep_hide_s3() - before the guest looks: the DSDT's object _S3_ has another name, which means
 * nothing. ACPI 6.5, "\_Sx (System States)". */
void sleep_hide_s3(EFI_SYSTEM_TABLE *st);

#endif
