// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_stream.c - any bytes as a stream: reader, accounting and perf.data must survive them. The
 * first byte chooses the sizes of pieces. If the second byte is even, the rest is a list of frames
 * (type, CPU, length, payload), which get right checks, so that the fuzzer reaches the code after
 * the CRC. The second byte also chooses the only output form: building all forms for each input
 * would take ten times as long.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/format/frame.h"
#include "tools/util/buf.h"
#include "tools/out/out.h"
#include "tools/out/perfdata.h"
#include "tools/stream/stream.h"

#define MAX_BYTES (1 << 14)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

static void on_frame(void *ctx, const struct frame *frame)
{
	const char *text;
	size_t n;

	if (frame->length > WIRE_MAX_PAYLOAD || (uintptr_t)frame->payload % 8)
		abort();
	stream_frame(ctx, frame);
	if (frame->type == WIRE_TEXT && stream_text(frame, &text, &n) && n >= frame->length)
		abort();
}

static void on_bytes(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	if (!n || !bytes)
		abort();
}

/* Makes frames with right checks from the fuzzer's headers and payloads. */
static struct buf make_frames(const uint8_t *data, size_t size)
{
	uint32_t seq[FRAME_STREAMS] = {0};
	uint8_t frame[FRAME_MAX_SIZE];
	struct buf out = {0};

	while (size >= 4) {
		uint8_t type = data[0] % 16, cpu = data[1] & 3 ? WIRE_STREAM_MAIN : data[1];
		size_t length = (data[2] | data[3] << 8) % (WIRE_MAX_PAYLOAD + 1);

		data += 4;
		size -= 4;
		length = length < size ? length : size;
		buf_add(&out, frame, frame_encode(frame, type, cpu, seq[cpu]++, data, length));
		data += length;
		size -= length;
	}
	return out;
}

static void read_in_pieces(struct frame_reader *reader, const uint8_t *bytes, size_t size,
			   size_t piece)
{
	for (size_t at = 0; at < size; at += piece)
		frame_reader_feed(reader, bytes + at, size - at < piece ? size - at : piece);
	frame_reader_end(reader);
}

/* Every byte belongs to a frame, to text, or to debris. */
static void check_stats(const struct frame_stats *stats, size_t size)
{
	if (stats->text + stats->skipped + stats->frames * FRAME_OVERHEAD > size)
		abort();
}

/* Reuses freed memory soon: an execution takes some hundred KiB in large pieces. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=4:malloc_context_size=4:allocator_release_to_os_interval_ms=-1";
}

static const struct elf_image elf = {
	.path = "/perf0.elf",
	.build_id_size = 20,
	.segments = {{0x1000, 0x1000, 0x2000}},
	.nsegments = 1,
};

/* Builds one output form of the command's data. */
static void build_form(const struct stream *stream, const struct stream_command *command,
		       unsigned which)
{
	static const char *const names[] = {"csv", "json", "folded", "speedscope", "text"};
	const struct out_source source = {stream, command, which & 1 ? NULL : &elf, ","};
	const unsigned form = which / 2 % (sizeof(names) / sizeof(names[0]) + 1);
	const struct out_format *format = form ? out_find(names[form - 1]) : &out_perfdata;
	struct buf out = {0};
	struct reason why;

	if (format->of_counts || stream_is_recording(command))
		format->build(&out, &source, &why);
	buf_free(&out);
}

static void build_all(const struct stream *stream, const struct frame_stats *stats, unsigned which)
{
	struct reason why;

	stream_check(stream, stats, &why);
	for (size_t i = 0; i < stream->ncommands; i++)
		build_form(stream, &stream->commands[i], which);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct frame_reader reader;
	struct stream stream;
	const struct frame_sink sink = {on_frame, on_bytes, on_bytes, &stream};
	struct buf bytes = {0};

	if (size < 2 || size > MAX_BYTES)
		return 0;
	if (data[1] & 1)
		buf_add(&bytes, data + 2, size - 2);
	else
		bytes = make_frames(data + 2, size - 2);
	stream_init(&stream);
	frame_reader_init(&reader, &sink);
	read_in_pieces(&reader, bytes.data, bytes.size, 1u + data[0]);
	check_stats(&reader.stats, bytes.size);
	build_all(&stream, &reader.stats, data[1] >> 1);
	stream_free(&stream);
	buf_free(&bytes);
	return 0;
}
