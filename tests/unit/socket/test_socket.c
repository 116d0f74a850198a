// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_socket.c - data through sockets, and files in messages that no program receives.
 */
#include "rt/base/heap.h"
#include "linux/socket/socket.h"
#include "tests/unit/file/test_files.h"

static unsigned polled_bits(struct file *f)
{
	struct wait_queue *queue;

	return file_poll(f, POLLIN | POLLOUT, &queue);
}

TEST(test_a_pair)
{
	char bytes[16] = {0};
	struct file *ends[2];

	files_begin();
	assert_int_equal(socket_pair(SOCKET_STREAM, 0, ends), 0);
	assert_int_equal(polled_bits(ends[0]), POLLOUT);
	assert_int_equal(put(ends[0], "hello", 5), 5);
	assert_int_equal(polled_bits(ends[1]), POLLIN | POLLOUT);
	assert_int_equal(get(ends[1], bytes, 2), 2);
	assert_int_equal(get(ends[1], bytes + 2, 9), 3);
	assert_string_equal(bytes, "hello");
	assert_int_equal(get(ends[1], bytes, 9), -EAGAIN);
	assert_int_equal(put(ends[0], (char *)BAD_ADDRESS, 5), -EFAULT);
	assert_int_equal(put(ends[0], "again", 5), 5);
	assert_int_equal(get(ends[1], (char *)BAD_ADDRESS, 5), -EFAULT);
	assert_int_equal(get(ends[1], bytes, 9), 5);
	assert_int_equal(put(ends[0], "left", 4), 4);
	file_put(ends[1]);
	assert_int_equal(get(ends[0], bytes, 9), -ECONNRESET);
	assert_int_equal(get(ends[0], bytes, 9), 0);
	assert_int_equal(put(ends[0], "x", 1), -EPIPE);
	file_put(ends[0]);
	files_end();
}

/* Sends the file `f` in a message through the socket `to`. */
static void send_file(struct file *to, struct file *f)
{
	struct io io = io_kernel("x", 1);
	struct socket_message m = {.io = &io};

	m.files = heap_alloc(sizeof(*m.files) + sizeof(f));
	m.files->n = 1;
	m.files->file[0] = f;
	assert_int_equal(socket_send(socket_of(to), &m), 1);
	assert_null(m.files);
}

/* A pair of sockets is in messages of another pair, which is in messages of a third, and so on. */
TEST(test_files_on_their_way)
{
	struct file *outer[2], *inner[2];

	files_begin();
	socket_pair(SOCKET_STREAM, 0, outer);
	for (unsigned i = 0; i < 1000; i++) {
		socket_pair(SOCKET_STREAM, 0, inner);
		send_file(inner[0], outer[0]);
		send_file(inner[0], outer[1]);
		outer[0] = inner[0];
		outer[1] = inner[1];
	}
	file_put(outer[0]);
	file_put(outer[1]);
	socket_pair(SOCKET_STREAM, 0, outer);
	send_file(outer[0], outer[1]); /* a circle */
	file_put(outer[0]);
	sockets_forget();
	files_end();
}
