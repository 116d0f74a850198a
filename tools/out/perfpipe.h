/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfpipe.h - one recording as perf's pipe mode has it: what `perf record -o -` writes and what
 * perf reads with `-i -`. The same records as in a perf.data, and what a file has in its header as
 * records in front of them.
 */
#ifndef TOOLS_OUT_PERFPIPE_H
#define TOOLS_OUT_PERFPIPE_H

#include "tools/symbols/elf_image.h"
#include "tools/stream/stream.h"

/* perfpipe_build() - appends the whole to `out`. As perfdata_build(). */
int perfpipe_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why);

#endif
