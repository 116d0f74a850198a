/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.h - the parsed data of a run, live or stored: its machine, and its commands with their
 * events, records and totals.
 *
 * A malformed frame (too short, an incomplete record), or a frame of a command without a BEGIN, is
 * not used. It is counted, the first reason is kept, and the stream is then incomplete. No input,
 * however wrong, makes this code fail.
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
	struct perf_event_attr attr; /* `size` as sent, at most this struct's size */
	uint64_t *ids;               /* one for each CPU */
	uint16_t *cpus;              /* of each id; WIRE_ANY_CPU: any, or unknown */
	uint32_t nids;
	char *name;
};

/* A tracepoint. */
struct stream_format {
	uint32_t id;
	char *system, *name, *text; /* `text` is the format as in tracefs */
};

struct stream_count {
	struct wire_count count;
	char *name;
	char *cgroup; /* "": none; NULL: the command has no event for a cgroup */
};

/* Bytes of an AUX area without a gap: the whole trace of an event, or a snapshot. */
struct stream_aux {
	struct wire_aux head; /* head of the first frame */
	struct wire_aux last; /* head of the last frame; with WIRE_AUX_LAST the trace is complete */
	uint32_t cpu;
	size_t before; /* index of the previous part of the same trace; INDEX_NONE: none */
	struct buf bytes;
};

struct stream_command {
	uint32_t number;
	char *line; /* the command line that ran */
	struct stream_event *events;
	size_t nevents;
	struct stream_format *formats;
	size_t nformats;
	struct stream_count *counts;
	size_t ncounts;
	struct buf chunks; /* sequence of struct stream_chunk, each followed by its bytes */
	uint64_t received; /* bytes of records */
	uint64_t samples;
	uint64_t lost;          /* samples that were sent but lost, as far as known */
	uint64_t untold;        /* the part of `lost` that no LOST_SAMPLES record reports yet */
	uint64_t last_time;     /* ns; of the last record with a time */
	struct buf last_record; /* a copy, whose time a later EVENT may reveal */
	struct stream_aux *aux;
	size_t naux;
	/* Indexes. `by_id` maps an id to its event's index in `events` << 16 plus the number of
	 * the id. `by_format` maps a tracepoint to `formats`. `by_trace` maps id and CPU to the
	 * last part in `aux`. */
	struct index by_id, by_format, by_trace;
	char *noise;          /* line of the noise certificate; NULL: none */
	uint32_t noise_flags; /* enum wire_noise_flags */
	struct buf report;    /* the output of -j, if the user asked for it */
	bool ended;
	struct wire_result result; /* valid when ended */
};

/* Encodings of the records of a chunk. */
enum stream_chunk_kind {
	STREAM_PLAIN,  /* unchanged */
	STREAM_PACKED, /* payload of a PACKED frame, or of its PARTs */
	STREAM_KEY,    /* payload of a KEY frame */
};

/* The records of one frame, in the bytes in which they arrived. Chunks begin at multiples of
 * STREAM_CHUNK_ALIGN in the buffer. */
#define STREAM_CHUNK_ALIGN 8
struct stream_chunk {
	uint32_t cpu;
	uint32_t size; /* bytes that follow */
	uint64_t kind; /* enum stream_chunk_kind */
};

/* Frames that could not be used, and the first reason. */
struct stream_fault {
	uint64_t frames;
	struct reason first; /* reason for the first of these frames */
};

