/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ps2.h - recognizes ^C on the keyboard of an 8042 controller, as built into most laptops: IBM
 * Personal System/2 Hardware Interface Technical Reference, "Keyboard and Auxiliary Device
 * Controller". All other keys are for the firmware's driver; they are lost while perf0 listens.
 */
#ifndef ARCH_X86_PORTABLE_PS2_H
#define ARCH_X86_PORTABLE_PS2_H

#include <stdbool.h>
#include <stdint.h>

/* ps2_init() - looks for the controller and reads which codes it sends. This takes up to some ms.
 * Interrupts off; no other driver uses the controller. -ENODEV: there is none. */
int ps2_init(void);

/*
 * ps2_listen() - enables the keyboard's interrupt (ISA interrupt 1) and drops pending bytes, or
 * restores the former setting. ps2_is_interrupt() - reads the pending bytes. True: ^C was among
 * them. Interrupts off. Both do nothing without a controller.
 */
void ps2_listen(bool on);
bool ps2_is_interrupt(void);

#define PS2_IRQ 1

#endif
