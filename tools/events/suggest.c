// SPDX-License-Identifier: BSD-2-Clause
/* suggest.c - see suggest.h. */
#include "tools/events/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/near.h"
#include "pmu/names/parse.h"
#include "tools/events/eventnames.h"

#define NAME_MOST 128 /* of names that are compared */

struct suggestion {
	const char *typed;
	char *out;
	size_t size;
	bool found;
};

static void lower_copy(char *to, const char *from)
{
	size_t n = 0;

	for (; n < NAME_MOST - 1 && from[n]; n++)
		to[n] = (char)tolower((unsigned char)from[n]);
	to[n] = '\0';
}

/* The first that is near; capitals do not count. */
static void look_at(struct suggestion *s, const char *name)
{
	char typed[NAME_MOST], known[NAME_MOST];

	if (s->found || !name)
		return;
	lower_copy(typed, s->typed);
	lower_copy(known, name);
	s->found = near_word(typed, strlen(typed), known);
	if (s->found)
		snprintf(s->out, s->size, "%s", name);
}

static void on_candidate_name(void *ctx, const struct event_name *e)
{
	look_at(ctx, e->name);
}

bool event_suggest(const char *typed, const struct uarch *uarch, char *out, size_t size)
{
	struct suggestion s = {.typed = typed, .out = out, .size = size};
	const struct pmu_event_name *e;
	struct reason ignored;

	for (size_t i = 0; (e = pmu_event_names(i)); i++) {
		look_at(&s, e->name);
		look_at(&s, e->alias);
	}
	if (!s.found && uarch)
		event_names_each(uarch, true, NULL, on_candidate_name, &s, &ignored);
	return s.found;
}
