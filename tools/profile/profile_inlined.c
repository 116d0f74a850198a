// SPDX-License-Identifier: BSD-2-Clause
/* profile_inlined.c - see profile_inlined.h. */
#include "tools/profile/profile_inlined.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/profile/profile_match.h"

/* Returns whether a function of that name is inlined between `inner` and `outer`. */
static bool is_inside_itself(const struct inlined *inner, const struct inlined *outer)
{
	for (; inner != outer; inner = inner->outer)
		if (!strcmp(inner->name, outer->name))
			return true;
	return false;
}

/* Adds costs of an instruction, or of a call, to all inlined functions around it. */
static void add_around(struct buf *out, uint32_t row, const struct inlined *inner,
		       const struct profile_sum *sum, bool is_call, const char *patterns)
{
	for (const struct inlined *at = inner; at; at = at->outer) {
		struct profile_inlined one = {.row = row, .name = at->name, .inclusive = *sum};

		if (is_inside_itself(inner, at) || !profile_name_matches(patterns, at->name))
			continue;
		if (at == inner && !is_call)
			one.self = *sum;
		buf_add(out, &one, sizeof(one));
	}
}

static int compare_inlined(const void *a, const void *b)
{
	const struct profile_inlined *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void merge_inlined(struct buf *out)
{
	struct profile_inlined *one = (void *)out->data;
	const size_t n = out->size / sizeof(*one);
	size_t kept = 0;

	if (n)
		qsort(one, n, sizeof(*one), compare_inlined);
	for (size_t i = 0; i < n; i++) {
		if (!kept || compare_inlined(&one[kept - 1], &one[i])) {
			one[kept++] = one[i];
			continue;
		}
		profile_add(&one[kept - 1].self, &one[i].self);
		profile_add(&one[kept - 1].inclusive, &one[i].inclusive);
	}
	out->size = kept * sizeof(*one);
}

void profile_inlined(struct buf *out, const struct profile *profile,
		     const struct profile_lines *lines, const char *patterns)
{
	for (size_t i = 0; i < lines->n; i++)
		add_around(out, lines->line[i].row, lines->line[i].at.inlined, &lines->line[i].self,
			   false, patterns);
	for (size_t i = 0; i < profile->ncalls && lines->n; i++)
		if (profile->call[i].caller != PROFILE_NO_ROW)
			add_around(out, profile->call[i].caller, lines->of_call[i].inlined,
				   &profile->call[i].inclusive, true, patterns);
	merge_inlined(out);
}
