// SPDX-License-Identifier: BSD-2-Clause
/*
 * perfdata.c - see perfdata.h. The layout is that of
 * tools/perf/Documentation/perf.data-file-format.txt: header, attributes with their ids, data, then
 * a {offset, size} pair for each feature bit and the features themselves. Everything is built in
 * memory: a serial line is slower than that.
 */
#include "tools/perfdata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/features.h"
#include "tools/record.h"
#include "tools/sideband.h"

struct file_section {
	uint64_t offset, size; /* bytes */
};

struct file_attr {
	struct perf_event_attr attr;
	struct file_section ids;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct file_section attrs, data, event_types;
	uint64_t features[4]; /* a bit each */
};
_Static_assert(sizeof(struct file_header) == 104, "as perf has it");
_Static_assert(sizeof(struct perf_event_attr) == PERF_ATTR_SIZE_VER7, "the ABI that is written");

struct ordered {
	uint64_t time; /* ns; of the record before it, when it has none */
	size_t order;
	const struct perf_event_header *record;
};

/* With several events, perf needs the identifier in the same place of every record. */
static int check_recording(const struct stream *stream, const struct stream_command *command,
			   struct reason *why)
{
	const struct stream_event *event = command->events;

	if (!stream->has_hello)
		return reason_set(why, -EINVAL, "no HELLO: nothing says which image this was");
	if (!stream_is_recording(command))
		return reason_set(why, -EINVAL, "command %u recorded nothing", command->number);
	for (size_t i = 0; i < command->nevents; i++) {
		if (command->nevents > 1 && !(event[i].attr.sample_type & PERF_SAMPLE_IDENTIFIER))
			return reason_set(why, -EINVAL,
					  "event '%s' has no IDENTIFIER in its samples",
					  event[i].name);
		if (event[i].attr.sample_id_all != event[0].attr.sample_id_all)
			return reason_set(why, -EINVAL,
					  "events '%s' and '%s' differ in sample_id_all",
					  event[0].name, event[i].name);
	}
	return 0;
}

/* The kernel's part was counted or not: the event's name says so. perf only warns about it here. */
static struct perf_event_attr file_attr_of(const struct stream_event *event)
{
	struct perf_event_attr attr = event->attr;

	attr.size = sizeof(attr);
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return attr;
}

static void add_attrs(struct buf *out, struct file_header *header,
		      const struct stream_command *command)
{
	uint64_t ids = sizeof(*header) + command->nevents * sizeof(struct file_attr);

	header->attrs =
		(struct file_section){out->size, command->nevents * sizeof(struct file_attr)};
	for (size_t i = 0; i < command->nevents; i++) {
		const struct stream_event *event = &command->events[i];
		const struct file_attr attr = {
			.attr = file_attr_of(event),
			.ids = {ids, event->nids * sizeof(uint64_t)},
		};

		buf_add(out, &attr, sizeof(attr));
		ids += attr.ids.size;
	}
	for (size_t i = 0; i < command->nevents; i++)
		buf_add(out, command->events[i].ids, command->events[i].nids * sizeof(uint64_t));
}

static int compare_times(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* All records, by time. A record without one stays behind the record it came after. */
static void sort_records(struct buf *sorted, const struct stream_command *command,
			 const struct record_format *format)
{
	struct stream_cursor cursor = {0};
	struct ordered next = {0};

	while ((next.record = stream_next_record(command, &cursor))) {
		uint64_t time;

		if (record_time(format, next.record, &time))
			next.time = time;
		buf_add(sorted, &next, sizeof(next));
		next.order++;
	}
	if (next.order)
		qsort(sorted->data, next.order, sizeof(next), compare_times);
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
}

static void add_data(struct buf *out, struct file_header *header, const struct stream *stream,
		     const struct stream_command *command, const struct elf_image *elf,
		     struct features_input *input)
{
	const struct record_format format = {command->events, command->nevents};
	struct buf sorted = {0};
	const struct ordered *record;
	size_t start = out->size;

	sideband_add(out, stream, command, &format, elf);
	sort_records(&sorted, command, &format);
	record = (const void *)sorted.data;
	for (size_t i = 0; i < sorted.size / sizeof(*record); i++, record++) {
		add_record(out, &format, record->record, elf);
		if (record->record->type != PERF_RECORD_SAMPLE)
			continue;
		if (!input->first_ns)
			input->first_ns = record->time;
		input->last_ns = record->time;
	}
	header->data = (struct file_section){start, out->size - start};
	buf_free(&sorted);
}

/* The table of the sections comes first. */
static void add_features(struct buf *out, struct file_header *header,
			 const struct features_input *input)
{
	size_t nfeatures = features_count(input), table = out->size;
	struct file_section section;

	buf_extend(out, nfeatures * sizeof(section));
	for (unsigned bit = 0; bit < FEATURE_BITS; bit++) {
		section.offset = out->size;
		if (!features_add(out, bit, input))
			continue;
		section.size = out->size - section.offset;
		memcpy(out->data + table, &section, sizeof(section));
		table += sizeof(section);
		header->features[bit / 64] |= 1ull << bit % 64;
	}
}

int perfdata_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct perfdata_summary *summary, struct reason *why)
{
	struct file_header header = {
		.magic = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'},
		.size = sizeof(header),
		.attr_size = sizeof(struct file_attr),
	};
	struct features_input input = {.stream = stream, .command = command, .elf = elf};
	int err = check_recording(stream, command, why);

	if (err)
		return err;
	buf_extend(out, sizeof(header));
	add_attrs(out, &header, command);
	add_data(out, &header, stream, command, elf, &input);
	add_features(out, &header, &input);
	memcpy(out->data, &header, sizeof(header));
	*summary = (struct perfdata_summary){.bytes = out->size, .samples = command->samples};
	return 0;
}

/* Moves an old file out of the way. Only a plain file: a device of that name must stay what it is.
 */
static int keep_old(const char *path, struct reason *why)
{
	struct buf old = {0};
	struct stat st;
	int err = 0;

	if (stat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return reason_set(why, -EINVAL, "%s: is there and is no plain file", path);
	buf_printf(&old, "%s.old", path);
	if (rename(path, buf_text(&old)))
		err = reason_set(why, -errno, "%s: %s", buf_text(&old), strerror(errno));
	buf_free(&old);
	return err;
}

static int write_all(int fd, const struct buf *bytes)
{
	for (size_t done = 0; done < bytes->size;) {
		ssize_t n = write(fd, bytes->data + done, bytes->size - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += (size_t)n;
	}
	return 0;
}

static int write_and_rename(const char *path, const struct buf *bytes, struct reason *why)
{
	struct buf temporary = {0};
	int fd, err;

	buf_printf(&temporary, "%s.XXXXXX", path);
	buf_text(&temporary);
	fd = mkostemp((char *)temporary.data, O_CLOEXEC);
	if (fd < 0) {
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
		goto out;
	}
	err = write_all(fd, bytes);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		reason_set(why, err, "%s: %s", path, strerror(-err));
	else
		err = keep_old(path, why);
	if (!err && rename((char *)temporary.data, path))
		err = reason_set(why, -errno, "%s: %s", path, strerror(errno));
	if (err)
		unlink((char *)temporary.data);
out:
	buf_free(&temporary);
	return err;
}

int perfdata_write(const char *path, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct perfdata_summary *summary, struct reason *why)
{
	struct buf out = {0};
	int err = perfdata_build(&out, stream, command, elf, summary, why);

	if (!err)
		err = write_and_rename(path, &out, why);
	buf_free(&out);
	return err;
}
