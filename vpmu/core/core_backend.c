// SPDX-License-Identifier: BSD-2-Clause
/* core_backend.c - rename, execution units, retirement. */
#include "vpmu/core/core_state.h"

#define DISPATCH         5 /* cycles from rename to the first execution */
#define LINE             64
#define RUN_MOST         64  /* bits of struct core_run's `needs` */
#define STACK_MOVED_MOST 192 /* bytes that the stack engine is ahead of the stack pointer */

/* Steps are compiled three times: for instructions that only compute, load and store, for all, and
 * for a core that is studied: with ideal parts, a log, and what instructions wait for. */
#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

enum step_kind { STEP_COMMON, STEP_RARE, STEP_STUDIED };

INLINE bool is_ideal(const struct core *core, enum step_kind kind, unsigned part)
{
	return kind == STEP_STUDIED && core->ideal & part;
}

/* --- The clock --- */

/* Operations that begin within the next CORE_SPAN cycles are no longer far. */
static NOINLINE void bring_near(struct core *core)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < core->nfar; i++) {
		const uint64_t at = core->far[i];

		if (at < core->now + CORE_SPAN)
			core->booked[at % CORE_SPAN] += 1ull << CORE_LEAVES;
		else
			core->far[n++] = at;
	}
	core->nfar = n;
}

/* Far operations come near in these cycles. */
static inline bool is_bringing(const struct core *core, uint64_t cycle)
{
	return core->nfar && cycle % (CORE_SPAN / 2) == 0;
}

static inline void pass_cycle(struct core *core)
{
	uint64_t *booked = &core->booked[++core->now % CORE_SPAN];
	const uint64_t was = *booked;
	const uint32_t begin = (uint32_t)(was >> CORE_LEAVES);

	core->slot = 0;
	core->waiting -= begin;
	core->sum.cycles.begin[begin < CORE_BEGIN_MOST ? begin : CORE_BEGIN_MOST]++;
	core->sum.cycles.unscheduled += !core->waiting;
	*booked = 0;
	for (uint32_t units = (uint32_t)was; units; units &= units - 1)
		core->load[__builtin_ctz(units)] -= 1ull << CORE_PENDING;
	if (is_bringing(core, core->now))
		bring_near(core);
}

#define IDLE 8 /* cycles; a power of two */

/* Nothing is booked in IDLE cycles from `cycle` on, a multiple of that. */
static inline bool is_idle(const struct core *core, uint64_t cycle)
{
	const uint64_t *booked = &core->booked[cycle % CORE_SPAN];
	uint64_t any = 0;

	for (unsigned i = 0; i < IDLE; i++)
		any |= booked[i];
	return !any;
}

/* Nothing happens in cycles in which nothing is booked. */
static inline void pass_idle(struct core *core, uint64_t cycles)
{
	core->now += cycles;
	core->sum.cycles.begin[0] += cycles;
	core->sum.cycles.unscheduled += core->waiting ? 0 : cycles;
}

static inline void pass_until(struct core *core, uint64_t cycle)
{
	while (core->now < cycle) {
		const uint64_t next = core->now + 1;

		if (next == cycle || core->booked[next % CORE_SPAN] || is_bringing(core, next))
			pass_cycle(core);
		else if (next % IDLE || next + IDLE > cycle || !is_idle(core, next))
			pass_idle(core, 1);
		else
			pass_idle(core, IDLE);
	}
}

/* Slots of the cycles up to `cycle` stay empty. */
static NOINLINE void lose_until(struct core *core, uint64_t cycle, enum core_cause cause,
				enum core_full full)
{
	const uint64_t empty = cycle - core->now - (core->slot > 0);

	core->sum.lost[cause] += (cycle - core->now) * core->shape->width - core->slot;
	core->sum.empty[cause] += empty;
	core->sum.cycles.full[full] += empty;
	core->sum.cycles.late[core->slot] += cause == CORE_LOST_FRONTEND;
	pass_until(core, cycle);
}

static inline void wait_until(struct core *core, uint64_t cycle, enum core_cause cause,
			      enum core_full full)
{
	if (cycle > core->now)
		lose_until(core, cycle, cause, full);
}

INLINE void take_slot(struct core *core, enum step_kind kind)
{
	if (is_ideal(core, kind, CORE_PART_WIDTH))
		return;
	if (core->slot == core->width)
		pass_cycle(core);
	core->slot++;
}

/* A cycle begins with the operations of ALUs that were too many for the last one. */
static void limit_cycle(struct core *core)
{
	const bool follows = core->limited_at + 1 == core->now;
	const uint32_t most = core->shape->alus;

	if (core->limited_at == core->now)
		return;
	core->alus = follows && core->alus > most ? core->alus - most : 0;
	core->accesses = 0;
	core->limited_at = core->now;
}

/* A cycle renames only so many operations of ALUs and accesses: a Zen 4 four of each
 * (tests/accuracy), as each ALU has a scheduler of its own. Both slots of an instruction are in one
 * cycle, but the second operation of a LEA may count in the next one. */
INLINE void fit_limits(struct core *core, const struct core_insn *insn)
{
	const struct core_shape *shape = core->shape;

	if (core->slot == core->width)
		pass_cycle(core);
	else if (core->slot + 1 == core->width && insn->issued == 2)
		lose_until(core, core->now + 1, CORE_LOST_UNITS, CORE_FULL_NOTHING);
	limit_cycle(core);
	if ((insn->alus && core->alus >= shape->alus) ||
	    core->accesses + insn->accesses > shape->accesses) {
		lose_until(core, core->now + 1, CORE_LOST_UNITS, CORE_FULL_SCHEDULER);
		limit_cycle(core);
	}
	core->alus += insn->alus;
	core->accesses += insn->accesses;
}

