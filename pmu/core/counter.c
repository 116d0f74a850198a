// SPDX-License-Identifier: BSD-2-Clause
/*
 * counter.c - 64-bit counts from counters of fewer bits, and the assignment of counters to events.
 *
 * A counter is set to minus the occurrences until the next overflow, or to minus the largest reload
 * if that is less. The count advances by differences modulo the counter's width. A counter
 * interrupts at the latest after half of its range, so no difference is ambiguous.
 *
 * pmu_counters_out() and pmu_counters_in() make up most of the cost of a time slice. They call
 * nothing but the driver, and divide once.
 */
#include "pmu/core/counter.h"

#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/core/firmware_conflict.h"
#include "pmu/core/branches.h"
#include "pmu/core/topdown.h"
#include "pmu/core/precise.h"
#include "pmu/state/slices.h"

#include <stddef.h>

/*
 * PPRs of families 17h and 19h, "Large Increment per Cycle Events": the odd counter with this
 * select holds the upper bits of the even counter below it.
 */
#define MERGE (UARCH_AMD_SELECT(0xfff, 0) | EVTSEL_EN)

void pmu_hardware_update(struct pmu_event *e)
{
	pmu_counter_update(e);
}

/*
 * Leaves a precise event alone: records may be pending, and precise.c reloads its counter after the
 * last one.
 */
void pmu_hardware_reload(struct pmu_event *e)
{
	if (e->pebs)
		return;
	pmu_counter_update(e);
	pmu_counter_load(e);
}

/* For a precise event, pending records count, too. */
uint64_t pmu_hardware_count(const struct pmu_event *e)
{
	uint64_t prev, count, now;

	if (!e->pebs)
		return pmu_counter_count(e);
	do {
		prev = local_load(&e->prev);
		count = local_load(&e->count);
		now = rdpmc(e->place->rdpmc);
	} while (local_load(&e->prev) != prev || local_load(&e->count) != count);
	return count + pmu_precise_since(e, prev, now);
}

static void set_register(unsigned number, uint32_t msr, uint64_t value)
{
	struct pmu_register *reg = &pmu.registers[number];

	if (!reg->known || reg->value != value)
		wrmsr(msr, value);
	*reg = (struct pmu_register){.value = value, .known = true};
}

/* Returns the event select that fits the register beside the counter, and sets that register. */
static uint64_t with_register(struct pmu_event *e)
{
	const struct uarch_extra *row = e->extra;
	uint64_t config = e->config;

	if (row->reg != e->tick.extra.reg) {
		config = (config & ~row->mask) | row->alternative;
		row = e->other_extra;
	}
	set_register(row->reg, row->msr, e->tick.extra.value);
	e->reg = row->reg;
	return config;
}

/* The upper counter counts nothing by itself. It is on while the event has it. */
static void start_upper(const struct pmu_event *e)
{
	wrmsr(e->place->control + pmu.driver->stride, MERGE);
	pmu.counters.upper |= 2ull << e->place->index;
}

static inline void write_select(const struct pmu_place *place, uint64_t counter, uint64_t config)
{
	const uint64_t enabled = config | place->enable;

	pmu.counters.wrote[counter] = enabled;
	if (place->enable)
		wrmsr(place->control, enabled);
	else
		pmu.driver->program(place, config);
}

/* Writes the event select, the event's register, and its upper counter. */
static inline void program_event(struct pmu_event *e)
{
	uint64_t config = e->config;

	if (e->tick.extra.registers)
		config = with_register(e);
	if (e->tick.pair)
		start_upper(e);
	write_select(e->place, e->place->index, config);
}

/* The counters that come into use, as masks. */
struct arrivals {
	uint64_t used, sampling, in_ring_0;
};