struct stream {
	bool has_hello, has_bye;
	struct wire_hello hello; /* valid when has_hello */
	char *version, *vendor, *brand, *load_options;
	struct wire_cpu *cpus; /* by number; NULL: unknown */
	size_t ncpus;
	/* KiB of each memory node, by number, and the node of each of `ncpus_placed` CPUs. 0
	 * nodes: there is one node, or nodes are unknown. */
	uint64_t *nodes;
	uint8_t *node_of;
	size_t nnodes, ncpus_placed;
	struct wire_bye bye; /* valid when has_bye */
	struct stream_command *commands;
	size_t ncommands;
	struct index by_number;                    /* maps a command's number to its index */
	struct unpacker *unpackers[FRAME_STREAMS]; /* NULL: no packed frame came from that CPU */
	uint64_t frames;
	struct buf scratch; /* records of one frame */
	uint64_t max_size;  /* limit for the records of all commands, in unpacked bytes */
	uint64_t size;      /* size of these records */
	uint64_t left_out;  /* frames of records dropped since the limit was reached */
	struct stream_fault malformed; /* frames that no image sends */
	struct stream_fault stray;     /* frames that refer to a frame that was lost */
};

struct stream_unpacked;

/* The position of stream_next_record(). A zeroed struct is at the first record. */
struct stream_cursor {
	size_t chunk;                     /* offset of the chunk in `chunks` */
	size_t offset;                    /* offset of the record among the chunk's records */
	bool is_open;                     /* the chunk is unpacked */
	struct stream_unpacked *unpacked; /* NULL: no chunk was unpacked yet */
};

#define STREAM_SIZE_DEFAULT (UINT64_C(256) << 20) /* bytes of records, unpacked */

/*
 * stream_init() - makes an empty stream with a `max_size` of STREAM_SIZE_DEFAULT. A packed record
 * of some hundred bytes may take a single byte. The stream keeps packed bytes, but an output of all
 * its records may take up to `max_size`. Further records are dropped, and stream_check() reports
 * that.
 */
void stream_init(struct stream *stream);
void stream_free(struct stream *stream);

/*
 * stream_frame() - takes one intact frame. TEXT and unknown types are only counted. The numbers in
 * later frames reveal samples that were lost in transfer. These become LOST_SAMPLES records at the
 * place where they are missing.
 */
void stream_frame(struct stream *stream, const struct frame *frame);

/*
 * stream_next_record() - returns the records of a command in the order in which they came from each
 * CPU, one CPU after the other; NULL after the last one. Each is complete and aligned to 8 bytes.
 * It is valid until the next call, and until the command gets more data. stream_cursor_free() -
 * frees the cursor's memory, and sets it to the first record.
 */
const struct perf_event_header *stream_next_record(const struct stream_command *command,
						   struct stream_cursor *cursor);
void stream_cursor_free(struct stream_cursor *cursor);

/*
 * stream_record_cpu() - returns the CPU from whose ring the last record of stream_next_record()
 * came.
 */
uint32_t stream_record_cpu(const struct stream_command *command,
			   const struct stream_cursor *cursor);

/*
 * stream_event_of_id() - returns the event with that `id`; NULL: none. `*cpu`, unless `cpu` is
 * NULL, receives the CPU of the id, or WIRE_ANY_CPU.
 */
const struct stream_event *stream_event_of_id(const struct stream_command *command, uint64_t id,
					      uint16_t *cpu);

/* stream_is_recording() - returns whether the command has records for a perf.data. */
bool stream_is_recording(const struct stream_command *command);

/* stream_scaled_count() - returns the count of an event, scaled from the time in which it was
 * counted to the whole time. */
uint64_t stream_scaled_count(const struct wire_count *c);

/*
 * stream_check() - checks whether the stream is complete, and whether its totals agree with the
 * data. `stats` come from the reader of its frames. Returns 0, or -EBADMSG with the first reason.
 */
int stream_check(const struct stream *stream, const struct frame_stats *stats, struct reason *why);

/* stream_check_line() - like stream_check(), for a single line, after which the image prompts
 * again and sends no BYE. */
int stream_check_line(const struct stream *stream, const struct frame_stats *stats,
		      struct reason *why);

/* stream_check_so_far() - like stream_check(), for an unfinished stream: running commands and a
 * missing end are no faults. */
int stream_check_so_far(const struct stream *stream, const struct frame_stats *stats,
			struct reason *why);

/* stream_text() - returns the kind of a TEXT frame, and its text; 0 if it is malformed. */
int stream_text(const struct frame *frame, const char **text, size_t *n);

#endif
