// SPDX-License-Identifier: BSD-2-Clause
/* stream_record.c - see stream_record.h. */
#include "tools/stream/stream_record.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define WORD      8 /* bytes of each field that is read here */
#define NAME_ROOM 8 /* names are padded to a multiple of this */
#define COMM_MAX  15

/* The fields at the start of a sample, and those at the end of any other record, in their order. */
static const uint64_t sample_fields[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, 0,
};
static const uint64_t trailer_fields[] = {
	PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,
	PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,
	PERF_SAMPLE_CPU,
	PERF_SAMPLE_IDENTIFIER,
	0,
};

struct mmap2_body {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint8_t build_id_size;
	uint8_t reserved[3];
	uint8_t build_id[20];
	uint32_t prot, flags;
};
_Static_assert(sizeof(struct mmap2_body) == 64, "as in PERF_RECORD_MMAP2");

/* Returns the size of those `fields` that `type` includes, up to `until` (0: all). */
static size_t bytes_of_fields(const uint64_t *fields, uint64_t type, uint64_t until)
{
	size_t n = 0;

	for (; *fields && *fields != until; fields++)
		if (type & *fields)
			n += WORD;
	return n;
}

static size_t trailer_size(const struct perf_event_attr *attr)
{
	return attr->sample_id_all ? bytes_of_fields(trailer_fields, attr->sample_type, 0) : 0;
}

static bool read_word(const struct perf_event_header *record, size_t offset, uint64_t *word)
{
	*word = 0;
	if (offset < sizeof(*record) || offset + WORD > record->size)
		return false;
	memcpy(word, (const uint8_t *)record + offset, WORD);
	return true;
}

static const struct stream_event *event_of_id(const struct record_format *format, uint64_t id)
{
	const struct stream_event *event =
		format->command ? stream_event_of_id(format->command, id, NULL) : NULL;

	return event ? event : &format->events[0];
}

/* IDENTIFIER is the first field of a sample and the last one of any other record. So it can be
 * read before the record's event is known. */
bool record_id(const struct record_format *format, const struct perf_event_header *record,
	       uint64_t *id)
{
	const bool is_sample = record->type == PERF_RECORD_SAMPLE;
	const struct perf_event_attr *first;

	if (!format->nevents)
		return false;
	first = &format->events[0].attr;
	if (!(first->sample_type & PERF_SAMPLE_IDENTIFIER) || (!is_sample && !first->sample_id_all))
		return false;
	return read_word(record, is_sample ? sizeof(*record) : (size_t)record->size - WORD, id);
}

const struct stream_event *record_event(const struct record_format *format,
					const struct perf_event_header *record)
{
	uint64_t id;

	if (format->nevents == 1 || !record_id(format, record, &id))
		return &format->events[0];
	return event_of_id(format, id);
}

static const struct perf_event_attr *record_attr(const struct record_format *format,
						 const struct perf_event_header *record)
{
	return &record_event(format, record)->attr;
}

/* Reads `field` of a sample, or of the trailer of any other record. */
static bool read_field(const struct record_format *format, const struct perf_event_header *record,
		       uint64_t field, uint64_t *word)
{
	const struct perf_event_attr *attr = record_attr(format, record);
	uint64_t type = attr->sample_type;
	size_t trailer = trailer_size(attr);

	*word = 0;
	if (!(type & field))
		return false;
	if (record->type == PERF_RECORD_SAMPLE)
		return read_word(record,
				 sizeof(*record) + bytes_of_fields(sample_fields, type, field),
				 word);
	if (record->size < sizeof(*record) + trailer || !trailer)
		return false;
	return read_word(record,
			 record->size - trailer + bytes_of_fields(trailer_fields, type, field),
			 word);
}

bool record_time(const struct record_format *format, const struct perf_event_header *record,
		 uint64_t *ns)
{
	return read_field(format, record, PERF_SAMPLE_TIME, ns);
}

bool record_sample_task(const struct record_format *format, const struct perf_event_header *record,
			uint64_t *task)
{
	uint64_t word;

	if (record->type != PERF_RECORD_SAMPLE ||
	    !read_field(format, record, PERF_SAMPLE_TID, &word))
		return false;
	*task = record_task((uint32_t)word, (uint32_t)(word >> 32));
	return true;
}

