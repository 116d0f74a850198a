/* SPDX-License-Identifier: BSD-2-Clause */
/* keys.h - reads keys by the firmware's drivers: FIRMWARE_KEYS. */
#ifndef BOOT_KEYS_H
#define BOOT_KEYS_H

#include "boot/efi.h"
#include "include/perf0/firmware.h"

/* keys_begin() - looks for keyboards and returns how many there are. keys_end() - releases them. */
unsigned keys_begin(EFI_SYSTEM_TABLE *st);
void keys_end(EFI_SYSTEM_TABLE *st);

/* keys_wait() - answers FIRMWARE_KEYS: 0 or -E. Interrupts on, TPL_APPLICATION. */
int keys_wait(EFI_SYSTEM_TABLE *st, struct firmware_keys *keys);

#endif
