// SPDX-License-Identifier: BSD-2-Clause
/* suggest.c - see suggest.h. */
#include "tools/events/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/near.h"
#include "pmu/metrics/shipped.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/intel_names.h"
#include "pmu/names/listwords.h"
#include "pmu/names/parse.h"
#include "tools/events/eventnames.h"
#include "tools/util/buf.h"

#define NAME_MOST 128 /* longest name that is compared */
#define LIST_MOST 480 /* size of the list of existing names */

struct suggestion {
	const char *typed;
	char *out;
	size_t size;
	bool found;       /* a name with one mistake was found; no other is nearer */
	unsigned changes; /* distance of the nearest name so far; the start value is the limit */
};

/* Returns the limit: one letter in four may be wrong. */
static unsigned most_changes(const char *typed)
{
	return (unsigned)strlen(typed) / 4;
}

/*
 * Returns the edit distance: letters to insert, delete and change. Computes the usual table row by
 * row.
 */
static unsigned count_changes(const char *a, const char *b)
{
	unsigned row[NAME_MOST + 1];
	const size_t nb = strlen(b);

	for (unsigned k = 0; k <= nb; k++)
		row[k] = k;
	for (unsigned i = 0; a[i]; i++) {
		unsigned before = row[0]++;

		for (unsigned k = 0; k < nb; k++) {
			const unsigned replaced = before + (a[i] != b[k]);
			const unsigned moved = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;

			before = row[k + 1];
			row[k + 1] = replaced < moved ? replaced : moved;
		}
	}
	return row[nb];
}

static void lower_copy(char *to, const char *from)
{
	size_t n = 0;

	for (; n < NAME_MOST - 1 && from[n]; n++)
		to[n] = (char)tolower((unsigned char)from[n]);
	to[n] = '\0';
}

/* Keeps the first name with one mistake or other capitals, or else the nearest name. */
static void look_at(struct suggestion *s, const char *name)
{
	char typed[NAME_MOST], known[NAME_MOST];
	unsigned changes;

	if (s->found || !name)
		return;
	lower_copy(typed, s->typed);
	lower_copy(known, name);
	s->found = !strcmp(typed, known) || near_word(typed, strlen(typed), known);
	changes = s->found ? 0 : count_changes(typed, known);
	if (changes >= s->changes)
		return;
	s->changes = changes;
	snprintf(s->out, s->size, "%s", name);
}

static void on_candidate_name(void *ctx, const struct event_name *e)
{
	look_at(ctx, e->name);
}

/* Visits the names that the image knows itself: generic events, events of its PMUs, tracepoints. */
static void each_image_name(const struct uarch *uarch, const struct registered *image,
			    void (*visit)(void *ctx, const char *name), void *ctx)
{
	const struct pmu_event_name *e;
	const struct uarch_named *m;
	const struct dynamic_pmu *p;
	char name[NAME_MOST];

	for (size_t i = 0; (e = pmu_event_names(i)); i++) {
		visit(ctx, e->name);
		if (e->alias)
			visit(ctx, e->alias);
	}
	for (unsigned i = PMU_RUN_ELAPSED; i < PMU_RUN_TIMES; i++)
		visit(ctx, pmu_run_time_name(i));
	for (size_t i = 0; uarch && (m = uarch_named_event(uarch, i)); i++)
		visit(ctx, m->name);
	for (size_t i = 0; (p = dynamic_pmu(i)); i++) {
		snprintf(name, sizeof(name), "%s//", p->name);
		visit(ctx, name);
		for (const struct dynamic_event *d = p->events; d && d->name; d++) {
			snprintf(name, sizeof(name), "%s/%s/", p->name, d->name);
			visit(ctx, name);
		}
	}
	for (size_t i = 0; image && i < image->ntracepoints; i++) {
		snprintf(name, sizeof(name), "%s:%s", image->tracepoint[i].system,
			 image->tracepoint[i].name);
		visit(ctx, name);
	}
}

static void on_image_name(void *ctx, const char *name)
{
	look_at(ctx, name);
}

