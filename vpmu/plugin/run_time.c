// SPDX-License-Identifier: BSD-2-Clause
/* run_time.c - see run_time.h. */
#include "vpmu/plugin/run_time.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <Zydis/Zydis.h>

#include "lib/bits.h"

#define MOVED_AT_ONCE 32 /* bytes that a fast string operation moves each cycle */
#define LATE_MOST     (EVENTS_LATE_5 - EVENTS_LATE_1 + 1)

_Static_assert(MICRO_L1 == (int)CORE_IN_L1 && MICRO_MEMORY == (int)CORE_IN_MEMORY,
	       "both have the same levels");
_Static_assert(EVENTS_SERIALIZED - EVENTS_FULL_REORDER == CORE_FULL_SERIAL - CORE_FULL_REORDER &&
		       EVENTS_EXECUTING_5 - EVENTS_EXECUTING_1 + 1 == CORE_BEGIN_MOST,
	       "both have the same order");

/* --- Setting up --- */

void time_shape_lines(struct core_shape *shape, const struct geometry *g)
{
	shape->fills = g->fills;
	shape->walkers = g->walkers;
	shape->lane_cycles[CORE_LANE_STLB] = g->stlb_lookup_cycles;
	shape->lane_cycles[CORE_LANE_L2] = g->l2_line_cycles;
	shape->lane_cycles[CORE_LANE_LLC] = g->llc_line_cycles;
	shape->lane_cycles[CORE_LANE_LLC_AHEAD] = g->llc_ahead_cycles;
	shape->lane_cycles[CORE_LANE_MEMORY] = g->line_cycles;
}

bool time_begin(struct run_time *t, const struct core_model *model, const struct geometry *g,
		bool ipc1, uint64_t *counts)
{
	t->counts = counts;
	t->width = g->width;
	t->l1_cycles = g->l1d.cycles;
	t->latency = UINT64_MAX;
	if (ipc1)
		return true;
	t->core = calloc(1, core_bytes());
	if (!t->core)
		return false;
	core_init(t->core, model);
	return true;
}

static void drop_run(struct run_time *t)
{
	t->run = NULL;
	t->iterates = false;
}

void time_reset(struct run_time *t)
{
	drop_run(t);
	time_publish(t);
	t->counted = (struct core_counts){0};
	t->walks = (struct core_walks){0};
	t->retiring = 0;
	memset(t->pends, 0, sizeof(t->pends));
	t->charged = (struct profile_time){0};
	if (t->core)
		core_restart(t->core);
}

/* --- Accesses --- */

