// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_memory.c - when data and lines of code arrive: from the store buffer, L1, or another level.
 * A line that L1 lacks takes a buffer until it is there, in the order in which they are asked for;
 * each level begins a line every few cycles. A walk of page tables comes before, and takes a
 * walker.
 */
#include "vpmu/core/core_state.h"

#define LINE         64
#define WORD         8
#define PAGE         4096
#define ALIASING     4096
#define ALIAS_CYCLES 5 /* until a load that was misled has its data, beyond its own */

/* The request that began in that turn, plus 1; 0: there is none. */
static uint64_t begun_in(const struct core *core, enum core_lane which, uint64_t turn)
{
	const uint64_t begun = core->lanes[which][turn % CORE_TURNS];

	return begun && (begun - 1) / core->shape->lane_cycles[which] == turn ? begun : 0;
}

/*
 * No request can begin from `from` up to `at`, where one does, and for as long behind it. That is
 * known as long as all turns next to these cycles are remembered: that of `at` makes the lane
 * forget two.
 */
static void note_taken(struct core *core, enum core_lane which, uint64_t from, uint64_t at)
{
	const uint64_t every = core->shape->lane_cycles[which], turn = at / every;
	struct core_taken *taken = &core->lanes_taken[which];
	const uint64_t most = (turn + CORE_TURNS - 1) * every;

	if (from > taken->until || at + every < taken->from)
		*taken = (struct core_taken){from, from};
	if (taken->from > from)
		taken->from = from;
	if (taken->until < at + every)
		taken->until = at + every;
	if (turn >= CORE_TURNS && taken->from < (turn - CORE_TURNS + 2) * every)
		taken->from = (turn - CORE_TURNS + 2) * every;
	if (taken->until > most)
		taken->until = most;
}

/*
 * When the lane takes the request: from `at` on, as soon as there are its cycles before the next
 * one and behind the one before. Requests come in the order of the program, so a later one may come
 * in between. As many cycles are a turn, and in each turn one request begins.
 */
static uint64_t lane_takes(struct core *core, enum core_lane which, uint64_t at)
{
	const uint64_t every = core->shape->lane_cycles[which], asked = at;
	const struct core_taken *taken = &core->lanes_taken[which];
	uint64_t turn, before, same, next;

	if (!every)
		return at;
	for (;;) {
		if (at >= taken->from && at < taken->until)
			at = taken->until;
		turn = at / every;
		before = turn ? begun_in(core, which, turn - 1) : 0;
		if (before && before - 1 + every > at)
			at = before - 1 + every;
		same = begun_in(core, which, turn);
		next = begun_in(core, which, turn + 1);
		if (!same && (!next || next - 1 >= at + every))
			break;
		at = (same ? same : next) - 1 + every;
	}
	core->lanes[which][turn % CORE_TURNS] = at + 1;
	note_taken(core, which, asked, at);
	if (core->lanes_end < at + every)
		core->lanes_end = at + every;
	return at;
}

static enum core_lane lane_of(enum core_level level)
{
	static const uint8_t lanes[] = {[CORE_IN_L2] = CORE_LANE_L2,
					[CORE_IN_LLC] = CORE_LANE_LLC,
					[CORE_IN_MEMORY] = CORE_LANE_MEMORY};

	return (enum core_lane)lanes[level];
}

uint64_t core_line_arrives(struct core *core, enum core_level level, uint64_t at, uint32_t cycles)
{
	return (level == CORE_IN_L1 ? at : lane_takes(core, lane_of(level), at)) + cycles;
}

/* A line that L2's prefetchers ask for. */
static uint64_t line_to_l2(struct core *core, enum core_level level, uint64_t at, uint32_t cycles)
{
	if (level != CORE_IN_LLC)
		return core_line_arrives(core, level, at, cycles);
	return lane_takes(core, CORE_LANE_LLC_AHEAD, at) + cycles;
}

