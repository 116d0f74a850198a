// SPDX-License-Identifier: BSD-2-Clause
/* test_running_kernel.c - tools/there/running_kernel.c, over folders as distributions lay them. */
#include <asm/bootparam.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/there.h"
#include "lib/format/cpio.h"
#include "tests/unit/there/machine_folder.h"
#include "tools/there/running_kernel.h"

#define KERNEL_BYTES 8192
#define INITRD_BYTES 4096

static char root[64];
static struct utsname host;

FIXTURE(make_root)
{
	strcpy(root, "/tmp/perf0-kernel-XXXXXX");
	return uname(&host) || !mkdtemp(root) ? -1 : 0;
}

FIXTURE(remove_root)
{
	return remove_machine(root);
}

static void write_boot_bytes(const char *path, const void *bytes, size_t n)
{
	write_machine_bytes(root, path, bytes, n);
}

static void write_boot_text(const char *path, const char *text)
{
	write_boot_bytes(path, text, strlen(text));
}

/* `format` has %s for the kernel's version. */
static void write_named(const char *format, const void *bytes, size_t n)
{
	char path[256];

	snprintf(path, sizeof(path), format, host.release);
	write_boot_bytes(path, bytes, n);
}

static void make_header(uint8_t kernel[KERNEL_BYTES])
{
	struct setup_header header = {.setup_sects = 1,
				      .header = 0x53726448,
				      .version = 0x20f,
				      .xloadflags = XLF_KERNEL_64,
				      .syssize = (KERNEL_BYTES - 1024) / 16,
				      .cmdline_size = 2047,
				      .init_size = 40 << 20};

	memset(kernel, 0, KERNEL_BYTES);
	memcpy(kernel + offsetof(struct boot_params, hdr), &header, sizeof(header));
}

static void write_kernel(const char *format)
{
	uint8_t kernel[KERNEL_BYTES];

	make_header(kernel);
	write_named(format, kernel, sizeof(kernel));
}

static void write_initrd(const char *format)
{
	char archive[INITRD_BYTES] = "";
	const struct cpio_entry entry = {.name_bytes = sizeof(CPIO_TRAILER)};

	cpio_header(archive, &entry);
	strcpy(archive + CPIO_HEADER, CPIO_TRAILER);
	write_named(format, archive, sizeof(archive));
}

/* Finds both with that command line, and compares the paths, which follow the root. */
static int expect_found(const char *line, const char *kernel, const char *initrd)
{
	const struct kernel_choice choice = {.root = root};
	char wanted[256], format[64];
	struct running_kernel found;
	struct reason why;
	int err;

	write_boot_text("/proc/cmdline", line);
	err = running_kernel_find(&found, &choice, &why);
	if (!err) {
		snprintf(format, sizeof(format), "%%s%s", kernel);
		snprintf(wanted, sizeof(wanted), format, root, host.release);
		assert_string_equal(found.kernel, wanted);
		snprintf(format, sizeof(format), "%%s%s", initrd);
		snprintf(wanted, sizeof(wanted), format, root, host.release);
		assert_string_equal(found.initrd, wanted);
		assert_int_equal(found.init_bytes, 40 << 20);
	}
	running_kernel_free(&found);
	return err;
}

TEST_WITH(debian, make_root, remove_root)
{
	assert_int_equal(expect_found("root=/dev/sda\n", "", ""), -ENOENT);
	write_kernel("/boot/vmlinuz-%s");
	assert_int_equal(expect_found("root=/dev/sda\n", "", ""), -ENOENT);
	write_initrd("/boot/initrd.img-%s");
	assert_int_equal(expect_found("root=/dev/sda\n", "/boot/vmlinuz-%s", "/boot/initrd.img-%s"),
			 0);
}

TEST_WITH(fedora, make_root, remove_root)
{
	write_kernel("/lib/modules/%s/vmlinuz");
	write_initrd("/boot/initramfs-%s.img");
	assert_int_equal(expect_found("ro\n", "/lib/modules/%s/vmlinuz", "/boot/initramfs-%s.img"),
			 0);
}

