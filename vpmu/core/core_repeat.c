// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_repeat.c - a loop that runs for long. Each iteration starts from a state of the core. If
 * that state, seen from the present cycle, was there before, everything in between repeats: the
 * times move on by whole periods. Times that have passed are all the same, as long as nothing
 * compares them with one another.
 *
 * Whether a period is found decides how long that takes, and no count. The search keeps the states
 * of iterations 16, 32, 64 and so on. Some loops have no period of any use: units are chosen by how
 * busy they are, which may take 100,000 iterations to repeat.
 */
#include "vpmu/core/core_state.h"

#include <string.h>

#define LINE       64
#define WORTH      64 /* iterations; fewer are stepped */
#define KEPT_FIRST 16 /* the iteration whose state is kept first */
#define WORDS      8192
#define QUIET_MOST (1u << 20) /* iterations without a search */

struct loop {
	const struct core_insn *const *insns;
	unsigned ninsns;
	uint64_t va;
	bool spans_lines; /* each iteration notes its lines of code */
};

/* --- A state --- */

struct view {
	uint32_t n;
	uint64_t words[WORDS];
};

static void see(struct view *v, uint64_t word)
{
	v->words[v->n++] = word;
}

/* A time up to `base` is as good as that. */
static void see_after(struct view *v, uint64_t base, uint64_t at)
{
	see(v, at > base ? at - base : 0);
}

/* A time that nothing waits for any more is 0. */
static void see_time(struct view *v, const struct core *core, uint64_t at)
{
	see_after(v, core->now, at);
}

/* The entries are in the order of their times. */
static void see_ring(struct view *v, const struct core_ring *ring, uint64_t base, unsigned shift)
{
	for (uint32_t ago = 1; ago <= ring->size; ago++) {
		const uint64_t at = core_ring_at(ring, ago);

		if (at >> shift <= base)
			break;
		see(v, at - (base << shift));
	}
	see(v, 0);
}

static void see_rename(struct view *v, const struct core *core, const struct loop *loop)
{
	(void)loop;
	see(v, core->slot | (uint64_t)core->waiting << 32);
	see(v, core->front.cycle - core->now);
	see_time(v, core, core->retired);
	see(v, core->retired > core->now ? core->retired_then : 0);
}

/* Operations that rename counts in this cycle, or that the last one left over. */
static uint64_t renamed(const struct core *core)
{
	if (core->limited_at == core->now)
		return core->alus | core->accesses << 16;
	if (core->limited_at + 1 == core->now && core->alus > core->shape->alus)
		return (uint64_t)core->alus << 32;
	return 0;
}

static void see_registers(struct view *v, const struct core *core, const struct loop *loop)
{
	(void)loop;
	see(v, core->stack_moved | (uint64_t)core->by_load << 32);
	see(v, renamed(core));
	see_time(v, core, core->speculates_until);
	see_time(v, core, core->barrier);
	for (unsigned i = 0; i < CORE_REGISTERS; i++)
		see_time(v, core, core->ready[i]);
}

/* The place of the unit in the order of their last bookings: of two units that nothing waits for,
 * that which was booked longer ago is chosen. */
static uint64_t rank_of(const struct core *core, unsigned unit)
{
	const uint64_t below = (1ull << CORE_PENDING) - 1, own = core->load[unit] & below;
	uint64_t rank = 0;

	for (unsigned i = 0; i < CORE_UNITS; i++)
		rank += (core->load[i] & below) < own;
	return rank;
}

static bool is_untouched(const struct core *core, unsigned unit)
{
	return core->load[unit] == unit && !core->free_at[unit];
}

static void see_units(struct view *v, const struct core *core, const struct loop *loop)
{
	(void)loop;
	for (unsigned i = 0; i < CORE_UNITS; i++) {
		const uint64_t full = core_full_until(core, i);

		if (is_untouched(core, i))
			continue;
		see(v, core->load[i] >> CORE_PENDING << CORE_UNITS | i);
		see(v, full > core->now ? full - core->now : rank_of(core, i) << CORE_UNITS);
		see_time(v, core, core->free_at[i]);
	}
}

