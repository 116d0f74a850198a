/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h - definitions of metrics, parsed from texts: the shipped ones (shipped.h) and the
 * user's, in perf0's layout or in LIKWID's (docs/METRICS.md). Names match in any letter case. They
 * are searched first in the text that uses them, then in the first text, which is the shipped one.
 *
 * Texts are not copied: they and their names must live as long as the definitions. Task context;
 * the definitions are large: use static storage.
 */
#ifndef PMU_METRICS_METRICS_H
#define PMU_METRICS_METRICS_H

#include "lib/reason.h"
#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METRICS_ROWS     256 /* for one microarchitecture, from all texts */
#define METRICS_EVENTS   256
#define METRICS_GROUPS   64
#define METRICS_TEXTS    8
#define METRICS_NAME_MAX 64            /* characters of a name */
#define METRICS_LINE_MAX 1000          /* characters of a line */
#define METRICS_SIZE_MAX (1024 * 1024) /* bytes of a text */

/* A part of a text. */
struct metrics_span {
	const char *at;
	unsigned n;
};

/* A name of an event in formulas. */
struct metrics_event {
	struct metrics_span name, event;
	unsigned line, column; /* position of the event, from 1 */
	uint8_t text;
	bool likwid;                 /* `event` is LIKWID's name */
	struct metrics_span options; /* options of LIKWID's counter, separated by colons */
};

struct metrics_group {
	struct metrics_span name, about;
	uint8_t text;
};

struct metrics_row {
	struct metrics_span name, about, unit, formula;
	unsigned line, column; /* position of the formula, from 1 */
	uint8_t text;
	uint8_t group;  /* or METRICS_NO_GROUP */
	bool is_helper; /* `let`: used in other formulas only */
};
#define METRICS_NO_GROUP 0xff

struct metrics {
	const struct uarch
		*uarch; /* NULL: unknown, and definitions for some CPUs only are skipped */
	const char *where[METRICS_TEXTS];
	unsigned ntexts, nrows, nevents, ngroups;
	struct metrics_row row[METRICS_ROWS];
	struct metrics_event event[METRICS_EVENTS];
	struct metrics_group group[METRICS_GROUPS];
};

/* metrics_begin() - starts without definitions, for machines of `uarch`. */
void metrics_begin(struct metrics *m, const struct uarch *uarch);

/*
 * metrics_read() - adds the definitions of the `n` characters at `text`. Lines end with `end`: a
 * newline or, in a command line, a semicolon. Error messages begin with `where`, the line and the
 * column. -EINVAL with the reason: an error; -E2BIG: too much text. Then `m` is unchanged. The
 * number of the text is `m->ntexts` before the call; the first must be the shipped one.
 */
int metrics_read(struct metrics *m, const char *where, const char *text, size_t n, char end,
		 struct reason *why);

/*
 * metrics_find_event(), metrics_find_row() - the definition of a name that text number `text` uses;
 * NULL: there is none.
 */
const struct metrics_event *metrics_find_event(const struct metrics *m, const char *name,
					       unsigned text);
const struct metrics_row *metrics_find_row(const struct metrics *m, const char *name,
					   unsigned text);

/*
 * span_is() - true where the span equals `name`, in any letter case.
 * span_like() - the same with `.` and `_` equal, as LIKWID writes names of events.
 */
bool span_is(struct metrics_span span, const char *name);
bool span_like(struct metrics_span span, const char *name);

/* metrics_refuse() - writes the reason with the position in front; returns -EINVAL. */
int metrics_refuse(const struct metrics *m, unsigned text, unsigned line, unsigned column,
		   struct reason *why, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

#endif
