// SPDX-License-Identifier: BSD-2-Clause
/* recording.c - see recording.h. */
#include "tools/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "tools/artifact.h"
#include "tools/elf_image.h"
#include "tools/perfdata.h"
#include "tools/status.h"

static size_t count_recordings(const struct stream *stream)
{
	size_t n = 0;

	for (size_t i = 0; i < stream->ncommands; i++)
		n += stream_is_recording(&stream->commands[i]);
	return n;
}

static const struct stream_command *last_recording(const struct stream *stream)
{
	for (size_t i = stream->ncommands; i--;)
		if (stream_is_recording(&stream->commands[i]))
			return &stream->commands[i];
	return NULL;
}

static const struct stream_command *numbered(const struct stream *stream, uint32_t number,
					     struct reason *why)
{
	for (size_t i = 0; i < stream->ncommands; i++) {
		const struct stream_command *command = &stream->commands[i];

		if (command->number != number)
			continue;
		if (stream_is_recording(command))
			return command;
		reason_set(why, -ENOENT, "command %u (%s) recorded nothing", number, command->line);
		return NULL;
	}
	reason_set(why, -ENOENT, "there is no command %u in the stream, which has %zu", number,
		   stream->ncommands);
	return NULL;
}

const struct stream_command *recording_choose(const struct stream *stream, uint32_t number,
					      struct reason *why)
{
	const struct stream_command *last = last_recording(stream);
	size_t n = count_recordings(stream);

	if (number != ANY_COMMAND)
		return numbered(stream, number, why);
	if (!last)
		reason_set(why, -ENOENT, "there is no recording in the stream");
	else if (n > 1)
		fprintf(stderr, "perf0: %zu recordings: taking the last, of command %u (%s)\n", n,
			last->number, last->line);
	return last;
}

/* The ELF file of the image, NULL after a line that says why there are no symbols. */
static const struct elf_image *find_elf(struct elf_image *elf, const struct stream *stream)
{
	char path[PATH_MAX];
	struct reason why;

	if (artifact_path(path, sizeof(path), ARTIFACT_ELF, &why) ||
	    elf_image_read(elf, path, &why)) {
		fprintf(stderr, "perf0: no symbols: %s\n", why.text);
		return NULL;
	}
	if (!elf_image_is_of(elf, &stream->hello)) {
		fprintf(stderr,
			"perf0: no symbols: the image was not made from %s (build-ids differ)\n",
			elf->path);
		return NULL;
	}
	return elf;
}

int recording_save(const char *path, const struct stream *stream,
		   const struct stream_command *command)
{
	static struct elf_image elf;
	struct perfdata_summary summary;
	uint64_t lost = command->result.books.lost;
	struct reason why;

	if (perfdata_write(path, stream, command, find_elf(&elf, stream), &summary, &why)) {
		fprintf(stderr, "perf0: %s\n", why.text);
		return STATUS_FAILED;
	}
	fprintf(stderr, "[ perf0: wrote %.3f MB %s (%" PRIu64 " samples",
		(double)summary.bytes / 1e6, path, summary.samples);
	if (lost)
		fprintf(stderr, ", %" PRIu64 " lost", lost);
	fprintf(stderr, ") ]\n");
	return 0;
}
