/* SPDX-License-Identifier: BSD-2-Clause */
/* pgo_options.h - the options of `pgo`. */
#ifndef TOOLS_PGO_PGO_OPTIONS_H
#define TOOLS_PGO_PGO_OPTIONS_H

/* Texts are NULL where the option is not given. */
struct pgo_options {
	const char *prefix;                           /* of the names of all files */
	const char *bolt, *clang, *profgen, *autofdo; /* files */
	const char *object;   /* the file whose code is wanted; NULL: the program */
	const char *run_bolt; /* the optimized program */
};

#endif
