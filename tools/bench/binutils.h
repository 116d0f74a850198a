/* SPDX-License-Identifier: BSD-2-Clause */
/* binutils.h - the assembler and the linker, and what they say. */
#ifndef TOOLS_BENCH_BINUTILS_H
#define TOOLS_BENCH_BINUTILS_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* binutils_assemble() - file `text` to file `object`; what the assembler says is appended to
 * `output`. Its status, or -E with the reason: it is not there. */
int binutils_assemble(const char *text, const char *object, struct buf *output, struct reason *why);

/* binutils_error() - the next error in `*at`, which moves behind it: the line (from 1), and what is
 * wrong, allocated. NULL: there is none any more. */
char *binutils_error(const char **at, size_t *line);

/* binutils_link() - `object` and `harness`, without a library. 0, or -E with the reason. */
int binutils_link(const char *object, const char *harness, const char *program, struct reason *why);

/* binutils_code() - the machine code of `object`, as it is, appended to `code`, by way of the file
 * `plain`. 0, or -E with the reason. */
int binutils_code(const char *object, const char *plain, struct buf *code, struct reason *why);

#endif
