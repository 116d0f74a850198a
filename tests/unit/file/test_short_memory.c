// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_short_memory.c - the first allocation of each operation fails, then the second, and so on,
 * until the operation succeeds. A failure returns an error and changes nothing.
 */
#include "linux/tree/tree_cpio.h"
#include "linux/tree/device.h"
#include "linux/file/epoll.h"
#include "linux/file/eventfd.h"
#include "linux/file/pipe.h"
#include "linux/file/poll.h"
#include "linux/file/record_lock.h"
#include "linux/file/signalfd.h"
#include "linux/tree/synth.h"
#include "linux/file/timerfd.h"
#include "tests/unit/file/test_files.h"

static struct fd_table *table;
static struct file *opened, *pipe_ends[2], *epoll;

/* --- All that names lead to --- */

static void sign(char *to, struct inode *inode)
{
	struct stat st;

	inode_stat(inode, &st);
	sprintf(to + strlen(to), " %o %lu %ld %ld\n", st.st_mode, st.st_nlink, st.st_size,
		st.st_blocks);
}

static void sign_tree(char *to, const char *path)
{
	char list[2048], inner[512], *name, *rest;
	struct inode *inode = NULL;

	assert_int_equal(walk_inode(&view, NULL, path, false, &inode), 0);
	strcat(to, path);
	sign(to, inode);
	if (inode_is_directory(inode)) {
		list_names(path, list, 1000);
		for (name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
			if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
				continue;
			snprintf(inner, sizeof(inner), "%s/%s", path[1] ? path : "", name);
			sign_tree(to, inner);
		}
	}
	inode_put(inode);
}

static void sign_all(char *to)
{
	*to = 0;
	sign_tree(to, "/");
	for (int fd = fd_next(table, 0); fd >= 0; fd = fd_next(table, fd + 1))
		sprintf(to + strlen(to), "fd %d\n", fd);
}

/* --- Operations --- */

static int make_a_file(void)
{
	struct file *f;
	const int error = tree_open(&view, NULL, "/d/new", O_CREAT | O_EXCL | O_RDWR, 0666, &f);

	if (!error)
		opened = f;
	return error;
}

static int make_a_name_for_each_bucket(void)
{
	static int i;
	char path[32];

	for (; i < 40; i++) {
		struct file *f;
		int error;

		snprintf(path, sizeof(path), "/d/%d", i);
		error = tree_open(&view, NULL, path, O_CREAT | O_EXCL, 0666, &f);
		if (error)
			return error;
		file_put(f);
		if (shim_heap.fail_at)
			shim_heap.fail_at = shim_heap.calls + 1 + (unsigned)i % 7;
	}
	i = 0;
	return 0;
}

static int write_far_away(void)
{
	const long n = put_at(opened, "x", 1, 1ll << 40);

	return n < 0 ? (int)n : 0;
}

static int write_near(void)
{
	const long n = put_at(opened, "x", 1, 0);

	return n < 0 ? (int)n : regular_truncate(opened->inode, PAGE_BYTES);
}

static int append_some(void)
{
	long n;

	opened->flags |= O_APPEND;
	n = put(opened, "x", 1);
	return n < 0 ? (int)n : 0;
}

static int make_a_directory(void)
{
	return make_dir("/d/e");
}

static int make_a_link(void)
{
	return make_symlink("e", "/d/l");
}

static int make_a_fifo(void)
{
	return tree_mknod(&view, NULL, "/d/fifo", MODE_FIFO | 0600);
}

static int link_a_file(void)
{
	return tree_link(opened->inode, &view, NULL, "/d/second");
}

static int walk_a_link(void)
{
	return walk_error("/d/l/../new");
}

static int move_away(void)
{
	return move("/d/second", "/d/l/moved");
}

static int move_over(void)
{
	return move("/d/e/moved", "/d/0");
}

static int exchange(void)
{
	return tree_rename(&view, NULL, "/d/1", NULL, "/d/e", RENAME_EXCHANGE);
}

static int remove_a_file(void)
{
	return unlink_file("/d/fifo");
}

