/* SPDX-License-Identifier: BSD-2-Clause */
/* core_state.h - the state of a core, and what its files share. */
#ifndef VPMU_CORE_CORE_STATE_H
#define VPMU_CORE_CORE_STATE_H

#include "vpmu/core/timed_core.h"

#define CORE_SPAN        1024 /* cycles ahead of the clock in which units are booked; a power of two */
#define CORE_REORDER     1024 /* at least the largest of each buffer; powers of two */
#define CORE_STORES_BITS 8    /* the last stores, by address */
#define CORE_FORWARDS    16   /* loads whose forwarding is predicted; a power of two */
#define CORE_UNITS       32
#define CORE_FILLS       64
#define CORE_FAR         256 /* at least the largest scheduler, and an instruction's operations */
#define CORE_WALKERS     8   /* at least the most of any core */
#define CORE_TURNS       512 /* of each lane, remembered; a power of two above loads in flight */
#define CORE_QUIET       16  /* loops without a period that are remembered; a power of two */
#define CORE_WALKED      16  /* the last pages that were walked for; a power of two */
#define CORE_COMING      64  /* the last lines that were asked for; a power of two */
#define CORE_LOOPS       2   /* rounds behind which the loop buffer has a loop */
#define CORE_LINES_AHEAD                                                         \
	8 /* lines of code that branch prediction asks for ahead; a power of two \
	   */

/* The op cache: which windows of code it holds. */
#define CORE_WINDOWS   1024
#define CORE_NO_WINDOW UINT64_MAX
struct core_window {
	uint64_t tag; /* address of the window, plus 1; 0: none */
	uint64_t used;
};

/* Where a window was found, as long as `changes` is the op cache's. */
#define CORE_FOUND 128 /* a power of two */
struct core_found {
	uint64_t tag, changes;
	struct core_window *set;
	uint32_t ways; /* as bits */
};

/* A part of the last times at which something happened: entries leave a buffer in order. Only the
 * places up to `mask` are used, so that a small buffer takes few lines of the host's cache. */
struct core_ring {
	uint32_t next, mask, size; /* `size`: of the buffer */
	uint64_t at[CORE_REORDER];
};

/* A cycle that is booked: the units that are, and above CORE_LEAVES the micro-operations that leave
 * the scheduler: those that begin to execute then. */
#define CORE_LEAVES 32

/*
 * How busy a unit is: of two units, that with the lower number takes an operation. Above
 * CORE_PENDING: booked cycles; below: the cycle up to which all are booked; below CORE_FULL: the
 * unit itself.
 */
#define CORE_PENDING 53
#define CORE_FULL    5

/* An entry of the reorder buffer: the cycle in which it retires, and below CORE_CAUSE what it waits
 * for (enum core_cause). */
#define CORE_CAUSE 4

/* Cycles from the predecoder to the decoders. */
#define CORE_MARK_TO_DECODE 3

struct core_stored {
	uint64_t va, data, written,
		writer; /* when its data were ready, and when it was written to L1 */
	uint16_t bytes;
	uint16_t place; /* of struct core_insn */
	uint32_t number;
};

/* Targets of taken branches: sets of the branches that were taken last, the newest first. */
#define CORE_TARGET_WAYS 4
#define CORE_TARGETS     8192 /* at least the most of any core */
struct core_targets {
	struct core_target {
		uint32_t branch, target; /* `target`: where it went last */
	} known[CORE_TARGETS];
};

