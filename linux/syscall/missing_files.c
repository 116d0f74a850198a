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

static struct {
	struct lock lock;
	unsigned n;
	size_t used;
	uint64_t hash[NAMES_MOST];
	char text[BYTES_MOST]; /* names, each terminated */
} sought;

static bool is_known(uint64_t hash)
{
	for (unsigned i = 0; i < sought.n; i++)
		if (sought.hash[i] == hash)
			return true;
	return false;
}

static void note_missing_name(const char *name, size_t bytes)
{
	const uint64_t hash = xxh64(name, bytes);

	lock_take(&sought.lock);
	if (sought.n < NAMES_MOST && bytes <= BYTES_MOST - sought.used && !is_known(hash)) {
		memcpy(sought.text + sought.used, name, bytes);
		sought.used += bytes;
		sought.hash[sought.n++] = hash;
	}
	lock_release(&sought.lock);
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
	size_t at = 0;

	while (tell && at < sought.used) {
		const size_t n = frame_bytes(sought.text + at, sought.used - at);

		wire_sought(sought.text + at, n);
		at += n;
	}
	sought.n = 0;
	sought.used = 0;
}
