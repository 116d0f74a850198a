/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forms.h - parses instructions as uops.info writes them, with kinds for operands: `imul r64, r64`,
 * `ADD (R64, M64)`, `shl r64, 3`. A kind stands for any register of a file, or for memory; other
 * operands go to the assembler unchanged.
 */
#ifndef TOOLS_BENCH_FORMS_H
#define TOOLS_BENCH_FORMS_H

#include "lib/reason.h"
#include "tools/util/buf.h"

#define FORM_OPERANDS 4

enum form_what { FORM_LITERAL, FORM_REGISTER, FORM_MEMORY };
enum form_file { FILE_GENERAL, FILE_VECTOR, FILE_MMX, FILE_MASK, FORM_FILES };

struct form_operand {
	enum form_what what;
	enum form_file file; /* for a register */
	unsigned bits;       /* size of a register or of memory; 0: memory without a size */
	char *text;          /* a literal, as the assembler takes it */
	const char *kind;    /* "R64"; NULL for operands without a kind */
};

struct form {
	char *name;     /* such as "IMUL (R64, R64)" */
	char *mnemonic; /* with its prefixes */
	struct form_operand operand[FORM_OPERANDS];
	unsigned n;
	bool bare;     /* a mnemonic alone, whose operands the tool has to find */
	bool guessed;  /* the tool found its operands */
	char *text;    /* the user's text */
	char *place;   /* "FILE:LINE"; NULL: a word of the command line */
	size_t column; /* column of the text's first character, from 1 */
};

/* form_read() - parses `n` characters of `text`. -EINVAL with the reason, which names place and
 * column. `place` NULL: a word of the command line. The caller calls form_free() in both cases. */
int form_read(struct form *form, const char *text, size_t n, const char *place, size_t column,
	      struct reason *why);
void form_free(struct form *form);

/* form_refuse() - reports a mistake at `column` of the line. Returns -EINVAL. */
int form_refuse(const struct form *form, size_t column, const char *what, struct reason *why);

/* The registers, by their encoded numbers, and the address that a copy of the form uses. */
struct form_use {
	unsigned reg[FORM_OPERANDS];
	char address[32]; /* such as "r14+64" */
};

/* form_print() - prints the instruction for the assembler, without an end of line. */
void form_print(struct buf *to, const struct form *form, const struct form_use *use);

/*
 * form_register() - prints the name of register `number` of a file; a general register has `bits`
 * bits.
 */
void form_register(struct buf *to, enum form_file file, unsigned bits, unsigned number);

/*
 * form_candidate() - returns operands that a mnemonic alone may have: entry `i` of a small table,
 * from 0; NULL: past the last one.
 */
const char *form_candidate(unsigned i);

#endif