/* A line to L1 takes the buffer that was taken longest ago. */
static uint64_t fill_line(struct core *core, enum core_level level, uint64_t at, uint32_t cycles)
{
	uint64_t *ends = &core->fills[core->fill];

	if (!core->shape->fills)
		return core_line_arrives(core, level, at, cycles);
	*ends = core_line_arrives(core, level, *ends > at ? *ends : at, cycles);
	core->fill = (core->fill + 1) % core->shape->fills;
	return *ends;
}

/* A line to L2 takes none of L1's buffers. One that is on its way there is not sooner in L1. */
static void begin_prefetch(struct core *core, const struct line_request *p, uint64_t at)
{
	const enum core_level level = (enum core_level)p->level;
	const uint64_t ready = p->into_l2 ? line_to_l2(core, level, at, p->cycles)
					  : fill_line(core, level, at, p->cycles);

	if (p->joins && core->flights[p->flight].ready > ready)
		return;
	core->flights[p->flight].level = p->level;
	core->flights[p->flight].ready = ready;
}

static void begin_prefetches(struct core *core, const struct core_access *access, uint64_t at)
{
	for (unsigned i = 0; i < access->nprefetches; i++)
		begin_prefetch(core, &access->prefetches[i], at);
}

/* --- Walks of page tables --- */

/* The walker that is free first. */
static uint64_t *next_walker(struct core *core)
{
	uint64_t *first = core->walkers;

	for (unsigned i = 1; i < core->shape->walkers; i++)
		if (core->walkers[i] < *first)
			first = &core->walkers[i];
	return first;
}

static void count_walk(struct core *core, enum core_walk_kind kind, uint64_t begun, uint64_t done)
{
	uint64_t *until = &core->walks_until[kind];

	core->walks.sum[kind] += done - begun;
	if (done <= *until)
		return;
	core->walks.active[kind] += done - (begun > *until ? begun : *until);
	*until = done;
}

static struct core_line *walked_page(struct core *core, uint64_t va)
{
	return &core->pages[va / PAGE % CORE_WALKED];
}

uint64_t core_walk(struct core *core, enum core_walk_kind kind, uint64_t va, uint64_t at,
		   enum core_level level, uint32_t cycles)
{
	uint64_t *walker = next_walker(core), done;

	if (core->shape->walkers && *walker > at)
		at = *walker;
	done = core_line_arrives(core, level, at, cycles);
	if (*walker < done)
		*walker = done;
	if (core->walked < done)
		core->walked = done;
	*walked_page(core, va) = (struct core_line){.line = va / PAGE, .ready = done};
	count_walk(core, kind, at, done);
	return done;
}

void core_read_walks(const struct core *core, struct core_walks *walks)
{
	*walks = core->walks;
}

/* When the access has its physical address: after its walk, or one for the same page. */
static uint64_t translated(struct core *core, const struct core_access *access,
			   enum core_walk_kind kind, uint64_t at)
{
	const struct core_line *page;

	if (access->looks_up)
		at = lane_takes(core, CORE_LANE_STLB, at);
	if (access->walk)
		return core_walk(core, kind, access->va, at, (enum core_level)access->walk_level,
				 access->walk);
	if (core->walked <= at)
		return at;
	page = walked_page(core, access->va);
	return page->line == access->va / PAGE && page->ready > at ? page->ready : at;
}

static enum core_cause cause_of_level(unsigned level)
{
	return (enum core_cause)(CORE_LOST_L1 + level);
}

/* --- Loads --- */

static uint64_t first_word(const struct core_access *access)
{
	return access->va / WORD;
}

/* An access of which nothing is known has no bytes. */
static uint64_t last_word(const struct core_access *access)
{
	return (access->va + access->bytes - (access->bytes > 0)) / WORD;
}

/* The place of the last store to that word. */
static struct core_stored *stored_at(struct core *core, uint64_t word)
{
	return &core->last_stores[word % (1u << CORE_STORES_BITS)];
}

static bool overlaps(const struct core_access *access, const struct core_stored *last)
{
	return access->va < last->va + last->bytes && last->va < access->va + access->bytes;
}

