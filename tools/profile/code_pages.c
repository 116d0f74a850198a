// SPDX-License-Identifier: BSD-2-Clause
/* code_pages.c - see code_pages.h. */
#include "tools/profile/code_pages.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/profile_file.h"

/* --- Sections --- */

static int compare_code_sections(const void *a, const void *b)
{
	const struct code_section *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* A file without section headers has its segments instead. */
static void add_segments(struct buf *sections, Elf *elf)
{
	GElf_Phdr header;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &header); i++)
		if (header.p_type == PT_LOAD && (header.p_flags & PF_X))
			buf_add(sections,
				&(struct code_section){header.p_vaddr,
						       header.p_vaddr + header.p_memsz},
				sizeof(struct code_section));
}

void code_sections(struct buf *sections, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_ALLOC) &&
		    (header.sh_flags & SHF_EXECINSTR))
			buf_add(sections,
				&(struct code_section){header.sh_addr,
						       header.sh_addr + header.sh_size},
				sizeof(struct code_section));
	if (!sections->size)
		add_segments(sections, elf);
	if (sections->size)
		qsort(sections->data, sections->size / sizeof(struct code_section),
		      sizeof(struct code_section), compare_code_sections);
}

uint64_t code_section_end(const struct buf *sections, uint64_t address)
{
	const struct code_section *section = (const void *)sections->data;

	for (size_t i = 0; i < sections->size / sizeof(*section); i++)
		if (address >= section[i].start && address < section[i].end)
			return section[i].end;
	return 0;
}

/* --- Pages --- */

/* An executable segment of a file. */
struct code_segment {
	const char *file;
	size_t size;         /* of the file */
	uint64_t start, end; /* addresses of its bytes in the file */
	uint64_t offset;     /* in the file, of address 0; it may wrap */
};

/* Copies the bytes of [from, to) that are in the file; the others stay zero. */
static void copy_code(uint8_t *page, uint64_t address, const struct code_segment *segment,
		      uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at++) {
		const uint64_t offset = at + segment->offset;

		if (offset < segment->size)
			page[at - address] = (uint8_t)segment->file[offset];
	}
}

/* Hashes the page with the segment's bytes of [from, to). */
static uint64_t hash_page(uint64_t address, const struct code_segment *segment, uint64_t from,
			  uint64_t to)
{
	const uint64_t offset = address + segment->offset;
	const bool is_whole = to - from == PROFILE_PAGE;
	uint64_t word[PROFILE_PAGE / 8] = {0};

	if (is_whole && offset < segment->size && segment->size - offset >= PROFILE_PAGE)
		memcpy(word, segment->file + offset, PROFILE_PAGE);
	else
		copy_code((uint8_t *)word, address, segment, from, to);
	return profile_hash(word);
}

static void add_segment_pages(struct buf *pages, uint32_t object,
			      const struct code_segment *segment)
{
	const uint64_t mask = PROFILE_PAGE - 1;

	for (uint64_t at = segment->start & ~mask; at < segment->end; at += PROFILE_PAGE) {
		const uint64_t from = at < segment->start ? segment->start : at;
		const uint64_t to =
			segment->end - at < PROFILE_PAGE ? segment->end : at + PROFILE_PAGE;
		struct profile_page page = {.address = at, .object = object};
		const uint64_t alone = hash_page(at, segment, from, to);

		page.hash = hash_page(at, segment, at, at + PROFILE_PAGE);
		buf_add(pages, &page, sizeof(page));
		if (page.hash == alone)
			continue;
		page.hash = alone;
		buf_add(pages, &page, sizeof(page));
	}
}

void code_pages(struct buf *pages, Elf *elf, uint32_t object)
{
	struct code_segment segment = {0};
	GElf_Phdr header;
	size_t n;

	segment.file = elf_rawfile(elf, &segment.size);
	if (!segment.file || elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &header); i++) {
		if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
		    header.p_offset > segment.size ||
		    header.p_filesz > segment.size - header.p_offset ||
		    header.p_vaddr + header.p_filesz < header.p_vaddr)
			continue;
		segment.start = header.p_vaddr;
		segment.end = header.p_vaddr + header.p_filesz;
		segment.offset = header.p_offset - header.p_vaddr;
		add_segment_pages(pages, object, &segment);
	}
}
