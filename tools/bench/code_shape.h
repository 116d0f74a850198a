/* SPDX-License-Identifier: BSD-2-Clause */
/* code_shape.h - finds what an instruction reads and writes: Zydis decodes its machine code. */
#ifndef TOOLS_BENCH_CODE_SHAPE_H
#define TOOLS_BENCH_CODE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/forms.h"

#define SHAPE_FIXED 8

struct shape_operand {
	bool reads, writes;
	bool is_address;    /* an address that is not accessed (LEA) */
	unsigned real_bits; /* size of a floating-point type: 32, 64; 0: another type */
};

/* A general register that the instruction uses implicitly. */
struct shape_fixed {
	unsigned number; /* in FILE_GENERAL */
	bool reads, writes;
};

struct shape {
	struct shape_operand operand[FORM_OPERANDS]; /* the form's operands; valid if `is_known` */
	bool is_known; /* the instruction has as many operands as the form */
	struct shape_fixed fixed[SHAPE_FIXED];
	unsigned nfixed;
	bool vector_fixed; /* it uses XMM0 implicitly */
	bool reads_flags, writes_flags;
	bool is_vex;  /* VEX or EVEX */
	bool divides; /* DIV or IDIV */
	bool branches;
};

/*
 * shape_decode() - decodes one instruction from `bytes` bytes of machine code. Returns 0, or
 * -EINVAL: the bytes are no instruction.
 */
int shape_decode(struct shape *shape, const struct form *form, const uint8_t *code, size_t bytes);

#endif
