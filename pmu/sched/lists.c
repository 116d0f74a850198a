// SPDX-License-Identifier: BSD-2-Clause
/*
 * lists.c - the group lists of tick.h: the events of a group, the groups of a context, and the
 * cached properties of a group.
 */
#include "pmu/sched/tick.h"

#include <stddef.h>

void pmu_tick_append(struct pmu_tick_group *g, struct pmu_tick_event *e)
{
	struct pmu_tick_event **at = &g->events;

	while (*at)
		at = &(*at)->next;
	e->next = NULL;
	*at = e;
	g->n++;
}

void pmu_tick_unlink(struct pmu_tick_group *g, struct pmu_tick_event *e)
{
	struct pmu_tick_event **at = &g->events;

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	g->n--;
}

static struct pmu_tick_group **list_of(struct pmu_tick_context *context,
				       const struct pmu_tick_group *g)
{
	return g->pinned ? &context->pinned : &context->flexible;
}

void pmu_tick_insert(struct pmu_tick_context *context, struct pmu_tick_group *g)
{
	struct pmu_tick_group **list = list_of(context, g), *head = *list;

	g->context = context;
	pmu_tick_group_update(g);
	if (!head) {
		g->prev = g->next = g;
		*list = g;
		return;
	}
	g->prev = head->prev;
	g->next = head;
	g->prev->next = head->prev = g;
}

void pmu_tick_remove(struct pmu_tick_context *context, struct pmu_tick_group *g)
{
	struct pmu_tick_group **list = list_of(context, g);

	if (*list == g)
		*list = g->next == g ? NULL : g->next;
	g->prev->next = g->next;
	g->next->prev = g->prev;
	g->context = NULL;
	context->same = false;
	context->multiplex &= context->flexible != NULL;
}

/* True where the group has one event that needs nothing but one of its counters. */
static bool is_plain_group(const struct pmu_tick_group *g)
{
	return g->n == 1 && g->nhardware == 1 && !g->exclusive && !g->corrupting && !g->extras &&
	       !g->events->northbridge;
}

void pmu_tick_group_update(struct pmu_tick_group *g)
{
	g->nhardware = 0;
	g->hardware = false;
	g->corrupting = false;
	g->extras = false;
	pmu_tick_each_event (e, g) {
		g->hardware |= e->hardware;
		if (!pmu_tick_participates(g, e))
			continue;
		g->nhardware += 1 + e->pair;
		g->corrupting |= e->corrupting;
		g->extras |= e->extra.registers || e->branches.registers;
	}
	g->turns = g->hardware && g->enabled && !g->error && !g->asleep;
	g->plain = g->turns && is_plain_group(g);
	if (g->context)
		g->context->same = false;
}

void pmu_tick_forget(struct pmu_tick *t, struct pmu_tick_event *e)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < t->n; i++)
		if (t->running[i] != e)
			t->running[kept++] = t->running[i];
	t->n = kept;
}
