// SPDX-License-Identifier: BSD-2-Clause
/* test_input.c - standard input of programs: the amount and the time of reads, and the sizes of
 * answers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/shared.h"
#include "include/perf0/wire_frames.h"
#include "tools/machine/input.h"

static struct input input;
static uint8_t area[2 * SHARED_PAGE];
static int writer, was;

FIXTURE(begin)
{
	int ends[2];

	was = dup(STDIN_FILENO);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	writer = ends[1];
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	input_begin(&input);
	return 0;
}

FIXTURE(end)
{
	input_end(&input);
	if (writer >= 0)
		close(writer);
	dup2(was, STDIN_FILENO);
	close(was);
	return 0;
}

static void request_input(uint64_t at, uint32_t bytes)
{
	const struct wire_input told = {.at = at, .bytes = bytes};
	const struct frame frame = {
		.type = WIRE_INPUT, .length = sizeof(told), .payload = (const uint8_t *)&told};

	input_frame(&input, &frame);
}

static void write_and_take(const char *text)
{
	assert_int_equal(write(writer, text, strlen(text)), strlen(text));
	while (input_fd(&input) >= 0) {
		const size_t before = input.kept.size;

		input_take(&input);
		if (input.kept.size == before)
			break;
	}
}

static void expect(const char *text)
{
	struct shared_input answer;

	assert_true(input_is_ready(&input));
	assert_int_equal(input_fd(&input), -1);
	input_answer(&input, area, false);
	memcpy(&answer, area, sizeof(answer));
	assert_int_equal(answer.bytes, strlen(text));
	assert_memory_equal(area + SHARED_PAGE, text, strlen(text));
	assert_false(input_is_ready(&input));
}

/* Only requested bytes are read. Each answer has its full size, except for the last one. */
TEST_WITH(test_pipe, begin, end)
{
	char rest[8];

	write_and_take("abc");
	assert_int_equal(input.kept.size, 0);
	request_input(0, 2);
	write_and_take("d");
	expect("ab");
	assert_int_equal(input.kept.size, 2);
	request_input(2, 4);
	write_and_take("e");
	assert_false(input_is_ready(&input));
	write_and_take("fg");
	expect("cdef");
	assert_int_equal(read(STDIN_FILENO, rest, sizeof(rest)), 1);
	request_input(0, 3); /* again, from the start */
	expect("abc");
	request_input(6, 100);
	write_and_take("xy");
	close(writer);
	writer = -1;
	input_take(&input);
	expect("xy");
	request_input(8, 5);
	expect("");
}

TEST_WITH(test_terminal, begin, end)
{
	input.is_terminal = true;
	request_input(0, 100);
	write_and_take("one\ntwo");
	expect("one\n");
	request_input(4, 100);
	assert_false(input_is_ready(&input));
	write_and_take("\n");
	expect("two\n");
}

TEST_WITH(test_interrupted, begin, end)
{
	struct shared_input answer;

	request_input(0, 10);
	input_answer(&input, area, true);
	memcpy(&answer, area, sizeof(answer));
	assert_int_equal(answer.bytes, -EINTR);
}
