// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_shared.c - a guest that writes anything into the shared ring: the reader gets only bytes of
 * the ring, at most its length at once, and the stream's reader survives them. Each step of the
 * input is a byte that chooses a write, and its operands.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/format/frame.h"
#include "lib/format/shared_ring.h"
#include "tools/stream/stream.h"

#define SIZE 4096u
#define MOST (1u << 14)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t area[SHARED_PAGE + SIZE] __attribute__((aligned(4096)));
static struct shared_ring *const ring = (struct shared_ring *)area;

struct steps {
	const uint8_t *at;
	size_t left;
};

static size_t take_step(struct steps *steps, void *to, size_t n)
{
	n = n < steps->left ? n : steps->left;
	memcpy(to, steps->at, n);
	steps->at += n;
	steps->left -= n;
	return n;
}

static void forward_frame(void *ctx, const struct frame *frame)
{
	stream_frame(ctx, frame);
}

static void reject_no_bytes(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	if (!n || !bytes)
		abort();
}

static void read_ring(struct shared_ring_reader *reader, struct frame_reader *frames)
{
	const uint8_t *at;
	size_t n, taken = 0;

	while (taken < reader->size && (n = shared_ring_peek(reader, &at))) {
		if (at < area + SHARED_PAGE || n > SIZE || at + n > area + sizeof(area))
			abort();
		frame_reader_feed(frames, at, n);
		shared_ring_take(reader, n);
		taken += n;
	}
	shared_ring_is_wanted(reader);
}

/* Puts a right frame at the head, as the image would. */
static void put_frame(struct steps *steps)
{
	uint8_t head[3] = {0}, payload[256], frame[FRAME_MAX_SIZE];
	size_t n;

	take_step(steps, head, sizeof(head));
	n = take_step(steps, payload, head[2]);
	n = frame_encode(frame, head[0] % 32, WIRE_STREAM_MAIN, head[1], payload, n);
	for (size_t i = 0; i < n; i++)
		area[SHARED_PAGE + (ring->head + i) % SIZE] = frame[i];
	ring->head += n;
}

static void guest_writes(struct steps *steps)
{
	uint8_t what = 0, n = 0;
	uint64_t number = 0;

	take_step(steps, &what, 1);
	switch (what % 6) {
	case 0:
		take_step(steps, &ring->head, sizeof(ring->head));
		break;
	case 1:
		take_step(steps, &ring->tail, sizeof(ring->tail));
		break;
	case 2:
		take_step(steps, &ring->wanted, sizeof(ring->wanted));
		break;
	case 3:
		take_step(steps, &number, 2);
		take_step(steps, &n, 1);
		number %= SIZE - n;
		take_step(steps, area + SHARED_PAGE + number, n);
		break;
	case 4:
		take_step(steps, &number, 2);
		ring->head += number;
		break;
	case 5:
		put_frame(steps);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct frame_reader frames;
	struct shared_ring_reader reader;
	struct steps steps = {data, size};
	struct stream stream;
	const struct frame_sink sink = {forward_frame, reject_no_bytes, reject_no_bytes, &stream};

	if (size > MOST)
		return 0;
	memset(area, 0, sizeof(area));
	take_step(&steps, &ring->tail, sizeof(ring->tail));
	if (!shared_ring_reader_init(&reader, area, sizeof(area)))
		abort();
	stream_init(&stream);
	frame_reader_init(&frames, &sink);
	while (steps.left) {
		guest_writes(&steps);
		read_ring(&reader, &frames);
	}
	frame_reader_end(&frames);
	stream_free(&stream);
	return 0;
}
