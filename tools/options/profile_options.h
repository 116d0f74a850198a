/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_options.h - the options of exact profiles, of `stat` and `profile`. */
#ifndef TOOLS_OPTIONS_PROFILE_OPTIONS_H
#define TOOLS_OPTIONS_PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Texts are NULL where the option is not given. */
struct profile_options {
	bool functions;       /* a table of functions */
	uint32_t most;        /* rows of a table */
	const char *function; /* patterns, separated by commas */
	const char *line;     /* FILE:LINE */
	bool calls;           /* a table of calls */
	const char *events;   /* a list */
	/* Files. */
	const char *callgrind, *pprof, *folded, *speedscope, *html;
	bool by_instruction; /* callgrind's form has the addresses of instructions */
};

#endif
