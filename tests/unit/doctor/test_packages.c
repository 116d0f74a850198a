// SPDX-License-Identifier: BSD-2-Clause
/* test_packages.c - the packages of distributions that have what is missing. */
#include <string.h>

#include "tests/unit/test.h"

#include "tools/util/helper.h"

#define QEMU  "qemu-system-x86"
#define NAMED "install the package "

static void check_package(const char *package, const char *os_release, const char *wanted)
{
	struct buf text = {0};

	package_advice(&text, package, os_release);
	assert_string_equal(buf_text(&text), wanted);
	buf_free(&text);
}

TEST(test_distributions_by_id)
{
	check_package(QEMU, "PRETTY_NAME=\"Debian\"\nID=debian\n", NAMED "qemu-system-x86");
	check_package(QEMU, "ID=ubuntu\nID_LIKE=debian\n", NAMED "qemu-system-x86");
	check_package(QEMU, "ID=fedora", NAMED "qemu-system-x86-core");
	check_package(QEMU, "ID=arch\n", NAMED "qemu-system-x86");
	check_package(QEMU, "ID=\"opensuse-tumbleweed\"\n", NAMED "qemu-x86");
	check_package("ovmf", "ID='fedora'\n", NAMED "edk2-ovmf");
	check_package("ovmf", "ID=opensuse-leap\n", NAMED "qemu-ovmf-x86_64");
}

TEST(test_distributions_by_what_they_are_like)
{
	check_package("ovmf", "ID=rocky\nID_LIKE=\"rhel centos fedora\"\n", NAMED "edk2-ovmf");
	check_package("ovmf", "ID_LIKE=arch\nID=manjaro\n", NAMED "edk2-ovmf");
	check_package("ovmf", "ID_LIKE=\"suse opensuse\"\nID=else\n", NAMED "qemu-ovmf-x86_64");
	/* ID counts before ID_LIKE, and a part of a word is no word. */
	check_package("ovmf", "ID_LIKE=fedora\nID=debian\n", NAMED "ovmf");
	check_package("git", "ID=debianesque\n", NAMED "git");
}

TEST(test_other_distributions)
{
	check_package("ovmf", "ID=void\n",
		      NAMED "ovmf (Debian, Ubuntu), edk2-ovmf (Fedora), edk2-ovmf (Arch) or "
			    "qemu-ovmf-x86_64 (openSUSE)");
	check_package("ovmf", "",
		      NAMED "ovmf (Debian, Ubuntu), edk2-ovmf (Fedora), edk2-ovmf (Arch) or "
			    "qemu-ovmf-x86_64 (openSUSE)");
	check_package("binutils", "", NAMED "binutils");
}
