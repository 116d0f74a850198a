/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_file.h - checks before a boot whether firmware for x86-64 can start a file: a program of
 * UEFI, or a kernel of Linux that is one, too ("EFI stub"). The file is not trusted.
 */
#ifndef TOOLS_GUEST_GUEST_FILE_H
#define TOOLS_GUEST_GUEST_FILE_H

#include "lib/reason.h"

#define KERNEL_VERSION_MOST 128

/*
 * guest_program_open() - opens the file for reading; -E with the reason, which names it: it cannot
 * be read, or is no program of UEFI for x86-64. guest_kernel_open() - the same for a kernel. Fills
 * in its version ("6.1.0-9-amd64"; "" if the file does not tell).
 */
int guest_program_open(const char *path, struct reason *why);
int guest_kernel_open(const char *path, char version[KERNEL_VERSION_MOST], struct reason *why);

#endif
