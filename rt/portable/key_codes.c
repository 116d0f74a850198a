// SPDX-License-Identifier: BSD-2-Clause
/* key_codes.c - see key_codes.h. UEFI specification, "EFI_SIMPLE_TEXT_INPUT_PROTOCOL": scan codes;
 * xterm's sequences. */
#include "rt/portable/key_codes.h"

#include "lib/ascii.h"
#include "lib/string.h"

#define CONTROL_PRESSED 0x0cu /* the right one, the left one */
#define SURROGATES      0xd800u
#define SURROGATES_END  0xe000u

static const char sequences[][KEY_BYTES_MOST] = {
	[0x01] = "\033[A", /* up, down, right, left */
	[0x02] = "\033[B",   [0x03] = "\033[C",   [0x04] = "\033[D",
	[0x05] = "\033[H", /* home, end, insert, delete, page up, page down */
	[0x06] = "\033[F",   [0x07] = "\033[2~",  [0x08] = "\033[3~",
	[0x09] = "\033[5~",  [0x0a] = "\033[6~",  [0x0b] = "\033OP", /* F1 to F12 */
	[0x0c] = "\033OQ",   [0x0d] = "\033OR",   [0x0e] = "\033OS",
	[0x0f] = "\033[15~", [0x10] = "\033[17~", [0x11] = "\033[18~",
	[0x12] = "\033[19~", [0x13] = "\033[20~", [0x14] = "\033[21~",
	[0x15] = "\033[23~", [0x16] = "\033[24~",
};

/* Encodes a character of the basic plane; the firmware has no others. */
static size_t put_utf8(uint16_t unit, char *bytes)
{
	if (unit < 0x80) {
		bytes[0] = (char)unit;
		return 1;
	}
	if (unit < 0x800) {
		bytes[0] = (char)(0xc0 | unit >> 6);
		bytes[1] = (char)(0x80 | (unit & 0x3f));
		return 2;
	}
	bytes[0] = (char)(0xe0 | unit >> 12);
	bytes[1] = (char)(0x80 | (unit >> 6 & 0x3f));
	bytes[2] = (char)(0x80 | (unit & 0x3f));
	return 3;
}

static size_t put_character(const struct firmware_key *key, char *bytes)
{
	const char lower = key->unicode < 0x80 ? ascii_lower((char)key->unicode) : 0;

	if (key->shift & CONTROL_PRESSED && lower >= 'a' && lower <= 'z') {
		bytes[0] = (char)(lower - 'a' + 1);
		return 1;
	}
	if (key->unicode >= SURROGATES && key->unicode < SURROGATES_END)
		return 0;
	return put_utf8(key->unicode, bytes);
}

size_t key_bytes(const struct firmware_key *key, char bytes[KEY_BYTES_MOST])
{
	size_t n = 0;

	if (key->unicode) {
		n = put_character(key, bytes);
	} else if (key->scan < sizeof(sequences) / sizeof(sequences[0])) {
		n = strlen(sequences[key->scan]);
		memcpy(bytes, sequences[key->scan], n);
	}
	bytes[n] = '\0';
	return n;
}
