// SPDX-License-Identifier: BSD-2-Clause
/* inlined.c - see inlined.h. DWARF 5, section 3.3.8 has the entries of inlined functions. */
#include "tools/symbols/inlined.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/symbols/demangle.h"
#include "tools/util/buf.h"
#include "tools/util/memory.h"

#define DEPTH_MOST    256    /* nested entries */
#define DISCRIMINATOR 0x2136 /* DW_AT_GNU_discriminator, which dwarf.h of elfutils lacks */
#define NONE          UINT32_MAX

/* Addresses [low, high) of an inlined function; ranges are nested or disjoint. */
struct inlined_range {
	uint64_t low, high;
	const struct inlined *inlined;
	uint32_t depth; /* an inner range has a greater one */
	uint32_t outer; /* index of the innermost range around it; NONE: there is none */
};

struct inlined_unit {
	Dwarf_Die die;
	bool is_read;
	struct buf ranges; /* struct inlined_range, sorted by address, outer ones first */
};

struct unit_range {
	uint64_t low, high;
	uint32_t unit;
};

struct inlined_reader {
	struct inlined_unit *unit;
	size_t nunits;
	struct buf ranges; /* struct unit_range, sorted by address */
	struct buf owned;  /* void *: inlined functions and their names */
};

/* --- Compilation units --- */

static void add_unit(struct inlined_reader *reader, const Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	reader->unit = memory_grow(reader->unit, reader->nunits, sizeof(*reader->unit));
	reader->unit[reader->nunits].die = *die;
	while ((at = dwarf_ranges(&reader->unit[reader->nunits].die, at, &base, &low, &high)) > 0)
		if (low < high)
			buf_add(&reader->ranges,
				&(struct unit_range){low, high, (uint32_t)reader->nunits},
				sizeof(struct unit_range));
	reader->nunits++;
}

static int compare_unit_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

static void read_units(struct inlined_reader *reader, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL))
		if (type == DW_UT_compile)
			add_unit(reader, &die);
	if (reader->ranges.size)
		qsort(reader->ranges.data, reader->ranges.size / sizeof(struct unit_range),
		      sizeof(struct unit_range), compare_unit_ranges);
}

