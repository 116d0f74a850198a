/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware_lines.h - lines that only the firmware can drive (mode=borrow): serial ones, such as
 * adapters at USB, and its own console where no screen has a framebuffer. Output is kept until the
 * firmware runs again: behind each command, and at the prompt. Input there comes as keys of the
 * firmware, so ^C has no effect while a command runs.
 */
#ifndef RT_FIRMWARE_FIRMWARE_LINES_H
#define RT_FIRMWARE_FIRMWARE_LINES_H

#include <stdint.h>

/* firmware_lines_init() - finds these lines: all but those of serial.h. firmware_lines_count() -
 * the number of those that are serial. firmware_lines_flush() - sends the kept output. Task context
 * on the boot CPU, between commands. */
void firmware_lines_init(void);
unsigned firmware_lines_count(void);
void firmware_lines_flush(void);

/* firmware_lines_mask() - bit i is set if line i of the firmware is one of these. */
uint32_t firmware_lines_mask(void);

#endif
