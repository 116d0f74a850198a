// SPDX-License-Identifier: BSD-2-Clause
/* profile_lines.c - see profile_lines.h. */
#include "tools/profile/profile_lines.h"

#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

static struct source_place find_source(struct profile_lines *lines, const struct code_map *map,
				       const struct code_object *object, uint64_t address)
{
	const size_t i = object ? (size_t)(object - map->object) : 0;

	if (!object)
		return (struct source_place){0};
	if (!lines->reader[i])
		lines->reader[i] = inlined_open(object->symbols);
	return inlined_find(lines->reader[i], address);
}

static void find_sources(struct profile_lines *lines, const struct profile *p,
			 const struct code_map *map)
{
	for (size_t i = 0; i < p->nrows; i++)
		lines->of_row[i] = find_source(lines, map, p->row[i].object, p->row[i].address);
	for (size_t i = 0; i < p->ncalls; i++)
		lines->of_call[i] = find_source(lines, map, p->call[i].object, p->call[i].address);
	for (size_t i = 0; i < p->nplaces; i++)
		lines->of_place[i] =
			find_source(lines, map, p->place[i].object, p->place[i].address);
}

static int compare_lines(const void *a, const void *b)
{
	const struct profile_line *x = a, *y = b;
	int order;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	order = strcmp(x->at.file ? x->at.file : "", y->at.file ? y->at.file : "");
	if (order)
		return order;
	if (x->at.line != y->at.line)
		return x->at.line < y->at.line ? -1 : 1;
	return (x->at.inlined > y->at.inlined) - (x->at.inlined < y->at.inlined);
}

static void sum_lines(struct profile_lines *lines, const struct profile *p)
{
	lines->line = memory_checked(calloc(p->nplaces + 1, sizeof(*lines->line)));
	for (size_t i = 0; i < p->nplaces; i++)
		lines->line[i] = (struct profile_line){p->place[i].row, lines->of_place[i],
						       p->place[i].self};
	qsort(lines->line, p->nplaces, sizeof(*lines->line), compare_lines);
	for (size_t i = 0; i < p->nplaces; i++) {
		if (lines->n && !compare_lines(&lines->line[lines->n - 1], &lines->line[i]))
			profile_add(&lines->line[lines->n - 1].self, &lines->line[i].self);
		else
			lines->line[lines->n++] = lines->line[i];
	}
}

void profile_lines_read(struct profile_lines *lines, const struct profile *profile,
			const struct code_map *map)
{
	*lines = (struct profile_lines){.nreaders = map->n};
	lines->reader = memory_checked(calloc(map->n + 1, sizeof(*lines->reader)));
	lines->of_row = memory_checked(calloc(profile->nrows + 1, sizeof(*lines->of_row)));
	lines->of_call = memory_checked(calloc(profile->ncalls + 1, sizeof(*lines->of_call)));
	lines->of_place = memory_checked(calloc(profile->nplaces + 1, sizeof(*lines->of_place)));
	find_sources(lines, profile, map);
	sum_lines(lines, profile);
}

void profile_lines_free(struct profile_lines *lines)
{
	for (size_t i = 0; i < lines->nreaders; i++)
		if (lines->reader[i])
			inlined_close(lines->reader[i]);
	free(lines->reader);
	free(lines->of_row);
	free(lines->of_call);
	free(lines->of_place);
	free(lines->line);
	*lines = (struct profile_lines){0};
}
