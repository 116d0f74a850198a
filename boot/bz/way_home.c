// SPDX-License-Identifier: BSD-2-Clause
/* way_home.c - see way_home.h. Linux, Documentation/arch/x86/boot.rst, "64-bit Boot Protocol". */
#include "boot/bz/way_home.h"

#include "boot/bz/start_kernel.h"
#include "include/perf0/there.h"
#include "lib/format/cpio_read.h"
#include "lib/math.h"
#include "lib/string.h"

#include <linux/errno.h>

#define PAGE             4096ull
#define MIB              (1ull << 20)
#define SECTOR           512
#define HEADER_AT        offsetof(struct boot_params, hdr)
#define HEADER_LENGTH_AT 0x201 /* a byte: the header's end, counted from 0x202 */
#define ENTRY_64         0x200
#define LOADER_UNKNOWN   0xff
#define KERNEL_LEAST     (16 * MIB) /* below it devices and firmware have places of their own */
#define NODES_MOST       64
#define RESULTS_SHARE    8 /* results take this part of the free memory */
#define RESULTS_LEAST    MIB
#define RESULTS_MOST     (256 * MIB)

struct home_files {
	struct cpio_member kernel, initrd, line;
	bool has_initrd;
};

static bool find_file(const struct handoff *handoff, const char *path, struct cpio_member *file)
{
	return handoff->archive && !cpio_find((const void *)(uintptr_t)handoff->archive,
					      handoff->archive_bytes, path, file);
}

bool home_is_asked(const struct handoff *handoff)
{
	struct cpio_member kernel;

	return find_file(handoff, THERE_KERNEL, &kernel);
}

/* --- Memory --- */

static void add_range(struct home_ranges *ranges, uint64_t base, uint64_t bytes, enum map_kind kind)
{
	if (ranges->n < ranges->most)
		ranges->range[ranges->n++] = (struct map_range){base, bytes, kind};
}

void home_keep_parameters(const struct boot_params *params, uint64_t reach,
			  struct home_ranges *ranges)
{
	const struct efi_info efi = params->efi_info;
	uint64_t at = params->hdr.setup_data;

	for (unsigned i = 0; i < NODES_MOST && at && at < reach; i++) {
		const struct setup_data *node = (const struct setup_data *)(uintptr_t)at;

		add_range(ranges, at, sizeof(*node) + node->len, MAP_KEPT);
		at = node->next;
	}
	if (efi.efi_memmap || efi.efi_memmap_hi)
		add_range(ranges, (uint64_t)efi.efi_memmap_hi << 32 | efi.efi_memmap,
			  efi.efi_memmap_size, MAP_KEPT);
}

static uint64_t aligned(uint64_t at, uint64_t align)
{
	return (at + align - 1) / align * align;
}

/* The end of a taken range that overlaps this one; 0: there is none. */
static uint64_t taken_behind(const struct home_ranges *ranges, size_t from, uint64_t at,
			     uint64_t bytes)
{
	for (size_t i = from; i < ranges->n; i++) {
		const struct map_range *r = &ranges->range[i];

		if (at < r->base + r->bytes && r->base < at + bytes)
			return r->base + r->bytes;
	}
	return 0;
}

/* The lowest free place; 0: none. The ranges from `first` on were taken since the list was made. */
static uint64_t take_place(const struct handoff *handoff, struct home_ranges *ranges, size_t first,
			   uint64_t bytes, uint64_t align, uint64_t reach)
{
	for (uint32_t i = 0; i < handoff->nmem && ranges->n < ranges->most; i++) {
		const struct handoff_mem *m = &handoff->mem[i];
		const uint64_t end = least_of(m->base + m->pages * PAGE, reach);
		uint64_t at = m->base > KERNEL_LEAST ? m->base : KERNEL_LEAST, behind;

		if (m->type != HANDOFF_MEM_FREE)
			continue;
		for (at = aligned(at, align); at < end && bytes <= end - at;
		     at = aligned(behind, align)) {
			behind = taken_behind(ranges, first, at, bytes);
			if (behind)
				continue;
			add_range(ranges, at, bytes, MAP_RESERVED);
			return at;
		}
	}
	return 0;
}

static uint64_t free_bytes(const struct handoff *handoff)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < handoff->nmem; i++)
		if (handoff->mem[i].type == HANDOFF_MEM_FREE)
			pages += handoff->mem[i].pages;
	return pages * PAGE;
}

static uint64_t bytes_for_results(const struct handoff *handoff)
{
	const uint64_t share = free_bytes(handoff) / RESULTS_SHARE & ~(PAGE - 1);

	return share < RESULTS_LEAST ? RESULTS_LEAST : least_of(share, RESULTS_MOST);
}

/* --- The kernel --- */

static const struct setup_header *home_header(const struct cpio_member *kernel)
{
	return (const struct setup_header *)(kernel->content + HEADER_AT);
}

static uint64_t setup_bytes(const struct setup_header *header)
{
	return ((uint64_t)(header->setup_sects ? header->setup_sects : 4) + 1) * SECTOR;
}

static struct kernel_file kernel_of(const struct home_files *files)
{
	return (struct kernel_file){files->kernel.content, files->kernel.bytes, ""};
}

