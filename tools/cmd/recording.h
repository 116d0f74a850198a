/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recording.h - from a stream to a file of what a command sent: which command, which ELF file, what
 * is said of it.
 */
#ifndef TOOLS_CMD_RECORDING_H
#define TOOLS_CMD_RECORDING_H

#include "tools/options/tool_options.h"
#include "tools/out/out.h"
#include "tools/stream/stream.h"

/*
 * recording_choose() - the command `number` of the stream, which has to have what `format` is of,
 * or for ANY_COMMAND the last that has, which is said on standard error when there are several.
 * NULL: there is none, with the reason.
 */
const struct stream_command *recording_choose(const struct stream *stream, uint32_t number,
					      const struct out_format *format, struct reason *why);

/*
 * recording_format() - the form that the options ask for: perf.data, and through standard output
 * perf's pipe, unless they name another.
 */
const struct out_format *recording_format(const struct options *options);

/*
 * recording_to_stdout() - does what the options ask for go to standard output? Then nothing else
 * may.
 */
bool recording_to_stdout(const struct options *options);

/*
 * recording_save() - writes `command` as `format` to `path` (NULL: where that form goes by itself,
 * "-": standard output), with the symbols of the ELF file beside the tool, if that is the one the
 * image was made from (one line says when not), and says in one line what was written. Of the
 * options --field-separator holds, and --quiet for both lines. Returns 0, or STATUS_FAILED after a
 * line about it.
 */
int recording_save(const char *path, const struct out_format *format, const struct stream *stream,
		   const struct stream_command *command, const struct options *options);

/*
 * recording_check() - before a boot: whether recording_save() could write there, as far as can be
 * told without writing. -E with the reason.
 */
int recording_check(const char *path, const struct out_format *format, struct reason *why);

#endif
