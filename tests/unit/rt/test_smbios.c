// SPDX-License-Identifier: BSD-2-Clause
/* test_smbios.c - names from the firmware's tables: correct, cut, and damaged tables. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "arch/x86/portable/smbios_table.h"

#include <linux/errno.h>

static struct smbios names;

/* Memory of the exact size: a sanitizer sees reads beyond it. */
static void read_bytes(const void *bytes, size_t n)
{
	void *copy = malloc(n ? n : 1);

	memcpy(copy, bytes, n);
	memset(&names, 0x55, sizeof(names));
	smbios_read(copy, n, &names);
	free(copy);
	for (size_t i = 0; i < SMBIOS_NAMES; i++) {
		assert_non_null(memchr(names.name[i], 0, SMBIOS_NAME_MAX));
		for (const char *c = names.name[i]; *c; c++)
			assert_true(*c >= ' ' && *c < 0x7f);
	}
}

static const char laptop[] =
	"\0\030\0\0\1\2\0\0\3............ABC" /* firmware: vendor 1, version 2, date 3 */
	"LENOVO\0N2HET\0 09/11/2025 \0\0"
	"\1\033\1\0\1\2\3............ABCDEFGH" /* system */
	"LENOVO\0"
	"20XW\0ThinkPad X1 Carbon Gen 9\0\0"
	"\7\5\7\0x\0\0"     /* caches: no strings */
	"\2\10\2\0\1\2\3\4" /* board */
	"LENOVO\0"
	"20XWS0\0SDK\0\0"
	"\2\10\3\0\1\1\1\1" /* another one */
	"Other\0\0"
	"\177\4\4\0\0\0"
	"\1\10\5\0\1\1\1\1Behind the end\0\0";

TEST(names_are_found)
{
	read_bytes(laptop, sizeof(laptop) - 1);
	assert_string_equal(names.name[SMBIOS_MANUFACTURER], "LENOVO");
	assert_string_equal(names.name[SMBIOS_PRODUCT], "20XW");
	assert_string_equal(names.name[SMBIOS_VERSION], "ThinkPad X1 Carbon Gen 9");
	assert_string_equal(names.name[SMBIOS_BOARD_MANUFACTURER], "LENOVO");
	assert_string_equal(names.name[SMBIOS_BOARD], "20XWS0");
	assert_string_equal(names.name[SMBIOS_FIRMWARE_VENDOR], "LENOVO");
	assert_string_equal(names.name[SMBIOS_FIRMWARE_VERSION], "N2HET");
	assert_string_equal(names.name[SMBIOS_FIRMWARE_DATE], "09/11/2025");
}

TEST(odd_strings)
{
	static const char odd[] = "\1\10\1\0\2\1\11\0" /* number 9 is not there, and 0 is none */
				  "  a\001b\377c  \0d\0\0";
	static const char none[] = "\1\10\1\0\0\0\0\0\0\0\177\4\0\0\0\0";
	static const char shorter[] = "\1\5\1\0\1x\0\0";
	char longer[128] = "\2\10\1\0\1\1\0\0";

	read_bytes(odd, sizeof(odd) - 1);
	assert_string_equal(names.name[SMBIOS_MANUFACTURER], "d");
	assert_string_equal(names.name[SMBIOS_PRODUCT], "a b c");
	assert_string_equal(names.name[SMBIOS_VERSION], "");
	read_bytes(none, sizeof(none) - 1);
	assert_string_equal(names.name[SMBIOS_MANUFACTURER], "");
	read_bytes(shorter, sizeof(shorter) - 1);
	assert_string_equal(names.name[SMBIOS_MANUFACTURER], "x");
	assert_string_equal(names.name[SMBIOS_PRODUCT], "");
	memset(longer + 8, 'a', 100);
	read_bytes(longer, sizeof(longer));
	assert_int_equal(strlen(names.name[SMBIOS_BOARD]), SMBIOS_NAME_MAX - 1);
}

/* A memory device of `length` bytes, and nothing else. */
static uint32_t speed_of(size_t length, uint16_t size, uint16_t speed, uint16_t configured,
			 uint32_t further)
{
	uint8_t device[0x60] = {17, (uint8_t)length, 1, 0};

	memcpy(device + 0x0c, &size, sizeof(size));
	memcpy(device + 0x15, &speed, sizeof(speed));
	if (length > 0x20)
		memcpy(device + 0x20, &configured, sizeof(configured));
	if (length > 0x58)
		memcpy(device + 0x58, &further, sizeof(further));
	read_bytes(device, length + 2);
	return names.memory_mts;
}