static inline __attribute__((always_inline)) void put_on(struct pmu_event *e, struct arrivals *a)
{
	uint64_t bit = 1ull << e->place->index;

	pmu.counters.on[e->place->index] = e;
	if (__builtin_expect(e->pebs, 0)) {
		pmu_precise_load(e);
		pmu_precise_start(e);
	} else {
		pmu_counter_load(e);
		a->sampling |= e->period ? bit : 0;
	}
	program_event(e);
	if (__builtin_expect(e->branches, 0)) {
		set_register(UARCH_LBR_SELECT, uarch_branches(pmu.uarch)->msr,
			     e->tick.branches.value);
		pmu_branches_use(e);
	}
	a->used |= bit;
	a->in_ring_0 |= e->config & EVTSEL_OS ? bit : 0;
}

static void count_arrivals(const struct arrivals *a)
{
	pmu.counters.used |= a->used;
	pmu.counters.sampling |= a->sampling;
	pmu.counters.in_ring_0 |= a->in_ring_0;
}

/* True where the control register has the value that was written. */
static inline bool holds_its_counter(const struct pmu_place *place)
{
	const uint64_t wrote = pmu.counters.wrote[place->index];

	return place->enable ? pmu_control_is(place->control, wrote)
			     : pmu.driver->holds(place, wrote);
}

/*
 * Clears the control registers of `e`, except for counters in `reused`, which get another event at
 * once.
 */
static inline void take_off_counter(struct pmu_event *e, uint64_t reused)
{
	uint64_t upper = 2ull << e->place->index;

	if (__builtin_expect(!holds_its_counter(e->place), 0))
		pmu_firmware_took(e);
	else if (!(reused >> e->place->index & 1))
		pmu.driver->clear(e->place);
	if (__builtin_expect(e->pebs, 0))
		pmu_precise_stop(e);
	if (__builtin_expect(e->branches, 0))
		pmu_branches_leave(e);
	if (!e->tick.pair)
		return;
	if (!(reused & upper))
		wrmsr(e->place->control + pmu.driver->stride, 0);
	pmu.counters.upper &= ~upper;
}

static void start_on_counter(struct pmu_event *e)
{
	struct arrivals a = {0};

	e->place = &pmu.counters.places[e->tick.counter];
	put_on(e, &a);
	count_arrivals(&a);
}

static void forget_counters(uint64_t counters)
{
	pmu.counters.used &= ~counters;
	pmu.counters.sampling &= ~counters;
	pmu.counters.in_ring_0 &= ~counters;
}

static void stop_on_counter(struct pmu_event *e)
{
	pmu_hardware_update(e);
	take_off_counter(e, 0);
	forget_counters(1ull << e->place->index);
}

const struct pmu_class pmu_hardware_class = {
	.hardware = true,
	.start = start_on_counter,
	.stop = stop_on_counter,
	.update = pmu_hardware_update,
	.count = pmu_hardware_count,
};

const struct pmu_class pmu_slots_class = {
	.hardware = true,
	.start = start_on_counter,
	.stop = stop_on_counter,
	.update = pmu_metrics_take,
	.take = pmu_metrics_take,
};

/* --- Applying a decision --- */

/* pmu_times_update() for a counting event that is not at its limit. */
static inline void elapse(struct pmu_event *e)
{
	const uint64_t now = pmu.now, elapsed = now - e->times.stamp;

	e->times.stamp = now;
	e->times.enabled += elapsed;
	e->times.running += elapsed;
}

/* pmu_stop() for an event that is not at its limit. */
static inline void stop_within_limit(struct pmu_event *e)
{
	uint64_t delta = (rdpmc(e->place->rdpmc) - e->prev) & pmu.counter_mask;

	e->count += delta;
	e->left -= (int64_t)delta;
	elapse(e);
	e->state = PMU_STATE_INACTIVE;
}

/* True where the event keeps its counter and its register. */
static inline bool stays_in_place(const struct pmu_event *e, unsigned counter)
{
	return e->tick.counter == counter &&
	       (!e->tick.extra.registers || e->tick.extra.reg == e->reg);
}

