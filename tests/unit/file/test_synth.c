// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_synth.c - /proc, /sys and /dev: a table gives names and lists, writers give content; and
 * devices.
 */
#include "linux/tree/cgroup.h"
#include "linux/tree/device.h"
#include "linux/tree/synth.h"
#include "tests/unit/file/test_files.h"

static unsigned pids = 0x6; /* by bits: 1 and 2 */
static char stored[32];
static int writes;

static bool next_of_pids(const uint64_t *id, uint64_t *at)
{
	(void)id;
	while (*at < 32 && !(pids >> *at & 1))
		++*at;
	return *at < 32;
}

static bool next_of_fds(const uint64_t *id, uint64_t *at)
{
	*at = *at <= id[0] ? id[0] : *at; /* process 2 has fds 2 and 3 */
	return *at <= id[0] + 1;
}

static bool next_of_pmus(const uint64_t *id, uint64_t *at)
{
	(void)id;
	return *at < 2;
}

static void name_pmu(const uint64_t *id, uint64_t at, struct text *name)
{
	(void)id;
	text_print(name, "%s", at ? "uncore_imc" : "cpu");
}

static int write_self(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "2");
	return 0;
}

static int write_serial(const uint64_t *id, struct text *text)
{
	text_print(text, "%d of %llu", ++writes, (unsigned long long)id[0]);
	return pids >> id[0] & 1 ? 0 : -ENOENT;
}

static int write_maps(const uint64_t *id, struct text *text)
{
	(void)id;
	for (int i = 0; i < 5000; i++)
		text_print(text, "%04d\n", i);
	return 0;
}

static int write_core(const uint64_t *id, struct text *text)
{
	text_print(text, "core %llu", (unsigned long long)id[0]);
	return 0;
}

static int write_format(const uint64_t *id, struct text *text)
{
	text_print(text, "%llu %llu", (unsigned long long)id[0], (unsigned long long)id[1]);
	return 0;
}

/* Only `cpu` has this file, and the folder that it is in. */
static bool is_first(const uint64_t *id)
{
	return !id[0];
}

static int store_comm(const uint64_t *id, const char *bytes, size_t n)
{
	if (!id[0] || n >= sizeof(stored))
		return -EINVAL;
	memcpy(stored, bytes, n);
	return 0;
}

static struct inode *jump_target;

static int jump_to_target(const uint64_t *id, struct inode **to)
{
	(void)id;
	*to = inode_get(jump_target);
	return jump_target ? 0 : -ENOENT;
}

static void set_domains(void)
{
	synth_domains = (struct synth_domains){
		.pid = {next_of_pids, NULL},
		.fd = {next_of_fds, NULL},
		.cpu = {next_of_pmus, NULL},
		.pmu = {next_of_pmus, name_pmu},
		.format = {next_of_pmus, name_pmu},
	};
	synth_writers = (struct synth_writers){
		.proc_self.write = write_self,
		.pid_stat.write = write_serial,
		.pid_maps.write = write_maps,
		.pid_comm = {.write = write_serial, .store = store_comm},
		.pid_exe = {.write = write_self, .jump = jump_to_target},
		.pid_fd = {.write = write_self, .jump = jump_to_target},
		.topology_core_id.write = write_core,
		.pmu_format.write = write_format,
		.pmu_cpumask = {.write = write_format, .there = is_first},
		.pmu_caps_name = {.write = write_format, .there = is_first},
	};
	pids = 0x6;
	writes = 0;
	files_begin();
}

static void end(void)
{
	files_end();
	synth_domains = (struct synth_domains){0};
	synth_writers = (struct synth_writers){0};
}

/* Rows with a common directory are neighbours, and no file's path is a directory of another row. */
TEST(test_the_table_is_in_order)
{
	for (unsigned i = 0; i < synth_nrows; i++)
		for (const char *end = strchr(synth_rows[i].path + 1, '/'); end;
		     end = strchr(end + 1, '/')) {
			const size_t n = (size_t)(end - synth_rows[i].path);
			bool apart = false;

			for (unsigned j = i + 1; j < synth_nrows; j++) {
				const char *other = synth_rows[j].path;
				const bool alike = strncmp(other, synth_rows[i].path, n) == 0 &&
						   (other[n] == '/' || !other[n]);

				if (alike && apart)
					fail_msg("%s lies apart from %s", other,
						 synth_rows[i].path);
				apart |= !alike;
			}
		}
}

