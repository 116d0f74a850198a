/* SPDX-License-Identifier: BSD-2-Clause */
/* relocate.h - an image that lies, or will be executed, elsewhere than where crt0 relocated it. */
#ifndef BOOT_RELOCATE_H
#define BOOT_RELOCATE_H

#include <stdint.h>

extern char ImageBase[] __attribute__((visibility("hidden")));

/* relocate_again() - moves all that was relocated in `image`, this image itself or a copy of it, by
 * `distance` bytes once more. */
void relocate_again(char *image, uint64_t distance);

#endif
