/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * marked.h - vpmu's option `text=marked`: the text of the firmware's console goes to COM1 as it is,
 * without sequences for a terminal, between the marks of include/perf0/marks.h.
 *
 * Task context, before ExitBootServices.
 */
#ifndef BOOT_MARKED_H
#define BOOT_MARKED_H

#include <efi.h>

/* marked_await() - sends MARK_AWAIT, and reads the line until `byte` comes; other bytes
 * are dropped. It needs no marked_begin(). */
void marked_await(char byte);

/* marked_begin() - sends all output of the system table's consoles to the line from here on. */
void marked_begin(EFI_SYSTEM_TABLE *st);

/* marked_start() - marks the output that follows as the image's. */
void marked_start(void);

/* marked_end() - marks the end of the image with `status`, or that it was not started, and turns
 * the machine off. */
void marked_end(EFI_SYSTEM_TABLE *st, EFI_STATUS status);

#endif
