// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_repeat.c - a loop that runs for long. Each iteration starts from a state of the core. If
 * that state, seen from the present cycle, was there before, everything in between repeats: the
 * times move on by whole periods. Times that have passed are all the same.
 */
#include "vpmu/core/core_state.h"

#include <string.h>

#define LOOKED_AT 4096 /* iterations in which a period is sought */
#define WORTH     64   /* iterations; fewer are stepped */
#define WORDS     8192

struct view {
	uint32_t n;
	uint64_t words[WORDS];
};

static void see(struct view *v, uint64_t word)
{
	v->words[v->n++] = word;
}

/* A time that nothing waits for any more is 0. */
static void see_time(struct view *v, const struct core *core, uint64_t at)
{
	see(v, at > core->now ? at - core->now : 0);
}

static void see_ring(struct view *v, const struct core *core, const struct core_ring *ring,
		     uint32_t entries)
{
	for (uint32_t ago = entries; ago > 0; ago--)
		see_time(v, core, core_ring_at(ring, ago));
}

static void see_frontend(struct view *v, const struct core *core)
{
	const struct core_frontend *f = &core->front;
	const struct core_shape *s = core->shape;
	const uint32_t times = f->loop_length ? core_loop_times(s, f->loop_length) : 0;

	see(v, f->cycle - core->now);
	see(v, f->delivered | (uint64_t)f->from_cache << 32 | (uint64_t)f->from_loop << 33 |
		       (uint64_t)f->restarts << 34 | (uint64_t)f->taken << 35 |
		       (uint64_t)f->building_bad << 36 | (uint64_t)f->other_bad << 37);
	see(v, f->entry);
	see(v, core_predicted_ago(f));
	see(v, f->branch);
	see(v, f->window);
	see(v, f->line);
	see(v, f->from_cache && f->marks_at < f->cycle ? 0 : f->marks_at - core->now);
	see(v, f->block);
	see(v, f->marked | (uint64_t)f->more_cycles << 16 | (uint64_t)f->hidden << 32 |
		       (uint64_t)(f->line_begins == f->cycle) << 62 |
		       (uint64_t)(f->second_line == f->cycle) << 63);
	see(v, f->decoded_at);
	for (unsigned i = 0; i < CORE_SOURCES_OF_UOPS; i++)
		see(v, f->in_cycle[i]);
	see(v, f->looped_at - core->now);
	see(v, f->switched ? f->switched - core->now : 0);
	see(v, f->decodes_at < f->cycle ? 0 : f->decodes_at - core->now);
	see(v, f->decoders | (uint64_t)f->decoders_most << 32);
	see(v, f->building);
	see(v, f->building_uops);
	see(v, f->loop_start);
	see(v, f->loop_end);
	see(v, f->loop_uops);
	see(v, f->loop_length);
	see(v, f->loop_rounds < 2 ? f->loop_rounds : 2 + f->loop_rounds % (times ? times : 1));
	see(v, f->changes + f->target_changes);
	see(v, f->code_line);
	see_ring(v, core, &f->queue, s->queue);
}

/* Units are booked up to the last cycle that something executes in. */
static void see_units(struct view *v, const struct core *core)
{
	for (unsigned i = 0; i < CORE_UNITS; i++) {
		see_time(v, core, core_full_until(core, i));
		see_time(v, core, core->free_at[i]);
		see(v, core->load[i] >> CORE_PENDING);
	}
	see(v, core->waiting);
	for (unsigned i = 0; i < core->nfar; i++)
		see(v, core->far[i] - core->now);
	for (unsigned i = 1; i < CORE_SPAN; i++) {
		const uint64_t booked = core->booked[(core->now + i) % CORE_SPAN];

		if (booked)
			see(v, (uint64_t)i << 48 | booked);
	}
}

static void see_retirement(struct view *v, const struct core *core)
{
	const uint32_t entries = core->shape->reorder;

	for (uint32_t ago = entries; ago > 0; ago--) {
		const uint64_t entry = core_ring_at(&core->reorder, ago);

		see(v, entry >> CORE_CAUSE > core->now ? entry - (core->now << CORE_CAUSE) : 0);
	}
	see_time(v, core, core->retired);
	see(v, core->retired > core->now ? core->retired_then : 0);
	see_ring(v, core, &core->loads, core->shape->loads);
	see_ring(v, core, &core->stores, core->shape->stores);
	see_ring(v, core, &core->stores_retired, core->shape->stores);
	see_time(v, core, core->stored);
}

static void see_core(struct view *v, const struct core *core)
{
	v->n = 0;
	see(v, core->slot | (uint64_t)core->stack_moved << 32);
	see(v, core->limited_at == core->now ? core->alus | core->accesses << 16 : 0);
	see_time(v, core, core->speculates_until);
	see_time(v, core, core->barrier);
	for (unsigned i = 0; i < CORE_REGISTERS; i++)
		see_time(v, core, core->ready[i]);
	see(v, core->by_load);
	see_ring(v, core, &core->buffered, core->shape->buffer);
	see_frontend(v, core);
	see_units(v, core);
	see_retirement(v, core);
}

