// SPDX-License-Identifier: BSD-2-Clause
/* upload.c - see upload.h. */
#include "tools/machine/upload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "include/perf0/shared.h"
#include "lib/format/typed.h"

#define PIECE_LEAST 64
#define PIECE_FIRST 1024
#define PIECE_MOST  (WIRE_MAX_PAYLOAD - sizeof(struct wire_piece))

/* A piece in shared memory occupies one of these slots. */
#define SLOT_BYTES (SHARED_IN_BYTES / UPLOAD_AHEAD)
_Static_assert(SHARED_IN_BYTES % UPLOAD_AHEAD == 0, "slots fill the area");

#define GROWS_AFTER 32 /* answers */
#define ZEROS_LEAST 64 /* shorter runs of zeros are sent as they are */

#define PATIENCE_FIRST_MS 1500
#define PATIENCE_LEAST_MS 500
#define PATIENCE_MOST_MS  1500
#define OFFER_PATIENCE_MS 1000 /* an OFFER and its answer are short */
#define ROUND_TRIPS       4    /* an answer may take so many round trips */

static const struct program_file *current_file(const struct upload_sender *u)
{
	return &u->programs->file[u->at];
}

/* --- Files --- */

static void forget_file(struct upload_sender *u)
{
	free(u->bytes);
	u->bytes = NULL;
}

/* Copies the file, so that all pieces are of one version even if it changes meanwhile. */
static int copy_upload_file(struct upload_sender *u)
{
	int err;

	u->size = current_file(u)->bytes;
	u->bytes = malloc(u->size);
	if (!u->bytes)
		return refuse(&u->why, errno, "%s: %s", current_file(u)->path, strerror(errno));
	err = program_file_read(current_file(u), u->bytes, &u->why);
	if (!err)
		u->hash = XXH64(u->bytes, u->size, 0);
	return err;
}

/* Gives up the frames in flight. Their answers arrive late, or never. */
static void forget_flight(struct upload_sender *u, uint64_t now)
{
	u->resent += u->frame - u->answered;
	u->answered = u->again = u->frame;
	u->next = u->have;
	u->waits = now;
}

static void offer_file(struct upload_sender *u, uint64_t now)
{
	u->state = UPLOAD_OFFERS;
	u->have = 0;
	u->id++;
	forget_flight(u, now);
}

static void begin_next_file(struct upload_sender *u, uint64_t now)
{
	forget_file(u);
	u->anew = 0;
	if (u->at == u->programs->n)
		u->state = UPLOAD_DONE;
	else if (copy_upload_file(u))
		u->state = UPLOAD_FAILED;
	else
		offer_file(u, now);
}

void upload_begin(struct upload_sender *u, const struct programs *programs, uint8_t *shared,
		  uint64_t now)
{
	*u = (struct upload_sender){
		.programs = programs,
		.shared = shared,
		.piece = PIECE_FIRST,
		.patience = PATIENCE_FIRST_MS,
		.heard = now,
		.started = now,
		.began = now,
		.id = (uint32_t)now ^ (uint32_t)getpid() << 16,
	};
	begin_next_file(u, now);
}

void upload_end(struct upload_sender *u)
{
	forget_file(u);
}

/* --- Sending --- */

static void type_frame(struct upload_sender *u, uint64_t now, enum wire_type type,
		       const struct buf *payload, struct buf *out)
{
	uint8_t frame[FRAME_MAX_SIZE], typed[TYPED_MAX_SIZE];
	size_t n =
		frame_encode(frame, type, WIRE_STREAM_MAIN, u->frame, payload->data, payload->size);

	n = typed_encode(typed, frame, n);
	buf_add(out, typed, n);
	u->typed += n;
	if (u->answered == u->frame)
		u->waits = now;
	u->sent_at[u->frame++ % UPLOAD_AHEAD] = now;
}

static void type_offer(struct upload_sender *u, uint64_t now, struct buf *out)
{
	const struct wire_offer offer = {.upload = u->id, .bytes = u->size, .hash = u->hash};
	const char *path = current_file(u)->path;
	struct buf payload = {0};

	buf_add(&payload, &offer, sizeof(offer));
	buf_add(&payload, path, strlen(path) + 1);
	type_frame(u, now, WIRE_OFFER, &payload, out);
	buf_free(&payload);
}

static uint64_t count_zeros(const uint8_t *bytes, uint64_t n)
{
	uint64_t zeros = 0;

	while (zeros < n && !bytes[zeros])
		zeros++;
	return zeros;
}

