// SPDX-License-Identifier: BSD-2-Clause
/* core_backend.c - rename, execution units, retirement. */
#include "vpmu/core/core_state.h"

#include <string.h>

#define DISPATCH        5 /* cycles from rename to the first execution */
#define MICROCODED_LOAD 5 /* cycles of a load of a string operation that hits L1 */

/* --- The clock --- */

/* Operations that begin within the next CORE_SPAN cycles are no longer far. */
static __attribute__((noinline)) void bring_near(struct core *core)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < core->nfar; i++) {
		const uint64_t at = core->far[i];

		if (at < core->now + CORE_SPAN)
			core->booked[at % CORE_SPAN].leaves++;
		else
			core->far[n++] = at;
	}
	core->nfar = n;
}

static void pass_cycle(struct core *core)
{
	struct core_cycle *cycle = &core->booked[++core->now % CORE_SPAN];
	uint32_t units = cycle->units;
	const uint32_t begin = cycle->leaves;

	core->slot = 0;
	core->waiting -= begin;
	core->cycles.begin[begin < CORE_BEGIN_MOST ? begin : CORE_BEGIN_MOST]++;
	core->cycles.unscheduled += !core->waiting;
	*cycle = (struct core_cycle){0};
	for (; units; units &= units - 1)
		core->load[__builtin_ctz(units)] -= 1ull << CORE_PENDING;
	if (core->nfar && core->now % (CORE_SPAN / 2) == 0)
		bring_near(core);
}

/* Slots of the cycles up to `cycle` stay empty. */
static __attribute__((noinline)) void lose_until(struct core *core, uint64_t cycle,
						 enum core_cause cause, enum core_full full)
{
	const uint64_t empty = cycle - core->now - (core->slot > 0);

	core->lost[cause] += (cycle - core->now) * core->shape->width - core->slot;
	core->empty[cause] += empty;
	core->cycles.full[full] += empty;
	core->cycles.late[core->slot] += cause == CORE_LOST_FRONTEND;
	while (core->now < cycle)
		pass_cycle(core);
}

static inline void wait_until(struct core *core, uint64_t cycle, enum core_cause cause,
			      enum core_full full)
{
	if (cycle > core->now)
		lose_until(core, cycle, cause, full);
}

static void take_slot(struct core *core)
{
	if (core->ideal & CORE_PART_WIDTH)
		return;
	if (core->slot == core->shape->width)
		pass_cycle(core);
	core->slot++;
}

/* --- Room in buffers --- */

static void wait_for_reorder(struct core *core)
{
	const uint32_t size = core->shape->reorder;

	wait_until(core, core_ring_at(&core->reorder, size),
		   core->cause_of[(core->reorder.next - size) & core->reorder.mask],
		   CORE_FULL_REORDER);
}

/* The oldest one that has not retired is what the scheduler is full for. Entries retire in order,
 * so the search goes on where it ended before. */
static enum core_cause oldest_cause(struct core *core)
{
	const struct core_ring *ring = &core->reorder;

	if (ring->next - core->oldest > core->shape->reorder)
		core->oldest = ring->next - core->shape->reorder;
	while (core->oldest != ring->next && ring->at[core->oldest & ring->mask] <= core->now)
		core->oldest++;
	if (core->oldest == ring->next)
		return CORE_LOST_UNITS;
	return (enum core_cause)core->cause_of[core->oldest & ring->mask];
}

static void wait_for_oldest(struct core *core, uint64_t until, enum core_full full)
{
	if (until > core->now)
		wait_until(core, until, oldest_cause(core), full);
}

/* A store that has not retired keeps its place for what the oldest one waits for. */
static void wait_for_store(struct core *core)
{
	const uint32_t size = core->shape->stores;

	wait_for_oldest(core, core_ring_at(&core->stores_retired, size), CORE_FULL_STORES);
	wait_until(core, core_ring_at(&core->stores, size), CORE_LOST_STORES, CORE_FULL_STORES);
}

static void wait_for_scheduler(struct core *core, uint32_t uops)
{
	uint64_t full = core->now;

	if (core->waiting + uops <= core->shape->scheduler)
		return;
	const enum core_cause cause = oldest_cause(core);

	while (core->waiting && core->waiting + uops > core->shape->scheduler)
		wait_until(core, ++full, cause, CORE_FULL_SCHEDULER);
}