/* --- Room in buffers --- */

static void wait_for_reorder(struct core *core)
{
	const uint64_t entry = core_ring_oldest(&core->reorder);

	wait_until(core, entry >> CORE_CAUSE, (enum core_cause)(entry & ((1u << CORE_CAUSE) - 1)),
		   CORE_FULL_REORDER);
}

/* The oldest one that has not retired is what the scheduler is full for. Entries retire in order,
 * so the search goes on where it ended before. */
static enum core_cause oldest_cause(struct core *core)
{
	const struct core_ring *ring = &core->reorder;

	if (ring->next - core->oldest > core->shape->reorder)
		core->oldest = ring->next - core->shape->reorder;
	while (core->oldest != ring->next &&
	       ring->at[core->oldest & ring->mask] >> CORE_CAUSE <= core->now)
		core->oldest++;
	if (core->oldest == ring->next)
		return CORE_LOST_UNITS;
	return (enum core_cause)(ring->at[core->oldest & ring->mask] & ((1u << CORE_CAUSE) - 1));
}

static void wait_for_oldest(struct core *core, uint64_t until, enum core_full full)
{
	if (until > core->now)
		wait_until(core, until, oldest_cause(core), full);
}

/* A store that has not retired keeps its place for what the oldest one waits for. */
static void wait_for_store(struct core *core)
{
	wait_for_oldest(core, core_ring_oldest(&core->stores_retired), CORE_FULL_STORES);
	wait_until(core, core_ring_oldest(&core->stores), CORE_LOST_STORES, CORE_FULL_STORES);
}

static inline bool scheduler_lacks(const struct core *core, uint32_t waiting, uint32_t uops)
{
	return waiting && waiting + uops > core->scheduler;
}

/* The cycle in which enough of what waits has begun, if that is before the far operations. */
static uint64_t scheduler_free_at(const struct core *core, uint32_t uops)
{
	const uint64_t end = core->now + CORE_SPAN / 2;
	uint32_t waiting = core->waiting;
	uint64_t at = core->now;

	while (scheduler_lacks(core, waiting, uops) && at < end)
		if ((at + 1) % IDLE || at + IDLE > end || !is_idle(core, at + 1))
			waiting -= (uint32_t)(core->booked[++at % CORE_SPAN] >> CORE_LEAVES);
		else
			at += IDLE;
	return at;
}

static void wait_for_scheduler(struct core *core, uint32_t uops)
{
	if (core->waiting + uops <= core->scheduler)
		return;
	const enum core_cause cause = oldest_cause(core);

	while (scheduler_lacks(core, core->waiting, uops))
		wait_until(core, scheduler_free_at(core, uops), cause, CORE_FULL_SCHEDULER);
}

/* --- Units --- */

static inline uint64_t less_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

INLINE uint64_t least_of_many(const struct core *core, uint32_t units)
{
	uint64_t least = core->load[__builtin_ctz(units)];

	for (units &= units - 1; units; units &= units - 1)
		least = less_of(least, core->load[__builtin_ctz(units)]);
	return least;
}

/* The load of the unit with the fewest waiting for it. */
INLINE uint64_t least_listed(const struct core *core, const struct core_uop *uop)
{
	const uint64_t *load = core->load;
	uint64_t least;

	least = less_of(load[uop->pick[0]], load[uop->pick[1]]);
	if (uop->picks > 2)
		least = less_of(least, less_of(load[uop->pick[2]], load[uop->pick[3]]));
	return least;
}

INLINE uint64_t least_load(const struct core *core, const struct core_uop *uop)
{
	return uop->picks ? least_listed(core, uop) : least_of_many(core, uop->units);
}

/* The first cycle from `cycle` on, within the span, in which the unit is free. The present cycle,
 * which has the place behind the span, has nothing booked. */
static inline uint64_t first_free(const struct core *core, unsigned unit, uint64_t cycle)
{
	while (core->booked[cycle % CORE_SPAN] >> unit & 1)
		cycle++;
	return cycle;
}

static void set_full_until(struct core *core, unsigned unit, uint64_t cycle)
{
	core->load[unit] =
		core->load[unit] >> CORE_PENDING << CORE_PENDING | cycle << CORE_FULL | unit;
}

/* A unit that takes no other operation for several cycles. */
static void book_long(struct core *core, uint64_t at, unsigned unit, unsigned cycles)
{
	for (unsigned i = 1; i < cycles && at + i < core->now + CORE_SPAN; i++) {
		uint64_t *booked = &core->booked[(at + i) % CORE_SPAN];

		core->load[unit] += (uint64_t) !(*booked >> unit & 1) << CORE_PENDING;
		*booked |= 1ull << unit;
	}
	core->free_at[unit] = at + cycles;
}

/* The cycle up to which all are booked, of core->load[]. */
static inline uint64_t full_of(uint64_t load)
{
	return load << (64 - CORE_PENDING) >> (64 - CORE_PENDING + CORE_FULL);
}

/* The unit begins a micro-operation at `at`, which is free; from `full` on cycles may be. */
INLINE void book_unit(struct core *core, uint64_t load, uint64_t at, uint64_t full)
{
	const unsigned unit = load % CORE_UNITS;

	core->booked[at % CORE_SPAN] += 1ull << CORE_LEAVES | 1ull << unit;
	core->load[unit] = load + (1ull << CORE_PENDING) +
			   ((first_free(core, unit, full) - full_of(load)) << CORE_FULL);
}

/* One that takes each of its units for a cycle: their first free ones from `at` on. It begins in
 * the first of them. The caller counts one unit. */
