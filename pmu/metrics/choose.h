/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * choose.h - the metrics that a command names: their formulas as nodes, their events, and the
 * groups of events that count together. The events of a metric are one weak group, as in perf: if
 * it does not fit, they count alone. A metric joins a group that has all its events, or room for
 * them. A metric that fits as a whole never joins a group that does not. Task context; a choice is
 * large: use static storage.
 */
#ifndef PMU_METRICS_CHOOSE_H
#define PMU_METRICS_CHOOSE_H

#include "pmu/metrics/formula.h"
#include "pmu/metrics/metrics.h"

#define METRICS_CHOSEN     64  /* metrics of a command */
#define METRICS_ITS_EVENTS 64  /* events of all these metrics */
#define METRICS_EVENT_MAX  192 /* bytes of an event, with the terminator */
#define METRICS_LIST_MAX   16384

/* Properties of the machine, for `#smt_on` and the like. */
struct metrics_world {
	bool elsewhere; /* it is another machine, with unknown properties: all events are needed */
	bool smt_on;
	unsigned ncpus;
	uint64_t tsc_hz;
	const char *pmu; /* the PMU of a hybrid's cores: "cpu_core"; NULL: not a hybrid */
	/*
	 * Rewrites the event in `out`, of METRICS_EVENT_MAX bytes, to the syntax of -e; formulas
	 * call it `name`. -E with the reason: there is none. NULL: `out` stays.
	 */
	int (*event)(void *ctx, const char *name, bool likwid, char *out, struct reason *why);
	/* True where all events of a list can count at the same time; NULL: unknown. */
	bool (*fits)(void *ctx, const char *list);
	void *ctx;
};

struct metric_chosen {
	const struct metrics_row *row;
	unsigned root;
	unsigned group;
	uint64_t events;          /* mask of its events */
	struct metrics_span unit; /* without a leading number; empty: none */
	struct real factor;       /* factor of the value */
};

struct metric_event_chosen {
	char name[FORMULA_NAME];      /* as in formulas */
	char text[METRICS_EVENT_MAX]; /* in the syntax of -e */
};

struct metric_choice {
	unsigned n, nevents, ngroups;
	struct metric_chosen metric[METRICS_CHOSEN];
	struct metric_event_chosen event[METRICS_ITS_EVENTS];
	uint64_t group[METRICS_CHOSEN]; /* mask of the events of each group */
	bool group_fits[METRICS_CHOSEN];
	struct formula_pool pool;
	uint8_t state[METRICS_ROWS]; /* state and root node of each row, while formulas are parsed
				      */
	uint16_t root[METRICS_ROWS];
};

/*
 * metrics_item() - the next item of a list of -M at `*at`, of `*n` characters, and moves `*at`
 * behind it. Items are names and {TEXT}, separated by commas. NULL: there is none.
 */
const char *metrics_item(const char **at, size_t *n);

/*
 * metrics_choose_begin() - starts an empty choice.
 * metrics_choose_name() - adds the metric or group with that name of `n` characters; * and ? are
 * wildcards.
 * metrics_choose_text() - adds all metrics of text number `text`. -EINVAL with the reason: the name
 * is unknown, or a metric is wrong.
 * metrics_choose_end() - forms the groups, after all metrics. -EINVAL: no event is counted.
 */
void metrics_choose_begin(struct metric_choice *c);
int metrics_choose_name(struct metric_choice *c, const struct metrics *m, const char *name,
			size_t n, const struct metrics_world *world, struct reason *why);
int metrics_choose_text(struct metric_choice *c, const struct metrics *m, unsigned text,
			const struct metrics_world *world, struct reason *why);
int metrics_choose_end(struct metric_choice *c, const struct metrics_world *world,
		       struct reason *why);

/*
 * metrics_list_group() - writes group `g` in the syntax of -e to `list`.
 * metrics_place() - the position of an event in the group.
 * metrics_group_size() - the number of its events.
 */
void metrics_list_group(const struct metric_choice *c, unsigned g, char list[METRICS_LIST_MAX]);
unsigned metrics_place(const struct metric_choice *c, unsigned g, unsigned event);
unsigned metrics_group_size(const struct metric_choice *c, unsigned g);

/*
 * metrics_value() - the value of the chosen metric `i`, from the counts of its events by their
 * numbers, and seconds.
 */
struct real metrics_value(struct metric_choice *c, unsigned i, const struct real *count,
			  struct real time);

/*
 * metrics_suggest() - the name of a metric or group that is one typing mistake away; empty: none.
 */
struct metrics_span metrics_suggest(const struct metrics *m, const char *typed, size_t n);

#endif
