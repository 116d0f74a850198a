/* SPDX-License-Identifier: BSD-2-Clause */
/* code_shape.h - what an instruction reads and writes, as Zydis tells it of its machine code. */
#ifndef TOOLS_BENCH_CODE_SHAPE_H
#define TOOLS_BENCH_CODE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/forms.h"

#define SHAPE_FIXED 8

struct shape_operand {
	bool reads, writes;
	bool is_address;    /* memory that is not accessed (LEA) */
	unsigned real_bits; /* 32, 64: it is of floating point; 0: it is not */
};

/* A general register that the instruction has whatever its operands are. */
struct shape_fixed {
	unsigned number; /* of FILE_GENERAL */
	bool reads, writes;
};

struct shape {
	struct shape_operand operand[FORM_OPERANDS]; /* of the form; only if `is_known` */
	bool is_known; /* the instruction has as many operands as the form */
	struct shape_fixed fixed[SHAPE_FIXED];
	unsigned nfixed;
	bool vector_fixed; /* it has XMM0, unnamed */
	bool reads_flags, writes_flags;
	bool is_vex;   /* or EVEX */
	bool divides;  /* DIV, IDIV */
	bool branches; /* it goes elsewhere */
};

/* shape_decode() - of `bytes` bytes of machine code. -EINVAL: they are no instruction. */
int shape_decode(struct shape *shape, const struct form *form, const uint8_t *code, size_t bytes);

#endif
