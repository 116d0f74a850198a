// SPDX-License-Identifier: BSD-2-Clause
/* test_poll.c - waiting for files: poll(2), select(2), and epoll(7) by level and by edge. */
#include "linux/file/epoll.h"
#include "linux/file/eventfd.h"
#include "linux/file/pipe.h"
#include "linux/file/poll.h"
#include "tests/unit/file/test_files.h"

static struct fd_table *table;
static unsigned wakes;

static void note_woken_set(struct wait_set *set)
{
	(void)set;
	wakes++;
}

static struct wait_set set = {.wake = note_woken_set};

/* File descriptors 0 and 1: a pipe to read from and to write to; 2: a regular file. */
static void open_polled(void)
{
	struct file *ends[2];

	files_begin();
	table = fd_table_new();
	pipe_open(ends, O_NONBLOCK);
	fd_install(table, ends[0], 0, false);
	fd_install(table, ends[1], 0, false);
	fd_install(table, must_open("/f", O_CREAT | O_RDWR), 0, false);
	wakes = 0;
}

static void close_polled(void)
{
	wait_set_end(&set);
	fd_table_put(table);
	files_end();
}

static void send(int fd, const char *text)
{
	struct file *f = fd_get(table, fd);

	assert_int_equal(put(f, text, strlen(text)), strlen(text));
	file_put(f);
}

static void empty_pipe(int fd)
{
	struct file *f = fd_get(table, fd);
	char bytes[64];

	assert_true(get(f, bytes, sizeof(bytes)) > 0);
	file_put(f);
}

/* --- poll --- */

TEST(test_poll_tells_what_holds)
{
	struct pollfd fds[] = {{0, POLLIN, 7},
			       {1, POLLIN | POLLOUT, 7},
			       {-1, POLLIN, 7},
			       {44, POLLIN, 7},
			       {2, POLLIN | POLLPRI, 7}};

	open_polled();
	assert_int_equal(poll_files(table, fds, 5, NULL), 3);
	assert_int_equal(fds[0].revents, 0);
	assert_int_equal(fds[1].revents, POLLOUT);
	assert_int_equal(fds[2].revents, 0);
	assert_int_equal(fds[3].revents, POLLNVAL);
	assert_int_equal(fds[4].revents, POLLIN);
	assert_int_equal(poll_files(table, fds, 0, NULL), 0);
	close_polled();
}

TEST(test_poll_leaves_waiters)
{
	struct pollfd fds[] = {{0, POLLIN, 0}, {0, POLLIN, 0}, {0, POLLIN, 0}};
	struct file *f;

	open_polled();
	assert_int_equal(poll_files(table, fds, 3, &set), 0);
	f = fd_get(table, 0);
	assert_int_equal(f->refs, 2 + 3);
	file_put(f);
	send(1, "x");
	assert_int_equal(wakes, 3);
	wait_set_end(&set);
	send(1, "x");
	assert_int_equal(wakes, 3);
	assert_int_equal(poll_files(table, fds, 3, &set), 3);
	assert_int_equal(set.n, 0);
	close_polled();
}

TEST(test_a_file_that_is_waited_for_stays)
{
	struct pollfd fds[] = {{0, POLLIN, 0}};

	open_polled();
	assert_int_equal(poll_files(table, fds, 1, &set), 0);
	assert_int_equal(fd_close(table, 0), 0);
	send(1, "x");
	assert_int_equal(wakes, 1);
	close_polled();
}

TEST(test_one_file_is_awaited)
{
	struct file *f;

	open_polled();
	f = fd_get(table, 0);
	assert_int_equal(file_await(f, POLLIN, &set), 0);
	assert_int_equal(fd_close(table, 1), 0);
	assert_int_equal(wakes, 1);
	wait_set_end(&set);
	assert_int_equal(file_await(f, POLLIN, &set), POLLHUP);
	file_put(f);
	close_polled();
}

/* --- select --- */

TEST(test_select_replaces_bits)
{
	uint64_t in[2] = {7, 0}, out[2] = {2, 0};
	uint64_t *sets[SELECT_SETS] = {in, out, NULL};

	open_polled();
	assert_int_equal(select_files(table, sets, 70, NULL), 2); /* of 1 to read: it never is */
	assert_int_equal(in[0], 4);
	assert_int_equal(out[0], 2);
	send(1, "x");
	in[0] = 1;
	out[0] = 0;
	assert_int_equal(select_files(table, sets, 1, NULL), 1);
	assert_int_equal(in[0], 1);
	empty_pipe(0);
	assert_int_equal(select_files(table, sets, 1, &set), 0);
	assert_int_equal(in[0], 1); /* unchanged: the call will be made again */
	send(1, "x");
	assert_int_equal(wakes, 1);
	wait_set_end(&set);
	empty_pipe(0);
	assert_int_equal(select_files(table, sets, 1, NULL), 0);
	assert_int_equal(in[0], 0);
	in[1] = 1;
	assert_int_equal(select_files(table, sets, 65, NULL), -EBADF);
	close_polled();
}

/* --- epoll --- */

static struct file *epoll;

static int control(unsigned operation, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data = (uint64_t)fd + 100};
	struct file *f = fd_get(table, fd);
	const int error = epoll_control(epoll, operation, fd, f, &event);

	file_put(f);
	return error;
}

static int collect(struct epoll_event *events)
{
	return epoll_collect(epoll, events, 8);
}

static void begin_epoll(void)
{
	open_polled();
	assert_int_equal(epoll_open(0, &epoll), 0);
}

static void end_epoll(void)
{
	wait_set_end(&set);
	file_put(epoll);
	close_polled();
}