/* The last store that the load overlaps with; else the last one to the place of its first word. */
static const struct core_stored *last_store(struct core *core, const struct core_access *load)
{
	const struct core_stored *last = stored_at(core, first_word(load));
	bool found = overlaps(load, last);

	for (uint64_t word = first_word(load) + 1; word <= last_word(load); word++) {
		const struct core_stored *store = stored_at(core, word);

		if (!overlaps(load, store) || (found && store->writer <= last->writer))
			continue;
		last = store;
		found = true;
	}
	return last;
}

/* Whether all stores to the places of the load's words are written before `at`. */
static inline bool stores_are_written(struct core *core, const struct core_access *load,
				      uint64_t at)
{
	bool all = stored_at(core, first_word(load))->written < at;

	for (uint64_t word = first_word(load) + 1; word <= last_word(load); word++)
		all &= stored_at(core, word)->written < at;
	return all;
}

static bool is_within_store(const struct core_access *access, const struct core_stored *last)
{
	return access->va >= last->va && access->va + access->bytes <= last->va + last->bytes;
}

static void note_block(enum core_cause *cause, enum core_cause block, uint64_t *count)
{
	++*count;
	if (*cause == CORE_LOST_L1)
		*cause = block;
}

/*
 * The low 12 bits alone tell a load of Intel's cores whether a store has its data. A load that is
 * misled is issued again, and one across two lines waits until the store is written: Optimization
 * Reference Manual, "4-KByte Aliasing". AMD's guides tell of no such delay.
 */
static bool is_alias(const struct core *core, const struct core_access *access,
		     const struct core_stored *last)
{
	const uint64_t load = access->va % ALIASING, store = last->va % ALIASING;

	return !(core->shape->traits & CORE_AMD) && load < store + last->bytes &&
	       store < load + access->bytes;
}

static uint64_t aliased(const struct core_access *access, const struct core_stored *last,
			uint64_t arrives)
{
	const bool splits = access->va / LINE != (access->va + access->bytes - 1) / LINE;

	if (splits && last->written > arrives)
		arrives = last->written;
	return arrives + ALIAS_CYCLES;
}

static bool writes_vector(const struct core_insn *insn)
{
	return insn->nwrites && insn->writes[0] >= CORE_REG_VECTOR &&
	       insn->writes[0] < CORE_REG_MASK;
}

/* Its data begin where the store's do. A Zen 4 takes over data of whole registers alone
 * (tests/accuracy). */
static bool is_taken_over(const struct core_shape *shape, const struct core_insn *insn,
			  const struct core_access *access, const struct core_stored *last)
{
	return !(shape->traits & CORE_WHOLE_FORWARDS) ||
	       (insn->flags & CORE_WHOLE_LOAD && access->va == last->va);
}

/* A Zen 4 knows the places of a few stores: 11 by most registers, and 16 by RSP (tests/accuracy).
 */
static bool knows_place(const struct core *core, const struct core_insn *insn,
			const struct core_stored *last)
{
	const struct core_shape *shape = core->shape;
	const unsigned most =
		insn->flags & CORE_STACK_LOAD ? shape->renamed_stack_stores : shape->renamed_stores;

	return insn->place && insn->place == last->place && core->nstores - last->number <= most;
}

static bool is_renamed(const struct core *core, const struct core_insn *insn,
		       const struct core_stored *last)
{
	const struct core_shape *shape = core->shape;

	if (shape->traits & CORE_WHOLE_FORWARDS)
		return knows_place(core, insn, last);
	return (shape->traits & CORE_RENAMES_MEMORY && insn->flags & CORE_FAST_LOAD) ||
	       (shape->traits & CORE_RENAMES_STACK && insn->flags & CORE_STACK_LOAD);
}

/* A Zen 4 takes the store's register itself. */
static unsigned renamed_cycles(const struct core_shape *shape, const struct core_insn *insn)
{
	return !insn->stores && !(shape->traits & CORE_WHOLE_FORWARDS);
}

