/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sideband.h - adds the records that make addresses readable: the name of every sampled task, and
 * the maps of the image's code. It adds only those that the image has not sent.
 */
#ifndef TOOLS_OUT_SIDEBAND_H
#define TOOLS_OUT_SIDEBAND_H

#include "tools/util/buf.h"
#include "tools/symbols/elf_image.h"
#include "tools/stream/stream_record.h"
#include "tools/stream/stream.h"

#define SIDEBAND_IDLE "swapper" /* perf's name for pid 0 */

/*
 * sideband_add() - appends the records that `command` lacks; they belong in front of its data.
 * `elf` may be NULL: names only.
 */
void sideband_add(struct buf *out, const struct stream *stream,
		  const struct stream_command *command, const struct record_format *format,
		  const struct elf_image *elf);

/*
 * sideband_workload() - returns the name of tasks without a name of their own: the workload, which
 * is the word after `--`, or else the command. Fills and returns `name`, of `size` bytes.
 */
const char *sideband_workload(const struct stream_command *command, char *name, size_t size);

#endif
