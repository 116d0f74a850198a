/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forms.h - instructions as uops.info writes them, with kinds for operands: `imul r64, r64`,
 * `ADD (R64, M64)`, `shl r64, 3`. A kind is a place for any register, or for memory; all else is
 * the assembler's.
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
	enum form_file file; /* of a register */
	unsigned bits;       /* of a register or of memory; 0: memory of no size */
	char *text;          /* as the assembler takes it, of a literal */
	const char *kind;    /* "R64"; of all others NULL */
};

struct form {
	char *name;     /* IMUL (R64, R64) */
	char *mnemonic; /* with prefixes */
	struct form_operand operand[FORM_OPERANDS];
	unsigned n;
	bool bare;     /* a mnemonic alone: operands of it are to be found */
	bool guessed;  /* its operands were */
	char *text;    /* as it was given, and where: */
	char *place;   /* "FILE:LINE", or NULL for a word of the command line */
	size_t column; /* of its first character, from 1 */
};

/* form_read() - `n` characters of `text`; -EINVAL with the reason, which names place and column.
 * `place` NULL: a word of the command line. form_free() - in both cases. */
int form_read(struct form *form, const char *text, size_t n, const char *place, size_t column,
	      struct reason *why);
void form_free(struct form *form);

/* form_refuse() - what is wrong at `column` of the line. Returns -EINVAL. */
int form_refuse(const struct form *form, size_t column, const char *what, struct reason *why);

/* The operands in use: registers by their encoded numbers, and an address. */
struct form_use {
	unsigned reg[FORM_OPERANDS];
	char address[32]; /* "r14+64" */
};

/* form_print() - the instruction, for the assembler, without a line's end. */
void form_print(struct buf *to, const struct form *form, const struct form_use *use);

/* form_register() - the name of general register `number` of so many bits, or of another file. */
void form_register(struct buf *to, enum form_file file, unsigned bits, unsigned number);

/*
 * form_candidate() - operands that a mnemonic alone may have: number `i` of a small table, from 0;
 * NULL: there is none any more.
 */
const char *form_candidate(unsigned i);

#endif
