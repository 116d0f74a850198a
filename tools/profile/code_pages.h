/* SPDX-License-Identifier: BSD-2-Clause */
/* code_pages.h - the executable parts of an ELF file: its pages, as they lie in memory. */
#ifndef TOOLS_PROFILE_CODE_PAGES_H
#define TOOLS_PROFILE_CODE_PAGES_H

#include <libelf.h>
#include <stdint.h>

#include "tools/util/buf.h"

/* code_sections() - appends the executable sections as struct code_section, sorted by address. */
struct code_section {
	uint64_t start, end;
};
void code_sections(struct buf *sections, Elf *elf);

/* code_section_end() - returns the end of the section that contains `address`; 0: none does. */
uint64_t code_section_end(const struct buf *sections, uint64_t address);

/*
 * code_pages() - appends a struct profile_page with the number `object` for each page of the
 * executable segments. Where a segment does not fill its first or last page, two are appended: one
 * with the bytes that lie there in the file, as mmap() shows them, and one with zeroes.
 */
void code_pages(struct buf *pages, Elf *elf, uint32_t object);

#endif