static NOINLINE uint64_t execute_on_each(struct core *core, const struct core_uop *uop, uint64_t at)
{
	const uint64_t end = core->now + CORE_SPAN;
	uint64_t begun = end;

	for (uint32_t units = uop->units; units; units &= units - 1) {
		const unsigned unit = (unsigned)__builtin_ctz(units);
		const uint64_t full = later_of(core_full_until(core, unit), core->now + 1);
		uint64_t free = later_of(at, full);

		if (free < end)
			free = first_free(core, unit, free);
		if (free >= end)
			continue;
		core->booked[free % CORE_SPAN] |= 1ull << unit;
		core->load[unit] += 1ull << CORE_PENDING;
		set_full_until(core, unit, first_free(core, unit, full));
		begun = less_of(begun, free);
	}
	if (begun < end)
		core->booked[begun % CORE_SPAN] += 1ull << CORE_LEAVES;
	else
		core->far[core->nfar++] = begun = later_of(at, end);
	return begun;
}

/* One that takes its unit for several cycles, that has many units, or begins beyond the span. */
static NOINLINE uint64_t execute_slowly(struct core *core, const struct core_uop *uop,
					uint64_t load, uint64_t at, uint64_t full)
{
	const uint64_t end = core->now + CORE_SPAN;
	const unsigned unit = load % CORE_UNITS;

	if (uop->takes_each)
		return execute_on_each(core, uop, at);
	if (uop->cycles > 1 && at < core->free_at[unit])
		at = core->free_at[unit];
	if (at < end)
		at = first_free(core, unit, at);
	if (at < end)
		book_unit(core, load, at, full);
	else
		core->far[core->nfar++] = at;
	if (uop->cycles > 1)
		book_long(core, at, unit, uop->cycles);
	set_full_until(core, unit, first_free(core, unit, full));
	return at;
}

/* The first cycle in which the unit with this load can begin an operation of one cycle. */
INLINE uint64_t first_begin(const struct core *core, uint64_t load, uint64_t ready)
{
	const uint64_t at = later_of(ready, later_of(full_of(load), core->now + 1));

	return at < core->now + CORE_SPAN ? first_free(core, load % CORE_UNITS, at) : at;
}

/* As earliest_load(), beyond the span. */
static NOINLINE uint64_t earliest_load_far(const struct core *core, const struct core_uop *uop,
					   uint64_t ready, uint64_t *begins)
{
	uint64_t best = core->load[uop->pick[0]], at = first_begin(core, best, ready);

	for (unsigned i = 1; i < uop->picks; i++) {
		const uint64_t load = core->load[uop->pick[i]];
		const uint64_t other = first_begin(core, load, ready);

		if (other > at || (other == at && load > best))
			continue;
		best = load;
		at = other;
	}
	*begins = at;
	return best;
}

/* AMD's schedulers: of the units that an operation can have, the first that can begin it; of such
 * units, that with the least load. None can before `at`, and then it begins at `at`. Up to its
 * full_of() a unit has all cycles booked, so that need not be looked at. */
INLINE uint64_t earliest_load(const struct core *core, const struct core_uop *uop, uint64_t *at)
{
	const uint64_t end = core->now + CORE_SPAN, ready = *at;
	uint32_t free = 0;

	while (*at < end && !(free = uop->units & ~(uint32_t)core->booked[*at % CORE_SPAN]))
		++*at;
	if (*at >= end)
		return earliest_load_far(core, uop, ready, at);
	return least_of_many(core, free);
}

INLINE uint64_t chosen_load(const struct core *core, const struct core_uop *uop, uint64_t ready)
{
	uint64_t at = later_of(ready, core->now + 1);

	return core->picks_earliest && uop->picks > 1 && !uop->is_long
		       ? earliest_load(core, uop, &at)
		       : least_load(core, uop);
}

/* As execute_uop() without a study, for one that takes its unit for a cycle, and whose units are
 * listed. */
INLINE uint64_t execute_short(struct core *core, const struct core_uop *uop, uint64_t ready,
			      bool kept)
{
	const uint64_t end = core->now + CORE_SPAN;
	uint64_t load, full, at;
	unsigned unit;

	if (core->picks_earliest) {
		at = later_of(ready, core->now + 1);
		load = earliest_load(core, uop, &at);
		full = later_of(full_of(load), core->now + 1);
	} else {
		load = least_listed(core, uop);
		full = later_of(full_of(load), core->now + 1);
		at = later_of(ready, full);
		if (at < end)
			at = first_free(core, load % CORE_UNITS, at);
	}
	unit = load % CORE_UNITS;
	core->sum.uses[unit]++;
	core->waiting++;
	if (at < end)
		book_unit(core, load, at, full);
	else
		at = execute_slowly(core, uop, load, at, full);
	if (kept)
		core->booking = (struct core_booking){at, ready, full, unit};
	return at;
}

/* A micro-operation is ready at `ready`; returns the cycle in which it begins. It may be taken back
 * if it is `kept`. */
INLINE uint64_t execute_uop(struct core *core, const struct core_uop *uop, uint64_t ready,
			    bool kept, enum step_kind kind)
{
	const uint64_t load = chosen_load(core, uop, ready);
	const uint64_t full = later_of(full_of(load), core->now + 1);
	const unsigned unit = load % CORE_UNITS;
	uint64_t at = later_of(ready, full);

	core->sum.uses[unit]++;
	if (is_ideal(core, kind, CORE_PART_UNITS))
		return ready;
	if (uop->is_long || at >= core->now + CORE_SPAN) {
		at = execute_slowly(core, uop, load, at, full);
	} else {
		at = first_free(core, unit, at);
		if (at < core->now + CORE_SPAN)
			book_unit(core, load, at, full);
		else
			at = execute_slowly(core, uop, load, at, full);
	}
	core->waiting++;
	if (kept)
		core->booking = (struct core_booking){at, ready, full, unit};
	if (kind == STEP_STUDIED && core->log)
		core_log_uop(core, uop->kind, unit, at);
	return at;
}

