// SPDX-License-Identifier: BSD-2-Clause
/* profile_files.c - writes a profile's files. */
#include <stddef.h>

#include "tools/forms/profile_out.h"
#include "tools/util/outfile.h"

static const struct {
	const char *format;
	size_t path; /* offset of its path in struct profile_options */
} files[] = {
	{"callgrind", offsetof(struct profile_options, callgrind)},
	{"pprof", offsetof(struct profile_options, pprof)},
	{"folded", offsetof(struct profile_options, folded)},
	{"speedscope", offsetof(struct profile_options, speedscope)},
	{"html", offsetof(struct profile_options, html)},
};

static const char *path_of_file(const struct profile_options *options, size_t i)
{
	return *(const char *const *)((const char *)options + files[i].path);
}

int profile_check_files(const struct profile_options *options, struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !err; i++)
		if (path_of_file(options, i))
			err = outfile_check(path_of_file(options, i), why);
	return err;
}

static int write_profile(const char *path, const struct profile_format *format,
			 const struct profile_source *source, struct reason *why)
{
	struct outfile file;
	struct buf bytes = {.file = &file.file};
	int err = outfile_begin(&file, path, why);

	if (err)
		return err;
	err = profile_format_build(format, &bytes, source, why);
	if (!err)
		buf_settle(&bytes, true);
	buf_free(&bytes);
	return outfile_end(&file, false, err, why);
}

int profile_write_files(const struct profile_source *source, const struct profile_options *options,
			struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !err; i++) {
		const char *path = path_of_file(options, i);

		if (path)
			err = write_profile(path, profile_format_find(files[i].format), source,
					    why);
	}
	return err;
}
