// SPDX-License-Identifier: BSD-2-Clause
/* upload_reader.c - see upload_reader.h. Nothing in a frame is trusted. */
#include "rt/portable/upload_reader.h"

#include "lib/string.h"
#include "lib/format/xxh64.h"

static void drop_part(struct upload *upload)
{
	if (upload->memory)
		upload->store->drop(&upload->file, upload->memory);
	upload->memory = NULL;
	upload->have = 0;
}

/* A file that was sent before under another path is the same if size and hash are equal. */
static bool is_same_content(const struct upload_file *a, const struct upload_file *b)
{
	return a->bytes == b->bytes && a->hash == b->hash;
}

static enum wire_taken_status begin_file(struct upload *upload, const struct upload_file *file)
{
	drop_part(upload);
	upload->memory = upload->store->begin(file);
	return upload->memory ? WIRE_TAKEN_PART : WIRE_TAKEN_NO_ROOM;
}

enum wire_taken_status upload_offer(struct upload *upload, uint32_t id,
				    const struct upload_file *file)
{
	enum wire_taken_status status = WIRE_TAKEN_PART;

	if (!file->bytes || file->bytes > PROGRAM_MOST || !file->path[0])
		return WIRE_TAKEN_REFUSED;
	upload->id = id;
	upload->is_offered = true;
	upload->is_whole = upload->store->holds(file);
	if (upload->is_whole) {
		upload->have = file->bytes;
		return WIRE_TAKEN_WHOLE;
	}
	if (!upload->memory || !is_same_content(file, &upload->file))
		status = begin_file(upload, file);
	upload->file = *file;
	return status;
}

static enum wire_taken_status end_file(struct upload *upload)
{
	if (xxh64(upload->memory, upload->file.bytes) != upload->file.hash) {
		memset(upload->memory, 0, upload->file.bytes);
		upload->have = 0;
		return WIRE_TAKEN_ANEW;
	}
	upload->is_whole = upload->store->keep(&upload->file, upload->memory);
	if (!upload->is_whole) {
		drop_part(upload);
		return WIRE_TAKEN_NO_ROOM;
	}
	upload->memory = NULL;
	return WIRE_TAKEN_WHOLE;
}

static bool is_piece_inside(const struct upload *upload, uint64_t offset, uint64_t n,
			    uint64_t zeros)
{
	const uint64_t bytes = upload->file.bytes;

	return offset <= bytes && n <= bytes - offset && zeros <= bytes - offset - n && n + zeros;
}

enum wire_taken_status upload_piece(struct upload *upload, uint32_t id, uint64_t offset,
				    const void *bytes, uint64_t n, uint64_t zeros)
{
	if (!upload->is_offered || id != upload->id)
		return WIRE_TAKEN_UNKNOWN;
	if (upload->is_whole)
		return WIRE_TAKEN_WHOLE;
	if (!upload->memory)
		return WIRE_TAKEN_UNKNOWN;
	if (!is_piece_inside(upload, offset, n, zeros))
		return WIRE_TAKEN_REFUSED;
	if (offset > upload->have)
		return WIRE_TAKEN_GAP;
	if (offset + n + zeros <= upload->have)
		return WIRE_TAKEN_PART;
	memcpy(upload->memory + offset, bytes, n);
	upload->have = offset + n + zeros;
	return upload->have == upload->file.bytes ? end_file(upload) : WIRE_TAKEN_PART;
}

static enum wire_taken_status take_offer(struct upload *upload, const struct frame *frame,
					 struct wire_taken *answer)
{
	const char *path = (const char *)frame->payload + sizeof(struct wire_offer);
	struct wire_offer offer;
	struct upload_file file = {0};
	size_t n;

	if (frame->length <= sizeof(offer))
		return WIRE_TAKEN_REFUSED;
	memcpy(&offer, frame->payload, sizeof(offer));
	answer->upload = offer.upload;
	n = frame->length - sizeof(offer);
	if (n > sizeof(file.path) || path[n - 1] != '\0')
		return WIRE_TAKEN_REFUSED;
	memcpy(file.path, path, n);
	file.bytes = offer.bytes;
	file.hash = offer.hash;
	return upload_offer(upload, offer.upload, &file);
}

static enum wire_taken_status take_piece(struct upload *upload, const struct frame *frame,
					 struct wire_taken *answer)
{
	struct wire_piece piece;

	if (frame->length < sizeof(piece))
		return WIRE_TAKEN_REFUSED;
	memcpy(&piece, frame->payload, sizeof(piece));
	answer->upload = piece.upload;
	return upload_piece(upload, piece.upload, piece.offset,
			    (const uint8_t *)frame->payload + sizeof(piece),
			    frame->length - sizeof(piece), piece.zeros);
}

static enum wire_taken_status take_placed(struct upload *upload, const struct frame *frame,
					  struct wire_taken *answer)
{
	struct wire_placed placed;

	if (frame->length < sizeof(placed))
		return WIRE_TAKEN_REFUSED;
	memcpy(&placed, frame->payload, sizeof(placed));
	answer->upload = placed.upload;
	if (placed.at > upload->shared_bytes || placed.bytes > upload->shared_bytes - placed.at)
		return WIRE_TAKEN_REFUSED;
	return upload_piece(upload, placed.upload, placed.offset, upload->shared + placed.at,
			    placed.bytes, 0);
}

bool upload_frame(struct upload *upload, const struct frame *frame, struct wire_taken *answer)
{
	*answer = (struct wire_taken){.frame = frame->seq};
	if (frame->type == WIRE_OFFER)
		answer->status = take_offer(upload, frame, answer);
	else if (frame->type == WIRE_PIECE)
		answer->status = take_piece(upload, frame, answer);
	else if (frame->type == WIRE_PLACED)
		answer->status = take_placed(upload, frame, answer);
	else
		return false;
	answer->have = upload->have;
	return true;
}