/* Brings the count and times of a counting event up to date. */
static inline void catch_up(struct pmu_event *e)
{
	if (__builtin_expect(e->class == &pmu_hardware_class, 1))
		pmu_counter_update(e);
	else
		e->class->update(e);
	elapse(e);
}

/* Ends the slice of an event that waited before and goes on counting. It may have moved. */
static inline void cut_slice(struct pmu_event *e)
{
	if (e->times.enabled == e->times.running)
		return;
	if (e->times.stamp != pmu.now)
		catch_up(e);
	pmu_slice_end(e);
}

void pmu_counters_cut(void)
{
	for (uint64_t used = pmu.counters.used; used; used &= used - 1)
		cut_slice(pmu.counters.on[bits_first(used)]);
}

void pmu_counters_out(uint64_t reused)
{
	uint64_t left = 0;

	for (uint64_t used = pmu.counters.used; used; used &= used - 1) {
		unsigned counter = bits_first(used);
		struct pmu_event *e = pmu.counters.on[counter];

		if (stays_in_place(e, counter))
			continue;
		stop_within_limit(e);
		take_off_counter(e, reused);
		left |= 1ull << counter;
	}
	forget_counters(left);
}

/* pmu_times_update() for an enabled event that was not counting. */
static inline void wait_is_over(struct pmu_event *e)
{
	const uint64_t now = pmu.now;

	e->times.enabled += now - e->times.stamp;
	e->times.stamp = now;
}

static inline __attribute__((always_inline)) void arrive(struct pmu_event *e, struct arrivals *a)
{
	e->place = &pmu.counters.places[e->tick.counter];
	put_on(e, a);
	e->state = PMU_STATE_ACTIVE;
}

/* Another event gets its counter. */
static void move_event(struct pmu_event *e, uint64_t reused, struct arrivals *a)
{
	if (e->times.stamp != pmu.now)
		catch_up(e);
	take_off_counter(e, reused);
	forget_counters(1ull << e->place->index);
	e->place = &pmu.counters.places[e->tick.counter];
	put_on(e, a);
}

/* Ends the slice of an event that stays, and did not begin it at the last turn. */
static __attribute__((noinline)) void end_slice_apart(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;

	if (e->times.enabled == e->times.running)
		return;
	pmu_counter_update(e);
	elapse(e);
	pmu_slice_end(e);
	if (s->last.ns == pmu.scheduler.span.ns && !s->log)
		s->series = pmu.scheduler.span.series;
}

/*
 * The events that stay end their slices. They are of the hardware class, as all events that need
 * nothing but a counter.
 */
static inline void end_slices_of_others(const struct pmu_tick *t)
{
	const struct pmu_span span = pmu.scheduler.span;
	const uint64_t mask = pmu.counter_mask;
	struct pmu_tick_event *const *const end = t->running + t->n;

	for (struct pmu_tick_event *const *at = t->running; at < end; at++) {
		struct pmu_event *e = pmu_event_of(*at);
		uint64_t delta;

		if (*at == t->came)
			continue;
		delta = (rdpmc(e->place->rdpmc) - e->prev) & mask;
		if (!pmu_span_end_slice(&e->slices, &span, e->count + delta - e->slices.count))
			end_slice_apart(e);
	}
}

/* The one that goes ends its slice as the others do, or else once it has waited. */
static inline void end_last_slice(struct pmu_event *e)
{
	(void)pmu_span_end_slice(&e->slices, &pmu.scheduler.span, e->count - e->slices.count);
}

/* A turn in which an event has more to do than to count. */
static __attribute__((noinline)) void replace_with_care(struct pmu_event *comes,
							struct pmu_event *goes,
							struct pmu_tick_event *moves, uint64_t used)
{
	struct arrivals a = {0};

	stop_within_limit(goes);
	take_off_counter(goes, used);
	forget_counters(1ull << goes->place->index);
	if (moves)
		move_event(pmu_event_of(moves), used, &a);
	wait_is_over(comes);
	pmu_span_begin_slice(comes, &pmu.scheduler.span);
	arrive(comes, &a);
	count_arrivals(&a);
}

