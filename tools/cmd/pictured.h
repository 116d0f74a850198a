/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictured.h - --html and --plot of commands that measure. They turn the results that the image
 * sends (--also-json) into a page and into a file of charts.
 */
#ifndef TOOLS_CMD_PICTURED_H
#define TOOLS_CMD_PICTURED_H

#include <stdbool.h>

#include "tools/options/tool_options.h"
#include "tools/out/out.h"
#include "tools/stream/stream.h"

/* pictured_is_asked() - returns whether the user wants one of the two. */
bool pictured_is_asked(const struct output_options *options);

/* pictured_check() - checks before a run whether the files can be created. -E with the reason. */
int pictured_check(const struct output_options *options, struct reason *why);

/*
 * pictured_save() - writes the files from the results of the command line `line`, which names
 * events as the image received them. `status` is the command's exit status; an interrupted run
 * saves its partial results. Returns `status`, unless it is 0 and a file could not be written,
 * after a message.
 */
int pictured_save(const struct options *options, const char *const *line,
		  const struct stream *stream, int status);

/* pictured_report() - returns the last command that reported something; NULL: none did. */
const struct stream_command *pictured_report(const struct stream *stream);

/* pictured_save_recording() - likewise writes the page of a recording. `line` may be NULL: the
 * recording was made earlier. */
int pictured_save_recording(const struct options *options, const char *const *line,
			    const struct out_source *source, int status);

#endif
