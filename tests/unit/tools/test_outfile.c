// SPDX-License-Identifier: BSD-2-Clause
/* test_outfile.c - files are written whole or not at all, whatever ends the tool meanwhile. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/util/outfile.h"

#define BIG (64u << 20)

static char folder[] = "/tmp/perf0-outfile-XXXXXX";
static char path[64];

FIXTURE(make_folder)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

FIXTURE(remove_folder)
{
	unlink(path);
	return rmdir(folder);
}

/* Returns the number of files beside `file`. */
static unsigned others(void)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += *e->d_name != '.' && strcmp(e->d_name, "file");
	closedir(dir);
	return n;
}

static off_t size_of_file(void)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static void replace(const struct buf *bytes)
{
	struct reason why;

	_exit(outfile_replace(path, bytes, false, &why) ? 1 : 0);
}

/* The signal comes as soon as a file exists: mostly in the middle of writing. */
static void end_by(int signal_number, const struct buf *bytes)
{
	int watch = inotify_init1(IN_CLOEXEC), status;
	char event[4096];
	pid_t child;

	assert_true(watch >= 0 && inotify_add_watch(watch, folder, IN_CREATE) >= 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		replace(bytes);
	assert_true(read(watch, event, sizeof(event)) > 0);
	kill(child, signal_number);
	assert_int_equal(waitpid(child, &status, 0), child);
	close(watch);
	assert_int_equal(others(), 0);
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), signal_number);
	else
		assert_int_equal(WEXITSTATUS(status), 0);
	/* The result is the old file, or the whole new one. */
	assert_true(size_of_file() == 3 || size_of_file() == BIG);
}

TEST(test_signals)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
	struct buf small = {0}, big = {0};
	struct reason why;

	buf_add(&small, "old", 3);
	buf_extend(&big, BIG);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		void (*before)(int) = signal(signals[i], SIG_DFL);

		assert_int_equal(outfile_replace(path, &small, false, &why), 0);
		end_by(signals[i], &big);
		signal(signals[i], before);
	}
	buf_free(&small);
	buf_free(&big);
}

/* With nohup(1) the tool ignores SIGHUP: the file is written whole. */
TEST(test_ignored_signals)
{
	void (*before)(int) = signal(SIGHUP, SIG_IGN);
	struct buf big = {0};

	buf_extend(&big, BIG);
	end_by(SIGHUP, &big);
	assert_int_equal(size_of_file(), BIG);
	signal(SIGHUP, before);
	buf_free(&big);
}

/* Signals that do not end the tool change nothing, and blocked signals stay blocked. */
TEST(test_held_signals)
{
	struct buf bytes = {0};
	sigset_t set, before, after;
	struct reason why;

	buf_extend(&bytes, 3 << 20);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	raise(SIGTERM);
	assert_int_equal(outfile_replace(path, &bytes, false, &why), 0);
	assert_int_equal(size_of_file(), bytes.size);
	sigprocmask(SIG_BLOCK, NULL, &after);
	assert_true(sigismember(&after, SIGTERM));
	assert_false(sigismember(&after, SIGINT));
	signal(SIGTERM, SIG_IGN); /* drops the one that waits */
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGTERM, SIG_DFL);
	buf_free(&bytes);
}

TEST(test_refusals)
{
	struct buf bytes = {0};
	struct reason why;

	buf_add(&bytes, "x", 1);
	assert_int_equal(outfile_replace(folder, &bytes, false, &why), -EINVAL);
	assert_non_null(strstr(why.text, "no plain file"));
	assert_int_equal(outfile_replace("/nosuch/folder/x", &bytes, false, &why), -ENOENT);
	assert_int_equal(others(), 0);
	buf_free(&bytes);
}

GROUP(make_folder, remove_folder);
