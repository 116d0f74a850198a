/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_options.h - the options of `explain`. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_OPTIONS_H
#define TOOLS_EXPLAIN_EXPLAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct explain_options {
	const char *function; /* patterns; NULL: all functions */
	uint64_t blocks;      /* told at most */
	bool json;
	const char *html; /* a file for a page; NULL: none */
};

#endif