/* --- Units --- */

/* The unit with the fewest waiting for it; the second slot of a pair takes the next one. */
static unsigned choose_unit(const struct core *core, uint32_t units)
{
	unsigned best = (unsigned)__builtin_ctz(units);

	for (uint32_t rest = units & (units - 1); rest; rest &= rest - 1) {
		const unsigned unit = (unsigned)__builtin_ctz(rest);

		best = core->load[unit] < core->load[best] ? unit : best;
	}
	return best;
}

static bool is_booked(const struct core *core, uint64_t cycle, unsigned unit)
{
	return cycle < core->now + CORE_SPAN && core->booked[cycle % CORE_SPAN].units >> unit & 1;
}

static void book(struct core *core, uint64_t cycle, unsigned unit)
{
	if (cycle >= core->now + CORE_SPAN)
		return;
	core->booked[cycle % CORE_SPAN].units |= 1u << unit;
	core->load[unit] += 1ull << CORE_PENDING;
}

/* A unit that takes no other operation for several cycles. */
static void book_long(struct core *core, uint64_t at, unsigned unit, unsigned cycles)
{
	for (unsigned i = 1; i < cycles; i++)
		if (!is_booked(core, at + i, unit))
			book(core, at + i, unit);
	core->free_at[unit] = at + cycles;
}

static void set_full_until(struct core *core, unsigned unit, uint64_t cycle)
{
	core->load[unit] = core->load[unit] >> CORE_PENDING << CORE_PENDING | cycle;
}

/* --- The log of micro-operations --- */

static __attribute__((noinline)) void log_uop(struct core *core, unsigned kind, unsigned unit,
					      uint64_t begun)
{
	struct core_log *log = core->log;

	if (log->n < log->room)
		log->uops[log->n++] = (struct core_uop_times){.step = core->steps,
							      .renamed = core->now,
							      .begun = begun,
							      .done = begun + 1,
							      .unit = (uint8_t)unit,
							      .kind = (uint8_t)kind};
}

static void log_done(struct core *core, uint64_t done)
{
	if (core->log && core->log->n && core->log->uops[core->log->n - 1].step == core->steps)
		core->log->uops[core->log->n - 1].done = done;
}

/* The step ends: its results are there at `done`. */
static __attribute__((noinline)) void log_step(struct core *core, uint64_t done)
{
	struct core_log *log = core->log;
	struct core_uop_times *last = NULL;

	for (unsigned i = log->n; i-- && log->uops[i].step == core->steps;) {
		log->uops[i].retired = core->retired;
		if (!last && log->uops[i].kind == CORE_COMPUTE)
			last = &log->uops[i];
	}
	if (last && last->done < done)
		last->done = done;
	if (log->n && log->uops[log->n - 1].step == core->steps)
		return;
	log_uop(core, CORE_COMPUTE, CORE_NO_UNIT, core->now);
	if (log->n && log->uops[log->n - 1].step == core->steps)
		log->uops[log->n - 1].retired = core->retired;
}

void core_log_to(struct core *core, struct core_log *log)
{
	core->log = log;
}

/* It waits in the scheduler until then. */
static void leave_scheduler(struct core *core, uint64_t at)
{
	if (at < core->now + CORE_SPAN)
		core->booked[at % CORE_SPAN].leaves++;
	else
		core->far[core->nfar++] = at;
	core->waiting++;
}

/* A micro-operation is ready at `ready`; returns the cycle in which it begins. */
static uint64_t execute_uop(struct core *core, const struct core_uop *uop, uint64_t ready)
{
	const unsigned unit = choose_unit(core, uop->units);
	const uint64_t end = core->now + CORE_SPAN;
	uint64_t full = core_full_until(core, unit), at = ready;

	core->uses[unit]++;
	if (core->ideal & CORE_PART_UNITS)
		return ready;
	if (full <= core->now)
		full = core->now + 1;
	core->booking = (struct core_booking){.ready = ready, .full = full, .unit = unit};
	if (at < full)
		at = full;
	if (uop->cycles > 1 && at < core->free_at[unit])
		at = core->free_at[unit];
	while (at < end && core->booked[at % CORE_SPAN].units >> unit & 1)
		at++;
	book(core, at, unit);
	if (uop->cycles > 1)
		book_long(core, at, unit, uop->cycles);
	while (is_booked(core, full, unit))
		full++;
	set_full_until(core, unit, full);
	leave_scheduler(core, at);
	core->booking.at = at;
	if (core->log)
		log_uop(core, uop->kind, unit, at);
	return at;
}

