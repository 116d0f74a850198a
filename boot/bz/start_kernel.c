// SPDX-License-Identifier: BSD-2-Clause
/* start_kernel.c - see start_kernel.h. */
#include "boot/bz/start_kernel.h"

#include "lib/math.h"
#include "lib/string.h"

#include <linux/errno.h>

#define SECTOR        512u
#define HEADER_MAGIC  0x53726448u /* "HdrS" */
#define BOOT_FLAG     0xaa55u
#define VERSION_LEAST 0x020cu /* the first with xloadflags */
#define SETUP_DEFAULT 4       /* sectors, where the header says 0 */
#define ENTRY_64      0x200
#define LOADER_OTHER  0xff
#define PAGE          4096ull

#define TYPE_MEMORY   1
#define TYPE_RESERVED 2
#define TYPE_ACPI     3

static struct setup_header header_of(const struct kernel_file *file)
{
	struct setup_header header;

	memcpy(&header, file->bytes + offsetof(struct boot_params, hdr), sizeof(header));
	return header;
}

static size_t setup_bytes(const struct setup_header *header)
{
	return (1u + (header->setup_sects ? header->setup_sects : SETUP_DEFAULT)) * SECTOR;
}

static uint64_t protected_bytes(const struct kernel_file *file)
{
	const struct setup_header header = header_of(file);

	return file->size - setup_bytes(&header);
}

int kernel_check(const struct kernel_file *file, struct reason *why)
{
	struct setup_header header;

	if (file->size < sizeof(struct boot_params))
		return refuse(why, ENOEXEC, "it has %lu bytes, and is no kernel",
			      (unsigned long)file->size);
	header = header_of(file);
	if (header.boot_flag != BOOT_FLAG || header.header != HEADER_MAGIC)
		return refuse(why, ENOEXEC, "it has no header of a Linux kernel");
	if (header.version < VERSION_LEAST || !(header.xloadflags & XLF_KERNEL_64) ||
	    !header.relocatable_kernel)
		return refuse(why, ENOEXEC, "it has no 64-bit entry, or cannot be moved");
	if (setup_bytes(&header) + ENTRY_64 >= file->size ||
	    file->size - setup_bytes(&header) < header.syssize * 16ull)
		return refuse(why, ENOEXEC, "it is cut off");
	if (header.kernel_alignment & (header.kernel_alignment - 1))
		return refuse(why, ENOEXEC, "its alignment is no power of two");
	if (strlen(file->options) > header.cmdline_size)
		return refuse(why, ENOEXEC, "it takes options of at most %u bytes",
			      header.cmdline_size);
	return 0;
}

uint64_t kernel_bytes(const struct kernel_file *file)
{
	return most_of(header_of(file).init_size, protected_bytes(file));
}

uint64_t kernel_align(const struct kernel_file *file)
{
	return most_of(header_of(file).kernel_alignment, PAGE);
}

static uint32_t entry_type(enum map_kind kind)
{
	switch (kind) {
	case MAP_FREE:
	case MAP_KEPT:
		return TYPE_MEMORY;
	case MAP_ACPI:
		return TYPE_ACPI;
	default:
		return TYPE_RESERVED;
	}
}

/* Neighbours of one type are one entry. */
static void add_memory(struct boot_params *params, uint64_t base, uint64_t end, uint32_t type)
{
	const unsigned n = params->e820_entries;
	struct boot_e820_entry *last = n ? &params->e820_table[n - 1] : NULL;

	if (last && last->type == type && last->addr + last->size == base)
		last->size += end - base;
	else if (n < E820_MAX_ENTRIES_ZEROPAGE)
		params->e820_table[params->e820_entries++] =
			(struct boot_e820_entry){base, end - base, type};
}

void kernel_fill(struct boot_params *params, const struct kernel_file *file,
		 const struct boot_params *ours, const struct map_range *ranges, size_t n)
{
	struct setup_header header = header_of(file);
	uint64_t next;

	memset(params, 0, sizeof(*params));
	header.type_of_loader = LOADER_OTHER;
	header.ramdisk_image = ours->hdr.ramdisk_image;
	header.ramdisk_size = ours->hdr.ramdisk_size;
	header.cmd_line_ptr = (uint32_t)(uintptr_t)file->options;
	params->ext_cmd_line_ptr = (uint32_t)((uintptr_t)file->options >> 32);
	params->ext_ramdisk_image = ours->ext_ramdisk_image;
	params->ext_ramdisk_size = ours->ext_ramdisk_size;
	params->screen_info = ours->screen_info;
	params->acpi_rsdp_addr = ours->acpi_rsdp_addr;
	params->efi_info = ours->efi_info;
	params->hdr = header;
	for (uint64_t at = 0; at != UINT64_MAX; at = next) {
		const enum map_kind kind = map_next(ranges, n, at, &next);

		if (kind != MAP_NONE && next != UINT64_MAX)
			add_memory(params, at, next, entry_type(kind));
	}
}

_Noreturn void kernel_start(const struct kernel_file *file, uint64_t at,
			    const struct boot_params *params)
{
	const struct setup_header header = header_of(file);

	memcpy((void *)(uintptr_t)at, file->bytes + setup_bytes(&header), protected_bytes(file));
	__asm__ volatile("jmp *%[entry]" : : [entry] "r"(at + ENTRY_64), "S"(params) : "memory");
	__builtin_unreachable();
}
