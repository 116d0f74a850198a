/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * classify.h - the effect of an instruction of 64-bit code on the flow of control, for code that
 * follows a program instruction by instruction. SDM vol. 2, "Opcode Map".
 */
#ifndef LIB_CLASSIFY_H
#define LIB_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,    /* continues at the next instruction, at itself, or at a fixed address */
	INSN_JCC,      /* Jcc, LOOP, JCXZ: to a fixed address, or to the next instruction */
	INSN_INDIRECT, /* near jump, call or return to an address from a register or memory */
	INSN_FAR,      /* far jump, call or return, IRET */
	INSN_ENTER,    /* SYSCALL, SYSENTER, INT: enters ring 0 */
};

struct insn_flow {
	uint8_t kind;       /* enum insn_kind */
	uint8_t length;     /* bytes; 0: unknown to the decoder (lib/insn_decode.h) */
	bool saves_flags;   /* PUSHF */
	bool loads_flags;   /* POPF, IRET */
	bool holds_traps;   /* MOV SS: delays debug traps until the next instruction ends */
	uint8_t flags_size; /* PUSHF: number of pushed bytes */
};

/*
 * insn_classify() - classifies the instruction at `code`, of which `n` bytes can be read. An
 * instruction that is unknown or incomplete is PLAIN. Pure, any context.
 */
struct insn_flow insn_classify(const uint8_t *code, size_t n);

#endif
