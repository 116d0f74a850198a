// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tree_model.c - the tree compared with a model of a few arrays: random operations on random
 * paths have the model's errors or successes, and sometimes all names are compared. Then several
 * threads operate at once, and all memory must be free in the end.
 */
#include <pthread.h>

#include "linux/file/pipe.h"
#include "tests/unit/file/test_files.h"

#define NAMES  3 /* in each directory: a, b, c */
#define DEPTH  3
#define INODES 512

/* A path is a number: names from its end, each 1 to NAMES, in base NAMES + 1. 0 is the root. */
#define PATHS 64

static struct {
	bool is_dir;
	unsigned links;
	int content; /* of a file: its number when it was made */
} inodes[INODES];
static unsigned ninodes;
static int at[PATHS]; /* the inode of each path; -1: none */

static unsigned parent_of(unsigned path)
{
	return path / (NAMES + 1);
}

static unsigned depth_of(unsigned path)
{
	unsigned depth = 0;

	for (; path; path /= NAMES + 1)
		depth++;
	return depth;
}

/* Draws a path that is no deeper than DEPTH and has no empty name. */
static unsigned some_path(void)
{
	unsigned path = 0, depth = 1 + (unsigned)rand() % DEPTH;

	while (depth--)
		path = path * (NAMES + 1) + 1 + (unsigned)rand() % NAMES;
	return path;
}

static char *path_text(unsigned path, char *text)
{
	if (!path)
		return strcpy(text, "/tmp");
	path_text(parent_of(path), text);
	sprintf(text + strlen(text), "/%c", 'a' + (int)(path % (NAMES + 1)) - 1);
	return text;
}

static bool is_dir(unsigned path)
{
	return at[path] >= 0 && inodes[at[path]].is_dir;
}

/* Returns the error of a walk to `path`, which may not exist yet. */
static int walk_to(unsigned path)
{
	for (unsigned up = depth_of(path); up-- > 1;) {
		unsigned above = path;

		for (unsigned i = 0; i < up; i++)
			above = parent_of(above);
		if (at[above] < 0)
			return -ENOENT;
		if (!is_dir(above))
			return -ENOTDIR;
	}
	if (depth_of(path) > 1 && at[parent_of(path)] < 0)
		return -ENOENT;
	return is_dir(parent_of(path)) ? 0 : -ENOTDIR;
}

static bool has_children(unsigned path)
{
	for (unsigned i = 1; i <= NAMES; i++)
		if (path * (NAMES + 1) + i < PATHS && at[path * (NAMES + 1) + i] >= 0)
			return true;
	return false;
}

static int new_inode(bool dir)
{
	inodes[ninodes].is_dir = dir;
	inodes[ninodes].links = 1;
	inodes[ninodes].content = (int)ninodes;
	return (int)ninodes++;
}

/* --- Operations of the model --- */

static int model_make(unsigned path, bool dir)
{
	const int error = walk_to(path);

	if (error)
		return error;
	if (at[path] >= 0)
		return -EEXIST;
	at[path] = new_inode(dir);
	return 0;
}

static int model_remove(unsigned path, bool dir)
{
	const int error = walk_to(path);

	if (error || at[path] < 0)
		return error ? error : -ENOENT;
	if (dir && !is_dir(path))
		return -ENOTDIR;
	if (!dir && is_dir(path))
		return -EISDIR;
	if (dir && has_children(path))
		return -ENOTEMPTY;
	inodes[at[path]].links--;
	at[path] = -1;
	return 0;
}

static int model_link(unsigned from, unsigned to)
{
	int error = walk_to(from);

	if (error || at[from] < 0)
		return error ? error : -ENOENT;
	error = walk_to(to);
	if (error || at[to] >= 0)
		return error ? error : -EEXIST;
	if (is_dir(from))
		return -EPERM;
	at[to] = at[from];
	inodes[at[to]].links++;
	return 0;
}

static bool is_under(unsigned path, unsigned dir)
{
	while (path && path != dir)
		path = parent_of(path);
	return path == dir;
}

/* The entries below move, too. Moves that are too deep for the model's paths are not tried. */
static void move_all(unsigned from, unsigned to)
{
	at[to] = at[from];
	at[from] = -1;
	for (unsigned i = 1; i <= NAMES; i++)
		if (from * (NAMES + 1) + i < PATHS && at[from * (NAMES + 1) + i] >= 0)
			move_all(from * (NAMES + 1) + i, to * (NAMES + 1) + i);
}

static unsigned height_of(unsigned path)
{
	unsigned most = 0;

	for (unsigned i = 1; i <= NAMES; i++) {
		const unsigned child = path * (NAMES + 1) + i;

		if (child < PATHS && at[child] >= 0 && 1 + height_of(child) > most)
			most = 1 + height_of(child);
	}
	return most;
}

static int model_rename(unsigned from, unsigned to)
{
	int error = walk_to(from);

	if (!error)
		error = walk_to(to);
	if (error || at[from] < 0)
		return error ? error : -ENOENT;
	if (is_dir(from) && is_under(parent_of(to), from))
		return -EINVAL;
	if (at[to] >= 0) {
		if (at[from] == at[to])
			return 0;
		if (is_dir(from) && !is_dir(to))
			return -ENOTDIR;
		if (!is_dir(from) && is_dir(to))
			return -EISDIR;
		if (is_dir(from) && has_children(to))
			return -ENOTEMPTY;
		inodes[at[to]].links--;
	}
	move_all(from, to);
	return 0;
}