static inline void set_bit(uint64_t *mask, uint64_t bit, bool on)
{
	*mask = __builtin_expect(on, 0) ? *mask | bit : *mask & ~bit;
}

/* The address of the counter's row, which the compiler would otherwise compute for each use. */
static inline const struct pmu_place *place_of(uint64_t counter)
{
	const struct pmu_place *place = &pmu.counters.places[counter];

	__asm__("" : "+r"(place));
	return place;
}

/* The event gets its counter, with this value, and needs nothing beside it. */
static inline __attribute__((always_inline)) void occupy(struct pmu_event *e, uint64_t value)
{
	const uint64_t counter = e->tick.counter, bit = 1ull << counter;
	const struct pmu_place *place = place_of(counter);

	e->place = place;
	pmu.counters.on[counter] = e;
	set_bit(&pmu.counters.sampling, bit, e->period);
	set_bit(&pmu.counters.in_ring_0, bit, e->config & EVTSEL_OS);
	wrmsr(place->counter, value);
	write_select(place, counter, e->config);
}

/* The event loses its counter. Another event gets it, if it is one of `used`. */
static inline __attribute__((always_inline)) void vacate(struct pmu_event *e, uint64_t used)
{
	const struct pmu_place *place = e->place;
	const unsigned counter = place->index;

	if (__builtin_expect(!holds_its_counter(place), 0))
		pmu_firmware_took(e);
	if (__builtin_expect(used >> counter & 1, 1))
		return;
	pmu.driver->clear(place);
	forget_counters(1ull << counter);
}

static inline bool is_special(const struct pmu_event *e)
{
	return e->pebs | e->branches;
}

/* True where the event can go on from any value of a counter. */
static inline bool is_movable(const struct pmu_event *e)
{
	return !is_special(e) && !e->setting;
}

/* The event goes on in another counter, with the value of the one that it leaves. */
static inline __attribute__((always_inline)) void move_plain(struct pmu_event *e, uint64_t used)
{
	const uint64_t value = rdpmc(e->place->rdpmc);

	vacate(e, used);
	occupy(e, value);
}

/* Events of which none is a pair, or needs a register beside its counter. */
static inline __attribute__((always_inline)) void replace_plain(struct pmu_event *comes,
								struct pmu_event *goes,
								struct pmu_tick_event *moves,
								uint64_t used)
{
	stop_within_limit(goes);
	end_last_slice(goes);
	vacate(goes, used);
	if (moves)
		move_plain(pmu_event_of(moves), used);
	wait_is_over(comes);
	pmu_span_begin_slice(comes, &pmu.scheduler.span);
	occupy(comes, pmu_counter_first(comes));
	comes->state = PMU_STATE_ACTIVE;
	pmu.counters.used = used;
}

void pmu_counters_turn(void)
{
	const struct pmu_tick *t = &pmu.scheduler.tick;
	struct pmu_event *comes = pmu_event_of(t->came), *goes = pmu_event_of(t->went);
	struct pmu_tick_event *const moves = t->moved;

	pmu_span_next(&pmu.scheduler.span, pmu.now);
	if (__builtin_expect(is_special(comes) | is_special(goes), 0) ||
	    (moves && !is_movable(pmu_event_of(moves))))
		replace_with_care(comes, goes, moves, t->used);
	else
		replace_plain(comes, goes, moves, t->used);
	end_slices_of_others(t);
}

void pmu_counters_in(const struct pmu_tick *t)
{
	struct arrivals a = {0};

	for (unsigned i = 0; i < t->n; i++) {
		struct pmu_event *e = pmu_event_of(t->running[i]);

		if (e->state == PMU_STATE_ACTIVE)
			continue;
		wait_is_over(e);
		pmu_slice_begin(e);
		arrive(e, &a);
	}
	count_arrivals(&a);
}
