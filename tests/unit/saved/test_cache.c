// SPDX-License-Identifier: BSD-2-Clause
/* test_cache.c - files of saved machines: saved whole or not at all, and never used when damaged.
 */
#include "tools/saved/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define STATE_BYTES 300000
#define KEY         "a machine\nwith all that it depends on\n"
#define SAID        "it has started"

static char home[] = "/tmp/perf0-cache-XXXXXX";

FIXTURE(make_home)
{
	return mkdtemp(home) && !setenv("XDG_CACHE_HOME", home, 1) &&
			       !setenv("XDG_STATE_HOME", home, 1)
		       ? 0
		       : -1;
}

FIXTURE(remove_home)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command);
}

static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 31 >> 3);
}

static int save(const char *key, size_t bytes)
{
	struct buf said = {0}, state = {0};
	struct cache_file file;
	struct reason why;
	int err;

	buf_printf(&said, SAID);
	for (size_t i = 0; i < bytes; i++)
		*(uint8_t *)buf_extend(&state, 1) = byte_at(i);
	err = cache_create(&file, key, &said, &why);
	if (!err) {
		assert_int_equal(write(file.fd, state.data, bytes), bytes);
		err = cache_keep(&file, key, &why);
	}
	cache_close(&file);
	buf_free(&said);
	buf_free(&state);
	return err;
}

/* Returns 0 if the right file exists and is whole. */
static int look(const char *key)
{
	struct cache_file file;
	struct reason why;
	uint8_t first[16];
	int err = cache_open(&file, key, &why);

	if (err)
		return err;
	if (!cache_read(&file))
		err = -EILSEQ;
	assert_int_equal(file.said.size, sizeof(SAID) - 1);
	assert_memory_equal(file.said.data, SAID, file.said.size);
	assert_int_equal(read(file.fd, first, sizeof(first)), sizeof(first));
	for (size_t i = 0; !err && i < sizeof(first); i++)
		assert_int_equal(first[i], byte_at(i));
	cache_close(&file);
	return err;
}

/* Returns the path of the only file. */
static const char *only_file(void)
{
	static char path[PATH_MAX];
	struct cache_entries entries;

	assert_int_equal(cache_list(&entries, NULL), 0);
	assert_int_equal(entries.n, 1);
	snprintf(path, sizeof(path), "%s/perf0/%s", home, entries.entry[0].name);
	free(entries.entry);
	return path;
}

static void clean(void)
{
	struct cache_entries entries;

	assert_int_equal(cache_clean(&entries, NULL), 0);
	free(entries.entry);
}

TEST(test_kept)
{
	assert_int_equal(look(KEY), -ENOENT);
	assert_int_equal(save(KEY, STATE_BYTES), 0);
	assert_int_equal(look(KEY), 0);
	assert_int_equal(look(KEY "more"), -ENOENT);
	/* A second writer of the same machine finds it. */
	assert_int_equal(save(KEY, STATE_BYTES), 0);
	only_file();
	assert_int_equal(save(KEY "more", 1000), 0);
	assert_int_equal(look(KEY), 0);
	assert_int_equal(look(KEY "more"), 0);
	clean();
	assert_int_equal(look(KEY), -ENOENT);
}

/* A file that is created but not kept leaves nothing. Neither does an empty state. */
TEST(test_not_kept)
{
	const struct buf said = {0};
	struct cache_entries entries;
	struct cache_file file;
	struct reason why;

	assert_int_equal(cache_create(&file, KEY, &said, &why), 0);
	assert_int_equal(write(file.fd, "half", 4), 4);
	cache_close(&file);
	assert_int_equal(save(KEY, 0), -EIO);
	assert_int_equal(cache_list(&entries, NULL), 0);
	assert_int_equal(entries.n, 0);
	free(entries.entry);
}

static void change_byte(const char *path, off_t at)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	uint8_t byte;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

/* A file that is cut at any length is damaged, and removed. */
TEST(test_cut)
{
	struct stat st;

	assert_int_equal(save(KEY, STATE_BYTES), 0);
	assert_int_equal(stat(only_file(), &st), 0);
	for (off_t size = 0; size < st.st_size; size += size < 200 ? 7 : 30011) {
		assert_int_equal(save(KEY, STATE_BYTES), 0);
		assert_int_equal(truncate(only_file(), size), 0);
		assert_int_equal(look(KEY), -EBADMSG);
		assert_int_equal(look(KEY), -ENOENT);
	}
}

/* A file with one changed bit, in any part that is read, is damaged. */
TEST(test_changed)
{
	const size_t head = 96 + sizeof(KEY) - 1 + sizeof(SAID) - 1;

	for (size_t at = 0; at < head; at++) {
		clean();
		assert_int_equal(save(KEY, STATE_BYTES), 0);
		change_byte(only_file(), (off_t)at);
		assert_true(look(KEY) < 0);
	}
	for (off_t at = 4096; at < 4096 + STATE_BYTES; at += 29989) {
		clean();
		assert_int_equal(save(KEY, STATE_BYTES), 0);
		change_byte(only_file(), at);
		assert_int_equal(look(KEY), -EILSEQ);
	}
	clean();
}

