// SPDX-License-Identifier: BSD-2-Clause
/* gzip.c - see gzip.h. The sum of a gzip file is that of xz. */
#include "tools/forms/gzip.h"

#include <lzma.h>

#define BLOCK_MOST 65535u /* bytes of a stored block */

static void add_block(struct buf *out, const uint8_t *bytes, uint16_t n, bool is_last)
{
	const uint8_t head[] = {is_last, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)~n,
				(uint8_t)(~n >> 8)};

	buf_add(out, head, sizeof(head));
	buf_add(out, bytes, n);
}

void gzip_stored(struct buf *out, const struct buf *bytes)
{
	/* magic, deflate, no flags, no time, no level, system unknown */
	static const uint8_t head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
	size_t at = 0;

	buf_add(out, head, sizeof(head));
	for (; bytes->size - at > BLOCK_MOST; at += BLOCK_MOST)
		add_block(out, bytes->data + at, BLOCK_MOST, false);
	add_block(out, bytes->data + at, (uint16_t)(bytes->size - at), true);
	buf_add_u32(out, lzma_crc32(bytes->data, bytes->size, 0));
	buf_add_u32(out, (uint32_t)bytes->size);
}
