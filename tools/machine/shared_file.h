/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_file.h - the tool's side of include/perf0/shared.h: the memory, as an anonymous file that
 * QEMU opens, the reader of what the image puts there, and the room for what it is given.
 */
#ifndef TOOLS_MACHINE_SHARED_FILE_H
#define TOOLS_MACHINE_SHARED_FILE_H

#include "lib/reason.h"
#include "lib/format/shared_ring.h"

struct shared {
	int fd; /* -1: there is none */
	void *memory;
	struct shared_ring_reader out;
	uint8_t *in;                          /* SHARED_IN_BYTES for what the image is given */
	const struct shared_samples *samples; /* where it counts them */
	const volatile struct shared_steps *steps;
};

/* shared_create() - memory that nothing is in. Returns 0, or -E with the reason. */
int shared_create(struct shared *shared, struct reason *why);

/*
 * shared_begin() - as a machine is to find it that starts: a header, and else nothing, whatever a
 * machine before it left. shared_open(): that machine runs, or was restored and brought what it had
 * there: what is read begins where that one's reader ended.
 */
int shared_begin(struct shared *shared, struct reason *why);
void shared_open(struct shared *shared);

void shared_end(struct shared *shared);

#endif
