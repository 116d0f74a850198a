/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictured.h - --html and --plot of commands that measure: what the image sends of its results
 * (--also-json) as a page, and as a file of charts.
 */
#ifndef TOOLS_CMD_PICTURED_H
#define TOOLS_CMD_PICTURED_H

#include <stdbool.h>

#include "tools/options/options.h"
#include "tools/stream/stream.h"

/* pictured_is_asked() - is one of the two wanted? */
bool pictured_is_asked(const struct options *options);

/* pictured_check() - before anything runs: whether the files can be made. -E with the reason. */
int pictured_check(const struct options *options, struct reason *why);

/*
 * pictured_save() - the files, of what came of the command line `line`, whose events are as the
 * image got them. `status` is how it ended: what there is of a run that was interrupted is saved,
 * too. Returns the status: `status` itself, unless it is 0 and a file could not be made, which a
 * line tells.
 */
int pictured_save(const struct options *options, const char *const *line,
		  const struct stream *stream, int status);

#endif
