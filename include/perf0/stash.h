/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stash.h - results of a machine whose firmware is gone (mode=own) lie in memory over a warm reset:
 * at a multiple of STASH_ALIGN, where boot/ of the next start finds them. A head, then `files`
 * times a struct stash_file with its content, each padded to 8 bytes. What no longer has the
 * checksums is none.
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
	uint64_t bytes; /* of all behind the head */
	uint32_t files;
	uint32_t content_crc; /* CRC-32C of these bytes */
	char label[64];       /* BOARD-DATE, terminated */
	uint32_t reserved;
	uint32_t head_crc; /* of all before it */
};
_Static_assert(sizeof(struct stash_head) == 104, "stash");

struct stash_file {
	char name[64]; /* terminated */
	uint64_t bytes;
};

#endif