/* A divider takes one at a time: the operation begins when it is free. */
static uint64_t occupy(struct core *core, const struct core_uop *uop, uint64_t ready)
{
	const unsigned unit = (unsigned)__builtin_ctz(uop->units);
	const uint64_t at = ready > core->free_at[unit] ? ready : core->free_at[unit];

	core->uses[unit]++;
	if (core->ideal & CORE_PART_DIVIDER)
		return ready;
	core->free_at[unit] = at + uop->cycles;
	return at;
}

/* The last operation gives its unit back, as if it had never booked it. */
static void unbook(struct core *core, const struct core_booking *b)
{
	core->uses[b->unit]--;
	if (b->at < core->now + CORE_SPAN) {
		core->booked[b->at % CORE_SPAN].units &= ~(1u << b->unit);
		core->booked[b->at % CORE_SPAN].leaves--;
		core->load[b->unit] -= 1ull << CORE_PENDING;
	} else {
		core->nfar--;
	}
	core->waiting--;
	set_full_until(core, b->unit, b->full);
}

/* --- Retirement --- */

static void retire(struct core *core, uint64_t done, unsigned entries, enum core_cause cause)
{
	if (done > core->retired) {
		core->retired = done;
		core->retired_then = 0;
	}
	for (unsigned i = 0; i < entries; i++) {
		if (core->retired_then == core->shape->retires &&
		    !(core->ideal & CORE_PART_WIDTH)) {
			core->retired++;
			core->retired_then = 0;
		}
		core->cycles.retiring += !core->retired_then++;
		core->cause_of[core->reorder.next & core->reorder.mask] = (uint8_t)cause;
		core_ring_add(&core->reorder, core->retired);
	}
}

/* --- An instruction --- */

struct execution {
	uint64_t renamed, data, done; /* when its loads have their data, and all of it is done */
	enum core_cause cause;
};

/* The time at which all of these registers are ready, not before `at`. */
static uint64_t latest(struct core *core, const uint8_t *registers, unsigned n, uint64_t at)
{
	for (unsigned i = 0; i < n; i++) {
		const struct core_value *value = &core->registers[registers[i]];

		if (value->ready > at) {
			at = value->ready;
			core->waited_for = value->writer;
		}
	}
	return at;
}

/* Vector registers may come `late` cycles after the others. */
static uint64_t latest_source(struct core *core, const struct core_insn *insn, uint64_t at)
{
	uint8_t vectors[CORE_SOURCES], others[CORE_SOURCES];
	unsigned nvectors = 0, nothers = 0;
	uint64_t late;

	if (!insn->late)
		return latest(core, insn->sources, insn->nsources, at);
	for (unsigned i = 0; i < insn->nsources; i++) {
		const uint8_t r = insn->sources[i];

		if (r >= CORE_REG_VECTOR && r < CORE_REG_MASK)
			vectors[nvectors++] = r;
		else
			others[nothers++] = r;
	}
	at = latest(core, others, nothers, at);
	late = latest(core, vectors, nvectors, at + insn->late);
	return late - insn->late;
}

/* An explicit use of the stack pointer behind a PUSH needs the difference added first. */
static void synchronize_stack(struct core *core, const struct core_insn *insn)
{
	if ((insn->flags & CORE_SEES_STACK) && core->stack_moved) {
		core->stack_moved = false;
		take_slot(core);
		core->registers[CORE_REG_RSP].ready++;
	}
	if (insn->flags & CORE_STACK)
		core->stack_moved = true;
}

static void execute_loads(struct core *core, const struct core_insn *insn,
			  struct core_access *accesses, struct execution *x)
{
	const uint64_t ready = latest(core, insn->address, insn->naddress, x->renamed);
	uint64_t cycles = insn->load_cycles;

