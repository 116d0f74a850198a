/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libraries.h - which libraries a program loads as it starts: what its own interpreter says, which
 * finds them as it would for a run on the host (`ld.so --list`, of glibc and of musl). It is run
 * for that, as ldd does; the program is not.
 */
#ifndef TOOLS_PROGRAM_LIBRARIES_H
#define TOOLS_PROGRAM_LIBRARIES_H

#include <stddef.h>

#include "lib/reason.h"

struct library {
	char *name; /* by which it is wanted: "libc.so.6" */
	char *path; /* absolute, where it was found */
};

struct libraries {
	struct library *library;
	size_t n;
};

/*
 * libraries_find() - of the file `path`, which is a program or a library with that RUNPATH (for
 * what is said of missing ones; "": none), as `interpreter` finds them with `environment`
 * (NULL-terminated, K=V). -E with the reason, without the file's name: one is
 * missing (and where it was looked for), or the interpreter can not be run.
 */
int libraries_find(struct libraries *libraries, const char *path, const char *run_path,
		   const char *interpreter, char *const *environment, struct reason *why);

/* libraries_read() - from what an interpreter printed, `text`, which is changed. */
void libraries_read(struct libraries *libraries, char *text);

void libraries_free(struct libraries *libraries);

#endif
