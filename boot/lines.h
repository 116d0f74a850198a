/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.h - serial lines that the firmware drives (UEFI specification, "Serial I/O Protocol"), and
 * its console: the list of them, so that the runtime knows which lines it drives itself, and input
 * and output over the others. Boot services.
 */
#ifndef BOOT_LINES_H
#define BOOT_LINES_H

#include <efi.h>
#include <stdbool.h>

#include "include/perf0/firmware.h"

/* lines_begin() - finds the lines, and disconnects the firmware's terminals, which would take half
 * of the input. Lines without a terminal stay as they are: there is firmware that hangs there.
 * `shows_text`: the firmware's console is the last line. lines_end() - connects the terminals
 * again. */
void lines_begin(EFI_SYSTEM_TABLE *st, bool shows_text);
void lines_end(EFI_SYSTEM_TABLE *st);

/* lines_answer() - answers FIRMWARE_SERIAL. lines_read() - reads input of the lines of `mask`, up
 * to `room` bytes; returns how many. */
int lines_answer(EFI_SYSTEM_TABLE *st, struct firmware_serial *serial);
uint32_t lines_read(uint32_t mask, uint8_t *bytes, uint32_t room);

#endif
