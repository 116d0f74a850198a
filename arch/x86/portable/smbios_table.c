// SPDX-License-Identifier: BSD-2-Clause
/* smbios_table.c - see smbios_table.h. A name is a row: the structure's type, and the offset of the
 * byte with the string's number. */
#include "arch/x86/portable/smbios_table.h"

#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

/* Both entry points, by their offsets. */
#define ENTRY32_BYTES   0x1f
#define ENTRY32_DMI     0x10 /* the intermediate anchor, which has its own checksum */
#define ENTRY32_LENGTH  0x16
#define ENTRY32_ADDRESS 0x18
#define ENTRY64_BYTES   0x18
#define ENTRY64_LENGTH  0x0c
#define ENTRY64_ADDRESS 0x10

#define HEADER_BYTES       4
#define TYPE_END           127
#define TYPE_MEMORY_DEVICE 17

struct header {
	uint8_t type, length;
};

static bool sums_to_zero(const uint8_t *bytes, size_t n)
{
	uint8_t sum = 0;

	while (n--)
		sum = (uint8_t)(sum + *bytes++);
	return !sum;
}

static void set_table(struct smbios_table *table, uint64_t address, uint32_t bytes)
{
	table->address = address;
	table->bytes = bytes < SMBIOS_TABLE_MAX ? bytes : SMBIOS_TABLE_MAX;
}

static int read_entry64(const uint8_t *entry, size_t n, struct smbios_table *table)
{
	const size_t length = entry[6];
	uint64_t address;
	uint32_t bytes;

	if (length < ENTRY64_BYTES || length > n || !sums_to_zero(entry, length))
		return -EINVAL;
	memcpy(&address, entry + ENTRY64_ADDRESS, sizeof(address));
	memcpy(&bytes, entry + ENTRY64_LENGTH, sizeof(bytes));
	set_table(table, address, bytes);
	return 0;
}

/* Some firmware of version 2.1 reports a length of 1e, although it is 1f. */
static int read_entry32(const uint8_t *entry, size_t n, struct smbios_table *table)
{
	const size_t length = entry[5] == ENTRY32_BYTES - 1 ? ENTRY32_BYTES : entry[5];
	uint32_t address;
	uint16_t bytes;

	if (length < ENTRY32_BYTES || length > n || !sums_to_zero(entry, length) ||
	    memcmp(entry + ENTRY32_DMI, "_DMI_", 5))
		return -EINVAL;
	memcpy(&address, entry + ENTRY32_ADDRESS, sizeof(address));
	memcpy(&bytes, entry + ENTRY32_LENGTH, sizeof(bytes));
	set_table(table, address, bytes);
	return 0;
}

int smbios_entry(const void *entry, size_t n, struct smbios_table *table)
{
	if (n >= ENTRY64_BYTES && !memcmp(entry, "_SM3_", 5))
		return read_entry64(entry, n, table);
	if (n >= ENTRY32_BYTES && !memcmp(entry, "_SM_", 4))
		return read_entry32(entry, n, table);
	return -EINVAL;
}

/* The strings of a structure follow it, each terminated; an empty string ends them. Returns the
 * address behind them; NULL: they exceed `end`. */
static const uint8_t *behind_structure(const uint8_t *at, const uint8_t *end)
{
	const struct header *header = (const void *)at;

	if (end - at < HEADER_BYTES || header->length < HEADER_BYTES || end - at < header->length)
		return NULL;
	for (at += header->length; end - at >= 2; at++)
		if (!at[0] && !at[1])
			return at + 2;
	return NULL;
}

/* Returns string `number` (from 1) between `at` and `end`; "" if it does not exist. */
static const char *nth_string(const uint8_t *at, const uint8_t *end, uint8_t number)
{
	while (number > 1 && at < end && *at) {
		at += strnlen((const char *)at, (size_t)(end - at)) + 1;
		number--;
	}
	return number && at < end ? (const char *)at : "";
}

static void copy_name(char to[SMBIOS_NAME_MAX], const char *from)
{
	size_t n = 0;

	while (*from == ' ')
		from++;
	for (; *from && n < SMBIOS_NAME_MAX - 1; from++)
		to[n++] = *from > ' ' && *from < 0x7f ? *from : ' ';
	while (n && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
}

static void read_structure(const uint8_t *at, const uint8_t *behind, struct smbios *names)
{
	static const struct {
		uint8_t type, offset; /* of the byte with the string's number */
	} rows[SMBIOS_NAMES] = {
		[SMBIOS_FIRMWARE_VENDOR] = {0, 4},
		[SMBIOS_FIRMWARE_VERSION] = {0, 5},
		[SMBIOS_FIRMWARE_DATE] = {0, 8},
		[SMBIOS_MANUFACTURER] = {1, 4},
		[SMBIOS_PRODUCT] = {1, 5},
		[SMBIOS_VERSION] = {1, 6},
		[SMBIOS_BOARD_MANUFACTURER] = {2, 4},
		[SMBIOS_BOARD] = {2, 5},
	};
	const struct header *header = (const void *)at;

	for (size_t i = 0; i < SMBIOS_NAMES; i++)
		if (rows[i].type == header->type && rows[i].offset < header->length &&
		    !names->name[i][0])
			copy_name(names->name[i],
				  nth_string(at + header->length, behind, at[rows[i].offset]));
}

/* Reads a field of `n` bytes; 0 if the structure ends before it. */
static uint32_t read_field(const uint8_t *at, size_t offset, size_t n)
{
	const struct header *header = (const void *)at;
	uint32_t v = 0;

	if (offset + n <= header->length)
		memcpy(&v, at + offset, n);
	return v;
}

/* "Memory Device (Type 17)": the configured speed if it is reported, else the maximum. */
static uint32_t device_speed(const uint8_t *at)
{
	static const struct {
		uint8_t offset, further; /* the 32-bit field that is valid if the word is ffff */
	} rows[] = {{0x20, 0x58}, {0x15, 0x54}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t v = read_field(at, rows[i].offset, 2);

		if (v)
			return v == 0xffff ? read_field(at, rows[i].further, 4) & 0x7fffffff : v;
	}
	return 0;
}

static void read_memory_device(const uint8_t *at, struct smbios *names)
{
	const uint32_t size = read_field(at, 0x0c, 2), speed = device_speed(at);

	if (*at != TYPE_MEMORY_DEVICE || !size || !speed)
		return;
	if (!names->memory_mts || speed < names->memory_mts)
		names->memory_mts = speed;
}

void smbios_read(const void *structures, size_t n, struct smbios *names)
{
	const uint8_t *at = structures, *const end = at + n, *behind;

	memset(names, 0, sizeof(*names));
	for (; (behind = behind_structure(at, end)); at = behind) {
		if (*at == TYPE_END)
			return;
		read_structure(at, behind, names);
		read_memory_device(at, names);
	}
}
