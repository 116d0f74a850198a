/* SPDX-License-Identifier: BSD-2-Clause */
/* recording.h - saves the recording of one command of a stream to a file. */
#ifndef TOOLS_CMD_RECORDING_H
#define TOOLS_CMD_RECORDING_H

#include "tools/options/tool_options.h"
#include "tools/out/output_options.h"
#include "tools/stream/stream.h"
#include "tools/stream/stream_options.h"

/*
 * recording_choose() - returns the command `number` of the stream, which must have data for
 * `format`. ANY_COMMAND chooses the last such command, and a message says so if there are several.
 * NULL: there is none, with the reason.
 */
const struct stream_command *recording_choose(const struct stream *stream, uint32_t number,
					      const struct out_format *format, struct reason *why);

/*
 * recording_format() - returns the format that the options name. The default is perf.data, or
 * perf's pipe format on standard output.
 */
const struct out_format *recording_format(const struct output_options *options);

/*
 * recording_to_stdout() - returns whether the recording goes to standard output. No other text may
 * go there then.
 */
bool recording_to_stdout(const struct output_options *options);

/*
 * recording_save() - writes `command` as `format` to `path` (NULL: the format's own place, "-":
 * standard output), and prints one line about the file. Symbols come from the ELF file beside the
 * tool, if the image was made from it; a message says if it was not. Of the options,
 * --field-separator applies, and --quiet suppresses both lines. Returns 0, or STATUS_FAILED after a
 * message.
 */
int recording_save(const char *path, const struct out_format *format, const struct stream *stream,
		   const struct stream_command *command, const struct output_options *options);

/*
 * recording_save_page() - writes the page of --html. `line` is the command line as the image
 * received it; NULL: the recording was made earlier. `status` is that of the run. Returns it, or
 * STATUS_FAILED after a message.
 */
int recording_save_page(const struct options *options, const char *const *line,
			const struct stream *stream, const struct stream_command *command,
			int status);

/*
 * recording_check() - checks before a boot whether recording_save() could write there, as far as
 * that shows without writing. -E with the reason.
 */
int recording_check(const char *path, const struct out_format *format, struct reason *why);

#endif
