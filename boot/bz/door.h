/* SPDX-License-Identifier: BSD-2-Clause */
/* door.h - what head.S calls. Linux, Documentation/arch/x86/boot.rst. */
#ifndef BOOT_BZ_DOOR_H
#define BOOT_BZ_DOOR_H

#include <asm/bootparam.h>
#include <efi.h>

/* bz_start() - the 64-bit entry: interrupts off, on a stack below `bz_stack_end`. The image is not
 * relocated. bz_handover() - the entry of the EFI handover protocol, on the firmware's stack. */
_Noreturn void bz_start(const struct boot_params *params);
EFI_STATUS bz_handover(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, const struct boot_params *params);

#endif
