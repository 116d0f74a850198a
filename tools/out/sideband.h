/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sideband.h - the records that make addresses readable: for every task that was sampled its name,
 * and where the image's code is mapped; as far as the image has not sent such records itself.
 */
#ifndef TOOLS_OUT_SIDEBAND_H
#define TOOLS_OUT_SIDEBAND_H

#include "tools/util/buf.h"
#include "tools/symbols/elf_image.h"
#include "tools/stream/stream_record.h"
#include "tools/stream/stream.h"

#define SIDEBAND_IDLE "swapper" /* of pid 0, as perf itself has it */

/*
 * sideband_add() - appends the records that are missing in `command`, for the front of the data.
 * `elf` may be NULL: names only.
 */
void sideband_add(struct buf *out, const struct stream *stream,
		  const struct stream_command *command, const struct record_format *format,
		  const struct elf_image *elf);

/*
 * sideband_workload() - what a task without a name of its own is called: the workload, which is the
 * word after `--`, else the command. Fills and returns `name`, of `size` bytes.
 */
const char *sideband_workload(const struct stream_command *command, char *name, size_t size);

#endif
