// SPDX-License-Identifier: BSD-2-Clause
/* minidebug.c - see minidebug.h. */
#include "tools/symbols/minidebug.h"

#include <lzma.h>

#define UNPACKED_MOST (64u << 20) /* bytes; few packed bytes can expand to any number */
#define MEMORY_MOST   (64u << 20) /* bytes that the decoder may use */

static bool unpack_xz(struct buf *to, const void *packed, size_t n)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_stream_decoder(&stream, MEMORY_MOST, 0);
	uint8_t piece[16384];

	stream.next_in = packed;
	stream.avail_in = n;
	while (ret == LZMA_OK && to->size <= UNPACKED_MOST) {
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		ret = lzma_code(&stream, LZMA_FINISH);
		buf_add(to, piece, sizeof(piece) - stream.avail_out);
	}
	lzma_end(&stream);
	return ret == LZMA_STREAM_END;
}

bool minidebug_open(struct elf_file *found, Elf *elf)
{
	Elf_Scn *section = elf_file_section(elf, ".gnu_debugdata");
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	struct buf bytes = {0};

	if (data && data->d_buf && unpack_xz(&bytes, data->d_buf, data->d_size))
		return elf_file_of_memory(found, &bytes);
	buf_free(&bytes);
	return false;
}
