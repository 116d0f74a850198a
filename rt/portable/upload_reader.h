/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * upload_reader.h - how the machine takes ELF files while it goes on running: the answering side of
 * OFFER, PIECE and PLACED (include/perf0/wire_frames.h). It never asks and waits for nothing: the
 * sender has the clock. The bytes come out of frames, or out of memory that is shared. Portable, no
 * machine; one caller at a time.
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

/* Where files go. */
struct upload_store {
	/* Has it the content of that file? Then it has it under that path, too, from now on. */
	bool (*holds)(const struct upload_file *file);
	/* Memory for it, all zero; NULL: there is no room. */
	uint8_t *(*begin)(const struct upload_file *file);
	/* It is whole: the memory is the store's. False: there is no room after all. */
	bool (*keep)(const struct upload_file *file, uint8_t *memory);
	/* It will not be whole: the memory is free. */
	void (*drop)(const struct upload_file *file, uint8_t *memory);
};

/* A zeroed one with a store is ready. */
struct upload {
	const struct upload_store *store;
	const uint8_t *shared; /* where PLACED bytes lie */
	size_t shared_bytes;   /* 0: there is no such memory */
	uint32_t id;           /* of the last OFFER */
	bool is_offered;       /* there was one */
	bool is_whole;         /* and all of it is there */
	uint8_t *memory;       /* of what is not whole; NULL: nothing is */
	uint64_t have;         /* bytes of it */
	struct upload_file file;
};

/*
 * upload_offer() - a file is offered; what is there of it already is gone on with. upload_piece() -
 * `n` bytes of it from `offset` on, and `zeros` zeros behind them. Both return how it stands;
 * upload->have is the number of bytes that are there.
 */
enum wire_taken_status upload_offer(struct upload *upload, uint32_t id,
				    const struct upload_file *file);
enum wire_taken_status upload_piece(struct upload *upload, uint32_t id, uint64_t offset,
				    const void *bytes, uint64_t n, uint64_t zeros);

/* upload_frame() - a frame that was typed: answers it. False: it is of no upload. */
bool upload_frame(struct upload *upload, const struct frame *frame, struct wire_taken *answer);

/* upload_waits() - there is a file of which more is to come. */
static inline bool upload_waits(const struct upload *upload)
{
	return upload->memory != NULL;
}

#endif
