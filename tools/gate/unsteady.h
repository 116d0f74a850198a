/* SPDX-License-Identifier: BSD-2-Clause */
/* unsteady.h - events whose counts differ in two runs of a benchmark, and the cause: further runs
 * find it. */
#ifndef TOOLS_GATE_UNSTEADY_H
#define TOOLS_GATE_UNSTEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct benchmark;
struct measuring;

/* An event of a benchmark with different counts in two runs. */
struct unsteady {
	char *benchmark, *event;
	uint64_t first, second;
	bool by_chance; /* random numbers alone cause the difference */
	char *function; /* the function that differs most; NULL: unknown */
};

/* Unsteady events. A zeroed struct has none. */
struct unsteady_list {
	struct unsteady *one;
	size_t n;
};

/* unsteady_note() - appends an event. unsteady_clear() - removes all. */
void unsteady_note(struct unsteady_list *list, const char *benchmark, const char *event,
		   uint64_t first, uint64_t second);
void unsteady_clear(struct unsteady_list *list);

/*
 * unsteady_settle() - finds the causes of all events of `list`, which are of one benchmark, and
 * moves them to `m->unsteady`, or to `m->by_chance`. `may_be_chance`: random numbers may be the
 * cause. Returns 0, or the status after a message. Requires a standing machine.
 */
int unsteady_settle(struct measuring *m, const struct benchmark *benchmark,
		    struct unsteady_list *list, bool may_be_chance);

#endif