/* A load to a general register that had its data from a store before, by its own address. */
static bool is_predicted(struct core *core, const struct core_insn *insn)
{
	uint64_t *place = &core->forwards[(core->va ^ core->va >> 4) % CORE_FORWARDS];
	const bool known = *place == core->va;

	if (!(core->shape->traits & CORE_PREDICTS_FORWARDS) || writes_vector(insn))
		return false;
	*place = core->va;
	return known;
}

static uint64_t forward_cycles(const struct core_shape *shape, const struct core_insn *insn)
{
	return writes_vector(insn) && shape->forward_vector_cycles ? shape->forward_vector_cycles
								   : shape->forward_cycles;
}

static uint64_t blocked_cycles(const struct core_shape *shape, const struct core_insn *insn)
{
	return writes_vector(insn) && shape->blocked_vector_cycles ? shape->blocked_vector_cycles
								   : shape->blocked_cycles;
}

/* The store buffer may have the data before L1. A load begins when there are data to forward. */
static uint64_t forwarded(struct core *core, const struct core_insn *insn,
			  struct core_access *access, uint64_t at, uint64_t arrives,
			  enum core_cause *cause)
{
	const struct core_shape *shape = core->shape;
	const struct core_stored *last = last_store(core, access);
	const bool blocks = !(core->ideal & CORE_PART_BLOCKS);
	uint64_t from_store;

	if (last->written + 1 <= at)
		return arrives;
	if (!overlaps(access, last)) {
		if (!blocks || !is_alias(core, access, last))
			return arrives;
		note_block(cause, CORE_LOST_ALIAS, &core->sum.aliased);
		return aliased(access, last, arrives);
	}
	if (blocks && !is_within_store(access, last)) {
		note_block(cause, CORE_LOST_BLOCKED, &core->sum.blocked);
		return last->written + blocked_cycles(shape, insn);
	}
	from_store = last->data + forward_cycles(shape, insn);
	if (is_taken_over(shape, insn, access, last) &&
	    (is_renamed(core, insn, last) || is_predicted(core, insn))) {
		from_store = last->data + renamed_cycles(shape, insn);
		/* A store whose data were taken over is written alone. */
		if (!insn->stores)
			core->stored_alone = false;
	} else if (from_store <= arrives) {
		return arrives;
	}
	core->waited_for = last->writer;
	if (last->data > at)
		access->begun = last->data;
	return from_store;
}

static struct core_line *coming_line(struct core *core, uint64_t va)
{
	return &core->coming[va / LINE % CORE_COMING];
}

static void note_coming(struct core *core, uint64_t va, uint64_t ready, unsigned level)
{
	*coming_line(core, va) = (struct core_line){va / LINE, ready, (uint8_t)level};
}

/* When the line is in L1: at once, when it has come from its level, or when it comes for an access
 * before this one. */
static uint64_t line_ready(struct core *core, struct core_access *access, uint64_t at,
			   uint64_t cycles, enum core_cause *cause)
{
	const struct core_line *coming = coming_line(core, access->va);
	uint64_t arrives = at + cycles + access->cycles;
	unsigned level = access->level;

	if (level != CORE_IN_L1)
		arrives = fill_line(core, (enum core_level)level, at,
				    (uint32_t)cycles + access->cycles);
	if (access->meets && core->flights[access->meets].ready > arrives) {
		arrives = core->flights[access->meets].ready;
		level = core->flights[access->meets].level;
	}
	if (level != CORE_IN_L1) {
		note_coming(core, access->va, arrives, level);
	} else if (coming->line == access->va / LINE && coming->ready > arrives) {
		arrives = coming->ready;
		level = coming->level;
	}
	access->waited = (uint8_t)level;
	if (cause_of_level(level) > *cause)
		*cause = cause_of_level(level);
	return arrives;
}

/* Whether nothing is on its way that an access, which hits L1, may have to wait for. */
static bool waits_for_nothing(struct core *core, const struct core_access *access, uint64_t at,
			      uint64_t arrives)
{
	const struct core_line *coming = coming_line(core, access->va);

	return core->walked <= at && stores_are_written(core, access, at) &&
	       (coming->ready <= arrives || coming->line != access->va / LINE);
}

