// SPDX-License-Identifier: BSD-2-Clause
/* eventnames.c - see eventnames.h. */
#include "tools/events/eventnames.h"

#include "pmu/names/intel_names.h"
#include "pmu/names/parse.h"
#include "pmu/sched/needs.h"
#include "pmu/plan/planner.h"
#include "tools/util/buf.h"
#include "tools/events/events.h"

#include <ctype.h>
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	const struct uarch *uarch;
	struct guest_uarch guest;
	bool ht_on;
	const struct evfile *file;
	void (*visit)(void *ctx, const struct event_name *name);
	void *ctx;
	int n;
};

static void tell_event_name(struct walk *w, const char *name, uint64_t select, uint64_t counters,
			    uint32_t msr)
{
	const struct event_name event = {
		.name = name, .select = select, .counters = counters, .msr = msr};

	w->visit(w->ctx, &event);
	w->n++;
}

/* Returns the event's MSR in the table of extra registers; 0: none. */
static uint32_t register_of(const struct walk *w, uint64_t select)
{
	const struct uarch_extra *extra = uarch_extra(w->uarch, select);

	return extra ? extra->msr : 0;
}

/*
 * Returns whether the machine has the register for the value. Without it, no counter can count the
 * event.
 */
static bool has_register(const struct walk *w, uint64_t select, uint64_t value)
{
	struct pmu_tick_event ignored;

	return !pmu_find_needs(w->uarch, select, value, UARCH_NOW, &ignored, NULL);
}

static void tell_file(struct walk *w)
{
	uint64_t machine = uarch_machine_counters(w->uarch, w->ht_on);

	for (size_t i = 0; i < w->file->n; i++) {
		const struct evfile_event *e = &w->file->events[i];

		tell_event_name(w, e->name, e->select[0],
				has_register(w, e->select[0], e->msr_value)
					? e->counters[w->ht_on] & machine
					: 0,
				e->msr[0]);
	}
}

static void tell_selected(struct walk *w, const char *name, uint64_t select)
{
	tell_event_name(w, name, select,
			planner_counters(w->uarch, w->ht_on, UARCH_NOW, select, NULL),
			register_of(w, select));
}

/* Visits the names that Intel has published. */
static void tell_published(struct walk *w)
{
	struct intel_event event;
	struct intel_walk walk;

	intel_begin(&walk, w->uarch);
	while (intel_next(&walk, &event))
		if (!w->file || !evfile_find(w->file, event.name))
			tell_selected(w, event.name, event.config);
}

/* Visits a name of libpfm4, unless it needs further attributes to be encoded. */
static void tell_name(struct walk *w, const char *name)
{
	struct perf_event_attr attr;
	struct intel_event published;
	struct reason ignored;
	size_t taken;

	if (w->file && evfile_find(w->file, name))
		return;
	if (intel_find(w->uarch, name, strlen(name), &published))
		return;
	if (!events_find(name, &w->guest, &attr, &taken, &ignored) && !name[taken])
		tell_selected(w, name, attr.config);
}

/* Visits the event alone, and with each of its unit masks. */
static void tell_event(struct walk *w, int idx)
{
	pfm_event_info_t event = {.size = sizeof(event)};

	if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	tell_name(w, event.name);
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = {.size = sizeof(attr)};
		struct buf name = {0};

		if (pfm_get_event_attr_info(idx, i, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		buf_printf(&name, "%s.%s", event.name, attr.name);
		tell_name(w, buf_text(&name));
		buf_free(&name);
	}
}

/* Finds libpfm4's PMU of that name; returns false if there is none. */
static bool find_pfm_pmu(const char *name, pfm_pmu_info_t *info)
{
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		*info = (pfm_pmu_info_t){.size = sizeof(*info)};
		if (pfm_get_pmu_info((pfm_pmu_t)i, info) == PFM_SUCCESS &&
		    !strcmp(info->name, name))
			return true;
	}
	return false;
}

int event_names_each(const struct uarch *uarch, bool ht_on, const struct evfile *file,
		     void (*visit)(void *ctx, const struct event_name *name), void *ctx,
		     struct reason *why)
{
	struct walk w = {.uarch = uarch,
			 .guest = guest_of(uarch),
			 .ht_on = ht_on,
			 .file = file,
			 .visit = visit,
			 .ctx = ctx};
	pfm_pmu_info_t info;
	int err = events_init(why);

	if (err)
		return err;
	if (file)
		tell_file(&w);
	tell_published(&w);
	if (*uarch->pfm && find_pfm_pmu(uarch->pfm, &info))
		for (int i = info.first_event; i != -1; i = pfm_get_event_next(i))
			tell_event(&w, i);
	return w.n;
}

struct words {
	void (*visit)(void *ctx, const char *name);
	void *ctx;
};

static void tell_lowered(void *ctx, const struct event_name *event)
{
	const struct words *to = ctx;
	char *name = copy_text(event->name, strlen(event->name));

	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	to->visit(to->ctx, name);
	free(name);
}

void event_words_each(const struct guest_uarch *guest, void (*visit)(void *ctx, const char *name),
		      void *ctx)
{
	const struct uarch *uarch = guest ? uarch_by_name(guest->name) : NULL;
	const struct pmu_event_name *generic;
	struct words to = {visit, ctx};
	struct reason ignored;

	for (size_t i = 0; (generic = pmu_event_names(i)); i++)
		visit(ctx, generic->name);
	if (uarch)
		event_names_each(uarch, true, NULL, tell_lowered, &to, &ignored);
}
