/* SPDX-License-Identifier: BSD-2-Clause */
/* await.h - options that come later, once the machine was saved: include/perf0/awaited.h. Boot
 * services, TPL_APPLICATION. */
#ifndef BOOT_AWAIT_H
#define BOOT_AWAIT_H

#include <efi.h>

#include <stddef.h>

/*
 * await_options() - where `text`, the load options, says so, waits, and puts the options that come
 * into its place, terminated, in `size` bytes; all other options stay as they are. An error is
 * told; where it has waited and nothing came, the machine goes off, as with `text=marked`.
 */
EFI_STATUS await_options(EFI_SYSTEM_TABLE *st, char *text, size_t size);

#endif