/* Units are booked up to the last cycle that something executes in. */
static void see_booked(struct view *v, const struct core *core, const struct loop *loop)
{
	(void)loop;
	for (unsigned i = 0; i < core->nfar; i++)
		see(v, core->far[i] - core->now);
	for (unsigned i = 1; i < CORE_SPAN; i++) {
		const uint64_t booked = core->booked[(core->now + i) % CORE_SPAN];

		if (!booked)
			continue;
		see(v, i);
		see(v, booked);
	}
}

/* The cycles up to which it is of no importance when the decoders took instructions. If the op
 * cache delivers, the predecoder begins anew behind it. */
static uint64_t marked_until(const struct core_frontend *f)
{
	return f->from_cache && f->marks_at + CORE_MARK_TO_DECODE < f->cycle
		       ? f->cycle - CORE_MARK_TO_DECODE
		       : f->marks_at;
}

static void see_lines(struct view *v, const struct core *core)
{
	const struct core_frontend *f = &core->front;

	for (unsigned i = 0; i < CORE_LINES_AHEAD; i++)
		see(v, f->lines[(f->line_at + i) % CORE_LINES_AHEAD] - core->now);
}

static void see_frontend(struct view *v, const struct core *core, const struct loop *loop)
{
	const struct core_frontend *f = &core->front;
	const uint32_t times = f->loop_length ? core_loop_times(core->shape, f->loop_length) : 0;

	see(v, f->delivered | (uint64_t)f->from_cache << 32 | (uint64_t)f->from_loop << 33 |
		       (uint64_t)f->restarts << 34 | (uint64_t)f->taken << 35 |
		       (uint64_t)f->building_bad << 36 | (uint64_t)f->other_bad << 37);
	see(v, f->entry);
	see(v, core_predicted_ago(f));
	see(v, f->branch);
	see(v, f->window);
	see(v, f->line);
	see(v, marked_until(f) - core->now);
	see(v, f->block);
	see(v, f->marked | (uint64_t)f->more_cycles << 16 | (uint64_t)f->hidden << 32 |
		       (uint64_t)(f->line_begins == f->cycle) << 62 |
		       (uint64_t)(f->second_line == f->cycle) << 63);
	see(v, f->decoded_at);
	for (unsigned i = 0; i < CORE_SOURCES_OF_UOPS; i++)
		see(v, f->in_cycle[i]);
	see(v, f->looped_at >= core->now ? f->looped_at - core->now + 1 : 0);
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
	see_ring(v, &core->buffered, f->cycle, 0);
	see_ring(v, &f->queue, marked_until(f), 0);
	if (loop->spans_lines)
		see_lines(v, core);
}

static void see_retirement(struct view *v, const struct core *core, const struct loop *loop)
{
	(void)loop;
	see_ring(v, &core->reorder, core->now, CORE_CAUSE);
	see_ring(v, &core->loads, core->now, 0);
	see_ring(v, &core->stores, core->now, 0);
	see_ring(v, &core->stores_retired, core->now, 0);
	see_time(v, core, core->stored);
}

/* All that the core's future depends on. The parts that differ most often come first. */
typedef void see_part(struct view *v, const struct core *core, const struct loop *loop);
static see_part *const parts[] = {see_rename,   see_registers, see_units,
				  see_frontend, see_booked,    see_retirement};
#define PARTS (sizeof(parts) / sizeof(*parts))

static void keep_state(struct view *v, const struct core *core, const struct loop *loop)
{
	v->n = 0;
	for (unsigned i = 0; i < PARTS; i++)
		parts[i](v, core, loop);
}

/* Whether the state is the kept one. */
static bool is_kept_state(const struct view *kept, const struct core *core, const struct loop *loop)
{
	static _Thread_local struct view v;
	uint32_t from = 0;

	v.n = 0;
	for (unsigned i = 0; i < PARTS; i++, from = v.n) {
		parts[i](&v, core, loop);
		if (v.n > kept->n ||
		    memcmp(&v.words[from], &kept->words[from], (v.n - from) * sizeof(*v.words)))
			return false;
	}
	return v.n == kept->n;
}

/* --- Later --- */

