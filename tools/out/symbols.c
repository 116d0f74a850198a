// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols.c - see symbols.h. Which symbols count, and which of several at one address, is as perf
 * has it, so that both name the same: functions, and labels of assembly in sections of text.
 */
#include "tools/out/symbols.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/buf.h"
#include "tools/util/demangle.h"

struct entry {
	struct symbol symbol; /* first: symbols_find() gives it away */
	unsigned rank;        /* of symbols at one address the lowest stays */
	bool is_own;          /* the name is the entry's, and no longer the file's */
};

struct symbols {
	int fd;
	Elf *elf;
	Dwarf *dwarf;     /* NULL: no debug information */
	struct buf table; /* struct entry, by address */
};

static size_t count_symbols(const struct symbols *symbols)
{
	return symbols->table.size / sizeof(struct entry);
}

static struct entry *symbol_entries(const struct symbols *symbols)
{
	return (struct entry *)(void *)symbols->table.data;
}

static bool is_function(const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* The name has to say so: code of workloads lies in a section of its own. */
static bool is_text_section(Elf *elf, size_t names, size_t index)
{
	GElf_Shdr header;
	const char *name;

	if (!gelf_getshdr(elf_getscn(elf, index), &header) || !(header.sh_flags & SHF_EXECINSTR))
		return false;
	name = elf_strptr(elf, names, header.sh_name);
	return name && strstr(name, "text");
}

static bool is_label(Elf *elf, size_t names, const GElf_Sym *sym)
{
	unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && sym->st_shndx != SHN_UNDEF &&
	       sym->st_shndx < SHN_LORESERVE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL && is_text_section(elf, names, sym->st_shndx);
}

/* Sized before unsized, global before local, without underscores before with. */
static unsigned symbol_rank(const GElf_Sym *sym, const char *name)
{
	unsigned rank = sym->st_size ? 0 : 100;

	rank += GELF_ST_BIND(sym->st_info) == STB_WEAK ? 20 : 0;
	rank += GELF_ST_BIND(sym->st_info) == STB_GLOBAL ? 0 : 10;
	while (*name++ == '_' && rank % 10 < 9)
		rank++;
	return rank;
}

static void read_table(struct symbols *symbols, Elf_Scn *section, const GElf_Shdr *header,
		       size_t section_names)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; data && i < n && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = elf_strptr(symbols->elf, header->sh_link, sym.st_name);
		struct entry entry;

		if (!name || !*name ||
		    (!is_function(&sym) && !is_label(symbols->elf, section_names, &sym)))
			continue;
		entry = (struct entry){
			.symbol = {name, sym.st_value, sym.st_value + sym.st_size},
			.rank = symbol_rank(&sym, name),
		};
		buf_add(&symbols->table, &entry, sizeof(entry));
	}
}

static int compare_symbols(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->symbol.start != y->symbol.start)
		return x->symbol.start < y->symbol.start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->symbol.name, y->symbol.name);
}

/* By address, one for each; what has no size reaches to the next. */
static void order_symbols(struct symbols *symbols)
{
	struct entry *entry = symbol_entries(symbols);
	size_t n = count_symbols(symbols), kept = 0;

	if (n)
		qsort(entry, n, sizeof(*entry), compare_symbols);
	for (size_t i = 0; i < n; i++)
		if (!kept || entry[kept - 1].symbol.start != entry[i].symbol.start)
			entry[kept++] = entry[i];
	symbols->table.size = kept * sizeof(*entry);
	for (size_t i = 0; i + 1 < kept; i++)
		if (entry[i].symbol.end == entry[i].symbol.start)
			entry[i].symbol.end = entry[i + 1].symbol.start;
}

/* A stripped library has those alone that it exports. Returns how many there are. */
static size_t read_tables(struct symbols *symbols, unsigned type, size_t section_names)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(symbols->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == type)
			read_table(symbols, section, &header, section_names);
	}
	return count_symbols(symbols);
}

static int read_elf(struct symbols *symbols, const char *path, struct reason *why)
{
	size_t names;

	elf_version(EV_CURRENT);
	symbols->elf = elf_begin(symbols->fd, ELF_C_READ_MMAP, NULL);
	if (!symbols->elf || elf_kind(symbols->elf) != ELF_K_ELF ||
	    elf_getshdrstrndx(symbols->elf, &names))
		return refuse(why, ENOEXEC, "%s: not an ELF file", path);
	if (!read_tables(symbols, SHT_SYMTAB, names))
		read_tables(symbols, SHT_DYNSYM, names);
	order_symbols(symbols);
	symbols->dwarf = dwarf_begin_elf(symbols->elf, DWARF_C_READ, NULL);
	return 0;
}

struct symbols *symbols_open(const char *path, struct reason *why)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols) {
		refuse(why, ENOMEM, "out of memory");
		return NULL;
	}
	symbols->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (symbols->fd < 0) {
		refuse(why, errno, "%s: %s", path, strerror(errno));
		symbols_close(symbols);
		return NULL;
	}
	if (read_elf(symbols, path, why)) {
		symbols_close(symbols);
		return NULL;
	}
	return symbols;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	dwarf_end(symbols->dwarf);
	elf_end(symbols->elf);
	if (symbols->fd >= 0)
		close(symbols->fd);
	for (size_t i = 0; i < count_symbols(symbols); i++)
		if (symbol_entries(symbols)[i].is_own)
			free((char *)(uintptr_t)symbol_entries(symbols)[i].symbol.name);
	buf_free(&symbols->table);
	free(symbols);
}

/* Of the many that a library has, those alone that are asked for. */
static void make_plain(struct entry *entry)
{
	const char *plain = entry->is_own ? entry->symbol.name : demangle(entry->symbol.name);
	char *own = plain != entry->symbol.name ? strdup(plain) : NULL;

	if (!own)
		return;
	entry->symbol.name = own;
	entry->is_own = true;
}

const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols ? count_symbols(symbols) : 0;
	struct entry *entry;

	/* The last that starts at or below the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbol_entries(symbols)[middle].symbol.start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	entry = &symbol_entries(symbols)[low - 1];
	if (address >= entry->symbol.end)
		return NULL;
	make_plain(entry);
	return &entry->symbol;
}

unsigned symbols_line(const struct symbols *symbols, uint64_t address, const char **file)
{
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number = 0;

	*file = NULL;
	if (!symbols || !symbols->dwarf || !dwarf_addrdie(symbols->dwarf, address, &unit))
		return 0;
	line = dwarf_getsrc_die(&unit, address);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return 0;
	*file = dwarf_linesrc(line, NULL, NULL);
	return *file ? (unsigned)number : 0;
}
