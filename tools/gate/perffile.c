// SPDX-License-Identifier: BSD-2-Clause
/*
 * perffile.c - see perffile.h. tools/perf/Documentation/perf.data-file-format.txt defines the
 * layout.
 */
#include "tools/gate/perffile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

#define MAGIC             "PERFILE2"
#define EVENT_DESC        12 /* bit of the feature */
#define RECORD_AUXTRACE   71 /* the record is followed by its trace */
#define RECORD_COMPRESSED 81
#define FEATURES          256
#define EVENTS_IN_FILE    4096

struct section {
	uint64_t offset, size; /* bytes */
};

struct head {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};
_Static_assert(sizeof(struct head) == 104, "as perf has it");

/* A file that is being read. */
struct perffile {
	const uint8_t *bytes;
	size_t n;
	struct head head;
	struct stream_command *command;
};

bool perffile_is(const uint8_t *bytes, size_t n)
{
	return n >= strlen(MAGIC) && !memcmp(bytes, MAGIC, strlen(MAGIC));
}

static bool is_inside(const struct perffile *f, uint64_t offset, uint64_t size)
{
	return offset <= f->n && size <= f->n - offset;
}

static void take_ids(struct perffile *f, struct stream_event *event, size_t number,
		     const struct section *ids)
{
	if (!is_inside(f, ids->offset, ids->size) || ids->size / 8 > UINT16_MAX)
		return;
	event->nids = (uint32_t)(ids->size / 8);
	event->ids = memory_checked(calloc(event->nids + 1, sizeof(*event->ids)));
	event->cpus = memory_checked(calloc(event->nids + 1, sizeof(*event->cpus)));
	memcpy(event->ids, f->bytes + ids->offset, event->nids * sizeof(*event->ids));
	for (uint32_t i = 0; i < event->nids; i++) {
		event->cpus[i] = WIRE_ANY_CPU;
		index_add(&f->command->by_id, event->ids[i], 0, number << 16 | i);
	}
}

static int take_events(struct perffile *f, struct reason *why)
{
	const struct head *h = &f->head;
	const size_t each = h->attr_size, attr_size = each - sizeof(struct section);
	struct stream_command *command = f->command;

	if (each < PERF_ATTR_SIZE_VER0 + sizeof(struct section) || each > 4096 ||
	    !is_inside(f, h->attrs.offset, h->attrs.size) || !h->attrs.size ||
	    h->attrs.size / each > EVENTS_IN_FILE)
		return refuse(why, EINVAL, "its events are not whole");
	command->nevents = h->attrs.size / each;
	command->events = memory_checked(calloc(command->nevents, sizeof(*command->events)));
	for (size_t i = 0; i < command->nevents; i++) {
		const uint8_t *at = f->bytes + h->attrs.offset + i * each;
		struct stream_event *event = &command->events[i];
		struct section ids;
		char name[32];

		memcpy(&event->attr, at,
		       attr_size < sizeof(event->attr) ? attr_size : sizeof(event->attr));
		memcpy(&ids, at + attr_size, sizeof(ids));
		snprintf(name, sizeof(name), "event %zu", i + 1);
		event->name = copy_text(name, strlen(name));
		take_ids(f, event, i, &ids);
	}
	return 0;
}

/* Finds a feature's section; size 0: the file has none. */
static struct section find_feature(const struct perffile *f, unsigned bit)
{
	uint64_t at = f->head.data.offset + f->head.data.size;
	struct section section = {0};

	for (unsigned i = 0; i < FEATURES; i++) {
		if (!(f->head.features[i / 64] >> i % 64 & 1))
			continue;
		if (!is_inside(f, at, sizeof(section)))
			return (struct section){0};
		memcpy(&section, f->bytes + at, sizeof(section));
		if (i == bit)
			return is_inside(f, section.offset, section.size) ? section
									  : (struct section){0};
		at += sizeof(section);
	}
	return (struct section){0};
}