static int make_a_memfd(void)
{
	struct file *f;
	const int error = memfd_open("m", 0, &f);

	if (!error)
		file_put(f);
	return error;
}

static int open_unnamed(void)
{
	struct file *f;
	const int error = tree_open(&view, NULL, "/d", O_TMPFILE | O_RDWR, 0600, &f);

	if (!error)
		file_put(f);
	return error;
}

static int open_a_pipe(void)
{
	return pipe_open(pipe_ends, O_NONBLOCK);
}

static int write_much(void)
{
	static char bytes[1000];
	const long n = put(pipe_ends[1], bytes, sizeof(bytes));

	return n < 0 ? (int)n : 0;
}

static int resize_the_pipe(void)
{
	const int n = pipe_resize(pipe_ends[0], 4096);

	return n < 0 ? n : 0;
}

static int open_others(void)
{
	struct file *f = NULL;
	int error = eventfd_open(0, false, 0, &f);

	if (!error) {
		file_put(f);
		error = timerfd_open(HOST_MONOTONIC, 0, &f);
	}
	if (!error) {
		file_put(f);
		error = signalfd_open(1, 0, &f);
	}
	if (!error) {
		file_put(f);
		error = device_output(1, &f);
	}
	if (!error) {
		file_put(f);
		error = device_null(O_RDONLY, &f);
	}
	if (!error)
		file_put(f);
	return error;
}

static int open_an_epoll(void)
{
	return epoll_open(0, &epoll);
}

static int watch_the_pipe(void)
{
	const struct epoll_event event = {.events = EPOLLIN};

	return epoll_control(epoll, EPOLL_CTL_ADD, 3, pipe_ends[0], &event);
}

static int poll_many(void)
{
	static struct wait_set set;
	struct pollfd fds[6];
	int n;

	for (int i = 0; i < 6; i++)
		fds[i] = (struct pollfd){.fd = 77, .events = POLLPRI};
	n = poll_files(table, fds, 6, &set);
	wait_set_end(&set);
	return n < 0 ? n : 0;
}

static int select_many(void)
{
	uint64_t in = 0, *sets[SELECT_SETS] = {&in, NULL, NULL};

	return select_files(table, sets, 64, NULL);
}

static int install_far(void)
{
	const int fd = fd_install(table, pipe_ends[0], 77, false);

	if (fd >= 0)
		file_get(pipe_ends[0]);
	return fd < 0 ? fd : 0;
}

static int dup_far(void)
{
	const int fd = fd_dup_to(table, 77, 300, false, false);

	return fd < 0 ? fd : 0;
}

static int copy_the_table(void)
{
	struct fd_table *copy = fd_table_copy(table);

	fd_table_put(copy);
	return copy ? 0 : -ENOMEM;
}

static struct lock_waiter no_wait;

static int lock_a_part(void)
{
	struct flock lock = {.l_type = F_RDLCK, .l_len = 10};

	return record_lock_fcntl(opened, table, 1, F_SETLK, &lock, &no_wait);
}

static int unlock_the_middle(void)
{
	struct flock lock = {.l_type = F_UNLCK, .l_start = 3, .l_len = 2};

	return record_lock_fcntl(opened, table, 1, F_SETLK, &lock, &no_wait);
}

static int copy_between(void)
{
	int64_t at = 0;
	const long n = file_copy(pipe_ends[1], NULL, opened, &at, 1);

	return n < 0 ? (int)n : 0;
}

static int tell_a_path(void)
{
	struct text path = {0};
	const int error = file_path(opened, view.root, &path);

	text_free(&path);
	return error;
}

static int read_a_synthetic_file(void)
{
	char bytes[64];
	struct file *f;
	int error = tree_open(&view, NULL, "/proc/filesystems", O_RDONLY, 0, &f);
	long n;

	if (error)
		return error;
	n = get(f, bytes, sizeof(bytes));
	file_put(f);
	return n < 0 ? (int)n : 0;
}

