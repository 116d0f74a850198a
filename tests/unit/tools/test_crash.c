// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_crash.c - reports of crashes from frames that are cut, out of order, or name missing things:
 * the report has exactly the parts that make sense.
 */
#include "tools/program/crash.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/wire_frames.h"

static struct crashes crashes;
static char said[65536];

static void send_part(const struct wire_crash *head, const void *more, size_t n)
{
	struct frame frame = {.type = WIRE_CRASH, .stream = WIRE_STREAM_MAIN};
	uint8_t payload[WIRE_MAX_PAYLOAD];

	memcpy(payload, head, sizeof(*head));
	memcpy(payload + sizeof(*head), more, n);
	frame.payload = (void *)payload;
	frame.length = (uint16_t)(sizeof(*head) + n);
	crashes_frame(&crashes, &frame);
}

static void send_begin(uint64_t ip, uint64_t sp, const char *strings, size_t n)
{
	const struct wire_crash head = {.part = WIRE_CRASH_BEGIN, .pid = 7, .tid = 8};
	uint64_t more[WIRE_CRASH_REGS + 16] = {[7] = sp, [16] = ip};

	memcpy(more + WIRE_CRASH_REGS, strings, n);
	send_part(&head, more, WIRE_CRASH_REGS * sizeof(*more) + n);
}

static void send_map_of(uint64_t start, uint64_t offset, const char *path)
{
	const struct wire_crash head = {
		.part = WIRE_CRASH_MAP, .start = start, .end = start + 0x1000, .offset = offset};

	send_part(&head, path, strlen(path) + 1);
}

static void send_map(uint64_t start, const char *path)
{
	send_map_of(start, 0, path);
}

static void send_memory(uint64_t at, const void *bytes, size_t n)
{
	const struct wire_crash head = {.part = WIRE_CRASH_MEMORY, .start = at, .end = at + n};

	send_part(&head, bytes, n);
}

static void send_end(void)
{
	const struct wire_crash head = {.part = WIRE_CRASH_END};

	send_part(&head, "", 0);
}

/* Returns the text that `fn` writes to standard error. */
static const char *stderr_of(void (*fn)(void))
{
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	fn();
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
	return said;
}

static void nowhere(void)
{
	send_begin(0, 0x7000, "prog\0it fell", 13);
	send_map(0x400000, "/nonexistent/file");
	send_map(UINT64_MAX, "");
	send_memory(0x7000, "12345678", 8);
	send_end();
}

TEST(test_what_is_not_there)
{
	assert_string_equal(stderr_of(nowhere),
			    "perf0: prog (process 7, thread 8) ended: it fell\n");
}

static void parts_without_begin(void)
{
	send_map(0x400000, "/bin/sh");
	send_memory(0, "x", 1);
	send_end();
}

static void cut(void)
{
	const struct wire_crash head = {.part = WIRE_CRASH_BEGIN};
	const struct frame frame = {.type = WIRE_CRASH, .length = 4, .payload = "\0\1\2\3"};

	crashes_frame(&crashes, &frame);
	send_part(&head, "short", 5);
	send_end();
}

static void not_ended(void)
{
	send_begin(1, 2, "a", 2);
	send_begin(1, 2, "b", 2);
	crashes_end(&crashes);
	send_end();
}

TEST(test_incomplete)
{
	assert_string_equal(stderr_of(parts_without_begin), "");
	assert_string_equal(stderr_of(cut), "");
	assert_string_equal(stderr_of(not_ended), "");
}

/* Strings without an end, unknown parts, memory with gaps and at the end of the address space. */
static void odd(void)
{
	const struct wire_crash unknown = {.part = 9};

	send_begin(0x400010, UINT64_MAX - 3, "unended", 7);
	send_part(&unknown, "what", 4);
	send_map(0x400000, "/proc/self/exe");
	send_memory(UINT64_MAX - 3, "1234", 4);
	send_memory(0, "5678", 4);
	send_memory(0x5000, "gap", 3);
	send_end();
}

TEST(test_odd)
{
	assert_non_null(
		strstr(stderr_of(odd), "perf0: unended (process 7, thread 8) ended: \nperf0: #0"));
}

/* A file has a map for each code segment, and for each part whose protection changed. */
static void several_maps(void)
{
	const uint64_t loaded = 0x10000000;
	Dl_info own;

	assert_true(dladdr((const void *)(uintptr_t)several_maps, &own));
	send_begin(loaded + ((uintptr_t)several_maps - (uintptr_t)own.dli_fbase), 0x7000, "p\0w",
		   4);
	for (uint64_t at = 0; at < 0x4000; at += 0x1000)
		send_map_of(loaded + at, at, "/proc/self/exe");
	send_end();
}

TEST(test_several_maps)
{
	assert_non_null(strstr(stderr_of(several_maps), " in several_maps+0x0 at test_crash.c:"));
}