bool event_suggest(const char *typed, const struct uarch *uarch, const struct evfiles *files,
		   const struct registered *image, char *out, size_t size)
{
	const unsigned few = most_changes(typed);
	struct suggestion s = {.typed = typed, .out = out, .size = size, .changes = few + 1};
	struct reason ignored;

	each_image_name(uarch, image, on_image_name, &s);
	for (unsigned i = 0; files && i < files->n; i++)
		for (size_t k = 0; k < files->of[i].file.n; k++)
			look_at(&s, files->of[i].file.events[k].name);
	if (!s.found && uarch)
		event_names_each(uarch, true, NULL, on_candidate_name, &s, &ignored);
	return s.found || s.changes <= few;
}

bool event_owners(const char *name, char *out, size_t size)
{
	const struct uarch *uarch;
	struct intel_event ignored;
	size_t n = 0;

	for (size_t i = 0; (uarch = uarch_list(i)); i++) {
		if (!intel_find(uarch, name, strlen(name), &ignored))
			continue;
		if (n + strlen(uarch->name) + 16 >= size) {
			snprintf(out + n, size - n, " and more");
			return true;
		}
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", uarch->name);
	}
	return n;
}

/* --- Parts of names --- */

struct part {
	const char *text;
	bool found;
};

static void look_for_part(void *ctx, const char *name)
{
	struct part *part = ctx;

	part->found |= strstr(name, part->text) != NULL;
}

static void on_libpfm_part(void *ctx, const struct event_name *e)
{
	struct part *part = ctx;

	part->found |= strcasestr(e->name, part->text) != NULL;
}

/* A list such as "cycles, branch-*, sched:*", without duplicates. */
struct beginnings {
	size_t n;
	char text[LIST_MOST];
};

static void add_beginning(void *ctx, const char *name)
{
	struct beginnings *b = ctx;
	const size_t n = strcspn(name, "-_/:");
	char item[NAME_MOST];

	snprintf(item, sizeof(item), name[n] ? ", %.*s%c*" : ", %.*s", (int)n, name, name[n]);
	if (!strstr(b->text, item) && b->n + strlen(item) < sizeof(b->text)) {
		strcpy(b->text + b->n, item);
		b->n += strlen(item);
	}
}

/* Returns whether a metric's name contains the part: the image lists these, too. */
static bool metric_has_part(const char *part, const struct uarch *uarch)
{
	static struct metrics metrics;
	struct part of_metrics = {.text = part};
	struct reason ignored;

	if (metrics_begin_shipped(&metrics, uarch, &ignored))
		return false;
	for (unsigned i = 0; i < metrics.nrows; i++) {
		char *name = copy_text(metrics.row[i].name.at, metrics.row[i].name.n);

		look_for_part(&of_metrics, name);
		free(name);
	}
	return of_metrics.found;
}

int event_part_check(const char *part, const struct uarch *uarch, const struct registered *image,
		     struct reason *why)
{
	struct part of_image = {.text = part}, of_libpfm = {.text = part};
	struct beginnings beginnings = {.n = 0};
	struct reason ignored;
	char near[NAME_MOST];

	each_image_name(uarch, image, look_for_part, &of_image);
	if (of_image.found || list_kind_of(part) || metric_has_part(part, uarch))
		return 0;
	event_names_each(uarch, true, NULL, on_libpfm_part, &of_libpfm, &ignored);
	if (of_libpfm.found)
		return refuse(why, EINVAL,
			      "no event that `list` shows has '%s' in its name; `perf0 "
			      "list --no-boot --uarch %s` lists the others",
			      part, uarch->name);
	if (event_suggest(part, uarch, NULL, image, near, sizeof(near)))
		return refuse(why, EINVAL, "no event has '%s' in its name; did you mean '%s'?",
			      part, near);
	each_image_name(uarch, image, add_beginning, &beginnings);
	return refuse(why, EINVAL, "no event has '%s' in its name; there are %s", part,
		      beginnings.text + 2);
}
