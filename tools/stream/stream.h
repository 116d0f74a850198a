/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.h - what a run sent, taken apart: its machine, its commands with their events, records and
 * books. The same for a live run and for a stored stream.
 *
 * A frame that can not be right (too short, a torn record), or that belongs to a command that never
 * began, is not believed: it is counted, with the first reason kept, and the stream is then not
 * complete. Nothing in a stream, however wrong, makes this code fail.
 */
#ifndef TOOLS_STREAM_STREAM_H
#define TOOLS_STREAM_STREAM_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/format/frame.h"
#include "lib/format/pack.h"
#include "tools/util/buf.h"
#include "tools/util/index.h"
#include "lib/reason.h"

struct stream_event {
	struct perf_event_attr attr; /* .size as sent, at most this struct's */
	uint64_t *ids;               /* one for each CPU */
	uint16_t *cpus;              /* of each id, or WIRE_ANY_CPU, where that is not told, too */
	uint32_t nids;
	char *name;
};

/* A tracepoint. */
struct stream_format {
	uint32_t id;
	char *system, *name, *text; /* `text`: as tracefs has it */
};

struct stream_count {
	struct wire_count count;
	char *name;
	char *cgroup; /* "": none; NULL: no event of the command is for one */
};

/* Bytes of an AUX area without a gap: all that an event wrote there, or a snapshot. */
struct stream_aux {
	struct wire_aux head; /* of the first frame */
	struct wire_aux last; /* of the last one: with WIRE_AUX_LAST nothing more is to come */
	uint32_t cpu;
	size_t before; /* which one was the last part of the same trace; INDEX_NONE: none */
	struct buf bytes;
};

struct stream_command {
	uint32_t number;
	char *line; /* what was run */
	struct stream_event *events;
	size_t nevents;
	struct stream_format *formats;
	size_t nformats;
	struct stream_count *counts;
	size_t ncounts;
	struct buf chunks; /* struct stream_chunk and its bytes, one after the other */
	uint64_t received; /* bytes of records */
	uint64_t samples;
	uint64_t lost;          /* samples that were sent, but never came: as far as known */
	uint64_t untold;        /* of these, in no LOST_SAMPLES record yet */
	uint64_t last_time;     /* ns, of the last record that said one */
	struct buf last_record; /* a copy: events that are told of later may say its time */
	struct stream_aux *aux;
	size_t naux;
	/* Where in `events` (its number << 16, and which of its ids), `formats` and `aux` (the last
	 * part) an id, a tracepoint, and a trace by id and CPU are. */
	struct index by_id, by_format, by_trace;
	char *noise;          /* the line of its noise certificate; NULL: there is none */
	uint32_t noise_flags; /* enum wire_noise_flags */
	struct buf report;    /* what -j prints, where that was asked for */
	bool ended;
	struct wire_result result; /* valid when ended */
};

/* How the records of a chunk are there. */
enum stream_chunk_kind {
	STREAM_PLAIN,  /* as they are */
	STREAM_PACKED, /* as the payload of a PACKED frame, or of the PARTs of one */
	STREAM_KEY,    /* as that of a KEY */
};

/* The records of one frame, in the few bytes in which they came. Chunks stand on multiples of
 * STREAM_CHUNK_ALIGN in the buffer. */
#define STREAM_CHUNK_ALIGN 8
struct stream_chunk {
	uint32_t cpu;
	uint32_t size; /* bytes that follow */
	uint64_t kind; /* enum stream_chunk_kind */
};

/* Frames that could not be used. */
struct stream_fault {
	uint64_t frames;
	struct reason first; /* the reason of the first of them */
};

