// SPDX-License-Identifier: BSD-2-Clause
/* test_known_files.c - a hash is remembered for the very file, and for no changed one. */
#include "tools/saved/known_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tools/util/filehash.h"

static char home[] = "/tmp/perf0-known-XXXXXX";
static char path[PATH_MAX], list[PATH_MAX];

FIXTURE(make_home)
{
	if (!mkdtemp(home) || setenv("XDG_STATE_HOME", home, 1))
		return -1;
	snprintf(path, sizeof(path), "%s/file", home);
	snprintf(list, sizeof(list), "%s/perf0/" KNOWN_FILES_NAME, home);
	return 0;
}

FIXTURE(remove_home)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command);
}

static void write_text_file(const char *text)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static uint64_t known_hash(void)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t hash;

	assert_int_equal(known_file_hash(fd, &hash), 0);
	close(fd);
	return hash;
}

static uint64_t true_hash(void)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t hash;

	assert_int_equal(file_hash(fd, 0, (uint64_t)lseek(fd, 0, SEEK_END), &hash), 0);
	close(fd);
	return hash;
}

static off_t list_bytes(void)
{
	struct stat st;

	return stat(list, &st) ? -1 : st.st_size;
}

/* Puts another hash into the last entry, which shows whether it is used. */
static void change_entry(void)
{
	const int fd = open(list, O_WRONLY | O_CLOEXEC);
	const uint64_t hash = 1;

	assert_int_equal(pwrite(fd, &hash, sizeof(hash), list_bytes() - (off_t)sizeof(hash)),
			 sizeof(hash));
	close(fd);
}

static void grow_old(void)
{
	sleep(KNOWN_AGE_S + 1);
}

TEST(test_remembered)
{
	write_text_file("some text");
	/* A file that is new may change without a change of its times. */
	assert_true(known_hash() == true_hash());
	assert_int_equal(list_bytes(), 0);
	grow_old();
	assert_true(known_hash() == true_hash());
	assert_int_equal(list_bytes(), sizeof(struct known_file));
	assert_true(known_hash() == true_hash());
	assert_int_equal(list_bytes(), sizeof(struct known_file));
	change_entry();
	assert_true(known_hash() == 1);
	/* The file changes: neither its size, nor the time of its contents tell. */
	{
		struct stat st;

		assert_int_equal(stat(path, &st), 0);
		write_text_file("SOME TEXT");
		assert_int_equal(
			utimensat(AT_FDCWD, path, (struct timespec[]){st.st_atim, st.st_mtim}, 0),
			0);
	}
	assert_true(known_hash() == true_hash());
}

/* A list that others may change, is incomplete or is full does no harm. */
TEST(test_bad_lists)
{
	write_text_file("other text");
	grow_old();
	known_hash();
	change_entry();
	assert_int_equal(chmod(list, 0666), 0);
	assert_true(known_hash() == true_hash());
	assert_int_equal(chmod(list, 0600), 0);
	assert_true(known_hash() == 1);
	assert_int_equal(truncate(list, list_bytes() - 1), 0);
	assert_true(known_hash() == true_hash());
	assert_int_equal(list_bytes(), sizeof(struct known_file));
	assert_int_equal(truncate(list, 0), 0);
	assert_int_equal(truncate(list, KNOWN_MOST * sizeof(struct known_file)), 0);
	assert_true(known_hash() == true_hash());
	assert_int_equal(list_bytes(), sizeof(struct known_file));
	assert_int_equal(unlink(list), 0);
	assert_int_equal(symlink("/dev/null", list), 0);
	assert_true(known_hash() == true_hash());
}

GROUP(make_home, remove_home);