TEST(test_lists_follow_from_the_table)
{
	char list[1024];

	set_domains();
	list_names("/proc", list, 300);
	assert_string_equal(
		list, ". .. diskstats filesystems kallsyms modules mounts self swaps sys 1 2 ");
	list_names("/proc/2", list, 300);
	assert_string_equal(list, ". .. comm coredump_filter exe fd fdinfo gid_map loginuid maps "
				  "mountinfo mounts personality setgroups stat uid_map wchan ");
	list_names("/proc/2/fd", list, 100);
	assert_string_equal(list, ". .. 2 3 ");
	list_names("/sys/devices/system/cpu", list, 100);
	assert_string_equal(list, ". .. isolated offline cpu0 cpu1 ");
	list_names("/sys/bus/event_source/devices", list, 100);
	assert_string_equal(list, ". .. cpu uncore_imc ");
	end();
}

#define GROUP_FILES \
	"cgroup.controllers cgroup.procs cgroup.stat cgroup.subtree_control cgroup.threads "

TEST(test_groups_come_and_go_as_directories)
{
	char list[1024];

	set_domains();
	list_names("/sys/fs/cgroup", list, 300);
	assert_string_equal(list, ". .. " GROUP_FILES);
	assert_int_equal(tree_mkdir(&view, NULL, "/sys/fs/cgroup/a", 0755), 0);
	assert_int_equal(tree_mkdir(&view, NULL, "/sys/fs/cgroup/a", 0755), -EEXIST);
	assert_int_equal(tree_mkdir(&view, NULL, "/sys/fs/cgroup/a/in", 0755), 0);
	list_names("/sys/fs/cgroup", list, 300);
	assert_string_equal(list, ". .. " GROUP_FILES "a ");
	list_names("/sys/fs/cgroup/a/in", list, 300);
	assert_string_equal(list, ". .. cgroup.controllers cgroup.events cgroup.procs cgroup.stat "
				  "cgroup.subtree_control cgroup.threads cgroup.type ");
	assert_int_equal(tree_unlink(&view, NULL, "/sys/fs/cgroup/a", true), -EBUSY);
	assert_int_equal(tree_unlink(&view, NULL, "/sys/fs/cgroup/a/cgroup.type", false), -EPERM);
	assert_int_equal(tree_unlink(&view, NULL, "/sys/fs/cgroup/a/in", true), 0);
	assert_int_equal(tree_unlink(&view, NULL, "/sys/fs/cgroup/a", true), 0);
	assert_int_equal(tree_unlink(&view, NULL, "/sys/fs/cgroup/a", true), -ENOENT);
	assert_int_equal(tree_mkdir(&view, NULL, "/sys/fs/cgroup/left", 0755), 0);
	end();
}

#define GROUPS "/sys/fs/cgroup"

static int group_at(const char *path)
{
	struct inode *inode;
	int group;

	if (walk_inode(&view, NULL, path, true, &inode))
		return -1;
	group = cgroup_of(inode);
	inode_put(inode);
	return group;
}

TEST(test_reserved_groups_are_in_each_tree)
{
	int a, in, again;

	assert_int_equal(cgroup_reserve("/"), 0);
	in = cgroup_reserve("/a/in");
	a = cgroup_reserve("a");
	assert_true(a > 0 && in > 0 && a != in);
	assert_int_equal(cgroup_reserve("a/in"), in);
	assert_true(cgroup_within((uint32_t)in, (uint32_t)a));
	for (int run = 0; run < 2; run++) {
		set_domains();
		assert_int_equal(group_at(GROUPS "/a"), a);
		assert_int_equal(group_at(GROUPS "/a/in"), in);
		assert_content(GROUPS "/cgroup.stat", "nr_descendants 2\nnr_dying_descendants 0\n");
		/* A new directory of the same name is another group. */
		assert_int_equal(tree_unlink(&view, NULL, GROUPS "/a/in", true), 0);
		assert_content(GROUPS "/cgroup.stat", "nr_descendants 1\nnr_dying_descendants 1\n");
		assert_int_equal(tree_mkdir(&view, NULL, GROUPS "/a/in", 0755), 0);
		again = group_at(GROUPS "/a/in");
		assert_true(again > 0 && again != a && again != in);
		assert_int_equal(tree_unlink(&view, NULL, GROUPS "/a/in", true), 0);
		assert_int_equal(tree_unlink(&view, NULL, GROUPS "/a", true), 0);
		end();
		assert_int_equal(cgroup_count(), 3);
	}
	cgroup_release();
	assert_int_equal(cgroup_count(), 1);
	set_domains();
	assert_int_equal(group_at(GROUPS "/a"), -1);
	end();
}