/* Counts the bytes of the next piece, which ends where a long run of zeros begins. */
static uint64_t bytes_before_zeros(const struct upload_sender *u, uint64_t *zeros)
{
	const uint64_t left = u->size - u->next, most = left < u->piece ? left : u->piece;
	const uint8_t *from = u->bytes + u->next;
	uint64_t n = 0;

	for (;;) {
		*zeros = count_zeros(from + n, left - n);
		if (n >= most || *zeros >= ZEROS_LEAST)
			break;
		n += *zeros ? *zeros : 1;
	}
	if (n <= most)
		return n;
	*zeros = 0;
	return most;
}

static void type_piece(struct upload_sender *u, uint64_t now, struct buf *out)
{
	struct wire_piece piece = {.upload = u->id, .offset = u->next};
	const uint64_t n = bytes_before_zeros(u, &piece.zeros);
	struct buf payload = {0};

	buf_add(&payload, &piece, sizeof(piece));
	buf_add(&payload, u->bytes + u->next, n);
	type_frame(u, now, WIRE_PIECE, &payload, out);
	buf_free(&payload);
	u->next += n + piece.zeros;
}

/*
 * Places a piece at its offset in the file modulo the area. The offset is less than one area ahead
 * of the bytes that the machine has. So a frame that the machine takes late, after a resend, finds
 * the same bytes, or bytes that the machine has already.
 */
static void place_piece(struct upload_sender *u, uint64_t now, struct buf *out)
{
	const uint64_t at = u->next % SHARED_IN_BYTES, left = u->size - u->next,
		       room = SLOT_BYTES - at % SLOT_BYTES, n = left < room ? left : room;
	const struct wire_placed placed = {
		.upload = u->id, .bytes = (uint32_t)n, .offset = u->next, .at = at};
	struct buf payload = {0};

	memcpy(u->shared + at, u->bytes + u->next, n);
	buf_add(&payload, &placed, sizeof(placed));
	type_frame(u, now, WIRE_PLACED, &payload, out);
	buf_free(&payload);
	u->next += n;
	u->placed += n;
}

static bool may_send_piece(const struct upload_sender *u)
{
	return u->state == UPLOAD_SENDS && u->next < u->size &&
	       u->frame - u->answered < UPLOAD_AHEAD &&
	       (!u->shared || u->next - u->have < SHARED_IN_BYTES);
}

static void send_smaller(struct upload_sender *u)
{
	u->intact = 0;
	u->piece = u->piece / 2 > PIECE_LEAST ? u->piece / 2 : PIECE_LEAST;
}

static uint64_t patience_of(const struct upload_sender *u)
{
	return u->state == UPLOAD_OFFERS ? OFFER_PATIENCE_MS : u->patience;
}

static void watch_the_clock(struct upload_sender *u, uint64_t now)
{
	if (now - u->heard >= UPLOAD_SILENCE_MS) {
		refuse(&u->why, ETIMEDOUT, "%s: the machine takes no programs: no answer for %d s",
		       current_file(u)->path, UPLOAD_SILENCE_MS / 1000);
		u->state = UPLOAD_FAILED;
	} else if (u->answered != u->frame && now - u->waits >= patience_of(u)) {
		forget_flight(u, now);
		send_smaller(u);
		u->patience =
			u->patience * 2 < PATIENCE_MOST_MS ? u->patience * 2 : PATIENCE_MOST_MS;
	}
}

void upload_next(struct upload_sender *u, uint64_t now, struct buf *out)
{
	if (upload_is_over(u))
		return;
	watch_the_clock(u, now);
	if (u->state == UPLOAD_OFFERS && u->answered == u->frame)
		type_offer(u, now, out);
	else if (may_send_piece(u))
		(u->shared ? place_piece : type_piece)(u, now, out);
}

void upload_type(struct upload_sender *u, uint64_t now, struct typing *typing)
{
	struct buf frames = {0};
	size_t before;

	do {
		before = frames.size;
		upload_next(u, now, &frames);
	} while (frames.size != before);
	if (frames.size)
		typing_add(typing, frames.data, frames.size);
	buf_free(&frames);
}

/* --- Answers --- */

