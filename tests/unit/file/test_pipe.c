// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pipe.c - data through pipes, fifos and counters, and their state: POLL bits, -EAGAIN,
 * -EPIPE; timers by the clock of the test; signals.
 */
#include "linux/file/eventfd.h"
#include "linux/file/pipe.h"
#include "linux/file/signalfd.h"
#include "linux/file/timerfd.h"
#include "tests/unit/file/test_files.h"

#include <asm/ioctls.h>

static unsigned bits_of(struct file *f)
{
	struct wait_queue *queue;

	return file_poll(f, POLLIN | POLLOUT, &queue);
}

static unsigned wakes;

static void note_wake(struct waiter *waiter)
{
	(void)waiter;
	wakes++;
}

static struct wait_queue *queue_of(struct file *f)
{
	struct wait_queue *queue;

	file_poll(f, POLLIN, &queue);
	return queue;
}

TEST(test_bytes_go_through)
{
	struct waiter waiter = {.fn = note_wake};
	char bytes[16] = {0};
	struct file *ends[2];
	int left;

	files_begin();
	wakes = 0;
	assert_int_equal(pipe_open(ends, O_NONBLOCK), 0);
	assert_int_equal(get(ends[0], bytes, 1), -EAGAIN);
	assert_int_equal(bits_of(ends[0]), 0);
	assert_int_equal(bits_of(ends[1]), POLLOUT);
	wait_add(queue_of(ends[0]), &waiter);
	assert_int_equal(put(ends[1], "hello", 5), 5);
	assert_int_equal(wakes, 1);
	assert_int_equal(bits_of(ends[0]), POLLIN);
	assert_int_equal(file_ioctl(ends[0], FIONREAD, (uintptr_t)&left), 0);
	assert_int_equal(left, 5);
	assert_int_equal(file_ioctl(ends[0], TCGETS, 0), -ENOTTY);
	assert_int_equal(get(ends[0], bytes, 2), 2);
	assert_int_equal(get(ends[0], bytes + 2, 10), 3);
	assert_string_equal(bytes, "hello");
	assert_int_equal(get(ends[0], bytes, 0), 0);
	assert_int_equal(get(ends[1], bytes, 1), -EBADF);
	assert_int_equal(put(ends[0], bytes, 1), -EBADF);
	assert_int_equal(file_seek(ends[0], 0, SEEK_SET), -ESPIPE);
	assert_int_equal(get_at(ends[0], bytes, 1, 0), -ESPIPE);
	wait_remove(&waiter);
	file_put(ends[0]);
	file_put(ends[1]);
	files_end();
}

TEST(test_an_end_without_the_other)
{
	char bytes[16];
	struct file *ends[2];

	files_begin();
	pipe_open(ends, 0);
	put(ends[1], "x", 1);
	file_put(ends[1]);
	assert_int_equal(bits_of(ends[0]), POLLIN | POLLHUP);
	assert_int_equal(get(ends[0], bytes, 16), 1);
	assert_int_equal(get(ends[0], bytes, 16), 0);
	assert_int_equal(bits_of(ends[0]), POLLHUP);
	file_put(ends[0]);
	pipe_open(ends, 0);
	file_put(ends[0]);
	assert_int_equal(bits_of(ends[1]) & POLLERR, POLLERR);
	assert_int_equal(put(ends[1], "x", 1), -EPIPE);
	file_put(ends[1]);
	files_end();
}

TEST(test_small_writes_are_whole)
{
	static char bytes[70000], got[70000];
	struct file *ends[2];

	files_begin();
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 13);
	pipe_open(ends, O_NONBLOCK);
	assert_int_equal(put(ends[1], bytes, 65536 - 100), 65536 - 100);
	assert_int_equal(put(ends[1], bytes, 101), -EAGAIN);
	assert_int_equal(bits_of(ends[1]), 0);
	assert_int_equal(put(ends[1], bytes, 4097), 100); /* more than PIPE_BUF: a part */
	assert_int_equal(put(ends[1], bytes, 4097), -EAGAIN);
	assert_int_equal(get(ends[0], got, sizeof(got)), 65536);
	assert_memory_equal(got, bytes, 65536 - 100);
	assert_memory_equal(got + 65536 - 100, bytes, 100);
	assert_int_equal(put(ends[1], bytes, sizeof(bytes)), 65536);
	assert_int_equal(get(ends[0], got, sizeof(got)), 65536);
	assert_memory_equal(got, bytes, 65536);
	file_put(ends[0]);
	file_put(ends[1]);
	files_end();
}