/* A divider takes one at a time: the operation begins when it is free. */
static uint64_t occupy(struct core *core, const struct core_uop *uop, uint64_t ready)
{
	const unsigned unit = (unsigned)__builtin_ctz(uop->units);
	const uint64_t at = ready > core->free_at[unit] ? ready : core->free_at[unit];

	core->sum.uses[unit]++;
	if (core->ideal & CORE_PART_DIVIDER)
		return ready;
	core->free_at[unit] = at + uop->cycles;
	return at;
}

/* The last operation gives its unit back, as if it had never booked it. */
static void unbook(struct core *core, const struct core_booking *b)
{
	core->sum.uses[b->unit]--;
	core->waiting--;
	if (b->at < core->now + CORE_SPAN) {
		core->booked[b->at % CORE_SPAN] -= 1ull << CORE_LEAVES | 1ull << b->unit;
		core->load[b->unit] -= 1ull << CORE_PENDING;
	} else {
		core->nfar--;
	}
	set_full_until(core, b->unit, b->full);
}

/* --- Retirement --- */

/* At least one entry retires. */
INLINE void retire(struct core *core, uint64_t done, unsigned entries, enum core_cause cause,
		   enum step_kind kind)
{
	struct core_ring *ring = &core->reorder;
	uint64_t retired = core->retired;
	uint32_t then = core->retired_then, next = ring->next;

	if (done > retired) {
		retired = done;
		then = 0;
	}
	do {
		if (then == core->retires && !is_ideal(core, kind, CORE_PART_WIDTH)) {
			retired++;
			then = 0;
		}
		core->sum.cycles.retiring += !then++;
		ring->at[next++ & ring->mask] = retired << CORE_CAUSE | cause;
	} while (entries-- > 1);
	core->retired = retired;
	core->retired_then = then;
	ring->next = next;
}

/* The last entry of the reorder buffer retires at `done`, if that is later than it has been told.
 */
INLINE void retire_last_at(struct core *core, uint64_t done)
{
	uint64_t *last = &core->reorder.at[(core->reorder.next - 1) & core->reorder.mask];

	if (done <= core->retired)
		return;
	core->retired = done;
	core->sum.cycles.retiring += core->retired_then > 1;
	core->retired_then = 1;
	*last = done << CORE_CAUSE | (*last & ((1u << CORE_CAUSE) - 1));
}

/* --- An instruction --- */

struct execution {
	uint64_t renamed, data, done; /* when its loads have their data, and all of it is done */
	enum core_cause cause;
};

/* The time at which all of these registers are ready, not before `at`. */
static NOINLINE uint64_t latest_studied(struct core *core, const uint8_t *registers, unsigned n,
					uint64_t at)
{
	for (unsigned i = 0; i < n; i++)
		if (core->ready[registers[i]] > at) {
			at = core->ready[registers[i]];
			core->waited_for = core->writer[registers[i]];
		}
	return at;
}

INLINE uint64_t latest(struct core *core, const uint8_t *registers, unsigned n, uint64_t at,
		       enum step_kind kind)
{
	if (kind == STEP_STUDIED)
		return latest_studied(core, registers, n, at);
	/* Unused places have a register that is ready. */
	at = later_of(at, core->ready[registers[0]]);
	at = later_of(at, core->ready[registers[1]]);
	for (unsigned i = 2; i < n; i++)
		at = later_of(at, core->ready[registers[i]]);
	return at;
}

/* Vector registers may come `late` cycles after the others. */
static NOINLINE uint64_t latest_vectors(struct core *core, const struct core_insn *insn,
					uint64_t at)
{
	uint8_t vectors[CORE_SOURCES], others[CORE_SOURCES];
	unsigned nvectors = 0, nothers = 0;

	for (unsigned i = 0; i < insn->nsources; i++) {
		const uint8_t r = insn->sources[i];

		if (r >= CORE_REG_VECTOR && r < CORE_REG_MASK)
			vectors[nvectors++] = r;
		else
			others[nothers++] = r;
	}
	at = latest_studied(core, others, nothers, at);
	return latest_studied(core, vectors, nvectors, at + insn->late) - insn->late;
}

INLINE uint64_t latest_source(struct core *core, const struct core_insn *insn, uint64_t at,
			      enum step_kind kind)
{
	if (kind != STEP_COMMON && insn->late)
		return latest_vectors(core, insn, at);
	return latest(core, insn->sources, insn->nsources, at, kind);
}

/* The addition is an operation of an ALU on Intel's cores. */
static inline void add_to_stack(struct core *core, enum step_kind kind)
{
	uint64_t *rsp = &core->ready[CORE_REG_RSP];

	core->stack_moved = 0;
	take_slot(core, kind);
	if (core->adds_stack.units)
		*rsp = execute_uop(core, &core->adds_stack, later_of(*rsp, core->now + DISPATCH),
				   false, kind);
	++*rsp;
}

/* An explicit use of the stack pointer behind a PUSH needs the difference added first. */
INLINE void synchronize_stack(struct core *core, const struct core_insn *insn, enum step_kind kind)
{
	if ((insn->flags & CORE_SEES_STACK) && core->stack_moved)
		add_to_stack(core, kind);
	if (core_writes_stack(insn))
		core->stack_moved = 0;
	if (!insn->moves_stack)
		return;
	core->stack_moved += (uint32_t)insn->moves_stack;
	if ((int32_t)core->stack_moved > STACK_MOVED_MOST)
		add_to_stack(core, kind);
}

INLINE void execute_loads(struct core *core, const struct core_insn *insn,
			  struct core_access *accesses, struct execution *x, enum step_kind kind)
{
	const uint64_t ready = latest(core, insn->address, insn->naddress, x->renamed, kind);
	const uint64_t cycles = insn->load_cycles - ((insn->pointer & core->by_load) != 0);

