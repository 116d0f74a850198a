/* SPDX-License-Identifier: BSD-2-Clause */
/* output_options.h - the options about the files and the text that a command writes. */
#ifndef TOOLS_OUT_OUTPUT_OPTIONS_H
#define TOOLS_OUT_OUTPUT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/out/out.h"

struct output_options {
	const char *path;                /* file or folder; NULL: the command's default */
	bool append;                     /* to the file */
	const struct out_format *format; /* NULL: the command's default */
	const char *separator;           /* of csv; NULL: a comma */
	const char *html, *plot;         /* picture files; NULL: none */
	uint32_t delay;                  /* between two screens of `top`, in seconds */
	bool quiet;                      /* only failures of a recording are reported */
	bool verbose;
	bool tells_progress; /* by lines, where standard error is no terminal */
	bool compares;       /* `doctor`: two files, instead of testing a machine */
};

#endif
