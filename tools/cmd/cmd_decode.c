// SPDX-License-Identifier: BSD-2-Clause
/* cmd_decode.c - `perf0 decode`: converts a stored stream to a perf.data or to another format. */
#include "tools/cmd/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/util/message.h"
#include "tools/cmd/recording.h"
#include "tools/cmd/stored.h"
#include "tools/util/status.h"
#include "tools/stream/stream.h"

static void print_command(const struct stream_command *command)
{
	message("command %u (%s): %s %d, %zu events, %" PRIu64 " samples, %zu counts",
		command->number, command->line, command->ended ? "status" : "no result,",
		command->result.status, command->nevents, command->samples, command->ncounts);
	for (size_t i = 0; i < command->ncounts; i++)
		message("  CPU %u  %20" PRIu64 "  %s%s", command->counts[i].count.cpu,
			command->counts[i].count.value, command->counts[i].name,
			command->counts[i].count.error ? " (not supported)" : "");
}

static void print_stream(const struct stream *stream, const struct frame_stats *stats)
{
	message("%" PRIu64 " frames, %" PRIu64 " bytes of text outside, %" PRIu64 " bytes skipped",
		stats->frames, stats->text, stats->skipped);
	for (size_t i = 0; i < stream->ncommands; i++)
		print_command(&stream->commands[i]);
}

static int check_decoded_stream(const struct options *options, const struct stream *stream,
				const struct frame_stats *stats, struct reason *why)
{
	if (options->stream.joined)
		return stream_check_so_far(stream, stats, why);
	return stream_check(stream, stats, why);
}

/* A page is of samples; counts alone are a command of another kind. */
static int save_decoded_page(const struct options *options, const struct stream *stream,
			     const struct stream_command *command, int status)
{
	if (stream_is_recording(command))
		return recording_save_page(options, NULL, stream, command, status);
	message("perf0: --html: command %u (%s) recorded nothing", command->number, command->line);
	return status ? status : STATUS_FAILED;
}

/* Decodes the intact part of a damaged stream. The exit status then reports the damage. */
static int decode_stream(const struct options *options, const struct stream *stream,
			 const struct frame_stats *stats)
{
	const struct out_format *format = recording_format(&options->output);
	const struct stream_command *command;
	struct reason why;
	int status = 0, saved;

	if (options->output.verbose)
		print_stream(stream, stats);
	if (check_decoded_stream(options, stream, stats, &why)) {
		message("perf0: the stream is incomplete: %s", why.text);
		status = STATUS_MACHINE;
	} else if (stats->skipped || stats->text) {
		message("perf0: %" PRIu64 " bytes outside of frames were left out",
			stats->skipped + stats->text);
	}
	command = recording_choose(stream, options->stream.command, format, &why);
	if (!command) {
		/* An earlier message has told the user that the stream is incomplete. */
		if (!status)
			message("perf0: %s", why.text);
		return status ? status : STATUS_FAILED;
	}
	saved = recording_save(options->output.path, format, stream, command, &options->output);
	status = status ? status : saved;
	return options->output.html ? save_decoded_page(options, stream, command, status) : status;
}

int cmd_decode(const struct options *options, const char **words)
{
	struct frame_stats stats;
	struct stream stream;
	struct reason why;
	int status;

	if (!words[1] || words[2]) {
		message("perf0: decode: one file of a stream is needed; see `perf0 help decode`");
		return STATUS_USAGE;
	}
	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	if (stored_read(words[1], options->stream.joined, &stream, &stats, &why)) {
		message("perf0: %s", why.text);
		status = STATUS_FAILED;
	} else {
		status = decode_stream(options, &stream, &stats);
	}
	stream_free(&stream);
	return status;
}
