// SPDX-License-Identifier: BSD-2-Clause
/* options.c - load options as firmware of several vendors passes them. */
#include "lib/string.h"
#include "tests/field/field.h"

#define LONG_UNITS 80000u /* more than the longest command line */
#define ACTIVE     1u

static void put_none(struct field_options *options)
{
	(void)options;
}

/* Numbers of xorshift. */
static void put_random(struct field_options *options)
{
	static uint64_t bytes[8];
	uint64_t x = 0x9e3779b97f4a7c15;

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		bytes[i] = x;
	}
	*options = (struct field_options){bytes, sizeof(bytes)};
}

static void put_odd(struct field_options *options)
{
	static const CHAR16 text[] = L"nosuch command";

	*options = (struct field_options){text, sizeof(text) - 3};
}

/* EFI_LOAD_OPTION: attributes, bytes of the path, description, path. */
static struct {
	uint32_t attributes;
	uint16_t path_bytes;
	CHAR16 description[5];
	EFI_DEVICE_PATH end;
	CHAR16 data[64];
} __attribute__((packed)) whole = {
	.attributes = ACTIVE,
	.path_bytes = sizeof(EFI_DEVICE_PATH),
	.description = L"disk",
	.end = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof(EFI_DEVICE_PATH), 0}},
	.data = L"mode=borrow caps ; exit",
};

static void put_whole(struct field_options *options)
{
	*options = (struct field_options){&whole, offsetof(__typeof__(whole), data)};
}

static void put_whole_with_data(struct field_options *options)
{
	*options = (struct field_options){&whole, sizeof(whole)};
}

/* Windows' boot manager stores such a block; some firmware passes it to the next program. */
static void put_windows(struct field_options *options)
{
	static const uint8_t block[136] = "WINDOWS\0\1\0\0\0\210\0\0\0x\0\0\0B\0C\0D\0O\0B\0J\0";

	*options = (struct field_options){block, sizeof(block)};
}

static void put_long(struct field_options *options)
{
	static CHAR16 text[LONG_UNITS];

	for (size_t i = 0; i < LONG_UNITS; i++)
		text[i] = 'x';
	*options = (struct field_options){text, sizeof(text)};
}

const struct field_fault field_options_faults[] = {
	{"none", put_none, NULL},       {"random", put_random, NULL},
	{"odd", put_odd, NULL},         {"whole", put_whole, NULL},
	{"windows", put_windows, NULL}, {"whole-data", put_whole_with_data, NULL},
	{"long", put_long, NULL},       {0},
};
