// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols.c - see symbols.h. Symbols are chosen as in perf, so that both print the same names:
 * functions, and labels of assembly in text sections. So is the one of several symbols at one
 * address.
 */
#include "tools/symbols/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/symbols/debugfile.h"
#include "tools/symbols/demangle.h"
#include "tools/symbols/elf_file.h"
#include "tools/symbols/jitdump.h"
#include "tools/symbols/minidebug.h"
#include "tools/util/buf.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

#define NAME_MOST     65536        /* bytes; no compiler makes a longer name */
#define PERFMAP_MOST  (256u << 20) /* bytes */
#define RANK_SIZELESS 100          /* of symbols without a size, and above */

struct entry {
	struct symbol symbol; /* first: symbols_find() returns its address */
	unsigned rank;        /* of symbols at one address, the lowest rank stays */
	bool is_own;          /* the entry owns the name; false: the file does */
};

/*
 * Debug information, which is read on first use: libdw unpacks all of it at once. Missing files are
 * closed.
 */
struct debug_info {
	char *path; /* of the program; NULL: there is no debug information, as of perf maps */
	struct elf_file separate, alt; /* the debug file, and the file that debug files share */
	bool is_searched;              /* `separate` is open, or there is none */
	bool is_read;
	Dwarf *dwarf, *alt_dwarf; /* NULL: no debug information */
};

struct symbols {
	struct elf_file file, mini; /* the file itself, and its symbols in xz */
	struct debug_info *debug;
	struct buf text;  /* text of a perf map */
	struct buf table; /* struct entry, sorted by address */
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

/* Recognises text sections by name, because workloads have a section of their own. */
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

/*
 * Ranks symbols with a size before those without, global before local, and names without leading
 * underscores before names with them.
 */
static unsigned symbol_rank(const GElf_Sym *sym, const char *name)
{
	unsigned rank = sym->st_size ? 0 : RANK_SIZELESS;

	rank += GELF_ST_BIND(sym->st_info) == STB_WEAK ? 20 : 0;
	rank += GELF_ST_BIND(sym->st_info) == STB_GLOBAL ? 0 : 10;
	while (*name++ == '_' && rank % 10 < 9)
		rank++;
	return rank;
}

static bool is_sizeless(const struct entry *entry)
{
	return entry->rank >= RANK_SIZELESS;
}

static void read_table(struct symbols *symbols, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
		       size_t section_names)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; data && i < n && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = elf_strptr(elf, header->sh_link, sym.st_name);
		struct entry entry;

		if (!name || !*name || strnlen(name, NAME_MOST + 1) > NAME_MOST ||
		    (!is_function(&sym) && !is_label(elf, section_names, &sym)))
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

/* Sorts by address and keeps one symbol for each. A symbol without size reaches to the next one. */
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

/* Returns whether the file has symbols. */
static bool read_tables(struct symbols *symbols, Elf *elf, unsigned type)
{
	const size_t before = symbols->table.size;
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == type)
			read_table(symbols, elf, section, &header, names);
	}
	return symbols->table.size > before;
}

static bool open_debug_file(const struct symbols *symbols)
{
	struct debug_info *debug = symbols->debug;

	if (!debug->is_searched)
		debugfile_open(&debug->separate, debug->path, symbols->file.elf);
	debug->is_searched = true;
	return debug->separate.elf;
}

/* Reads the symbols of a stripped file from its debug file, or from .gnu_debugdata and .dynsym. */
static void read_elsewhere(struct symbols *symbols)
{
	if (open_debug_file(symbols) &&
	    read_tables(symbols, symbols->debug->separate.elf, SHT_SYMTAB))
		return;
	if (minidebug_open(&symbols->mini, symbols->file.elf))
		read_tables(symbols, symbols->mini.elf, SHT_SYMTAB);
	read_tables(symbols, symbols->file.elf, SHT_DYNSYM);
}

static int read_elf(struct symbols *symbols, const char *path, struct reason *why)
{
	size_t names;
	int err = elf_file_open(&symbols->file, path, why);

	if (err)
		return err;
	if (elf_getshdrstrndx(symbols->file.elf, &names))
		return refuse(why, ENOEXEC, "%s: not an ELF file", path);
	symbols->debug->path = copy_text(path, strlen(path));
	if (!read_tables(symbols, symbols->file.elf, SHT_SYMTAB))
		read_elsewhere(symbols);
	return 0;
}

/* --- Debug information --- */

/*
 * Reads the shared file of debug information. Without that file, the debug information is not used.
 */
static bool read_alt(struct debug_info *debug, Dwarf *dwarf)
{
	const int found = debugfile_open_alt(&debug->alt, debug->path, dwarf);

	/* NULL: the shared file has strings alone */
	if (found > 0)
		debug->alt_dwarf = dwarf_begin_elf(debug->alt.elf, DWARF_C_READ, NULL);
	if (debug->alt_dwarf)
		dwarf_setalt(dwarf, debug->alt_dwarf);
	return found >= 0;
}

static void read_dwarf(struct debug_info *debug, Elf *elf)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_Off next;
	size_t header;

	if (dwarf && read_alt(debug, dwarf) &&
	    !dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL))
		debug->dwarf = dwarf;
	else
		dwarf_end(dwarf);
}

struct Dwarf *symbols_dwarf(const struct symbols *symbols)
{
	struct debug_info *debug = symbols->debug;

