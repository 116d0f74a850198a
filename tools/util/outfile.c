// SPDX-License-Identifier: BSD-2-Clause
/* outfile.c - see outfile.h. */
#include "tools/util/outfile.h"
#include "tools/util/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Moves an old file away. Only plain files are moved: a device of that name must stay. */
static int clear_the_way(const char *path, bool keep_old, struct reason *why)
{
	struct buf old = {0};
	struct stat st;
	int err = 0;

	if (stat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return refuse(why, EINVAL, "%s: is there and is no plain file", path);
	if (!keep_old)
		return 0;
	buf_printf(&old, "%s.old", path);
	if (rename(path, buf_text(&old)))
		err = refuse(why, errno, "%s: %s", buf_text(&old), strerror(errno));
	buf_free(&old);
	return err;
}

/* Signals that end the tool. They are blocked while a temporary file exists. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM};

#define NENDING (sizeof(ending) / sizeof(ending[0]))

static void hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < NENDING; i++)
		if (!signals_ignored(ending[i])) /* ignored signals must not wait */
			sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* Returns whether a signal waits that ends the tool as soon as the mask is `before` again. */
static bool is_ending(const sigset_t *before)
{
	sigset_t waiting;

	sigpending(&waiting);
	for (size_t i = 0; i < NENDING; i++)
		if (sigismember(&waiting, ending[i]) && !sigismember(before, ending[i]))
			return true;
	return false;
}

/* Restores the mask; a waiting signal arrives now. */
static void let_signals_in(struct outfile *out)
{
	sigprocmask(SIG_SETMASK, &out->before, NULL);
	buf_free(&out->temporary);
}

/* Runs after each write, because a slow file must not keep the tool from ending. */
static void look_for_signals(struct buf_file *file)
{
	struct outfile *out = (struct outfile *)((char *)file - offsetof(struct outfile, file));

	if (!file->err && is_ending(&out->before))
		file->err = -EINTR;
}

int outfile_begin_private(struct outfile *out, const char *path, struct reason *why)
{
	int err;

	*out = (struct outfile){.path = path, .file = {.fd = STDOUT_FILENO}};
	if (!path) {
		fflush(stdout);
		return 0;
	}
	out->file.written = look_for_signals;
	buf_printf(&out->temporary, "%s.XXXXXX", path);
	buf_text(&out->temporary);
	hold_signals(&out->before);
	out->file.fd = mkostemp((char *)out->temporary.data, O_CLOEXEC);
	if (out->file.fd >= 0)
		return 0;
	err = refuse(why, errno, "%s: %s", path, strerror(errno));
	let_signals_in(out);
	return err;
}

static mode_t usual_mode(void)
{
	const mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int outfile_begin(struct outfile *out, const char *path, struct reason *why)
{
	int err = outfile_begin_private(out, path, why);

	if (err || !path || !fchmod(out->file.fd, usual_mode()))
		return err;
	err = refuse(why, errno, "%s: %s", path, strerror(errno));
	outfile_discard(out);
	return err;
}

static int end_stdout(const struct outfile *out, int err, struct reason *why)
{
	if (err || !out->file.err)
		return err;
	return refuse(why, -out->file.err, "standard output: %s", strerror(-out->file.err));
}

int outfile_end(struct outfile *out, bool keep_old, int err, struct reason *why)
{
	const char *temporary = (const char *)out->temporary.data;

	if (!out->path)
		return end_stdout(out, err, why);
	if (close(out->file.fd) && !out->file.err)
		out->file.err = -errno;
	if (!err && out->file.err)
		err = refuse(why, -out->file.err, "%s: %s", out->path, strerror(-out->file.err));
	if (!err)
		err = clear_the_way(out->path, keep_old, why);
	if (!err && rename(temporary, out->path))
		err = refuse(why, errno, "%s: %s", out->path, strerror(errno));
	if (err)
		unlink(temporary);
	let_signals_in(out);
	return err;
}

void outfile_look(struct outfile *out)
{
	look_for_signals(&out->file);
}

void outfile_discard(struct outfile *out)
{
	close(out->file.fd);
	unlink((const char *)out->temporary.data);
	let_signals_in(out);
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

/* Creates a temporary file as for writing, because permissions alone cannot predict success. */
int outfile_check(const char *path, struct reason *why)
{
	struct stat st;
	struct outfile out;
	int err;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return refuse(why, EINVAL, "%s: is there and is no plain file", path);
	err = outfile_begin(&out, path, why);
	if (err)
		return err;
	outfile_discard(&out);
	return 0;
}

int outfile_make_way(char *path, size_t n, unsigned mode, struct reason *why)
{
	for (char *slash = strchr(path + n + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int err = 0;

		*slash = '\0';
		if (mkdir(path, mode) && errno != EEXIST)
			err = refuse(why, errno, "%s: %s", path, strerror(errno));
		*slash = '/';
		if (err)
			return err;
	}
	return 0;
}

int outfile_make_folder(const char *folder, struct reason *why)
{
	struct buf path = {0};
	int err;

	buf_printf(&path, "%s/", folder);
	buf_text(&path);
	err = outfile_make_way((char *)path.data, 0, 0777, why);
	buf_free(&path);
	return err;
}
