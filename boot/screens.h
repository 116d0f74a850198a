/* SPDX-License-Identifier: BSD-2-Clause */
/* screens.h - framebuffers, by the firmware's drivers. */
#ifndef BOOT_SCREENS_H
#define BOOT_SCREENS_H

#include "boot/efi.h"
#include "include/perf0/handoff.h"

/*
 * screens_note() - handoff->screens: that of the firmware's console goes first, then all others,
 * since nothing tells at which of them a person looks. Those without a framebuffer in memory, and
 * those whose pixels have no 32 bits, are left out.
 */
void screens_note(EFI_SYSTEM_TABLE *st, struct handoff *handoff);

#endif
