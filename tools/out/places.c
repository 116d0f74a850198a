// SPDX-License-Identifier: BSD-2-Clause
/* places.c - see places.h. */
#include "tools/out/places.h"

#include <stdlib.h>
#include <string.h>

#include "tools/out/sideband.h"
#include "tools/symbols/perfmap.h"
#include "tools/util/memory.h"

#define COMM_SIZE 16 /* TASK_COMM_LEN, with the terminator */

/* A mapped file. */
struct program {
	char *path; /* the map's path */
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size; /* 0: the map has no build-id */
	struct elf_image elf;
	struct symbols *symbols;
	bool is_read; /* `elf` was read, and its build-id matches */
};

struct name {
	uint64_t task;
	char name[COMM_SIZE];
};

void places_init(struct places *places, const struct stream *stream,
		 const struct stream_command *command, const struct elf_image *elf)
{
	struct reason why;

	*places = (struct places){.stream = stream, .elf = elf};
	places->symbols = elf ? symbols_open(elf->path, &why) : NULL;
	sideband_workload(command, places->workload, sizeof(places->workload));
}

static struct program **programs_of(const struct places *places, size_t *n)
{
	*n = places->programs.size / sizeof(struct program *);
	return (void *)places->programs.data;
}

void places_free(struct places *places)
{
	size_t n;
	struct program **programs = programs_of(places, &n);

	for (size_t i = 0; i < n; i++) {
		symbols_close(programs[i]->symbols);
		free(programs[i]->path);
		free(programs[i]);
	}
	symbols_close(places->symbols);
	buf_free(&places->programs);
	index_free(&places->by_program);
	maps_free(&places->maps);
	buf_free(&places->names);
	index_free(&places->by_task);
}

static bool is_id(const struct record_map *map, const uint8_t *build_id, size_t size)
{
	return (map->build_id ? map->build_id_size : 0) == size &&
	       (!size || !memcmp(map->build_id, build_id, size));
}

/*
 * Reads the program's file if its build-id matches the map's. Without a build-id a file cannot be
 * recognised.
 */
static void read_program(struct program *program, const struct record_map *map)
{
	struct reason why;

	if (*program->path != '/' || elf_image_read(&program->elf, program->path, &why) ||
	    !is_id(map, program->elf.build_id, program->elf.build_id_size))
		return;
	program->is_read = true;
	program->symbols = symbols_open(program->elf.path, &why);
}

/* Returns a hash of path and build-id. Files with equal keys are compared in full. */
static uint64_t place_key(const char *path, const struct record_map *map)
{
	const uint64_t prime = 0x100000001b3; /* FNV-1a */
	uint64_t key = 0xcbf29ce484222325;

	for (; *path; path++)
		key = (key ^ (uint8_t)*path) * prime;
	for (size_t i = 0; map->build_id && i < map->build_id_size; i++)
		key = (key ^ map->build_id[i]) * prime;
	return key;
}

static struct program *new_program(const char *path, const struct record_map *map)
{
	struct program *program = memory_checked(calloc(1, sizeof(*program)));

	program->path = copy_text(path, strlen(path));
	if (map->build_id) {
		program->build_id_size = map->build_id_size;
		memcpy(program->build_id, map->build_id, map->build_id_size);
	}
	read_program(program, map);
	return program;
}

static const struct program *find_program(struct places *places, const struct record_map *map)
{
	const char *path = map->path ? map->path : "";
	const uint64_t key = place_key(path, map);
	size_t n, at = index_find(&places->by_program, key, 0);
	struct program **programs = programs_of(places, &n), *program;

	if (at != INDEX_NONE && !strcmp(programs[at]->path, path) &&
	    is_id(map, programs[at]->build_id, programs[at]->build_id_size))
		return programs[at];
	program = new_program(path, map);
	index_set(&places->by_program, key, 0, n);
	buf_add(&places->programs, &program, sizeof(program));
	return program;
}

static bool is_image(const struct places *places, const struct record_map *map)
{
	const struct elf_image *elf = places->elf;

	return elf && map->build_id && is_id(map, elf->build_id, elf->build_id_size);
}

static void take_map(struct places *places, const struct perf_event_header *record)
{
	struct record_map map;
	struct map_range ours;

	if (!record_map(record, &map) || !map.len)
		return;
	ours = (struct map_range){
		.pid = map.pid,
		.start = map.addr,
		.last = map.addr + map.len - 1 >= map.addr ? map.addr + map.len - 1 : UINT64_MAX,
		.offset = map.pgoff,
		.program = is_image(places, &map) ? NULL : find_program(places, &map),
	};
	maps_add(&places->maps, &ours);
}