TEST(test_levels_are_told_as_long_as_they_hold)
{
	struct epoll_event events[8];

	begin_epoll();
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN), 0);
	assert_int_equal(collect(events), 0);
	assert_int_equal(file_await(epoll, POLLIN, &set), 0);
	send(1, "x");
	assert_int_equal(wakes, 1);
	wait_set_end(&set);
	assert_int_equal(file_await(epoll, POLLIN, &set), POLLIN);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(collect(events), 1);
		assert_int_equal(events[0].events, EPOLLIN);
		assert_int_equal(events[0].data, 100);
	}
	empty_pipe(0);
	assert_int_equal(collect(events), 0);
	end_epoll();
}

TEST(test_edges_are_told_once)
{
	struct epoll_event events[8];

	begin_epoll();
	send(1, "x");
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN | EPOLLET), 0);
	assert_int_equal(collect(events), 1);
	assert_int_equal(collect(events), 0);
	send(1, "x");
	assert_int_equal(collect(events), 1);
	assert_int_equal(collect(events), 0);
	assert_int_equal(control(EPOLL_CTL_MOD, 0, EPOLLIN | EPOLLET), 0);
	assert_int_equal(collect(events), 1);
	end_epoll();
}

TEST(test_one_shots_are_armed_again)
{
	struct epoll_event events[8];

	begin_epoll();
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN | EPOLLONESHOT), 0);
	send(1, "x");
	assert_int_equal(collect(events), 1);
	send(1, "x");
	assert_int_equal(collect(events), 0);
	assert_int_equal(control(EPOLL_CTL_MOD, 0, EPOLLIN | EPOLLONESHOT), 0);
	assert_int_equal(collect(events), 1);
	assert_int_equal(collect(events), 0);
	end_epoll();
}

TEST(test_what_holds_takes_turns)
{
	struct epoll_event event;

	begin_epoll();
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN), 0);
	assert_int_equal(control(EPOLL_CTL_ADD, 1, EPOLLOUT), 0);
	send(1, "x");
	for (int i = 0; i < 6; i++) {
		assert_int_equal(epoll_collect(epoll, &event, 1), 1);
		assert_int_equal(event.data, 100 + !(i & 1));
	}
	end_epoll();
}

TEST(test_epoll_refuses)
{
	struct epoll_event events[8];
	struct file *f;

	begin_epoll();
	assert_int_equal(control(EPOLL_CTL_ADD, 2, EPOLLIN), -EPERM);
	assert_int_equal(control(EPOLL_CTL_MOD, 0, EPOLLIN), -ENOENT);
	assert_int_equal(control(EPOLL_CTL_DEL, 0, EPOLLIN), -ENOENT);
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN | EPOLLEXCLUSIVE), 0);
	assert_int_equal(control(EPOLL_CTL_MOD, 0, EPOLLIN), -EINVAL);
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN), -EEXIST);
	assert_int_equal(control(9, 0, EPOLLIN), -EINVAL);
	assert_int_equal(epoll_control(epoll, EPOLL_CTL_ADD, 9, epoll, events), -EINVAL);
	f = fd_get(table, 0);
	assert_int_equal(epoll_control(f, EPOLL_CTL_ADD, 9, epoll, events), -EINVAL);
	assert_int_equal(epoll_collect(f, events, 8), -EINVAL);
	file_put(f);
	f = must_open("/f", O_PATH);
	assert_int_equal(epoll_control(epoll, EPOLL_CTL_ADD, 9, f, events), -EBADF);
	file_put(f);
	end_epoll();
}

TEST(test_files_that_close_are_forgotten)
{
	struct epoll_event events[8];

	begin_epoll();
	assert_int_equal(control(EPOLL_CTL_ADD, 0, EPOLLIN), 0);
	assert_int_equal(fd_dup(table, 0, 0, false), 3);
	send(1, "x");
	assert_int_equal(fd_close(table, 0), 0);
	assert_int_equal(collect(events), 1); /* the file is still open under its other number */
	assert_int_equal(fd_close(table, 3), 0);
	assert_int_equal(collect(events), 0);
	assert_int_equal(control(EPOLL_CTL_ADD, 1, EPOLLOUT), 0);
	assert_int_equal(collect(events), 1);
	assert_int_equal(events[0].events, EPOLLOUT | EPOLLERR);
	end_epoll();
}

TEST(test_epolls_watch_epolls)
{
	struct epoll_event event = {.events = EPOLLIN, .data = 1}, events[8];
	struct file *chain[6], *f;

	open_polled();
	for (int i = 0; i < 6; i++)
		assert_int_equal(epoll_open(0, &chain[i]), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(epoll_control(chain[i], EPOLL_CTL_ADD, 9, chain[i + 1], &event),
				 0);
	assert_int_equal(epoll_control(chain[4], EPOLL_CTL_ADD, 9, chain[0], &event), -ELOOP);
	assert_int_equal(epoll_control(chain[4], EPOLL_CTL_ADD, 9, chain[5], &event), -ELOOP);
	assert_int_equal(epoll_control(chain[5], EPOLL_CTL_ADD, 9, chain[0], &event), -ELOOP);
	f = fd_get(table, 0);
	assert_int_equal(epoll_control(chain[4], EPOLL_CTL_ADD, 0, f, &event), 0);
	file_put(f);
	assert_int_equal(epoll_collect(chain[0], events, 8), 0);
	assert_int_equal(file_await(chain[0], POLLIN, &set), 0);
	send(1, "x");
	assert_int_equal(wakes, 1);
	wait_set_end(&set);
	assert_int_equal(epoll_collect(chain[0], events, 8), 1);
	empty_pipe(0);
	assert_int_equal(epoll_collect(chain[0], events, 8), 0);
	for (int i = 5; i >= 0; i--)
		file_put(chain[i]);
	close_polled();
}
