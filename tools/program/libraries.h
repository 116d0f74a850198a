/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libraries.h - finds the libraries that a program loads when it starts. The program's own
 * interpreter lists them, as for a run on the host (`ld.so --list` of glibc and of musl). Only the
 * interpreter runs, as with ldd, and not the program.
 */
#ifndef TOOLS_PROGRAM_LIBRARIES_H
#define TOOLS_PROGRAM_LIBRARIES_H

#include <stddef.h>

#include "lib/reason.h"

struct library {
	char *name; /* name that programs need: "libc.so.6" */
	char *path; /* absolute path */
};

struct libraries {
	struct library *library;
	size_t n;
};

/*
 * libraries_find() - finds the libraries of the program or library `path`. `interpreter` runs with
 * `environment` (NULL-terminated, K=V). `run_path` is the file's RUNPATH, which a message about a
 * missing library quotes; "": none. -E with the reason, without the file's name: a library is
 * missing (and the folders that were searched), or the interpreter cannot run.
 */
int libraries_find(struct libraries *libraries, const char *path, const char *run_path,
		   const char *interpreter, char *const *environment, struct reason *why);

/* libraries_read() - parses the output `text` of an interpreter, and changes the text. */
void libraries_read(struct libraries *libraries, char *text);

void libraries_free(struct libraries *libraries);

#endif
