/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - sums samples by event and address, and from these by function. Memory grows with the
 * number of different addresses, not of samples.
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
	uint64_t samples, weight; /* `weight` is in events */
	struct cpumask cpus;      /* CPUs of these samples */
};

/* A sampled address. */
struct profile_cell {
	struct place place;
	size_t event;
	struct profile_sum sum; /* samples == 0: the cell is free */
};

/* A function, or an address outside of all functions. */
struct profile_row {
	struct place place; /* place of its first address */
	struct profile_sum sum;
};

struct profile {
	struct profile_cell *cells; /* hash table with open addressing */
	size_t room, used;          /* `room` is a power of two, or 0 */
};

enum profile_sort { PROFILE_BY_WEIGHT, PROFILE_BY_SAMPLES, PROFILE_BY_NAME, PROFILE_SORTS };

/* profile_clear() - empties the profile. A zeroed profile is empty, too. */
void profile_clear(struct profile *profile);

/* profile_add() - adds one sample of event number `event` on CPU `cpu`. */
void profile_add(struct profile *profile, size_t event, const struct place *place, uint64_t weight,
		 uint32_t cpu);

/* profile_total() - returns the sum of one event. */
struct profile_sum profile_total(const struct profile *profile, size_t event);

/*
 * profile_rows() - stores the functions of one event in `rows` (struct profile_row), sorted: by
 * weight or samples in falling order, by name from a to z. Returns their number.
 */
size_t profile_rows(const struct profile *profile, size_t event, enum profile_sort sort,
		    struct buf *rows);

/*
 * profile_addresses() - stores the cells of a row in `cells` (struct profile_cell), sorted by
 * address. Returns their number.
 */
size_t profile_addresses(const struct profile *profile, size_t event, const struct place *row,
			 struct buf *cells);

/* profile_name() - returns the function of a row, or its address, written to `room`. */
const char *profile_name(const struct place *row, char room[24]);

#endif
