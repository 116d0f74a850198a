// SPDX-License-Identifier: BSD-2-Clause
/* functions.c - see functions.h. */
#include "tools/gate/functions.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/gate/code.h"
#include "tools/out/sample_walk.h"
#include "tools/util/memory.h"

struct function {
	char *name;
	uint64_t events, size;
	uint32_t code; /* 0: unknown */
};

/* Functions sorted by name. They are few, so an array is cheap. */
struct functions {
	struct function *one;
	size_t n;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Names a place. Functions outside of the program's file get their file's name. */
static void name_place(struct buf *out, const struct place *place, const char *program)
{
	const char *file = place->path ? base_name(place->path) : "unknown";

	out->size = 0;
	if (!place->symbol)
		buf_printf(out, "[%s]", file);
	else if (place->path && program && strcmp(place->path, program))
		buf_printf(out, "%s@%s", place->symbol->name, file);
	else
		buf_printf(out, "%s", place->symbol->name);
}

static struct function *find_function(struct functions *all, const char *name)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = strcmp(all->one[middle].name, name);

		if (!order)
			return &all->one[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	all->one = memory_grow(all->one, all->n, sizeof(*all->one));
	memmove(&all->one[low + 1], &all->one[low], (all->n - low) * sizeof(*all->one));
	all->one[low] = (struct function){.name = copy_text(name, strlen(name))};
	all->n++;
	return &all->one[low];
}

/* Returns the path of the started file, whose map comes first. */
static const char *program_of(const struct stream_command *command, struct buf *scratch)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	struct record_map map;
	const char *path = NULL;

	while (!path && (record = stream_next_record(command, &cursor)))
		if (record->type == PERF_RECORD_MMAP2 && record_map(record, &map) && map.path &&
		    map.pid && *map.path == '/') {
			buf_printf(scratch, "%s", map.path);
			path = buf_text(scratch);
		}
	stream_cursor_free(&cursor);
	return path;
}

/* --- Sources --- */

static size_t source_place(const struct sources *sources, const char *function)
{
	size_t low = 0, high = sources->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(sources->one[middle].function, function) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct source *sources_find(const struct sources *sources, const char *function)
{
	const size_t at = source_place(sources, function);

	return at < sources->n && !strcmp(sources->one[at].function, function) ? &sources->one[at]
									       : NULL;
}

/* Returns the path relative to the current folder, if the file is below it. */
static const char *from_here(const char *file)
{
	static char here[PATH_MAX];
	size_t n;

	if (!*here && !getcwd(here, sizeof(here)))
		return file;
	n = strlen(here);
	return !strncmp(file, here, n) && file[n] == '/' ? file + n + 1 : file;
}

static void note_source(struct sources *sources, const char *function, const struct place *place)
{
	const char *file;
	unsigned line;
	size_t at;

	if (!place->symbol || sources_find(sources, function))
		return;
	line = symbols_line(place->symbols, place->symbol->start, &file);
	if (!line)
		return;
	at = source_place(sources, function);
	sources->one = memory_grow(sources->one, sources->n, sizeof(*sources->one));
	memmove(&sources->one[at + 1], &sources->one[at],
		(sources->n - at) * sizeof(*sources->one));
	sources->n++;
	sources->one[at] =
		(struct source){copy_text(function, strlen(function)),
				copy_text(from_here(file), strlen(from_here(file))), line};
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		free(sources->one[i].function);
		free(sources->one[i].file);
	}
	free(sources->one);
	*sources = (struct sources){0};
}

/* --- Code --- */

#define CODE_MOST (1u << 20) /* bytes of a function that are hashed at most */

static uint32_t hash_of(const struct place *place)
{
	const uint64_t start = place->symbol->start, n = place->symbol->end - start;
	const struct elf_image *elf = place->elf;
	uint32_t hash = 0;
	uint8_t *code;
	int fd;

	if (!n || n > CODE_MOST)
		return 0;
	fd = open(elf->path, O_RDONLY | O_CLOEXEC);
	code = memory_checked(malloc(n));
	for (size_t i = 0; i < elf->nsegments && fd >= 0; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (start - s->vaddr < s->size && n <= s->size - (start - s->vaddr) &&
		    pread(fd, code, n, (off_t)(s->offset + (start - s->vaddr))) == (ssize_t)n)
			hash = code_hash(code, n);
	}
	free(code);
	if (fd >= 0)
		close(fd);
	return hash;
}

static void note_code(struct function *function, const struct place *place)
{
	if (!place->symbol || function->size)
		return;
	function->size = place->symbol->end - place->symbol->start;
	function->code = hash_of(place);
}

static void add_samples(struct functions *all, const struct stream *stream,
			const struct stream_command *command, const struct elf_image *elf,
			struct sources *sources)
{
	struct buf name = {0}, program = {0};
	const char *path = program_of(command, &program);
	struct sample sample;
	struct walk walk;

	walk_start(&walk, stream, command, elf);
	while (walk_next(&walk, &sample)) {
		const struct place place =
			places_find(&walk.places, sample.pid, sample.ip, sample.kernel);
		struct function *function;

		name_place(&name, &place, path);
		function = find_function(all, buf_text(&name));
		function->events += sample_weight(&sample);
		note_code(function, &place);
		if (sources)
			note_source(sources, buf_text(&name), &place);
	}
	walk_end(&walk);
	buf_free(&name);
	buf_free(&program);
}

void functions_add(struct gate_results *results, const char *benchmark, const struct stream *stream,
		   const struct stream_command *command, struct sources *sources)
{
	static struct elf_image elf;
	struct functions all = {0};
	struct reason ignored;

	add_samples(&all, stream, command,
		    elf_image_find(&elf, &stream->hello, &ignored) ? NULL : &elf, sources);
	for (size_t i = 0; i < all.n; i++) {
		gate_results_add(results, benchmark, RESULT_FUNCTION, all.one[i].name,
				 all.one[i].events);
		if (all.one[i].size)
			gate_results_add(results, benchmark, RESULT_SIZE, all.one[i].name,
					 all.one[i].size);
		if (all.one[i].code)
			gate_results_add(results, benchmark, RESULT_CODE, all.one[i].name,
					 all.one[i].code);
		free(all.one[i].name);
	}
	free(all.one);
}
