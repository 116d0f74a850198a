/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_file.h - checks before a boot whether x86-64 firmware can start a file: a UEFI program, or
 * a Linux kernel that is one, too ("EFI stub"). No value in the file is trusted.
 */
#ifndef TOOLS_GUEST_GUEST_FILE_H
#define TOOLS_GUEST_GUEST_FILE_H

#include "lib/reason.h"

#define KERNEL_VERSION_MOST 128

/*
 * guest_program_open() - opens the file for reading. -E with the reason, which names the file: it
 * cannot be read, or is no UEFI program for x86-64. guest_kernel_open() - opens a kernel, and
 * stores its version ("6.1.0-9-amd64"; "" if the file has none).
 */
int guest_program_open(const char *path, struct reason *why);
int guest_kernel_open(const char *path, char version[KERNEL_VERSION_MOST], struct reason *why);

#endif