struct core_frontend {
	uint64_t cycle;     /* in which instructions are delivered to the buffer */
	uint32_t delivered; /* micro-operations in that cycle */
	/* Micro-operations of each source in its present cycle. */
	uint32_t in_cycle[CORE_SOURCES_OF_UOPS];
	uint32_t entry;     /* of the op cache's entry: the sum of struct core_insn's */
	uint64_t predicted; /* when AMD's branch prediction had the window */
	/* Intel's op cache: a cycle that begins with the begin of a line, and one with two lines.
	 */
	uint64_t line_begins, second_line;
	bool from_cache, from_loop, restarts;
	bool taken;      /* the last instruction was a taken branch */
	bool returns;    /* and a RET */
	bool crosses;    /* it ends in another window than where it begins */
	uint64_t branch; /* its address, of all instructions */
	/* The window whose next instruction core_fetch_quickly() takes; CORE_NO_WINDOW: none. */
	uint64_t quick;
	uint64_t window; /* the window of code that is delivered */
	uint64_t line;   /* the line that the op cache delivers from in this cycle */
	/* Predecoder: its cycle, its block of bytes, and instructions marked in that cycle; cycles
	 * in which it went on with the block, and of these before, which hide what prefixes cost.
	 */
	uint64_t marks_at, block;
	uint32_t marked, more_cycles, hidden;
	uint64_t decoded_at; /* address of the last instruction that was decoded */
	uint64_t decodes_at; /* cycle of the decoders, those in use, and the most that may be */
	uint32_t decoders, decoders_most;
	uint64_t looped_at; /* cycle of the loop buffer */
	uint64_t switched;  /* the cycle in which the op cache stopped, plus 1; 0: they deliver */
	struct core_ring queue; /* when the decoders took each instruction */
	/* The window that is being decoded, until it is left. */
	uint64_t building;
	uint32_t building_uops;
	bool building_bad, other_bad;
	/* The loop that is being repeated. */
	uint64_t loop_start, loop_end;
	uint32_t loop_uops, loop_length, loop_rounds; /* `loop_length`: of the last round */
	/* When the last lines of code were reached. */
	uint64_t code_line, lines[CORE_LINES_AHEAD];
	uint64_t translated; /* the end of the last walk of page tables for code */
	uint32_t line_at;
	struct core_window windows[CORE_WINDOWS];
	struct core_found found[CORE_FOUND];
	struct core_targets near_targets, far_targets;
	/* Looks into the op cache; windows that came or left; targets that did. */
	uint64_t uses, changes, target_changes;
};

/* The unit that a micro-operation has booked, so that it can be taken back. */
struct core_booking {
	uint64_t at, ready, full; /* `full`: up to when all of its cycles were booked before */
	unsigned unit;
};

/* Cycles [from, until) in which no request can begin. */
struct core_taken {
	uint64_t from, until;
};

/* A line that was not in L1 when it was asked for, by its virtual address. */
struct core_line {
	uint64_t line, ready;
	uint8_t level; /* enum core_level */
};

/* A loop that core_repeat() has found no period of: the iterations until it looks for one again,
 * and how many they were. They decide no count. */
struct core_quiet {
	uint64_t va;
	uint32_t left, pause;
};

/* Sums, which a core adds to and does not decide by. All fields are uint64_t. */
struct core_sums {
	uint64_t steps, divider;
	uint64_t blocked, aliased; /* loads */
	uint64_t lost[CORE_LOST_CAUSES], empty[CORE_LOST_CAUSES];
	uint64_t uses[CORE_UNITS];
	struct core_deliveries deliveries;
	struct core_cycles_with cycles;
};

struct core {
	const struct core_table *table;
	const struct core_shape *shape;
	bool studied;                    /* core_idealize(), or a log */
	bool has_loops;                  /* a loop buffer */
	unsigned ideal;                  /* enum core_part */
	uint8_t window_bits, fetch_bits; /* of the shape's bytes, which are powers of two */
	uint8_t store_bits; /* of the bytes in which two stores may be written in a cycle */
	uint32_t width, retires, scheduler, cache_width; /* the shape's */
	uint32_t no_entry;   /* the front end's `entry`, if nothing is in it */
	uint64_t load_block; /* bytes beyond which a load takes its unit twice; a power of two */
	uint64_t waited_for;
	struct core_sums sum;
	struct core_log *log; /* NULL: none */
	struct core_frontend front;
	struct core_ring buffered; /* when rename took each micro-operation */

