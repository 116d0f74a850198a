/* SPDX-License-Identifier: BSD-2-Clause */
/* code.h - recognises unchanged code of a function, wherever its program places the function. */
#ifndef TOOLS_GATE_CODE_H
#define TOOLS_GATE_CODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * code_hash() - returns a 32-bit hash, never 0, of the instructions in the `n` bytes at `code`. The
 * hash excludes fields that the linker changes: distances, and possible addresses.
 */
uint32_t code_hash(const uint8_t *code, size_t n);

#endif
