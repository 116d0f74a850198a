/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usb.h - halts the USB controllers of firmware that lends the machine, while a command runs: boot
 * option usb=halt. xHCI, EHCI and UHCI specifications, "Run/Stop". Task context on the boot CPU.
 */
#ifndef ARCH_X86_DEV_USB_H
#define ARCH_X86_DEV_USB_H

#include <stdbool.h>

/* usb_init() - finds the USB controllers and returns their number; after paging_init() and
 * world_init(). */
unsigned usb_init(void);

/*
 * usb_halt() - on: the controllers are halted from now on while perf0 has the machine. Off: they
 * run, as before the first call. Returns the number of controllers that did not follow within the
 * time of the specifications.
 */
unsigned usb_halt(bool on);

#endif
