// SPDX-License-Identifier: BSD-2-Clause
/* missing_files.c - see missing_files.h. */
#include "linux/syscall/missing_files.h"

#include "lib/lock.h"
#include "lib/string.h"
#include "lib/format/xxh64.h"
#include "linux/file/text.h"
#include "linux/syscall/syscall_files.h"
#include "linux/tree/tree.h"
#include "rt/wire/wire.h"

#define NAMES_MOST 512
#define BYTES_MOST (8u * WIRE_MAX_PAYLOAD)

struct names {
	unsigned n;
	size_t used;
	uint64_t hash[NAMES_MOST];
	char text[BYTES_MOST]; /* names, each terminated */
};

/* A run's names are noted apart: so to note one takes each run of a command the same time, and a
 * program that reads the clock does the same in each. */
static struct {
	struct lock lock;
	struct names of_run, of_command;
} sought;

static bool is_known(const struct names *names, uint64_t hash)
{
	for (unsigned i = 0; i < names->n; i++)
		if (names->hash[i] == hash)
			return true;
	return false;
}

static void note_name(struct names *names, const char *name, size_t bytes)
{
	const uint64_t hash = xxh64(name, bytes);

	if (names->n == NAMES_MOST || bytes > BYTES_MOST - names->used || is_known(names, hash))
		return;
	memcpy(names->text + names->used, name, bytes);
	names->used += bytes;
	names->hash[names->n++] = hash;
}

static void note_missing_name(const char *name, size_t bytes)
{
	lock_take(&sought.lock);
	note_name(&sought.of_run, name, bytes);
	lock_release(&sought.lock);
}

static void forget_names(struct names *names)
{
	names->n = 0;
	names->used = 0;
}

void sought_end_run(void)
{
	const struct names *names = &sought.of_run;
	size_t bytes;

	for (size_t at = 0; at < names->used; at += bytes) {
		bytes = strlen(names->text + at) + 1;
		note_name(&sought.of_command, names->text + at, bytes);
	}
	forget_names(&sought.of_run);
}

/* Adds the directory of a relative path. */
static int add_directory(struct text *name, struct inode *start, const char *path)
{
	const struct tree_view *view = files_view();
	int err;

	if (*path == '/')
		return 0;
	err = inode_path(start ? start : view->cwd, view->root, name);
	text_print(name, "/");
	return err;
}

void sought_note(struct inode *start, const char *path)
{
	struct text name = {0};
	const int err = add_directory(&name, start, path);

	text_print(&name, "%s", path);
	if (!err && text_end(&name) && name.size < PATH_BYTES_MOST)
		note_missing_name(name.bytes, name.size + 1);
	text_free(&name);
}

/* The length of as many whole names as fit into a frame. */
static size_t frame_bytes(const char *text, size_t left)
{
	size_t n = left < WIRE_MAX_PAYLOAD ? left : WIRE_MAX_PAYLOAD;

	while (n && text[n - 1])
		n--;
	return n;
}

void sought_send(bool tell)
{
	const struct names *names = &sought.of_command;
	size_t at = 0;

	sought_end_run();
	while (tell && at < names->used) {
		const size_t n = frame_bytes(names->text + at, names->used - at);

		wire_sought(names->text + at, n);
		at += n;
	}
	forget_names(&sought.of_command);
}