uint64_t core_load_data(struct core *core, const struct core_insn *insn, struct core_access *access,
			uint64_t at, uint64_t cycles, enum core_cause *cause)
{
	uint64_t arrives = at + cycles;

	if (!access)
		return arrives;
	if (access->hits && waits_for_nothing(core, access, at, arrives)) {
		access->waited = CORE_IN_L1;
		access->begun = at;
		access->done = arrives;
		return arrives;
	}
	access->begun = at;
	at = translated(core, access, CORE_WALK_LOAD, at);
	arrives = line_ready(core, access, at, cycles, cause);
	begin_prefetches(core, access, at);
	arrives = forwarded(core, insn, access, at, arrives, cause);
	/* A store's register may have the data before the load begins. */
	access->done = arrives > access->begun ? arrives : access->begun;
	return arrives;
}

/* --- Stores: written to L1 in order once they have retired, one a cycle --- */

/* A Zen 3 writes two in a cycle if they are in the same 32 bytes (tests/accuracy), an Ice
 * Lake if they are in the same line: Optimization Reference Manual, "Paired Stores". */
static bool joins_last(const struct core *core, uint64_t block)
{
	return core->shape->traits & (CORE_AMD | CORE_PAIRS_STORES) && core->stored_alone &&
	       core->stored_block == block;
}

static void write_block(struct core *core, uint64_t block, bool joins)
{
	core->stored += !joins;
	core->stored_alone = !joins;
	core->stored_block = block;
	core->stored_part = false;
}

/* A Zen 4 writes the parts of a store in two blocks one after the other: first that in the block of
 * the store before, which is written with it (tests/accuracy). */
static void write_parts(struct core *core, uint64_t block, bool may_join)
{
	const bool joins_second = may_join && !core->stored_part && joins_last(core, block + 1);

	write_block(core, block + joins_second, may_join && joins_last(core, block + joins_second));
	write_block(core, block + !joins_second, false);
	core->stored_part = true;
}

static void write_next(struct core *core, const struct core_access *access)
{
	const uint64_t block = access ? access->va >> core->store_bits : 0;
	const bool spans = access && core_splits(access, 1ull << core->store_bits);
	const bool may_join = access && core->stored >= core->retired;

	if (core->stored < core->retired)
		core->stored = core->retired;
	if (spans && core->shape->traits & CORE_SPLITS)
		write_parts(core, block, may_join);
	else
		write_block(core, block, may_join && !spans && joins_last(core, block));
}

/* A store asks for its line when it has retired and has its physical address. */
static uint64_t asked_for(struct core *core, const struct core_access *access, uint64_t data)
{
	const uint64_t at = translated(core, access, CORE_WALK_STORE, data);

	return at > data && at > core->retired ? at : core->retired;
}

/* When the store is written, if it asks for its line at `asked`. */
static uint64_t line_for_store(struct core *core, const struct core_access *access, uint64_t asked)
{
	uint64_t arrives = asked;

	if (access->level != CORE_IN_L1) {
		arrives = fill_line(core, (enum core_level)access->level, asked, access->cycles);
		note_coming(core, access->va, arrives, access->level);
	}
	return arrives > core->stored ? arrives : core->stored;
}

/* The store is the last one to all of its words. */
static void note_words(struct core *core, const struct core_access *access, uint64_t data,
		       uint16_t place)
{
	const struct core_stored store = {access->va,    data,  core->stored, core->sum.steps,
					  access->bytes, place, core->nstores};

	for (uint64_t word = first_word(access); word <= last_word(access); word++)
		*stored_at(core, word) = store;
}

void core_note_store(struct core *core, const struct core_insn *insn,
		     const struct core_access *access, uint64_t data)
{
	write_next(core, access);
	if (access && (!access->hits || core->walked > data)) {
		const uint64_t asked = asked_for(core, access, data);

		core->stored = line_for_store(core, access, asked);
		begin_prefetches(core, access, asked);
	}
	if (access)
		note_words(core, access, data, insn->place);
	core->nstores++;
	core_ring_add(&core->stores, core->stored);
	core_ring_add(&core->stores_retired, core->retired);
}