/* --- Later --- */

static void move_ring(struct core_ring *ring, uint64_t now, uint64_t cycles)
{
	for (unsigned i = 0; i < CORE_REORDER; i++)
		if (ring->at[i] > now)
			ring->at[i] += cycles;
}

static void move_reorder(struct core_ring *ring, uint64_t now, uint64_t cycles)
{
	for (unsigned i = 0; i < CORE_REORDER; i++)
		if (ring->at[i] >> CORE_CAUSE > now)
			ring->at[i] += cycles << CORE_CAUSE;
}

static void move_time(uint64_t *at, uint64_t now, uint64_t cycles)
{
	if (*at > now)
		*at += cycles;
}

/* Booked cycles are found by their number, so they move to the places of the later cycles. */
static void move_units(struct core *core, uint64_t cycles)
{
	uint64_t booked[CORE_SPAN];

	memcpy(booked, core->booked, sizeof(booked));
	for (unsigned i = 0; i < CORE_SPAN; i++)
		core->booked[(i + cycles) % CORE_SPAN] = booked[i];
	for (unsigned i = 0; i < CORE_UNITS; i++) {
		if (core_full_until(core, i) > core->now)
			core->load[i] += cycles << CORE_FULL;
		move_time(&core->free_at[i], core->now, cycles);
	}
	for (unsigned i = 0; i < core->nfar; i++)
		core->far[i] += cycles;
}

static void move_frontend(struct core_frontend *f, uint64_t now, uint64_t cycles)
{
	f->cycle += cycles;
	f->line_begins += cycles;
	f->second_line += cycles;
	f->marks_at += cycles;
	f->decodes_at += cycles;
	move_ring(&f->queue, now, cycles);
	for (unsigned i = 0; i < CORE_LINES_AHEAD; i++)
		f->lines[i] += cycles;
}

static void move_core(struct core *core, uint64_t cycles)
{
	const uint64_t now = core->now;

	move_units(core, cycles);
	move_frontend(&core->front, now, cycles);
	move_ring(&core->buffered, now, cycles);
	move_reorder(&core->reorder, now, cycles);
	move_ring(&core->loads, now, cycles);
	move_ring(&core->stores, now, cycles);
	move_ring(&core->stores_retired, now, cycles);
	for (unsigned i = 0; i < CORE_REGISTERS; i++)
		move_time(&core->ready[i], now, cycles);
	move_time(&core->speculates_until, now, cycles);
	move_time(&core->barrier, now, cycles);
	move_time(&core->not_before, now, cycles);
	move_time(&core->retired, now, cycles);
	move_time(&core->stored, now, cycles);
	core->now += cycles;
	core->limited_at += cycles;
}

/* --- Counts of a period --- */

struct tally_of_loop {
	uint64_t now;
	struct core_sums sums;
};

static struct tally_of_loop tally_loop(const struct core *core)
{
	return (struct tally_of_loop){core->now, core->sum};
}

static void add_periods(struct core *core, const struct tally_of_loop *before, uint64_t times)
{
	uint64_t *sums = (uint64_t *)&core->sum;
	const uint64_t *then = (const uint64_t *)&before->sums;

	for (unsigned i = 0; i < sizeof(core->sum) / sizeof(*sums); i++)
		sums[i] += (sums[i] - then[i]) * times;
	move_core(core, (core->now - before->now) * times);
}

/* --- The loop --- */

static void iterate(struct core *core, const struct core_insn *const *insns, unsigned ninsns,
		    uint64_t va)
{
	for (unsigned i = 0; i < ninsns; i++) {
		core_step(core, insns[i], va, NULL, i + 1 == ninsns, false);
		va += insns[i]->bytes;
	}
}

/* Steps until the state is one that was there before; returns the iterations that are left. */
static uint64_t find_period(struct core *core, const struct core_insn *const *insns,
			    unsigned ninsns, uint64_t va, uint64_t n)
{
	static _Thread_local struct view kept, present;
	struct tally_of_loop before = tally_loop(core);
	uint64_t since = 0, next = 1;

	see_core(&kept, core);
	for (unsigned i = 1; n && i < LOOKED_AT; i++) {
		iterate(core, insns, ninsns, va);
		n--;
		see_core(&present, core);
		if (present.n == kept.n &&
		    !memcmp(present.words, kept.words, kept.n * sizeof(*kept.words))) {
			add_periods(core, &before, n / (i - since));
			return n % (i - since);
		}
		if (i != next)
			continue;
		kept = present;
		before = tally_loop(core);
		since = i;
		next *= 2;
	}
	return n;
}

void core_repeat(struct core *core, const struct core_insn *const *insns, unsigned ninsns,
		 uint64_t va, uint64_t n)
{
	if (n > WORTH)
		n = find_period(core, insns, ninsns, va, n);
	for (; n; n--)
		iterate(core, insns, ninsns, va);
}
