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

static int write_all(int fd, const struct buf *bytes)
{
	for (size_t done = 0; done < bytes->size;) {
		ssize_t n = write(fd, bytes->data + done, bytes->size - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += (size_t)n;
	}
	return 0;
}

int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why)
{
	struct buf temporary = {0};
	int fd, err;

	buf_printf(&temporary, "%s.XXXXXX", path);
	buf_text(&temporary);
	fd = mkostemp((char *)temporary.data, O_CLOEXEC);
	if (fd < 0) {
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
		goto out;
	}
	err = write_all(fd, bytes);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		reason_set(why, err, "%s: %s", path, strerror(-err));
	else
		err = clear_the_way(path, keep_old, why);
	if (!err && rename((char *)temporary.data, path))
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
	if (err)
		unlink((char *)temporary.data);
out:
	buf_free(&temporary);
	return err;
}

int outfile_print(const struct buf *bytes, struct reason *why)
{
	int err;

	fflush(stdout);
	err = write_all(STDOUT_FILENO, bytes);
	return err ? reason_set(why, err, "standard output: %s", strerror(-err)) : 0;
}
