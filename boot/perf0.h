/* SPDX-License-Identifier: BSD-2-Clause */
/* perf0.h - the entry of perf0 beside a firmware whose boot services run. */
#ifndef BOOT_PERF0_H
#define BOOT_PERF0_H

#include "boot/efi.h"

/*
 * efi_start() - collects the firmware's facts, and runs the runtime in the mode that the options
 * ask for. boot_handoff (boot/start.h) has the place of the image and the options. Returns the
 * result of efi_main(), if at all.
 */
EFI_STATUS efi_start(EFI_HANDLE self, EFI_SYSTEM_TABLE *st);

#endif
