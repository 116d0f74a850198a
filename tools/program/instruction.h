/* SPDX-License-Identifier: BSD-2-Clause */
/* instruction.h - describes an instruction that a CPU has refused. */
#ifndef TOOLS_PROGRAM_INSTRUCTION_H
#define TOOLS_PROGRAM_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"

#define INSTRUCTION_MOST 15 /* bytes of an instruction at most */

/*
 * instruction_describe() - appends a description of the instruction at `address` to `text`; its
 * first `n` bytes are at `code`. The description has its assembly, its extension of x86-64, and the
 * CPUs of QEMU that have this extension. Appends nothing if the bytes are no known instruction.
 */
void instruction_describe(struct buf *text, const uint8_t *code, size_t n, uint64_t address);

#endif
