/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places.h - what the addresses and tasks of a recording are called. Fed with its records in their
 * order, it knows the names of tasks and the maps of that moment, and finds for an address the
 * function of the image that it lies in. Where the recording has no map, the image lies where HELLO
 * says, for ring 0 and for ring 3.
 */
#ifndef TOOLS_PLACES_H
#define TOOLS_PLACES_H

#include "tools/elf_image.h"
#include "tools/index.h"
#include "tools/maps.h"
#include "tools/sample.h"
#include "tools/stream.h"
#include "tools/symbols.h"

struct places {
	const struct stream *stream;
	const struct elf_image *elf; /* NULL: addresses stay addresses */
	struct symbols *symbols;     /* NULL: none */
	struct maps maps;
	struct buf names;     /* of tasks */
	struct index by_task; /* of the newest name of each, in `names` */
	char workload[32];    /* name of a task that has none of its own */
};

/* What one address is. */
struct place {
	uint64_t address;
	const struct elf_image *elf; /* NULL: no code of the image */
	uint64_t vaddr;              /* in the ELF file, when there is one */
	const struct symbol *symbol; /* NULL: in no function that is known */
	bool kernel;                 /* ring 0's */
};

#define PLACES_MAX 1024 /* of one call chain; what is above is left out */

/* places_init() - for the recording `command`. Without the symbols of `elf` it goes on, silently.
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

/* places_line() - the source line of a place, 0 when it is not known; see symbols_line(). */
unsigned places_line(const struct places *places, const struct place *place, const char **file);

#endif
