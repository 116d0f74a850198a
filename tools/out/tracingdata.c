// SPDX-License-Identifier: BSD-2-Clause
/*
 * tracingdata.c - see tracingdata.h. trace-cmd.dat.v6(5) describes the layout, trace.dat version
 * 0.5 and 0.6: each item is a length and that many bytes.
 */
#include "tools/out/tracingdata.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

/* The head of a ring buffer's page, equal on all 64-bit machines. Samples have none, but readers
 * require it. */
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n";

static void add_tracing_string(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

static void add_sized_text(struct buf *out, const char *text)
{
	buf_add_u64(out, strlen(text));
	buf_add(out, text, strlen(text));
}

static void add_header(struct buf *out)
{
	static const uint8_t magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	static const uint8_t little_endian_64[] = {0, sizeof(uint64_t)};

	buf_add(out, magic, sizeof(magic));
	add_tracing_string(out, "0.6");
	buf_add(out, little_endian_64, sizeof(little_endian_64));
	buf_add_u32(out, PAGE_BYTES);
	add_tracing_string(out, "header_page");
	add_sized_text(out, header_page);
	add_tracing_string(out, "header_event");
	add_sized_text(out, header_event);
}

/* A format, with keys that bring formats of one system together. */
struct place {
	const struct stream_format *format;
	size_t order; /* its position in the stream */
	size_t first; /* position of its system's first format */
};

static int compare_systems(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->format->system, y->format->system);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int compare_field_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Sorts formats by the position of their system's first format. Returns the number of systems. */
static uint32_t sort_formats(struct buf *places, const struct stream_command *command)
{
	size_t n = command->nformats;
	struct place *place = buf_extend(places, n * sizeof(*place));
	uint32_t systems = 0;

	for (size_t i = 0; i < n; i++)
		place[i] = (struct place){.format = &command->formats[i], .order = i};
	if (n)
		qsort(place, n, sizeof(*place), compare_systems);
	for (size_t i = 0; i < n; i++) {
		bool is_new = !i || strcmp(place[i - 1].format->system, place[i].format->system);

		place[i].first = is_new ? place[i].order : place[i - 1].first;
		systems += is_new;
	}
	if (n)
		qsort(place, n, sizeof(*place), compare_field_places);
	return systems;
}

/* Adds one system, whose formats are `place` to `end`. */
static void add_system(struct buf *out, const struct place *place, const struct place *end)
{
	add_tracing_string(out, place->format->system);
	buf_add_u32(out, (uint32_t)(end - place));
	for (; place < end; place++)
		add_sized_text(out, place->format->text);
}

static void add_events(struct buf *out, const struct stream_command *command)
{
	struct buf places = {0};
	uint32_t systems = sort_formats(&places, command);
	const struct place *place = (const void *)places.data, *end, *last = place;

	buf_add_u32(out, systems);
	if (place)
		last = place + command->nformats;
	for (; place < last; place = end) {
		for (end = place + 1; end < last && end->first == place->first; end++)
			;
		add_system(out, place, end);
	}
	buf_free(&places);
}

void tracingdata_add(struct buf *out, const struct stream_command *command)
{
	add_header(out);
	buf_add_u32(out, 0); /* number of ftrace's own formats */
	add_events(out, command);
	buf_add_u32(out, 0); /* bytes of kallsyms: maps resolve addresses */
	buf_add_u32(out, 0); /* number of trace_printk's formats */
	buf_add_u64(out, 0); /* bytes of task names: COMM records contain them */
}
