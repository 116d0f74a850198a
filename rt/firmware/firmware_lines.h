/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware_lines.h - serial lines that the firmware alone can drive, as adapters at USB
 * (mode=borrow). What is printed is kept until the firmware has the machine again, at the prompt;
 * what is typed there comes with its keys, so no ^C is heard while a command runs.
 */
#ifndef RT_FIRMWARE_FIRMWARE_LINES_H
#define RT_FIRMWARE_FIRMWARE_LINES_H

#include <stdint.h>

/* firmware_lines_init() - finds them: all but those of serial.h. firmware_lines_count(). Task
 * context on the boot CPU, between commands; so is firmware_lines_flush(): what is kept goes out.
 */
void firmware_lines_init(void);
unsigned firmware_lines_count(void);
void firmware_lines_flush(void);

/* firmware_lines_mask() - bit i: line i of the firmware is one of these. */
uint32_t firmware_lines_mask(void);

#endif