TEST(test_too_many_groups_are_reserved)
{
	static char name[CGROUPS_MOST][8];

	for (int i = 1; i < CGROUPS_MOST; i++) {
		snprintf(name[i], sizeof(name[i]), "g%d", i);
		assert_true(cgroup_reserve(name[i]) > 0);
	}
	assert_int_equal(cgroup_reserve("more"), -EAGAIN);
	assert_true(cgroup_reserve("g7") > 0);
	set_domains();
	assert_int_equal(tree_mkdir(&view, NULL, GROUPS "/more", 0755), -EAGAIN);
	end();
	cgroup_release();
	assert_int_equal(cgroup_count(), 1);
}

TEST(test_words_stand_for_what_there_is)
{
	set_domains();
	assert_content("/proc/1/stat", "1 of 1");
	assert_content("/proc/self/stat", "2 of 2");
	assert_content("/sys/devices/system/cpu/cpu1/topology/core_id", "core 1");
	assert_content("/sys/bus/event_source/devices/uncore_imc/format/cpu", "1 0");
	assert_int_equal(walk_error("/proc/3"), -ENOENT);
	assert_int_equal(walk_error("/proc/01"), -ENOENT);
	assert_int_equal(walk_error("/proc/1x"), -ENOENT);
	assert_int_equal(walk_error("/proc/99999999999"), -ENOENT);
	assert_int_equal(walk_error("/proc/version"), -ENOENT); /* no writer */
	assert_int_equal(walk_error("/proc/1/task"), -ENOENT);
	assert_int_equal(walk_error("/sys/devices/system/cpu/cpu"), -ENOENT);
	assert_int_equal(walk_error("/sys/devices/system/cpu/cpu2"), -ENOENT);
	assert_int_equal(walk_error("/sys/bus/event_source/devices/cp"), -ENOENT);
	assert_int_equal(walk_error("/proc/1/../1/fd/.."), 0);
	assert_int_equal(stat_of("/proc/1/..", true).st_ino, stat_of("/proc", true).st_ino);
	assert_int_equal(stat_of("/proc/1/../..", true).st_ino, view.root->number);
	assert_int_equal(stat_of("/proc/1", true).st_ino, stat_of("/proc/1", true).st_ino);
	assert_int_not_equal(stat_of("/proc/1", true).st_ino, stat_of("/proc/2", true).st_ino);
	assert_int_equal(stat_of("/proc/1", true).st_mode, MODE_DIRECTORY | 0555);
	assert_int_equal(stat_of("/proc/2/maps", true).st_blocks, 0);
	end();
}

TEST(test_a_file_may_be_there_for_some)
{
#define DEVICES "/sys/bus/event_source/devices/"
	set_domains();
	assert_content(DEVICES "cpu/cpumask", "0 0");
	assert_content(DEVICES "cpu/caps/pmu_name", "0 0");
	assert_int_equal(walk_error(DEVICES "uncore_imc/cpumask"), -ENOENT);
	assert_int_equal(walk_error(DEVICES "uncore_imc/caps"), -ENOENT);
	assert_int_equal(walk_error(DEVICES "uncore_imc/format"), 0);
	end();
}

TEST(test_a_text_stays_while_it_is_read)
{
	struct file *f;
	char byte, whole[30000];
	long n, sum = 0;

	set_domains();
	f = must_open("/proc/1/stat", O_RDONLY);
	assert_int_equal(get(f, &byte, 1), 1);
	assert_int_equal(get(f, &byte, 1), 1);
	assert_int_equal(get(f, whole, 100), 4);
	assert_int_equal(get(f, whole, 100), 0);
	assert_int_equal(writes, 1);
	assert_int_equal(file_seek(f, 0, SEEK_SET), 0);
	assert_int_equal(get(f, &byte, 1), 1);
	assert_int_equal(byte, '2');
	pids = 4;
	assert_int_equal(get_at(f, &byte, 1, 0), -ENOENT);
	assert_int_equal(get_at(f, (char *)BAD_ADDRESS, 1, 1), -EFAULT);
	file_put(f);
	f = must_open("/proc/2/maps", O_RDONLY);
	while ((n = get(f, whole + sum, 999)) > 0)
		sum += n;
	assert_int_equal(sum, 25000);
	assert_memory_equal(whole + 24995, "4999\n", 5);
	file_put(f);
	end();
}

