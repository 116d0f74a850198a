// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_qemu_version.c - the version of a QEMU is read from its ELF file; only a file that does not
 * hold it is run. The test's own program serves as the QEMU, and copies of it as others.
 */
#include "tools/machine/qemu_version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tools/util/wholefile.h"

#define SAYS "QEMU emulator version %s"
#define MARK "PERF0_TEST_MARK" /* the variable names the file that a run makes */
#define MOST (64u << 20)

/* No other constant of this file may be such a string: the program has one version. */
static const char version_in_file[] = "QEMU emulator version 98.7.6 (Test 1:98.7)\n";
static const char spare[] = "a place for a second version of a copy of this program";

static char home[] = "/tmp/perf0-version-XXXXXX", mark[64], other[64];

/* A run as a QEMU that is asked for its version. It says another one than the file holds. */
__attribute__((constructor)) static void answer_version(int argc, char **argv)
{
	const char *file = getenv(MARK);

	if (!file || argc != 2 || strcmp(argv[1], "--version"))
		return;
	close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	printf(SAYS "\n", "1.2.3");
	fflush(stdout);
	_exit(0);
}

/* A copy of this program finds its library, which stands at ../../san, as this program does. */
static int name_library_folder(void)
{
	char path[PATH_MAX], folder[PATH_MAX + 16];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return -1;
	path[n] = '\0';
	snprintf(folder, sizeof(folder), "%.*s/../../san", (int)(strrchr(path, '/') - path), path);
	return setenv("LD_LIBRARY_PATH", folder, 1);
}

FIXTURE(make_home)
{
	if (!mkdtemp(home) || name_library_folder())
		return -1;
	snprintf(mark, sizeof(mark), "%s/mark", home);
	snprintf(other, sizeof(other), "%s/qemu", home);
	return setenv(MARK, mark, 1);
}

FIXTURE(remove_home)
{
	unlink(mark);
	unlink(other);
	return rmdir(home);
}

GROUP(make_home, remove_home);

/* Returns whether a QEMU was run since the last call. */
static bool was_run(void)
{
	return !unlink(mark);
}

static void assert_version(const char *name, const char *version)
{
	struct buf text = {0};

	qemu_version_text(&text, name);
	assert_string_equal(buf_text(&text), version);
	buf_free(&text);
}

static void write_other(const void *bytes, size_t n)
{
	int fd;

	unlink(other);
	fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	assert_int_not_equal(fd, -1);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
}

/* Writes a copy of this program that has `version` in place of the constant `place`. */
static void write_copy(const char *place, const char *version)
{
	struct buf bytes = {0};
	struct reason why;
	uint8_t *at;

	assert_int_equal(whole_file_read(&bytes, "/proc/self/exe", MOST, &why), 0);
	at = memmem(bytes.data, bytes.size, place, strlen(place) + 1);
	assert_non_null(at);
	snprintf((char *)at, strlen(place) + 1, SAYS, version);
	write_other(bytes.data, bytes.size);
	buf_free(&bytes);
}

TEST(an_elf_file_is_not_run)
{
	for (int i = 0; i < 2; i++) {
		assert_version("/proc/self/exe", "98.7.6");
		assert_true(qemu_is_since("/proc/self/exe", 98, 7));
		assert_true(qemu_is_since("/proc/self/exe", 97, 9));
		assert_false(qemu_is_since("/proc/self/exe", 98, 8));
		assert_false(qemu_is_since("/proc/self/exe", 99, 0));
	}
	assert_false(was_run());
}

TEST(another_file_has_its_own_version)
{
	write_copy(version_in_file, "11.1.0 (an Example 1.2)\n");
	assert_true(qemu_is_since(other, 11, 1));
	assert_false(qemu_is_since(other, 11, 2));
	write_copy(version_in_file, "11.0.9\n");
	assert_false(qemu_is_since(other, 11, 1));
	assert_false(was_run());
}

TEST(an_elf_file_without_a_version_is_run)
{
	write_copy(version_in_file, "%s\n");
	assert_version(other, "1.2.3");
	assert_true(was_run());
	write_copy(version_in_file, "");
	assert_true(qemu_is_since(other, 1, 2));
	assert_true(was_run());
}

TEST(an_elf_file_with_two_versions_is_run)
{
	write_copy(spare, "11.1.0\n");
	assert_version(other, "1.2.3");
	assert_true(was_run());
}

/* Another file stands behind a script, and may change while the script stays. */
TEST(a_script_is_run)
{
	char script[256];
	const int n =
		snprintf(script, sizeof(script),
			 "#!/bin/sh\n# " SAYS "\n>$" MARK "\necho " SAYS "\n", "5.6.7", "3.4.5");

	write_other(script, (size_t)n);
	for (int i = 0; i < 2; i++) {
		assert_version(other, "3.4.5");
		assert_true(was_run());
	}
}

TEST(a_file_cut_off_has_no_version)
{
	struct buf bytes = {0};
	struct reason why;

	assert_int_equal(whole_file_read(&bytes, "/proc/self/exe", MOST, &why), 0);
	write_other(bytes.data, 100);
	buf_free(&bytes);
	assert_false(qemu_is_since(other, 0, 0));
	assert_version(other, "");
	assert_version("/nonexistent/qemu", "");
	assert_false(was_run());
}