TEST(test_bytes_that_fault_stay_in_the_pipe)
{
	char bytes[16] = {0};
	struct file *ends[2];

	files_begin();
	pipe_open(ends, 0);
	assert_int_equal(put(ends[1], (char *)BAD_ADDRESS, 4), -EFAULT);
	put(ends[1], "abcd", 4);
	assert_int_equal(get(ends[0], (char *)BAD_ADDRESS, 4), -EFAULT);
	assert_int_equal(get(ends[0], bytes, 16), 4);
	assert_string_equal(bytes, "abcd");
	file_put(ends[0]);
	file_put(ends[1]);
	files_end();
}

TEST(test_pipes_have_sizes)
{
	static char bytes[65536];
	struct file *ends[2], *f;

	files_begin();
	pipe_open(ends, 0);
	assert_int_equal(pipe_size(ends[0]), 65536);
	put(ends[1], "abc", 3);
	assert_int_equal(pipe_resize(ends[0], 5000), 8192);
	assert_int_equal(put(ends[1], bytes, 8192), 8189);
	assert_int_equal(pipe_resize(ends[0], 4096), -EBUSY);
	assert_int_equal(pipe_resize(ends[0], 1 << 21), -EPERM);
	assert_int_equal(pipe_resize(ends[0], UINT64_MAX), -EINVAL);
	assert_int_equal(pipe_resize(ends[0], 0x10000), 65536);
	assert_int_equal(get(ends[0], bytes, sizeof(bytes)), 8192);
	assert_memory_equal(bytes, "abc", 3);
	f = must_open("/", O_RDONLY);
	assert_int_equal(pipe_resize(f, 4096), -EBADF);
	file_put(f);
	file_put(ends[0]);
	file_put(ends[1]);
	files_end();
}

TEST(test_fifos_wait_for_their_peer)
{
	struct file *r, *w, *both;
	char byte;

	files_begin();
	assert_int_equal(tree_mknod(&view, NULL, "/p", MODE_FIFO | 0600), 0);
	assert_int_equal(open_error("/p", O_WRONLY | O_NONBLOCK), -ENXIO);
	r = must_open("/p", O_RDONLY);
	assert_int_equal(fifo_await_peer(r), -EAGAIN);
	w = must_open("/p", O_WRONLY);
	assert_int_equal(fifo_await_peer(w), 0);
	put(w, "x", 1);
	file_put(w);
	assert_int_equal(fifo_await_peer(r), 0); /* the writer has been there */
	assert_int_equal(get(r, &byte, 1), 1);
	file_put(r);
	w = must_open("/p", O_WRONLY);
	assert_int_equal(fifo_await_peer(w), -EAGAIN);
	file_put(w);
	both = must_open("/p", O_RDWR);
	assert_int_equal(fifo_await_peer(both), 0);
	put(both, "y", 1);
	file_put(both);
	r = must_open("/p", O_RDONLY | O_NONBLOCK);
	assert_int_equal(get(r, &byte, 1), 0); /* what was left went with the last one */
	file_put(r);
	files_end();
}

TEST(test_a_pipe_has_a_name_of_its_own)
{
	struct text path = {0};
	struct file *ends[2];
	char want[32];

	files_begin();
	pipe_open(ends, 0);
	assert_int_equal(file_path(ends[0], view.root, &path), 0);
	snprintf(want, sizeof(want), "pipe:[%llu]", (unsigned long long)ends[0]->inode->number);
	assert_string_equal(text_end(&path), want);
	text_free(&path);
	file_put(ends[0]);
	file_put(ends[1]);
	files_end();
}

/* --- Counters --- */

static long put_number(struct file *f, uint64_t n)
{
	return put(f, (char *)&n, sizeof(n));
}

TEST(test_eventfds_count)
{
	struct text path = {0};
	struct file *f;
	uint64_t n;

	files_begin();
	assert_int_equal(eventfd_open(3, false, O_NONBLOCK, &f), 0);
	assert_int_equal(bits_of(f), POLLIN | POLLOUT);
	assert_int_equal(put_number(f, 4), 8);
	assert_int_equal(get(f, (char *)&n, 7), -EINVAL);
	assert_int_equal(get(f, (char *)&n, 8), 8);
	assert_int_equal(n, 7);
	assert_int_equal(get(f, (char *)&n, 8), -EAGAIN);
	assert_int_equal(put_number(f, UINT64_MAX), -EINVAL);
	assert_int_equal(put_number(f, UINT64_MAX - 1), 8);
	assert_int_equal(put_number(f, 1), -EAGAIN);
	assert_int_equal(bits_of(f), POLLIN);
	assert_int_equal(file_path(f, view.root, &path), 0);
	assert_string_equal(text_end(&path), "anon_inode:[eventfd]");
	text_free(&path);
	file_put(f);
	assert_int_equal(eventfd_open(2, true, 0, &f), 0);
	assert_int_equal(get(f, (char *)&n, 8), 8);
	assert_int_equal(n, 1);
	assert_int_equal(get(f, (char *)&n, 8), 8);
	assert_int_equal(get(f, (char *)&n, 8), -EAGAIN);
	assert_int_equal(get(f, (char *)BAD_ADDRESS, 8), -EAGAIN);
	file_put(f);
	files_end();
}

