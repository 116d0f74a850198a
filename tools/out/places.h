/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places.h - what the addresses and tasks of a recording are called. Fed with its records in their
 * order, it knows the names of tasks and the maps of that moment, and finds for an address the
 * function that it lies in: of the image, or of a program of the user's, whose ELF file is read
 * from the path in the map if it still is the one of that build-id, or of the process's perf map,
 * where that was brought. Where the recording has no map, the image lies where HELLO says, for ring
 * 0 and for ring 3.
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
	const struct elf_image *elf; /* of the image; NULL: its addresses stay addresses */
	struct symbols *symbols;     /* of the image; NULL: none */
	struct buf programs;         /* pointers to files of maps */
	struct index by_program;     /* of each, by path and build-id */
	struct maps maps;
	struct buf names;     /* of tasks */
	struct index by_task; /* of the newest name of each, in `names` */
	char workload[32];    /* name of a task that has none of its own */
};

/* The meaning of one address. */
struct place {
	uint64_t address;
	const char *path;              /* of what is mapped there; NULL: nothing that is known */
	uint64_t offset;               /* in that file, when there is a path */
	const struct elf_image *elf;   /* the file, NULL: there is none, or not that one any more */
	const struct symbols *symbols; /* of `elf`, or of the process's perf map; may be NULL */
	uint64_t vaddr;                /* in `elf`, else `address` */
	const struct symbol *symbol;   /* NULL: in no function that is known */
	bool kernel;                   /* ring 0's */
};

#define PLACES_MAX 1024 /* of one call chain; what is above is left out */

/*
 * places_init() - for the recording `command`. Without the symbols of `elf`, or of a program, it
 * goes on, silently. Places and their names live as long as `places`.
 */
void places_init(struct places *places, const struct stream *stream,
		 const struct stream_command *command, const struct elf_image *elf);
void places_free(struct places *places);

/* places_record() - takes what the record says of names and maps; all others do nothing. */
void places_record(struct places *places, const struct perf_event_header *record);

/* places_name() - of a task. Lives until the next places_record(). */
const char *places_name(const struct places *places, uint32_t pid, uint32_t tid);

struct place places_find(const struct places *places, uint32_t pid, uint64_t address, bool kernel);

/*
 * places_stack() - the call chain of a sample, innermost first, or its address alone when it has no
 * chain; returns how many there are in `out`, at most PLACES_MAX. A caller's address is that behind
 * the call; its function is the one that the call is in.
 */
size_t places_stack(const struct places *places, const struct sample *sample,
		    struct place out[PLACES_MAX]);

/* place_line() - the source line of a place, 0 when it is not known; see symbols_line(). */
unsigned place_line(const struct place *place, const char **file);

/* place_compare_files() - an order of what two places lie in: negative, 0 (the same) or positive.
 */
int place_compare_files(const struct place *a, const struct place *b);

#endif
