/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handed.h - the files that QEMU hands over in the folder AWAITED_FILES of its fw_cfg
 * (include/perf0/awaited.h), as a volume of the firmware's. A disk answers when the host has
 * time; these files are read at once, so that a read takes the same time in each run. Boot
 * services.
 */
#ifndef BOOT_HANDED_H
#define BOOT_HANDED_H

#include <efi.h>

/* handed_offer() - adds the volume: read only, without folders. */
EFI_STATUS handed_offer(EFI_SYSTEM_TABLE *st);

#endif
