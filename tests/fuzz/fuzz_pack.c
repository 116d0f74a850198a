// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_pack.c - the reader survives any bytes as packed frames, and any records are packed and
 * unpacked unchanged. The first byte chooses between the two.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/format/pack.h"

#define MAX_BYTES (1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct packer packer;
static struct unpacker unpacker;
static uint8_t records[MAX_BYTES] __attribute__((aligned(8)));
static size_t nbytes, came; /* of `records` */

static void on_any(void *ctx, const struct perf_event_header *record)
{
	(void)ctx;
	if (record->size < sizeof(*record) || record->size % 8)
		abort();
}

/* The input has frames: a type, a length, and that number of bytes. */
static void unpack_anything(const uint8_t *data, size_t size)
{
	static const enum wire_type types[] = {WIRE_KEY, WIRE_PACKED, WIRE_PART, WIRE_PACKED};
	static uint8_t payload[WIRE_MAX_PAYLOAD] __attribute__((aligned(8)));

	while (size >= 3) {
		size_t n = (data[1] | data[2] << 8) % (WIRE_MAX_PAYLOAD + 1);
		uint32_t lost;

		n = n < size - 3 ? n : size - 3;
		memcpy(payload, data + 3, n);
		unpacker_frame(&unpacker, types[data[0] % 4], payload, n, &lost, on_any, NULL);
		data += 3 + n;
		size -= 3 + n;
	}
}

static void on_same(void *ctx, const struct perf_event_header *record)
{
	(void)ctx;
	if (record->size > nbytes - came || memcmp(records + came, record, record->size))
		abort();
	came += record->size;
}

static void on_emit(void *ctx, enum wire_type type, const void *payload, size_t n)
{
	uint32_t lost;
	enum unpack_verdict verdict =
		unpacker_frame(&unpacker, type, payload, n, &lost, on_same, ctx);

	if (lost || (verdict != UNPACK_RECORDS && type != WIRE_PART))
		abort();
}

/* The input has records: a type, a number of words, and these words. */
static void pack_anything(const uint8_t *data, size_t size)
{
	nbytes = came = 0;
	packer_init(&packer, on_emit, NULL);
	while (size >= 3) {
		size_t n = (data[1] | data[2] << 8) % (PACK_RECORD_MAX / 8) * 8;
		struct perf_event_header header = {.type = data[0] % 16, .misc = data[0] / 16};

		data += 3;
		size -= 3;
		n = n < size ? n : size / 8 * 8;
		header.size = (uint16_t)(sizeof(header) + n);
		if (sizeof(records) - nbytes < header.size)
			break;
		memcpy(records + nbytes, &header, sizeof(header));
		memcpy(records + nbytes + sizeof(header), data, n);
		nbytes += header.size;
		packer_add(&packer, (const void *)(records + nbytes - header.size));
		data += n;
		size -= n;
	}
	packer_flush(&packer);
	if (came != nbytes)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > MAX_BYTES)
		return 0;
	unpacker_init(&unpacker);
	if (data[0] & 1)
		unpack_anything(data + 1, size - 1);
	else
		pack_anything(data + 1, size - 1);
	return 0;
}