	enum core_cause cause = CORE_LOST_L1;

	x->data = ready;
	for (unsigned i = 0; i < insn->load_uops; i++) {
		struct core_access *access = accesses && i < insn->loads ? &accesses[i] : NULL;
		uint64_t at = execute_uop(core, &insn->uops[i], ready, false, kind);

		if (access && !insn->uops[i].is_long && core_splits(access, core->load_block))
			at = execute_uop(core, &insn->uops[i], at + 1, false, kind);
		at = core_load_data(core, insn, access, at, cycles, &cause);
		if (kind == STEP_STUDIED)
			core_log_done(core, at);
		if (is_ideal(core, kind, CORE_PART_LATENCY))
			at = ready;
		if (at > x->data)
			x->data = at;
	}
	x->cause = cause;
}

INLINE uint64_t execute_operation(struct core *core, const struct core_insn *insn,
				  const struct core_uop *uop, uint64_t ready, uint64_t begun,
				  enum step_kind kind)
{
	return uop->kind == CORE_OCCUPY ? occupy(core, uop, ready)
					: execute_uop(core, uop, begun, insn->fuses_with, kind);
}

/* Several operations. The latency is that of all of them, from the first one on; 0: there is only a
 * load. */
INLINE uint64_t execute_several(struct core *core, const struct core_insn *insn, uint64_t ready,
				enum step_kind kind)
{
	const uint64_t latency = insn->latency[0];
	const struct core_uop *uop = &insn->uops[insn->load_uops];
	uint64_t begun = ready, first = UINT64_MAX;

	for (unsigned i = 0; i < insn->compute_uops; i++, uop++) {
		const uint64_t at = execute_operation(core, insn, uop, ready, begun, kind);

		first = less_of(first, at);
		begun = later_of(begun, at);
	}
	if (first > begun || !latency)
		return begun;
	return first + latency > begun ? first : begun + 1 - latency;
}

/* Returns when its results, but for their latency, begin to be made. */
INLINE uint64_t execute_compute(struct core *core, const struct core_insn *insn,
				struct execution *x, enum step_kind kind)
{
	const uint64_t ready = later_of(latest_source(core, insn, x->renamed, kind), x->data);

	if (insn->compute_uops != 1)
		return insn->compute_uops ? execute_several(core, insn, ready, kind) : ready;
	return execute_operation(core, insn, &insn->uops[insn->load_uops], ready, ready, kind);
}

static NOINLINE void write_studied(struct core *core, const struct core_insn *insn, uint64_t begun)
{
	const uint64_t counted = core->ideal & CORE_PART_LATENCY ? 0 : UINT64_MAX;

	for (unsigned i = 0; i < insn->nwrites; i++) {
		core->ready[insn->writes[i]] = (begun + insn->latency[i]) & counted;
		core->writer[insn->writes[i]] = core->sum.steps;
	}
}

/* Which general registers a load alone has written. */
static void note_load(struct core *core, const struct core_insn *insn)
{
	core->by_load = (core->by_load & ~(uint32_t)insn->generals) | insn->fast_loaded;
}

INLINE void write_results(struct core *core, const struct core_insn *insn, uint64_t begun,
			  struct execution *x, enum step_kind kind)
{
	if (core->notes_loads)
		note_load(core, insn);
	x->done = later_of(x->done, begun + insn->most_latency);
	if (kind == STEP_STUDIED) {
		write_studied(core, insn, begun);
		return;
	}
	for (unsigned i = 0; i < insn->plain_writes; i++)
		core->ready[insn->writes[i]] = begun + insn->latency[i];
	if (insn->plain_writes != insn->nwrites)
		core->ready[CORE_REG_CARRY] = core->ready[CORE_REG_FLAGS] =
			begun + insn->latency[insn->plain_writes];
}

/* A store that computes stores what it has computed. */
static inline uint64_t stored_data(const struct core_insn *insn, uint64_t begun)
{
	return begun + (insn->loads && insn->nwrites ? insn->latency[0] : insn->loads > 0);
}

INLINE void execute_stores(struct core *core, const struct core_insn *insn, uint64_t begun,
			   struct execution *x, enum step_kind kind)
{
	const uint64_t address = latest(core, insn->address, insn->naddress, x->renamed, kind);
	const uint64_t data = stored_data(insn, begun);

	for (unsigned i = insn->load_uops + insn->compute_uops; i < insn->nuops; i++) {
		const struct core_uop *uop = &insn->uops[i];
		const uint64_t at = execute_uop(
			core, uop, uop->kind == CORE_STORE_ADDRESS ? address : data, false, kind);

		if (at + 1 > x->done)
			x->done = at + 1;
	}
}

/* Whether rename has to wait for anything but a slot. */
INLINE bool must_wait(const struct core *core, const struct core_insn *insn, uint64_t fetched,
		      unsigned loads, unsigned stores)
{
	uint64_t until = later_of(core->not_before, fetched);

	until = later_of(until, core_ring_oldest(&core->reorder) >> CORE_CAUSE);
	if (loads)
		until = later_of(until, core_ring_oldest(&core->loads));
	if (stores) {
		until = later_of(until, core_ring_oldest(&core->stores_retired));
		until = later_of(until, core_ring_oldest(&core->stores));
	}
	return until > core->now || core->waiting + insn->nuops > core->scheduler;
}

