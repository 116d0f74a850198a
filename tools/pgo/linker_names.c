// SPDX-License-Identifier: BSD-2-Clause
/* linker_names.c - see linker_names.h. */
#include "tools/pgo/linker_names.h"

#include <Zydis/Zydis.h>
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/buf.h"
#include "tools/util/index.h"
#include "tools/util/memory.h"

/* --- Symbols --- */

/* A symbol of the program's memory. */
struct memory_symbol {
	uint64_t start, end;
	const char *name;
	size_t number; /* in the table */
	bool is_function, is_global;
};

struct symbol_table {
	Elf *elf;
	Elf_Data *data;
	GElf_Shdr header;
	size_t n;
};

static bool find_symbol_table(struct symbol_table *table, Elf *elf)
{
	Elf_Scn *section = NULL;

	*table = (struct symbol_table){.elf = elf};
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &table->header) && table->header.sh_type == SHT_SYMTAB &&
		    table->header.sh_entsize) {
			table->data = elf_getdata(section, NULL);
			table->n = table->header.sh_size / table->header.sh_entsize;
			return table->data != NULL;
		}
	return false;
}

static bool is_in_memory(Elf *elf, const GElf_Sym *symbol)
{
	GElf_Shdr header;
	Elf_Scn *section;

	if (symbol->st_shndx == SHN_ABS)
		return true;
	section = elf_getscn(elf, symbol->st_shndx);
	return symbol->st_shndx != SHN_UNDEF && section && gelf_getshdr(section, &header) &&
	       (header.sh_flags & SHF_ALLOC);
}

static void add_memory_symbol(struct buf *symbols, const struct symbol_table *table, size_t i)
{
	struct memory_symbol one = {.number = i};
	GElf_Sym symbol;
	unsigned type;

	if (!gelf_getsym(table->data, (int)i, &symbol) || !symbol.st_value)
		return;
	type = GELF_ST_TYPE(symbol.st_info);
	if (type == STT_FILE || type == STT_SECTION || !is_in_memory(table->elf, &symbol))
		return;
	one.name = elf_strptr(table->elf, table->header.sh_link, symbol.st_name);
	one.start = symbol.st_value;
	one.end = symbol.st_value + symbol.st_size;
	one.is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
	one.is_global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
	if (one.name && *one.name)
		buf_add(symbols, &one, sizeof(one));
}

/* The order in which BOLT numbers equal names: by address, functions first, then as in the table.
 */
static int compare_memory_symbols(const void *a, const void *b)
{
	const struct memory_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->is_function != y->is_function)
		return x->is_function ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Returns how many local symbols with this name there are so far. */
static unsigned number_local(struct index *names, struct buf *counts, const char *name)
{
	size_t i = index_find_text(names, name);
	unsigned *count;

	if (i == INDEX_NONE) {
		i = counts->size / sizeof(unsigned);
		index_add_text(names, name, i);
		buf_extend(counts, sizeof(unsigned));
	}
	count = (unsigned *)(void *)counts->data + i;
	return ++*count;
}

static void add_function_symbol(struct buf *functions, const struct memory_symbol *symbol,
				unsigned local)
{
	struct pgo_function *last = (void *)(functions->data + functions->size);

	if (functions->size && symbol->start < last[-1].end) {
		if (symbol->start == last[-1].start && symbol->end > last[-1].end)
			last[-1].end = symbol->end;
		return;
	}
	buf_add(functions, &(struct pgo_function){symbol->start, symbol->end, symbol->name, local},
		sizeof(struct pgo_function));
}

static void make_functions(struct pgo_functions *functions, const struct buf *symbols)
{
	const struct memory_symbol *symbol = (const void *)symbols->data;
	struct buf made = {0}, counts = {0};
	struct index names = {0};

	for (size_t i = 0; i < symbols->size / sizeof(*symbol); i++) {
		const unsigned local =
			symbol[i].is_global ? 0 : number_local(&names, &counts, symbol[i].name);

		if (symbol[i].is_function && symbol[i].end > symbol[i].start)
			add_function_symbol(&made, &symbol[i], local);
	}
	index_free(&names);
	buf_free(&counts);
	functions->function = (void *)made.data;
	functions->n = made.size / sizeof(struct pgo_function);
}

int functions_read(struct pgo_functions *functions, const char *path, struct reason *why)
{
	struct symbol_table table;
	struct buf symbols = {0};
	int err;

	*functions = (struct pgo_functions){0};
	err = elf_file_open(&functions->file, path, why);
	if (err)
		return err;
	if (!find_symbol_table(&table, functions->file.elf))
		return refuse(why, ENODATA,
			      "%s has no symbol table: optimizers know functions by name", path);
	for (size_t i = 0; i < table.n; i++)
		add_memory_symbol(&symbols, &table, i);
	if (symbols.size)
		qsort(symbols.data, symbols.size / sizeof(struct memory_symbol),
		      sizeof(struct memory_symbol), compare_memory_symbols);
	make_functions(functions, &symbols);
	buf_free(&symbols);
	return 0;
}

void functions_free(struct pgo_functions *functions)
{
	free(functions->function);
	if (functions->file.elf)
		elf_file_close(&functions->file);
	*functions = (struct pgo_functions){0};
}

const struct pgo_function *functions_find(const struct pgo_functions *functions, uint64_t address)
{
	size_t low = 0, high = functions->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (functions->function[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < functions->n && functions->function[low].start <= address
		       ? &functions->function[low]
		       : NULL;
}

/* --- Code --- */

/* Returns the bytes of the function; NULL: the file lacks them. */
static const uint8_t *code_of(Elf *elf, const struct pgo_function *function)
{
	GElf_Phdr header;
	size_t size, n;
	const char *file = elf_rawfile(elf, &size);

	if (!file || elf_getphdrnum(elf, &n))
		return NULL;
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &header); i++) {
		const uint64_t at = function->start - header.p_vaddr;

		if (header.p_type == PT_LOAD && header.p_offset <= size &&
		    header.p_filesz <= size - header.p_offset && at < header.p_filesz &&
		    function->end - function->start <= header.p_filesz - at)
			return (const uint8_t *)file + header.p_offset + at;
	}
	return NULL;
}

uint64_t functions_code_base(const struct pgo_functions *functions, uint64_t *offset)
{
	GElf_Phdr header;
	size_t n;

	*offset = 0;
	if (elf_getphdrnum(functions->file.elf, &n))
		return 0;
	for (size_t i = 0; i < n && gelf_getphdr(functions->file.elf, (int)i, &header); i++)
		if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
			*offset = header.p_offset;
			return header.p_vaddr;
		}
	return 0;
}

static bool is_jump(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_COND_BR ||
	       insn->meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

void functions_jump_targets(const struct pgo_functions *functions,
			    const struct pgo_function *function,
			    void (*fn)(void *ctx, uint64_t target), void *ctx)
{
	const uint8_t *code = code_of(functions->file.elf, function);
	uint64_t at = function->start;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	ZyanU64 target;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (code && at < function->end &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + (at - function->start),
						   function->end - at, &insn, operand))) {
		if (is_jump(&insn) && operand[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
		    ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&insn, &operand[0], at, &target)) &&
		    target > function->start && target < function->end)
			fn(ctx, target);
		at += insn.length;
	}
}
