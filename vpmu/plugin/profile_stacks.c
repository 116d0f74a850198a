// SPDX-License-Identifier: BSD-2-Clause
/* profile_stacks.c - see profile_stacks.h. */
#include "vpmu/plugin/profile_stacks.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_FIRST 16
#define STACKS_FIRST 64

/* A frame's return address may lie above the highest known one by this many bytes. */
#define ABOVE 64

/* All stacks, sorted by space and highest address. */
static struct {
	struct stack **at;
	size_t n, room;
} stacks;

static void *grow_array(void *array, size_t n, size_t bytes)
{
	array = realloc(array, n * bytes);
	if (!array)
		abort();
	return array;
}

/* --- The sorted array --- */

/* The index of the first stack that does not lie below `high`. */
static size_t first_above(uint64_t space, uint64_t high)
{
	size_t low = 0, end = stacks.n;

	while (low < end) {
		const size_t middle = low + (end - low) / 2;
		const struct stack *s = stacks.at[middle];

		if (s->space < space || (s->space == space && s->high < high))
			low = middle + 1;
		else
			end = middle;
	}
	return low;
}

static size_t index_of(const struct stack *s)
{
	size_t i = first_above(s->space, s->high);

	while (stacks.at[i] != s)
		i++;
	return i;
}

static void insert(struct stack *s)
{
	const size_t at = first_above(s->space, s->high);

	if (stacks.n == stacks.room) {
		stacks.room = stacks.room ? 2 * stacks.room : STACKS_FIRST;
		stacks.at = grow_array(stacks.at, stacks.room, sizeof(*stacks.at));
	}
	memmove(&stacks.at[at + 1], &stacks.at[at], (stacks.n - at) * sizeof(*stacks.at));
	stacks.at[at] = s;
	stacks.n++;
}

static void remove_stack(const struct stack *s)
{
	const size_t at = index_of(s);

	stacks.n--;
	memmove(&stacks.at[at], &stacks.at[at + 1], (stacks.n - at) * sizeof(*stacks.at));
}

static void raise(struct stack *s, uint64_t high)
{
	remove_stack(s);
	s->high = high;
	insert(s);
}

struct stack *stacks_find(uint64_t space, uint64_t sp)
{
	size_t at = first_above(space, sp > ABOVE ? sp - ABOVE : 1);

	return at < stacks.n && stacks.at[at]->space == space ? stacks.at[at] : NULL;
}

struct stack *stacks_next(const struct stack *s)
{
	const size_t at = s ? index_of(s) + 1 : 0;

	return at < stacks.n ? stacks.at[at] : NULL;
}

/* --- A stack --- */

struct stack *stacks_new(uint64_t space, const struct costs *total)
{
	struct stack *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	s->space = space;
	stacks_run(s, total);
	insert(s);
	return s;
}

void stacks_drop(struct stack *s)
{
	remove_stack(s);
	free(s->frame);
	free(s);
}

void stacks_drop_space(uint64_t space, stacks_frame_cb *given)
{
	size_t i = first_above(space, 0);

	while (i < stacks.n && stacks.at[i]->space == space) {
		struct stack *s = stacks.at[i];

		if (s->total) {
			i++;
			continue;
		}
		while (s->n)
			given(s, &s->frame[--s->n]);
		stacks_drop(s);
	}
}

void stacks_push(struct stack *s, const struct frame *frame)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : FRAMES_FIRST;
		s->frame = grow_array(s->frame, s->room, sizeof(*s->frame));
	}
	s->frame[s->n++] = *frame;
	if (frame->stack > s->high && frame->stack != UINT64_MAX)
		raise(s, frame->stack);
}

void stacks_move(struct stack *s, uint64_t by)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->frame[i].stack != UINT64_MAX)
			s->frame[i].stack += by;
	raise(s, s->high + by);
}

uint64_t stacks_top(const struct stack *s)
{
	const uint64_t top = s->n ? s->frame[s->n - 1].stack : UINT64_MAX;

	return top == UINT64_MAX && s->high ? s->high : top;
}

/* --- Costs --- */

void stacks_costs(const struct stack *s, struct costs *out)
{
	*out = s->before;
	for (uint32_t i = 0; s->total && i < PROFILE_COSTS; i++)
		out->n[i] += s->total->n[i] - s->began.n[i];
}

void stacks_suspend(struct stack *s)
{
	struct costs now;

	stacks_costs(s, &now);
	s->before = now;
	s->total = NULL;
}

void stacks_run(struct stack *s, const struct costs *total)
{
	s->total = total;
	s->began = *total;
}
