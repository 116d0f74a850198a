/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pack.h - compresses perf records, without loss. docs/WIRE.md, "Packed records", has the layout.
 *
 * A record is its header word and up to 8190 further words. Words are encoded as differences from
 * the same words of an earlier record of its kind. A template holds the words of one kind. Both
 * ends keep the same templates (struct pack_state), which change with each record.
 *
 * Frames must not depend on each other, because a line loses some. So a KEY frame starts from no
 * templates and leaves its own behind. Each PACKED frame after it starts from the templates of the
 * KEY, not from those of the frame before. A record too large for a frame travels in PART frames.
 *
 * No allocation, no recursion; the same code runs in the image and on the host. Task context, or
 * IRQ context where all calls for one packer come from it.
 */
#ifndef LIB_FORMAT_PACK_H
#define LIB_FORMAT_PACK_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/wire_frames.h"

#define PACK_TEMPLATES  32
#define PACK_WORDS      32    /* words of a record that a template holds */
#define PACK_RECORD_MAX 65528 /* bytes: the largest multiple of 8 in a 16-bit size */

struct pack_template {
	uint64_t header; /* type, misc and size; 0: unused */
	uint64_t word[PACK_WORDS];
	uint64_t step[PACK_WORDS]; /* difference from the word before to this one */
	uint8_t op[PACK_WORDS];    /* the way in which each word was last encoded */
	uint32_t used;             /* packer only: time of last use */
};

struct pack_state {
	struct pack_template template[PACK_TEMPLATES];
	uint32_t clock; /* packer only: counts records */
};

/* pack_bound() - the most bytes that a record of `size` bytes takes when packed. */
static inline size_t pack_bound(size_t size)
{
	return 10 + size + size / 16 + 1;
}

/*
 * pack_record() - packs `record`, whose size is a multiple of 8 and at most PACK_RECORD_MAX, into
 * `out`, which has room for pack_bound() of it. Returns the bytes written.
 */
size_t pack_record(struct pack_state *state, const struct perf_event_header *record, uint8_t *out);

/*
 * unpack_record() - unpacks one record from the `n` bytes at `in` into `out`, which has room for
 * PACK_RECORD_MAX and is aligned to 8. Returns the bytes read; 0: they are no record. The input is
 * not trusted.
 */
size_t unpack_record(struct pack_state *state, const uint8_t *in, size_t n,
		     struct perf_event_header *out);

#define PACK_BLOB_MAX 70000 /* the largest payload before it is cut into parts */
_Static_assert(PACK_BLOB_MAX >=
		       10 + PACK_RECORD_MAX + PACK_RECORD_MAX / 16 + 1 + sizeof(struct wire_packed),
	       "any one record fits");

/* The sending end for the records of one CPU. */
struct packer {
	void (*emit)(void *ctx, enum wire_type type, const void *payload, size_t n);
	void *ctx;
	uint32_t key;     /* number of the last KEY */
	uint32_t sample;  /* number of the first sample of the next frame */
	size_t since_key; /* bytes emitted since the last KEY, including it */
	bool wants_key;   /* the next frame is a KEY */
	bool is_key;      /* the current frame is a KEY */
	size_t used;      /* bytes of `blob`; 0: no frame is begun */
	struct wire_packed head;
	struct pack_state start; /* the state from which PACKED frames start */
	struct pack_state now;
	uint8_t blob[PACK_BLOB_MAX] __attribute__((aligned(8)));
	uint8_t piece[WIRE_MAX_PAYLOAD];
};

/*
 * packer_init() - `emit` gets the payload of each frame: KEY, PACKED or PART. Just before a KEY,
 * `emit` may repeat what a listener that joins now must know.
 */
void packer_init(struct packer *packer,
		 void (*emit)(void *ctx, enum wire_type type, const void *payload, size_t n),
		 void *ctx);

/*
 * packer_restart() - begins a new command: samples count from 0 again, and the next frame is a KEY.
 */
void packer_restart(struct packer *packer);

/*
 * packer_add() - adds one record and emits a frame that is full.
 * packer_flush() - emits the records added so far.
 */
void packer_add(struct packer *packer, const struct perf_event_header *record);
void packer_flush(struct packer *packer);

/* The receiving end for the records of one CPU. */
struct unpacker {
	bool has_key;
	uint32_t key;                   /* number of the KEY that `start` comes from */
	uint32_t sample;                /* number of the next expected sample */
	uint32_t part_total, part_have; /* bytes of the blob in parts; total 0: no blob is begun */
	struct pack_state start, now;
	uint8_t blob[PACK_BLOB_MAX] __attribute__((aligned(8)));
	uint8_t record[PACK_RECORD_MAX] __attribute__((aligned(8)));
};

void unpacker_init(struct unpacker *unpacker);

/*
 * unpacker_restart() - begins a new command: the next sample is number 0, and the first frame is a
 * KEY.
 */
void unpacker_restart(struct unpacker *unpacker);

/* The result of one frame. */
enum unpack_verdict {
	UNPACK_NOTHING,   /* a part of an incomplete blob */
	UNPACK_RECORDS,   /* the sink got every record */
	UNPACK_NO_KEY,    /* the KEY that the frame starts from is missing: its samples are lost */
	UNPACK_REPEATED,  /* the samples came before */
	UNPACK_MALFORMED, /* no packer wrote this; the sink may have got some records */
};

/*
 * unpacker_frame() - takes the payload of an intact KEY, PACKED or PART frame and gives each record
 * to `sink`. `*lost` is the number of missing samples before the first one of the frame. The sink
 * never gets more records or bytes than the frame announces.
 *
 * After UNPACK_RECORDS of a PART frame, the first `part_have` bytes of `blob` are the joined
 * payload. Given as a PACKED frame, they unpack to the same records.
 */
enum unpack_verdict unpacker_frame(struct unpacker *unpacker, enum wire_type type,
				   const void *payload, size_t n, uint32_t *lost,
				   void (*sink)(void *ctx, const struct perf_event_header *record),
				   void *ctx);

#endif
