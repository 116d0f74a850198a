// SPDX-License-Identifier: BSD-2-Clause
/* pinned.c - see pinned.h. */
#include "tools/program/pinned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/program/elfcheck.h"
#include "tools/symbols/elf_image.h"
#include "tools/util/filehash.h"
#include "tools/util/memory.h"
#include "tools/util/outfile.h"
#include "tools/util/wholefile.h"

#define LIBRARY_MOST (1u << 30) /* bytes */

/* A library of the folder, or of the tree. */
struct pin {
	char *name;   /* the soname */
	char *path;   /* of the file; in the tree for one of the tree */
	char *source; /* NULL for one of the folder */
};

struct pins {
	struct pin *one;
	size_t n;
};

static void add_pin(struct pins *pins, const char *name, const char *path, const char *source)
{
	pins->one = memory_grow(pins->one, pins->n, sizeof(*pins->one));
	pins->one[pins->n++] =
		(struct pin){copy_text(name, strlen(name)), copy_text(path, strlen(path)),
			     source ? copy_text(source, strlen(source)) : NULL};
}

static void free_pins(struct pins *pins)
{
	for (size_t i = 0; i < pins->n; i++) {
		free(pins->one[i].name);
		free(pins->one[i].path);
		free(pins->one[i].source);
	}
	free(pins->one);
}

static const struct pin *find_pin(const struct pins *pins, const char *name)
{
	for (size_t i = 0; i < pins->n; i++)
		if (!strcmp(pins->one[i].name, name))
			return &pins->one[i];
	return NULL;
}

/* --- Builds --- */

/* Appends the build-id of a file, or a hash of its bytes if it has none. */
static int add_build(struct buf *out, const char *path, struct reason *why)
{
	struct elf_image elf;
	struct stat st;
	uint64_t hash = 0;
	int fd, err = elf_image_read(&elf, path, why);

	for (size_t i = 0; i < elf.build_id_size && !err; i++)
		buf_printf(out, "%02x", elf.build_id[i]);
	if (err || elf.build_id_size)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || file_hash(fd, 0, (uint64_t)st.st_size, &hash))
		err = refuse(why, EIO, "%s: it cannot be read", path);
	if (fd >= 0)
		close(fd);
	buf_printf(out, "%016" PRIx64, hash);
	return err;
}

static int check_build(const char *path, const char *build, struct reason *why)
{
	struct buf real = {0};
	int err = add_build(&real, path, why);

	if (!err && strcmp(buf_text(&real), build) != 0)
		err = refuse(why, EINVAL, "%s is the build %s", path, buf_text(&real));
	buf_free(&real);
	return err;
}

/* --- The folder --- */

/* Takes the libraries of one build, in the open folder `at`, which it closes. */
static int take_build(struct pins *pins, const char *folder, const char *build, DIR *at,
		      struct reason *why)
{
	const struct dirent *entry;
	struct buf path = {0};
	int err = 0;

	while (!err && (entry = readdir(at))) {
		if (*entry->d_name == '.')
			continue;
		path.size = 0;
		buf_printf(&path, "%s/%s/%s", folder, build, entry->d_name);
		err = check_build(buf_text(&path), build, why);
		if (!err && find_pin(pins, entry->d_name))
			err = refuse(why, EEXIST, "there are two builds of %s", entry->d_name);
		if (!err)
			add_pin(pins, entry->d_name, buf_text(&path), NULL);
	}
	buf_free(&path);
	closedir(at);
	return err;
}

static int take_folder(struct pins *pins, const char *folder, struct reason *why)
{
	DIR *builds = opendir(folder), *at;
	const struct dirent *entry;
	struct buf path = {0};
	int err = 0;

	if (!builds)
		return refuse(why, errno, "%s%s", strerror(errno),
			      errno == ENOENT ? "; --update makes it" : "");
	while (!err && (entry = readdir(builds))) {
		path.size = 0;
		buf_printf(&path, "%s/%s", folder, entry->d_name);
		at = *entry->d_name == '.' ? NULL : opendir(buf_text(&path));
		if (at)
			err = take_build(pins, folder, entry->d_name, at, why);
	}
	buf_free(&path);
	closedir(builds);
	return err;
}

static int copy_library(const char *folder, const struct pin *pin, struct reason *why)
{
	struct buf path = {0}, bytes = {0};
	int err;

	buf_printf(&path, "%s/", folder);
	err = add_build(&path, pin->source, why);
	if (!err)
		err = outfile_make_folder(buf_text(&path), why);
	if (!err)
		err = whole_file_read(&bytes, pin->source, LIBRARY_MOST, why);
	buf_printf(&path, "/%s", pin->name);
	if (!err)
		err = outfile_replace(buf_text(&path), &bytes, false, why);
	/* the loader has to be executable */
	if (!err && chmod(buf_text(&path), 0755))
		err = refuse(why, errno, "%s: %s", buf_text(&path), strerror(errno));
	buf_free(&path);
	buf_free(&bytes);
	return err;
}

/* --- The tree --- */

static bool is_of_system(const char *path)
{
	return !strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8);
}

/* Takes a library of the system. Its name alone makes a path of the folder. */
static int take_library(void *ctx, const struct tree_entry *entry)
{
	struct elf_needs needs;
	struct reason ignored;
	int fd;

	if (entry->kind != TREE_FILE || !entry->source || !is_of_system(entry->path))
		return 0;
	fd = open(entry->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (elfcheck_is(fd) && !elfcheck_library(&needs, fd, &ignored) && *needs.soname &&
	    *needs.soname != '.' && !strchr(needs.soname, '/'))
		add_pin(ctx, needs.soname, entry->path, entry->source);
	close(fd);
	return 0;
}

int pinned_apply(struct tree *tree, const char *folder, bool adds, struct reason *why)
{
	struct pins used = {0}, pins = {0};
	struct reason what;
	int err = take_folder(&pins, folder, &what);

	if (err == -ENOENT && adds)
		err = 0;
	tree_each(tree, take_library, &used);
	for (size_t i = 0; i < used.n && !err; i++) {
		const struct pin *pin = find_pin(&pins, used.one[i].name);

		if (pin)
			err = tree_put(tree, pin->path, used.one[i].path, &what);
		else if (adds)
			err = copy_library(folder, &used.one[i], &what);
		else
			err = refuse(&what, ENOENT, "there is no %s; --update adds this host's",
				     used.one[i].name);
	}
	free_pins(&used);
	free_pins(&pins);
	return err ? refuse(why, -err, "--pin-libs %s: %s", folder, what.text) : 0;
}
