// SPDX-License-Identifier: BSD-2-Clause
/* stored.c - see stored.h. */
#include "tools/cmd/stored.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void on_stored_frame(void *ctx, const struct frame *frame)
{
	stream_frame(ctx, frame);
}

static void on_stored_debris(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

static void read_stream(FILE *file, bool joined, struct stream *stream, struct frame_stats *stats)
{
	const struct frame_sink sink = {on_stored_frame, on_stored_debris, on_stored_debris,
					stream};
	static struct frame_reader reader;
	uint8_t bytes[BUFSIZ];
	size_t n;

	frame_reader_init(&reader, &sink);
	if (joined)
		frame_reader_join(&reader);
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		frame_reader_feed(&reader, bytes, n);
	frame_reader_end(&reader);
	*stats = reader.stats;
}

int stored_read(const char *path, bool joined, struct stream *stream, struct frame_stats *stats,
		struct reason *why)
{
	FILE *file = fopen(path, "rbe");
	int err = 0;

	if (file)
		read_stream(file, joined, stream, stats);
	if (!file || ferror(file))
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	if (file)
		fclose(file);
	return err;
}
