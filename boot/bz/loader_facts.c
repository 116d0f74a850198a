// SPDX-License-Identifier: BSD-2-Clause
/* loader_facts.c - see loader_facts.h. */
#include "boot/bz/loader_facts.h"

#include "lib/math.h"
#include "lib/string.h"
#include "lib/words/number.h"

#include <linux/errno.h>

#define KIB              1024ull
#define MIB              (1024 * KIB)
#define LOW_END          0x9f000ull /* where the BIOS tells no map, this much is there */
#define SETUP_NODES_MOST 64
#define SCREEN_MOST      (256 * MIB)

/* --- The list of struct setup_data --- */

/* `bytes` from `at` on; NULL: they are not all below `reach`. */
static const void *memory_at(uint64_t at, uint64_t bytes, uint64_t reach)
{
	return at && at < reach && bytes <= reach - at ? (const void *)(uintptr_t)at : NULL;
}

/* Node `nth` of that type. A list that is longer than any loader's ends there. */
static const struct setup_data *find_setup_data(const struct boot_params *params, uint32_t type,
						unsigned nth, uint64_t reach)
{
	uint64_t at = params->hdr.setup_data;

	for (unsigned i = 0; i < SETUP_NODES_MOST; i++) {
		const struct setup_data *node = memory_at(at, sizeof(*node), reach);

		if (!node || !memory_at(at, sizeof(*node) + (uint64_t)node->len, reach))
			return NULL;
		if (node->type == type && !nth--)
			return node;
		at = node->next;
	}
	return NULL;
}

/* --- Memory --- */

static size_t add_entries(struct map_range *ranges, size_t n, size_t most,
			  const struct boot_e820_entry *entries, size_t nentries)
{
	for (size_t i = 0; i < nentries && n < most; i++)
		ranges[n++] = (struct map_range){entries[i].addr, entries[i].size,
						 map_kind_of(entries[i].type)};
	return n;
}

/* A BIOS without a map tells the size of memory in older numbers. */
static size_t add_old_memory(const struct boot_params *params, struct map_range *ranges)
{
	const uint64_t kib = params->alt_mem_k ? params->alt_mem_k : params->screen_info.ext_mem_k;

	ranges[0] = (struct map_range){0, LOW_END, MAP_FREE};
	ranges[1] = (struct map_range){MIB, kib * KIB, MAP_FREE};
	return 2;
}

size_t facts_memory(const struct boot_params *params, struct map_range *ranges, size_t most,
		    uint64_t reach)
{
	const size_t listed = least_of(params->e820_entries, E820_MAX_ENTRIES_ZEROPAGE);
	size_t n = add_entries(ranges, 0, most, params->e820_table, listed);
	const struct setup_data *more;

	for (unsigned i = 0; (more = find_setup_data(params, SETUP_E820_EXT, i, reach)); i++)
		n = add_entries(ranges, n, most, (const struct boot_e820_entry *)more->data,
				more->len / sizeof(struct boot_e820_entry));
	return n ? n : add_old_memory(params, ranges);
}

bool facts_archive(const struct boot_params *params, uint64_t *at, uint64_t *bytes)
{
	*at = (uint64_t)params->ext_ramdisk_image << 32 | params->hdr.ramdisk_image;
	*bytes = (uint64_t)params->ext_ramdisk_size << 32 | params->hdr.ramdisk_size;
	return *at && *bytes;
}

/* --- Options --- */

/* Words that loaders add: GRUB and PXELINUX in front, kexec-tools behind. */
static const char *const loader_words[] = {"BOOT_IMAGE=", "initrd=", "BOOTIF=", "acpi_rsdp="};

static size_t option_length(const char *word)
{
	size_t n = 0;

	while (word[n] && word[n] != ' ')
		n++;
	return n;
}

static bool is_loaders(const char *word)
{
	for (size_t i = 0; i < sizeof(loader_words) / sizeof(loader_words[0]); i++)
		if (!strncmp(word, loader_words[i], strlen(loader_words[i])))
			return true;
	return false;
}

static void drop_first_words(char *text)
{
	const char *at = text;

	while (*at == ' ' || is_loaders(at))
		at += *at == ' ' ? 1 : option_length(at);
	memmove(text, at, strlen(at) + 1);
}

static void drop_last_words(char *text)
{
	for (;;) {
		size_t end = strlen(text), word;

		while (end && text[end - 1] == ' ')
			end--;
		text[end] = '\0';
		word = end;
		while (word && text[word - 1] != ' ')
			word--;
		if (word == end || !is_loaders(text + word))
			return;
		text[word] = '\0';
	}
}

/* The command line as it is; NULL: there is none below `reach`. */
static const char *command_line(const struct boot_params *params, uint64_t reach)
{
	return memory_at((uint64_t)params->ext_cmd_line_ptr << 32 | params->hdr.cmd_line_ptr, 1,
			 reach);
}

int facts_options(const struct boot_params *params, char *to, size_t size, uint64_t reach)
{
	const char *line = command_line(params, reach);
	size_t n = 0;

	*to = '\0';
	if (!line)
		return params->hdr.cmd_line_ptr || params->ext_cmd_line_ptr ? -EFAULT : 0;
	while (n < size && n < reach - (uintptr_t)line && line[n])
		n++;
	if (n == size)
		return -E2BIG;
	memcpy(to, line, n);
	to[n] = '\0';
	drop_first_words(to);
	drop_last_words(to);
	return 0;
}

/* --- The screen --- */

