// SPDX-License-Identifier: BSD-2-Clause
/*
 * perfpipe.c - see perfpipe.h. tools/lib/perf/include/perf/event.h defines the types and layouts of
 * the records. perf requires the attributes before all others.
 */
#include "tools/out/perfpipe.h"

#include <string.h>

#include "tools/out/features.h"
#include "tools/out/perfdata.h"
#include "tools/stream/stream_record.h"

/* Record types that only perf itself uses; the kernel's numbers end at 63. */
enum {
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_HEADER_FEATURE = 80,
};

#define FEATURE_TRACING_DATA 1
#define FEATURE_BUILD_ID     2
#define SECTION_MAX          65000 /* bytes; a record is smaller than 64 KiB */

struct pipe_header {
	char magic[8];
	uint64_t size;
};

static void add_attr(struct buf *out, const struct stream_event *event)
{
	const struct perf_event_attr attr = perfdata_attr(event);
	size_t start = out->size;

	buf_extend(out, sizeof(struct perf_event_header));
	buf_add(out, &attr, sizeof(attr));
	buf_add(out, event->ids, event->nids * sizeof(uint64_t));
	record_close(out, start, RECORD_HEADER_ATTR, 0);
}

/* Adds the section behind its record, which only contains the section's size. */
static void pipe_tracing_data(struct buf *out, const struct buf *section)
{
	size_t start = out->size, at;

	buf_extend(out, sizeof(struct perf_event_header));
	buf_add_u32(out, (uint32_t)((section->size + 7) & ~(size_t)7));
	record_close(out, start, RECORD_HEADER_TRACING_DATA, 0);
	at = out->size;
	buf_add(out, section->data, section->size);
	buf_pad(out, at, sizeof(uint64_t));
}

/* Adds build-ids. The section consists of records already, but without their type. */
static void pipe_build_ids(struct buf *out, const struct buf *section)
{
	struct perf_event_header header;

	for (size_t at = 0; at < section->size; at += header.size) {
		memcpy(&header, section->data + at, sizeof(header));
		header.type = RECORD_HEADER_BUILD_ID;
		buf_add(out, &header, sizeof(header));
		buf_add(out, section->data + at + sizeof(header), header.size - sizeof(header));
	}
}

static void add_section(struct buf *out, unsigned bit, const struct buf *section)
{
	size_t start = out->size;

	buf_extend(out, sizeof(struct perf_event_header));
	buf_add_u64(out, bit);
	buf_add(out, section->data, section->size);
	buf_pad(out, start, sizeof(uint64_t));
	record_close(out, start, RECORD_HEADER_FEATURE, 0);
}

/*
 * Adds a feature. Empty features are omitted, because perf derives them itself. So are features
 * that are too large for a record, such as the names of hundreds of events.
 */
static void add_feature(struct buf *out, unsigned bit, const struct features_input *input)
{
	struct buf section = {0};

	if (!features_add(&section, bit, input))
		return;
	if (bit == FEATURE_TRACING_DATA)
		pipe_tracing_data(out, &section);
	else if (bit == FEATURE_BUILD_ID)
		pipe_build_ids(out, &section);
	else if (section.size && section.size <= SECTION_MAX)
		add_section(out, bit, &section);
	buf_free(&section);
}

int perfpipe_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why)
{
	const struct pipe_header header = {
		.magic = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'},
		.size = sizeof(header),
	};
	struct features_input input;
	int err = perfdata_check(stream, command, why);

	if (err)
		return err;
	input = perfdata_input(stream, command, elf);
	buf_add(out, &header, sizeof(header));
	for (size_t i = 0; i < command->nevents; i++)
		add_attr(out, &command->events[i]);
	for (unsigned bit = 0; bit < FEATURE_BITS; bit++)
		add_feature(out, bit, &input);
	features_free(&input);
	perfdata_add_records(out, stream, command, elf);
	return 0;
}
