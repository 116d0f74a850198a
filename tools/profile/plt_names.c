// SPDX-License-Identifier: BSD-2-Clause
/*
 * plt_names.c - see plt_names.h. An entry jumps to the address that lies in a slot of the global
 * offset table. The relocation of that slot names the function. The lazy form for indirect branch
 * tracking pushes the number of its relocation instead.
 */
#include "tools/profile/plt_names.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/symbols/elf_file.h"
#include "tools/util/buf.h"

/* A slot of the global offset table. */
struct plt_slot {
	uint64_t at;
	const char *name;
};

struct plt {
	struct buf slots; /* struct plt_slot, sorted by address */
	struct buf lazy; /* const char *: the functions of .rela.plt, in their order; may be NULL */
};

/* --- Relocations --- */

static const char *irelative_name(const struct symbols *symbols, const GElf_Rela *rela)
{
	const struct symbol *found = symbols_find(symbols, (uint64_t)rela->r_addend);

	return found ? found->name : NULL;
}

static const char *dynamic_name(Elf *elf, Elf_Scn *table, const GElf_Rela *rela)
{
	GElf_Shdr header;
	GElf_Sym sym;
	Elf_Data *data = elf_getdata(table, NULL);

	if (!data || !gelf_getshdr(table, &header) ||
	    !gelf_getsym(data, (int)GELF_R_SYM(rela->r_info), &sym))
		return NULL;
	return elf_strptr(elf, header.sh_link, sym.st_name);
}

static const char *slot_name(Elf *elf, Elf_Scn *table, const GElf_Rela *rela,
			     const struct symbols *symbols)
{
	const char *name = NULL;

	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_IRELATIVE:
		name = irelative_name(symbols, rela);
		break;
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
		name = dynamic_name(elf, table, rela);
		break;
	}
	return name && *name ? name : NULL;
}

static void read_slots(struct plt *plt, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
		       const struct symbols *symbols, bool is_lazy)
{
	Elf_Scn *table = elf_getscn(elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela rela;

	for (int i = 0; data && gelf_getrela(data, i, &rela); i++) {
		const char *name = slot_name(elf, table, &rela, symbols);

		if (is_lazy)
			buf_add(&plt->lazy, &name, sizeof(name));
		if (name)
			buf_add(&plt->slots, &(struct plt_slot){rela.r_offset, name},
				sizeof(struct plt_slot));
	}
}

static int compare_plt_slots(const void *a, const void *b)
{
	const struct plt_slot *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void read_relocations(struct plt *plt, Elf *elf, const struct symbols *symbols)
{
	const Elf_Scn *lazy = elf_file_section(elf, ".rela.plt");
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    (header.sh_flags & SHF_ALLOC))
			read_slots(plt, elf, section, &header, symbols, section == lazy);
	if (plt->slots.size)
		qsort(plt->slots.data, plt->slots.size / sizeof(struct plt_slot),
		      sizeof(struct plt_slot), compare_plt_slots);
}

/* --- Entries --- */

static const char *name_of_slot(const struct plt *plt, uint64_t at)
{
	const struct plt_slot key = {.at = at};
	const struct plt_slot *found =
		plt->slots.size ? bsearch(&key, plt->slots.data, plt->slots.size / sizeof(key),
					  sizeof(key), compare_plt_slots)
				: NULL;

	return found ? found->name : NULL;
}

static uint32_t read_operand(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Finds `jmp *SLOT(%rip)`, or else `push $NUMBER`. */
static const char *entry_name(const struct plt *plt, const uint8_t *code, size_t n,
			      uint64_t address)
{
	const char *const *lazy = (const void *)plt->lazy.data;
	const char *name = NULL;

	for (size_t i = 0; i + 6 <= n && !name; i++)
		if (code[i] == 0xff && code[i + 1] == 0x25)
			name = name_of_slot(plt,
					    address + i + 6 +
						    (uint64_t)(int32_t)read_operand(code + i + 2));
	for (size_t i = 0; i + 5 <= n && !name && (!i || i == 4); i += 4)
		if (code[i] == 0x68 && read_operand(code + i + 1) < plt->lazy.size / sizeof(*lazy))
			name = lazy[read_operand(code + i + 1)];
	return name;
}

/* Returns the bytes of an entry. Linkers leave them out of static programs, and align entries. */
static size_t entry_bytes(const GElf_Shdr *header)
{
	const size_t bytes = header->sh_entsize ? header->sh_entsize : header->sh_addralign;

	return bytes < 8 || bytes > 16 ? 16 : bytes;
}

static void each_entry(const struct plt *plt, Elf *elf, const char *section_name,
		       void (*fn)(void *ctx, uint64_t start, uint64_t end, const char *name),
		       void *ctx)
{
	Elf_Scn *section = elf_file_section(elf, section_name);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Shdr header;
	size_t step;

	if (!data || !data->d_buf || !gelf_getshdr(section, &header))
		return;
	step = entry_bytes(&header);
	for (size_t at = 0; at + step <= data->d_size; at += step) {
		const char *name = entry_name(plt, (const uint8_t *)data->d_buf + at, step,
					      header.sh_addr + at);

		if (name)
			fn(ctx, header.sh_addr + at, header.sh_addr + at + step, name);
	}
}

void plt_names_each(Elf *elf, const struct symbols *symbols,
		    void (*fn)(void *ctx, uint64_t start, uint64_t end, const char *name),
		    void *ctx)
{
	static const char *const tables[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};
	struct plt plt = {0};

	read_relocations(&plt, elf, symbols);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		each_entry(&plt, elf, tables[i], fn, ctx);
	buf_free(&plt.slots);
	buf_free(&plt.lazy);
}
