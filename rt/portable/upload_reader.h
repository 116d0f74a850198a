/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * upload_reader.h - receives ELF files while the machine runs: the answering side of OFFER, PIECE
 * and PLACED (include/perf0/wire_frames.h). It never asks, and waits for nothing: time-outs are the
 * sender's task. The bytes come from frames, or from shared memory. Portable, no machine; one
 * caller at a time.
 */
#ifndef RT_PORTABLE_UPLOAD_READER_H
#define RT_PORTABLE_UPLOAD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/programs.h"
#include "include/perf0/wire_frames.h"
#include "lib/format/frame.h"

struct upload_file {
	char path[PROGRAM_PATH_MAX];
	uint64_t bytes, hash;
};

/* The destination of files. */
struct upload_store {
	/* Has the store the content of that file? If so, it has it under that path, too, from now
	 * on. */
	bool (*holds)(const struct upload_file *file);
	/* Zeroed memory for the file; NULL: there is no room. */
	uint8_t *(*begin)(const struct upload_file *file);
	/* The file is complete, and the store takes over the memory. False: there is no room after
	 * all. */
	bool (*keep)(const struct upload_file *file, uint8_t *memory);
	/* The file will not be completed: frees the memory. */
	void (*drop)(const struct upload_file *file, uint8_t *memory);
};

/* The state of the receiver. A zeroed struct with a store is ready. */
struct upload {
	const struct upload_store *store;
	const uint8_t *shared; /* memory of PLACED bytes */
	size_t shared_bytes;   /* 0: there is no such memory */
	uint32_t id;           /* id of the last OFFER */
	bool is_offered;       /* there was an OFFER */
	bool is_whole;         /* all bytes of that file have come */
	uint8_t *memory;       /* memory of the incomplete file; NULL: there is none */
	uint64_t have;         /* bytes of it that have come */
	struct upload_file file;
};

/*
 * upload_offer() - a file is offered; an incomplete transfer of the same file continues.
 * upload_piece() - `n` bytes of it from `offset` on, and `zeros` zeros behind them. Both return the
 * status; upload->have is the number of bytes that have come.
 */
enum wire_taken_status upload_offer(struct upload *upload, uint32_t id,
				    const struct upload_file *file);
enum wire_taken_status upload_piece(struct upload *upload, uint32_t id, uint64_t offset,
				    const void *bytes, uint64_t n, uint64_t zeros);

/* upload_frame() - answers a frame that was typed. False: it belongs to no upload. */
bool upload_frame(struct upload *upload, const struct frame *frame, struct wire_taken *answer);

/* upload_waits() - is a file incomplete? */
static inline bool upload_waits(const struct upload *upload)
{
	return upload->memory != NULL;
}

#endif