	if ((insn->flags & CORE_FAST_LOAD) && insn->naddress &&
	    core->registers[insn->address[0]].by_load && core->shape->traits & CORE_FAST_POINTER)
		cycles--;
	x->data = ready;
	x->cause = CORE_LOST_L1;
	for (unsigned i = 0; i < insn->load_uops; i++) {
		struct core_access *access = accesses && i < insn->loads ? &accesses[i] : NULL;
		uint64_t at = execute_uop(core, &insn->uops[i], ready);

		at = core_load_data(core, insn, access, at, cycles, &x->cause);
		log_done(core, at);
		if (core->ideal & CORE_PART_LATENCY)
			at = ready;
		if (at > x->data)
			x->data = at;
	}
}

/* Returns when its results, but for their latency, begin to be made. */
static uint64_t execute_compute(struct core *core, const struct core_insn *insn,
				struct execution *x)
{
	const uint64_t sources = latest_source(core, insn, x->renamed);
	const uint64_t ready = sources > x->data ? sources : x->data;
	const uint64_t latency = insn->nwrites ? insn->latency[0] : 0;
	const struct core_uop *uop = &insn->uops[insn->load_uops];
	uint64_t begun = ready, first = UINT64_MAX;

	for (unsigned i = 0; i < insn->compute_uops; i++, uop++) {
		const uint64_t at = uop->kind == CORE_OCCUPY ? occupy(core, uop, ready)
							     : execute_uop(core, uop, begun);

		if (at < first)
			first = at;
		if (at > begun)
			begun = at;
	}
	/* The latency is that of all operations, from the first one on; 0: there is only a load. */
	if (first > begun || !latency)
		return begun;
	return first + latency > begun ? first : begun + 1 - latency;
}

static void write_results(struct core *core, const struct core_insn *insn, uint64_t begun,
			  struct execution *x)
{
	const bool loaded = insn->loads && insn->flags & CORE_FAST_LOAD;
	const uint64_t counted = core->ideal & CORE_PART_LATENCY ? 0 : UINT64_MAX;
	struct core_value value = {.writer = core->steps, .by_load = loaded};

	for (unsigned i = 0; i < insn->nwrites; i++) {
		const uint64_t at = begun + insn->latency[i];

		value.ready = at & counted;
		core->registers[insn->writes[i]] = value;
		if (at > x->done)
			x->done = at;
	}
}

/* A store that computes stores what it has computed. */
static uint64_t stored_data(const struct core_insn *insn, uint64_t begun)
{
	return begun + (insn->loads && insn->nwrites ? insn->latency[0] : 0);
}

static void execute_stores(struct core *core, const struct core_insn *insn, uint64_t begun,
			   struct execution *x)
{
	const uint64_t address = latest(core, insn->address, insn->naddress, x->renamed);
	const uint64_t data = stored_data(insn, begun);

	for (unsigned i = insn->load_uops + insn->compute_uops; i < insn->nuops; i++) {
		const struct core_uop *uop = &insn->uops[i];
		const uint64_t at =
			execute_uop(core, uop, uop->kind == CORE_STORE_ADDRESS ? address : data);

		if (at + 1 > x->done)
			x->done = at + 1;
	}
}

static void rename_uops(struct core *core, const struct core_insn *insn)
{
	const struct core_shape *shape = core->shape;

	wait_for_reorder(core);
	wait_for_scheduler(core, insn->nuops);
	if (insn->loads)
		wait_for_oldest(core, core_ring_at(&core->loads, shape->loads), CORE_FULL_LOADS);
	if (insn->stores)
		wait_for_store(core);
	if (insn->flags & CORE_SERIAL)
		wait_for_oldest(core, core->retired, CORE_FULL_SERIAL);
	wait_for_oldest(core, core->barrier, CORE_FULL_SERIAL);
	synchronize_stack(core, insn);
	for (unsigned i = 0; i < insn->issued; i++) {
		take_slot(core);
		core_ring_add(&core->buffered, core->now);
	}
}

static void leave_core(struct core *core, const struct core_insn *insn,
		       const struct core_access *accesses, uint64_t begun,
		       const struct execution *x)
{
	retire(core, x->done, insn->issued, x->cause);
	for (unsigned i = 0; i < insn->loads; i++)
		core_ring_add(&core->loads, core->retired);
	for (unsigned i = 0; i < insn->stores; i++)
		core_note_store(core, accesses ? &accesses[insn->loads + i] : NULL,
				stored_data(insn, begun));
	if (insn->flags & CORE_SERIAL)
		core->barrier = x->done;
}