struct stream {
	bool has_hello, has_bye;
	struct wire_hello hello; /* valid when has_hello */
	char *version, *vendor, *brand, *load_options;
	struct wire_cpu *cpus; /* by number; NULL: nothing is known of them */
	size_t ncpus;
	/* Nodes of memory by number, their KiB; and which node each CPU has, of `ncpus_placed`. 0:
	 * there is one node, or nothing is known of them. */
	uint64_t *nodes;
	uint8_t *node_of;
	size_t nnodes, ncpus_placed;
	struct wire_bye bye; /* valid when has_bye */
	struct stream_command *commands;
	size_t ncommands;
	struct index by_number;                    /* of commands, in `commands` */
	struct unpacker *unpackers[FRAME_STREAMS]; /* NULL where nothing packed came from */
	uint64_t frames;
	struct buf scratch; /* the records of one frame */
	uint64_t max_size;  /* bytes that the records of all commands may take, unpacked */
	uint64_t size;      /* that they take */
	uint64_t left_out;  /* frames of records, from the first on that would have made it more */
	struct stream_fault malformed; /* what no image sends */
	struct stream_fault stray;     /* what belongs to a frame that did not come */
};

struct stream_unpacked;

/* Where stream_next_record() is; zeroed: at the first record. */
struct stream_cursor {
	size_t chunk;                     /* offset of the chunk in `chunks` */
	size_t offset;                    /* of the record in the chunk's records */
	bool is_open;                     /* they are unpacked */
	struct stream_unpacked *unpacked; /* NULL: nothing was so far */
};

#define STREAM_SIZE_DEFAULT (UINT64_C(256) << 20) /* bytes of records, unpacked */

/*
 * stream_init() - an empty stream, whose `max_size` is STREAM_SIZE_DEFAULT. Packed, a record
 * of some hundred bytes may come in one byte. The stream keeps the bytes that came, but an output
 * of all its records may take up to `max_size`. Records beyond that are left out, and
 * stream_check() says so.
 */
void stream_init(struct stream *stream);
void stream_free(struct stream *stream);

/*
 * stream_frame() - takes one intact frame. TEXT and unknown types are only counted. Samples that
 * were lost on the way, as the numbers in later frames tell, become LOST_SAMPLES records in the
 * place where they are missing.
 */
void stream_frame(struct stream *stream, const struct frame *frame);

/*
 * stream_next_record() - the records of a command, CPU after CPU as they came; NULL after the last.
 * Each is whole, and aligned to 8 bytes; it lives until the next one is asked for, and as long as
 * the command gets no more data. stream_cursor_free() gives the cursor's memory back, and sets it
 * to the first record.
 */
const struct perf_event_header *stream_next_record(const struct stream_command *command,
						   struct stream_cursor *cursor);
void stream_cursor_free(struct stream_cursor *cursor);

/* stream_record_cpu() - the CPU in whose ring the last record of stream_next_record() was. */
uint32_t stream_record_cpu(const struct stream_command *command,
			   const struct stream_cursor *cursor);

/*
 * stream_event_of_id() - the event that `id` was given to, NULL: none; `*cpu`, if it is wanted, is
 * the CPU that the id is for, or WIRE_ANY_CPU.
 */
const struct stream_event *stream_event_of_id(const struct stream_command *command, uint64_t id,
					      uint16_t *cpu);

/* stream_is_recording() - whether there are records for a perf.data. */
bool stream_is_recording(const struct stream_command *command);

/* stream_scaled_count() - of an event that was counted for a part of the time, scaled to all of it.
 */
uint64_t stream_scaled_count(const struct wire_count *c);

/*
 * stream_check() - whether the stream is complete, and the books balance. `stats` are those of the
 * reader that the frames came from. Returns 0, or -EBADMSG with the first reason.
 */
int stream_check(const struct stream *stream, const struct frame_stats *stats, struct reason *why);

/* stream_check_line() - the same of all that one line asked for, behind which the image prompts for
 * another: there is no BYE. */
int stream_check_line(const struct stream *stream, const struct frame_stats *stats,
		      struct reason *why);

/* stream_check_so_far() - the same of a stream that goes on: commands that have not ended, and an
 * end that has not come, are no fault of it. */
int stream_check_so_far(const struct stream *stream, const struct frame_stats *stats,
			struct reason *why);

/* stream_text() - the text of a TEXT frame; returns its kind, 0 when it is malformed. */
int stream_text(const struct frame *frame, const char **text, size_t *n);

#endif
