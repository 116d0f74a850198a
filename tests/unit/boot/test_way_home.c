// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_way_home.c - boot/bz/way_home.c: where the kernel that comes home is laid, and its
 * parameters. Memory of this process stands for the machine's, at its own addresses.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/errno.h>

#include "tests/unit/test.h"

#include "boot/bz/way_home.h"
#include "include/perf0/there.h"
#include "lib/format/cpio.h"

#define MIB          (1ull << 20)
#define MEMORY       (64 * MIB)
#define PAGE         4096
#define KERNEL_BYTES 8192
#define INIT_BYTES   (7 * MIB)
#define RANGES       16
#define LINE         "root=/dev/sda quiet"

static uint8_t *memory; /* MEMORY bytes, free; the loader's files lie elsewhere */
static uint8_t *archive;
static size_t archive_size;
static struct handoff handoff;
static struct map_range range[RANGES];
static struct home_ranges ranges;
static struct boot_params params;

static void put_home_file(const char *name, const void *content, size_t bytes)
{
	const size_t length = strlen(name);
	const struct cpio_entry entry = {
		.mode = CPIO_FILE | 0644,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(archive_size, length, bytes >= PAGE ? PAGE : 4),
	};

	cpio_header((char *)archive + archive_size, &entry);
	memcpy(archive + archive_size + CPIO_HEADER, name, length);
	archive_size += CPIO_HEADER + entry.name_bytes;
	memcpy(archive + archive_size, content, bytes);
	archive_size += bytes;
	archive_size += cpio_padding(archive_size);
}

static void put_kernel(uint64_t init_bytes)
{
	const struct setup_header header = {
		.setup_sects = 3,
		.boot_flag = 0xaa55,
		.header = 0x53726448,
		.version = 0x20f,
		.jump = 0x6aeb, /* the header's length is its second byte */
		.xloadflags = XLF_KERNEL_64,
		.relocatable_kernel = 1,
		.syssize = (KERNEL_BYTES - 4 * 512) / 16,
		.kernel_alignment = 2 * MIB,
		.init_size = (uint32_t)init_bytes,
		.cmdline_size = 2047,
	};
	uint8_t kernel[KERNEL_BYTES];

	memset(kernel, 0x5a, sizeof(kernel));
	memcpy(kernel + offsetof(struct boot_params, hdr), &header, sizeof(header));
	put_home_file(THERE_KERNEL, kernel, sizeof(kernel));
}

