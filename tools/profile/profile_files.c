// SPDX-License-Identifier: BSD-2-Clause
/* profile_files.c - writes a profile's files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/profile/profile_out.h"
#include "tools/util/outfile.h"

static void write_callgrind(struct buf *out, const struct profile_source *source,
			    const struct profile_options *options)
{
	profile_callgrind(out, source, options->by_instruction);
}

static int write_form(const char *path,
		      void (*form)(struct buf *out, const struct profile_source *source,
				   const struct profile_options *options),
		      const struct profile_source *source, const struct profile_options *options,
		      struct reason *why)
{
	struct outfile file;
	struct buf bytes = {.file = &file.file};
	int err;

	if (!path)
		return 0;
	err = outfile_begin(&file, path, why);
	if (err)
		return err;
	form(&bytes, source, options);
	buf_settle(&bytes, true);
	buf_free(&bytes);
	return outfile_end(&file, false, 0, why);
}

int profile_write_files(const struct profile_source *source, const struct profile_options *options,
			struct reason *why)
{
	return write_form(options->callgrind, write_callgrind, source, options, why);
}