bool record_map(const struct perf_event_header *record, struct record_map *map)
{
	const struct mmap2_body *body = (const void *)(record + 1);
	const size_t fixed = sizeof(*record) + sizeof(*body);
	const char *path = (const char *)(body + 1);

	if (record->size < fixed)
		return false;
	*map = (struct record_map){
		.pid = body->pid,
		.tid = body->tid,
		.addr = body->addr,
		.len = body->len,
		.pgoff = body->pgoff,
		.path = memchr(path, 0, record->size - fixed) ? path : NULL,
	};
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    body->build_id_size <= sizeof(body->build_id)) {
		map->build_id = body->build_id;
		map->build_id_size = body->build_id_size;
	}
	return true;
}

/* Adds a name, terminated and padded. A name that would make the record too large is cut. */
static void add_padded_name(struct buf *out, const char *name, size_t max)
{
	size_t start = out->size;

	buf_add(out, name, strnlen(name, max));
	buf_extend(out, 1);
	buf_pad(out, start, NAME_ROOM);
}

void record_close(struct buf *out, size_t start, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(out->size - start),
	};

	memcpy(out->data + start, &header, sizeof(header));
}

void record_add_map(struct buf *out, const struct record_format *format,
		    const struct record_map *map)
{
	struct mmap2_body body = {
		.pid = map->pid,
		.tid = map->tid,
		.addr = map->addr,
		.len = map->len,
		.pgoff = map->pgoff,
		.build_id_size = (uint8_t)map->build_id_size,
		.prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE,
	};
	size_t start = out->size;

	memcpy(body.build_id, map->build_id, map->build_id_size);
	buf_extend(out, sizeof(struct perf_event_header));
	buf_add(out, &body, sizeof(body));
	add_padded_name(out, map->path, PATH_MAX);
	buf_extend(out, trailer_size(&format->events[0].attr));
	record_close(out, start, PERF_RECORD_MMAP2,
		     PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
}

void record_add_comm(struct buf *out, const struct record_format *format, uint64_t task,
		     const char *name)
{
	size_t start = out->size;

	buf_extend(out, sizeof(struct perf_event_header));
	buf_add_u32(out, (uint32_t)(task >> 32));
	buf_add_u32(out, (uint32_t)task);
	add_padded_name(out, name, COMM_MAX);
	buf_extend(out, trailer_size(&format->events[0].attr));
	record_close(out, start, PERF_RECORD_COMM, 0);
}

/* Returns the value of a trailer's field in a record of the tool's own. */
static uint64_t made_up(const struct stream_event *event, uint64_t field, uint64_t ns)
{
	switch (field) {
	case PERF_SAMPLE_TIME:
		return ns;
	case PERF_SAMPLE_ID:
	case PERF_SAMPLE_STREAM_ID:
	case PERF_SAMPLE_IDENTIFIER:
		return event->nids ? event->ids[0] : 0;
	default:
		return 0;
	}
}

void record_add_lost(struct buf *out, const struct record_format *format, uint64_t ns,
		     uint64_t lost)
{
	const struct stream_event *event = &format->events[0];
	size_t start = out->size;

	buf_extend(out, sizeof(struct perf_event_header));
	buf_add_u64(out, lost);
	for (const uint64_t *field = trailer_fields; event->attr.sample_id_all && *field; field++)
		if (event->attr.sample_type & *field)
			buf_add_u64(out, made_up(event, *field, ns));
	record_close(out, start, PERF_RECORD_LOST_SAMPLES, 0);
}

void record_add_renamed(struct buf *out, const struct record_format *format,
			const struct perf_event_header *record, const char *path)
{
	const uint8_t *bytes = (const void *)record;
	size_t fixed = sizeof(*record) + sizeof(struct mmap2_body), start = out->size;
	size_t trailer = trailer_size(record_attr(format, record));

	if (record->size < fixed + trailer)
		trailer = 0;
	buf_add(out, bytes, fixed);
	add_padded_name(out, path, PATH_MAX);
	buf_add(out, bytes + record->size - trailer, trailer);
	record_close(out, start, record->type, record->misc);
}
