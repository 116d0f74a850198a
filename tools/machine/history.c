// SPDX-License-Identifier: BSD-2-Clause
/* history.c - see history.h. */
#include "tools/machine/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/saved/state_path.h"
#include "tools/util/buf.h"

static int refuse_file(const char *path, struct reason *why)
{
	return refuse(why, errno, "%s: %s", path, strerror(errno));
}

int history_path(char path[PATH_MAX], struct reason *why)
{
	return state_path(path, "history", why);
}

static int read_all(const char *path, struct buf *out, struct reason *why)
{
	FILE *file = fopen(path, "re");
	char bytes[BUFSIZ];
	size_t n;
	int err = 0;

	if (!file)
		return errno == ENOENT ? 0 : refuse_file(path, why);
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(out, bytes, n);
	if (ferror(file))
		err = refuse_file(path, why);
	fclose(file);
	return err;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static char *skip_lines(char *text, size_t n)
{
	while (n--)
		text = strchr(text, '\n') + 1;
	return text;
}

/* Writes a new file and renames it, so that another shell reads the old or the new file. */
static int replace_file(const char *path, const char *text, struct reason *why)
{
	struct buf beside = {0};
	FILE *file;
	int fd, err = 0;

	buf_printf(&beside, "%s.%d", path, (int)getpid());
	fd = open(buf_text(&beside), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file || fputs(text, file) < 0)
		err = refuse_file(buf_text(&beside), why);
	if (file && fclose(file) && !err)
		err = refuse_file(buf_text(&beside), why);
	if (!err && rename(buf_text(&beside), path))
		err = refuse_file(path, why);
	if (err)
		unlink(buf_text(&beside));
	buf_free(&beside);
	return err;
}

static void visit_lines(char *text, void (*visit)(void *ctx, const char *line), void *ctx)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line)
			visit(ctx, line);
}

int history_read(const char *path, void (*visit)(void *ctx, const char *line), void *ctx,
		 struct reason *why)
{
	struct buf all = {0};
	char *text;
	size_t n;
	int err = read_all(path, &all, why);

	buf_text(&all);
	text = (char *)all.data;
	n = count_lines(text);
	if (n > HISTORY_LINES)
		text = skip_lines(text, n - HISTORY_LINES);
	if (!err && n > 2 * HISTORY_LINES)
		err = replace_file(path, text, why);
	visit_lines(text, visit, ctx);
	buf_free(&all);
	return err;
}

int history_add(const char *path, const char *line, struct reason *why)
{
	const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	struct buf text = {0};
	int err = 0;

	if (fd < 0)
		return refuse_file(path, why);
	buf_printf(&text, "%s\n", line);
	if (write(fd, text.data, text.size) != (ssize_t)text.size)
		err = refuse_file(path, why);
	close(fd);
	buf_free(&text);
	return err;
}
