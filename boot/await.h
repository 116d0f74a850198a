/* SPDX-License-Identifier: BSD-2-Clause */
/* await.h - options that come later, once the machine was saved: include/perf0/awaited.h. Boot
 * services, TPL_APPLICATION. */
#ifndef BOOT_AWAIT_H
#define BOOT_AWAIT_H

#include <efi.h>

#include <stddef.h>

/*
 * await_options() - waits for options where `text`, the load options, says so, and puts them in its
 * place, terminated, in `size` bytes; other load options stay as they are. Errors are printed.
 * Where no options came, the machine is turned off, as with `text=marked`.
 */
EFI_STATUS await_options(EFI_SYSTEM_TABLE *st, char *text, size_t size);

#endif
