/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_file.h - the tool's side of include/perf0/shared.h: the memory, an anonymous file that
 * QEMU opens; the reader of the image's bytes; the area for bytes to the image.
 */
#ifndef TOOLS_MACHINE_SHARED_FILE_H
#define TOOLS_MACHINE_SHARED_FILE_H

#include "lib/reason.h"
#include "lib/format/shared_ring.h"

struct shared {
	int fd; /* -1: there is none */
	void *memory;
	struct shared_ring_reader out;
	uint8_t *in;                          /* SHARED_IN_BYTES for the image to read */
	const struct shared_samples *samples; /* the image counts samples there */
	const volatile struct shared_steps *steps;
};

/* shared_create() - creates empty memory. Returns 0, or -E with the reason. */
int shared_create(struct shared *shared, struct reason *why);

/*
 * shared_begin() - resets the memory for a machine that starts: it then has only a header.
 * shared_open() - continues reading where the last reader ended. The machine runs, or was restored
 * with its memory.
 */
int shared_begin(struct shared *shared, struct reason *why);
void shared_open(struct shared *shared);

void shared_end(struct shared *shared);

#endif
