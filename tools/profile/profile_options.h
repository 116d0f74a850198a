/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_options.h - the options of exact profiles, of `stat` and `profile`. */
#ifndef TOOLS_PROFILE_PROFILE_OPTIONS_H
#define TOOLS_PROFILE_PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Texts are NULL where the option is not given. */
struct profile_options {
	uint32_t functions;   /* rows of a table of functions; 0: no table */
	uint32_t rows;        /* of `profile`'s table of functions */
	uint32_t calls;       /* rows of a table of calls; 0: no table */
	const char *function; /* patterns, separated by commas */
	const char *line;     /* FILE:LINE */
	const char *events;   /* a list; NULL: the usual ones */
	bool is_self;         /* self counts alone */
	/* Files. */
	const char *callgrind, *pprof, *folded, *speedscope, *html;
	bool is_valgrind;    /* programs that ask are told that Valgrind runs them */
	bool by_instruction; /* callgrind has the addresses of instructions */
};

#endif
