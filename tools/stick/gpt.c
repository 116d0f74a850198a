// SPDX-License-Identifier: BSD-2-Clause
/* gpt.c - see gpt.h. */
#include "tools/stick/gpt.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/hash.h"

#define ENTRIES       128
#define TABLE_SECTORS (ENTRIES * sizeof(struct gpt_entry) / GPT_SECTOR)
#define MBR_TYPE_GPT  0xee

/* UEFI specification, "Protective MBR". */
struct mbr {
	uint8_t code[440];
	uint32_t disk;
	uint16_t unknown;
	struct {
		uint8_t boot, first_chs[3], type, last_chs[3];
		uint32_t first, sectors;
	} __attribute__((packed)) part[4];
	uint16_t signature;
} __attribute__((packed));
_Static_assert(sizeof(struct mbr) == GPT_SECTOR, "UEFI: protective MBR");

/* "GPT Header". */
struct gpt_header {
	char signature[8] __attribute__((nonstring));
	uint32_t revision, size, crc, reserved;
	uint64_t here, there; /* sectors of this header and of the other one */
	uint64_t first, last; /* range of sectors for partitions */
	uint8_t disk[16];
	uint64_t table; /* first sector of the table */
	uint32_t entries, entry_size, table_crc;
	uint8_t rest[GPT_SECTOR - 92];
} __attribute__((packed));
_Static_assert(sizeof(struct gpt_header) == GPT_SECTOR, "UEFI: GPT header");
#define HEADER_BYTES offsetof(struct gpt_header, rest)

/* "GPT Partition Entry". */
struct gpt_entry {
	uint8_t type[16], id[16];
	uint64_t first, last, attributes;
	uint16_t name[36];
};
_Static_assert(sizeof(struct gpt_entry) == 128, "UEFI: GPT partition entry");
_Static_assert((TABLE_SECTORS + 1) * GPT_SECTOR == GPT_TAIL, "the second table, and its header");

/* C12A7328-F81F-11D2-BA4B-00A0C93EC93B: the EFI system partition. */
static const uint8_t esp_type[16] = {0x28, 0x73, 0x2a, 0xc1, 0x1f, 0xf8, 0xd2, 0x11,
				     0xba, 0x4b, 0x00, 0xa0, 0xc9, 0x3e, 0xc9, 0x3b};

