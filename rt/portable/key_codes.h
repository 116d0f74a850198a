/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * key_codes.h - converts a key from the firmware to the bytes that a terminal would send for it, so
 * that the console has one kind of input. Portable, no machine.
 */
#ifndef RT_PORTABLE_KEY_CODES_H
#define RT_PORTABLE_KEY_CODES_H

#include "include/perf0/firmware.h"

#include <stddef.h>

#define KEY_BYTES_MOST 8

/* key_bytes() - writes the terminated bytes of a key to `bytes` and returns their number; 0: the
 * key means nothing to a terminal. Letters with Control become control characters, other characters
 * UTF-8, the rest sequences of ECMA-48. */
size_t key_bytes(const struct firmware_key *key, char bytes[KEY_BYTES_MOST]);

#endif