static uint32_t take_u32(const struct perffile *f, uint64_t *at, uint64_t end)
{
	uint32_t value = 0;

	if (end - *at < sizeof(value)) {
		*at = end;
		return 0;
	}
	memcpy(&value, f->bytes + *at, sizeof(value));
	*at += sizeof(value);
	return value;
}

static void skip_bytes(uint64_t *at, uint64_t end, uint64_t n)
{
	*at = n < end - *at ? *at + n : end;
}

/* Takes the event names of the feature. Other events keep their numbers. */
static void take_event_names(struct perffile *f)
{
	const struct section s = find_feature(f, EVENT_DESC);
	uint64_t at = s.offset;
	const uint64_t end = s.offset + s.size;
	uint32_t n = take_u32(f, &at, end), attr_size = take_u32(f, &at, end);

	for (uint32_t i = 0; i < n && i < f->command->nevents && at < end; i++) {
		uint32_t nids, length;

		skip_bytes(&at, end, attr_size);
		nids = take_u32(f, &at, end);
		length = take_u32(f, &at, end);
		if (at < end && length <= end - at) {
			const char *name = (const char *)f->bytes + at;

			free(f->command->events[i].name);
			f->command->events[i].name = copy_text(name, strnlen(name, length));
		}
		skip_bytes(&at, end, length);
		skip_bytes(&at, end, nids * UINT64_C(8));
	}
}

/* Adds all records without additional data to `out`. */
static int copy_records(struct perffile *f, struct buf *out, struct reason *why)
{
	const struct section *data = &f->head.data;
	uint64_t at = data->offset;
	uint64_t end = data->offset + data->size;

	if (!is_inside(f, data->offset, data->size))
		return refuse(why, EINVAL, "it is cut off: its records are not whole");
	while (end - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		uint64_t behind = 0;

		memcpy(&header, f->bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > end - at)
			return refuse(why, EINVAL, "a record at byte %llu is not whole",
				      (unsigned long long)at);
		if (header.type == RECORD_COMPRESSED)
			return refuse(why, EINVAL,
				      "its records are compressed, which is not read here");
		if (header.type == RECORD_AUXTRACE && header.size >= sizeof(header) + 8)
			memcpy(&behind, f->bytes + at + sizeof(header), sizeof(behind));
		if (header.type < PERF_RECORD_MAX)
			buf_add(out, f->bytes + at, header.size);
		if (header.type == PERF_RECORD_SAMPLE)
			f->command->samples++;
		skip_bytes(&at, end, header.size);
		skip_bytes(&at, end, behind);
	}
	return 0;
}

static int keep_records(struct perffile *f, struct reason *why)
{
	struct stream_chunk chunk = {.kind = STREAM_PLAIN};
	struct buf records = {0};
	int err = copy_records(f, &records, why);

	if (!err && records.size > UINT32_MAX)
		err = refuse(why, EFBIG, "its records are too many");
	if (!err) {
		chunk.size = (uint32_t)records.size;
		buf_add(&f->command->chunks, &chunk, sizeof(chunk));
		buf_add(&f->command->chunks, records.data, records.size);
		f->command->received = records.size;
	}
	buf_free(&records);
	return err;
}

int perffile_read(struct stream *stream, const uint8_t *bytes, size_t n, struct reason *why)
{
	struct perffile f = {.bytes = bytes, .n = n};
	int err;

	if (n < sizeof(f.head))
		return refuse(why, EINVAL, "it is cut off: its header is not whole");
	memcpy(&f.head, bytes, sizeof(f.head));
	stream->commands = memory_checked(calloc(1, sizeof(*stream->commands)));
	stream->ncommands = 1;
	f.command = stream->commands;
	f.command->line = copy_text("", 0);
	err = take_events(&f, why);
	if (!err)
		err = keep_records(&f, why);
	if (!err)
		take_event_names(&f);
	return err;
}