	/* Rename. */
	uint64_t now;
	uint32_t slot; /* slots of that cycle that are used */
	/* Operations of ALUs, and accesses, that were renamed in cycle `limited_at`. */
	uint32_t alus, accesses;
	uint64_t limited_at;
	uint64_t speculates_until; /* the front end restarts here */
	uint64_t barrier;          /* all behind a serializing instruction wait for it */
	uint64_t not_before;       /* the later of both */

	/* Units. */
	uint64_t booked[CORE_SPAN];   /* see CORE_LEAVES */
	uint64_t load[CORE_UNITS];    /* see CORE_PENDING */
	uint64_t free_at[CORE_UNITS]; /* of units that take one at a time */
	uint32_t waiting;
	/* The cycles of micro-operations that begin later than `booked` reaches. */
	uint32_t nfar;
	uint64_t far[CORE_FAR];

	/* When registers are ready, the steps that wrote them, and the general registers that a
	 * load alone has written, as bits. */
	uint64_t ready[CORE_REG_UNUSED + 1], writer[CORE_REGISTERS + 1];
	uint32_t by_load;
	bool notes_loads;     /* CORE_FAST_POINTER */
	bool picks_earliest;  /* CORE_AMD */
	uint32_t stack_moved; /* by so many bytes the stack engine is ahead of the register */
	bool jumps_alone;     /* a jump that begins a line does not fuse */
	struct core_uop adds_stack;

	/* The last instruction, if the next one may fuse with it. */
	const struct core_insn *first;
	uint64_t behind_first; /* its end */
	struct core_booking booking;
	struct core_uop jump, jump_writes; /* fused ones; those that write general registers */
	struct core_insn microcode_load, microcode_store; /* accesses of microcode */

	/* Retirement and buffers of loads and stores. */
	struct core_ring reorder, loads, stores;
	struct core_ring stores_retired; /* when the entries of `stores` retired */
	uint32_t oldest;                 /* all entries of `reorder` before this one have retired */
	uint64_t retired;                /* cycle of the last retirement */
	uint32_t retired_then;
	uint64_t stored;       /* when the last store was written */
	uint64_t stored_block; /* its address */
	bool stored_alone;     /* no other one was written in that cycle */
	bool stored_part;      /* it was the second part of a store */
	struct core_stored last_stores[1 << CORE_STORES_BITS];
	uint32_t nstores;                 /* the number of the next one */
	uint64_t va;                      /* of the instruction */
	uint64_t forwards[CORE_FORWARDS]; /* addresses of loads that had their data from stores */

	/* Lines on their way. */
	uint64_t fills[CORE_FILLS]; /* the end of each of the last misses */
	uint32_t fill;
	uint64_t lanes[CORE_LANES][CORE_TURNS]; /* begins of requests, plus 1, by turns */
	struct core_taken lanes_taken[CORE_LANES];
	uint64_t lanes_end; /* of the last one */
	struct core_line coming[CORE_COMING];
	struct {
		uint64_t ready;
		uint8_t level;
	} flights[LINE_FLIGHTS + 1];

	/* Walks of page tables. */
	uint64_t walkers[CORE_WALKERS]; /* the end of each walker's last walk */
	uint64_t walked;                /* the end of all of them */
	struct core_line pages[CORE_WALKED];
	uint64_t walks_until[CORE_WALK_KINDS]; /* up to when `walks` has their cycles */
	struct core_walks walks;

	struct core_quiet quiet[CORE_QUIET]; /* by address */
};

static inline uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Whether the instruction writes the stack pointer itself. */
static inline bool core_writes_stack(const struct core_insn *insn)
{
	return insn->generals >> CORE_REG_RSP & 1;
}

/* core_pick_units() - lists the units of a micro-operation. core_arrange() - puts the
 * micro-operations into the order of struct core_insn, and derives what steps read. */
void core_pick_units(struct core_uop *uop);
void core_arrange(struct core_insn *insn);

/* Whether the access goes beyond the end of a block of so many bytes, a power of two. */
static inline bool core_splits(const struct core_access *access, uint64_t block)
{
	return (access->va & (block - 1)) + access->bytes > block;
}

