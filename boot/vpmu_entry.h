/* SPDX-License-Identifier: BSD-2-Clause */
/* vpmu_entry.h - the entry of vpmu beside a firmware whose boot services run. */
#ifndef BOOT_VPMU_ENTRY_H
#define BOOT_VPMU_ENTRY_H

#include "boot/efi.h"
#include "include/perf0/handoff_args.h"

#define VPMU_OPTIONS_MAX HANDOFF_MAX_ARGS

/* vpmu_efi_start() - does what `text` says, which has room for VPMU_OPTIONS_MAX bytes and is
 * changed: see vpmu.c. Returns the result of efi_main(), if at all. */
EFI_STATUS vpmu_efi_start(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, char *text);

#endif
