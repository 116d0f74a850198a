// SPDX-License-Identifier: BSD-2-Clause
/*
 * perfdata.c - see perfdata.h. tools/perf/Documentation/perf.data-file-format.txt defines the
 * layout: header, attributes with their ids, data, then a {offset, size} pair for each feature bit,
 * and the features. Records are written as they become known. Earlier parts that depend on later
 * ones are rewritten at the end.
 */
#include "tools/out/perfdata.h"

#include <errno.h>
#include <string.h>

#include "tools/out/auxtrace.h"
#include "tools/out/features.h"
#include "tools/stream/stream_record.h"
#include "tools/stream/stream_sample.h"
#include "tools/out/sideband.h"
#include "tools/stream/timeline.h"

struct file_section {
	uint64_t offset, size; /* bytes */
};

struct file_attr {
	char attr[PERFDATA_ATTR_SIZE];
	struct file_section ids;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct file_section attrs, data, event_types;
	uint64_t features[4]; /* one bit each */
};
_Static_assert(sizeof(struct file_header) == 104, "as perf has it");
_Static_assert(sizeof(struct perf_event_attr) >= PERFDATA_ATTR_SIZE, "the ABI that is written");

/* With several events, perf needs the identifier at the same place of every record. */
int perfdata_check(const struct stream *stream, const struct stream_command *command,
		   struct reason *why)
{
	const struct stream_event *event = command->events;

	if (!stream->has_hello)
		return refuse(why, EINVAL, "no HELLO: nothing says which image this was");
	if (!stream_is_recording(command))
		return refuse(why, EINVAL, "command %u recorded nothing", command->number);
	for (size_t i = 0; i < command->nevents; i++) {
		if (command->nevents > 1 && !(event[i].attr.sample_type & PERF_SAMPLE_IDENTIFIER))
			return refuse(why, EINVAL, "event '%s' has no IDENTIFIER in its samples",
				      event[i].name);
		if (event[i].attr.sample_id_all != event[0].attr.sample_id_all)
			return refuse(why, EINVAL, "events '%s' and '%s' differ in sample_id_all",
				      event[0].name, event[i].name);
	}
	return 0;
}

/*
 * Excludes the kernel, about which perf would only warn here. The event's name still tells whether
 * the kernel was counted.
 */
struct perf_event_attr perfdata_attr(const struct stream_event *event)
{
	struct perf_event_attr attr = event->attr;

	attr.size = PERFDATA_ATTR_SIZE;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return attr;
}

static void add_attrs(struct buf *out, struct file_header *header,
		      const struct stream_command *command)
{
	uint64_t ids = sizeof(*header) + command->nevents * sizeof(struct file_attr);

	header->attrs = (struct file_section){buf_position(out),
					      command->nevents * sizeof(struct file_attr)};
	for (size_t i = 0; i < command->nevents; i++) {
		const struct stream_event *event = &command->events[i];
		const struct perf_event_attr attr = perfdata_attr(event);
		struct file_attr row = {.ids = {ids, event->nids * sizeof(uint64_t)}};

		memcpy(row.attr, &attr, sizeof(row.attr));
		buf_add(out, &row, sizeof(row));
		ids += row.ids.size;
	}
	for (size_t i = 0; i < command->nevents; i++)
		buf_add(out, command->events[i].ids, command->events[i].nids * sizeof(uint64_t));
}

static bool is_image_map(const struct perf_event_header *record, const struct elf_image *elf)
{
	struct record_map map;

	return elf && record->type == PERF_RECORD_MMAP2 && record_map(record, &map) &&
	       map.build_id && map.build_id_size == elf->build_id_size &&
	       !memcmp(map.build_id, elf->build_id, elf->build_id_size);
}

static bool has_cpumode(const struct perf_event_header *record)
{
	return record->type == PERF_RECORD_SAMPLE || record->type == PERF_RECORD_MMAP2;
}

