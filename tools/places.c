// SPDX-License-Identifier: BSD-2-Clause
/* places.c - see places.h. */
#include "tools/places.h"

#include <string.h>

#include "tools/sideband.h"

#define COMM_SIZE 16 /* TASK_COMM_LEN, with the terminator */

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

void places_free(struct places *places)
{
	symbols_close(places->symbols);
	maps_free(&places->maps);
	buf_free(&places->names);
	index_free(&places->by_task);
}

static void take_map(struct places *places, const struct perf_event_header *record)
{
	const struct elf_image *elf = places->elf;
	struct record_map map;
	struct map_range ours;

	if (!record_map(record, &map) || !map.len)
		return;
	ours = (struct map_range){
		.pid = map.pid,
		.start = map.addr,
		.last = map.addr + map.len - 1 >= map.addr ? map.addr + map.len - 1 : UINT64_MAX,
		.offset = map.pgoff,
		.is_image = elf && map.build_id && map.build_id_size == elf->build_id_size &&
			    !memcmp(map.build_id, elf->build_id, elf->build_id_size),
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

static uint64_t vaddr_of_offset(const struct elf_image *elf, uint64_t offset)
{
	for (size_t i = 0; i < elf->nsegments; i++)
		if (offset - elf->segments[i].offset < elf->segments[i].size)
			return offset - elf->segments[i].offset + elf->segments[i].vaddr;
	return offset;
}

static bool is_code(const struct elf_image *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nsegments; i++)
		if (vaddr - elf->segments[i].vaddr < elf->segments[i].size)
			return true;
	return false;
}

/* Where in the file the address is by HELLO. */
static bool by_hello(const struct places *places, uint64_t address, uint64_t *vaddr)
{
	*vaddr = address - places->stream->hello.user_base;
	if (is_code(places->elf, *vaddr))
		return true;
	*vaddr = address - places->stream->hello.image_base;
	return is_code(places->elf, *vaddr);
}

static bool by_maps(const struct places *places, uint32_t pid, uint64_t address, uint64_t *vaddr)
{
	const struct map_range *map = maps_find(&places->maps, pid, address);

	if (map) {
		*vaddr = vaddr_of_offset(places->elf, address - map->start + map->offset);
		return map->is_image;
	}
	return by_hello(places, address, vaddr);
}

struct place places_find(const struct places *places, uint32_t pid, uint64_t address, bool kernel)
{
	struct place place = {.address = address, .kernel = kernel};

	if (!places->elf)
		return place;
	if (kernel ? by_hello(places, address, &place.vaddr)
		   : by_maps(places, pid, address, &place.vaddr)) {
		place.elf = places->elf;
		place.symbol = symbols_find(places->symbols, place.vaddr);
	}
	return place;
}

/* The call before the address that it returns to: at the end of a function that is another one. */
static struct place find_caller(const struct places *places, uint32_t pid, uint64_t address,
				bool kernel)
{
	struct place place = places_find(places, pid, address, kernel);

	if (place.elf)
		place.symbol = symbols_find(places->symbols, place.vaddr - 1);
	return place;
}

size_t places_stack(const struct places *places, const struct sample *sample,
		    struct place out[PLACES_MAX])
{
	bool kernel = sample->kernel, is_caller = false;
	size_t n = 0;

	for (size_t i = 0; i < sample->chain.n && n < PLACES_MAX; i++) {
		uint64_t address = sample->chain.at[i];

		/* Each ring's part begins with where it was interrupted. */
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

unsigned places_line(const struct places *places, const struct place *place, const char **file)
{
	*file = NULL;
	return place->elf ? symbols_line(places->symbols, place->vaddr, file) : 0;
}
