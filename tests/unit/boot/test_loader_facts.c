// SPDX-License-Identifier: BSD-2-Clause
/* test_loader_facts.c - boot/bz/loader_facts.c: struct boot_params as loaders fill it in, and as
 * none should. */
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>

#include "tests/unit/test.h"

#include "boot/bz/loader_facts.h"

#define EVERYWHERE UINT64_MAX
#define MIB        (1ull << 20)

static struct boot_params params;
static struct map_range ranges[200];
static struct handoff handoff;
static char text[64];

static void clear_params(void)
{
	memset(&params, 0, sizeof(params));
	memset(&handoff, 0, sizeof(handoff));
}

static void set_line(const char *line)
{
	params.hdr.cmd_line_ptr = (uint32_t)(uintptr_t)line;
	params.ext_cmd_line_ptr = (uint32_t)((uintptr_t)line >> 32);
}

static int options_of(const char *line)
{
	set_line(line);
	return facts_options(&params, text, sizeof(text), EVERYWHERE);
}

static void expect_options(const char *line, const char *wanted)
{
	assert_int_equal(options_of(line), 0);
	assert_string_equal(text, wanted);
}

TEST(test_options)
{
	char line[70];

	clear_params();
	assert_int_equal(facts_options(&params, text, sizeof(text), EVERYWHERE), 0);
	assert_string_equal(text, "");
	expect_options("stat loop 1000", "stat loop 1000");
	expect_options("BOOT_IMAGE=/perf0.bz stat loop 1", "stat loop 1");
	expect_options("BOOT_IMAGE=a initrd=b  BOOTIF=01-52 mode=own stat", "mode=own stat");
	expect_options("BOOT_IMAGE=/perf0.bz", "");
	expect_options("stat loop 1 acpi_rsdp=0x7f000 ", "stat loop 1");
	expect_options("stat a initrd=x acpi_rsdp=1", "stat a");
	expect_options("echo acpi_rsdp=1 there", "echo acpi_rsdp=1 there");
	expect_options("   ", "");
	memset(line, 'a', sizeof(line));
	line[63] = '\0';
	expect_options(line, line);
	line[63] = 'a';
	line[69] = '\0';
	assert_int_equal(options_of(line), -E2BIG);
	/* Text from the limit on is not read. */
	assert_int_equal(facts_options(&params, text, sizeof(text), 1), -EFAULT);
	assert_int_equal(facts_options(&params, text, sizeof(text), (uintptr_t)line + 5), 0);
	assert_string_equal(text, "aaaaa");
}

TEST(test_map)
{
	clear_params();
	params.e820_entries = 2;
	params.e820_table[0] = (struct boot_e820_entry){MIB, 5 * MIB, 1};
	params.e820_table[1] = (struct boot_e820_entry){0, 0x9fc00, 2};
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 2);
	assert_int_equal(ranges[0].base, MIB);
	assert_int_equal(ranges[0].bytes, 5 * MIB);
	assert_int_equal(ranges[0].kind, MAP_FREE);
	assert_int_equal(ranges[1].kind, MAP_RESERVED);
	/* More than the table has. */
	params.e820_entries = 255;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 128);
	assert_int_equal(facts_memory(&params, ranges, 7, EVERYWHERE), 7);
}

/* A BIOS without a map: its older numbers. */
TEST(test_old_memory)
{
	clear_params();
	params.screen_info.ext_mem_k = 0xfc00;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 2);
	assert_int_equal(ranges[1].base, MIB);
	assert_int_equal(ranges[1].bytes, 63 * MIB);
	params.alt_mem_k = 255 * 1024;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 2);
	assert_int_equal(ranges[1].bytes, 255 * MIB);
}

struct more_memory {
	struct setup_data head;
	struct boot_e820_entry entries[3];
};

TEST(test_more_memory)
{
	static struct more_memory a, b;

	clear_params();
	a = (struct more_memory){{(uintptr_t)&b, SETUP_E820_EXT, sizeof(a.entries)},
				 {{1, 2, 1}, {3, 4, 2}, {5, 6, 3}}};
	b = (struct more_memory){{0, SETUP_E820_EXT, sizeof(struct boot_e820_entry) + 7},
				 {{7, 8, 1}}};
	params.hdr.setup_data = (uintptr_t)&a;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 4);
	assert_int_equal(ranges[3].base, 7);
	/* A list without an end, a length that goes round, a node out of reach. */
	b.head.next = (uintptr_t)&a;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 64 / 2 * 4);
	b.head.next = 0;
	b.head.len = UINT32_MAX;
	assert_int_equal(
		facts_memory(&params, ranges, 200, (uintptr_t)(&a > &b ? &a : &b) + sizeof(a)), 3);
	params.hdr.setup_data = EVERYWHERE - 3;
	assert_int_equal(facts_memory(&params, ranges, 200, EVERYWHERE), 2);
}

static void set_screen(void)
{
	clear_params();
	params.screen_info.orig_video_isVGA = VIDEO_TYPE_EFI;
	params.screen_info.lfb_width = 1024;
	params.screen_info.lfb_height = 768;
	params.screen_info.lfb_depth = 32;
	params.screen_info.lfb_base = 0xc0000000;
	params.screen_info.lfb_linelength = 4096;
	params.screen_info.red_size = params.screen_info.green_size = params.screen_info.blue_size =
		8;
	params.screen_info.red_pos = 16;
	params.screen_info.green_pos = 8;
}

