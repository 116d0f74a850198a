/* SPDX-License-Identifier: BSD-2-Clause */
/* sleep.h - vpmu's watch for S3, after which the firmware, not vpmu, wakes the CPU up (ACPI 6.5,
 * "Sleeping States"). Where vpmu does not survive S3, the tables do not offer it. */
#ifndef BOOT_SLEEP_H
#define BOOT_SLEEP_H

#include "include/perf0/vpmu.h"

/* sleep_find_table() - the table of ACPI with that signature; NULL: there is none. */
const void *sleep_find_table(const uint8_t *rsdp, const char *signature);

/* sleep_find() - the port and the FACS, by the tables of the RSDP. False: one of them is missing,
 * or `rsdp` is NULL. */
bool sleep_find(const uint8_t *rsdp, struct vpmu_config *config);

/* sleep_hide_s3() - renames the DSDT's object _S3_ to a name without a meaning, before the guest
 * looks. ACPI 6.5, "\_Sx (System States)". */
void sleep_hide_s3(const uint8_t *rsdp);

#endif
