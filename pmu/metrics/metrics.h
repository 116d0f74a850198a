/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h - definitions of metrics, from texts: those that ship (shipped.h) and the user's, in
 * our own layout or in LIKWID's (docs/METRICS.md). Names are compared in any case of letters, first
 * in the text where they are used, then in the one that was read first: what ships.
 *
 * Texts are not copied: they and their names have to stay as long as the definitions. Task context;
 * the definitions are large: static storage.
 */
#ifndef PMU_METRICS_METRICS_H
#define PMU_METRICS_METRICS_H

#include "lib/reason.h"
#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METRICS_ROWS     256 /* of one microarchitecture, from all texts */
#define METRICS_EVENTS   256
#define METRICS_GROUPS   64
#define METRICS_TEXTS    8
#define METRICS_NAME_MAX 64            /* characters of a name */
#define METRICS_LINE_MAX 1000          /* characters of a line */
#define METRICS_SIZE_MAX (1024 * 1024) /* bytes of a text */

/* Part of a text. */
struct metrics_span {
	const char *at;
	unsigned n;
};

/* A name that formulas have for an event. */
struct metrics_event {
	struct metrics_span name, event;
	unsigned line, column; /* of the event, from 1 */
	uint8_t text;
	bool likwid;                 /* the event has LIKWID's name */
	struct metrics_span options; /* of LIKWID's counter, colons between them */
};

struct metrics_group {
	struct metrics_span name, about;
	uint8_t text;
};

struct metrics_row {
	struct metrics_span name, about, unit, formula;
	unsigned line, column; /* of the formula, from 1 */
	uint8_t text;
	uint8_t group;  /* or METRICS_NO_GROUP */
	bool is_helper; /* `let`: for other formulas alone */
};
#define METRICS_NO_GROUP 0xff

struct metrics {
	const struct uarch *uarch; /* NULL: not known; what is for some alone is left out */
	const char *where[METRICS_TEXTS];
	unsigned ntexts, nrows, nevents, ngroups;
	struct metrics_row row[METRICS_ROWS];
	struct metrics_event event[METRICS_EVENTS];
	struct metrics_group group[METRICS_GROUPS];
};

/* metrics_begin() - none yet, for machines of `uarch`. */
void metrics_begin(struct metrics *m, const struct uarch *uarch);

/*
 * metrics_read() - those of the `n` characters `text`, too; lines end with `end`, a newline or, in
 * a command line, a semicolon. Complaints begin with `where`, the line and the column. -EINVAL with
 * the reason: it is wrong; -E2BIG: there is too much of it. Then `m` is as before. The number of
 * the text is `m->ntexts` before the call; the first is to be what ships.
 */
int metrics_read(struct metrics *m, const char *where, const char *text, size_t n, char end,
		 struct reason *why);

/* metrics_find_event(), metrics_find_row() - by a name as text number `text` uses it; NULL: there
 * is none. */
const struct metrics_event *metrics_find_event(const struct metrics *m, const char *name,
					       unsigned text);
const struct metrics_row *metrics_find_row(const struct metrics *m, const char *name,
					   unsigned text);

/* span_is() - is it `name`, in any case of letters? span_like() - is it, where `.` and `_` are the
 * same: as LIKWID writes names of events? */
bool span_is(struct metrics_span span, const char *name);
bool span_like(struct metrics_span span, const char *name);

/* metrics_refuse() - the reason, with where it is in front. -EINVAL. */
int metrics_refuse(const struct metrics *m, unsigned text, unsigned line, unsigned column,
		   struct reason *why, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

#endif
