/* SPDX-License-Identifier: BSD-2-Clause */
/* code.h - whether a function's code is still the same, wherever its program has it by now. */
#ifndef TOOLS_GATE_CODE_H
#define TOOLS_GATE_CODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * code_hash() - 32 bits of the instructions in the `n` bytes at `code`, without what changes when
 * the linker puts something elsewhere: distances, and what may be addresses. Not 0.
 */
uint32_t code_hash(const uint8_t *code, size_t n);

#endif
