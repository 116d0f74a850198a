// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tracingdata.c - formats of tracepoints: from a stream with any mistakes, and as the section
 * that libtraceevent reads, byte by byte.
 */
#include "tools/out/tracingdata.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"

static void send_tracepoint(struct synth *s)
{
	synth_hello(s, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 1});
	synth_begin(s, 0, "record -e a:b loop");
}

/* Expects `wanted` at `at`, and moves `at` to its end. */
static void expect_next(const struct buf *out, size_t *at, const void *wanted, size_t n)
{
	assert_true(*at + n <= out->size);
	assert_memory_equal(out->data + *at, wanted, n);
	*at += n;
}

static void comes_number(const struct buf *out, size_t *at, uint64_t wanted, size_t n)
{
	expect_next(out, at, &wanted, n);
}

static void comes_file(const struct buf *out, size_t *at, const char *wanted)
{
	comes_number(out, at, strlen(wanted), sizeof(uint64_t));
	expect_next(out, at, wanted, strlen(wanted));
}

TEST(test_section)
{
	static const uint8_t head[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g',
				       '0',  '.',  '6',  0,   0,   8,   0,   16,  0,   0};
	struct stream stream;
	struct buf out = {0};
	struct synth s = {0};
	uint64_t length;
	size_t at = 0;

	send_tracepoint(&s);
	synth_format(&s, 0, 5, "sched", "one", "name: one\n");
	synth_format(&s, 0, 7, "irq", "two", "name: two\n");
	synth_format(&s, 0, 5, "sched", "one", "name: one\n"); /* said again */
	synth_format(&s, 0, 6, "sched", "three", "name: three\n");
	stream_init(&stream);
	synth_read(&s.out, &stream);
	assert_int_equal(stream.malformed.frames, 0);
	assert_int_equal(stream.commands[0].nformats, 3);
	tracingdata_add(&out, &stream.commands[0]);
	expect_next(&out, &at, head, sizeof(head));
	expect_next(&out, &at, "header_page", 12);
	memcpy(&length, out.data + at, sizeof(length));
	at += sizeof(length) + length;
	expect_next(&out, &at, "header_event", 13);
	memcpy(&length, out.data + at, sizeof(length));
	at += sizeof(length) + length;
	comes_number(&out, &at, 0, 4); /* ftrace's own */
	comes_number(&out, &at, 2, 4);
	expect_next(&out, &at, "sched", 6);
	comes_number(&out, &at, 2, 4);
	comes_file(&out, &at, "name: one\n");
	comes_file(&out, &at, "name: three\n");
	expect_next(&out, &at, "irq", 4);
	comes_number(&out, &at, 1, 4);
	comes_file(&out, &at, "name: two\n");
	comes_number(&out, &at, 0, 4); /* kallsyms */
	comes_number(&out, &at, 0, 4); /* printk */
	comes_number(&out, &at, 0, 8); /* command lines */
	assert_int_equal(at, out.size);
	buf_free(&out);
	stream_free(&stream);
	buf_free(&s.out);
}

TEST(test_malformed)
{
	const struct wire_format head = {.command = 0, .id = 3};
	struct buf payload = {0};
	struct stream stream;
	struct synth s = {0};

	send_tracepoint(&s);
	synth_frame(&s, WIRE_FORMAT, WIRE_STREAM_MAIN, &head, sizeof(head) - 1);
	synth_frame(&s, WIRE_FORMAT, WIRE_STREAM_MAIN, &head, sizeof(head));
	buf_add(&payload, &head, sizeof(head));
	buf_add(&payload, "a\0b\0not terminated", 18);
	synth_main(&s, WIRE_FORMAT, &payload);
	synth_format(&s, 9, 3, "a", "b", "of a command that never began");
	stream_init(&stream);
	synth_read(&s.out, &stream);
	assert_int_equal(stream.malformed.frames, 3);
	assert_int_equal(stream.stray.frames, 1);
	assert_int_equal(stream.commands[0].nformats, 0);
	stream_free(&stream);
	buf_free(&s.out);
}
