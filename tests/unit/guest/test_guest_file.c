// SPDX-License-Identifier: BSD-2-Clause
/* test_guest_file.c - files that are UEFI programs for x86-64, and kernels that are such programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/guest/guest_file.h"

#define FILE_BYTES 1024
#define PE_AT      0x80
#define SETUP_AT   0x202
#define VERSION_AT 0x300

static char path[] = "/tmp/perf0-guest-XXXXXX";
static uint8_t file[FILE_BYTES];
static size_t length;

static void put16(size_t at, unsigned value)
{
	file[at] = (uint8_t)value;
	file[at + 1] = (uint8_t)(value >> 8);
}

/* A UEFI program, with the fields that the tool reads. */
static void make_program(void)
{
	memset(file, 0, sizeof(file));
	length = sizeof(file);
	memcpy(file, "MZ", 2);
	put16(0x3c, PE_AT);
	memcpy(file + PE_AT, "PE\0", 4);
	put16(PE_AT + 4, 0x8664);
	put16(PE_AT + 24, 0x20b);
	put16(PE_AT + 24 + 68, 10);
}

static void make_kernel(void)
{
	make_program();
	memcpy(file + SETUP_AT, "HdrS", 4);
	put16(0x20e, VERSION_AT - 0x200);
	strcpy((char *)file + VERSION_AT, "6.1.0-9-amd64 (build@host) #1 SMP");
}

static void write_guest_file(void)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(file, 1, length, out), length);
	assert_int_equal(fclose(out), 0);
}

static void expect_program(const char *said)
{
	struct reason why;
	int fd;

	write_guest_file();
	fd = guest_program_open(path, &why);
	if (!said) {
		assert_true(fd >= 0);
		close(fd);
		return;
	}
	assert_true(fd < 0);
	assert_memory_equal(why.text, path, strlen(path));
	if (!strstr(why.text, said))
		fail_msg("%s", why.text);
}

static void expect_kernel(const char *said, const char *version)
{
	char found[KERNEL_VERSION_MOST];
	struct reason why;
	int fd;

	write_guest_file();
	fd = guest_kernel_open(path, found, &why);
	if (said) {
		assert_true(fd < 0);
		if (!strstr(why.text, said))
			fail_msg("%s", why.text);
		return;
	}
	assert_true(fd >= 0);
	assert_string_equal(found, version);
	close(fd);
}

TEST(test_program)
{
	make_program();
	expect_program(NULL);
	put16(PE_AT + 4, 0xaa64);
	expect_program("it is for aarch64");
	put16(PE_AT + 4, 0x1234);
	expect_program("machine 0x1234");
	make_program();
	put16(PE_AT + 24 + 68, 11);
	expect_program("a driver of the boot services");
	put16(PE_AT + 24 + 68, 3);
	expect_program("subsystem 3");
	make_program();
	put16(PE_AT + 24, 0x10b);
	expect_program("no PE32+ file");
}

/* A file of any length is whole, or is refused. */
TEST(test_short_program)
{
	for (size_t n = 0; n < PE_AT + 24 + 70; n++) {
		make_program();
		length = n;
		expect_program("it is no program of UEFI");
	}
	make_program();
	memset(file + 0x3c, 0xff, 4);
	expect_program("no PE header");
}

TEST(test_kernel)
{
	make_kernel();
	expect_kernel(NULL, "6.1.0-9-amd64");
	memcpy(file, "\xea\x05", 2);
	expect_kernel("without EFI stub", NULL);
	make_program();
	expect_kernel("no kernel of Linux", NULL);
	make_kernel();
	put16(PE_AT + 4, 0xaa64);
	expect_kernel("it is for aarch64", NULL);
	make_kernel();
	memcpy(file, "\177ELF", 4);
	expect_kernel("ELF file", NULL);
	memcpy(file, "\x1f\x8b", 2);
	expect_kernel("compressed", NULL);
}

/* A version that is no valid name of a folder is ignored. */
TEST(test_version)
{
	make_kernel();
	strcpy((char *)file + VERSION_AT, "../../etc x");
	expect_kernel(NULL, "");
	make_kernel();
	put16(0x20e, 0xfff0);
	expect_kernel(NULL, "");
	make_kernel();
	put16(0x20e, 0);
	expect_kernel(NULL, "");
}

TEST(test_no_file)
{
	struct reason why;

	assert_int_equal(guest_program_open("/nosuch/file", &why), -ENOENT);
	assert_string_equal(why.text, "/nosuch/file: No such file or directory");
	assert_true(guest_program_open("/", &why) < 0);
	assert_string_equal(why.text, "/: it is a folder");
	assert_true(guest_program_open("/dev/null", &why) < 0);
	assert_string_equal(why.text, "/dev/null: it is no plain file");
}

FIXTURE(make_file)
{
	const int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

FIXTURE(remove_file)
{
	return unlink(path);
}

GROUP(make_file, remove_file);