	if (debug->is_read || !debug->path)
		return debug->dwarf;
	debug->is_read = true;
	read_dwarf(debug, symbols->file.elf);
	if (!debug->dwarf && open_debug_file(symbols))
		read_dwarf(debug, debug->separate.elf);
	return debug->dwarf;
}

static void free_debug(struct debug_info *debug)
{
	dwarf_end(debug->dwarf);
	dwarf_end(debug->alt_dwarf);
	elf_file_close(&debug->alt);
	elf_file_close(&debug->separate);
	free(debug->path);
	free(debug);
}

/* --- Perf maps --- */

/*
 * Parses "START SIZE NAME", in hex; a name may contain blanks. If two lines have one address, the
 * later one counts.
 */
static void read_perfmap_line(struct symbols *symbols, char *line, unsigned rank)
{
	uint64_t start, size;
	int at = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &start, &size, &at) != 2 || !at ||
	    !line[at] || start + size < start || strlen(line + at) > NAME_MOST)
		return;
	buf_add(&symbols->table,
		&(struct entry){.symbol = {line + at, start, start + size}, .rank = rank},
		sizeof(struct entry));
}

/* Replaces a jitdump by the perf map that says the same. */
static int convert_jitdump(struct buf *text, const char *path, struct reason *why)
{
	struct buf map = {0};
	struct reason wrong;
	const int err = jitdump_to_perfmap(&map, text, &wrong);

	buf_free(text);
	*text = map;
	return err ? refuse(why, -err, "%s: %s", path, wrong.text) : 0;
}

static int read_perfmap(struct symbols *symbols, const char *path, struct reason *why)
{
	unsigned rank = UINT_MAX;
	struct stat st;
	char *line;
	int err;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return refuse(why, ENOENT, "%s: not a plain file", path);
	err = whole_file_read(&symbols->text, path, PERFMAP_MOST, why);
	if (err)
		return err;
	if (symbols->text.size > PERFMAP_MOST)
		return refuse(why, EFBIG, "%s: larger than %u bytes", path, PERFMAP_MOST);
	if (jitdump_is(&symbols->text))
		err = convert_jitdump(&symbols->text, path, why);
	if (err)
		return err;
	buf_text(&symbols->text);
	line = (char *)symbols->text.data;
	for (char *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		read_perfmap_line(symbols, line, rank--);
	}
	return 0;
}

/* --- ELF files and perf maps --- */

static struct symbols *open_by(int (*read)(struct symbols *symbols, const char *path,
					   struct reason *why),
			       const char *path, struct reason *why)
{
	struct symbols *symbols = memory_checked(calloc(1, sizeof(*symbols)));

	symbols->debug = memory_checked(calloc(1, sizeof(*symbols->debug)));
	if (!read(symbols, path, why)) {
		order_symbols(symbols);
		return symbols;
	}
	symbols_close(symbols);
	return NULL;
}

struct symbols *symbols_open(const char *path, struct reason *why)
{
	return open_by(read_elf, path, why);
}

struct symbols *symbols_open_perfmap(const char *path, struct reason *why)
{
	return open_by(read_perfmap, path, why);
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	free_debug(symbols->debug);
	elf_file_close(&symbols->mini);
	elf_file_close(&symbols->file);
	for (size_t i = 0; i < count_symbols(symbols); i++)
		if (symbol_entries(symbols)[i].is_own)
			free((char *)(uintptr_t)symbol_entries(symbols)[i].symbol.name);
	buf_free(&symbols->table);
	buf_free(&symbols->text);
	free(symbols);
}

/* Demangles a name on its first use, because a library has many names. */
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

	/* finds the last symbol that starts at or below the address */
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

void symbols_each(const struct symbols *symbols,
		  void (*fn)(void *ctx, size_t number, uint64_t start, uint64_t end), void *ctx)
{
	const struct entry *entry = symbol_entries(symbols);
	const size_t n = count_symbols(symbols);

	for (size_t i = 0; i < n;) {
		const uint64_t start = entry[i].symbol.start, end = entry[i].symbol.end;
		size_t next = i + 1;

		while (next < n && entry[next].symbol.start < end && is_sizeless(&entry[next]))
			next++;
		fn(ctx, i, start,
		   next < n && entry[next].symbol.start < end ? entry[next].symbol.start : end);
		i = next;
	}
}

const char *symbols_name(const struct symbols *symbols, size_t number)
{
	struct entry *entry = &symbol_entries(symbols)[number];

	make_plain(entry);
	return entry->symbol.name;
}

/*
 * Finds the compilation unit of `address`. Some compilers do not list the addresses of their units.
 */
static bool find_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	if (dwarf_addrdie(dwarf, address, unit))
		return true;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, unit, NULL))
		if (type == DW_UT_compile && dwarf_haspc(unit, address) > 0)
			return true;
	return false;
}

unsigned symbols_line(const struct symbols *symbols, uint64_t address, const char **file)
{
	Dwarf *dwarf = symbols ? symbols_dwarf(symbols) : NULL;
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number = 0;

	*file = NULL;
	if (!dwarf || !find_unit(dwarf, address, &unit))
		return 0;
	line = dwarf_getsrc_die(&unit, address);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return 0;
	*file = dwarf_linesrc(line, NULL, NULL);
	return *file ? (unsigned)number : 0;
}
