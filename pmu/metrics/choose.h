/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * choose.h - of definitions those that a command names: their formulas as nodes, the events that
 * these need, and which of them are to count together. Events of a metric are one weak group, as in
 * perf: where it does not fit, they count alone. A metric whose events another group has is of that
 * one, and so is one whose events have room beside those; but none that could count as a whole
 * shares a group that cannot. Task context; a choice is large: static storage.
 */
#ifndef PMU_METRICS_CHOOSE_H
#define PMU_METRICS_CHOOSE_H

#include "pmu/metrics/formula.h"
#include "pmu/metrics/metrics.h"

#define METRICS_CHOSEN     64  /* metrics of a command */
#define METRICS_ITS_EVENTS 64  /* events of all of them */
#define METRICS_EVENT_MAX  192 /* bytes of an event, with the 0 at its end */
#define METRICS_LIST_MAX   16384

/* What a machine is, for `#smt_on` and its like. */
struct metrics_world {
	bool elsewhere; /* it is another one, and the rest of this is not known: all events are
			   needed */
	bool smt_on;
	unsigned ncpus;
	uint64_t tsc_hz;
	const char *pmu; /* of a hybrid's cores that events are of: "cpu_core"; NULL: it is none */
	/* How an event, which is in `out`, METRICS_EVENT_MAX bytes, is written for -e: there, too;
	 * formulas call it `name`. -E with the reason: there is none. NULL: as it is. */
	int (*event)(void *ctx, const char *name, bool likwid, char *out, struct reason *why);
	/* Whether all events of a list can count at the same time; NULL: it is not known. */
	bool (*fits)(void *ctx, const char *list);
	void *ctx;
};

struct metric_chosen {
	const struct metrics_row *row;
	unsigned root;
	unsigned group;
	uint64_t events;          /* a bit for each that it needs */
	struct metrics_span unit; /* without the number in front; empty: none */
	struct real factor;       /* what the value is multiplied by */
};

struct metric_event_chosen {
	char name[FORMULA_NAME];      /* as formulas write it */
	char text[METRICS_EVENT_MAX]; /* as behind -e */
};

struct metric_choice {
	unsigned n, nevents, ngroups;
	struct metric_chosen metric[METRICS_CHOSEN];
	struct metric_event_chosen event[METRICS_ITS_EVENTS];
	uint64_t group[METRICS_CHOSEN]; /* events of each */
	bool group_fits[METRICS_CHOSEN];
	struct formula_pool pool;
	uint8_t state[METRICS_ROWS]; /* of rows: while their formulas are read */
	uint16_t root[METRICS_ROWS];
};

/*
 * metrics_item() - of a list of -M the next item, from `*at` on, which then is behind it: names and
 * {TEXT}, separated by commas; `*n` characters of it. NULL: there is none.
 */
const char *metrics_item(const char **at, size_t *n);

/*
 * metrics_choose_begin() - none so far. metrics_choose_name() - the metric or group of that name,
 * `n` characters; * and ? stand for any. metrics_choose_text() - all metrics of text number `text`.
 * -EINVAL with the reason: there is none of the name, or one of them is wrong.
 * metrics_choose_end() - behind them: which events count together. -EINVAL: none is counted.
 */
void metrics_choose_begin(struct metric_choice *c);
int metrics_choose_name(struct metric_choice *c, const struct metrics *m, const char *name,
			size_t n, const struct metrics_world *world, struct reason *why);
int metrics_choose_text(struct metric_choice *c, const struct metrics *m, unsigned text,
			const struct metrics_world *world, struct reason *why);
int metrics_choose_end(struct metric_choice *c, const struct metrics_world *world,
		       struct reason *why);

/* metrics_list_group() - group `g` as behind -e, into `list`. Which place an event has in it,
 * metrics_place() tells; how many it has, metrics_group_size(). */
void metrics_list_group(const struct metric_choice *c, unsigned g, char list[METRICS_LIST_MAX]);
unsigned metrics_place(const struct metric_choice *c, unsigned g, unsigned event);
unsigned metrics_group_size(const struct metric_choice *c, unsigned g);

/* metrics_value() - of the chosen metric `i`: counts of its events by their numbers, seconds. */
struct real metrics_value(struct metric_choice *c, unsigned i, const struct real *count,
			  struct real time);

/* metrics_suggest() - the name of a metric or a group that is one typing mistake away; empty: none.
 */
struct metrics_span metrics_suggest(const struct metrics *m, const char *typed, size_t n);

#endif
