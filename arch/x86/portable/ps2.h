/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ps2.h - ^C on the keyboard of an 8042, which most laptops have inside: IBM Personal System/2
 * Hardware Interface Technical Reference, "Keyboard and Auxiliary Device Controller". All other
 * keys are for the firmware's driver, and get lost while this listens.
 */
#ifndef ARCH_X86_PORTABLE_PS2_H
#define ARCH_X86_PORTABLE_PS2_H

#include <stdbool.h>
#include <stdint.h>

/* ps2_init() - whether there is one, and which codes it sends. Asks the controller, which takes up
 * to some ms. Interrupts off, no driver at it. -ENODEV. */
int ps2_init(void);

/*
 * ps2_listen() - from now on it interrupts (ISA interrupt 1), or as it did before; what is there by
 * then is dropped. ps2_is_interrupt() - reads what is there: true, ^C was in it. Interrupts off,
 * and none of them without a keyboard does anything.
 */
void ps2_listen(bool on);
bool ps2_is_interrupt(void);

#define PS2_IRQ 1

#endif
