// SPDX-License-Identifier: BSD-2-Clause
/* frame_starts.c - see frame_starts.h. */
#include "tools/profile/frame_starts.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>

#include "tools/symbols/elf_file.h"

/* DW_EH_PE_pcrel | sdata4, udata4, datarel | sdata4: what linkers write. */
static const uint8_t usual_head[] = {1, 0x1b, 0x03, 0x3b};

#define HEAD_BYTES  12 /* with the address of .eh_frame, and the number of entries */
#define ENTRY_BYTES 8  /* address of the function, address of its description */

static bool is_linkage(Elf *elf, uint64_t address)
{
	static const char *const names[] = {".plt", ".plt.sec", ".plt.got"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		Elf_Scn *section = elf_file_section(elf, names[i]);
		GElf_Shdr h;

		if (section && gelf_getshdr(section, &h) && address - h.sh_addr < h.sh_size)
			return true;
	}
	return false;
}

static uint64_t entry_start(const uint8_t *table, size_t i, uint64_t base)
{
	int32_t offset;

	memcpy(&offset, table + HEAD_BYTES + i * ENTRY_BYTES, sizeof(offset));
	return base + (uint64_t)(int64_t)offset;
}

void frame_starts_each(Elf *elf, void (*fn)(void *ctx, uint64_t start, uint64_t next), void *ctx)
{
	Elf_Scn *section = elf_file_section(elf, ".eh_frame_hdr");
	const Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	const uint8_t *table = data ? data->d_buf : NULL;
	GElf_Shdr h;
	uint32_t n;

	if (!table || data->d_size < HEAD_BYTES || !gelf_getshdr(section, &h) ||
	    memcmp(table, usual_head, sizeof(usual_head)) != 0)
		return;
	memcpy(&n, table + 8, sizeof(n));
	for (uint32_t i = 0; i < n && HEAD_BYTES + (i + 1ull) * ENTRY_BYTES <= data->d_size; i++) {
		const uint64_t start = entry_start(table, i, h.sh_addr);
		const bool is_last =
			i + 1 == n || HEAD_BYTES + (i + 2ull) * ENTRY_BYTES > data->d_size;
		const uint64_t next = is_last ? start : entry_start(table, i + 1, h.sh_addr);

		if (!is_linkage(elf, start) && next >= start)
			fn(ctx, start, next);
	}
}
