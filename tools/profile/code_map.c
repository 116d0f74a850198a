// SPDX-License-Identifier: BSD-2-Clause
/* code_map.c - see code_map.h. */
#include "tools/profile/code_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/profile/code_pages.h"
#include "tools/profile/frame_starts.h"
#include "tools/profile/plt_names.h"
#include "tools/symbols/demangle.h"
#include "tools/symbols/elf_file.h"
#include "tools/util/memory.h"

/* --- The functions of a file --- */

static void take_function(void *ctx, size_t number, uint64_t start, uint64_t end)
{
	buf_add(ctx, &(struct code_symbol){.start = start, .end = end, .number = number},
		sizeof(struct code_symbol));
}

static void add_plt_entry(void *ctx, uint64_t start, uint64_t end, const char *name)
{
	struct buf text = {0};

	buf_printf(&text, "%s@plt", demangle(name));
	buf_text(&text);
	buf_add(ctx, &(struct code_symbol){.start = start, .end = end, .plt = (char *)text.data},
		sizeof(struct code_symbol));
}

/* A function without a symbol has its address for a name. */
static void add_unnamed(void *ctx, uint64_t start, uint64_t next)
{
	struct buf text = {0};

	buf_printf(&text, "[0x%llx]", (unsigned long long)start);
	buf_text(&text);
	buf_add(ctx, &(struct code_symbol){.start = start, .end = next, .plt = (char *)text.data},
		sizeof(struct code_symbol));
}

/* At one address, the entry of the procedure linkage table comes behind the symbol. */
static int compare_code_symbols(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return !!x->plt - !!y->plt;
}

/* A symbol without a size, whose end is its start, reaches to the end of its section. */
static uint64_t end_in_code(const struct code_symbol *symbol, uint64_t limit)
{
	return symbol->end == symbol->start || symbol->end > limit ? limit : symbol->end;
}

/* Sorts the functions, and makes them disjoint. Functions outside of executable code are dropped.
 */
static void order_functions(struct buf *symbols, const struct buf *sections)
{
	struct code_symbol *all = (void *)symbols->data;
	size_t n = symbols->size / sizeof(*all), kept = 0;

	if (n)
		qsort(all, n, sizeof(*all), compare_code_symbols);
	for (size_t i = 0; i < n; i++) {
		const uint64_t limit = code_section_end(sections, all[i].start);
		const bool is_covered = kept && all[i].start < all[kept - 1].end &&
					(all[i].plt || all[i].start == all[kept - 1].start);

		if (!limit || is_covered) {
			free(all[i].plt);
			continue;
		}
		if (kept && all[kept - 1].end > all[i].start)
			all[kept - 1].end = all[i].start;
		all[kept] = all[i];
		all[kept].end = end_in_code(&all[kept], limit);
		kept++;
	}
	symbols->size = kept * sizeof(*all);
}

static void read_functions(struct code_object *object, Elf *elf)
{
	struct buf sections = {0};

	code_sections(&sections, elf);
	symbols_each(object->symbols, take_function, &object->symbol);
	plt_names_each(elf, object->symbols, add_plt_entry, &object->symbol);
	frame_starts_each(elf, add_unnamed, &object->symbol);
	order_functions(&object->symbol, &sections);
	buf_free(&sections);
}

/* --- Files --- */

static bool has_path(const struct code_map *map, const char *path)
{
	for (size_t i = 0; i < map->n; i++)
		if (!strcmp(map->object[i].path, path))
			return true;
	return false;
}

static void free_object(struct code_object *object)
{
	for (size_t i = 0; i < code_object_symbols(object); i++)
		free(code_object_symbol(object, i)->plt);
	free(object->path);
	free(object->host);
	symbols_close(object->symbols);
	buf_free(&object->symbol);
	buf_free(&object->page);
}

int code_map_add(struct code_map *map, const char *path, const char *host, struct reason *why)
{
	struct code_object object = {0};
	const struct code_object *last = map->n ? &map->object[map->n - 1] : NULL;
	struct elf_file file;
	int err;

	if (has_path(map, path))
		return 0;
	err = elf_file_open(&file, host, why);
	if (err)
		return err;
	object.symbols = symbols_open(host, why);
	if (!object.symbols) {
		elf_file_close(&file);
		return -ENOEXEC;
	}
	object.path = copy_text(path, strlen(path));
	object.host = copy_text(host, strlen(host));
	object.first = last ? last->first + code_object_symbols(last) : 0;
	read_functions(&object, file.elf);
	code_pages(&object.page, file.elf, (uint32_t)map->n);
	elf_file_close(&file);
	map->object = memory_grow(map->object, map->n, sizeof(object));
	map->object[map->n++] = object;
	return 0;
}

void code_map_free(struct code_map *map)
{
	for (size_t i = 0; i < map->n; i++)
		free_object(&map->object[i]);
	free(map->object);
	*map = (struct code_map){0};
}

/* --- The profile file --- */

static int compare_code_pages(const void *a, const void *b)
{
	const struct profile_page *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static int check_room(const struct code_map *map, struct reason *why)
{
	size_t npages = 0, nsymbols = 0;

	for (size_t i = 0; i < map->n; i++) {
		npages += map->object[i].page.size / sizeof(struct profile_page);
		nsymbols += code_object_symbols(&map->object[i]);
	}
	if (map->n > PROFILE_OBJECTS_MOST)
		return refuse(why, E2BIG, "%zu programs and libraries, at most %u have profiles",
			      map->n, PROFILE_OBJECTS_MOST);
	if (npages > PROFILE_PAGES_MOST)
		return refuse(why, E2BIG,
			      "programs and libraries have %zu MiB of code, at most %u have "
			      "profiles",
			      npages >> 8, PROFILE_PAGES_MOST >> 8);
	if (nsymbols > PROFILE_SYMBOLS_MOST)
		return refuse(why, E2BIG,
			      "programs and libraries have %zu functions, at most %u have profiles",
			      nsymbols, PROFILE_SYMBOLS_MOST);
	return 0;
}

static void write_object(const struct code_object *object, struct profile_file *file)
{
	struct profile_header *header = &file->header;
	const size_t n = code_object_symbols(object);

	file->object[header->nobjects++] =
		(struct profile_object){(uint32_t)object->first, (uint32_t)n};
	for (size_t i = 0; i < n; i++) {
		const struct code_symbol *symbol = code_object_symbol(object, i);

		file->symbol[header->nsymbols++] =
			(struct profile_symbol){.start = symbol->start, .end = symbol->end};
	}
	if (object->page.size)
		memcpy(&file->page[header->npages], object->page.data, object->page.size);
	header->npages += (uint32_t)(object->page.size / sizeof(struct profile_page));
}

int code_map_write(const struct code_map *map, struct profile_file *file, struct reason *why)
{
	const int err = check_room(map, why);

	if (err)
		return err;
	for (size_t i = 0; i < map->n; i++)
		write_object(&map->object[i], file);
	qsort(file->page, file->header.npages, sizeof(file->page[0]), compare_code_pages);
	return 0;
}

/* --- Names --- */

size_t code_object_find(const struct code_object *object, uint64_t address)
{
	size_t low = 0, high = code_object_symbols(object);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (code_object_symbol(object, middle)->end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code_object_symbols(object) &&
			       code_object_symbol(object, low)->start <= address
		       ? low
		       : SIZE_MAX;
}

const char *code_symbol_name(const struct code_object *object, const struct code_symbol *symbol)
{
	return symbol->plt ? symbol->plt : symbols_name(object->symbols, symbol->number);
}
