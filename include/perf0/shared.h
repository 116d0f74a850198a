/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared.h - memory that the host tool shares with the image in QEMU: BAR 2 of an ivshmem-plain
 * device. The tool makes it and writes its header before the machine starts; an image that finds no
 * such device, or another header, does without. Little endian; append-only.
 *
 *	0            struct shared_header: which areas there are, and where
 *	64 KiB       SHARED_OUT: a ring of frames from the image to the tool
 *	             struct shared_ring, then at the next page its bytes
 *	behind it    SHARED_IN: pieces of ELF files from the tool to the image, which are told of
 *	             by frames that are typed (WIRE_PLACED)
 *	behind it    SHARED_SAMPLES: struct shared_samples
 *	behind it    SHARED_STEPS: struct shared_steps
 *
 * A machine that is saved takes all of it with it, and the image that is restored finds it as it
 * was: at AWAIT the ring is empty, and what stands in it of older frames is nothing to either side.
 */
#ifndef PERF0_SHARED_H
#define PERF0_SHARED_H

#include <stdint.h>

#define SHARED_PCI_VENDOR 0x1af4
#define SHARED_PCI_DEVICE 0x1110
#define SHARED_BAR        2
#define SHARED_MAGIC      "perf0shm"
#define SHARED_VERSION    1
#define SHARED_BYTES      (8u << 20) /* of the BAR: each start of a saved machine reads all of it */
#define SHARED_AREAS      16
#define SHARED_PAGE       4096u

/* What areas are for. One that is not there has no bytes. */
enum shared_purpose { SHARED_OUT, SHARED_IN, SHARED_SAMPLES, SHARED_STEPS };

struct shared_area {
	uint32_t offset, bytes; /* from the start of the memory; multiples of the page */
};

struct shared_header {
	uint8_t magic[8];
	uint32_t version;
	uint32_t bytes;                        /* of the memory */
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
 * Standard input, as the answer to a frame INPUT: at the start of SHARED_IN, its bytes from the
 * next page on. The image sends the frame and stops the machine by a write of SHARED_STOP_VALUE to
 * the port of QEMU's pvpanic device; the tool answers and has it go on, so no time passes for the
 * machine, however long the tool waits for the bytes.
 */
struct shared_input {
	int32_t bytes; /* that came; 0: the end; -EINTR: the machine is to end */
	uint32_t reserved;
};
#define SHARED_STOP_PORT  0x505
#define SHARED_STOP_VALUE 1

/*
 * Where in the machine's physical memory each CPU counts the samples that it has written to rings,
 * 8 bytes, since the machine started; 0: there is no such CPU. The image says so once. The tool
 * asks QEMU what stands there: so the image does nothing for it while it measures.
 */
#define SHARED_SAMPLES_CPUS 1024
struct shared_samples {
	uint64_t address[SHARED_SAMPLES_CPUS];
};
_Static_assert(sizeof(struct shared_samples) <= SHARED_SAMPLES_BYTES, "it finds room");

/* How far a command is that is done in steps; the image's. `all` 0: none is. */
struct shared_steps {
	uint64_t done, all;
};

/*
 * A ring of bytes. `head` and `tail` count all bytes that were ever put in and taken out; byte N
 * stands at N modulo the size, which is a power of two. Each has one writer, and lines of the cache
 * of its own. A writer that waits until the ring is empty sets `wanted`; a reader that finds the
 * ring empty then clears it, and says so (WIRE_TYPED_EMPTY).
 */
struct shared_ring {
	uint64_t head;   /* the writer's */
	uint32_t wanted; /* 1: the writer wants to be told */
	uint32_t reserved12[13];
	uint64_t tail; /* the reader's */
	uint64_t reserved72[7];
};
_Static_assert(sizeof(struct shared_ring) == 128, "two lines");

#endif
