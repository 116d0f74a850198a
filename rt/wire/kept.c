// SPDX-License-Identifier: BSD-2-Clause
/* kept.c - see kept.h. */
#include "rt/wire/kept.h"

#include "include/perf0/wire_frames.h"
#include "lib/string.h"

static struct {
	volatile bool on;
	bool quiet;
	uint32_t number[WIRE_STREAM_MAIN + 1];
	struct pieces stream, text;
} kept;

void kept_begin(uint64_t most, bool quiet)
{
	pieces_free(&kept.stream);
	pieces_free(&kept.text);
	kept.stream.most = kept.text.most = most;
	memset(kept.number, 0, sizeof(kept.number));
	kept.quiet = quiet;
	kept.on = true;
}

void kept_end(struct pieces *stream, struct pieces *text)
{
	kept.on = kept.quiet = false;
	pieces_move(stream, &kept.stream);
	pieces_move(text, &kept.text);
}

bool kept_now(const struct pieces **stream, const struct pieces **text)
{
	*stream = &kept.stream;
	*text = &kept.text;
	return kept.on;
}

bool kept_is_on(void)
{
	return kept.on;
}

bool kept_is_quiet(void)
{
	return kept.quiet;
}

bool kept_has_frames(void)
{
	return kept.stream.bytes;
}

uint32_t kept_number(uint8_t stream)
{
	return kept.number[stream]++;
}

void kept_frame(const void *frame, size_t n)
{
	if (kept.on)
		pieces_add(&kept.stream, frame, n);
}

void kept_text(const char *text, size_t n)
{
	if (kept.on)
		pieces_add(&kept.text, text, n);
}
