// SPDX-License-Identifier: BSD-2-Clause
/* test_crc32c.c - the vectors of RFC 3720; any length and alignment, compared with the definition.
 */
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/crc32c.h"

/* The definition: a bit at a time. */
static uint32_t crc_by_bits(uint32_t crc, const uint8_t *p, size_t n)
{
	crc = ~crc;
	while (n--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

/* RFC 3720, B.4 "CRC Examples". */
TEST(gives_what_the_standard_says)
{
	static const uint8_t read_pdu[48] = {
		[0] = 0x01,  [1] = 0xc0,  [16] = 0x14, [22] = 0x04,
		[27] = 0x14, [31] = 0x18, [32] = 0x28, [40] = 0x02,
	};
	uint8_t bytes[32];

	assert_int_equal(crc32c(0, "", 0), 0);
	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(crc32c(0, memset(bytes, 0, 32), 32), 0x8a9136aa);
	assert_int_equal(crc32c(0, memset(bytes, 0xff, 32), 32), 0x62a8ab43);
	for (uint8_t i = 0; i < 32; i++)
		bytes[i] = i;
	assert_int_equal(crc32c(0, bytes, 32), 0x46dd794e);
	for (uint8_t i = 0; i < 32; i++)
		bytes[i] = 31 - i;
	assert_int_equal(crc32c(0, bytes, 32), 0x113fdb5c);
	assert_int_equal(crc32c(0, read_pdu, 48), 0xd9963a56);
}

TEST(is_right_at_any_place_and_length)
{
	uint8_t bytes[64 + 8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 167 + 13);
	for (size_t at = 0; at < 8; at++)
		for (size_t n = 0; n <= 64; n++)
			assert_int_equal(crc32c(7, bytes + at, n), crc_by_bits(7, bytes + at, n));
}

/* One bit set in 16 bytes of 0: each entry of each table is a sum of these results. */
TEST(is_right_for_each_bit)
{
	for (unsigned bit = 0; bit < 128; bit++) {
		uint8_t bytes[16] = {0};

		bytes[bit / 8] = (uint8_t)(1u << bit % 8);
		assert_int_equal(crc32c(0, bytes, 16), crc_by_bits(0, bytes, 16));
	}
}

TEST(goes_on_in_pieces)
{
	static const char text[] =
		"what was cut anywhere gives the same, whichever the pieces were";

	for (size_t at = 0; at < sizeof(text); at++)
		assert_int_equal(crc32c(crc32c(0, text, at), text + at, sizeof(text) - at),
				 crc32c(0, text, sizeof(text)));
}
