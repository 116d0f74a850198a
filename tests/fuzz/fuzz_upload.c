// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_upload.c - the machine's receiver survives any typed bytes and any frames of uploads. It
 * never holds more than the offered bytes, and never keeps a file with a wrong hash. The first byte
 * chooses between the two.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/format/typed.h"
#include "lib/format/xxh64.h"
#include "rt/portable/upload_reader.h"

#define ROOM (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct typed_reader reader;

static bool is_kept(const struct upload_file *file)
{
	return file->path[0] == '=';
}

static uint8_t *alloc_upload(const struct upload_file *file)
{
	return file->bytes <= ROOM ? calloc(1, file->bytes) : NULL;
}

static bool keep(const struct upload_file *file, uint8_t *memory)
{
	if (xxh64(memory, file->bytes) != file->hash)
		abort();
	if (file->path[0] == '!')
		return false;
	free(memory);
	return true;
}

static void drop(const struct upload_file *file, uint8_t *memory)
{
	(void)file;
	free(memory);
}

static const struct upload_store store = {is_kept, alloc_upload, keep, drop};

static void take_frame(struct upload *upload, const struct frame *frame)
{
	struct wire_taken answer;

	upload_frame(upload, frame, &answer);
	if (upload->have > (upload->is_offered ? upload->file.bytes : 0) && !upload->is_whole)
		abort();
}

static void type_anything(struct upload *upload, const uint8_t *data, size_t size)
{
	memset(&reader, 0, sizeof(reader));
	while (size--)
		if (typed_byte(&reader, *data++) == TYPED_FRAME)
			take_frame(upload, &reader.frame);
}

/* The input has frames: a type, a length, and that number of bytes. */
static void give_anything(struct upload *upload, const uint8_t *data, size_t size)
{
	static uint8_t payload[WIRE_MAX_PAYLOAD] __attribute__((aligned(8)));

	while (size >= 3) {
		size_t n = (data[1] | data[2] << 8) % (WIRE_MAX_PAYLOAD + 1);

		n = n < size - 3 ? n : size - 3;
		memcpy(payload, data + 3, n);
		take_frame(upload, &(struct frame){.type = WIRE_OFFER + data[0] % 3,
						   .length = (uint16_t)n,
						   .payload = payload});
		data += 3 + n;
		size -= 3 + n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t shared[4096];
	struct upload upload = {.store = &store, .shared = shared, .shared_bytes = sizeof(shared)};

	if (!size)
		return 0;
	if (data[0] & 1)
		type_anything(&upload, data + 1, size - 1);
	else
		give_anything(&upload, data + 1, size - 1);
	if (upload.memory)
		free(upload.memory);
	return 0;
}