/* core_log_uop() - a micro-operation began at `begun` in its unit. core_log_done(): its result is
 * there at `done`. core_log_step(): the step ends, and so are its results. */
void core_log_uop(struct core *core, unsigned kind, unsigned unit, uint64_t begun);
void core_log_done(struct core *core, uint64_t done);
void core_log_step(struct core *core, uint64_t done);

/* core_load_data() - when a load that begins at `at` has its data, if a hit in L1 takes `cycles`;
 * writes the cause of a delay. core_note_store(): a store has its data at `data`. */
uint64_t core_load_data(struct core *core, const struct core_insn *insn, struct core_access *access,
			uint64_t at, uint64_t cycles, enum core_cause *cause);
void core_note_store(struct core *core, const struct core_insn *insn,
		     const struct core_access *access, uint64_t data);

/* core_walk() - a walk for the page of `va`, asked for at `at`, which reads as far as `level`;
 * returns its end. */
uint64_t core_walk(struct core *core, enum core_walk_kind kind, uint64_t va, uint64_t at,
		   enum core_level level, uint32_t cycles);

/* core_line_arrives() - the level is asked for a line at `at`. */
uint64_t core_line_arrives(struct core *core, enum core_level level, uint64_t at, uint32_t cycles);

/* The cycle up to which all of the unit's cycles are booked. */
static inline uint64_t core_full_until(const struct core *core, unsigned unit)
{
	return (core->load[unit] & ((1ull << CORE_PENDING) - 1)) >> CORE_FULL;
}

static inline uint64_t core_ring_at(const struct core_ring *ring, uint32_t ago)
{
	return ring->at[(ring->next - ago) & ring->mask];
}

/* The entry that leaves the buffer when the next one enters it. */
static inline uint64_t core_ring_oldest(const struct core_ring *ring)
{
	return ring->at[(ring->next - ring->size) & ring->mask];
}

static inline void core_ring_add(struct core_ring *ring, uint64_t at)
{
	ring->at[ring->next++ & ring->mask] = at;
}

/* --- The front end, as long as nothing changes (core_frontend.c) --- */

/* core_end_delivery() - the source has delivered what it does in its present cycle. */
static inline void core_end_delivery(struct core *core, enum core_source from)
{
	uint32_t *uops = &core->front.in_cycle[from];

	core->sum.deliveries.cycles[from] += *uops > 0;
	core->sum.deliveries.at_width[from] += *uops >= core->width;
	*uops = 0;
}

static inline void core_front_be_at(struct core *core, uint64_t cycle)
{
	struct core_frontend *f = &core->front;

	if (cycle <= f->cycle)
		return;
	f->cycle = cycle;
	f->delivered = 0;
	core_end_delivery(core, CORE_FROM_CACHE);
}

/* More than a cycle's micro-operations: the rest comes in the next one. */
static inline void core_deliver_rest(struct core *core)
{
	struct core_frontend *f = &core->front;
	const uint32_t now = f->in_cycle[CORE_FROM_CACHE];

	f->delivered -= core->cache_width;
	f->in_cycle[CORE_FROM_CACHE] = now > f->delivered ? now - f->delivered : 0;
	core_end_delivery(core, CORE_FROM_CACHE);
	f->in_cycle[CORE_FROM_CACHE] = f->delivered;
	f->cycle++;
}

/* The buffer has room, and the way is known. */
static inline uint64_t core_may_deliver(const struct core *core)
{
	return later_of(core_ring_oldest(&core->buffered), core->speculates_until);
}

static inline void core_count_loop(struct core_frontend *f, uint32_t uops, uint64_t va)
{
	if (va == f->loop_start)
		f->loop_uops = 0;
	f->loop_uops += uops;
}

#define CORE_PREDICTED_AHEAD 16 /* cycles, at most */

/* By how many cycles branch prediction is ahead: all that are too many are alike. */
static inline uint64_t core_predicted_ago(const struct core_frontend *f)
{
	const uint64_t ago = f->cycle - f->predicted;

	return (int64_t)ago > CORE_PREDICTED_AHEAD ? CORE_PREDICTED_AHEAD + 1 : ago;
}

