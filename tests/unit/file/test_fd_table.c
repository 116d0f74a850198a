// SPDX-License-Identifier: BSD-2-Clause
/* test_fd_table.c - file descriptors: the lowest free one, copies, fcntl(2), and locks of files. */
#include "linux/file/pipe.h"
#include "linux/file/poll.h"
#include "linux/file/record_lock.h"
#include "tests/unit/file/test_files.h"

static struct fd_table *table;

static void make_table(void)
{
	files_begin();
	table = fd_table_new();
	assert_non_null(table);
	make_file("/f", "abc");
}

static void drop_table(void)
{
	fd_table_put(table);
	files_end();
}

static int open_fd(const char *path, unsigned flags)
{
	return fd_install(table, must_open(path, flags), 0, false);
}

TEST(test_the_lowest_free_one_is_taken)
{
	make_table();
	for (int fd = 0; fd < 200; fd++)
		assert_int_equal(open_fd("/f", O_RDONLY), fd);
	assert_int_equal(fd_close(table, 70), 0);
	assert_int_equal(fd_close(table, 3), 0);
	assert_int_equal(fd_close(table, 3), -EBADF);
	assert_int_equal(fd_close(table, -1), -EBADF);
	assert_int_equal(fd_close(table, 100000), -EBADF);
	assert_int_equal(open_fd("/f", O_RDONLY), 3);
	assert_int_equal(open_fd("/f", O_RDONLY), 70);
	assert_int_equal(fd_next(table, 199), 199);
	assert_int_equal(fd_next(table, 200), -1);
	assert_null(fd_get(table, 200));
	drop_table();
}

TEST(test_there_is_a_limit)
{
	struct file *f;

	make_table();
	for (unsigned fd = 0; fd < FD_LIMIT; fd++)
		assert_int_equal(open_fd("/f", O_RDONLY), fd);
	f = must_open("/f", O_RDONLY);
	assert_int_equal(fd_install(table, f, 0, false), -EMFILE);
	assert_int_equal(fd_install(table, f, FD_LIMIT, false), -EINVAL);
	assert_int_equal(fd_install(table, f, -1, false), -EINVAL);
	assert_int_equal(fd_dup(table, 0, 0, false), -EMFILE);
	assert_int_equal(fd_dup_to(table, 0, FD_LIMIT, false, true), -EBADF);
	table->limit = FD_MOST;
	assert_int_equal(fd_install(table, f, 0, false), FD_LIMIT);
	drop_table();
}

TEST(test_copies_share_the_offset)
{
	struct file *f;
	char byte;

	make_table();
	assert_int_equal(open_fd("/f", O_RDONLY), 0);
	assert_int_equal(fd_dup(table, 0, 0, false), 1);
	assert_int_equal(fd_dup(table, 0, 10, true), 10);
	assert_int_equal(fd_dup(table, 5, 0, false), -EBADF);
	assert_int_equal(fd_dup_to(table, 0, 1, true, false), 1);
	assert_int_equal(fd_dup_to(table, 0, 0, false, false), -EINVAL);
	assert_int_equal(fd_dup_to(table, 0, 0, false, true), 0);
	assert_int_equal(fd_dup_to(table, 7, 7, false, true), -EBADF);
	assert_int_equal(fd_dup_to(table, 7, 1, false, true), -EBADF);
	assert_int_equal(fd_dup_to(table, 0, -1, false, true), -EBADF);
	assert_int_equal(fd_closes(table, 1), 1);
	assert_int_equal(fd_closes(table, 10), 1);
	assert_int_equal(fd_closes(table, 0), 0);
	f = fd_get(table, 0);
	assert_int_equal(get(f, &byte, 1), 1);
	file_put(f);
	f = fd_get(table, 10);
	assert_int_equal(get(f, &byte, 1), 1);
	assert_int_equal(byte, 'b');
	file_put(f);
	drop_table();
}

TEST(test_a_child_has_the_same_files)
{
	struct fd_table *child;
	struct file *f;

	make_table();
	open_fd("/f", O_RDONLY);
	fd_dup(table, 0, 100, true);
	child = fd_table_copy(table);
	assert_int_equal(fd_close(table, 0), 0);
	f = fd_get(child, 0);
	assert_non_null(f);
	assert_int_equal(f->refs, 4);
	file_put(f);
	fd_table_exec(child);
	assert_false(fd_is_open(child, 100));
	assert_true(fd_is_open(table, 100));
	assert_ptr_equal(fd_table_get(child), child);
	fd_table_put(child);
	assert_true(fd_is_open(child, 0));
	fd_table_put(child);
	drop_table();
}

TEST(test_ranges_are_closed)
{
	make_table();
	for (int i = 0; i < 10; i++)
		open_fd("/f", O_RDONLY);
	assert_int_equal(fd_close_range(table, 5, 4, false), -EINVAL);
	assert_int_equal(fd_close_range(table, 3, 5, false), 0);
	assert_int_equal(fd_next(table, 3), 6);
	assert_int_equal(fd_close_range(table, 7, UINT32_MAX, true), 0);
	assert_int_equal(fd_closes(table, 6), 0);
	assert_int_equal(fd_closes(table, 7), 1);
	fd_table_exec(table);
	assert_int_equal(fd_next(table, 7), -1);
	drop_table();
}