FIXTURE(setup)
{
	memory = mmap((void *)(1ull << 30), MEMORY, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	archive = aligned_alloc(PAGE, MIB);
	if (memory == MAP_FAILED || !archive)
		return -1;
	memset(archive, 0, MIB);
	memset(&handoff, 0, sizeof(handoff));
	memset(&params, 0, sizeof(params));
	handoff_add_memory(&handoff, 0, MIB, HANDOFF_MEM_RESERVED, 0);
	handoff_add_memory(&handoff, (uintptr_t)memory, (uintptr_t)memory + MEMORY,
			   HANDOFF_MEM_FREE, 7);
	ranges = (struct home_ranges){range, 0, RANGES};
	archive_size = 0;
	return 0;
}

FIXTURE(teardown)
{
	munmap(memory, MEMORY);
	free(archive);
	return 0;
}

static int prepare_way(struct reason *why)
{
	put_home_file(CPIO_TRAILER, "", 0);
	handoff.archive = (uintptr_t)archive;
	handoff.archive_bytes = archive_size;
	return home_prepare(&params, &handoff, UINT64_MAX, &ranges, why);
}

static bool is_in_arena(uint64_t at, uint64_t bytes)
{
	return at >= (uintptr_t)memory && at + bytes <= (uintptr_t)memory + MEMORY;
}

TEST_WITH(way, setup, teardown)
{
	const struct handoff_home *home = &handoff.home;
	uint8_t initrd[5000];
	const struct boot_params *to;
	struct setup_data *results;
	struct reason why;

	memset(initrd, 0x77, sizeof(initrd));
	put_kernel(INIT_BYTES);
	put_home_file(THERE_INITRD, initrd, sizeof(initrd));
	put_home_file(THERE_COMMAND_LINE, LINE, sizeof(LINE) - 1);
	put_home_file(THERE_PROGRAMS, initrd, sizeof(initrd));
	params.hdr.setup_data = 0x1234000;
	params.acpi_rsdp_addr = 0xe0000;
	params.e820_entries = 3;
	assert_false(home_is_asked(&handoff));
	assert_int_equal(prepare_way(&why), 0);
	assert_true(is_in_arena(home->kernel, INIT_BYTES));
	assert_true(is_in_arena(home->params, home->params_bytes));
	assert_true(is_in_arena(home->results, home->results_bytes));
	assert_int_equal(home->kernel % (2 * MIB), 0);
	assert_int_equal(home->entry, home->kernel + 0x200);
	assert_int_equal(home->results_bytes, MEMORY / 8);
	assert_int_equal(ranges.n, 3);
	assert_int_equal(*(const uint8_t *)home->kernel, 0x5a);
	to = (const struct boot_params *)home->params;
	assert_string_equal((const char *)(uintptr_t)to->hdr.cmd_line_ptr, LINE " " THERE_MARK);
	assert_int_equal(to->acpi_rsdp_addr, 0xe0000);
	assert_int_equal(to->e820_entries, 3);
	assert_int_equal(to->hdr.init_size, INIT_BYTES);
	assert_int_equal(to->hdr.type_of_loader, 0xff);
	assert_int_equal(to->hdr.ramdisk_size, sizeof(initrd));
	assert_memory_equal(
		(const void *)((uint64_t)to->ext_ramdisk_image << 32 | to->hdr.ramdisk_image),
		initrd, sizeof(initrd));
	assert_int_equal(to->hdr.setup_data, home->results);
	results = (struct setup_data *)home->results;
	assert_int_equal(results->next, 0x1234000);
	assert_int_equal(results->type, THERE_SETUP_TYPE);
	assert_int_equal(results->len, 0);
	assert_int_equal(handoff.archive_bytes, sizeof(initrd));
	assert_memory_equal((const void *)handoff.archive, initrd, sizeof(initrd));
}

/* The three places are apart, also where the free memory is in pieces. */
TEST_WITH(places, setup, teardown)
{
	struct reason why;

	handoff.nmem = 1;
	for (uint64_t at = 0; at < MEMORY; at += 9 * MIB)
		handoff_add_memory(&handoff, (uintptr_t)memory + at,
				   (uintptr_t)memory + at + 9 * MIB - PAGE, HANDOFF_MEM_FREE, 7);
	handoff.mem[handoff.nmem - 1].pages = 1;
	put_kernel(INIT_BYTES);
	put_home_file(THERE_COMMAND_LINE, LINE, sizeof(LINE) - 1);
	assert_int_equal(prepare_way(&why), 0);
	for (size_t i = 0; i < ranges.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(range[i].base >= range[k].base + range[k].bytes ||
				    range[k].base >= range[i].base + range[i].bytes);
	assert_int_equal(handoff.archive, 0);
}

static void expect_no_way(int err, const char *part)
{
	struct reason why;

	assert_int_equal(prepare_way(&why), err);
	assert_non_null(strstr(why.text, part));
	assert_int_equal(handoff.home.kernel, 0);
	assert_int_equal(ranges.n, 0);
}

TEST_WITH(no_room, setup, teardown)
{
	put_kernel(MEMORY);
	put_home_file(THERE_COMMAND_LINE, LINE, sizeof(LINE) - 1);
	expect_no_way(-ENOMEM, "no memory");
}

TEST_WITH(no_command_line, setup, teardown)
{
	put_kernel(INIT_BYTES);
	expect_no_way(-ENOENT, "missing");
}

TEST_WITH(no_kernel, setup, teardown)
{
	uint8_t bytes[KERNEL_BYTES] = {0};

	put_home_file(THERE_KERNEL, bytes, sizeof(bytes));
	put_home_file(THERE_COMMAND_LINE, LINE, sizeof(LINE) - 1);
	expect_no_way(-ENOEXEC, "no header");
}

/* The memory that the loader's parameters name is kept, and a list without an end ends. */
TEST_WITH(parameters, setup, teardown)
{
	struct setup_data *nodes = (struct setup_data *)memory;

	nodes[0] = (struct setup_data){.next = (uintptr_t)memory + 64, .len = 8};
	*(struct setup_data *)(memory + 64) = (struct setup_data){.len = 100};
	params.hdr.setup_data = (uintptr_t)memory;
	params.efi_info.efi_memmap = 0x5000;
	params.efi_info.efi_memmap_size = 480;
	home_keep_parameters(&params, UINT64_MAX, &ranges);
	assert_int_equal(ranges.n, 3);
	assert_int_equal(range[0].bytes, sizeof(struct setup_data) + 8);
	assert_int_equal(range[1].base, (uintptr_t)memory + 64);
	assert_int_equal(range[2].base, 0x5000);
	nodes[0].next = (uintptr_t)memory;
	ranges.n = 0;
	home_keep_parameters(&params, UINT64_MAX, &ranges);
	assert_int_equal(ranges.n, RANGES);
}