static void measure_round_trip(struct upload_sender *u, uint64_t now, uint32_t frame)
{
	const uint64_t took = now - u->sent_at[frame % UPLOAD_AHEAD];
	uint64_t patience;

	u->round_trip = u->round_trip ? (7 * u->round_trip + took) / 8 : took;
	patience = u->round_trip * ROUND_TRIPS;
	u->patience = patience < PATIENCE_LEAST_MS  ? PATIENCE_LEAST_MS
		      : patience > PATIENCE_MOST_MS ? PATIENCE_MOST_MS
						    : patience;
}

static void send_larger(struct upload_sender *u)
{
	if (++u->intact % GROWS_AFTER)
		return;
	u->piece = u->piece * 2 < PIECE_MOST ? u->piece * 2 : PIECE_MOST;
}

static void fail_upload(struct upload_sender *u, const char *what)
{
	refuse(&u->why, EIO, "the programs: %s", what);
	u->state = UPLOAD_FAILED;
}

static void note_have(struct upload_sender *u, const struct wire_taken *taken, uint64_t now)
{
	if (u->state == UPLOAD_OFFERS) {
		u->state = UPLOAD_SENDS;
		u->next = u->had = taken->have;
		u->began = now;
	}
	u->have = taken->have;
	if (u->next < u->have)
		u->next = u->have;
}

/*
 * Starts the file again after it arrived with a wrong hash: the damage has passed all checks of
 * frames.
 */
static void begin_anew(struct upload_sender *u, uint64_t now)
{
	if (u->anew++)
		fail_upload(u, "it came as another one twice");
	else
		offer_file(u, now);
}

static void act_on(struct upload_sender *u, const struct wire_taken *taken, uint64_t now)
{
	switch (taken->status) {
	case WIRE_TAKEN_PART:
		note_have(u, taken, now);
		send_larger(u);
		break;
	case WIRE_TAKEN_GAP:
		note_have(u, taken, now);
		forget_flight(u, now);
		send_smaller(u);
		break;
	case WIRE_TAKEN_WHOLE:
		u->at++;
		begin_next_file(u, now);
		break;
	case WIRE_TAKEN_ANEW:
		begin_anew(u, now);
		break;
	case WIRE_TAKEN_NO_ROOM:
		fail_upload(u, "the machine has no room for it");
		break;
	case WIRE_TAKEN_UNKNOWN:
		offer_file(u, now);
		break;
	default:
		fail_upload(u, "the machine refuses it");
	}
}

/*
 * Takes an answer. Frame numbers wrap around. An answer to a frame that was given up shows that the
 * machine is alive. An answer to an OFFER always counts.
 */
void upload_answer(struct upload_sender *u, uint64_t now, const struct frame *frame)
{
	struct wire_taken taken;
	bool in_flight;

	if (frame->type != WIRE_TAKEN || frame->length < sizeof(taken) || upload_is_over(u))
		return;
	memcpy(&taken, frame->payload, sizeof(taken));
	if (taken.upload != u->id || taken.have > u->size)
		return;
	u->heard = now;
	in_flight = taken.frame - u->answered < u->frame - u->answered;
	if (!in_flight && u->state != UPLOAD_OFFERS)
		return;
	if (in_flight)
		measure_round_trip(u, now, taken.frame);
	u->answered = in_flight ? taken.frame + 1 : u->frame;
	u->waits = now;
	act_on(u, &taken, now);
}

/* --- Messages --- */

void upload_tell(const struct upload_sender *u, uint64_t now, char *text, size_t size)
{
	const double passed = (double)(now - u->began) / 1000;
	const double rate = passed > 0 ? (double)(u->have - u->had) / passed : 0;
	const char *name = upload_is_over(u) ? "" : strrchr(current_file(u)->path, '/') + 1;
	int n = snprintf(text, size, "sending %s: %" PRIu64 " of %" PRIu64 " KiB, %.1f KiB/s", name,
			 u->have / 1024, (u->size + 1023) / 1024, rate / 1024);

	if (rate > 0 && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, ", %.0f s left",
			 (double)(u->size - u->have) / rate);
}

void upload_tell_end(const struct upload_sender *u, uint64_t now, char *text, size_t size)
{
	const double took = (double)(now - u->started) / 1000;

	if (u->shared)
		snprintf(text, size, "programs: %" PRIu64 " bytes through shared memory in %.1f s",
			 u->placed, took);
	else
		snprintf(text, size,
			 "programs: %" PRIu64 " bytes typed in %.1f s, %" PRIu64
			 " frames typed again",
			 u->typed, took, u->resent);
}
