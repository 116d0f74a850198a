/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared.h - memory that the host tool shares with the image in QEMU: BAR 2 of an ivshmem-plain
 * device. The tool creates it and writes its header before the machine starts. An image that finds
 * no such device, or another header, uses the serial line alone. Little endian; append-only.
 *
 *         0            struct shared_header: the areas and their places
 *         64 KiB       SHARED_OUT: a ring of frames from the image to the tool
 *                      struct shared_ring, then at the next page its bytes
 *         after it     SHARED_IN: pieces of ELF files from the tool to the image, announced by
 *                      typed frames (WIRE_PLACED)
 *         after it     SHARED_SAMPLES: struct shared_samples
 *         after it     SHARED_STEPS: struct shared_steps
 *
 * Saving a machine saves this memory, and a restored image finds it unchanged. At AWAIT the ring is
 * empty, and both sides ignore older frames in it.
 */
#ifndef PERF0_SHARED_H
#define PERF0_SHARED_H

#include "include/perf0/formats.h"

#include <stdint.h>

#define SHARED_PCI_VENDOR 0x1af4
#define SHARED_PCI_DEVICE 0x1110
#define SHARED_BAR        2
#define SHARED_MAGIC      "perf0shm"
#define SHARED_BYTES                                                                 \
	(8u << 20) /* size of the BAR; each start of a saved machine reads all of it \
		    */
#define SHARED_AREAS 16
#define SHARED_PAGE  4096u

/* The purposes of areas. An area that does not exist has 0 bytes. */
enum shared_purpose { SHARED_OUT, SHARED_IN, SHARED_SAMPLES, SHARED_STEPS };

struct shared_area {
	uint32_t offset,
		bytes; /* offset from the start of the memory; both are multiples of the page */
};

struct shared_header {
	uint8_t magic[8] __attribute__((nonstring));
	uint32_t version;
	uint32_t bytes;                        /* size of the memory */
	struct shared_area area[SHARED_AREAS]; /* by enum shared_purpose */
};

#define SHARED_OUT_OFFSET     (64u << 10)
#define SHARED_OUT_BYTES      (SHARED_PAGE + (4u << 20))
#define SHARED_IN_OFFSET      (SHARED_OUT_OFFSET + SHARED_OUT_BYTES)
#define SHARED_IN_BYTES       (3840u << 10)
#define SHARED_SAMPLES_OFFSET (SHARED_IN_OFFSET + SHARED_IN_BYTES)
#define SHARED_SAMPLES_BYTES  (2 * SHARED_PAGE)
#define SHARED_STEPS_OFFSET   (SHARED_SAMPLES_OFFSET + SHARED_SAMPLES_BYTES)
#define SHARED_STEPS_BYTES    SHARED_PAGE

/*
 * Standard input, as the answer to a frame INPUT: at the start of SHARED_IN, with the bytes from
 * the next page on. The image sends the frame and stops the machine by writing SHARED_STOP_VALUE to
 * the port of QEMU's pvpanic device. The tool answers and continues the machine. So no time passes
 * for the machine, however long the tool waits for the bytes.
 */
struct shared_input {
	int32_t bytes; /* number of bytes; 0: end of input; -EINTR: the machine is to end */
	uint32_t reserved;
};
#define SHARED_STOP_PORT  0x505
#define SHARED_STOP_VALUE 1

/*
 * The best shares of groups of events, after a frame SOLVE: struct fair_exchange
 * (fair_solution.h) at the start of SHARED_IN. The machine stops itself in the same way.
 */

/*
 * Each CPU counts the samples that it has written to rings since the machine started. This is the
 * physical address of its 8-byte counter; 0: there is no such CPU. The image writes the addresses
 * once; the tool reads the counters through QEMU. So the image does no extra work while it
 * measures.
 */
#define SHARED_SAMPLES_CPUS 1024
struct shared_samples {
	uint64_t address[SHARED_SAMPLES_CPUS];
};
_Static_assert(sizeof(struct shared_samples) <= SHARED_SAMPLES_BYTES, "it finds room");

/* Progress of a command that runs in steps, written by the image. `all` 0: no such command runs. */
struct shared_steps {
	uint64_t done, all;
};

/*
 * A ring of bytes. `head` and `tail` count all bytes ever written and read; byte N lies at N modulo
 * the size, a power of two. Each of them has one writer and cache lines of its own. A writer that
 * waits for an empty ring sets `wanted`. A reader that finds the ring empty then clears `wanted`
 * and answers (WIRE_TYPED_EMPTY).
 */
struct shared_ring {
	uint64_t head;   /* stored by the writer */
	uint32_t wanted; /* 1: the writer waits for an answer */
	uint32_t reserved12[13];
	uint64_t tail; /* stored by the reader */
	uint64_t reserved72[7];
};
_Static_assert(sizeof(struct shared_ring) == 128, "two lines");

#endif