static uint8_t worse_of(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

/* Adds to the prefetches of the last access. Those without room take no time. */
static void note_prefetches(struct run_time *t, struct core_access *at,
			    const struct micro_outcome *o)
{
	if (!at->nprefetches)
		at->prefetches = &t->asked[t->nasked];
	for (unsigned i = 0; i < o->nprefetches && t->nasked < TIMED_PREFETCHES; i++) {
		t->asked[t->nasked++] = o->prefetches[i];
		at->nprefetches++;
	}
}

static void widen_walk(struct core_access *at, uint16_t walk, uint8_t level)
{
	if (walk <= at->walk)
		return;
	at->walk = walk;
	at->walk_level = level;
}

/* QEMU splits wide accesses. */
static void widen_access(struct run_time *t, struct timed_access *a, struct core_access *at,
			 unsigned bytes, const struct micro_outcome *o, uint32_t cycles)
{
	at->hits = false;
	at->bytes = (uint16_t)(at->bytes + bytes);
	at->level = worse_of(at->level, o->level);
	at->looks_up |= o->tlb != MICRO_TLB_HIT;
	if (cycles > at->cycles)
		at->cycles = (uint16_t)cycles;
	widen_walk(at, o->walk, o->walk_level);
	if (o->meets)
		at->meets = o->meets;
	if (o->nprefetches)
		note_prefetches(t, at, o);
	a->level = worse_of(a->level, o->level);
	a->tlb = worse_of(a->tlb, o->tlb);
	a->snoop = worse_of(a->snoop, o->snoop);
	if (o->cycles > a->cycles)
		a->cycles = o->cycles;
}

/* The access goes on with the last one. */
static bool widens_last(const struct run_time *t, unsigned insn, bool stores, uint64_t va)
{
	const unsigned n = t->naccesses;

	return n && t->access[n - 1].insn == insn && t->access[n - 1].stores == stores &&
	       (t->at[n - 1].va + t->at[n - 1].bytes == va || n == TIMED_ACCESSES);
}

void time_hit(struct run_time *t, unsigned insn, bool stores, uint64_t va, unsigned bytes)
{
	const unsigned n = t->naccesses;

	if (!t->run || insn < t->stepped)
		return;
	if (widens_last(t, insn, stores, va)) {
		t->at[n - 1].bytes = (uint16_t)(t->at[n - 1].bytes + bytes);
		return;
	}
	if (n == TIMED_ACCESSES)
		return;
	t->access[n] = (struct timed_access){
		.insn = (uint8_t)insn, .stores = stores, .cycles = (uint16_t)t->l1_cycles};
	t->at[n] = (struct core_access){.va = va,
					.bytes = (uint16_t)bytes,
					.insn = (uint8_t)insn,
					.stores = stores,
					.hits = true};
	t->naccesses = n + 1;
}

void time_access(struct run_time *t, unsigned insn, bool stores, uint64_t va, unsigned bytes,
		 const struct micro_outcome *o)
{
	const unsigned n = t->naccesses;
	const uint32_t cycles = o->cycles - o->walk - t->l1_cycles;
	struct core_access *at = &t->at[n];

	if (!t->run || insn < t->stepped)
		return;
	if (widens_last(t, insn, stores, va)) {
		widen_access(t, &t->access[n - 1], at - 1, bytes, o, cycles);
		return;
	}
	if (n == TIMED_ACCESSES)
		return;
	t->access[n] = (struct timed_access){(uint8_t)insn, stores, o->level, o->tlb,
					     o->snoop,      false,  o->cycles};
	*at = (struct core_access){.va = va,
				   .bytes = (uint16_t)bytes,
				   .cycles = (uint16_t)cycles,
				   .walk = o->walk,
				   .walk_level = o->walk_level,
				   .level = o->level,
				   .looks_up = o->tlb != MICRO_TLB_HIT,
				   .meets = o->meets,
				   .insn = (uint8_t)insn,
				   .stores = stores};
	if (o->nprefetches)
		note_prefetches(t, at, o);
	t->naccesses = n + 1;
}

/* --- Loads that are under way --- */

/* Time with a pending load is counted once for each level, however many loads are pending. */
static void count_pending(struct run_time *t, const struct core_access *at, unsigned level)
{
	static const uint8_t counts[] = {EVENTS_PENDING_L1D, EVENTS_PENDING_L2, EVENTS_PENDING_LLC};
	const uint64_t begun = at->begun * t->width, done = at->done * t->width;

	t->counts[EVENTS_MISS_SLOTS] += done - begun;
	for (unsigned i = 0; i < level; i++) {
		const uint64_t from = begun > t->pends[i] ? begun : t->pends[i];

		if (done <= from)
			continue;
		t->counts[counts[i]] += done - from;
		t->pends[i] = done;
	}
}

static void count_load(struct run_time *t, struct timed_access *a, const struct core_access *at)
{
	const uint64_t cycles = at->done - at->begun;

	a->cycles = (uint16_t)(cycles < UINT16_MAX ? cycles : UINT16_MAX);
	a->level = at->waited;
	if (cycles >= t->latency)
		t->counts[EVENTS_LATENT_LOADS]++;
	if (at->waited == CORE_IN_L1)
		return;
	a->in_flight = at->level == CORE_IN_L1;
	t->counts[EVENTS_L1D_LATE_LOADS] += a->in_flight;
	count_pending(t, at, a->level);
}

/* --- Instructions without a row --- */

#define ROWLESS_NAMED (EVENTS_ROWLESS_KINDS - 1)

char time_rowless[EVENTS_ROWLESS_KINDS][EVENTS_MNEMONIC] = {[ROWLESS_NAMED] = "others"};

static struct {
	uint8_t count[ZYDIS_MNEMONIC_MAX_VALUE + 1]; /* by mnemonic, from 1 on; 0: none yet */
	uint8_t named;
} rowless;

static void name_rowless(char name[EVENTS_MNEMONIC], const char *mnemonic)
{
	for (unsigned i = 0; i < EVENTS_MNEMONIC && mnemonic[i]; i++)
		name[i] = (char)toupper((unsigned char)mnemonic[i]);
}

/* The last count is of all mnemonics for which there is no other. */
static void give_count(uint16_t mnemonic)
{
	if (rowless.count[mnemonic])
		return;
	rowless.count[mnemonic] = rowless.named + 1;
	if (rowless.named < ROWLESS_NAMED)
		name_rowless(time_rowless[rowless.named++], ZydisMnemonicGetString(mnemonic));
}

/* Counts instructions of the run, by a bit each. */
static void count_rowless(struct run_time *t, uint64_t insns, uint64_t times)
{
	for (; insns; insns &= insns - 1) {
		const struct core_insn *insn = t->run->insns[bits_first(insns)];

		t->counts[EVENTS_ROWLESS + rowless.count[insn->mnemonic] - 1] += times;
	}
}

/* --- Instructions --- */

static void step_without_core(struct run_time *t, const struct core_insn *insn, uint64_t times)
{
	t->counts[EVENTS_UOPS] += insn->issued * times;
	t->counts[EVENTS_CYCLES] += times;
	t->counts[EVENTS_SLOTS] += t->width * times;
}

/* The accesses up to `end`, of instructions that were stepped. */
static void count_loads(struct run_time *t, const struct core_access *end)
{
	struct timed_access *a = &t->access[t->used];
	const struct core_access *at = &t->at[t->used];

	for (; at < end; at++, a++)
		if (!at->stores)
			count_load(t, a, at);
	t->used = (unsigned)(a - t->access);
}

static void join_access(struct core_access *to, const struct core_access *at)
{
	to->hits = false;
	if (at->cycles > to->cycles)
		to->cycles = at->cycles;
	widen_walk(to, at->walk, at->walk_level);
}

/* Several accesses of a kind, as those of a gather, are one that takes as long as the longest. */
static void step_together(struct run_time *t, struct core_run *run, unsigned n)
{
	const struct core_insn *insn = run->insns[run->next];
	const unsigned end[2] = {insn->loads, (unsigned)insn->loads + insn->stores};
	const struct timed_access *a = &t->access[t->used];
	const bool ends = run->next + 1 == run->end;
	struct core_access list[CORE_ACCESSES] = {{0}}, *at = &t->at[t->used];
	unsigned next[2] = {0, insn->loads};

	for (unsigned i = 0; i < n; i++) {
		const bool stores = a[i].stores;

		if (next[stores] < end[stores])
			list[next[stores]++] = at[i];
		else if (end[stores] > (stores ? insn->loads : 0u))
			join_access(&list[end[stores] - 1], &at[i]);
	}
	core_step(t->core, insn, run->va, list, ends && run->taken, ends && run->mispredicted);
	for (unsigned i = 0; i < n; i++) {
		at[i].begun = list[0].begun;
		at[i].done = list[0].done;
		at[i].waited = list[0].waited;
	}
	run->va += insn->bytes;
	run->next++;
	run->access += n;
	if (insn->loads)
		count_loads(t, run->access);
	else
		t->used += n;
}

/* --- Runs --- */

static bool has_retired(const struct run_time *t, unsigned insn)
{
	return !(t->run->by_access >> insn & 1) ||
	       (t->naccesses && t->access[t->naccesses - 1].insn >= insn);
}

uint64_t time_address(const struct timed_insns *run, unsigned insn)
{
	uint64_t va = run ? run->va : 0;

	for (unsigned i = 0; run && i < insn && i < run->n; i++)
		va += run->insns[i]->bytes;
	return va;
}

static __attribute__((noinline)) void fetch_code(struct run_time *t)
{
	const struct micro_fetched *f = &t->fetched;

	if (f->walk)
		core_fetch_walk(t->core, t->run->va, (enum core_level)f->walk_level, f->walk);
	core_fetch_line(t->core, (enum core_level)f->level, f->cycles - f->walk);
}

static void count_rowless_from(struct run_time *t, unsigned from)
{
	if (t->run->rowless)
		count_rowless(t, t->run->rowless & bits_low(t->stepped) & ~bits_low(from), 1);
}

static void step_without_core_until(struct run_time *t, unsigned end)
{
	for (; t->stepped < end && has_retired(t, t->stepped); t->stepped++)
		step_without_core(t, t->run->insns[t->stepped], 1);
}

/* Steps instructions up to `end`, as far as they have retired. */
static inline __attribute__((always_inline)) void step_until(struct run_time *t, unsigned end,
							     bool taken, bool mispredicted)
{
	const bool ends = end == t->run->n;
	const unsigned from = t->stepped;
	struct core_run *run = &t->steps;
	unsigned n;

	if (!t->core) {
		step_without_core_until(t, end);
		count_rowless_from(t, from);
		return;
	}
	if (t->fetched.cycles && !from)
		fetch_code(t);
	t->uncounted |= from < end || t->fetched.cycles;
	t->fetched.cycles = 0;
	run->last = &t->at[t->naccesses];
	run->end = end;
	run->taken = ends && taken;
	run->mispredicted = ends && mispredicted;
	while ((n = core_step_run(t->core, run))) {
		count_loads(t, run->access);
		step_together(t, run, n);
	}
	if (t->naccesses)
		count_loads(t, run->access);
	t->stepped = run->next;
	count_rowless_from(t, from);
}

/* A further iteration moves a few bytes; the core takes a block of them at once. */
static void step_iteration(struct run_time *t)
{
	const uint64_t block = t->naccesses ? t->at[0].va / MOVED_AT_ONCE + 1 : 0;
	bool stores = false, waits = false;

	for (unsigned i = 0; i < t->naccesses; i++) {
		stores |= t->access[i].stores;
		waits |= t->at[i].level != CORE_IN_L1 || t->at[i].meets;
	}
	if (!t->core || (stores && block == t->moved_at && !waits))
		return;
	t->moved_at = block;
	t->uncounted = true;
	for (unsigned i = 0; i < t->naccesses; i++) {
		core_step_microcode(t->core, &t->at[i], t->access[i].stores);
		if (!t->access[i].stores)
			count_load(t, &t->access[i], &t->at[i]);
	}
}

/* --- What a run takes --- */

_Static_assert(PROFILE_TIME_ALIAS - PROFILE_TIME_FRONTEND + 1 == CORE_LOST_CAUSES &&
		       PROFILE_TIME_MEMORY - PROFILE_TIME_FRONTEND == CORE_LOST_MEMORY &&
		       PROFILE_TIME_BLOCKED - PROFILE_TIME_FRONTEND == CORE_LOST_BLOCKED,
	       "both have the same causes");

/* All that the core has spent so far. */
static void read_spent(const struct run_time *t, uint64_t spent[PROFILE_TIME_COUNTS])
{
	struct core_counts now;

	core_read(t->core, &now);
	memcpy(spent, t->charged.count, sizeof(t->charged.count));
	spent[PROFILE_TIME_SLOTS] = now.slots;
	memcpy(&spent[PROFILE_TIME_FRONTEND], now.lost, sizeof(now.lost));
	spent[PROFILE_TIME_LOADS_BLOCKED] = now.blocked;
	spent[PROFILE_TIME_LOADS_ALIAS] = now.aliased;
}

static void count_levels(const struct run_time *t, uint64_t to[PROFILE_TIME_COUNTS])
{
	for (unsigned i = 0; i < t->naccesses; i++)
		if (!t->access[i].stores && t->at[i].waited != CORE_IN_L1)
			to[PROFILE_TIME_LOADS_L2 + t->at[i].waited - CORE_IN_L2]++;
}

/* Vcpus may run the same code at the same time. */
static void charge_run(struct run_time *t, bool mispredicted)
{
	uint64_t spent[PROFILE_TIME_COUNTS], more[PROFILE_TIME_COUNTS] = {0};

	read_spent(t, spent);
	for (unsigned i = 0; i < PROFILE_TIME_COUNTS; i++)
		more[i] = spent[i] - t->charged.count[i];
	memcpy(t->charged.count, spent, sizeof(spent));
	if (!t->run->spent)
		return;
	count_levels(t, more);
	more[PROFILE_TIME_MISPREDICTED] = mispredicted;
	t->run->spent->width = t->width;
	for (unsigned i = 0; i < PROFILE_TIME_COUNTS; i++)
		if (more[i])
			__atomic_fetch_add(&t->run->spent->count[i], more[i], __ATOMIC_RELAXED);
}

void time_charge(struct run_time *t)
{
	t->charges = t->core != NULL;
}

void time_end(struct run_time *t, bool taken, bool mispredicted)
{
	if (!t->run)
		return;
	if (t->iterates)
		step_iteration(t);
	else
		step_until(t, t->run->n, taken, mispredicted);
	t->ended = t->run->va;
	if (t->charges)
		charge_run(t, mispredicted);
	drop_run(t);
}

/* An instruction has retired if a later one has accessed memory. */
void time_known(struct run_time *t)
{
	const unsigned reached = t->naccesses ? t->access[t->naccesses - 1].insn : 0;
	unsigned end = t->stepped;

	if (!t->run || t->iterates)
		return;
	while (end < t->run->n && (end < reached || !(t->run->by_next >> end & 1)))
		end++;
	step_until(t, end, t->run->jumps, false);
}

static void begin_timed(struct run_time *t, const struct timed_insns *run)
{
	t->run = run;
	t->stepped = t->naccesses = t->used = t->nasked = 0;
	t->steps.insns = run->insns;
	t->steps.access = t->at;
	t->steps.va = run->va;
	t->steps.needs = run->by_access;
	t->steps.next = 0;
}

void time_run(struct run_time *t, const struct timed_insns *run, struct micro_fetched fetched)
{
	begin_timed(t, run);
	t->fetched = fetched;
}

void time_iteration(struct run_time *t, const struct timed_insns *run)
{
	begin_timed(t, run);
	t->iterates = true;
}

void time_repeat(struct run_time *t, uint64_t n)
{
	const struct timed_insns *run = t->run;

	count_rowless(t, run->rowless, n - 1);
	time_end(t, true, false);
	t->uncounted = true;
	if (t->core)
		core_repeat(t->core, run->insns, run->n, run->va, n - 1);
	else
		for (unsigned i = 0; i < run->n; i++)
			step_without_core(t, run->insns[i], n - 1);
	begin_timed(t, run);
	if (t->charges)
		charge_run(t, false);
}

const struct timed_insns *time_keep_run(struct run_time *t, const struct timed_insns *run)
{
	if (!run || run == &t->kept)
		return run;
	memcpy(t->kept_insns, run->insns, run->n * sizeof(*t->kept_insns));
	t->kept = *run;
	t->kept.insns = t->kept_insns;
	return &t->kept;
}

void time_forget_runs(struct run_time *t)
{
	t->run = time_keep_run(t, t->run);
	if (t->run)
		t->steps.insns = t->kept_insns;
}

/* --- Counts --- */

/* `now`, without what was counted before. */
static struct core_counts counts_since(const struct core_counts *now,
				       const struct core_counts *before)
{
	struct core_counts more = *now;

	_Static_assert(sizeof(more) % sizeof(uint64_t) == 0, "all fields are uint64_t");
	for (size_t i = 0; i < sizeof(more) / sizeof(uint64_t); i++)
		((uint64_t *)&more)[i] -= ((const uint64_t *)before)[i];
	return more;
}

static void publish_causes(struct run_time *t, const struct core_counts *more)
{
	static const struct {
		uint8_t cause, stalls, slots;
	} rows[] = {
		{CORE_LOST_FRONTEND, EVENTS_STALLS_FRONTEND, EVENTS_SLOTS_FRONTEND},
		{CORE_LOST_SPECULATION, EVENTS_STALLS_BAD_SPECULATION, EVENTS_WRONG_PATH},
		{CORE_LOST_L1, EVENTS_STALLS_L1, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_L2, EVENTS_STALLS_L2, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_LLC, EVENTS_STALLS_LLC, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_MEMORY, EVENTS_STALLS_MEMORY, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_STORES, EVENTS_STALLS_STORES, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_UNITS, EVENTS_STALLS_CORE, EVENTS_SLOTS_CORE},
		{CORE_LOST_BLOCKED, EVENTS_STALLS_L1, EVENTS_SLOTS_MEMORY},
		{CORE_LOST_ALIAS, EVENTS_STALLS_L1, EVENTS_SLOTS_MEMORY},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		t->counts[rows[i].stalls] += more->empty[rows[i].cause];
		t->counts[rows[i].slots] += more->lost[rows[i].cause];
		if (rows[i].cause >= CORE_LOST_L1)
			t->counts[EVENTS_STALLS_BACKEND] += more->empty[rows[i].cause];
	}
	t->counts[EVENTS_WRONG_ISSUED] +=
		more->lost[CORE_LOST_SPECULATION] - more->empty[CORE_LOST_SPECULATION] * t->width;
}

/* Cycles that lost `n` slots or more as code is late, for each `n`. */
static void publish_late(struct run_time *t, const struct core_counts *more)
{
	uint64_t cycles = more->empty[CORE_LOST_FRONTEND];

	for (unsigned n = t->width; n; n--) {
		if (n <= LATE_MOST)
			t->counts[EVENTS_LATE_1 + n - 1] += cycles;
		cycles += more->cycles.late[t->width - n + 1];
	}
}

/* Cycles in which `n` micro-operations or more begin, for each `n`. Returns all cycles. */
static uint64_t publish_executing(struct run_time *t, const struct core_counts *more)
{
	uint64_t cycles = 0;

	for (unsigned n = CORE_BEGIN_MOST; n; n--) {
		cycles += more->cycles.begin[n];
		t->counts[EVENTS_EXECUTING_1 + n - 1] += cycles;
	}
	t->counts[EVENTS_STALLS_EXECUTE] += more->cycles.begin[0];
	return cycles + more->cycles.begin[0];
}

/* Counts of cycles by what happens in them. */
static void publish_cycles(struct run_time *t, const struct core_counts *more)
{
	const uint64_t retiring = core_retiring(t->core) - t->retiring;
	const uint64_t passed = publish_executing(t, more);

	publish_late(t, more);
	for (unsigned i = CORE_FULL_REORDER; i < CORE_FULL_KINDS; i++)
		t->counts[EVENTS_FULL_REORDER + i - CORE_FULL_REORDER] += more->cycles.full[i];
	t->counts[EVENTS_SCHEDULER_EMPTY] += more->cycles.unscheduled;
	t->counts[EVENTS_RETIRING] += retiring;
	t->counts[EVENTS_STALLS_RETIRE] += passed - retiring;
	t->retiring += retiring;
}

static void publish_deliveries(struct run_time *t, const struct core_deliveries *more)
{
	for (unsigned i = 0; i < CORE_SOURCES_OF_UOPS; i++) {
		t->counts[EVENTS_UOPS_DECODERS + i] += more->uops[i];
		t->counts[EVENTS_DECODING + i] += more->cycles[i];
		t->counts[EVENTS_DECODING_FULL + i] += more->at_width[i];
	}
	t->counts[EVENTS_UOPS_MICROCODE] += more->microcode;
	t->counts[EVENTS_MICROCODED] += more->microcoded;
	t->counts[EVENTS_FUSED_JUMPS] += more->fused;
	t->counts[EVENTS_SWITCHES] += more->switches;
	t->counts[EVENTS_SWITCHING] += more->switching;
	t->counts[EVENTS_PREFIX_CYCLES] += more->prefixes;
	t->counts[EVENTS_CODE_WAITS] += more->lines;
	t->counts[EVENTS_CODE_WALK_WAITS] += more->walks;
}

static void publish_uops(struct run_time *t, const struct core_counts *more)
{
	t->counts[EVENTS_UOPS] += more->uops;
	publish_deliveries(t, &more->deliveries);
	for (unsigned i = 0; i < CORE_PORTS; i++) {
		t->counts[EVENTS_PORT_0 + i] += more->ports[i];
		t->counts[EVENTS_EXECUTED] += more->ports[i];
	}
}

_Static_assert(EVENTS_WALKING_CODE - EVENTS_WALKING_LOADS + 1 == CORE_WALK_KINDS &&
		       EVENTS_WALKS_CODE - EVENTS_WALKS_LOADS + 1 == CORE_WALK_KINDS,
	       "both have the same kinds");

static void publish_walks(struct run_time *t)
{
	struct core_walks now;

	core_read_walks(t->core, &now);
	for (unsigned i = 0; i < CORE_WALK_KINDS; i++) {
		t->counts[EVENTS_WALKING_LOADS + i] += now.sum[i] - t->walks.sum[i];
		t->counts[EVENTS_WALKS_LOADS + i] += now.active[i] - t->walks.active[i];
	}
	t->walks = now;
}

void time_publish(struct run_time *t)
{
	struct core_counts now, more;

	if (!t->core || !t->uncounted)
		return;
	core_read(t->core, &now);
	more = counts_since(&now, &t->counted);
	t->counts[EVENTS_CYCLES] += now.slots / t->width - t->counted.slots / t->width;
	t->counts[EVENTS_SLOTS] += more.slots;
	t->counts[EVENTS_DIVIDER] += more.divider;
	t->counts[EVENTS_LOADS_ALIASED] += more.aliased;
	t->counts[EVENTS_LOADS_BLOCKED] += more.blocked;
	publish_uops(t, &more);
	publish_causes(t, &more);
	publish_cycles(t, &more);
	publish_walks(t);
	t->counted = now;
	t->uncounted = false;
}

void time_publish_clock(struct run_time *t)
{
	uint64_t slots;

	if (!t->core || !t->uncounted)
		return;
	slots = core_slots(t->core);
	t->counts[EVENTS_CYCLES] += slots / t->width - t->counted.slots / t->width;
	t->counts[EVENTS_SLOTS] += slots - t->counted.slots;
	t->counted.slots = slots;
}

uint64_t time_cycles(const struct run_time *t)
{
	if (!t->core)
		return t->counts[EVENTS_CYCLES];
	return t->counts[EVENTS_CYCLES] + core_slots(t->core) / t->width -
	       t->counted.slots / t->width;
}

uint64_t time_ahead(const struct run_time *t)
{
	return t->core ? core_ahead(t->core) : 0;
}

/* --- Descriptions --- */

static struct {
	const struct core_insn **slots;
	size_t n, room;
} interned;

static const struct core_insn **intern_slot(const struct core_insn *insn)
{
	size_t at = XXH3_64bits(insn, sizeof(*insn)) & (interned.room - 1);

	while (interned.slots[at] && memcmp(interned.slots[at], insn, sizeof(*insn)))
		at = (at + 1) & (interned.room - 1);
	return &interned.slots[at];
}

static void grow_interned(void)
{
	const struct core_insn **old = interned.slots;
	const size_t room = interned.room;

	interned.room = room ? 2 * room : 1024;
	interned.slots = calloc(interned.room, sizeof(*interned.slots));
	if (!interned.slots)
		abort();
	for (size_t i = 0; i < room; i++)
		if (old[i])
			*intern_slot(old[i]) = old[i];
	free(old);
}

static const struct core_insn *keep_insn(const struct core_insn *insn)
{
	struct core_insn *own = malloc(sizeof(*own));

	if (!own)
		abort();
	*own = *insn;
	if (own->flags & CORE_UNKNOWN)
		give_count(own->mnemonic);
	interned.n++;
	return own;
}

const struct core_insn *time_intern(const struct core_insn *insn)
{
	const struct core_insn **slot;

	if (2 * interned.n >= interned.room)
		grow_interned();
	slot = intern_slot(insn);
	if (!*slot)
		*slot = keep_insn(insn);
	return *slot;
}
