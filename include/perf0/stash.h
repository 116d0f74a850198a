/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stash.h - results of a machine whose firmware is gone (mode=own), kept in memory over a warm
 * reset. They lie at a multiple of STASH_ALIGN, where boot/ of the next start finds them: a head,
 * then `files` times a struct stash_file with its content, each padded to 8 bytes. A stash with a
 * wrong checksum is ignored.
 */
#ifndef PERF0_STASH_H
#define PERF0_STASH_H

#include <stdint.h>

#define STASH_ALIGN   (16u << 20)
#define STASH_BYTES   (16u << 20)
#define STASH_MAGIC   0x1f6873617473f0f0ull
#define STASH_MAGIC_2 0x73746c7573657230ull

struct stash_head {
	uint64_t magic, magic_2;
	uint64_t bytes; /* bytes after the head */
	uint32_t files;
	uint32_t content_crc; /* CRC-32C of these bytes */
	char label[64];       /* BOARD-DATE, terminated */
	uint32_t reserved;
	uint32_t head_crc; /* of all fields before it */
};
_Static_assert(sizeof(struct stash_head) == 104, "stash");

struct stash_file {
	char name[64]; /* terminated */
	uint64_t bytes;
};

#endif
