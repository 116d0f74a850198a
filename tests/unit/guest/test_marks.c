// SPDX-License-Identifier: BSD-2-Clause
/* test_marks.c - the serial line of a machine whose vpmu sets marks, in pieces of any size. */
#include <string.h>

#include "tests/unit/test.h"

#include "tools/guest/guest.h"
#include "tools/stream/line_marks.h"
#include "tools/util/buf.h"

#define M "\x16"

static struct buf said[MARKS_DIED + 1];
static int starts, waits;

static void on_text(void *ctx, enum marks_part part, const char *bytes, size_t n)
{
	(void)ctx;
	buf_add(&said[part], bytes, n);
}

static void on_await(void *ctx)
{
	(void)ctx;
	waits++;
	assert_int_equal(said[MARKS_VPMU].size, 0);
}

static void on_start(void *ctx)
{
	(void)ctx;
	starts++;
	assert_int_equal(said[MARKS_IMAGE].size, 0);
}

static struct marks read_line(const char *line, size_t piece)
{
	struct marks m = {.text = on_text, .awaits = on_await, .started = on_start};
	const size_t n = strlen(line);

	starts = waits = 0;
	for (int i = 0; i <= MARKS_DIED; i++)
		said[i].size = 0;
	for (size_t at = 0; at < n; at += piece)
		marks_add(&m, line + at, n - at < piece ? n - at : piece);
	return m;
}

TEST(test_parts)
{
	static const char line[] =
		"firm" M "vpmu-await\nware " M M "vpmu-begin\nvpmu: skx\n" M "vpmu-start\n"
		"text " M "vpmu-begin\n" M "nothing\nmore" M "vpmu-end 800000000000000e\n\n";

	for (size_t piece = 1; piece <= sizeof(line); piece++) {
		const struct marks m = read_line(line, piece);

		assert_string_equal(buf_text(&said[MARKS_FIRMWARE]), "firmware " M);
		assert_string_equal(buf_text(&said[MARKS_VPMU]), "vpmu: skx\n");
		assert_string_equal(buf_text(&said[MARKS_IMAGE]),
				    "text " M "vpmu-begin\n" M "nothing\nmore");
		assert_int_equal(m.part, MARKS_ENDED);
		assert_true(m.status == UINT64_C(0x800000000000000e));
		assert_true(m.was_started);
		assert_int_equal(starts, 1);
		assert_int_equal(waits, 1);
	}
}

/* vpmu may end before it starts an image. */
TEST(test_not_started)
{
	const struct marks m =
		read_line(M "vpmu-begin\nvpmu: no file\n" M "vpmu-end 0000000000000003\n", 7);

	assert_int_equal(m.part, MARKS_ENDED);
	assert_false(m.was_started);
	assert_int_equal(starts, 0);
	assert_true(m.status == 3);
}

/* After the mark vpmu-died all text belongs to it, even text that looks like a mark. */
TEST(test_vpmu_dies)
{
	const struct marks m = read_line(
		M "vpmu-begin\n" M "vpmu-died\n" M "vpmu-start\n" M "vpmu-died\nrip 1\nwhy\n", 5);

	assert_int_equal(m.part, MARKS_DIED);
	assert_false(m.was_started);
	assert_string_equal(buf_text(&said[MARKS_DIED]),
			    M "vpmu-start\n" M "vpmu-died\nrip 1\nwhy\n");
	assert_int_equal(read_line(M "vpmu-died\n", 3).part, MARKS_FIRMWARE);
}

/* A line that is no mark, or that comes where no mark can be, is text of any length. */
TEST(test_no_marks)
{
	static const char *const lines[] = {
		M "vpmu-start\n",
		M "vpmu-await 0\n",
		M "vpmu-end 0000000000000000\n",
		M "vpmu-begi\n",
		M "vpmu-begin and much more than any mark has, and more, and more\n",
		M M M "\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(read_line(lines[i], 3).part, MARKS_FIRMWARE);
		assert_string_equal(buf_text(&said[MARKS_FIRMWARE]), lines[i]);
	}
	assert_int_equal(
		read_line(M "vpmu-begin\n" M "vpmu-end 12\n" M "vpmu-end 000000000000000g\n", 5)
			.part,
		MARKS_VPMU);
}

TEST(test_statuses)
{
	static const struct {
		uint64_t efi;
		int status;
	} rows[] = {
		{0, 0},
		{1, 1},
		{63, 63},
		{64, 123},
		{UINT64_C(1) << 63 | 1, 65},
		{UINT64_C(1) << 63 | 14, 78},
		{UINT64_C(1) << 63 | 58, 122},
		{UINT64_C(1) << 63 | 60, 123},
		{UINT64_MAX, 123},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(guest_status(rows[i].efi), rows[i].status);
}

FIXTURE(free_said)
{
	for (int i = 0; i <= MARKS_DIED; i++)
		buf_free(&said[i]);
	return 0;
}

GROUP(NULL, free_said);
