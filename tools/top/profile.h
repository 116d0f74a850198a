/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - samples added up: by event and address, and from that by function. Grows with the
 * number of different addresses, not with that of samples.
 */
#ifndef TOOLS_TOP_PROFILE_H
#define TOOLS_TOP_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cpumask.h"
#include "tools/util/buf.h"
#include "tools/out/places.h"

struct profile_sum {
	uint64_t samples, weight; /* weight: in events */
	struct cpumask cpus;      /* on which these were */
};

/* An address that was sampled. */
struct profile_cell {
	struct place place;
	size_t event;
	struct profile_sum sum; /* samples 0: the cell is free */
};

/* A function, or an address outside of all. */
struct profile_row {
	struct place place; /* of its first address */
	struct profile_sum sum;
};

struct profile {
	struct profile_cell *cells; /* a hash table of open addressing */
	size_t room, used;          /* room: a power of two, or 0 */
};

enum profile_sort { PROFILE_BY_WEIGHT, PROFILE_BY_SAMPLES, PROFILE_BY_NAME, PROFILE_SORTS };

/* profile_clear() - a zeroed profile is empty, too. */
void profile_clear(struct profile *profile);

/* profile_add() - one sample of event number `event`, of CPU `cpu`. */
void profile_add(struct profile *profile, size_t event, const struct place *place, uint64_t weight,
		 uint32_t cpu);

/* profile_total() - all of one event. */
struct profile_sum profile_total(const struct profile *profile, size_t event);

/*
 * profile_rows() - the functions of one event, sorted: by weight or samples the largest first, by
 * name from a to z. `rows` gets struct profile_row; returns how many.
 */
size_t profile_rows(const struct profile *profile, size_t event, enum profile_sort sort,
		    struct buf *rows);

/*
 * profile_addresses() - what the row is made of, by address. `cells` gets struct profile_cell;
 * returns how many.
 */
size_t profile_addresses(const struct profile *profile, size_t event, const struct place *row,
			 struct buf *cells);

/* profile_name() - of a row: the function, or the address in `room`. */
const char *profile_name(const struct place *row, char room[24]);

#endif
