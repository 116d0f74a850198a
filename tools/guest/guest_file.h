/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_file.h - whether a file is one that firmware for x86-64 starts, before anything boots: a
 * program of UEFI, or a kernel of Linux that is one, too ("EFI stub"). Nothing in the file is
 * believed.
 */
#ifndef TOOLS_GUEST_GUEST_FILE_H
#define TOOLS_GUEST_GUEST_FILE_H

#include "lib/reason.h"

#define KERNEL_VERSION_MOST 128

/*
 * guest_program_open() - the file, open for reading; -E with the reason, which names it: it can not
 * be read, or is no program of UEFI for x86-64. guest_kernel_open() - the same of a kernel, whose
 * version it fills in ("6.1.0-9-amd64"; "" where the file does not tell).
 */
int guest_program_open(const char *path, struct reason *why);
int guest_kernel_open(const char *path, char version[KERNEL_VERSION_MOST], struct reason *why);

#endif
