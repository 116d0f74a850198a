/* SPDX-License-Identifier: BSD-2-Clause */
/* recording.h - from a stream to a perf.data: which recording, which ELF file, what is said of it.
 */
#ifndef TOOLS_RECORDING_H
#define TOOLS_RECORDING_H

#include "tools/options.h"
#include "tools/stream.h"

/*
 * recording_choose() - the recording of command `number`, or for ANY_COMMAND the last one, which is
 * said on standard error when there are several. NULL: there is none, with the reason.
 */
const struct stream_command *recording_choose(const struct stream *stream, uint32_t number,
					      struct reason *why);

/*
 * recording_save() - writes `command` to `path` with the symbols of the ELF file beside the tool,
 * if that is the one the image was made from (one line says when not), and says in one line what
 * was written. Returns 0, or STATUS_FAILED after a line about it.
 */
int recording_save(const char *path, const struct stream *stream,
		   const struct stream_command *command);

#endif
