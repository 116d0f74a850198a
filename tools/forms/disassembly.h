/* SPDX-License-Identifier: BSD-2-Clause */
/* disassembly.h - the instructions of a function as text, in the syntax of Intel's manuals. */
#ifndef TOOLS_FORMS_DISASSEMBLY_H
#define TOOLS_FORMS_DISASSEMBLY_H

#include <stdint.h>

#include "tools/profile/code_map.h"

#define DISASSEMBLY_TEXT 256 /* bytes of an instruction's text at most */

/*
 * disassemble() - calls `fn` for each instruction in [start, end) of the object's file, in order. A
 * byte that begins no instruction has the text "(bad)". The name of a function stands behind a
 * branch to it. A file that has changed or gone has no instructions.
 */
void disassemble(const struct code_object *object, uint64_t start, uint64_t end,
		 void (*fn)(void *ctx, uint64_t address, const char *text), void *ctx);

#endif
