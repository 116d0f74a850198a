// SPDX-License-Identifier: BSD-2-Clause
/* test_pack_tree.c - files for the image: links are followed and kept, existing entries stay,
 * folders are whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/program/pack_tree.h"

static char folder[64];
static struct tree tree;

FIXTURE(make_folder)
{
	char command[1024];

	strcpy(folder, "/tmp/perf0-tree.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p real/sub && echo abc >real/file && chmod +x real/file && "
		 "ln -s real link && ln -s link/file way && ln -s ../link/sub/../file real/up && "
		 "ln -s loop loop && ln -s nowhere none && mkfifo pipe && mkfifo real/pipe && "
		 "mkdir -p root/usr/lib && ln -s usr/lib root/lib && echo x >root/usr/lib/x",
		 folder);
	tree = (struct tree){0};
	return system(command);
}

FIXTURE(remove_folder)
{
	char command[128];

	tree_free(&tree);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char path[4][128];
	static unsigned next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
	return path[next];
}

static void check_entry(const char *path, enum tree_kind kind, const char *target)
{
	const struct tree_entry *entry = tree_find(&tree, path);

	assert_non_null(entry);
	assert_int_equal(entry->kind, kind);
	if (target)
		assert_string_equal(entry->path, target);
}

static int note_path(void *ctx, const struct tree_entry *entry)
{
	struct buf *paths = ctx;

	if (!strncmp(entry->path, folder, strlen(folder)))
		buf_printf(paths, "%s%s ", entry->path + strlen(folder),
			   entry->kind == TREE_DIRECTORY ? "/"
			   : entry->kind == TREE_LINK    ? "@"
							 : "");
	return 0;
}

static void check_paths(const char *wanted)
{
	struct buf paths = {0};

	tree_each(&tree, note_path, &paths);
	assert_string_equal(buf_text(&paths), wanted);
	buf_free(&paths);
}

TEST_WITH(test_host, make_folder, remove_folder)
{
	struct reason why;

	assert_int_equal(tree_host(&tree, in_folder("way"), &why), 0);
	check_paths("/ /link@ /real/ /real/file /way@ ");
	check_entry(in_folder("way"), TREE_FILE, in_folder("real/file"));
	assert_true(tree_find(&tree, in_folder("link/file"))->is_executable);
	assert_int_equal(tree_find(&tree, in_folder("real/file"))->bytes, 4);
	assert_int_equal(tree_host(&tree, in_folder("real/up"), &why), 0);
	check_paths("/ /link@ /real/ /real/file /real/sub/ /real/up@ /way@ ");
	assert_null(tree_find(&tree, in_folder("real/none")));
	assert_null(tree_find(&tree, in_folder("real/file/x")));
}

TEST_WITH(test_host_refused, make_folder, remove_folder)
{
	struct reason why;

	assert_true(tree_host(&tree, in_folder("loop"), &why) < 0);
	assert_non_null(strstr(why.text, "/loop: Too many levels of symbolic links"));
	assert_true(tree_host(&tree, in_folder("none"), &why) < 0);
	assert_non_null(strstr(why.text, "/none: No such file or directory"));
	assert_true(tree_host(&tree, in_folder("real/file/x"), &why) < 0);
	assert_non_null(strstr(why.text, "/real/file/x: Not a directory"));
	assert_true(tree_host(&tree, in_folder("pipe"), &why) < 0);
	assert_non_null(strstr(why.text, "/pipe: it is neither a plain file nor a folder"));
}

/* The tree's links apply, even if the host has other links. */
TEST_WITH(test_root_first, make_folder, remove_folder)
{
	struct reason why;
	struct buf text = {0};

	assert_int_equal(tree_put(&tree, in_folder("root"), "/", &why), 0);
	check_entry("/lib", TREE_DIRECTORY, "/usr/lib");
	check_entry("/lib/x", TREE_FILE, "/usr/lib/x");
	buf_printf(&text, "new");
	assert_int_equal(tree_content(&tree, "/lib/y/z", &text, &why), 0);
	check_entry("/usr/lib/y/z", TREE_FILE, NULL);
	assert_int_equal(tree_put(&tree, in_folder("real/file"), "/lib/x", &why), 0);
	assert_int_equal(tree_find(&tree, "/usr/lib/x")->bytes, 4);
	assert_true(tree_put(&tree, in_folder("real/file"), "/lib/y", &why) < 0);
	assert_non_null(strstr(why.text, "there is a folder /lib/y already"));
	assert_true(tree_put(&tree, in_folder("real/file"), "/lib/x/y", &why) < 0);
	assert_true(tree_put(&tree, in_folder("absent"), "/a", &why) < 0);
}

/* A folder goes into the target of a link. Entries that are no files are left out. */
TEST_WITH(test_put_folder, make_folder, remove_folder)
{
	struct reason why;

	assert_int_equal(tree_put(&tree, in_folder("root"), "/", &why), 0);
	assert_int_equal(tree_put(&tree, in_folder("real"), "/lib/copy", &why), 0);
	check_entry("/usr/lib/copy/file", TREE_FILE, NULL);
	check_entry("/usr/lib/copy/sub", TREE_DIRECTORY, NULL);
	assert_null(tree_find(&tree, "/usr/lib/copy/pipe"));
	assert_int_equal(tree_put(&tree, in_folder("link"), "/other", &why), 0);
	check_entry("/other/file", TREE_FILE, "/other/file");
	assert_int_equal(tree_folder(&tree, "/a/b/c", &why), 0);
	check_entry("/a/b/c", TREE_DIRECTORY, NULL);
	assert_int_equal(tree_folder(&tree, "/", &why), 0);
}

TEST_WITH(test_long_paths, make_folder, remove_folder)
{
	static char path[5000];
	struct reason why;

	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	assert_true(tree_host(&tree, path, &why) < 0);
	assert_non_null(strstr(why.text, "its path has more than 4095 characters"));
	assert_null(tree_find(&tree, path));
}
