/* SPDX-License-Identifier: BSD-2-Clause */
/* screens.h - finds the framebuffers of the firmware's drivers. */
#ifndef BOOT_SCREENS_H
#define BOOT_SCREENS_H

#include "boot/efi.h"
#include "include/perf0/handoff.h"

/*
 * screens_note() - fills handoff->screens: the screen of the firmware's console goes first, then
 * all others, since nothing tells which one a person looks at. Screens without a framebuffer in
 * memory, with pixels of other than 32 bits, or with lines that are shorter than the screen is
 * wide, are counted in handoff->odd_screens.
 */
void screens_note(EFI_SYSTEM_TABLE *st, struct handoff *handoff);

#endif