TEST(test_limit)
{
	uint64_t bytes;

	setenv(CACHE_SIZE_VARIABLE, "1M", 1);
	assert_int_equal(cache_limit(&bytes, NULL), 0);
	assert_int_equal(bytes, 1 << 20);
	for (int i = 0; i < 3; i++) {
		char key[] = "machine 0";

		key[sizeof(key) - 2] = (char)('0' + i);
		assert_int_equal(save(key, 250000), 0);
		usleep(20000);
	}
	assert_int_equal(look("machine 0"), 0); /* used last, now */
	usleep(20000);
	assert_int_equal(save("machine 3", 400000), 0);
	assert_int_equal(look("machine 1"), -ENOENT);
	assert_int_equal(look("machine 0"), 0);
	assert_int_equal(look("machine 3"), 0);
	/* A machine that is larger than the whole cache is not kept. */
	save("machine 4", 1500000);
	assert_int_equal(look("machine 4"), -ENOENT);
	setenv(CACHE_SIZE_VARIABLE, "0", 1);
	assert_int_equal(look("machine 0"), -ENOENT);
	setenv(CACHE_SIZE_VARIABLE, "much", 1);
	assert_int_equal(cache_limit(&bytes, NULL), -EINVAL);
	unsetenv(CACHE_SIZE_VARIABLE);
	assert_int_equal(cache_limit(&bytes, NULL), 0);
	assert_int_equal(bytes, CACHE_SIZE_DEFAULT);
	clean();
}

/* --- Files that other users could have made or changed --- */

/* cache_open() refuses with `err`, and the reason has `word`. */
static void refuses_to_open(int err, const char *word)
{
	struct cache_file file;
	struct reason why = {0};

	assert_int_equal(cache_open(&file, KEY, &why), err);
	assert_non_null(strstr(why.text, word));
	cache_close(&file);
}

/* The file of KEY, saved, with mode 0600 in a folder of mode 0700. */
static const char *saved_file(void)
{
	clean();
	assert_int_equal(save(KEY, STATE_BYTES), 0);
	return only_file();
}

TEST(test_modes)
{
	static const mode_t bad[] = {0620, 0602, 0666};
	char folder[PATH_MAX];
	const char *path = saved_file();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(chmod(path, bad[i]), 0);
		refuses_to_open(-EPERM, "others may change it");
	}
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(look(KEY), 0);
	snprintf(folder, sizeof(folder), "%s/perf0", home);
	assert_int_equal(chmod(folder, 0777), 0);
	refuses_to_open(-EPERM, "has mode 0777");
	assert_int_equal(save(KEY "more", 10), -EPERM);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(look(KEY), 0);
}

TEST(test_other_owner)
{
	const char *path = saved_file();

	if (geteuid()) {
		puts("skip - cache: files of other users: this is not root");
		return;
	}
	assert_int_equal(chown(path, 65534, 65534), 0);
	refuses_to_open(-EPERM, "belongs to user 65534, not to user 0");
	assert_int_equal(chown(path, 0, 0), 0);
	assert_int_equal(look(KEY), 0);
}

/* The tool neither waits for nor follows such files. */
TEST(test_no_regular_file)
{
	char path[PATH_MAX], other[PATH_MAX + 8], folder[PATH_MAX];

	snprintf(path, sizeof(path), "%s", saved_file());
	snprintf(other, sizeof(other), "%s.other", path);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	refuses_to_open(-EPERM, "symbolic link");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	refuses_to_open(-EPERM, "no regular file");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	refuses_to_open(-EPERM, "no regular file");
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(look(KEY), 0);
	snprintf(folder, sizeof(folder), "%s/perf0", home);
	snprintf(other, sizeof(other), "%s/real", home);
	assert_int_equal(rename(folder, other), 0);
	assert_int_equal(symlink(other, folder), 0);
	refuses_to_open(-EPERM, "is no folder");
	assert_int_equal(unlink(folder), 0);
	assert_int_equal(rename(other, folder), 0);
}

/* The folder and its files are from an earlier job. */
TEST(test_other_key)
{
	saved_file();
	setenv(TRUST_KEY_VARIABLE, "short", 1);
	refuses_to_open(-EINVAL, "has 5 characters; 16 are needed");
	setenv(TRUST_KEY_VARIABLE, "0123456789abcdef", 1);
	refuses_to_open(-EBADMSG, "another key");
	assert_int_equal(save(KEY, STATE_BYTES), 0);
	assert_int_equal(look(KEY), 0);
	setenv(TRUST_KEY_VARIABLE, "0123456789abcdeF", 1);
	assert_int_equal(look(KEY), -EBADMSG);
	unsetenv(TRUST_KEY_VARIABLE);
	saved_file();
	assert_int_equal(look(KEY), 0);
}

TEST(test_key_file)
{
	char path[PATH_MAX];

	saved_file();
	snprintf(path, sizeof(path), "%s/perf0/cache.key", home);
	assert_int_equal(chmod(path, 0640), 0);
	refuses_to_open(-EPERM, "cache.key has mode 0640");
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(look(KEY), 0);
	assert_int_equal(truncate(path, 31), 0);
	refuses_to_open(-EBADMSG, "cache.key is cut off");
	assert_int_equal(unlink(path), 0);
	refuses_to_open(-EBADMSG, "another key");
	assert_int_equal(save(KEY, STATE_BYTES), 0);
	assert_int_equal(look(KEY), 0);
	setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
	refuses_to_open(-ENOENT, "/proc/nowhere");
	setenv("XDG_STATE_HOME", home, 1);
	clean();
}

TEST(test_folder)
{
	char folder[PATH_MAX];
	struct reason why;

	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", home, 1);
	assert_int_equal(cache_folder(folder, &why), 0);
	assert_non_null(strstr(folder, "/.cache/perf0"));
	unsetenv("HOME");
	assert_int_equal(cache_folder(folder, &why), -ENOENT);
	setenv("XDG_CACHE_HOME", "relative", 1);
	assert_int_equal(cache_folder(folder, &why), -ENOENT);
	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	assert_true(save(KEY, 10) < 0);
}

GROUP(make_home, remove_home);
