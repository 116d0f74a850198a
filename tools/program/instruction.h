/* SPDX-License-Identifier: BSD-2-Clause */
/* instruction.h - an instruction that a CPU has refused, by name. */
#ifndef TOOLS_PROGRAM_INSTRUCTION_H
#define TOOLS_PROGRAM_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"

#define INSTRUCTION_MOST 15 /* bytes of one */

/*
 * instruction_describe() - appends to `text` what the instruction at `address` is, of which the
 * first `n` bytes are at `code`: as an assembler has it, to which extension of x86-64 it belongs,
 * and which CPUs of QEMU's have that. Nothing where the bytes are no instruction that is known.
 */
void instruction_describe(struct buf *text, const uint8_t *code, size_t n, uint64_t address);

#endif