static void take_name(struct places *places, const struct perf_event_header *record)
{
	const size_t fixed = sizeof(*record) + 2 * sizeof(uint32_t);
	struct name name = {0}, *there;
	uint32_t ids[2];
	size_t n, at;

	if (record->size < fixed)
		return;
	memcpy(ids, record + 1, sizeof(ids));
	n = record->size - fixed < COMM_SIZE - 1 ? record->size - fixed : COMM_SIZE - 1;
	memcpy(name.name, (const char *)record + fixed, n);
	name.task = record_task(ids[0], ids[1]);
	at = index_find(&places->by_task, name.task, 0);
	if (at == INDEX_NONE) {
		index_set(&places->by_task, name.task, 0, places->names.size / sizeof(name));
		buf_add(&places->names, &name, sizeof(name));
		return;
	}
	there = (struct name *)(void *)places->names.data + at;
	*there = name;
}

void places_record(struct places *places, const struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_MMAP2)
		take_map(places, record);
	else if (record->type == PERF_RECORD_COMM)
		take_name(places, record);
}

const char *places_name(const struct places *places, uint32_t pid, uint32_t tid)
{
	const struct name *names = (const void *)places->names.data;

	size_t at = index_find(&places->by_task, record_task(pid, tid), 0);

	if (at != INDEX_NONE)
		return names[at].name;
	return pid || tid ? places->workload : SIDEBAND_IDLE;
}

static bool is_code(const struct elf_image *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nsegments; i++)
		if (vaddr - elf->segments[i].vaddr < elf->segments[i].size)
			return true;
	return false;
}

static void lie_in(struct place *place, const struct elf_image *elf, const struct symbols *symbols,
		   uint64_t vaddr)
{
	place->elf = elf;
	place->symbols = symbols;
	place->vaddr = vaddr;
	place->symbol = symbols_find(symbols, vaddr);
}

/* Finds the address in the image by the addresses in HELLO. */
static void place_by_hello(const struct places *places, struct place *place)
{
	const struct wire_hello *hello = &places->stream->hello;
	const uint64_t bases[] = {hello->user_base, hello->image_base};

	for (size_t i = 0; places->elf && i < 2 && !place->elf; i++) {
		if (!is_code(places->elf, place->address - bases[i]))
			continue;
		lie_in(place, places->elf, places->symbols, place->address - bases[i]);
		place->path = places->elf->path;
		place->offset = place->vaddr;
	}
}

static void place_by_map(const struct places *places, const struct map_range *map,
			 struct place *place)
{
	const struct program *program = map->program;
	const struct elf_image *elf = program ? &program->elf : places->elf;

	place->offset = place->address - map->start + map->offset;
	place->path = program ? program->path : elf->path;
	if (!program || program->is_read)
		lie_in(place, elf, program ? program->symbols : places->symbols,
		       elf_image_vaddr(elf, place->offset));
}

/* Finds code that no file contains. Its address is that of the process. */
static void place_by_perfmap(struct place *place, uint32_t pid)
{
	const struct symbols *map = perfmap_symbols(pid);
	const struct symbol *symbol = symbols_find(map, place->address);

	if (!symbol)
		return;
	place->symbols = map;
	place->symbol = symbol;
	place->vaddr = place->address;
}

struct place places_find(const struct places *places, uint32_t pid, uint64_t address, bool kernel)
{
	struct place place = {.address = address, .kernel = kernel};
	const struct map_range *map = kernel ? NULL : maps_find(&places->maps, pid, address);

	if (map)
		place_by_map(places, map, &place);
	else
		place_by_hello(places, &place);
	if (!place.elf && !kernel)
		place_by_perfmap(&place, pid);
	return place;
}

/*
 * Finds the caller's function by the address before the return address: a call may end its
 * function, so that the return address belongs to the next one.
 */
static struct place find_caller(const struct places *places, uint32_t pid, uint64_t address,
				bool kernel)
{
	struct place place = places_find(places, pid, address, kernel);

	if (place.symbols)
		place.symbol = symbols_find(place.symbols, place.vaddr - 1);
	return place;
}

size_t places_stack(const struct places *places, const struct sample *sample,
		    struct place out[PLACES_MAX])
{
	bool kernel = sample->kernel, is_caller = false;
	size_t n = 0;

	for (size_t i = 0; i < sample->chain.n && n < PLACES_MAX; i++) {
		uint64_t address = sample->chain.at[i];

		/* the chain of each ring begins with the interrupted address */
		if (address >= PERF_CONTEXT_MAX) {
			kernel = address == PERF_CONTEXT_KERNEL;
			is_caller = false;
			continue;
		}
		out[n++] = is_caller ? find_caller(places, sample->pid, address, kernel)
				     : places_find(places, sample->pid, address, kernel);
		is_caller = true;
	}
	if (!n)
		out[n++] = places_find(places, sample->pid, sample->ip, sample->kernel);
	return n;
}

unsigned place_line(const struct place *place, const char **file)
{
	*file = NULL;
	return place->elf ? symbols_line(place->symbols, place->vaddr, file) : 0;
}

int place_compare_files(const struct place *a, const struct place *b)
{
	if (a->elf == b->elf)
		return 0;
	if (!a->elf || !b->elf)
		return a->elf ? 1 : -1;
	return strcmp(a->elf->path, b->elf->path);
}