TEST(test_some_files_can_be_written_to)
{
	struct file *f;

	set_domains();
	assert_int_equal(open_error("/proc/1/stat", O_WRONLY), -EACCES);
	f = must_open("/proc/1/comm", O_WRONLY | O_TRUNC);
	assert_int_equal(put(f, "name", 4), 4);
	assert_string_equal(stored, "name");
	assert_int_equal(put(f, (char *)BAD_ADDRESS, 4), -EFAULT);
	assert_int_equal(put(f, (char *)BAD_ADDRESS, 4097), -EINVAL);
	assert_int_equal(put(f, "                                     ", 32), -EINVAL);
	file_put(f);
	end();
}

TEST(test_links_lead_to_things)
{
	struct text text = {0};
	struct inode *link;
	struct file *f;

	set_domains();
	make_file("/tmp/gone", "still here");
	f = must_open("/tmp/gone", O_RDONLY);
	unlink_file("/tmp/gone");
	jump_target = f->inode;
	assert_content("/proc/self/exe", "still here");
	assert_content("/dev/stderr", "still here"); /* /proc/self/fd/2 */
	assert_int_equal(walk_error("/proc/self/exe/"), -ENOTDIR);
	assert_int_equal(walk_error("/proc/self/exe/x"), -ENOTDIR);
	assert_int_equal(walk_inode(&view, NULL, "/proc/self/exe", false, &link), 0);
	assert_int_equal(inode_readlink(link, &text), 0);
	assert_string_equal(text_end(&text), "2");
	text_free(&text);
	inode_put(link);
	file_put(f);
	jump_target = view.root;
	assert_int_equal(walk_error("/proc/self/exe/dev/null"), 0);
	assert_int_equal(walk_error("/proc/self/exe/"), 0);
	jump_target = NULL;
	assert_int_equal(walk_error("/proc/self/exe"), -ENOENT);
	end();
}

TEST(test_synthetic_directories_have_paths)
{
	struct text path = {0};
	struct inode *dir;

	set_domains();
	walk_inode(&view, NULL, "/sys/bus/event_source/devices/uncore_imc/format", true, &dir);
	assert_int_equal(inode_path(dir, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/sys/bus/event_source/devices/uncore_imc/format");
	text_free(&path);
	inode_put(dir);
	walk_inode(&view, NULL, "/proc", true, &dir);
	assert_int_equal(inode_path(dir, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/proc");
	text_free(&path);
	inode_put(dir);
	assert_int_equal(inode_path(view.root, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/");
	text_free(&path);
	end();
}

/* --- Devices --- */

TEST(test_devices)
{
	char bytes[1000];
	struct file *f;
	void *page;

	set_domains();
	f = must_open("/dev/null", O_RDWR);
	assert_int_equal(put(f, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(get(f, bytes, sizeof(bytes)), 0);
	assert_int_equal(file_seek(f, 5, SEEK_SET), 0);
	assert_int_equal(put(f, (char *)BAD_ADDRESS, 1), -EFAULT);
	file_put(f);
	f = must_open("/dev/zero", O_RDWR);
	memset(bytes, 1, sizeof(bytes));
	assert_int_equal(get(f, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(bytes[0] | bytes[999], 0);
	assert_int_equal(get(f, (char *)BAD_ADDRESS, 1), -EFAULT);
	file_put(f);
	f = must_open("/dev/zero", O_RDWR);
	assert_int_equal(file_page(f, 9, false, &page), 0);
	assert_null(page);
	assert_int_equal(file_page(f, 9, true, &page), -ENODEV);
	file_put(f);
	f = must_open("/proc", O_RDONLY);
	assert_int_equal(file_page(f, 0, false, &page), -ENODEV);
	file_put(f);
	f = must_open("/dev/full", O_WRONLY);
	assert_int_equal(put(f, bytes, 1), -ENOSPC);
	assert_int_equal(put(f, bytes, 0), 0);
	file_put(f);
	f = must_open("/dev/urandom", O_RDONLY);
	assert_int_equal(get(f, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(bytes[999], 0x5a);
	file_put(f);
	end();
}

TEST(test_outputs)
{
	struct file *f;
	char byte;

	set_domains();
	assert_int_equal(device_output(1, &f), 0);
	assert_int_equal(put(f, "out", 3), 3);
	assert_int_equal(get(f, &byte, 1), -EBADF);
	assert_int_equal(file_seek(f, 0, SEEK_CUR), -ESPIPE);
	file_put(f);
	assert_int_equal(device_output(2, &f), 0);
	assert_int_equal(put(f, "err", 3), 3);
	file_put(f);
	assert_string_equal(printed[1], "out");
	assert_string_equal(printed[2], "err");
	assert_int_equal(device_null(O_RDONLY, &f), 0);
	assert_int_equal(get(f, &byte, 1), 0);
	file_put(f);
	end();
}
