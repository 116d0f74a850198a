// SPDX-License-Identifier: BSD-2-Clause
/* outfile.c - see outfile.h. */
#include "tools/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Moves an old file out of the way. Only a plain file: a device of that name must stay what it is.
 */
static int clear_the_way(const char *path, bool keep_old, struct reason *why)
{
	struct buf old = {0};
	struct stat st;
	int err = 0;

	if (stat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return reason_set(why, -EINVAL, "%s: is there and is no plain file", path);
	if (!keep_old)
		return 0;
	buf_printf(&old, "%s.old", path);
	if (rename(path, buf_text(&old)))
		err = reason_set(why, -errno, "%s: %s", buf_text(&old), strerror(errno));
	buf_free(&old);
	return err;
}

int outfile_begin(struct outfile *out, const char *path, struct reason *why)
{
	*out = (struct outfile){.path = path, .file = {.fd = STDOUT_FILENO}};
	if (!path) {
		fflush(stdout);
		return 0;
	}
	buf_printf(&out->temporary, "%s.XXXXXX", path);
	buf_text(&out->temporary);
	out->file.fd = mkostemp((char *)out->temporary.data, O_CLOEXEC);
	if (out->file.fd >= 0)
		return 0;
	buf_free(&out->temporary);
	return reason_set(why, -errno, "%s: %s", path, strerror(errno));
}

static int end_stdout(const struct outfile *out, int err, struct reason *why)
{
	if (err || !out->file.err)
		return err;
	return reason_set(why, out->file.err, "standard output: %s", strerror(-out->file.err));
}

int outfile_end(struct outfile *out, bool keep_old, int err, struct reason *why)
{
	const char *temporary = (const char *)out->temporary.data;

	if (!out->path)
		return end_stdout(out, err, why);
	if (close(out->file.fd) && !out->file.err)
		out->file.err = -errno;
	if (!err && out->file.err)
		err = reason_set(why, out->file.err, "%s: %s", out->path, strerror(-out->file.err));
	if (!err)
		err = clear_the_way(out->path, keep_old, why);
	if (!err && rename(temporary, out->path))
		err = reason_set(why, -errno, "%s: %s", out->path, strerror(errno));
	if (err)
		unlink(temporary);
	buf_free(&out->temporary);
	return err;
}

int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why)
{
	struct outfile out;
	struct buf copy;
	int err = outfile_begin(&out, path, why);

	if (err)
		return err;
	copy = *bytes;
	copy.file = &out.file;
	buf_settle(&copy, true);
	return outfile_end(&out, keep_old, 0, why);
}
