// SPDX-License-Identifier: BSD-2-Clause
/* profile_files.c - writes a profile's files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/profile/profile_out.h"

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
	struct buf bytes = {0};
	FILE *file;
	int err = 0;

	if (!path)
		return 0;
	form(&bytes, source, options);
	file = fopen(path, "we");
	if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size)
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	if (file && fclose(file) && !err)
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	buf_free(&bytes);
	return err;
}

int profile_write_files(const struct profile_source *source, const struct profile_options *options,
			struct reason *why)
{
	return write_form(options->callgrind, write_callgrind, source, options, why);
}
