/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * upload.h - sends ELF files to a running machine over a line that may lose and damage bytes. This
 * is the sender of OFFER and PIECE (include/perf0/wire_frames.h). Only the sender has a clock; the
 * machine answers.
 *
 * Up to UPLOAD_AHEAD pieces are in flight. If one is missing, or no answer comes, all pieces from
 * there on are sent again, in smaller sizes. While none is missing, the sizes grow. If both ends
 * share memory, the bytes go there, and frames only announce them. Each offset of the file has one
 * place there, which stays unchanged until the machine has its bytes. upload.c uses no descriptor:
 *
 *   upload_begin(&upload, &programs, NULL, now);
 *   while (!upload_is_over(&upload)) {
 *       upload_next(&upload, now, &out);       // `out`: bytes to type next, if any
 *       upload_answer(&upload, now, &frame);   // `frame`: a TAKEN frame that arrived
 *   }
 */
#ifndef TOOLS_MACHINE_UPLOAD_H
#define TOOLS_MACHINE_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/format/frame.h"
#include "lib/reason.h"
#include "tools/machine/line_programs.h"
#include "tools/stream/typing.h"
#include "tools/util/buf.h"

#define UPLOAD_AHEAD      8     /* unanswered frames; a power of two */
#define UPLOAD_SILENCE_MS 30000 /* a machine that is silent for so long gets no more files */

enum upload_state { UPLOAD_OFFERS, UPLOAD_SENDS, UPLOAD_DONE, UPLOAD_FAILED };

struct upload_sender {
	const struct programs *programs;
	size_t at; /* the file that is being sent */
	enum upload_state state;
	struct reason why; /* explains UPLOAD_FAILED */
	uint8_t *bytes;    /* contents of that file; NULL: no file is being sent */
	uint8_t *shared;   /* SHARED_IN_BYTES that the machine sees; NULL: the line alone */
	uint64_t size, hash;
	uint32_t id;
	uint32_t frame;                 /* number of the next frame */
	uint32_t answered;              /* all earlier frames are answered or given up */
	uint32_t again;                 /* the first frame after the last resending */
	uint64_t next;                  /* offset of the next piece */
	uint64_t have;                  /* bytes that have arrived */
	size_t piece;                   /* bytes in the next piece */
	unsigned intact;                /* answers since the last missing piece */
	unsigned anew;                  /* complete arrivals with a wrong hash */
	uint64_t sent_at[UPLOAD_AHEAD]; /* ms; frames in flight, by number */
	uint64_t heard, waits;          /* ms; of the last answer; start of the wait */
	uint64_t round_trip, patience;  /* ms; until an answer; before resending */
	/* Figures for messages. */
	uint64_t started;    /* ms */
	uint64_t began, had; /* ms at the start of this file; bytes that the machine had then */
	uint64_t resent;     /* frames that were given up */
	uint64_t typed;      /* bytes typed into the line */
	uint64_t placed;     /* bytes of files put into shared memory */
};

/*
 * upload_begin() - begins to send all of `programs`, which stay unchanged until the end. Uses the
 * area SHARED_IN at `shared`; NULL: the line alone.
 */
void upload_begin(struct upload_sender *upload, const struct programs *programs, uint8_t *shared,
		  uint64_t now);

/*
 * upload_next() - appends the next frame to `out`, if one is due at `now` (ms). The caller calls it
 * when the line has taken the previous one, when an answer arrived, and ten times a second.
 */
void upload_next(struct upload_sender *upload, uint64_t now, struct buf *out);

/* upload_type() - types all frames that are due, one after the other. */
void upload_type(struct upload_sender *upload, uint64_t now, struct typing *typing);

/* upload_answer() - takes a frame; ignores all but TAKEN. */
void upload_answer(struct upload_sender *upload, uint64_t now, const struct frame *frame);

static inline bool upload_is_over(const struct upload_sender *upload)
{
	return upload->state == UPLOAD_DONE || upload->state == UPLOAD_FAILED;
}

/* upload_tell() - writes one line of progress: file, bytes, rate, remaining time. */
void upload_tell(const struct upload_sender *upload, uint64_t now, char *text, size_t size);

/* upload_tell_end() - writes one line with the totals. */
void upload_tell_end(const struct upload_sender *upload, uint64_t now, char *text, size_t size);
#define UPLOAD_TEXT 160 /* bytes for either line */

/* upload_end() - may be called at any time; the machine keeps the parts of files that it has. */
void upload_end(struct upload_sender *upload);

#endif