static struct inlined_unit *unit_at(const struct inlined_reader *reader, uint64_t address)
{
	const struct unit_range *range = (const void *)reader->ranges.data;
	size_t low = 0, high = reader->ranges.size / sizeof(*range);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (range[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < range[low - 1].high ? &reader->unit[range[low - 1].unit] : NULL;
}

/* --- Inlined functions of a unit --- */

static void *keep_owned(struct inlined_reader *reader, void *owned)
{
	buf_add(&reader->owned, &owned, sizeof(owned));
	return owned;
}

static const char *function_name(struct inlined_reader *reader, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL, *linkage = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		linkage = dwarf_formstring(&attr);
	name = linkage ? demangle(linkage) : dwarf_diename(die);
	return name ? keep_owned(reader, copy_text(name, strlen(name))) : "[inlined]";
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : dwarf_diename(die);
}

static unsigned attribute_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? (unsigned)value
									       : 0;
}

static const char *file_of_call(Dwarf_Die *unit, Dwarf_Die *die)
{
	const unsigned number = attribute_number(die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t n;

	return number && !dwarf_getsrcfiles(unit, &files, &n) && number < n
		       ? dwarf_filesrc(files, number, NULL, NULL)
		       : NULL;
}

static const struct inlined *add_inlined(struct inlined_reader *reader, struct inlined_unit *unit,
					 Dwarf_Die *die, const struct inlined *outer,
					 uint32_t depth)
{
	struct inlined *one = keep_owned(reader, memory_checked(calloc(1, sizeof(*one))));
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	int declared = 0;

	dwarf_decl_line(die, &declared);
	*one = (struct inlined){
		.name = function_name(reader, die),
		.linkage = linkage_name(die),
		.declared = declared > 0 ? (unsigned)declared : 0,
		.file = file_of_call(&unit->die, die),
		.line = attribute_number(die, DW_AT_call_line),
		.discriminator = attribute_number(die, DISCRIMINATOR),
		.outer = outer,
	};
	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (low < high)
			buf_add(&unit->ranges,
				&(struct inlined_range){
					.low = low, .high = high, .inlined = one, .depth = depth},
				sizeof(struct inlined_range));
	return one;
}

/* Code is in functions, and they are in units and name spaces. */
static bool may_contain_code(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_inlined_subroutine:
		return true;
	case DW_TAG_subprogram:
		return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
	default:
		return false;
	}
}

static void read_children(struct inlined_reader *reader, struct inlined_unit *unit, Dwarf_Die *die,
			  const struct inlined *outer, uint32_t depth)
{
	Dwarf_Die child;

	if (depth == DEPTH_MOST || dwarf_child(die, &child))
		return;
	do {
		const struct inlined *inner = outer;

		if (!may_contain_code(&child))
			continue;
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine)
			inner = add_inlined(reader, unit, &child, outer, depth);
		read_children(reader, unit, &child, inner, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static int compare_inlined_ranges(const void *a, const void *b)
{
	const struct inlined_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Sorts the ranges, and finds the range around each one. */
static void nest_ranges(struct buf *ranges)
{
	struct inlined_range *range = (void *)ranges->data;
	const size_t n = ranges->size / sizeof(*range);
	uint32_t open = NONE;

	if (n)
		qsort(range, n, sizeof(*range), compare_inlined_ranges);
	for (uint32_t i = 0; i < n; i++) {
		while (open != NONE && range[open].high <= range[i].low)
			open = range[open].outer;
		range[i].outer = open;
		open = i;
	}
}

static void read_unit(struct inlined_reader *reader, struct inlined_unit *unit)
{
	unit->is_read = true;
	read_children(reader, unit, &unit->die, NULL, 0);
	nest_ranges(&unit->ranges);
}

/* Finds the innermost range around the address. */
static const struct inlined *inlined_at(const struct inlined_unit *unit, uint64_t address)
{
	const struct inlined_range *range = (const void *)unit->ranges.data;
	size_t low = 0, high = unit->ranges.size / sizeof(*range);
	uint32_t at;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (range[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	at = low ? (uint32_t)low - 1 : NONE;
	while (at != NONE && range[at].high <= address)
		at = range[at].outer;
	return at == NONE ? NULL : range[at].inlined;
}

/* --- The reader --- */

struct inlined_reader *inlined_open(const struct symbols *symbols)
{
	struct inlined_reader *reader = memory_checked(calloc(1, sizeof(*reader)));

	if (symbols && symbols_dwarf(symbols))
		read_units(reader, symbols_dwarf(symbols));
	return reader;
}

struct source_place inlined_find(struct inlined_reader *reader, uint64_t address)
{
	struct inlined_unit *unit = unit_at(reader, address);
	struct source_place place = {0};
	Dwarf_Line *line;
	int number = 0;

	if (!unit)
		return place;
	if (!unit->is_read)
		read_unit(reader, unit);
	place.inlined = inlined_at(unit, address);
	line = dwarf_getsrc_die(&unit->die, address);
	if (line && !dwarf_lineno(line, &number) && number > 0) {
		place.file = dwarf_linesrc(line, NULL, NULL);
		place.line = place.file ? (unsigned)number : 0;
		dwarf_linediscriminator(line, &place.discriminator);
	}
	return place;
}

bool inlined_unit(const struct inlined_reader *reader, uint64_t address, Dwarf_Die *die)
{
	const struct inlined_unit *unit = unit_at(reader, address);

	if (unit)
		*die = unit->die;
	return unit;
}

void inlined_close(struct inlined_reader *reader)
{
	void **owned = (void *)reader->owned.data;

	for (size_t i = 0; i < reader->owned.size / sizeof(*owned); i++)
		free(owned[i]);
	for (size_t i = 0; i < reader->nunits; i++)
		buf_free(&reader->unit[i].ranges);
	free(reader->unit);
	buf_free(&reader->ranges);
	buf_free(&reader->owned);
	free(reader);
}
