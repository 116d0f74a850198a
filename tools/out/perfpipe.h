/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfpipe.h - writes one recording in perf's pipe format, which `perf record -o -` writes and perf
 * reads with `-i -`. It has the records of a perf.data; the contents of a file's header are records
 * in front of them.
 */
#ifndef TOOLS_OUT_PERFPIPE_H
#define TOOLS_OUT_PERFPIPE_H

#include "tools/symbols/elf_image.h"
#include "tools/stream/stream.h"

/* perfpipe_build() - appends the whole output to `out`, like perfdata_build(). */
int perfpipe_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why);

#endif