static NOINLINE void wait_for_all(struct core *core, const struct core_insn *insn, uint64_t fetched)
{
	wait_until(core, core->speculates_until, CORE_LOST_SPECULATION, CORE_FULL_NOTHING);
	wait_until(core, fetched, CORE_LOST_FRONTEND, CORE_FULL_NOTHING);
	wait_for_reorder(core);
	wait_for_scheduler(core, insn->nuops);
	if (insn->loads)
		wait_for_oldest(core, core_ring_oldest(&core->loads), CORE_FULL_LOADS);
	if (insn->stores)
		wait_for_store(core);
	if (insn->flags & CORE_SERIAL)
		wait_for_oldest(core, core->retired, CORE_FULL_SERIAL);
	wait_for_oldest(core, core->barrier, CORE_FULL_SERIAL);
}

/* At least one micro-operation takes a slot. */
INLINE void take_slots(struct core *core, unsigned n, enum step_kind kind)
{
	struct core_ring *ring = &core->buffered;
	uint32_t next = ring->next, slot = core->slot;

	do {
		if (!is_ideal(core, kind, CORE_PART_WIDTH)) {
			if (slot == core->width) {
				pass_cycle(core);
				slot = 0;
			}
			slot++;
		}
		ring->at[next++ & ring->mask] = core->now;
	} while (n-- > 1);
	core->slot = slot;
	ring->next = next;
}

INLINE void rename_uops(struct core *core, const struct core_insn *insn, uint64_t fetched,
			enum step_kind kind)
{
	if (must_wait(core, insn, fetched, insn->loads, insn->stores) ||
	    (kind != STEP_COMMON && insn->flags & CORE_SERIAL))
		wait_for_all(core, insn, fetched);
	if (kind != STEP_COMMON)
		synchronize_stack(core, insn, kind);
	if (insn->is_limited && !is_ideal(core, kind, CORE_PART_WIDTH))
		fit_limits(core, insn);
	take_slots(core, insn->issued, kind);
}

INLINE void leave_core(struct core *core, const struct core_insn *insn,
		       const struct core_access *accesses, uint64_t begun,
		       const struct execution *x, enum step_kind kind)
{
	retire(core, x->done, insn->issued, x->cause, kind);
	for (unsigned i = 0; i < insn->loads; i++)
		core_ring_add(&core->loads, core->retired);
	for (unsigned i = 0; i < insn->stores; i++)
		core_note_store(core, insn, accesses ? &accesses[insn->loads + i] : NULL,
				stored_data(insn, begun));
	if (kind == STEP_COMMON)
		return;
	if (insn->flags & CORE_SERIAL) {
		core->barrier = x->done;
		core->not_before = later_of(core->barrier, core->speculates_until);
	}
	core->sum.divider += insn->divides;
}

static void restart_behind(struct core *core, uint64_t branch)
{
	core->speculates_until = branch + core->shape->mispredict_cycles - DISPATCH;
	core->not_before = later_of(core->barrier, core->speculates_until);
	core->front.quick = CORE_NO_WINDOW;
}

/* Returns when it begins to execute. */
INLINE uint64_t step_alone(struct core *core, const struct core_insn *insn, uint64_t fetched,
			   struct core_access *accesses, enum step_kind kind)
{
	struct execution x = {.cause = CORE_LOST_UNITS};
	uint64_t begun;

	rename_uops(core, insn, fetched, kind);
	x.renamed = core->now + DISPATCH;
	x.done = x.renamed;
	if (kind != STEP_COMMON && insn->flags & CORE_NO_SOURCE)
		x.renamed = core->now;
	x.data = x.renamed;
	if (insn->loads)
		execute_loads(core, insn, accesses, &x, kind);
	if (kind != STEP_COMMON && insn->flags & CORE_MOVE)
		begun = latest(core, insn->sources, insn->nsources, core->now, kind);
	else
		begun = execute_compute(core, insn, &x, kind);
	if (begun > x.done)
		x.done = begun;
	write_results(core, insn, begun, &x, kind);
	if (insn->stores)
		execute_stores(core, insn, begun, &x, kind);
	leave_core(core, insn, accesses, begun, &x, kind);
	if (kind == STEP_STUDIED && core->log)
		core_log_step(core, insn->stores ? stored_data(insn, begun) : x.done);
	return begun;
}

/* --- The most frequent ways --- */

INLINE void write_registers(struct core *core, const struct core_insn *insn, uint64_t begun)
{
	if (core->notes_loads)
		note_load(core, insn);
	core->ready[insn->writes[0]] = begun + insn->latency[0];
	for (unsigned i = 1; i < insn->plain_writes; i++)
		core->ready[insn->writes[i]] = begun + insn->latency[i];
	if (insn->plain_writes != insn->nwrites)
		core->ready[CORE_REG_CARRY] = core->ready[CORE_REG_FLAGS] =
			begun + insn->latency[insn->plain_writes];
}

INLINE uint64_t rename_one(struct core *core, const struct core_insn *insn, uint64_t fetched,
			   unsigned loads)
{
	if (must_wait(core, insn, fetched, loads, 0))
		wait_for_all(core, insn, fetched);
	if (insn->is_limited)
		fit_limits(core, insn);
	take_slots(core, 1, STEP_COMMON);
	return core->now + DISPATCH;
}

/* Returns when it begins to execute. */
INLINE uint64_t step_operation(struct core *core, const struct core_insn *insn, uint64_t fetched)
{
	const uint64_t renamed = rename_one(core, insn, fetched, 0);
	const uint64_t ready = latest(core, insn->sources, insn->nsources, renamed, STEP_COMMON);
	const uint64_t begun = execute_short(core, &insn->uops[0], ready, insn->fuses_with);

	write_registers(core, insn, begun);
	retire(core, begun + insn->most_latency, 1, CORE_LOST_UNITS, STEP_COMMON);
	return begun;
}

