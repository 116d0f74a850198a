/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_page.h - the part of a page that has the table of `latency`. */
#ifndef TOOLS_PAGES_LATENCY_PAGE_H
#define TOOLS_PAGES_LATENCY_PAGE_H

#include <stddef.h>

#include "tools/util/buf.h"

/*
 * latency_sections() - adds a table of the instructions that `n` bytes of lines of `latency -j`
 * have, and a table of the latencies between their operands. Returns the number of instructions.
 * Other lines are ignored.
 */
size_t latency_sections(struct buf *out, const void *bytes, size_t n);

#endif
