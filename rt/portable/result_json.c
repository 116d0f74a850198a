// SPDX-License-Identifier: BSD-2-Clause
/* result_json.c - see result_json.h. */
#include "rt/portable/result_json.h"

#include "include/perf0/truth.h"
#include "lib/plain.h"
#include "lib/printf.h"
#include "lib/string.h"

#define LINE_MOST 512

static void add_bytes(struct result_json *json, const char *bytes, size_t n)
{
	json->has_room = pieces_add(json->to, bytes, n) && json->has_room;
}

__attribute__((format(printf, 2, 3))) static void add_format(struct result_json *json,
							     const char *format, ...)
{
	char line[LINE_MOST];
	va_list args;

	va_start(args, format);
	add_bytes(json, line, (size_t)fmt_vprint(line, sizeof(line), format, args));
	va_end(args);
}

/* A string of JSON, of the `n` bytes at `text` up to a terminator. */
static void add_string(struct result_json *json, const char *text, size_t n)
{
	n = strnlen(text, n);
	add_bytes(json, "\"", 1);
	while (n) {
		const struct plain_step step = plain_json_step(text, n);

		add_bytes(json, step.text, step.made);
		text += step.taken;
		n -= step.taken;
	}
	add_bytes(json, "\"", 1);
}

/* The text behind a terminated string; NULL: none. */
static const char *next_string(const char *text, size_t *n)
{
	const size_t used = strnlen(text, *n) + 1;

	if (used >= *n)
		return NULL;
	*n -= used;
	return text + used;
}

static void add_named(struct result_json *json, const char *name, const char *text, size_t n)
{
	add_format(json, "\"%s\" : ", name);
	add_string(json, text, n);
}

/* HELLO: perf0's version, the CPU's vendor, its name. */
static void add_hello(struct result_json *json, const struct frame *frame)
{
	const char *at = (const char *)frame->payload + sizeof(struct wire_hello);
	size_t n = frame->length - sizeof(struct wire_hello);

	if (json->has_begun)
		return;
	add_named(json, "perf0", at, n);
	at = next_string(at, &n);
	at = at ? next_string(at, &n) : NULL;
	add_format(json, ", ");
	if (at) {
		add_named(json, "cpu", at, n);
		add_format(json, ",\n ");
	}
}

static void add_begin(struct result_json *json, const struct frame *frame)
{
	if (json->has_begun)
		return;
	json->has_begun = true;
	add_named(json, "command", (const char *)frame->payload + sizeof(struct wire_begin),
		  frame->length - sizeof(struct wire_begin));
	add_format(json, ",\n \"counts\" : [");
}

static void add_count(struct result_json *json, const struct frame *frame)
{
	const char *name = (const char *)frame->payload + sizeof(struct wire_count), *cgroup;
	size_t n = frame->length - sizeof(struct wire_count);
	struct wire_count count;

	if (!json->has_begun || json->has_result)
		return;
	memcpy(&count, frame->payload, sizeof(count));
	add_format(json, "%s\n  {\"cpu\" : %u, \"event\" : ", json->has_count ? "," : "",
		   count.cpu);
	json->has_count = true;
	add_string(json, name, n);
	cgroup = next_string(name, &n);
	if (cgroup) {
		add_format(json, ", ");
		add_named(json, "cgroup", cgroup, n);
	}
	if (count.error)
		add_format(json, ", \"errno\" : %d", -count.error);
	else
		add_format(json, ", \"value\" : %llu, \"enabled-ns\" : %llu, \"running-ns\" : %llu",
			   (unsigned long long)count.value, (unsigned long long)count.time_enabled,
			   (unsigned long long)count.time_running);
	if (*truth_name(count.truth))
		add_format(json, ", \"truth\" : \"%s\"", truth_name(count.truth));
	add_format(json, "}");
}

static void note_result(struct result_json *json, const struct frame *frame)
{
	if (json->has_begun && !json->has_result)
		memcpy(&json->result, frame->payload, sizeof(json->result));
	json->has_result = json->has_begun;
}

static void dispatch_frame(void *ctx, const struct frame *frame)
{
	static const struct {
		uint8_t type;
		size_t least;
		void (*take)(struct result_json *json, const struct frame *frame);
	} rows[] = {
		{WIRE_HELLO, sizeof(struct wire_hello), add_hello},
		{WIRE_BEGIN, sizeof(struct wire_begin), add_begin},
		{WIRE_COUNT, sizeof(struct wire_count), add_count},
		{WIRE_RESULT, sizeof(struct wire_result), note_result},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == frame->type && rows[i].least <= frame->length)
			rows[i].take(ctx, frame);
}

static void ignore_bytes(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

static void add_end(struct result_json *json)
{
	const struct wire_books *b = &json->result.books;

	if (!json->has_begun)
		add_format(json, "\"counts\" : [");
	add_format(json, "]");
	if (json->has_result)
		add_format(json,
			   ",\n \"status\" : %d,\n \"samples\" : {\"overflows\" : %llu, "
			   "\"written\" : %llu, \"lost\" : %llu, \"refused\" : %llu}",
			   json->result.status, (unsigned long long)b->overflows,
			   (unsigned long long)b->written, (unsigned long long)b->lost,
			   (unsigned long long)b->refused);
	add_format(json, "}\n");
}

bool result_json(struct result_json *room, struct pieces *to, const struct pieces *stream)
{
	const struct frame_sink sink = {dispatch_frame, ignore_bytes, ignore_bytes, room};

	memset(room, 0, sizeof(*room));
	room->to = to;
	room->has_room = true;
	frame_reader_init(&room->reader, &sink);
	add_format(room, "{");
	for (const struct piece *piece = stream->first; piece; piece = piece->next)
		frame_reader_feed(&room->reader, piece->bytes, piece->n);
	frame_reader_end(&room->reader);
	add_end(room);
	return room->has_room;
}
