// SPDX-License-Identifier: BSD-2-Clause
/* test_there_checks.c - tools/there/there_checks.c, over folders that stand for machines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tests/unit/there/machine_folder.h"
#include "tools/there/there_checks.h"
#include "tools/util/buf.h"

static char folder[] = "/tmp/perf0-checks-XXXXXX";

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	return remove_machine(folder);
}

GROUP(make_folder, remove_folder);

static void write_machine_text(const char *path, const char *text)
{
	write_machine_bytes(folder, path, text, strlen(text));
}

static void remove_machine_file(const char *path)
{
	struct buf name = {0};

	buf_printf(&name, "%s%s", folder, path);
	unlink(buf_text(&name));
	buf_free(&name);
}

/* A machine that may be left. */
static void make_machine(void)
{
	write_machine_text("/sys/kernel/kexec_loaded", "0\n");
	write_machine_text("/proc/sys/kernel/kexec_load_disabled", "0\n");
	write_machine_text("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sev sme\nbugs\t\t:\n");
	write_machine_text("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	write_machine_text("/proc/meminfo", "MemTotal:        1048576 kB\nMemFree: 4 kB\n");
}

static const char *reason_of(bool has_key)
{
	static struct reason why;

	why.text[0] = '\0';
	return there_check_machine(folder, has_key, &why) ? why.text : "";
}

/* Checks that a machine with this file is refused, and that it is not without. */
static void expect_refused_machine(const char *path, const char *text, const char *part)
{
	write_machine_text(path, text);
	assert_non_null(strstr(reason_of(false), part));
	remove_machine_file(path);
	make_machine();
	assert_string_equal(reason_of(false), "");
}

TEST(machines)
{
	make_machine();
	assert_string_equal(reason_of(false), "");
	expect_refused_machine("/proc/sys/kernel/kexec_load_disabled", "1\n",
			       "forbidden until the next boot");
	expect_refused_machine("/sys/kernel/kexec_loaded", "1\n", "`kexec -u`");
	expect_refused_machine("/sys/kernel/security/lockdown",
			       "none [integrity] confidentiality\n", "--sign KEY CERT");
	expect_refused_machine("/sys/hypervisor/type", "xen\n", "under Xen");
	expect_refused_machine("/dev/sev-guest", "", "SEV or TDX");
	expect_refused_machine("/dev/tdx_guest", "", "SEV or TDX");
	expect_refused_machine("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor sev\n\n",
			       "SEV or TDX");
	expect_refused_machine("/proc/cpuinfo", "processor : 0\nflags : fpu tdx_guest x\n\n",
			       "SEV or TDX");
	remove_machine_file("/sys/kernel/kexec_loaded");
	assert_non_null(strstr(reason_of(false), "has no kexec"));
}

TEST(lockdown_with_a_key)
{
	make_machine();
	write_machine_text("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	assert_string_equal(reason_of(true), "");
}

TEST(memory)
{
	struct reason why;

	make_machine();
	assert_int_equal(there_check_memory(folder, 800ull << 20, &why), 0);
	assert_int_equal(there_check_memory(folder, 900ull << 20, &why), -ENOMEM);
	assert_non_null(strstr(why.text, "this machine has 1024"));
}

TEST(lock)
{
	struct buf path = {0};
	struct reason why;

	buf_printf(&path, "%s/lock", folder);
	assert_int_equal(there_lock(buf_text(&path), &why), 0);
	assert_int_equal(there_lock(buf_text(&path), &why), -EBUSY);
	buf_free(&path);
}