TEST(test_fcntl)
{
	make_table();
	open_fd("/f", O_RDWR | O_APPEND | O_CREAT);
	open_fd("/f", O_PATH);
	assert_int_equal(fd_fcntl(table, 0, F_GETFL, 0), O_RDWR | O_APPEND);
	assert_int_equal(fd_fcntl(table, 0, F_SETFL, O_NONBLOCK | O_WRONLY), 0);
	assert_int_equal(fd_fcntl(table, 0, F_GETFL, 0), O_RDWR | O_NONBLOCK);
	assert_int_equal(fd_fcntl(table, 0, F_SETFD, FD_CLOEXEC), 0);
	assert_int_equal(fd_fcntl(table, 0, F_GETFD, 0), FD_CLOEXEC);
	assert_int_equal(fd_fcntl(table, 0, F_DUPFD, 8), 8);
	assert_int_equal(fd_fcntl(table, 8, F_GETFD, 0), 0);
	assert_int_equal(fd_fcntl(table, 0, F_DUPFD_CLOEXEC, 8), 9);
	assert_int_equal(fd_fcntl(table, 9, F_GETFD, 0), FD_CLOEXEC);
	assert_int_equal(fd_fcntl(table, 0, F_SETOWN, 77), 0);
	assert_int_equal(fd_fcntl(table, 9, F_GETOWN, 0), 77);
	assert_int_equal(fd_fcntl(table, 0, F_SETSIG, 34), 0);
	assert_int_equal(fd_fcntl(table, 0, F_GETSIG, 0), 34);
	assert_int_equal(fd_fcntl(table, 0, F_SETSIG, 65), -EINVAL);
	assert_int_equal(fd_fcntl(table, 0, F_GETPIPE_SZ, 0), -EBADF);
	assert_int_equal(fd_fcntl(table, 0, F_GET_SEALS, 0), F_SEAL_SEAL);
	assert_int_equal(fd_fcntl(table, 0, F_ADD_SEALS, F_SEAL_GROW), -EPERM);
	assert_int_equal(fd_fcntl(table, 0, 12345, 0), -EINVAL);
	assert_int_equal(fd_fcntl(table, 44, F_GETFD, 0), -EBADF);
	assert_int_equal(fd_fcntl(table, 1, F_GETFL, 0), O_PATH);
	assert_int_equal(fd_fcntl(table, 1, F_SETFL, 0), -EBADF);
	drop_table();
}

/* --- Locks --- */

static struct lock_waiter waits[8]; /* of each process */

static int lock_file(struct file *f, int process, unsigned command, short type, int64_t start,
		     int64_t bytes)
{
	static const char owners[8];
	struct flock lock = {.l_type = type, .l_start = start, .l_len = bytes};

	return record_lock_fcntl(f, &owners[process], process, command, &lock, &waits[process]);
}

static struct flock test_lock(struct file *f, int process, int64_t start, int64_t bytes)
{
	static const char owners[8];
	struct flock lock = {.l_type = F_WRLCK, .l_start = start, .l_len = bytes};

	assert_int_equal(record_lock_fcntl(f, &owners[process], process, F_GETLK, &lock, &waits[0]),
			 0);
	return lock;
}

TEST(test_processes_lock_parts_of_files)
{
	struct file *f;

	make_table();
	f = must_open("/f", O_RDWR);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, 10, 10), 0);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, 5, 30), 0);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_RDLCK, 34, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_RDLCK, 35, 0), 0);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_RDLCK, 40, 1), 0);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_WRLCK, 40, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_UNLCK, 10, 5), 0);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_WRLCK, 10, 5), 0);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_WRLCK, 9, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_WRLCK, 15, 1), -EAGAIN);
	assert_int_equal(test_lock(f, 3, 0, 7).l_start, 5);
	assert_int_equal(test_lock(f, 3, 0, 7).l_len, 5);
	assert_int_equal(test_lock(f, 3, 0, 7).l_pid, 1);
	assert_int_equal(test_lock(f, 3, 0, 5).l_type, F_UNLCK);
	assert_int_equal(lock_file(f, 1, F_SETLK, 9, 0, 1), -EINVAL);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, -1, 1), -EINVAL);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, 8, -3), 0);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, INT64_MAX, 2), -EOVERFLOW);
	file_put(f);
	f = must_open("/f", O_RDONLY);
	assert_int_equal(lock_file(f, 1, F_SETLK, F_WRLCK, 0, 1), -EBADF);
	file_put(f);
	drop_table();
}

static unsigned wakes;

static void note_wake(struct waiter *waiter)
{
	(void)waiter;
	wakes++;
}