/* Computes the CRC-32 of ISO 3309 bit by bit: the input is 16 KiB at most. */
static uint32_t crc32_of(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint32_t crc = UINT32_MAX;

	while (n--) {
		crc ^= *at++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

/* Makes a random GUID (RFC 9562, version 4) from two steps of SplitMix64. */
static void make_guid(uint8_t guid[16], uint64_t seed)
{
	for (int i = 0; i < 2; i++) {
		const uint64_t x = hash_mix(seed += UINT64_C(0x9e3779b97f4a7c15));

		memcpy(guid + 8 * i, &x, sizeof(x));
	}
	guid[7] = (uint8_t)((guid[7] & 0x0f) | 0x40);
	guid[8] = (uint8_t)((guid[8] & 0x3f) | 0x80);
}

uint64_t gpt_part_bytes(uint64_t bytes)
{
	return bytes - 2 * GPT_ALIGN;
}

static int write_at(int fd, uint64_t sector, const void *bytes, size_t n, struct reason *why)
{
	const ssize_t done = pwrite(fd, bytes, n, (off_t)(sector * GPT_SECTOR));

	if (done == (ssize_t)n)
		return 0;
	return refuse(why, done < 0 ? errno : EIO, "the partition table: %s",
		      done < 0 ? strerror(errno) : "a short write");
}

/*
 * A BIOS runs this code at 0x7C00, in real mode: it prints the text behind it by INT 10H, and
 * halts.
 */
static const uint8_t bios_code[] = {
	0xfc,             /*       cld */
	0x31, 0xc0,       /*       xor %ax, %ax */
	0x8e, 0xd8,       /*       mov %ax, %ds */
	0xbe, 0x19, 0x7c, /*       mov $text, %si */
	0xac,             /* next: lodsb */
	0x84, 0xc0,       /*       test %al, %al */
	0x74, 0x09,       /*       jz halt */
	0xb4, 0x0e,       /*       mov $0xe, %ah */
	0xbb, 0x07, 0x00, /*       mov $7, %bx */
	0xcd, 0x10,       /*       int $0x10 */
	0xeb, 0xf2,       /*       jmp next */
	0xf4,             /* halt: hlt */
	0xeb, 0xfd,       /*       jmp halt */
};
static const char bios_text[] =
	"\r\nThis stick needs UEFI. Choose UEFI in the machine's setup, not legacy or CSM,"
	"\r\nand in its boot menu the entry with UEFI and this stick's name.\r\n";
_Static_assert(sizeof(bios_code) == 0x19, "the text is at 0x7C19");
_Static_assert(sizeof(bios_code) + sizeof(bios_text) <= sizeof(((struct mbr *)0)->code), "MBR");

static int write_mbr(int fd, uint64_t sectors, struct reason *why)
{
	struct mbr mbr = {.signature = 0xaa55};

	memcpy(mbr.code, bios_code, sizeof(bios_code));
	memcpy(mbr.code + sizeof(bios_code), bios_text, sizeof(bios_text));
	mbr.part[0].first_chs[1] = 2;
	mbr.part[0].type = MBR_TYPE_GPT;
	memset(mbr.part[0].last_chs, 0xff, sizeof(mbr.part[0].last_chs));
	mbr.part[0].first = 1;
	mbr.part[0].sectors = sectors - 1 < UINT32_MAX ? (uint32_t)(sectors - 1) : UINT32_MAX;
	return write_at(fd, 0, &mbr, sizeof(mbr), why);
}

static int write_table(int fd, struct gpt_header header, const struct gpt_entry *table,
		       struct reason *why)
{
	int err = write_at(fd, header.table, table, ENTRIES * sizeof(*table), why);

	header.crc = 0;
	header.crc = crc32_of(&header, HEADER_BYTES);
	return err ? err : write_at(fd, header.here, &header, sizeof(header), why);
}

static void make_entry(struct gpt_entry *entry, uint64_t bytes, uint64_t seed)
{
	static const char name[] = "perf0";

	memcpy(entry->type, esp_type, sizeof(esp_type));
	make_guid(entry->id, seed);
	entry->first = GPT_ALIGN / GPT_SECTOR;
	entry->last = entry->first + bytes / GPT_SECTOR - 1;
	for (size_t i = 0; i < sizeof(name); i++)
		entry->name[i] = (uint8_t)name[i];
}

int gpt_write(int fd, uint64_t disk, uint64_t bytes, uint64_t seed, struct reason *why)
{
	const uint64_t sectors = disk / GPT_SECTOR;
	struct gpt_entry table[ENTRIES] = {0};
	struct gpt_header header = {
		.signature = "EFI PART",
		.revision = 0x10000,
		.size = HEADER_BYTES,
		.here = 1,
		.there = sectors - 1,
		.first = 2 + TABLE_SECTORS,
		.last = sectors - 2 - TABLE_SECTORS,
		.table = 2,
		.entries = ENTRIES,
		.entry_size = sizeof(struct gpt_entry),
	};
	int err;

	make_guid(header.disk, seed + 1);
	make_entry(&table[0], bytes, seed + 2);
	header.table_crc = crc32_of(table, sizeof(table));
	err = write_mbr(fd, sectors, why);
	if (!err)
		err = write_table(fd, header, table, why);
	header.here = sectors - 1;
	header.there = 1;
	header.table = sectors - 1 - TABLE_SECTORS;
	return err ? err : write_table(fd, header, table, why);
}