/* --- The tree --- */

static int tree_make_file(const char *path, int content)
{
	struct file *f;
	const int error = tree_open(&view, NULL, path, O_CREAT | O_EXCL | O_WRONLY, 0666, &f);

	if (error)
		return error;
	assert_int_equal(put(f, (char *)&content, sizeof(content)), sizeof(content));
	file_put(f);
	return 0;
}

static void compare_path(unsigned path)
{
	char text[32];
	struct file *f;
	struct stat st;
	int content = -1, error;

	path_text(path, text);
	error = walk_to(path);
	if (error || at[path] < 0) {
		assert_int_equal(walk_error(text), error ? error : -ENOENT);
		return;
	}
	st = stat_of(text, false);
	assert_int_equal(inode_is_directory(&(struct inode){.mode = st.st_mode}), is_dir(path));
	if (is_dir(path)) {
		unsigned links = 2;

		for (unsigned i = 1; i <= NAMES; i++)
			if (path * (NAMES + 1) + i < PATHS)
				links += is_dir(path * (NAMES + 1) + i);
		assert_int_equal(st.st_nlink, links);
		return;
	}
	assert_int_equal(st.st_nlink, inodes[at[path]].links);
	f = must_open(text, O_RDONLY);
	assert_int_equal(get(f, (char *)&content, sizeof(content)), sizeof(content));
	assert_int_equal(content, inodes[at[path]].content);
	file_put(f);
}

static void compare_all(void)
{
	for (unsigned path = 1; path < PATHS; path++) {
		bool whole = true;

		for (unsigned up = path; up; up = parent_of(up))
			whole &= up % (NAMES + 1) != 0;
		if (whole)
			compare_path(path);
	}
}

static void try_one(void)
{
	const unsigned a = some_path(), b = some_path();
	char from[32], to[32];

	path_text(a, from);
	path_text(b, to);
	switch (rand() % 7) {
	case 0:
		assert_int_equal(make_dir(from), model_make(a, true));
		break;
	case 1:
	case 2: {
		const int content = (int)ninodes;

		assert_int_equal(tree_make_file(from, content), model_make(a, false));
		break;
	}
	case 3:
		assert_int_equal(remove_dir(from), model_remove(a, true));
		break;
	case 4:
		assert_int_equal(unlink_file(from), model_remove(a, false));
		break;
	case 5:
		assert_int_equal(hard_link(from, to), model_link(a, b));
		break;
	default:
		if (depth_of(b) + height_of(a) <= DEPTH)
			assert_int_equal(move(from, to), model_rename(a, b));
	}
}

TEST(test_a_tree_is_what_the_model_says)
{
	for (unsigned seed = 1; seed <= 60; seed++) {
		srand(seed);
		files_begin();
		memset(at, -1, sizeof(at));
		ninodes = 0;
		at[0] = new_inode(true);
		while (ninodes < INODES - 1) {
			try_one();
			if (rand() % 50 == 0)
				compare_all();
		}
		compare_all();
		files_end();
	}
}

/* --- Threads --- */

#define THREADS 2

static void *run_thread(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;

	for (int i = 0; i < 1500; i++) {
		char from[64], to[64];
		struct file *f, *ends[2];

		snprintf(from, sizeof(from), "/tmp/%c/%c", 'a' + rand_r(&seed) % 2,
			 'a' + rand_r(&seed) % 3);
		snprintf(to, sizeof(to), "/tmp/%c", 'a' + rand_r(&seed) % 2);
		switch (rand_r(&seed) % 7) {
		case 0:
			make_dir(to);
			break;
		case 1:
			if (!tree_open(&view, NULL, from, O_CREAT | O_RDWR | O_APPEND, 0666, &f)) {
				put(f, from, 9);
				regular_truncate(f->inode, rand_r(&seed) % 9000);
				file_put(f);
			}
			break;
		case 2:
			remove_dir(to);
			break;
		case 3:
			unlink_file(from);
			break;
		case 4:
			hard_link(from, to);
			break;
		case 5:
			if (!pipe_open(ends, 0)) {
				put(ends[1], from, 9);
				file_put(ends[0]);
				file_put(ends[1]);
			}
			break;
		default:
			move(from, to);
			move(to, from);
		}
	}
	return NULL;
}

TEST(test_threads_leave_a_whole_tree)
{
	pthread_t threads[THREADS];

	files_begin();
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_thread, (void *)(i + 1)), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	files_end();
}

/* A file loses its last name while another thread adds one: it has the new name, or none. */
static void *run_linker(void *rounds)
{
	for (uintptr_t i = 0; i < (uintptr_t)rounds; i++)
		if (!hard_link("/tmp/x", "/tmp/y"))
			unlink_file("/tmp/y");
	return NULL;
}

TEST(test_links_to_what_is_being_unlinked)
{
	const uintptr_t rounds = 20000;
	pthread_t linker;

	files_begin();
	assert_int_equal(pthread_create(&linker, NULL, run_linker, (void *)rounds), 0);
	for (uintptr_t i = 0; i < rounds; i++)
		if (!tree_make_file("/tmp/x", 0))
			unlink_file("/tmp/x");
	pthread_join(linker, NULL);
	files_end();
}