static int list_a_synthetic_directory(void)
{
	uint8_t bytes[256];
	struct io io = io_user((uintptr_t)bytes, sizeof(bytes));
	struct file *f;
	int error = tree_open(&view, NULL, "/proc/sys", O_RDONLY, 0, &f);
	long n;

	if (error)
		return error;
	n = file_readdir(f, &io);
	for (long last = 0; n > 0; n = last) { /* what was given whole stays given */
		io = io_user((uintptr_t)bytes, sizeof(bytes));
		last = file_readdir(f, &io);
		if (last <= 0)
			n = 0, last = last < 0 ? last : 0;
	}
	file_put(f);
	return (int)n;
}

static const struct operation {
	const char *name;
	int (*run)(void);
} operations[] = {
#define OPERATION(fn)   \
	{               \
#fn, fn \
	}
	OPERATION(make_a_file),
	OPERATION(make_a_name_for_each_bucket),
	OPERATION(write_far_away),
	OPERATION(write_near),
	OPERATION(append_some),
	OPERATION(make_a_directory),
	OPERATION(make_a_link),
	OPERATION(make_a_fifo),
	OPERATION(link_a_file),
	OPERATION(walk_a_link),
	OPERATION(move_away),
	OPERATION(move_over),
	OPERATION(exchange),
	OPERATION(remove_a_file),
	OPERATION(make_a_memfd),
	OPERATION(open_unnamed),
	OPERATION(open_a_pipe),
	OPERATION(write_much),
	OPERATION(resize_the_pipe),
	OPERATION(open_others),
	OPERATION(open_an_epoll),
	OPERATION(watch_the_pipe),
	OPERATION(install_far),
	OPERATION(dup_far),
	OPERATION(poll_many),
	OPERATION(select_many),
	OPERATION(copy_the_table),
	OPERATION(lock_a_part),
	OPERATION(unlock_the_middle),
	OPERATION(copy_between),
	OPERATION(tell_a_path),
	OPERATION(read_a_synthetic_file),
	OPERATION(list_a_synthetic_directory),
#undef OPERATION
};

/* Repeats the operation until it succeeds. Returns how often it failed. */
static unsigned try_operation(const struct operation *operation)
{
	static char before[65536], after[65536];

	for (unsigned nth = 1; nth < 200; nth++) {
		int error;

		sign_all(before);
		shim_heap.fail_calls = 1;
		shim_heap.fail_at = shim_heap.calls + nth;
		error = operation->run();
		shim_heap.fail_at = 0;
		if (!error)
			return nth - 1;
		if (error != -ENOMEM && error != -ENOSPC)
			fail_msg("%s: error %d", operation->name, error);
		sign_all(after);
		if (operation->run != make_a_name_for_each_bucket)
			assert_string_equal(after, before);
	}
	fail_msg("%s never succeeds", operation->name);
	return 0;
}

TEST(test_operations_fail_whole)
{
	unsigned failures = 0;

	files_begin();
	table = fd_table_new();
	make_dir("/d");
	for (unsigned i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		const unsigned n = try_operation(&operations[i]);

		if (!n && operations[i].run != remove_a_file)
			fail_msg("%s takes no memory", operations[i].name);
		failures += n;
	}
	assert_true(failures > 60);
	file_put(epoll);
	file_put(pipe_ends[0]);
	file_put(pipe_ends[1]);
	file_put(opened);
	fd_table_put(table);
	files_end();
}

/* More buckets for names are optional: a tree works without memory for them. */
TEST(test_a_tree_is_made_whole_or_not)
{
	unsigned failures = 0;

	files_begin();
	files_end();
	for (uint64_t nth = 1; shim_heap.calls + 1 >= nth; nth++) {
		struct inode *root;

		shim_heap = (struct shim_heap){.fail_at = nth, .fail_calls = 1};
		root = tree_create();
		failures += !root;
		if (root)
			tree_destroy(root);
		assert_int_equal(shim_heap.pieces, 0);
	}
	assert_true(failures > 30);
	shim_heap = (struct shim_heap){0};
}

TEST(test_tables_are_made_whole_or_not)
{
	for (uint64_t nth = 1; nth < 3; nth++) {
		shim_heap = (struct shim_heap){.fail_at = nth, .fail_calls = 1};
		assert_null(fd_table_new());
		assert_int_equal(shim_heap.pieces, 0);
	}
}