static void restart_behind(struct core *core, uint64_t branch)
{
	core->speculates_until = branch + core->shape->mispredict_cycles - DISPATCH;
}

/* Returns when it begins to execute. */
static uint64_t step_alone(struct core *core, const struct core_insn *insn, uint64_t fetched,
			   struct core_access *accesses)
{
	struct execution x = {.cause = CORE_LOST_UNITS};
	uint64_t begun;

	wait_until(core, core->speculates_until, CORE_LOST_SPECULATION, CORE_FULL_NOTHING);
	wait_until(core, fetched, CORE_LOST_FRONTEND, CORE_FULL_NOTHING);
	rename_uops(core, insn);
	x.renamed = core->now + DISPATCH;
	x.done = x.renamed;
	if (insn->flags & CORE_NO_SOURCE)
		x.renamed = core->now;
	x.data = x.renamed;
	if (insn->loads)
		execute_loads(core, insn, accesses, &x);
	if (insn->flags & CORE_MOVE)
		begun = latest(core, insn->sources, insn->nsources, core->now);
	else
		begun = execute_compute(core, insn, &x);
	if (begun > x.done)
		x.done = begun;
	write_results(core, insn, begun, &x);
	if (insn->stores)
		execute_stores(core, insn, begun, &x);
	leave_core(core, insn, accesses, begun, &x);
	core->divider += insn->divides;
	if (core->log)
		log_step(core, insn->stores ? stored_data(insn, begun) : x.done);
	return begun;
}

/*
 * A jump is fused with the instruction before it, which has run alone so far: its operation moves
 * to a unit of branches. Nothing has booked a unit since. So no instruction has to wait for its
 * successor to be known.
 */
static uint64_t step_fused(struct core *core)
{
	const struct core_uop jump = {core->table->branches, CORE_COMPUTE, 1, 0};
	const struct core_booking before = core->booking;
	struct execution x = {0};
	uint64_t begun;

	if (core->ideal & CORE_PART_UNITS)
		return core->retired;
	unbook(core, &before);
	if (core->log && core->log->n)
		core->log->uops[core->log->n - 1].unit = CORE_NO_UNIT;
	begun = execute_uop(core, &jump, before.ready);
	x.done = begun;
	write_results(core, core->first, begun, &x);
	if (core->log)
		log_step(core, x.done);
	if (x.done > core->retired) {
		core->retired = x.done;
		core->cycles.retiring += core->retired_then > 1;
		core->retired_then = 1;
		core->reorder.at[(core->reorder.next - 1) & core->reorder.mask] = x.done;
	}
	return begun;
}

static bool is_fused(const struct core *core, const struct core_insn *insn, uint64_t va)
{
	return core->first && core->behind_first == va && core_fuses(core->first, insn);
}

void core_step(struct core *core, const struct core_insn *insn, uint64_t va,
	       struct core_access *accesses, bool taken, bool mispredicted)
{
	const bool fused = is_fused(core, insn, va);
	const uint64_t fetched = core_fetch(core, insn, va, taken, fused);
	uint64_t begun;

	core->steps++;
	core->va = va;
	core->waited_for = 0;
	begun = fused ? step_fused(core) : step_alone(core, insn, fetched, accesses);
	core->first = insn->fuses_with && !fused ? insn : NULL;
	core->behind_first = va + insn->bytes;
	if (mispredicted)
		restart_behind(core, begun);
}

static struct core_insn microcoded_access(const struct core_table *table, bool stores)
{
	struct core_insn insn = {.issued = 1,
				 .load_cycles = (uint8_t)(stores ? 0 : MICROCODED_LOAD)};

	insn.loads = !stores;
	insn.stores = stores;
	if (!stores)
		insn.uops[insn.nuops++] = (struct core_uop){table->loads, CORE_LOAD, 1, 0};
	if (stores)
		insn.uops[insn.nuops++] =
			(struct core_uop){table->store_addresses, CORE_STORE_ADDRESS, 1, 0};
	if (stores && table->store_data != table->store_addresses)
		insn.uops[insn.nuops++] =
			(struct core_uop){table->store_data, CORE_STORE_DATA, 1, 0};
	core_group_uops(&insn);
	return insn;
}

