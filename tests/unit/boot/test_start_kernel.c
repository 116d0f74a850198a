// SPDX-License-Identifier: BSD-2-Clause
/* test_start_kernel.c - boot/bz/start_kernel.c: which files are kernels, and what they get. */
#include <string.h>

#include "tests/unit/test.h"

#include "boot/bz/start_kernel.h"

#define FILE_BYTES 8192
#define MIB        (1ull << 20)

static uint8_t bytes[FILE_BYTES];
static struct setup_header header;
static struct kernel_file file;

static void begin_kernel(void)
{
	memset(bytes, 0, sizeof(bytes));
	header = (struct setup_header){
		.setup_sects = 3,
		.boot_flag = 0xaa55,
		.header = 0x53726448,
		.version = 0x20c,
		.xloadflags = XLF_KERNEL_64,
		.relocatable_kernel = 1,
		.syssize = (FILE_BYTES - 4 * 512) / 16,
		.kernel_alignment = 0x200000,
		.init_size = 0x700000,
		.cmdline_size = 20,
	};
	file = (struct kernel_file){bytes, FILE_BYTES, "quiet"};
}

static bool is_kernel(const char *reason)
{
	struct reason why = {""};
	int err;

	memcpy(bytes + 0x1f1, &header, sizeof(header));
	err = kernel_check(&file, &why);
	if (err)
		assert_string_equal(why.text, reason);
	return !err;
}

TEST(test_check)
{
	begin_kernel();
	assert_true(is_kernel(""));
	assert_int_equal(kernel_bytes(&file), 0x700000);
	assert_int_equal(kernel_align(&file), 0x200000);
	header.init_size = 1;
	header.kernel_alignment = 0;
	assert_true(is_kernel(""));
	assert_int_equal(kernel_bytes(&file), FILE_BYTES - 4 * 512);
	assert_int_equal(kernel_align(&file), 4096);
	file.size = 4000;
	assert_false(is_kernel("it has 4000 bytes, and is no kernel"));
	file.size = FILE_BYTES - 16;
	assert_false(is_kernel("it is cut off"));
	begin_kernel();
	header.setup_sects = 0;
	header.syssize = 0;
	assert_true(is_kernel(""));
	header.setup_sects = 15;
	assert_false(is_kernel("it is cut off"));
	begin_kernel();
	header.header++;
	assert_false(is_kernel("it has no header of a Linux kernel"));
	begin_kernel();
	header.xloadflags = 0;
	assert_false(is_kernel("it has no 64-bit entry, or cannot be moved"));
	begin_kernel();
	header.kernel_alignment = 0x300000;
	assert_false(is_kernel("its alignment is no power of two"));
	begin_kernel();
	file.options = "twenty-one characters";
	assert_false(is_kernel("it takes options of at most 20 bytes"));
}

TEST(test_fill)
{
	static const struct map_range ranges[] = {
		{0, 0x9f000, MAP_FREE},          {MIB, 63 * MIB, MAP_FREE},
		{32 * MIB, MIB, MAP_KEPT},       {48 * MIB, MIB, MAP_RESERVED},
		{64 * MIB, 64 * 1024, MAP_ACPI},
	};
	static const struct boot_e820_entry wanted[] = {
		{0, 0x9f000, 1},         {MIB, 47 * MIB, 1},       {48 * MIB, MIB, 2},
		{49 * MIB, 15 * MIB, 1}, {64 * MIB, 64 * 1024, 3},
	};
	struct boot_params ours = {0}, params;

	begin_kernel();
	memcpy(bytes + 0x1f1, &header, sizeof(header));
	ours.hdr.ramdisk_image = 0x2000000;
	ours.hdr.ramdisk_size = 5;
	ours.acpi_rsdp_addr = 0xf5000;
	ours.screen_info.lfb_width = 800;
	kernel_fill(&params, &file, &ours, ranges, sizeof(ranges) / sizeof(ranges[0]));
	assert_int_equal(params.e820_entries, 5);
	assert_memory_equal(params.e820_table, wanted, sizeof(wanted));
	assert_int_equal(params.hdr.ramdisk_image, 0x2000000);
	assert_int_equal(params.hdr.ramdisk_size, 5);
	assert_int_equal(params.hdr.type_of_loader, 0xff);
	assert_int_equal(params.hdr.init_size, 0x700000);
	assert_int_equal(params.acpi_rsdp_addr, 0xf5000);
	assert_int_equal(params.screen_info.lfb_width, 800);
	assert_int_equal((uint64_t)params.ext_cmd_line_ptr << 32 | params.hdr.cmd_line_ptr,
			 (uintptr_t)file.options);
}

/* More pieces than the parameters have entries: those that are left over are lost, not written. */
TEST(test_fill_too_many)
{
	static struct map_range ranges[300];
	struct boot_params ours = {0}, params[2];

	begin_kernel();
	memcpy(bytes + 0x1f1, &header, sizeof(header));
	for (size_t i = 0; i < 300; i++)
		ranges[i] = (struct map_range){2 * i * 4096, 4096, MAP_FREE};
	kernel_fill(params, &file, &ours, ranges, 300);
	assert_int_equal(params[0].e820_entries, 128);
	assert_int_equal(params[0].e820_table[127].addr, 2 * 127 * 4096);
}