static int check_home_files(const struct home_files *files, struct reason *why)
{
	const struct kernel_file kernel = kernel_of(files);
	struct reason what;

	if (kernel_check(&kernel, &what))
		return refuse(why, ENOEXEC, "of its kernel: %s", what.text);
	if (files->has_initrd && (uintptr_t)files->initrd.content % PAGE)
		return refuse(why, EINVAL, "its initial ram disk does not begin at a page");
	return 0;
}

static int find_files(const struct handoff *handoff, struct home_files *files, struct reason *why)
{
	if (!find_file(handoff, THERE_KERNEL, &files->kernel) ||
	    !find_file(handoff, THERE_COMMAND_LINE, &files->line))
		return refuse(why, ENOENT, "its kernel or its command line is missing");
	files->has_initrd = find_file(handoff, THERE_INITRD, &files->initrd) && files->initrd.bytes;
	return check_home_files(files, why);
}

static int take_places(const struct handoff *handoff, const struct home_files *files,
		       uint64_t reach, struct home_ranges *ranges, struct handoff_home *home,
		       struct reason *why)
{
	const struct kernel_file kernel = kernel_of(files);
	const size_t first = ranges->n;

	home->kernel_bytes = aligned(kernel_bytes(&kernel), PAGE);
	home->params_bytes = aligned(
		sizeof(struct boot_params) + files->line.bytes + 1 + sizeof(THERE_MARK), PAGE);
	home->results_bytes = bytes_for_results(handoff);
	home->kernel = take_place(handoff, ranges, first, home->kernel_bytes, kernel_align(&kernel),
				  reach);
	home->params = take_place(handoff, ranges, first, home->params_bytes, PAGE, reach);
	home->results = take_place(handoff, ranges, first, home->results_bytes, PAGE, reach);
	if (home->kernel && home->params && home->results)
		return 0;
	ranges->n = first;
	return refuse(why, ENOMEM, "there is no memory for its kernel and for results");
}

static void lay_kernel(const struct home_files *files, struct handoff_home *home)
{
	const uint64_t setup = setup_bytes(home_header(&files->kernel));

	memcpy((void *)(uintptr_t)home->kernel, files->kernel.content + setup,
	       files->kernel.bytes - setup);
	home->entry = home->kernel + ENTRY_64;
}

/* --- Its parameters --- */

static void lay_command_line(const struct home_files *files, char *to)
{
	memcpy(to, files->line.content, files->line.bytes);
	to += files->line.bytes;
	*to++ = ' ';
	memcpy(to, THERE_MARK, sizeof(THERE_MARK));
}

static void lay_results(struct setup_data *results, uint64_t next)
{
	*results = (struct setup_data){.next = next, .type = THERE_SETUP_TYPE};
}

static void set_files(struct boot_params *to, const struct home_files *files, uint64_t line)
{
	const uint64_t initrd = files->has_initrd ? (uintptr_t)files->initrd.content : 0,
		       bytes = files->has_initrd ? files->initrd.bytes : 0;

	to->hdr.cmd_line_ptr = (uint32_t)line;
	to->ext_cmd_line_ptr = (uint32_t)(line >> 32);
	to->hdr.ramdisk_image = (uint32_t)initrd;
	to->ext_ramdisk_image = (uint32_t)(initrd >> 32);
	to->hdr.ramdisk_size = (uint32_t)bytes;
	to->ext_ramdisk_size = (uint32_t)(bytes >> 32);
}

/* All but the header is what the loader has told us: memory, screen, tables of the firmware. */
static void lay_params(const struct boot_params *params, const struct home_files *files,
		       const struct handoff_home *home)
{
	struct boot_params *to = (struct boot_params *)(uintptr_t)home->params;
	const uint8_t *setup = files->kernel.content;
	const size_t header_bytes = HEADER_LENGTH_AT + 1 + setup[HEADER_LENGTH_AT] - HEADER_AT;

	*to = *params;
	memset(&to->hdr, 0, sizeof(to->hdr));
	memcpy(&to->hdr, setup + HEADER_AT, least_of(header_bytes, sizeof(to->hdr)));
	to->sentinel = 0;
	to->hdr.type_of_loader = LOADER_UNKNOWN;
	to->hdr.code32_start = (uint32_t)home->kernel;
	to->hdr.setup_data = home->results;
	set_files(to, files, home->params + sizeof(*to));
	lay_command_line(files, (char *)(to + 1));
	lay_results((struct setup_data *)(uintptr_t)home->results, params->hdr.setup_data);
}

/* The pack takes the place of the archive that it lies in. */
static void take_programs(struct handoff *handoff)
{
	struct cpio_member programs;
	const bool has = find_file(handoff, THERE_PROGRAMS, &programs);

	handoff->archive = has ? (uintptr_t)programs.content : 0;
	handoff->archive_bytes = has ? programs.bytes : 0;
}

int home_prepare(const struct boot_params *params, struct handoff *handoff, uint64_t reach,
		 struct home_ranges *ranges, struct reason *why)
{
	struct handoff_home home = {0};
	struct home_files files;
	int err = find_files(handoff, &files, why);

	if (!err)
		err = take_places(handoff, &files, reach, ranges, &home, why);
	if (err)
		return err;
	lay_kernel(&files, &home);
	lay_params(params, &files, &home);
	take_programs(handoff);
	handoff->home = home;
	return 0;
}
