/* SPDX-License-Identifier: BSD-2-Clause */
/* code.h - whether a function's code is unchanged, wherever its program places it. */
#ifndef TOOLS_GATE_CODE_H
#define TOOLS_GATE_CODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * code_hash() - a hash of 32 bits of the instructions in the `n` bytes at `code`, without fields
 * that the linker changes: distances, and possible addresses. Not 0.
 */
uint32_t code_hash(const uint8_t *code, size_t n);

#endif