static NOINLINE uint64_t step_renamed(struct core *core, const struct core_insn *insn,
				      uint64_t fetched)
{
	const uint64_t renamed = rename_one(core, insn, fetched, 0);
	const uint64_t from = insn->flags & (CORE_MOVE | CORE_NO_SOURCE) ? core->now : renamed;
	const uint64_t begun = latest(core, insn->sources, insn->nsources, from, STEP_COMMON);

	write_registers(core, insn, begun);
	retire(core, later_of(renamed, begun + insn->most_latency), 1, CORE_LOST_UNITS,
	       STEP_COMMON);
	return begun;
}

/* A unit that was booked and given back is known to be full up to there. */
INLINE uint64_t passed_over(struct core *core, const struct core_uop *uop, uint64_t ready)
{
	const uint64_t least = core->now + 1;
	uint64_t at = later_of(ready, least), load, full;

	if (core->picks_earliest) {
		load = earliest_load(core, uop, &at);
		full = later_of(full_of(load), least);
	} else {
		load = least_listed(core, uop);
		full = later_of(full_of(load), least);
		at = later_of(at, full);
		if (at < core->now + CORE_SPAN)
			at = first_free(core, load % CORE_UNITS, at);
	}
	core->load[load % CORE_UNITS] = load + ((full - full_of(load)) << CORE_FULL);
	return at;
}

INLINE const struct core_uop *fused_jump(const struct core *core, const struct core_insn *first)
{
	return first->generals ? &core->jump_writes : &core->jump;
}

/* An operation and the jump that it fuses with: as step_operation() and step_jump(), but the
 * operation's own unit is not booked only to be given back. */
static NOINLINE uint64_t step_pair(struct core *core, const struct core_insn *insn, uint64_t va,
				   const struct core_insn *jump)
{
	const uint64_t renamed = rename_one(core, insn, core_fetch(core, insn, va, false), 0);
	const uint64_t ready = latest(core, insn->sources, insn->nsources, renamed, STEP_COMMON);
	uint64_t begun = passed_over(core, &insn->uops[0], ready);

	retire(core, begun + insn->most_latency, 1, CORE_LOST_UNITS, STEP_COMMON);
	core_fetch(core, jump, va + insn->bytes, true);
	begun = execute_uop(core, fused_jump(core, insn), ready, false, STEP_COMMON);
	write_registers(core, insn, begun);
	retire_last_at(core, begun + insn->most_latency);
	core->sum.steps += 2;
	core->sum.deliveries.fused++;
	core->first = NULL;
	return begun;
}

static NOINLINE uint64_t step_load(struct core *core, const struct core_insn *insn,
				   uint64_t fetched, struct core_access *access)
{
	const uint64_t cycles = insn->load_cycles - ((insn->pointer & core->by_load) != 0);
	const uint64_t renamed = rename_one(core, insn, fetched, 1);
	const uint64_t ready = latest(core, insn->address, insn->naddress, renamed, STEP_COMMON);
	enum core_cause cause = CORE_LOST_L1;
	uint64_t begun = execute_short(core, &insn->uops[0], ready, false);

	if (access && core_splits(access, core->load_block))
		begun = execute_short(core, &insn->uops[0], begun + 1, false);
	begun = later_of(ready, core_load_data(core, insn, access, begun, cycles, &cause));
	begun = latest(core, insn->sources, insn->nsources, begun, STEP_COMMON);
	if (insn->compute_uops)
		begun = execute_short(core, &insn->uops[1], begun, insn->fuses_with);
	write_registers(core, insn, begun);
	retire(core, begun + insn->most_latency, 1, cause, STEP_COMMON);
	core_ring_add(&core->loads, core->retired);
	return begun;
}

static NOINLINE uint64_t step_common(struct core *core, const struct core_insn *insn,
				     uint64_t fetched, struct core_access *accesses)
{
	return step_alone(core, insn, fetched, accesses, STEP_COMMON);
}

static NOINLINE uint64_t step_uops(struct core *core, const struct core_insn *insn,
				   uint64_t fetched, struct core_access *accesses)
{
	return core->studied ? step_alone(core, insn, fetched, accesses, STEP_STUDIED)
			     : step_alone(core, insn, fetched, accesses, STEP_RARE);
}

/*
 * A jump is fused with the instruction before it, which has run alone so far: its operation moves
 * to a unit of branches. Nothing has booked a unit since. So no instruction has to wait for its
 * successor to be known.
 */
INLINE uint64_t step_fused(struct core *core, enum step_kind kind)
{
	const struct core_booking before = core->booking;
	struct execution x = {0};
	uint64_t begun;

	core->sum.deliveries.fused++;
	if (is_ideal(core, kind, CORE_PART_UNITS))
		return core->retired;
	unbook(core, &before);
	if (kind == STEP_STUDIED && core->log && core->log->n)
		core->log->uops[core->log->n - 1].unit = CORE_NO_UNIT;
	begun = execute_uop(core, fused_jump(core, core->first), before.ready, false, kind);
	x.done = begun;
	write_results(core, core->first, begun, &x, kind);
	if (kind == STEP_STUDIED && core->log)
		core_log_step(core, x.done);
	retire_last_at(core, x.done);
	return begun;
}

/* Optimization Reference Manual, "Macro-Fusion": not a jump that begins a line. */
static inline bool may_fuse_at(const struct core *core, uint64_t va)
{
	return va % LINE || !core->jumps_alone;
}

static inline bool is_fused(const struct core *core, const struct core_insn *insn, uint64_t va)
{
	return insn->jumps_on && core->first && core->behind_first == va &&
	       core_fuses(core->first, insn) && may_fuse_at(core, va);
}

static NOINLINE uint64_t step_rare(struct core *core, const struct core_insn *insn, uint64_t va,
				   struct core_access *accesses, bool fused)
{
	const uint64_t fetched = core_fetch(core, insn, va, fused);

	core->waited_for = 0;
	if (fused)
		return core->studied ? step_fused(core, STEP_STUDIED) : step_fused(core, STEP_RARE);
	return step_uops(core, insn, fetched, accesses);
}

