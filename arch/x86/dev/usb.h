/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usb.h - USB controllers of a firmware that lends the machine, halted while a command runs: boot
 * option usb=halt. xHCI, EHCI and UHCI specifications, "Run/Stop". Task context on the boot CPU.
 */
#ifndef ARCH_X86_DEV_USB_H
#define ARCH_X86_DEV_USB_H

#include <stdbool.h>

/* usb_init() - finds those that run, and returns how many; after paging_init() and world_init(). */
unsigned usb_init(void);

/*
 * usb_halt() - from now on they stand still when the firmware has not the machine, or they run, as
 * they do before the first call. Returns how many did not obey in the time that the specifications
 * give them.
 */
unsigned usb_halt(bool on);

#endif
