// SPDX-License-Identifier: BSD-2-Clause
/* profile.c - see profile.h. */
#include "tools/top/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"
#include "tools/util/hash.h"

#define FIRST_ROOM 256

void profile_clear(struct profile *profile)
{
	free(profile->cells);
	*profile = (struct profile){0};
}

static bool is_same_cell(const struct profile_cell *cell, size_t event, const struct place *place)
{
	return cell->event == event && cell->place.address == place->address &&
	       cell->place.elf == place->elf && cell->place.kernel == place->kernel;
}

/* Returns the cell of the address, or the free cell where it belongs. A free cell always exists. */
static struct profile_cell *find_profile_cell(const struct profile *profile, size_t event,
					      const struct place *place)
{
	size_t at = hash_mix(place->address + event) & (profile->room - 1);

	while (profile->cells[at].sum.samples && !is_same_cell(&profile->cells[at], event, place))
		at = (at + 1) & (profile->room - 1);
	return &profile->cells[at];
}

static void grow_profile(struct profile *profile)
{
	struct profile old = *profile;

	profile->room = old.room ? 2 * old.room : FIRST_ROOM;
	profile->cells = memory_checked(calloc(profile->room, sizeof(*profile->cells)));
	for (size_t i = 0; i < old.room; i++)
		if (old.cells[i].sum.samples)
			*find_profile_cell(profile, old.cells[i].event, &old.cells[i].place) =
				old.cells[i];
	free(old.cells);
}

static void add_profile_sum(struct profile_sum *to, const struct profile_sum *sum)
{
	to->samples += sum->samples;
	to->weight += sum->weight;
	for (unsigned i = 0; i < CPUMASK_WORDS; i++)
		to->cpus.word[i] |= sum->cpus.word[i];
}

void profile_add(struct profile *profile, size_t event, const struct place *place, uint64_t weight,
		 uint32_t cpu)
{
	struct profile_sum one = {.samples = 1, .weight = weight};
	struct profile_cell *cell;

	if (2 * (profile->used + 1) > profile->room)
		grow_profile(profile);
	cell = find_profile_cell(profile, event, place);
	if (!cell->sum.samples) {
		*cell = (struct profile_cell){.place = *place, .event = event};
		profile->used++;
	}
	if (cpu < CPUMASK_CPUS)
		cpumask_add(&one.cpus, cpu);
	add_profile_sum(&cell->sum, &one);
}

struct profile_sum profile_total(const struct profile *profile, size_t event)
{
	struct profile_sum total = {0};

	for (size_t i = 0; i < profile->room; i++)
		if (profile->cells[i].sum.samples && profile->cells[i].event == event)
			add_profile_sum(&total, &profile->cells[i].sum);
	return total;
}

const char *profile_name(const struct place *row, char room[24])
{
	if (row->symbol)
		return row->symbol->name;
	snprintf(room, 24, "0x%" PRIx64, row->address);
	return room;
}

/* Compares places by row. The part of a function in ring 0 has a row of its own. */
static int compare_cell_places(const struct place *x, const struct place *y)
{
	uint64_t a = x->symbol ? x->symbol->start : x->address;
	uint64_t b = y->symbol ? y->symbol->start : y->address;
	int files = place_compare_files(x, y);

	if (x->kernel != y->kernel)
		return x->kernel ? 1 : -1;
	if (!x->symbol != !y->symbol)
		return x->symbol ? -1 : 1;
	return files ? files : (a > b) - (a < b);
}

static int compare_cells(const void *a, const void *b)
{
	const struct profile_cell *x = a, *y = b;
	int order = compare_cell_places(&x->place, &y->place);

	if (order)
		return order;
	return (x->place.address > y->place.address) - (x->place.address < y->place.address);
}

static int by_number(uint64_t a, uint64_t b, const struct profile_row *x,
		     const struct profile_row *y)
{
	if (a != b)
		return a > b ? -1 : 1;
	return compare_cell_places(&x->place, &y->place);
}

static int compare_weights(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;

	return by_number(x->sum.weight, y->sum.weight, x, y);
}

static int compare_samples(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;

	return by_number(x->sum.samples, y->sum.samples, x, y);
}

static int compare_row_names(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;
	char rooms[2][24];
	int order = strcmp(profile_name(&x->place, rooms[0]), profile_name(&y->place, rooms[1]));

	return order ? order : compare_cell_places(&x->place, &y->place);
}

static int (*const orders[PROFILE_SORTS])(const void *a, const void *b) = {
	[PROFILE_BY_WEIGHT] = compare_weights,
	[PROFILE_BY_SAMPLES] = compare_samples,
	[PROFILE_BY_NAME] = compare_row_names,
};

/* Collects the cells of one event in the order of rows; of `row` alone, if it is given. */
static size_t collect_cells(const struct profile *profile, size_t event, const struct place *row,
			    struct buf *cells)
{
	size_t n;

	cells->size = 0;
	for (size_t i = 0; i < profile->room; i++) {
		const struct profile_cell *cell = &profile->cells[i];

		if (cell->sum.samples && cell->event == event &&
		    (!row || !compare_cell_places(&cell->place, row)))
			buf_add(cells, cell, sizeof(*cell));
	}
	n = cells->size / sizeof(struct profile_cell);
	if (n)
		qsort(cells->data, n, sizeof(struct profile_cell), compare_cells);
	return n;
}

size_t profile_addresses(const struct profile *profile, size_t event, const struct place *row,
			 struct buf *cells)
{
	return collect_cells(profile, event, row, cells);
}

size_t profile_rows(const struct profile *profile, size_t event, enum profile_sort sort,
		    struct buf *rows)
{
	struct buf cells = {0};
	const struct profile_cell *cell;
	struct profile_row *row;
	size_t n = collect_cells(profile, event, NULL, &cells), made = 0;

	rows->size = 0;
	cell = (const void *)cells.data;
	for (size_t i = 0; i < n; i++) {
		row = (void *)rows->data;
		if (!made || compare_cell_places(&row[made - 1].place, &cell[i].place)) {
			buf_add(rows, &(struct profile_row){.place = cell[i].place}, sizeof(*row));
			row = (void *)rows->data;
			made++;
		}
		add_profile_sum(&row[made - 1].sum, &cell[i].sum);
	}
	buf_free(&cells);
	if (made)
		qsort(rows->data, made, sizeof(*row), orders[sort]);
	return made;
}
