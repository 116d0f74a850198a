/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branchtype.h - the type of branch that an instruction of 64-bit code is. SDM vol. 2, "Opcode
 * Map".
 */
#ifndef LIB_BRANCHTYPE_H
#define LIB_BRANCHTYPE_H

#include "lib/insn_decode.h"

/* Each type is a bit, for sets of types. A far branch has the type of the near branch. */
enum branch_type {
	BRANCH_TYPE_NONE = 0, /* not a branch, or some of its bytes are missing */
	BRANCH_TYPE_JCC = 1 << 0,
	BRANCH_TYPE_JMP = 1 << 1,
	BRANCH_TYPE_IND_JMP = 1 << 2,
	BRANCH_TYPE_CALL = 1 << 3,
	BRANCH_TYPE_ZERO_CALL = 1 << 4, /* calls the next instruction, to read RIP */
	BRANCH_TYPE_IND_CALL = 1 << 5,
	BRANCH_TYPE_RET = 1 << 6,
	BRANCH_TYPE_SYSCALL = 1 << 7, /* SYSENTER */
	BRANCH_TYPE_SYSRET = 1 << 8,  /* SYSEXIT */
	BRANCH_TYPE_INT = 1 << 9,
	BRANCH_TYPE_IRET = 1 << 10,
	BRANCH_TYPE_IRQ = 1 << 11,   /* interrupt or exception; no instruction has this type */
	BRANCH_TYPE_ABORT = 1 << 12, /* abort of a transaction; no instruction has this type */
};

/*
 * branch_type() - the type of the instruction at `code`, of which `n` bytes can be read.
 * branch_type_of() - the type of a decoded instruction. Pure, any context.
 */
enum branch_type branch_type(const uint8_t *code, size_t n);
enum branch_type branch_type_of(const struct insn *insn);

#endif