/* The mask of a colour's bits in a pixel; 0: there are none, or not in 32 bits. */
static uint32_t color_mask(uint8_t size, uint8_t position)
{
	return size && size <= 16 && position + size <= 32 ? ((1u << size) - 1) << position : 0;
}

void facts_screen(const struct boot_params *params, struct handoff *handoff)
{
	const struct screen_info *screen = &params->screen_info;
	const uint64_t high = screen->capabilities & VIDEO_CAPABILITY_64BIT_BASE
				      ? (uint64_t)screen->ext_lfb_base << 32
				      : 0;
	const struct handoff_framebuffer found = {
		.base = high | screen->lfb_base,
		.width = screen->lfb_width,
		.height = screen->lfb_height,
		.stride = screen->lfb_linelength / sizeof(uint32_t),
		.masks = {color_mask(screen->red_size, screen->red_pos),
			  color_mask(screen->green_size, screen->green_pos),
			  color_mask(screen->blue_size, screen->blue_pos)},
	};

	if (screen->orig_video_isVGA != VIDEO_TYPE_VLFB &&
	    screen->orig_video_isVGA != VIDEO_TYPE_EFI)
		return;
	if (!found.base || !found.width || !found.height)
		return;
	if (screen->lfb_depth != 32 || screen->lfb_linelength % sizeof(uint32_t) ||
	    found.stride < found.width || !found.masks[0] || !found.masks[1] || !found.masks[2] ||
	    (uint64_t)screen->lfb_linelength * found.height > SCREEN_MOST ||
	    found.base >= HANDOFF_REACH - SCREEN_MOST) {
		handoff->odd_screens++;
		return;
	}
	handoff->screens[handoff->nscreens++] = found;
}

bool facts_has_text(const struct boot_params *params)
{
	return params->screen_info.orig_video_isVGA == 1 &&
	       params->screen_info.orig_video_cols == 80;
}

/* --- Tables --- */

/* UEFI specification, "EFI System Table", "EFI Configuration Table". */
#define SYSTAB_BYTES   120
#define SYSTAB_NTABLES 104
#define SYSTAB_TABLES  112
#define TABLES_MOST    256

struct efi_table {
	uint8_t guid[16];
	uint64_t address;
} __attribute__((packed));

/* The data of SETUP_EFI: `tables` is physical, where those of the system table are not any more. */
struct efi_setup {
	uint64_t vendor, unused, tables, smbios, reserved[8];
} __attribute__((packed));

static const uint8_t acpi20_guid[16] = {0x71, 0xe8, 0x68, 0x88, 0xf1, 0xe4, 0xd3, 0x11,
					0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c, 0x88, 0x81};
static const uint8_t acpi10_guid[16] = {0x30, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11,
					0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d};
static const uint8_t smbios3_guid[16] = {0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a,
					 0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94};
static const uint8_t smbios_guid[16] = {0x31, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11,
					0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d};

static const struct efi_table *efi_tables(const struct boot_params *params, uint64_t *n,
					  uint64_t reach)
{
	const struct efi_info efi = params->efi_info;
	const uint8_t *systab =
		memory_at((uint64_t)efi.efi_systab_hi << 32 | efi.efi_systab, SYSTAB_BYTES, reach);
	const struct setup_data *setup = find_setup_data(params, SETUP_EFI, 0, reach);
	struct efi_setup of_kexec;
	uint64_t at;

	if (!systab || memcmp(&efi.efi_loader_signature, "EL64", 4) ||
	    memcmp(systab, "IBI SYST", 8))
		return NULL;
	memcpy(n, systab + SYSTAB_NTABLES, sizeof(*n));
	memcpy(&at, systab + SYSTAB_TABLES, sizeof(at));
	if (setup && setup->len >= sizeof(of_kexec)) {
		memcpy(&of_kexec, setup->data, sizeof(of_kexec));
		at = of_kexec.tables;
	}
	*n = least_of(*n, TABLES_MOST);
	return memory_at(at, *n * sizeof(struct efi_table), reach);
}

static uint64_t find_efi_table(const struct boot_params *params, const uint8_t guid[16],
			       uint64_t reach)
{
	uint64_t n;
	const struct efi_table *tables = efi_tables(params, &n, reach);

	for (uint64_t i = 0; tables && i < n; i++)
		if (!memcmp(tables[i].guid, guid, sizeof(tables[i].guid)))
			return tables[i].address;
	return 0;
}

/* The number behind acpi_rsdp= of the command line. */
static uint64_t told_rsdp(const struct boot_params *params, uint64_t reach)
{
	static const char name[] = "acpi_rsdp=";
	const char *line = command_line(params, reach);
	char number[24];
	uint64_t value;

	for (; line && (line = strstr(line, name)); line += sizeof(name) - 1) {
		const size_t n = option_length(line + sizeof(name) - 1);

		if (n >= sizeof(number))
			continue;
		memcpy(number, line + sizeof(name) - 1, n);
		number[n] = '\0';
		if (!number_parse(number, &value))
			return value;
	}
	return 0;
}

uint64_t facts_rsdp(const struct boot_params *params, uint64_t reach)
{
	uint64_t at = params->acpi_rsdp_addr;

	if (!at)
		at = told_rsdp(params, reach);
	if (!at)
		at = find_efi_table(params, acpi20_guid, reach);
	return at ? at : find_efi_table(params, acpi10_guid, reach);
}

uint64_t facts_smbios(const struct boot_params *params, uint64_t reach)
{
	const uint64_t at = find_efi_table(params, smbios3_guid, reach);

	return at ? at : find_efi_table(params, smbios_guid, reach);
}