TEST_WITH(boot_image, make_root, remove_root)
{
	write_kernel("/boot/linux");
	write_initrd("/boot/initrd-%s");
	assert_int_equal(
		expect_found("BOOT_IMAGE=(hd0,gpt2)/linux ro\n", "/boot/linux", "/boot/initrd-%s"),
		0);
	assert_int_equal(
		expect_found("BOOT_IMAGE=/@/boot/linux ro\n", "/boot/linux", "/boot/initrd-%s"), 0);
	assert_int_equal(expect_found("BOOT_IMAGE=/other ro\n", "", ""), -ENOENT);
}

TEST_WITH(loader_entries, make_root, remove_root)
{
	char entry[512];

	write_kernel("/boot/abc/%s/linux");
	write_initrd("/boot/abc/%s/initrd");
	write_boot_text("/boot/loader/entries/other.conf",
			"title Other\nversion 1.0\nlinux /abc/1.0/linux\n");
	assert_int_equal(expect_found("ro\n", "", ""), -ENOENT);
	snprintf(entry, sizeof(entry),
		 "title  This\nversion    %s\nlinux /abc/%s/linux\ninitrd  /abc/%s/initrd\n",
		 host.release, host.release, host.release);
	write_boot_text("/boot/loader/entries/this.conf", entry);
	assert_int_equal(expect_found("ro\n", "/boot/abc/%s/linux", "/boot/abc/%s/initrd"), 0);
}

static int find_with(const char *kernel, const char *initrd, const char *line,
		     struct running_kernel *found, struct reason *why)
{
	const struct kernel_choice choice = {
		.root = root, .kernel = kernel, .initrd = initrd, .command_line = line};

	return running_kernel_find(found, &choice, why);
}

/* The mark of an earlier return goes, and the command line has to fit with the next one. */
TEST_WITH(command_lines, make_root, remove_root)
{
	struct running_kernel found;
	struct reason why;
	char kernel[256], line[2048];

	write_kernel("/boot/vmlinuz-%s");
	snprintf(kernel, sizeof(kernel), "%s/boot/vmlinuz-%s", root, host.release);
	write_boot_text("/proc/cmdline", "root=/dev/sda quiet " THERE_MARK "\n");
	assert_int_equal(find_with(kernel, INITRD_NONE, NULL, &found, &why), 0);
	assert_string_equal(buf_text(&found.command_line), "root=/dev/sda quiet");
	assert_string_equal(found.initrd, "");
	running_kernel_free(&found);
	memset(line, 'x', sizeof(line));
	line[2047 - sizeof(THERE_MARK)] = '\0';
	assert_int_equal(find_with(kernel, INITRD_NONE, line, &found, &why), 0);
	running_kernel_free(&found);
	line[2047 - sizeof(THERE_MARK)] = 'x';
	line[2048 - sizeof(THERE_MARK)] = '\0';
	assert_int_equal(find_with(kernel, INITRD_NONE, line, &found, &why), -E2BIG);
	running_kernel_free(&found);
}

/* Kernels that cannot be started. */
TEST_WITH(bad_kernels, make_root, remove_root)
{
	static const struct {
		size_t at;
		uint8_t byte;
	} changes[] = {{0x202, 'x'}, {0x206, 0x0b}, {0x236, 0}, {0x1f4, 0xff}};
	uint8_t kernel[KERNEL_BYTES];
	struct running_kernel found;
	struct reason why;
	char path[128];

	snprintf(path, sizeof(path), "%s/bad", root);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		make_header(kernel);
		kernel[changes[i].at] = changes[i].byte;
		write_boot_bytes("/bad", kernel, sizeof(kernel));
		assert_int_equal(find_with(path, INITRD_NONE, "ro", &found, &why), -EINVAL);
		running_kernel_free(&found);
	}
	make_header(kernel);
	for (size_t n = 0; n < sizeof(kernel); n += 1000) {
		write_boot_bytes("/bad", kernel, n);
		assert_int_equal(find_with(path, INITRD_NONE, "ro", &found, &why), -EINVAL);
		running_kernel_free(&found);
	}
	assert_int_equal(find_with("/nosuch/kernel", INITRD_NONE, "ro", &found, &why), -ENOENT);
	running_kernel_free(&found);
}
