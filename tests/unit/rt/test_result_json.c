// SPDX-License-Identifier: BSD-2-Clause
/* test_result_json.c - the JSON object for a command's frames, whole and damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include <json-c/json.h>

#include "include/perf0/truth.h"
#include "rt/portable/result_json.h"
#include "tests/shim/shim_heap.h"

static struct pieces stream, json;
static struct result_json room;
static uint32_t seq;

static void send_frame(uint8_t type, const void *head, size_t nhead, const char *rest, size_t nrest)
{
	uint8_t frame[FRAME_MAX_SIZE], payload[WIRE_MAX_PAYLOAD] __attribute__((aligned(8)));

	memcpy(payload, head, nhead);
	memcpy(payload + nhead, rest, nrest);
	assert_true(pieces_add(
		&stream, frame,
		frame_encode(frame, type, WIRE_STREAM_MAIN, seq++, payload, nhead + nrest)));
}

#define STRINGS(s) (s), sizeof(s)

static void add_hello(void)
{
	const struct wire_hello hello = {.version = WIRE_VERSION};

	send_frame(WIRE_HELLO, &hello, sizeof(hello), STRINGS("1.2\0GenuineIntel\0A \"CPU\"\0"));
}

static void add_command(void)
{
	const struct wire_begin begin = {.command = 3};
	const struct wire_count counts[] = {
		{.value = UINT64_MAX, .time_enabled = 5, .time_running = 4, .truth = TRUTH_EXACT},
		{.cpu = 2, .error = -2},
	};
	const struct wire_result result = {
		.status = 7,
		.books = {.overflows = 6, .written = 3, .lost = 2, .refused = 1},
	};

	send_frame(WIRE_BEGIN, &begin, sizeof(begin), STRINGS("stat \"x\"\n\033"));
	send_frame(WIRE_COUNT, &counts[0], sizeof(counts[0]), STRINGS("instructions:u\0/a"));
	send_frame(WIRE_COUNT, &counts[1], sizeof(counts[1]), STRINGS("r\377"));
	send_frame(WIRE_RESULT, &result, sizeof(result), "", 0);
}

/* Returns the object, which a JSON parser must accept. */
static struct json_object *make_json(void)
{
	char *text;
	struct json_object *object;
	size_t n = 0;

	assert_true(result_json(&room, &json, &stream));
	text = calloc(1, json.bytes + 1);
	for (const struct piece *piece = json.first; piece; piece = piece->next) {
		memcpy(text + n, piece->bytes, piece->n);
		n += piece->n;
	}
	object = json_tokener_parse(text);
	if (!object)
		fail_msg("this is no JSON: %s", text);
	free(text);
	pieces_free(&json);
	pieces_free(&stream);
	seq = 0;
	return object;
}

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : "none";
}

TEST(a_command_is_an_object)
{
	struct json_object *o, *counts, *samples;

	add_hello();
	add_command();
	add_command(); /* only the first one is told */
	o = make_json();
	assert_string_equal(text_of(o, "perf0"), "1.2");
	assert_string_equal(text_of(o, "cpu"), "A \"CPU\"");
	assert_string_equal(text_of(o, "command"), "stat \"x\"\n\033");
	assert_string_equal(text_of(o, "status"), "7");
	assert_true(json_object_object_get_ex(o, "counts", &counts));
	assert_int_equal(json_object_array_length(counts), 2);
	assert_string_equal(text_of(json_object_array_get_idx(counts, 0), "event"),
			    "instructions:u");
	assert_int_equal(json_object_get_uint64(json_object_object_get(
				 json_object_array_get_idx(counts, 0), "value")),
			 UINT64_MAX);
	assert_string_equal(text_of(json_object_array_get_idx(counts, 0), "running-ns"), "4");
	assert_string_equal(text_of(json_object_array_get_idx(counts, 0), "truth"), "exact");
	assert_string_equal(text_of(json_object_array_get_idx(counts, 0), "cgroup"), "/a");
	assert_string_equal(text_of(json_object_array_get_idx(counts, 1), "errno"), "2");
	assert_string_equal(text_of(json_object_array_get_idx(counts, 1), "cpu"), "2");
	assert_string_equal(text_of(json_object_array_get_idx(counts, 1), "value"), "none");
	assert_true(json_object_object_get_ex(o, "samples", &samples));
	assert_string_equal(text_of(samples, "lost"), "2");
	json_object_put(o);
}

/* A stream that is cut at any byte, or has any byte changed, still gives an object. */
TEST(damage_is_still_json)
{
	struct pieces whole;

	add_hello();
	add_command();
	pieces_move(&whole, &stream);
	assert_ptr_equal(whole.first, whole.last);
	for (size_t n = 0; n < whole.bytes; n++) {
		assert_true(pieces_add(&stream, whole.first->bytes, n));
		json_object_put(make_json());
		whole.first->bytes[n] ^= 0x40;
		assert_true(pieces_add(&stream, whole.first->bytes, whole.bytes));
		whole.first->bytes[n] ^= 0x40;
		json_object_put(make_json());
	}
	pieces_free(&whole);
}

TEST(no_memory_is_told)
{
	add_hello();
	json.most = 50;
	assert_false(result_json(&room, &json, &stream));
	pieces_free(&json);
	pieces_free(&stream);
	json.most = 0;
	assert_int_equal(shim_heap.pieces, 0);
}
