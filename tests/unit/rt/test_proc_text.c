// SPDX-License-Identifier: BSD-2-Clause
/* test_proc_text.c - lines of /proc/<pid> and /proc/loadavg, compared with Linux's. */
#include "linux/tree/proc_text.h"

#include "lib/time.h"

#include <linux/resource.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/test.h"

static void assert_area(const struct proc_area *area, const char *wanted)
{
	struct text text = {0};

	proc_text_area(&text, area);
	assert_string_equal(text_end(&text), wanted);
	text_free(&text);
}

/* Linux 6.1 wrote these lines. */
TEST(test_areas)
{
	assert_area(&(struct proc_area){.start = 0x55e0d6f2b000,
					.end = 0x55e0d6f2d000,
					.inode = 1835,
					.device = 1,
					.prot = PROT_READ,
					.name = "/usr/bin/cat"},
		    "55e0d6f2b000-55e0d6f2d000 r--p 00000000 00:01 1835                       "
		    "/usr/bin/cat\n");
	assert_area(&(struct proc_area){.start = 0x400000,
					.end = 0x401000,
					.offset = 0x12000,
					.prot = PROT_READ | PROT_WRITE,
					.shared = true,
					.name = ""},
		    "00400000-00401000 rw-s 00012000 00:00 0 \n");
	assert_area(&(struct proc_area){.start = 0x1000,
					.end = 0x2000,
					.prot = PROT_EXEC,
					.inode = 7,
					.device = 0x2a,
					.name = "/a\nb"},
		    "00001000-00002000 --xp 00000000 00:2a 7                                  "
		    "/a\\012b\n");
}

TEST(test_limits)
{
	uint64_t soft[RLIM_NLIMITS], hard[RLIM_NLIMITS];
	struct text text = {0};
	const char *all;

	memset(soft, 0xff, sizeof(soft));
	memset(hard, 0xff, sizeof(hard));
	soft[RLIMIT_STACK] = 8 << 20;
	soft[RLIMIT_NOFILE] = 1024;
	hard[RLIMIT_NOFILE] = 4096;
	proc_text_limits(&text, soft, hard);
	all = text_end(&text);
	assert_memory_equal(
		all,
		"Limit                     Soft Limit           Hard Limit           Units     \n"
		"Max cpu time              unlimited            unlimited            seconds   \n",
		2 * 79);
	assert_non_null(strstr(
		all,
		"\nMax stack size            8388608              unlimited            bytes     \n"));
	assert_non_null(strstr(
		all,
		"\nMax open files            1024                 4096                 files     \n"));
	assert_non_null(strstr(
		all, "\nMax nice priority         unlimited            unlimited            \n"));
	text_free(&text);
}

/* Each field has a different value, which identifies it. */
TEST(test_stat_has_its_fields_in_their_places)
{
	const struct proc_stat s = {
		.pid = 1,
		.comm = "a b",
		.state = 'R',
		.parent = 4,
		.group = 5,
		.session = 6,
		.minor = 10,
		.children_minor = 11,
		.major = 12,
		.children_major = 13,
		.user = 14,
		.sys = 15,
		.children_user = 16,
		.children_sys = 17,
		.threads = 20,
		.began = 22,
		.bytes = 23,
		.pages = 24,
		.pages_most = 25,
		.code_start = 26,
		.code_end = 27,
		.stack_start = 28,
		.rsp = 29,
		.rip = 30,
		.pending = 31,
		.blocked = 32,
		.ignored = 33,
		.caught = 34,
		.exit_signal = 38,
		.cpu = 39,
		.data_start = 45,
		.data_end = 46,
		.brk_start = 47,
		.args_start = 48,
		.args_end = 49,
		.env_start = 50,
		.env_end = 51,
		.exit_code = 52,
	};
	struct text text = {0};

	proc_text_stat(&text, &s);
	assert_string_equal(text_end(&text),
			    "1 (a b) R 4 5 6 0 -1 4194304 10 11 12 13 14 15 16 17 20 0 20 0 22 23 "
			    "24 25 26 27 28 29 30 31 32 33 34 0 0 0 38 39 0 0 0 0 0 45 46 47 48 49 "
			    "50 51 52\n");
	text_free(&text);
}

static void assert_load(const uint64_t load[3], const char *wanted)
{
	struct text text = {0};

	proc_text_load(&text, load);
	assert_string_equal(text_end(&text), wanted);
	text_free(&text);
}

/* After a minute with one task the average over a minute is 1 - 1/e, and so on. */
TEST(test_load)
{
	const uint64_t one = 1u << PROC_LOAD_BITS;
	uint64_t load[3] = {0};

	assert_load(load, "0.00 0.00 0.00 ");
	proc_load_pass(load, 4 * NSEC_PER_SEC, one);
	assert_load(load, "0.00 0.00 0.00 ");
	for (int i = 0; i < 12; i++)
		proc_load_pass(load, 5 * NSEC_PER_SEC, one);
	assert_load(load, "0.63 0.18 0.06 ");
	proc_load_pass(load, 3600 * NSEC_PER_SEC, 2 * one);
	assert_load(load, "2.00 2.00 1.96 ");
	proc_load_pass(load, 24 * 3600 * NSEC_PER_SEC, 0);
	assert_load(load, "0.00 0.00 0.00 ");
}
