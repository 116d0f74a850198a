/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sleep.h - S3, which vpmu does not live through: the firmware, not vpmu, wakes the CPU up. So the
 * firmware's tables do not offer it to the guest.
 */
#ifndef BOOT_SLEEP_H
#define BOOT_SLEEP_H

#include <efi.h>

/* sleep_hide_s3() - before the guest looks: the DSDT's object _S3_ has another name, which means
 * nothing. ACPI 6.5, "\_Sx (System States)". */
void sleep_hide_s3(EFI_SYSTEM_TABLE *st);

#endif
