// SPDX-License-Identifier: BSD-2-Clause
/* recording.c - see recording.h. */
#include "tools/cmd/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/pictured.h"
#include "tools/symbols/elf_image.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/status.h"

static bool has_recording(const struct stream_command *command, const struct out_format *format)
{
	return format->of_counts ? command->ncounts > 0 : stream_is_recording(command);
}

static const char *verb_of_format(const struct out_format *format)
{
	return format->of_counts ? "counted" : "recorded";
}

/* Returns the last recording; `n` receives the number of recordings. */
static const struct stream_command *last_recording(const struct stream *stream,
						   const struct out_format *format, size_t *n)
{
	const struct stream_command *found = NULL;

	*n = 0;
	for (size_t i = 0; i < stream->ncommands; i++)
		if (has_recording(&stream->commands[i], format)) {
			found = &stream->commands[i];
			++*n;
		}
	return found;
}

static const struct stream_command *numbered_recording(const struct stream *stream, uint32_t number,
						       const struct out_format *format,
						       struct reason *why)
{
	for (size_t i = 0; i < stream->ncommands; i++) {
		const struct stream_command *command = &stream->commands[i];

		if (command->number != number)
			continue;
		if (has_recording(command, format))
			return command;
		refuse(why, ENOENT, "command %u (%s) %s nothing", number, command->line,
		       verb_of_format(format));
		return NULL;
	}
	refuse(why, ENOENT, "there is no command %u in the stream, which has %zu", number,
	       stream->ncommands);
	return NULL;
}

const struct stream_command *recording_choose(const struct stream *stream, uint32_t number,
					      const struct out_format *format, struct reason *why)
{
	const struct stream_command *found;
	size_t n;

	if (number != ANY_COMMAND)
		return numbered_recording(stream, number, format, why);
	found = last_recording(stream, format, &n);
	if (!found)
		refuse(why, ENOENT, "there %s in the stream",
		       format->of_counts ? "are no counts" : "is no recording");
	else if (n > 1)
		message("perf0: %zu commands %s: taking the last, %u (%s)", n,
			verb_of_format(format), found->number, found->line);
	return found;
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

const struct out_format *recording_format(const struct output_options *options)
{
	if (options->format)
		return options->format;
	return is_stdout(options->path) ? &out_pipe : &out_perfdata;
}

bool recording_to_stdout(const struct output_options *options)
{
	if (options->path)
		return is_stdout(options->path);
	return !recording_format(options)->file;
}

/* Returns the image's ELF file. NULL: there are no symbols, and unless `quiet` a message says
 * why. */
static const struct elf_image *find_elf(struct elf_image *elf, const struct stream *stream,
					bool quiet)
{
	struct reason why;

	if (!elf_image_find(elf, &stream->hello, &why))
		return elf;
	if (!quiet)
		message("perf0: no symbols: %s", why.text);
	return NULL;
}

/* Writes the recording. An older perf.data is renamed and kept, as perf record does. */
static int put_recording(const char *path, const struct out_format *format,
			 const struct out_source *source, uint64_t *size, struct reason *why)
{
	struct outfile file;
	struct buf bytes = {.file = &file.file};
	int err;

	if (is_stdout(path) && format->is_binary && isatty(STDOUT_FILENO))
		return refuse(why, EINVAL,
			      "-o -: this is for a program to read, and standard output is a "
			      "terminal");
	err = format == &out_perfdata
		      ? outfile_begin_private(&file, is_stdout(path) ? NULL : path, why)
		      : outfile_begin(&file, is_stdout(path) ? NULL : path, why);
	if (err)
		return err;
	err = format->build(&bytes, source, why);
	if (!err)
		buf_settle(&bytes, true);
	*size = buf_position(&bytes);
	buf_free(&bytes);
	return outfile_end(&file, format == &out_perfdata, err, why);
}

static void say_written(const char *path, uint64_t size, const struct stream_command *command)
{
	const struct wire_books *books = &command->result.books;
	struct buf more = {0};

	if (books->lost)
		buf_printf(&more, ", %" PRIu64 " lost", books->lost);
	if (books->refused)
		buf_printf(&more, ", %" PRIu64 " refused", books->refused);
	if (command->lost)
		buf_printf(&more, ", %" PRIu64 " lost on the line", command->lost);
	message("[ perf0: wrote %.3f MB %s (%" PRIu64 " samples%s) ]", (double)size / 1e6,
		is_stdout(path) ? "to standard output" : path, command->samples, buf_text(&more));
	buf_free(&more);
}

int recording_save(const char *path, const struct out_format *format, const struct stream *stream,
		   const struct stream_command *command, const struct output_options *options)
{
	static struct elf_image elf;
	struct out_source source = {
		.stream = stream,
		.command = command,
		.separator = options->separator ? options->separator : ",",
	};
	struct reason why;
	uint64_t size = 0;
	int err;

	if (!path)
		path = format->file ? format->file : "-";
	if (!format->of_counts)
		source.elf = find_elf(&elf, stream, options->quiet);
	err = put_recording(path, format, &source, &size, &why);
	if (err)
		message("perf0: %s", why.text);
	else if (!format->of_counts && !options->quiet)
		say_written(path, size, command);
	return err ? STATUS_FAILED : 0;
}

int recording_check(const char *path, const struct out_format *format, struct reason *why)
{
	if (!path)
		path = format->file ? format->file : "-";
	return is_stdout(path) ? 0 : outfile_check(path, why);
}

int recording_save_page(const struct options *options, const char *const *line,
			const struct stream *stream, const struct stream_command *command,
			int status)
{
	static struct elf_image elf;
	const struct out_source source = {
		.stream = stream,
		.command = command,
		.elf = find_elf(&elf, stream, true),
	};

	return pictured_save_recording(options, line, &source, status);
}
