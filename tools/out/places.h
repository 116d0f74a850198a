/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places.h - names the addresses and tasks of a recording.
 *
 * It reads the records in their order, and so knows the names of tasks and the maps at each moment.
 * It finds the function of an address in one of three sources. The first is the image. The second
 * is a user's program, whose ELF file is read from the map's path if the build-id still matches.
 * The third is the process's perf map, if it was copied out. Without map records the image is at
 * its addresses in HELLO, for ring 0 and for ring 3.
 */
#ifndef TOOLS_OUT_PLACES_H
#define TOOLS_OUT_PLACES_H

#include "tools/symbols/elf_image.h"
#include "tools/util/index.h"
#include "tools/out/maps.h"
#include "tools/stream/stream_sample.h"
#include "tools/stream/stream.h"
#include "tools/symbols/symbols.h"

struct places {
	const struct stream *stream;
	const struct elf_image *elf; /* the image's file; NULL: its addresses have no names */
	struct symbols *symbols;     /* the image's symbols; NULL: none */
	struct buf programs;         /* pointers to the mapped files */
	struct index by_program;     /* each program, by path and build-id */
	struct maps maps;
	struct buf names;     /* names of tasks */
	struct index by_task; /* each task's newest name in `names` */
	char workload[32];    /* name of tasks without a name of their own */
};

/* An address with all that is known about it. */
struct place {
	uint64_t address;
	const char *path;              /* the mapped file; NULL: unknown */
	uint64_t offset;               /* offset in that file, if `path` is set */
	const struct elf_image *elf;   /* the file; NULL: missing, or replaced by another one */
	const struct symbols *symbols; /* of `elf`, or of the process's perf map; may be NULL */
	uint64_t vaddr;                /* address in `elf`; without it, `address` */
	const struct symbol *symbol;   /* NULL: no known function */
	bool kernel;                   /* it belongs to ring 0 */
};

#define PLACES_MAX 1024 /* of one call chain; outer callers beyond it are dropped */

/*
 * places_init() - starts the recording `command`. Missing symbols of `elf` or of a program are no
 * error. Places and their names live as long as `places`.
 */
void places_init(struct places *places, const struct stream *stream,
		 const struct stream_command *command, const struct elf_image *elf);
void places_free(struct places *places);

/* places_record() - updates names and maps from a record; other records have no effect. */
void places_record(struct places *places, const struct perf_event_header *record);

/*
 * places_name() - returns the name of a task, valid until the next places_record(). places_find() -
 * returns what is known about an address.
 */
const char *places_name(const struct places *places, uint32_t pid, uint32_t tid);

struct place places_find(const struct places *places, uint32_t pid, uint64_t address, bool kernel);

/*
 * places_stack() - stores the call chain of a sample in `out`, innermost first, or its address
 * alone if it has no chain. Returns the number of entries, at most PLACES_MAX. A caller's address
 * is the one behind its call, but its function is the one that contains the call.
 */
size_t places_stack(const struct places *places, const struct sample *sample,
		    struct place out[PLACES_MAX]);

/* place_line() - returns the source line of a place; 0: unknown. See symbols_line(). */
unsigned place_line(const struct place *place, const char **file);

/* place_compare_files() - orders two places by their files. Returns a negative or positive
 * number, or 0 for the same file. */
int place_compare_files(const struct place *a, const struct place *b);

#endif