/* The next instruction may fuse with this one. */
INLINE void note_first(struct core *core, const struct core_insn *insn, uint64_t behind, bool fused)
{
	core->first = NULL;
	if (!insn->fuses_with || fused)
		return;
	core->first = insn;
	core->behind_first = behind;
}

void core_step(struct core *core, const struct core_insn *insn, uint64_t va,
	       struct core_access *accesses, bool taken, bool mispredicted)
{
	const bool fused = is_fused(core, insn, va);
	uint64_t begun;

	core->sum.steps++;
	core->va = va;
	begun = step_rare(core, insn, va, accesses, fused);
	core_fetched(core, insn, va, taken);
	note_first(core, insn, va + insn->bytes, fused);
	if (mispredicted)
		restart_behind(core, begun);
}

static NOINLINE uint64_t step_jump(struct core *core, const struct core_insn *insn, uint64_t va)
{
	uint64_t begun;

	core_fetch(core, insn, va, true);
	begun = step_fused(core, STEP_COMMON);
	core->first = NULL;
	return begun;
}

/* As core_step(), for what is frequent, and no taken branch. */
INLINE uint64_t step_quickly(struct core *core, const struct core_insn *insn, uint64_t va,
			     struct core_access *accesses)
{
	uint64_t fetched, begun;

	core->sum.steps++;
	if (is_fused(core, insn, va))
		return step_jump(core, insn, va);
	if (accesses)
		core->va = va;
	fetched = core_fetch(core, insn, va, false);
	if (!accesses && insn->way == CORE_WAY_OPERATION)
		begun = step_operation(core, insn, fetched);
	else if (insn->way == CORE_WAY_LOAD)
		begun = step_load(core, insn, fetched, accesses);
	else if (insn->way == CORE_WAY_RENAMED)
		begun = step_renamed(core, insn, fetched);
	else if (insn->way != CORE_WAY_RARE)
		begun = step_common(core, insn, fetched, accesses);
	else
		begun = step_uops(core, insn, fetched, accesses);
	note_first(core, insn, va + insn->bytes, false);
	return begun;
}

/* Whether these are the instruction's accesses, loads first, one for each. */
static inline bool are_listed(const struct core_access *accesses, unsigned n,
			      const struct core_insn *insn)
{
	if (n != (unsigned)insn->loads + insn->stores)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (accesses[i].stores != (i >= insn->loads))
			return false;
	return true;
}

/* The accesses from `access` on, which is one of instruction `insn` of the run. */
static inline unsigned accesses_of(const struct core_run *run, const struct core_access *access,
				   unsigned insn)
{
	unsigned n = 1;

	while (access + n != run->last && access[n].insn <= insn)
		n++;
	return n;
}

INLINE bool has_access(const struct core_run *run, const struct core_access *access, unsigned insn)
{
	return access != run->last && access->insn <= insn;
}

/* The instruction up to which those from `next` on run without accesses: the next one that has
 * some, or that waits for some. */
INLINE unsigned next_accessing(const struct core_run *run, const struct core_access *access,
			       unsigned next)
{
	const uint64_t waits = next < RUN_MOST ? run->needs >> next : 0;
	unsigned end = run->end;

	if (access != run->last && access->insn < end)
		end = access->insn;
	if (waits && next + (unsigned)__builtin_ctzll(waits) < end)
		end = next + (unsigned)__builtin_ctzll(waits);
	return end;
}

/* An operation, and a jump right behind it that fuses with it. */
INLINE bool is_pair(const struct core *core, const struct core_insn *insn, uint64_t va,
		    const struct core_insn *next)
{
	return core_fuses(insn, next) && insn->way == CORE_WAY_OPERATION &&
	       may_fuse_at(core, va + insn->bytes) && !is_fused(core, insn, va);
}

/* The run has ended, or does not go on before an access is known. */
INLINE void leave_run(struct core *core, struct core_run *run, uint64_t branch, uint64_t begun)
{
	const bool ends = run->next == run->end;

	core->va = branch;
	core_fetched(core, run->insns[run->next - 1], branch, ends && run->taken);
	if (ends && run->mispredicted)
		restart_behind(core, begun);
}

NOINLINE unsigned core_step_run(struct core *core, struct core_run *run)
{
	struct core_access *access = run->access;
	const struct core_insn *const *insns = run->insns;
	uint64_t va = run->va, last = va, begun = 0;
	unsigned next = run->next, n = 0;
	const unsigned from = next, end = run->end;

	while (next < end) {
		const unsigned until =
			has_access(run, access, next) ? next : next_accessing(run, access, next);

		for (; next < until; next++) {
			const struct core_insn *insn = insns[next];

			last = va;
			va += insn->bytes;
			if (next + 1 < until && is_pair(core, insn, last, insns[next + 1])) {
				begun = step_pair(core, insn, last, insns[++next]);
				last = va;
				va += insns[next]->bytes;
			} else {
				begun = step_quickly(core, insn, last, NULL);
			}
		}
		if (next == end || !has_access(run, access, next))
			break;
		n = accesses_of(run, access, next);
		if (!are_listed(access, n, insns[next]))
			break;
		begun = step_quickly(core, insns[next], va, access);
		last = va;
		va += insns[next++]->bytes;
		access += n;
		n = 0;
	}
	run->access = access;
	run->next = next;
	run->va = va;
	if (next != from)
		leave_run(core, run, last, begun);
	return n;
}

void core_step_microcode(struct core *core, struct core_access *access, bool stores)
{
	core->sum.steps++;
	core->waited_for = 0;
	core->first = NULL;
	step_uops(core, stores ? &core->microcode_store : &core->microcode_load, core->now, access);
}
