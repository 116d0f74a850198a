/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relocate.h - relocates an image that lies, or will be executed, at another address than crt0's.
 */
#ifndef BOOT_RELOCATE_H
#define BOOT_RELOCATE_H

#include <stdint.h>

extern char ImageBase[] __attribute__((visibility("hidden")));

/* relocate_again() - moves all relocated addresses in `image`, this image itself or a copy of it,
 * by `distance` bytes once more. */
void relocate_again(char *image, uint64_t distance);

#endif
