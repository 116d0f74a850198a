// SPDX-License-Identifier: BSD-2-Clause
/* sideband.c - see sideband.h. */
#include "tools/out/sideband.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PID 1 /* pid of a recording without samples, or without TID */

/* The tasks and maps of the recording's own records. */
struct survey {
	const struct record_format *format;
	struct buf tasks; /* uint64_t: record_task() of the sampled tasks */
	struct buf named; /* uint64_t: tasks that have a COMM */
	struct buf maps;  /* struct record_map, sorted by pid */
};

static int compare_tasks(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

/* Sorts the tasks and removes duplicates. */
static void sort_unique_tasks(struct buf *tasks)
{
	uint64_t *task = (uint64_t *)(void *)tasks->data;
	size_t n = tasks->size / sizeof(*task), kept = 0;

	if (!n)
		return;
	qsort(task, n, sizeof(*task), compare_tasks);
	for (size_t i = 0; i < n; i++)
		if (!kept || task[kept - 1] != task[i])
			task[kept++] = task[i];
	tasks->size = kept * sizeof(*task);
}

static bool is_task_in(const struct buf *set, uint64_t task)
{
	return set->size &&
	       bsearch(&task, set->data, set->size / sizeof(task), sizeof(task), compare_tasks);
}

static void survey_comm(struct survey *survey, const struct perf_event_header *record)
{
	uint32_t ids[2];

	if (record->size < sizeof(*record) + sizeof(ids))
		return;
	memcpy(ids, record + 1, sizeof(ids));
	buf_add_u64(&survey->named, record_task(ids[0], ids[1]));
}

/*
 * Notes a sample's task. Samples of one task come in long runs, so the last task is not noted
 * again.
 */
static void survey_sample(struct survey *survey, uint64_t task)
{
	const uint64_t *tasks = (const void *)survey->tasks.data;
	size_t n = survey->tasks.size / sizeof(*tasks);

	if (!n || tasks[n - 1] != task)
		buf_add_u64(&survey->tasks, task);
}

static void survey_record(struct survey *survey, const struct perf_event_header *record)
{
	struct record_map map;
	uint64_t task;

	if (record_sample_task(survey->format, record, &task))
		survey_sample(survey, task);
	else if (record->type == PERF_RECORD_COMM)
		survey_comm(survey, record);
	else if (record->type == PERF_RECORD_MMAP2 && record_map(record, &map))
		buf_add(&survey->maps, &map, sizeof(map));
}

static int compare_maps(const void *a, const void *b)
{
	const struct record_map *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void make_survey(struct survey *survey, const struct stream_command *command)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;

	while ((record = stream_next_record(command, &cursor)))
		survey_record(survey, record);
	stream_cursor_free(&cursor);
	if (!survey->tasks.size)
		buf_add_u64(&survey->tasks, record_task(FIRST_PID, FIRST_PID));
	sort_unique_tasks(&survey->tasks);
	sort_unique_tasks(&survey->named);
	if (survey->maps.size)
		qsort(survey->maps.data, survey->maps.size / sizeof(struct record_map),
		      sizeof(struct record_map), compare_maps);
}

static bool maps_overlap(const struct record_map *a, const struct record_map *b)
{
	return a->addr - b->addr < b->len || b->addr - a->addr < a->len;
}

/*
 * Returns whether `at` maps the same file at the same place as `map`, but not from its beginning.
 */
static bool is_rest(const struct record_map *at, const struct record_map *map)
{
	return at->addr - at->pgoff == map->addr - map->pgoff && at->addr > map->addr;
}

/* Returns the number of the first map of this process or of a later one. */
static size_t first_map(const struct record_map *maps, size_t n, uint32_t pid)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Returns whether the image sent this map itself. If the image mapped only a later part, the whole
 * map is added in front: hotspot counts a file's addresses from the map of its first byte.
 */
static bool overlaps_mapped(const struct survey *survey, const struct record_map *map)
{
	const struct record_map *at = (const void *)survey->maps.data;
	size_t n = survey->maps.size / sizeof(*at);

	for (size_t i = first_map(at, n, map->pid); i < n && at[i].pid == map->pid; i++)
		if (maps_overlap(&at[i], map) && !is_rest(&at[i], map))
			return true;
	return false;
}

static void add_maps(struct buf *out, const struct survey *survey, uint32_t pid, uint64_t base,
		     const struct elf_image *elf)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		const struct record_map map = {
			.pid = pid,
			.tid = pid,
			.addr = base + segment->vaddr,
			.len = segment->size,
			.pgoff = segment->offset,
			.build_id = elf->build_id,
			.build_id_size = elf->build_id_size,
			.path = elf->path,
		};

		if (!overlaps_mapped(survey, &map))
			record_add_map(out, survey->format, &map);
	}
}

const char *sideband_workload(const struct stream_command *command, char *name, size_t size)
{
	const char *at = strstr(command->line, " -- ");
	size_t n;

	at = at ? at + 4 : command->line;
	n = strcspn(at, " ");
	n = n < size ? n : size - 1;
	memcpy(name, at, n);
	name[n] = '\0';
	if (!n)
		snprintf(name, size, "perf0");
	return name;
}

void sideband_add(struct buf *out, const struct stream *stream,
		  const struct stream_command *command, const struct record_format *format,
		  const struct elf_image *elf)
{
	struct survey survey = {.format = format};
	const uint64_t *task;
	char name[32];

	make_survey(&survey, command);
	task = (const void *)survey.tasks.data;
	for (size_t i = 0; i < survey.tasks.size / sizeof(*task); i++) {
		uint32_t pid = (uint32_t)(task[i] >> 32);
		bool is_new = !i || pid != task[i - 1] >> 32;

		if (!is_task_in(&survey.named, task[i]))
			record_add_comm(out, format, task[i],
					task[i] ? sideband_workload(command, name, sizeof(name))
						: SIDEBAND_IDLE);
		buf_settle(out, false);
		if (!elf || !is_new)
			continue;
		/* The upper map comes first. hotspot takes a map above the last first byte of a
		 * file for a part of that file, which would swallow ring 0's map. */
		if (stream->hello.image_base != stream->hello.user_base)
			add_maps(out, &survey, pid, stream->hello.image_base, elf);
		add_maps(out, &survey, pid, stream->hello.user_base, elf);
	}
	buf_free(&survey.tasks);
	buf_free(&survey.named);
	buf_free(&survey.maps);
}