static void move_ring(struct core_ring *ring, uint64_t base, uint64_t cycles, unsigned shift)
{
	for (uint32_t ago = 1; ago <= ring->size; ago++) {
		uint64_t *at = &ring->at[(ring->next - ago) & ring->mask];

		if (*at >> shift <= base)
			break;
		*at += cycles << shift;
	}
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

static void move_frontend(struct core_frontend *f, uint64_t cycles, const struct loop *loop)
{
	move_ring(&f->queue, marked_until(f), cycles, 0);
	f->cycle += cycles;
	f->line_begins += cycles;
	f->second_line += cycles;
	f->marks_at += cycles;
	f->decodes_at += cycles;
	f->predicted += cycles;
	f->looped_at += cycles;
	if (f->switched)
		f->switched += cycles;
	for (unsigned i = 0; loop->spans_lines && i < CORE_LINES_AHEAD; i++)
		f->lines[i] += cycles;
}

static void move_core(struct core *core, uint64_t cycles, const struct loop *loop)
{
	const uint64_t now = core->now;

	move_units(core, cycles);
	move_ring(&core->buffered, core->front.cycle, cycles, 0);
	move_frontend(&core->front, cycles, loop);
	move_ring(&core->reorder, now, cycles, CORE_CAUSE);
	move_ring(&core->loads, now, cycles, 0);
	move_ring(&core->stores, now, cycles, 0);
	move_ring(&core->stores_retired, now, cycles, 0);
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

static void add_periods(struct core *core, const struct tally_of_loop *before, uint64_t times,
			const struct loop *loop)
{
	uint64_t *sums = (uint64_t *)&core->sum;
	const uint64_t *then = (const uint64_t *)&before->sums;

	for (unsigned i = 0; i < sizeof(core->sum) / sizeof(*sums); i++)
		sums[i] += (sums[i] - then[i]) * times;
	move_core(core, (core->now - before->now) * times, loop);
}

/* --- The loop --- */

static void iterate(struct core *core, const struct loop *loop, uint64_t n)
{
	for (; n; n--) {
		struct core_run run = {
			.insns = loop->insns, .va = loop->va, .end = loop->ninsns, .taken = true};

		core_step_run(core, &run);
	}
}

/* Steps until the state is one that was there before, and counts the periods that follow. Returns
 * the iterations that are left; `found`: there was such a state. */
static uint64_t find_period(struct core *core, const struct loop *loop, uint64_t n, bool *found)
{
	static _Thread_local struct view kept;
	struct tally_of_loop before;
	uint64_t since = 0;

	iterate(core, loop, KEPT_FIRST);
	n -= KEPT_FIRST;
	for (uint64_t i = KEPT_FIRST, next = i; n; i++, n--) {
		*found = since && is_kept_state(&kept, core, loop);
		if (*found) {
			add_periods(core, &before, n / (i - since), loop);
			return n % (i - since);
		}
		if (i == next) {
			keep_state(&kept, core, loop);
			before = tally_loop(core);
			since = i;
			next *= 2;
		}
		iterate(core, loop, 1);
	}
	return 0;
}

static struct core_quiet *quiet_of(struct core *core, uint64_t va)
{
	struct core_quiet *q = &core->quiet[(va ^ va >> 5) % CORE_QUIET];

	if (q->va != va)
		*q = (struct core_quiet){.va = va};
	return q;
}

/* Where a search was in vain, the next one begins after about as many iterations as all before it
 * have taken. */
static uint64_t search(struct core *core, const struct loop *loop, uint64_t n)
{
	struct core_quiet *q = quiet_of(core, loop->va);
	const uint64_t quiet = n < q->left ? n : q->left, all = n - quiet;
	bool found = false;

	iterate(core, loop, quiet);
	q->left -= (uint32_t)quiet;
	if (all <= WORTH)
		return all;
	n = find_period(core, loop, all, &found);
	q->pause = found ? 0
			 : (uint32_t)(2 * q->pause + all < QUIET_MOST ? 2 * q->pause + all
								      : QUIET_MOST);
	q->left = q->pause;
	return n;
}

static bool spans_lines(const struct loop *loop)
{
	uint64_t va = loop->va;

	for (unsigned i = 0; i < loop->ninsns; va += loop->insns[i++]->bytes)
		if (va / LINE != loop->va / LINE)
			return true;
	return false;
}

void core_repeat(struct core *core, const struct core_insn *const *insns, unsigned ninsns,
		 uint64_t va, uint64_t n)
{
	struct loop loop = {.insns = insns, .ninsns = ninsns, .va = va};

	loop.spans_lines = spans_lines(&loop);
	if (n > WORTH)
		n = search(core, &loop, n);
	iterate(core, &loop, n);
}
