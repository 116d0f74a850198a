/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.h - serial lines that the firmware drives (UEFI specification, "Serial I/O Protocol"):
 * which of them there are, so that the runtime knows which it drives itself, and what comes and
 * goes over the others. Boot services.
 */
#ifndef BOOT_LINES_H
#define BOOT_LINES_H

#include <efi.h>

#include "include/perf0/firmware.h"

/* lines_begin() - finds them; the firmware's terminals there, which would take half of what is
 * typed, are disconnected. lines_end() - and connected again. */
void lines_begin(EFI_SYSTEM_TABLE *st);
void lines_end(EFI_SYSTEM_TABLE *st);

/* lines_answer() - FIRMWARE_SERIAL. lines_read() - what has come over the lines of `mask`, up to
 * `room` bytes; returns how many. */
int lines_answer(struct firmware_serial *serial);
uint32_t lines_read(uint32_t mask, uint8_t *bytes, uint32_t room);

#endif