/* --- Timers --- */

TEST(test_timers_go_off_by_the_clock)
{
	struct timerfd_times times = {100, 50}, left;
	struct waiter waiter = {.fn = note_wake};
	struct file *f, *pipe[2];
	uint64_t n;

	files_begin();
	wakes = 0;
	assert_int_equal(timerfd_open(HOST_MONOTONIC, 0, &f), 0);
	assert_int_equal(get(f, (char *)&n, 8), -EAGAIN);
	assert_int_equal(timerfd_set(f, false, &times, &left), 0);
	assert_int_equal(left.first | left.interval, 0);
	assert_null(armed); /* nothing waits */
	clock_ns[HOST_MONOTONIC] += 60;
	assert_int_equal(timerfd_get(f, &left), 0);
	assert_int_equal(left.first, 40);
	assert_int_equal(left.interval, 50);
	wait_add(queue_of(f), &waiter);
	assert_non_null(armed);
	assert_int_equal(armed_at, 5100);
	clock_ns[HOST_MONOTONIC] = 5100;
	armed->fn(armed);
	assert_int_equal(wakes, 1);
	assert_int_equal(armed_at, 5150);
	wait_remove(&waiter);
	assert_int_equal(bits_of(f), POLLIN);
	clock_ns[HOST_MONOTONIC] = 5210;
	assert_int_equal(get(f, (char *)&n, 8), 8);
	assert_int_equal(n, 3);
	assert_int_equal(get(f, (char *)&n, 8), -EAGAIN);
	times = (struct timerfd_times){5215, 0};
	assert_int_equal(timerfd_set(f, true, &times, NULL), 0);
	clock_ns[HOST_MONOTONIC] = 6000;
	assert_int_equal(get(f, (char *)&n, 8), 8);
	assert_int_equal(n, 1);
	clock_ns[HOST_MONOTONIC] = 7000;
	assert_int_equal(get(f, (char *)&n, 8), -EAGAIN);
	pipe_open(pipe, 0);
	assert_int_equal(timerfd_set(pipe[0], true, &times, NULL), -EINVAL);
	assert_int_equal(timerfd_get(pipe[0], &times), -EINVAL);
	file_put(pipe[0]);
	file_put(pipe[1]);
	file_put(f);
	assert_null(armed);
	files_end();
}

TEST(test_timers_of_another_clock)
{
	struct timerfd_times times = {1000000500, 0};
	struct waiter waiter = {.fn = note_wake};
	struct file *f;

	files_begin();
	timerfd_open(HOST_REALTIME, 0, &f);
	timerfd_set(f, true, &times, NULL);
	wait_add(queue_of(f), &waiter);
	assert_int_equal(armed_at, 5500);
	times.first = 0;
	timerfd_set(f, true, &times, NULL);
	assert_null(armed);
	wait_remove(&waiter);
	file_put(f);
	files_end();
}

/* --- Signals --- */

TEST(test_signals_are_read)
{
	uint32_t info[2][32];
	struct file *f;

	files_begin();
	assert_int_equal(signalfd_open(1 << 9 | 1 << 11, 0, &f), 0);
	assert_int_equal(get(f, (char *)info, sizeof(info)), -EAGAIN);
	assert_int_equal(get(f, (char *)info, 127), -EINVAL);
	pending_signals = 1 << 9 | 1 << 10 | 1 << 11;
	assert_int_equal(bits_of(f), POLLIN);
	assert_int_equal(get(f, (char *)info, sizeof(info)), sizeof(info));
	assert_int_equal(info[0][0], 10);
	assert_int_equal(info[1][0], 12);
	assert_int_equal(pending_signals, 1 << 10);
	assert_int_equal(bits_of(f), 0);
	assert_int_equal(signalfd_set(f, 1 << 10), 0);
	assert_int_equal(bits_of(f), POLLIN);
	file_put(f);
	f = must_open("/", O_RDONLY);
	assert_int_equal(signalfd_set(f, 1), -EINVAL);
	file_put(f);
	files_end();
}
