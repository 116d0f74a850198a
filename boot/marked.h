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

/* marked_await() - tells that vpmu waits, and waits until `byte` comes by the line; others are
 * dropped. It needs no marked_begin(). */
void marked_await(char byte);

/* marked_begin() - what is printed by the system table's consoles goes to the line from here on. */
void marked_begin(EFI_SYSTEM_TABLE *st);

/* marked_start() - what comes next is the image's. */
void marked_start(void);

/* marked_end() - the image ended with `status`, or was not started: the machine goes off. */
void marked_end(EFI_SYSTEM_TABLE *st, EFI_STATUS status);

#endif
