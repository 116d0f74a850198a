// SPDX-License-Identifier: BSD-2-Clause
/* symfs.c - see symfs.h. */
#include "tools/cmd/symfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/out/perfdata.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"

#define PIECE_BYTES 65536

/* Returns whether the path is absolute, is not the root itself, and has no `..`. */
static bool leads_down(const char *path)
{
	const char *part = path;

	if (*path != '/' || !path[1])
		return false;
	while ((part = strstr(part, "/.."))) {
		part += strlen("/..");
		if (!*part || *part == '/')
			return false;
	}
	return true;
}

static bool is_same_program(const char *path, const struct mapped_file *wanted)
{
	struct elf_image found;
	struct reason ignored;
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !elf_image_read(&found, path, &ignored) &&
	       found.build_id_size == wanted->build_id_size &&
	       !memcmp(found.build_id, wanted->build_id, wanted->build_id_size);
}

static int copy_bytes(int from, int to)
{
	static char piece[PIECE_BYTES];
	ssize_t n;

	while ((n = read(from, piece, sizeof(piece))) > 0)
		if (write(to, piece, (size_t)n) != n)
			return -EIO;
	return n < 0 ? -errno : 0;
}

static int copy_program(const char *from, const char *to)
{
	const int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int err = in < 0 || out < 0 ? -errno : copy_bytes(in, out);

	if (out >= 0 && close(out) && !err)
		err = -errno;
	if (in >= 0)
		close(in);
	if (out >= 0 && err)
		unlink(to);
	return err;
}

static bool find_host_program(struct buf *path, const char *const *from,
			      const struct mapped_file *file)
{
	for (; *from; from++) {
		path->size = 0;
		buf_printf(path, "%s%s", *from, file->path);
		if (is_same_program(buf_text(path), file))
			return true;
	}
	/* The current folder may have the program, if the stick was made there. */
	path->size = 0;
	buf_printf(path, ".%s", strrchr(file->path, '/'));
	return is_same_program(buf_text(path), file);
}

static void lay_program(const char *to, const char *const *from, const struct mapped_file *file)
{
	struct buf target = {0}, source = {0};
	struct reason ignored;
	int err;

	buf_printf(&target, "%s%s", to, file->path);
	buf_text(&target);
	if (!leads_down(file->path) || is_same_program(buf_text(&target), file))
		goto out;
	if (!find_host_program(&source, from, file)) {
		message("perf0 results: %s is not there as it was recorded: perf report shows its "
			"addresses",
			file->path);
		goto out;
	}
	err = outfile_make_way((char *)target.data, strlen(to), 0777, &ignored);
	if (!err)
		err = copy_program(buf_text(&source), buf_text(&target));
	if (err)
		message("perf0 results: %s: %s", buf_text(&target), strerror(-err));
out:
	buf_free(&target);
	buf_free(&source);
}

/* Copies the image. The perf.data names it by its path on this host. */
static void lay_image(const char *to, const struct stream *stream)
{
	static const char *const root[] = {"", NULL};
	struct mapped_file file = {0};
	struct elf_image image;
	struct reason ignored;

	if (elf_image_find(&image, &stream->hello, &ignored))
		return;
	file.path = image.path;
	file.build_id_size = image.build_id_size;
	memcpy(file.build_id, image.build_id, image.build_id_size);
	lay_program(to, root, &file);
}

void symfs_lay(const char *to, const char *const *from, const struct stream *stream,
	       const struct stream_command *command)
{
	struct features_input input = perfdata_input(stream, command, NULL);

	lay_image(to, stream);
	for (size_t i = 0; i < input.mapped.n; i++)
		if (input.mapped.file[i].build_id_size != stream->hello.build_id_size ||
		    memcmp(input.mapped.file[i].build_id, stream->hello.build_id,
			   stream->hello.build_id_size) != 0)
			lay_program(to, from, &input.mapped.file[i]);
	features_free(&input);
}