TEST(memory_speeds)
{
	static const char two[] = "\21\27\1\0........\1\0.......\200\14\0\0"
				  "\21\27\1\0........\1\0.......\100\13\0\0";

	assert_int_equal(speed_of(0x22, 1, 3200, 2933, 0), 2933);
	assert_int_equal(speed_of(0x22, 1, 3200, 0, 0), 3200);
	assert_int_equal(speed_of(0x1b, 1, 3200, 0, 0), 3200);
	assert_int_equal(speed_of(0x22, 0, 3200, 2933, 0), 0);
	assert_int_equal(speed_of(0x5c, 1, 0xffff, 0xffff, 80000), 80000);
	assert_int_equal(speed_of(0x15, 1, 0, 0, 0), 0);
	read_bytes(two, sizeof(two) - 1);
	assert_int_equal(names.memory_mts, 0x0b40);
}

/* Tables that are cut at each byte, and tables with each byte set to each value. */
TEST(damaged_tables)
{
	char copy[sizeof(laptop) - 1];

	for (size_t n = 0; n < sizeof(copy); n++)
		read_bytes(laptop, n);
	memcpy(copy, laptop, sizeof(copy));
	for (size_t i = 0; i < sizeof(copy); i++) {
		for (unsigned value = 0; value < 256; value++) {
			copy[i] = (char)value;
			read_bytes(copy, sizeof(copy));
		}
		copy[i] = laptop[i];
	}
}

static void set_sum(uint8_t *entry, size_t n, size_t at)
{
	uint8_t sum = 0;

	entry[at] = 0;
	for (size_t i = 0; i < n; i++)
		sum = (uint8_t)(sum + entry[i]);
	entry[at] = (uint8_t)-sum;
}

static size_t make_entry64(uint8_t entry[SMBIOS_ENTRY_MAX], uint32_t bytes)
{
	const uint64_t address = 0x123456789abc;

	memset(entry, 0, SMBIOS_ENTRY_MAX);
	memcpy(entry, "_SM3_", 5);
	entry[6] = 0x18;
	memcpy(entry + 0x0c, &bytes, 4);
	memcpy(entry + 0x10, &address, 8);
	set_sum(entry, 0x18, 5);
	return 0x18;
}

static size_t make_entry32(uint8_t entry[SMBIOS_ENTRY_MAX], uint8_t length)
{
	const uint32_t address = 0xdeadb000;
	const uint16_t bytes = 777;

	memset(entry, 0, SMBIOS_ENTRY_MAX);
	memcpy(entry, "_SM_", 4);
	entry[5] = length;
	memcpy(entry + 0x10, "_DMI_", 5);
	memcpy(entry + 0x16, &bytes, 2);
	memcpy(entry + 0x18, &address, 4);
	set_sum(entry, 0x1f, 4);
	return 0x1f;
}

TEST(entry_points)
{
	uint8_t entry[SMBIOS_ENTRY_MAX];
	struct smbios_table table;

	make_entry64(entry, 1000);
	assert_int_equal(smbios_entry(entry, sizeof(entry), &table), 0);
	assert_int_equal(table.address, 0x123456789abc);
	assert_int_equal(table.bytes, 1000);
	make_entry64(entry, UINT32_MAX);
	assert_int_equal(smbios_entry(entry, sizeof(entry), &table), 0);
	assert_int_equal(table.bytes, SMBIOS_TABLE_MAX);
	for (uint8_t length = 0x1e; length <= 0x1f; length++) {
		make_entry32(entry, length);
		assert_int_equal(smbios_entry(entry, sizeof(entry), &table), 0);
		assert_int_equal(table.address, 0xdeadb000);
		assert_int_equal(table.bytes, 777);
	}
}

TEST(damaged_entry_points)
{
	uint8_t entry[SMBIOS_ENTRY_MAX];
	struct smbios_table table;

	for (size_t i = 0; i < 0x18; i++) {
		make_entry64(entry, 1000);
		entry[i] ^= 1;
		assert_int_equal(smbios_entry(entry, sizeof(entry), &table), -EINVAL);
	}
	for (size_t n = 0; n < 0x18; n++) {
		make_entry64(entry, 1000);
		assert_int_equal(smbios_entry(entry, n, &table), -EINVAL);
	}
	for (size_t i = 0; i < 0x1f; i++) {
		make_entry32(entry, 0x1f);
		entry[i] ^= 2;
		assert_int_equal(smbios_entry(entry, sizeof(entry), &table), -EINVAL);
	}
	make_entry32(entry, 0x40);
	assert_int_equal(smbios_entry(entry, sizeof(entry), &table), -EINVAL);
}
