/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pack.h - perf records in few bytes, and back to the very bytes they were. docs/WIRE.md, "Packed
 * records", has the layout.
 *
 * A record is its header word and up to 8190 words behind it. Words are written as differences to
 * the same words of an earlier record of its kind; what is remembered of a kind is a template. Both
 * ends keep the same templates (struct pack_state), which change with each record.
 *
 * Frames must not depend on each other, for a line loses some. So a KEY frame starts from no
 * templates, and leaves its own behind; each PACKED frame after it starts from those, whatever came
 * in between. A record too large for a frame travels in PART frames.
 *
 * No allocation, no recursion; portable, in the image and on the host the same. Task context, or
 * IRQ context where all calls for one packer are made in it.
 */
#ifndef LIB_PACK_H
#define LIB_PACK_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/wire.h"

#define PACK_TEMPLATES  32
#define PACK_WORDS      32    /* of a record that a template remembers */
#define PACK_RECORD_MAX 65528 /* bytes: the largest that its 16-bit size can tell, in words */

struct pack_template {
	uint64_t header; /* type, misc and size; 0: not in use */
	uint64_t word[PACK_WORDS];
	uint64_t step[PACK_WORDS]; /* from the word before to this one */
	uint8_t op[PACK_WORDS];    /* how each was written last */
	uint32_t used;             /* the packer's own: when last */
};

struct pack_state {
	struct pack_template template[PACK_TEMPLATES];
	uint32_t clock; /* the packer's own: counts records */
};

/* pack_bound() - at most so many bytes does a record of `size` bytes take, packed. */
static inline size_t pack_bound(size_t size)
{
	return 10 + size + size / 16 + 1;
}

/*
 * pack_record() - writes `record`, whose size is a multiple of 8 and at most PACK_RECORD_MAX, to
 * `out`, which has room for pack_bound() of it. Returns the bytes written.
 */
size_t pack_record(struct pack_state *state, const struct perf_event_header *record, uint8_t *out);

/*
 * unpack_record() - reads one record from the `n` bytes at `in` into `out`, which has room for
 * PACK_RECORD_MAX and is aligned to 8. Returns the bytes read, 0 when they make no record. Trusts
 * nothing: any bytes may come.
 */
size_t unpack_record(struct pack_state *state, const uint8_t *in, size_t n,
		     struct perf_event_header *out);

#define PACK_BLOB_MAX 70000 /* a frame's payload before it is cut into parts */
_Static_assert(PACK_BLOB_MAX >=
		       10 + PACK_RECORD_MAX + PACK_RECORD_MAX / 16 + 1 + sizeof(struct wire_packed),
	       "any one record fits");

/* The sending end of one CPU's records. */
struct packer {
	void (*emit)(void *ctx, enum wire_type type, const void *payload, size_t n);
	void *ctx;
	uint32_t key;     /* number of the last KEY */
	uint32_t sample;  /* number of the next frame's first sample */
	size_t since_key; /* bytes emitted after it, itself included */
	bool wants_key;   /* the next frame is one */
	bool is_key;      /* the frame that is being filled is one */
	size_t used;      /* bytes of `blob`; 0: no frame was begun */
	struct wire_packed head;
	struct pack_state start; /* what PACKED frames start from */
	struct pack_state now;
	uint8_t blob[PACK_BLOB_MAX] __attribute__((aligned(8)));
	uint8_t piece[WIRE_MAX_PAYLOAD];
};

/*
 * packer_init() - `emit` gets the payload of each frame: KEY, PACKED or PART. What a listener that
 * comes now has to know may be said again just before a KEY.
 */
void packer_init(struct packer *packer,
		 void (*emit)(void *ctx, enum wire_type type, const void *payload, size_t n),
		 void *ctx);

/* packer_restart() - a new command: samples count from 0 again, and a KEY comes next. */
void packer_restart(struct packer *packer);

/* packer_add() - one more record; emits what is full. packer_flush() - emits what there is. */
void packer_add(struct packer *packer, const struct perf_event_header *record);
void packer_flush(struct packer *packer);

/* The receiving end of one CPU's records. */
struct unpacker {
	bool has_key;
	uint32_t key;                   /* number of the KEY that `start` is from */
	uint32_t sample;                /* number of the next sample that is expected */
	uint32_t part_total, part_have; /* bytes of the blob in parts; total 0: none */
	struct pack_state start, now;
	uint8_t blob[PACK_BLOB_MAX] __attribute__((aligned(8)));
	uint8_t record[PACK_RECORD_MAX] __attribute__((aligned(8)));
};

void unpacker_init(struct unpacker *unpacker);

/* unpacker_restart() - a new command: the next sample is number 0, and a KEY comes first. */
void unpacker_restart(struct unpacker *unpacker);

/* What came of one frame. */
enum unpack_verdict {
	UNPACK_NOTHING,   /* a part, and more are to come; or one whose other parts are lost */
	UNPACK_RECORDS,   /* each record was given to the sink */
	UNPACK_NO_KEY,    /* the KEY that it starts from never came: its samples are lost */
	UNPACK_REPEATED,  /* its samples came already */
	UNPACK_MALFORMED, /* no packer wrote this; the sink may have got records of it */
};

/*
 * unpacker_frame() - takes the payload of an intact KEY, PACKED or PART frame; gives each record to
 * `sink`, and to `*lost` how many samples there were before the first of them that never came. The
 * sink never gets more records or bytes than the frame announces.
 *
 * Behind UNPACK_RECORDS of a PART the payload that its pieces make is the first `part_have` bytes
 * of `blob`; given as a PACKED frame it unpacks to the same.
 */
enum unpack_verdict unpacker_frame(struct unpacker *unpacker, enum wire_type type,
				   const void *payload, size_t n, uint32_t *lost,
				   void (*sink)(void *ctx, const struct perf_event_header *record),
				   void *ctx);

#endif
