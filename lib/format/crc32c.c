// SPDX-License-Identifier: BSD-2-Clause
/*
 * crc32c.c - processes eight bytes a step with eight tables (Kounavis and Berry, "A Systematic
 * Approach to Building High Performance Software-based CRC Generators"). The instruction of SSE 4.2
 * is not used: an emulated CPU takes longer for it than for eight table look-ups.
 *
 * The CRC register is linear: the effect of a byte is the sum (XOR) of the effects of its bits. The
 * effect of a bit after N shifts is the N-th state of a register that starts with 1. So the
 * compiler computes 64 states, and each table entry is a sum of such states.
 */
#include "lib/format/crc32c.h"

#include "lib/string.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

#define POLYNOMIAL  0x82f63b78u
#define NEXT(state) ((state) >> 1 ^ ((state)&1 ? POLYNOMIAL : 0))
#define STATES(k, before)                                                                \
	S##k##_7 = NEXT(before), S##k##_6 = NEXT(S##k##_7), S##k##_5 = NEXT(S##k##_6),   \
	S##k##_4 = NEXT(S##k##_5), S##k##_3 = NEXT(S##k##_4), S##k##_2 = NEXT(S##k##_3), \
	S##k##_1 = NEXT(S##k##_2), S##k##_0 = NEXT(S##k##_1)

/* Sk_b: the effect on the register of bit b of a byte that k bytes follow. */
enum {
	STATES(0, 1u),
	STATES(1, S0_0),
	STATES(2, S1_0),
	STATES(3, S2_0),
	STATES(4, S3_0),
	STATES(5, S4_0),
	STATES(6, S5_0),
	STATES(7, S6_0),
};

#define BIT(k, b, i) ((i) >> b & 1 ? S##k##_##b : 0u)
#define ENTRY(k, i)                                                                           \
	(uint32_t)(BIT(k, 0, i) ^ BIT(k, 1, i) ^ BIT(k, 2, i) ^ BIT(k, 3, i) ^ BIT(k, 4, i) ^ \
		   BIT(k, 5, i) ^ BIT(k, 6, i) ^ BIT(k, 7, i))
#define FOUR(k, i)    ENTRY(k, i), ENTRY(k, i + 1), ENTRY(k, i + 2), ENTRY(k, i + 3)
#define SIXTEEN(k, i) FOUR(k, i), FOUR(k, i + 4), FOUR(k, i + 8), FOUR(k, i + 12)
#define QUARTER(k, i) SIXTEEN(k, i), SIXTEEN(k, i + 16), SIXTEEN(k, i + 32), SIXTEEN(k, i + 48)
#define TABLE(k)                                                                \
	{                                                                       \
		QUARTER(k, 0), QUARTER(k, 64), QUARTER(k, 128), QUARTER(k, 192) \
	}

/* The effect on the register of a byte, by the number of bytes that follow it. */
static const uint32_t behind[8][256] = {
	TABLE(0), TABLE(1), TABLE(2), TABLE(3), TABLE(4), TABLE(5), TABLE(6), TABLE(7),
};

static uint32_t take_eight(uint32_t crc, const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	w ^= crc;
	return behind[7][w & 255] ^ behind[6][w >> 8 & 255] ^ behind[5][w >> 16 & 255] ^
	       behind[4][w >> 24 & 255] ^ behind[3][w >> 32 & 255] ^ behind[2][w >> 40 & 255] ^
	       behind[1][w >> 48 & 255] ^ behind[0][w >> 56];
}

uint32_t crc32c(uint32_t crc, const void *data, size_t n)
{
	const uint8_t *p = data;

	crc = ~crc;
	for (; n >= 8; n -= 8, p += 8)
		crc = take_eight(crc, p);
	while (n--)
		crc = crc >> 8 ^ behind[0][(crc ^ *p++) & 255];
	return ~crc;
}
