/* SPDX-License-Identifier: BSD-2-Clause */
/* program_options.h - the values of the options about a run's programs and their surroundings. */
#ifndef TOOLS_PROGRAM_PROGRAM_OPTIONS_H
#define TOOLS_PROGRAM_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of an option that may be repeated, in their order. */
struct option_values {
	const char **word;
	size_t n;
};

struct program_options {
	struct option_values files;  /* HOST[:GUEST] */
	struct option_values env;    /* K=V */
	struct option_values brings; /* GUEST[:HOST] */
	const char *root;            /* a folder that becomes the image's root; NULL: none */
	const char *cwd;             /* start folder in the image; NULL: the tool's own */
	const char *input;           /* file for standard input; NULL: the tool's own */
	const char *cpu;             /* CPU model that QEMU emulates; NULL: another CPU */
	const char *pins;            /* folder of libraries (pinned.h); NULL: none */
	uint64_t seed;               /* valid if has_seed */
	const char *prefault;        /* "0" or "1"; NULL: the image's default */
	bool allow_wx;               /* memory may be both writable and executable */
	bool has_seed;
	bool adds_pins; /* libraries that `pins` lacks are copied into it */
	bool keep_env;
	bool static_only;
	bool verbose;
	bool asks_for_input; /* the machine can ask for standard input when a program reads it */
	bool no_input;       /* programs do not get the tool's standard input */
};

#endif
