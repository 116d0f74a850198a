// SPDX-License-Identifier: BSD-2-Clause
/* outfile.c - see outfile.h. */
#include "tools/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
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

#define PIECE (1u << 20) /* bytes; between two, a signal that waits is looked for */

/* Those that end the tool, and so must not come while a temporary file is there. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM};

#define NENDING (sizeof(ending) / sizeof(ending[0]))

static void hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < NENDING; i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* Is there one to end by, as soon as signals are let in as they were `before`? */
static bool is_ending(const sigset_t *before)
{
	sigset_t waiting;

	sigpending(&waiting);
	for (size_t i = 0; i < NENDING; i++)
		if (sigismember(&waiting, ending[i]) && !sigismember(before, ending[i]))
			return true;
	return false;
}

/* `before` NULL: signals are not held. */
static int write_all(int fd, const struct buf *bytes, const sigset_t *before)
{
	for (size_t done = 0; done < bytes->size;) {
		size_t left = bytes->size - done;
		ssize_t n = write(fd, bytes->data + done, left < PIECE ? left : PIECE);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += (size_t)n;
		if (before && is_ending(before))
			return -EINTR;
	}
	return 0;
}

/* The temporary file is written, and takes the place of the old one. */
static int fill_and_rename(int fd, const char *temporary, const char *path, const struct buf *bytes,
			   bool keep_old, const sigset_t *before, struct reason *why)
{
	int err = write_all(fd, bytes, before);

	if (close(fd) && !err)
		err = -errno;
	if (err)
		return reason_set(why, err, "%s: %s", path, strerror(-err));
	err = clear_the_way(path, keep_old, why);
	if (!err && rename(temporary, path))
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
	return err;
}

int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why)
{
	struct buf temporary = {0};
	sigset_t before;
	int fd, err;

	buf_printf(&temporary, "%s.XXXXXX", path);
	buf_text(&temporary);
	hold_signals(&before);
	fd = mkostemp((char *)temporary.data, O_CLOEXEC);
	if (fd < 0)
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
	else
		err = fill_and_rename(fd, (char *)temporary.data, path, bytes, keep_old, &before,
				      why);
	if (err && fd >= 0)
		unlink((char *)temporary.data);
	sigprocmask(SIG_SETMASK, &before, NULL);
	buf_free(&temporary);
	return err;
}

int outfile_print(const struct buf *bytes, struct reason *why)
{
	int err;

	fflush(stdout);
	err = write_all(STDOUT_FILENO, bytes, NULL);
	return err ? reason_set(why, err, "standard output: %s", strerror(-err)) : 0;
}