TEST(test_locks_go_with_the_file_descriptor)
{
	struct flock lock = {.l_type = F_WRLCK};
	struct waiter waiter = {.fn = note_wake};
	struct file *f;

	make_table();
	open_fd("/f", O_RDWR);
	open_fd("/f", O_RDONLY);
	f = fd_get(table, 0);
	assert_int_equal(record_lock_fcntl(f, table, 1, F_SETLK, &lock, &waits[0]), 0);
	assert_int_equal(lock_file(f, 2, F_SETLKW, F_WRLCK, 0, 1), -EAGAIN);
	wakes = 0;
	wait_add(&record_lock_queue, &waiter);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_WRLCK, 5, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_UNLCK, 5, 1), 0);
	assert_int_equal(file_flock(f, LOCK_EX), 0);
	assert_int_equal(wakes, 0); /* nothing became free */
	assert_int_equal(file_flock(f, LOCK_SH), 0);
	assert_int_equal(wakes, 1);
	assert_int_equal(fd_close(table, 1), 0); /* another, of the same file */
	assert_int_equal(wakes, 2);
	wait_remove(&waiter);
	record_lock_wait_end(&waits[2]);
	assert_int_equal(lock_file(f, 2, F_SETLK, F_WRLCK, 0, 1), 0);
	file_put(f);
	drop_table();
}

/* Process 1 has byte 1, and so on. A process that can go on is in no circle. */
TEST(test_circles_are_refused)
{
	struct file *f;

	make_table();
	f = must_open("/f", O_RDWR);
	for (int i = 1; i <= 3; i++)
		assert_int_equal(lock_file(f, i, F_SETLK, F_WRLCK, i, 1), 0);
	assert_int_equal(lock_file(f, 1, F_SETLKW, F_WRLCK, 2, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 2, F_SETLKW, F_WRLCK, 3, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_WRLCK, 1, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 3, F_SETLKW, F_WRLCK, 1, 1), -EDEADLK);
	assert_int_equal(lock_file(f, 3, F_SETLKW, F_WRLCK, 2, 1), -EDEADLK);
	record_lock_wait_end(&waits[1]);
	assert_int_equal(lock_file(f, 3, F_SETLKW, F_WRLCK, 1, 1), -EAGAIN);
	assert_int_equal(lock_file(f, 3, F_SETLK, F_UNLCK, 3, 1), 0);
	assert_int_equal(lock_file(f, 1, F_SETLKW, F_WRLCK, 2, 1), -EAGAIN); /* 2 could go on */
	for (int i = 1; i <= 3; i++)
		record_lock_wait_end(&waits[i]);
	file_put(f);
	drop_table();
}

TEST(test_open_files_have_locks_of_their_own)
{
	struct flock lock = {.l_type = F_WRLCK};
	struct file *a, *b;

	make_table();
	a = must_open("/f", O_RDWR);
	b = must_open("/f", O_RDWR);
	assert_int_equal(record_lock_fcntl(a, table, 1, F_OFD_SETLK, &lock, &waits[0]), 0);
	assert_int_equal(record_lock_fcntl(b, table, 1, F_OFD_SETLK, &lock, &waits[0]), -EAGAIN);
	lock.l_pid = 3;
	assert_int_equal(record_lock_fcntl(a, table, 1, F_OFD_SETLK, &lock, &waits[0]), -EINVAL);
	assert_int_equal(file_flock(b, LOCK_EX), 0);
	assert_int_equal(file_flock(a, LOCK_SH), -EAGAIN);
	assert_int_equal(file_flock(b, LOCK_SH), 0);
	assert_int_equal(file_flock(a, LOCK_SH), 0);
	assert_int_equal(file_flock(b, LOCK_EX), -EAGAIN);
	assert_int_equal(file_flock(a, LOCK_UN), 0);
	assert_int_equal(file_flock(b, LOCK_EX), 0);
	assert_int_equal(file_flock(b, 77), -EINVAL);
	file_put(b);
	assert_int_equal(file_flock(a, LOCK_EX), 0);
	file_put(a);
	drop_table();
}

/* Compares the bytes that each of three processes has locked with an array. */
TEST(test_locks_are_an_array_of_owners)
{
	enum { BYTES = 40, OWNERS = 3 };
	short model[OWNERS][BYTES];
	struct file *f;

	make_table();
	memset(model, 0xff, sizeof(model));
	srand(3);
	f = must_open("/f", O_RDWR);
	for (int i = 0; i < 20000; i++) {
		const int owner = rand() % OWNERS, start = rand() % BYTES;
		const int n = 1 + rand() % (BYTES - start);
		const short type = (short)(rand() % 3);
		int conflict = 0;

		for (int o = 0; o < OWNERS; o++)
			for (int at = start; at < start + n; at++)
				conflict |= o != owner && model[o][at] >= 0 && type != F_UNLCK &&
					    (type == F_WRLCK || model[o][at] == F_WRLCK);
		assert_int_equal(lock_file(f, owner, F_SETLK, type, start, n),
				 conflict ? -EAGAIN : 0);
		for (int at = start; !conflict && at < start + n; at++)
			model[owner][at] = type == F_UNLCK ? -1 : type;
	}
	file_put(f);
	drop_table();
}
