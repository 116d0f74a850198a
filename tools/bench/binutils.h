/* SPDX-License-Identifier: BSD-2-Clause */
/* binutils.h - runs the assembler and the linker, and parses their messages. */
#ifndef TOOLS_BENCH_BINUTILS_H
#define TOOLS_BENCH_BINUTILS_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* binutils_assemble() - assembles the file `text` into the file `object`, and appends the
 * assembler's messages to `output`. Returns the assembler's status, or -E with the reason: it
 * could not run. */
int binutils_assemble(const char *text, const char *object, struct buf *output, struct reason *why);

/* binutils_error() - returns the message of the next error behind `*at`, allocated, moves `*at`
 * behind it, and stores its line (from 1). NULL: no more errors. */
char *binutils_error(const char **at, size_t *line);

/*
 * binutils_link() - links `object` with `harness` into `program`, without a library. Returns 0, or
 * -E with the reason.
 */
int binutils_link(const char *object, const char *harness, const char *program, struct reason *why);

/* binutils_code() - appends the raw machine code of `object` to `code`; `plain` is a temporary
 * file. Returns 0, or -E with the reason. */
int binutils_code(const char *object, const char *plain, struct buf *code, struct reason *why);

#endif
