/* SPDX-License-Identifier: BSD-2-Clause */
/* program_options.h - what options say about the programs of a run, and of what they find around
 * them. */
#ifndef TOOLS_PROGRAM_PROGRAM_OPTIONS_H
#define TOOLS_PROGRAM_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands of an option that may be given again, in their order. */
struct given_words {
	const char **word;
	size_t n;
};

struct program_given {
	struct given_words files;  /* HOST[:GUEST] */
	struct given_words env;    /* K=V */
	struct given_words brings; /* GUEST[:HOST] */
	const char *root;          /* a folder; NULL: none */
	const char *cwd;           /* in the image; NULL: the tool's own */
	const char *input;         /* file for standard input; NULL: the tool's own */
	const char *cpu;           /* QEMU's model, where QEMU emulates it; NULL: another CPU */
	uint64_t seed;             /* where has_seed */
	const char *prefault;      /* "0" or "1"; NULL: as the image does by itself */
	bool allow_wx;             /* memory may be both writable and executable */
	bool has_seed;
	bool keep_env;
	bool static_only;
	bool verbose;
	bool asks_for_input; /* the machine can ask for standard input when a program reads it */
	bool no_input;       /* the tool's standard input is not a program's */
};

#endif
