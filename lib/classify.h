/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * classify.h - what an instruction of 64-bit code does to the flow of instructions, for code that
 * follows a program one by one. SDM vol. 2, "Opcode Map".
 */
#ifndef LIB_CLASSIFY_H
#define LIB_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,    /* goes on behind itself, or repeats itself; or goes to a fixed place */
	INSN_JCC,      /* Jcc, LOOP, JCXZ: to a fixed place, or behind itself */
	INSN_INDIRECT, /* near jump, call or return to a place that only the registers tell */
	INSN_FAR,      /* far jump, call or return, IRET */
	INSN_ENTER,    /* SYSCALL, SYSENTER, INT: into ring 0, on purpose */
};

struct insn_flow {
	uint8_t kind;       /* enum insn_kind */
	uint8_t length;     /* bytes; 0: the decoder does not know (lib/insn.h) */
	bool saves_flags;   /* PUSHF */
	bool loads_flags;   /* POPF, IRET */
	bool holds_traps;   /* MOV SS: what traps waits for the next instruction's end */
	uint8_t flags_size; /* PUSHF: bytes that it pushes */
};

/*
 * insn_classify() - classifies the instruction at `code`, of which `n` bytes can be read. Bytes
 * that are no instruction, or not a whole one, are PLAIN. Pure, any context.
 */
struct insn_flow insn_classify(const uint8_t *code, size_t n);

#endif