/* Marks ring 0's addresses in a call chain as user mode, like those of the samples. */
static void retarget_chain(const struct record_format *format, struct perf_event_header *copy)
{
	const uint64_t kernel = PERF_CONTEXT_KERNEL, user = PERF_CONTEXT_USER;
	struct sample sample;

	if (!sample_parse(format, copy, &sample))
		return;
	for (size_t i = 0; i < sample.chain.n; i++) {
		size_t at = (size_t)((const uint8_t *)&sample.chain.at[i] - (const uint8_t *)copy);

		if (sample.chain.at[i] == kernel)
			memcpy((uint8_t *)copy + at, &user, sizeof(user));
	}
}

static void add_record(struct buf *out, const struct record_format *format,
		       const struct perf_event_header *record, const struct elf_image *elf)
{
	struct perf_event_header *copy;
	size_t start = out->size;

	if (is_image_map(record, elf))
		record_add_renamed(out, format, record, elf->path);
	else
		buf_add(out, record, record->size);
	copy = (void *)(out->data + start);
	if (has_cpumode(copy))
		copy->misc = (uint16_t)((copy->misc & ~PERF_RECORD_MISC_CPUMODE_MASK) |
					PERF_RECORD_MISC_USER);
	if (copy->type == PERF_RECORD_SAMPLE)
		retarget_chain(format, copy);
}

struct features_input perfdata_input(const struct stream *stream,
				     const struct stream_command *command,
				     const struct elf_image *elf)
{
	const struct record_format format = stream_format(command);
	struct features_input input = {.stream = stream, .command = command, .elf = elf};
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	uint64_t time = 0;

	while ((record = stream_next_record(command, &cursor))) {
		uint64_t told;

		mapped_record(&input.mapped, record, elf);
		if (record_time(&format, record, &told))
			time = told;
		if (record->type != PERF_RECORD_SAMPLE || !time)
			continue;
		if (!input.first_ns || time < input.first_ns)
			input.first_ns = time;
		if (time > input.last_ns)
			input.last_ns = time;
	}
	stream_cursor_free(&cursor);
	return input;
}

void perfdata_add_records(struct buf *out, const struct stream *stream,
			  const struct stream_command *command, const struct elf_image *elf)
{
	const struct record_format format = stream_format(command);
	const struct timeline_entry *entry;
	struct timeline timeline;

	auxtrace_add_info(out, command);
	sideband_add(out, stream, command, &format, elf);
	timeline_make(&timeline, command, &format);
	while ((entry = timeline_next(&timeline))) {
		add_record(out, &format, entry->record, elf);
		buf_settle(out, false);
	}
	timeline_free(&timeline);
	auxtrace_add_data(out, command);
}

static void add_data(struct buf *out, struct file_header *header, const struct stream *stream,
		     const struct stream_command *command, const struct elf_image *elf)
{
	uint64_t start = buf_position(out);

	perfdata_add_records(out, stream, command, elf);
	header->data = (struct file_section){start, buf_position(out) - start};
}

/* Adds the features behind the table of their sections. */
static void add_features(struct buf *out, struct file_header *header,
			 const struct features_input *input)
{
	size_t nfeatures = features_count(input);
	uint64_t table = buf_position(out);
	struct file_section section;

	buf_extend(out, nfeatures * sizeof(section));
	for (unsigned bit = 0; bit < FEATURE_BITS; bit++) {
		section.offset = buf_position(out);
		if (!features_add(out, bit, input))
			continue;
		section.size = buf_position(out) - section.offset;
		buf_rewrite(out, table, &section, sizeof(section));
		table += sizeof(section);
		header->features[bit / 64] |= 1ull << bit % 64;
	}
}

int perfdata_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why)
{
	struct file_header header = {
		.magic = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'},
		.size = sizeof(header),
		.attr_size = sizeof(struct file_attr),
	};
	struct features_input input;
	int err = perfdata_check(stream, command, why);

	if (err)
		return err;
	input = perfdata_input(stream, command, elf);
	buf_extend(out, sizeof(header));
	add_attrs(out, &header, command);
	add_data(out, &header, stream, command, elf);
	add_features(out, &header, &input);
	buf_rewrite(out, 0, &header, sizeof(header));
	features_free(&input);
	return 0;
}
