// SPDX-License-Identifier: BSD-2-Clause
/* mapped_files.c - see mapped_files.h. */
#include "tools/out/mapped_files.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tools/stream/stream_record.h"
#include "tools/util/memory.h"

static bool is_mapped_file(const struct mapped_file *file, const struct record_map *map)
{
	return file->build_id_size == map->build_id_size &&
	       !memcmp(file->build_id, map->build_id, map->build_id_size) &&
	       !strcmp(file->path, map->path);
}

static bool is_of_image(const struct record_map *map, const struct elf_image *elf)
{
	return elf && map->build_id_size == elf->build_id_size &&
	       !memcmp(map->build_id, elf->build_id, elf->build_id_size);
}

static void add_mapped_file(struct mapped *mapped, const struct record_map *map)
{
	struct mapped_file *file;

	mapped->file = memory_grow(mapped->file, mapped->n, sizeof(*mapped->file));
	file = &mapped->file[mapped->n++];
	file->path = copy_text(map->path, strlen(map->path));
	file->build_id_size = map->build_id_size;
	memcpy(file->build_id, map->build_id, map->build_id_size);
}

void mapped_record(struct mapped *mapped, const struct perf_event_header *record,
		   const struct elf_image *elf)
{
	struct record_map map;
	uint64_t path, id;
	size_t at;

	if (record->type != PERF_RECORD_MMAP2 || !record_map(record, &map) || !map.build_id ||
	    !map.build_id_size || !map.path || strlen(map.path) >= PATH_MAX ||
	    is_of_image(&map, elf))
		return;
	path = XXH3_64bits(map.path, strlen(map.path));
	id = XXH3_64bits(map.build_id, map.build_id_size);
	at = index_find(&mapped->by_file, path, id);
	if (at != INDEX_NONE && is_mapped_file(&mapped->file[at], &map))
		return;
	index_set(&mapped->by_file, path, id, mapped->n);
	add_mapped_file(mapped, &map);
}

void mapped_free(struct mapped *mapped)
{
	for (size_t i = 0; i < mapped->n; i++)
		free(mapped->file[i].path);
	free(mapped->file);
	index_free(&mapped->by_file);
	*mapped = (struct mapped){0};
}
