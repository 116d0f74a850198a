/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usb.h - halts the USB controllers while a command runs on a machine that its firmware lends: boot
 * option usb=halt. xHCI, EHCI and UHCI specifications, "Run/Stop". Task context on the boot CPU.
 */
#ifndef ARCH_X86_DEV_USB_H
#define ARCH_X86_DEV_USB_H

#include <stdbool.h>

/* usb_init() - finds the controllers whose registers can be reached, and returns their number.
 * After paging_init() and world_init(). */
unsigned usb_init(void);

/*
 * usb_halt() - true: halts the running controllers, now and each time the firmware lends the
 * machine again; the firmware has them running. False: restarts the controllers that were halted
 * here; this is the state before the first call. Returns how many controllers did not change their
 * state within 20 ms.
 */
unsigned usb_halt(bool on);

#endif