/* The loop buffer delivers in the cycle of rename, or when that has no slot left in the next one,
 * but not before `ready`. */
static inline void core_deliver_looped(struct core *core, uint32_t uops, uint64_t ready)
{
	struct core_frontend *f = &core->front;
	const uint64_t cycle = later_of(core->now + (core->slot == core->width), ready);

	if (f->looped_at != cycle)
		core_end_delivery(core, CORE_FROM_LOOP);
	f->looped_at = cycle;
	f->in_cycle[CORE_FROM_LOOP] += uops;
	core->sum.deliveries.uops[CORE_FROM_LOOP] += uops;
	core_front_be_at(core, core->now);
}

/* core_deliver() - the op cache delivers an instruction. On AMD's cores that is one entry in a
 * cycle (tests/accuracy). core_fill_entry(): the entry may be full. */
#define CORE_ENTRY_CHECKED 8 /* micro-operations from which on it may be */
void core_fill_entry(struct core *core, const struct core_insn *insn);

static inline void core_deliver(struct core *core, const struct core_insn *insn, bool fused)
{
	struct core_frontend *f = &core->front;

	if (fused)
		return;
	f->entry += insn->entry;
	if ((f->entry & ((1u << CORE_ENTRY_FIELD) - 1)) >= CORE_ENTRY_CHECKED)
		core_fill_entry(core, insn);
	f->delivered += insn->fused;
	f->in_cycle[CORE_FROM_CACHE] += insn->fused;
	while (f->delivered > core->cache_width)
		core_deliver_rest(core);
}

/* core_loop_times() - how often the loop buffer holds a loop of so many micro-operations. */
uint32_t core_loop_times(const struct core_shape *shape, uint32_t uops);

uint64_t core_fetch_anew(struct core *core, const struct core_insn *insn, uint64_t va, bool fused);

/* The op cache goes on with its window: no branch was taken or mispredicted, and it is no loop that
 * the loop buffer may have. The cache has no more than a line in a window. */
static inline uint64_t core_fetch_quickly(struct core *core, const struct core_insn *insn,
					  uint64_t va, bool fused)
{
	struct core_frontend *f = &core->front;
	const uint32_t uops = fused ? 0 : insn->issued;

	core->sum.deliveries.uops[CORE_FROM_CACHE] += uops;
	core_count_loop(f, uops, va);
	core_front_be_at(core, core_ring_oldest(&core->buffered));
	core_deliver(core, insn, fused);
	return f->cycle;
}

/* core_fetch() - the cycle in which the instruction is ready to be renamed. `fused`: it is one
 * micro-operation with the one before it. The caller then calls core_fetched(). */
static inline uint64_t core_fetch(struct core *core, const struct core_insn *insn, uint64_t va,
				  bool fused)
{
	struct core_frontend *f = &core->front;

	if (va >> core->window_bits == f->quick && !(insn->flags & (CORE_MICROCODE | CORE_NO_LOOP)))
		return core_fetch_quickly(core, insn, va, fused);
	if (f->from_loop && !f->taken && !(insn->flags & CORE_MICROCODE) && va > f->loop_start &&
	    va <= f->loop_end) {
		core_deliver_looped(core, fused ? 0 : insn->issued, core->now);
		return core->now;
	}
	return core_fetch_anew(core, insn, va, fused);
}

/* core_fetched() - all up to this instruction, at `va`, are fetched; it is a branch that was
 * `taken`.
 */
static inline void core_fetched(struct core *core, const struct core_insn *insn, uint64_t va,
				bool taken)
{
	struct core_frontend *f = &core->front;

	f->branch = va;
	f->taken = taken;
	f->returns = insn->flags & CORE_RETURN;
	if (!taken)
		return;
	f->quick = CORE_NO_WINDOW;
	f->crosses = (va ^ (va + insn->bytes - 1)) >> core->window_bits;
}

#endif