void core_step_microcode(struct core *core, struct core_access *access, bool stores)
{
	const struct core_insn insn = microcoded_access(core->table, stores);

	core->steps++;
	core->waited_for = 0;
	core->first = NULL;
	step_alone(core, &insn, core->now, access);
}

/* --- What is read --- */

void core_idealize(struct core *core, unsigned parts)
{
	core->ideal = parts;
}

uint64_t core_time(const struct core *core)
{
	return core->retired > core->now ? core->retired : core->now;
}

uint64_t core_unit_uses(const struct core *core, unsigned unit)
{
	return core->uses[unit];
}

uint64_t core_waited_for(const struct core *core)
{
	return core->waited_for;
}

uint64_t core_cycles(const struct core *core)
{
	return core->now;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t core_ahead(const struct core *core)
{
	uint64_t end = later_of(core->retired, core->stored);

	end = later_of(end, later_of(core->front.cycle, core->front.decodes_at));
	end = later_of(end, later_of(core->speculates_until, core->barrier));
	end = later_of(end, later_of(core->front.marks_at, core->channel));
	for (unsigned i = 0; i < CORE_UNITS; i++)
		end = later_of(end, later_of(core->free_at[i], core_full_until(core, i)));
	for (unsigned i = 0; i < core->shape->fills; i++)
		end = later_of(end, core->fills[i]);
	return end > core->now ? end - core->now : 0;
}

static bool is_port(const struct core_table *table, unsigned unit)
{
	return table->units[unit] && table->units[unit][0] == 'p';
}

void core_read(const struct core *core, struct core_counts *counts)
{
	uint64_t lost = 0;

	for (unsigned i = 0; i < CORE_LOST_CAUSES; i++)
		lost += core->lost[i];
	counts->slots = core->now * core->shape->width + core->slot;
	counts->uops = counts->slots - lost;
	memcpy(counts->lost, core->lost, sizeof(counts->lost));
	memcpy(counts->empty, core->empty, sizeof(counts->empty));
	counts->cycles = core->cycles;
	counts->divider = core->divider;
	counts->blocked = core->blocked;
	counts->aliased = core->aliased;
	memcpy(counts->from, core->front.from, sizeof(counts->from));
	for (unsigned i = 0; i < CORE_PORTS; i++)
		counts->ports[i] = is_port(core->table, i) ? core->uses[i] : 0;
}

uint64_t core_retiring(const struct core *core)
{
	uint64_t ahead = 0, last = 0;

	for (uint32_t ago = 1; ago <= core->shape->reorder; ago++) {
		const uint64_t at = core_ring_at(&core->reorder, ago);

		if (at <= core->now)
			break;
		ahead += at != last;
		last = at;
	}
	return core->cycles.retiring - ahead;
}

size_t core_bytes(void)
{
	return sizeof(struct core);
}

/* The smallest power of two that holds so many entries. */
static void size_ring(struct core_ring *ring, uint32_t entries)
{
	while (ring->mask + 1 < entries)
		ring->mask = 2 * ring->mask + 1;
}

static void size_core(struct core *core)
{
	const struct core_shape *shape = core->shape;

	core->window_bits = (uint8_t)__builtin_ctz(shape->cache_window);
	core->fetch_bits = (uint8_t)__builtin_ctz(shape->fetch_bytes);
	size_ring(&core->front.queue, shape->queue);
	size_ring(&core->buffered, shape->buffer);
	size_ring(&core->reorder, shape->reorder);
	size_ring(&core->loads, shape->loads);
	size_ring(&core->stores, shape->stores);
	size_ring(&core->stores_retired, shape->stores);
}

void core_restart(struct core *core)
{
	const struct core_table *table = core->table;
	const struct core_shape *shape = core->shape;

	memset(core, 0, sizeof(*core));
	core->table = table;
	core->shape = shape;
	size_core(core);
	core->front.window = core->front.block = core->front.line = UINT64_MAX;
	core->front.building = core->front.code_line = UINT64_MAX;
	core->front.restarts = true;
}

void core_init(struct core *core, const struct core_model *model)
{
	core->table = model->table;
	core->shape = model->shape;
	core_restart(core);
}