static uint32_t screens(void)
{
	handoff.nscreens = handoff.odd_screens = 0;
	facts_screen(&params, &handoff);
	assert_int_equal(handoff.nscreens & handoff.odd_screens, 0);
	return handoff.nscreens;
}

TEST(test_screen)
{
	set_screen();
	assert_int_equal(screens(), 1);
	assert_int_equal(handoff.screens[0].base, 0xc0000000);
	assert_int_equal(handoff.screens[0].stride, 1024);
	assert_int_equal(handoff.screens[0].masks[0], 0xff0000);
	assert_int_equal(handoff.screens[0].masks[1], 0xff00);
	assert_int_equal(handoff.screens[0].masks[2], 0xff);
	params.screen_info.ext_lfb_base = 8;
	assert_int_equal(screens(), 1);
	assert_int_equal(handoff.screens[0].base, 0xc0000000);
	params.screen_info.capabilities = VIDEO_CAPABILITY_64BIT_BASE;
	assert_int_equal(screens(), 1);
	assert_int_equal(handoff.screens[0].base, 0x8c0000000);
	params.screen_info.ext_lfb_base = UINT32_MAX;
	assert_int_equal(screens(), 0);
	assert_int_equal(handoff.odd_screens, 1);
}

TEST(test_odd_screens)
{
	set_screen();
	params.screen_info.lfb_depth = 24;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 2);
	set_screen();
	params.screen_info.lfb_linelength = 4000;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 2);
	set_screen();
	params.screen_info.lfb_linelength = 4097;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 2);
	set_screen();
	params.screen_info.red_pos = 25;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 2);
	set_screen();
	params.screen_info.lfb_height = UINT16_MAX;
	params.screen_info.lfb_linelength = 65532;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 2);
	set_screen();
	params.screen_info.lfb_base = 0;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 0);
	set_screen();
	params.screen_info.orig_video_isVGA = 1;
	assert_int_equal(screens() + 2 * handoff.odd_screens, 0);
}

TEST(test_archive)
{
	uint64_t at, bytes;

	clear_params();
	assert_false(facts_archive(&params, &at, &bytes));
	params.hdr.ramdisk_image = 0x1000;
	assert_false(facts_archive(&params, &at, &bytes));
	params.ext_ramdisk_image = 2;
	params.hdr.ramdisk_size = 7;
	params.ext_ramdisk_size = 1;
	assert_true(facts_archive(&params, &at, &bytes));
	assert_int_equal(at, 0x200001000);
	assert_int_equal(bytes, 0x100000007);
}

struct table {
	uint8_t guid[16];
	uint64_t address;
};

/* A system table of UEFI with tables for ACPI 2.0 and SMBIOS 3. */
static struct table tables[] = {
	{{1}, 1},
	{{0x71, 0xe8, 0x68, 0x88, 0xf1, 0xe4, 0xd3, 0x11, 0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c, 0x88,
	  0x81},
	 0xabc000},
	{{0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a, 0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3,
	  0x94},
	 0xdef000},
};
static uint64_t systab[15];

static void set_systab(uint64_t at, uint64_t n)
{
	memcpy(systab, "IBI SYST", 8);
	systab[13] = n;
	systab[14] = at;
	memcpy(&params.efi_info.efi_loader_signature, "EL64", 4);
	params.efi_info.efi_systab = (uint32_t)(uintptr_t)systab;
	params.efi_info.efi_systab_hi = (uint32_t)((uintptr_t)systab >> 32);
}

TEST(test_tables)
{
	clear_params();
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0);
	assert_int_equal(facts_smbios(&params, EVERYWHERE), 0);
	set_systab((uintptr_t)tables, 3);
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0xabc000);
	assert_int_equal(facts_smbios(&params, EVERYWHERE), 0xdef000);
	systab[13] = 2;
	assert_int_equal(facts_smbios(&params, EVERYWHERE), 0);
	set_line("stat acpi_rsdp=0x123000 x");
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0x123000);
	set_line("stat acpi_rsdp=none acpi_rsdp=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa acpi_rsdp=");
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0xabc000);
	params.acpi_rsdp_addr = 0x456000;
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0x456000);
}

struct of_kexec {
	struct setup_data head;
	uint64_t vendor, unused, tables, smbios, reserved[8];
};

/* Behind kexec the system table has addresses of the first kernel; SETUP_EFI has the real one. */
TEST(test_tables_behind_kexec)
{
	static struct of_kexec setup;

	clear_params();
	setup = (struct of_kexec){{0, SETUP_EFI, sizeof(setup) - sizeof(setup.head)},
				  .tables = (uintptr_t)tables};
	set_systab(EVERYWHERE - 10, 3);
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0);
	params.hdr.setup_data = (uintptr_t)&setup;
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0xabc000);
	systab[13] = UINT64_MAX;
	assert_int_equal(facts_rsdp(&params, (uintptr_t)(tables + 3) > (uintptr_t)(&setup + 1)
						     ? (uintptr_t)(tables + 3)
						     : (uintptr_t)(&setup + 1)),
			 0);
	systab[0] = 0;
	assert_int_equal(facts_rsdp(&params, EVERYWHERE), 0);
}
