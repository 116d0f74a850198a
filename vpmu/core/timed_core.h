/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timed_core.h - a core in time: when each instruction is fetched, renamed, executed and retired.
 * It is told of instructions in program order, with the addresses of their accesses, the levels
 * that had the data, and whether a branch was mispredicted. It knows nothing of caches and
 * predictors.
 *
 * Each micro-operation takes the first free cycle of its unit, in program order; there is no loop
 * over cycles. The clock is that of rename: a cycle has `width` slots, a micro-operation of the
 * fused domain takes one, and each slot that is left empty has a cause. So slots by cause add up.
 * Integers only: the same calls give the same times.
 *
 * Contexts: a core belongs to one thread at a time.
 */
#ifndef VPMU_CORE_TIMED_CORE_H
#define VPMU_CORE_TIMED_CORE_H

#include "vpmu/core/core_shape.h"
#include "vpmu/model/cores/core_tables.h"
#include "vpmu/model/cores/line_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers: general ones, vector registers, masks, x87 and MMX; the carry flag is apart. */
enum core_register {
	CORE_REG_GENERAL = 0,
	CORE_REG_RSP = 4,
	CORE_REG_VECTOR = 16,
	CORE_REG_MASK = 48,
	CORE_REG_X87 = 56,
	CORE_REG_CARRY = 64,
	CORE_REG_FLAGS,
	CORE_REGISTERS,
	CORE_REG_READY = CORE_REGISTERS, /* none: it is always ready */
	CORE_REG_UNUSED                  /* none: it is written, and never read */
};

#define CORE_UOPS    16
#define CORE_SOURCES 6
#define CORE_ADDRESS 3

enum core_uop_kind { CORE_COMPUTE, CORE_LOAD, CORE_STORE_ADDRESS, CORE_STORE_DATA, CORE_OCCUPY };

#define CORE_PICKS 4
struct core_uop {
	uint32_t units;           /* any of them, as in struct core_table */
	uint8_t kind;             /* enum core_uop_kind */
	uint8_t cycles;           /* for so long the unit takes no other */
	uint8_t picks;            /* their number, if it is at most CORE_PICKS; else 0 */
	bool is_long;             /* `cycles` > 1, or takes_each */
	bool takes_each;          /* each of its units, for one cycle */
	uint8_t pick[CORE_PICKS]; /* they, the last one again and again */
};

enum core_insn_flags {
	CORE_BRANCH = 1,
	CORE_WHOLE_LOAD = 2,   /* by MOV or POP, of 32 or 64 bits to a general register, or such
				* data that go back to their place */
	CORE_RETURN = 4,       /* RET */
	CORE_LCP = 8,          /* a length-changing prefix */
	CORE_COMPLEX = 16,     /* only the first decoder takes it */
	CORE_STACK = 32,       /* moves the stack pointer in the stack engine */
	CORE_SEES_STACK = 64,  /* needs the stack pointer in its register */
	CORE_SERIAL = 128,     /* waits for all before it, and all behind it wait */
	CORE_MOVE = 256,       /* an eliminated move: its destination is ready with its source */
	CORE_NO_SOURCE = 512,  /* a zero idiom */
	CORE_FAST_LOAD = 1024, /* a load of a general register by base and small displacement */
	CORE_MICROCODE = 2048,
	CORE_STACK_LOAD = 8192, /* loads a general register by RSP and a displacement */
	CORE_UNKNOWN = 4096,    /* the table has no row: one micro-operation of one cycle */
	CORE_RARE = 16384,      /* it does more than to compute, load and store */
	CORE_NO_LOOP = 32768,   /* the loop buffer takes no loop with it */
};

/* Instructions with a way of their own through core_step_run(). */
enum core_way {
	CORE_WAY_RARE,
	CORE_WAY_COMMON,    /* not CORE_RARE */
	CORE_WAY_RENAMED,   /* it needs no unit */
	CORE_WAY_OPERATION, /* one micro-operation, which computes for one cycle */
	CORE_WAY_LOAD,      /* one load, and such an operation or none: one micro-operation */
};

/* Conditions of jumps, as macro-fusion groups them. */
enum core_condition { CORE_ON_OTHERS = 1, CORE_ON_CARRY = 2, CORE_ON_SIGN = 4, CORE_ON_ANY = 7 };

/* An instruction of one core, described once. Equal instructions have equal bytes. What each step
 * reads comes first, in one line of the host's cache. */
struct core_insn {
	uint16_t flags; /* enum core_insn_flags */
	uint8_t bytes;
	uint8_t opcode_at; /* bytes before its opcode */
	uint8_t fused;     /* micro-operations as decoded */
	uint8_t issued;    /* as renamed: more where one was unlaminated */
	uint8_t loads, stores;
	uint8_t nuops, load_uops, compute_uops;
	uint8_t load_cycles; /* the table's latency of its load */
	/* Macro-fusion, enum core_condition: a jump's own, and those that this one fuses with. */
	uint8_t jumps_on, fuses_with;
	uint8_t nsources, naddress, nwrites;
	uint8_t plain_writes; /* without the last two, if they are of both kinds of flags at once */
	uint8_t way;          /* enum core_way */
	/* Unused places have CORE_REG_READY; of the written ones CORE_REG_UNUSED. */
	uint8_t sources[CORE_SOURCES], address[CORE_ADDRESS];
	uint8_t writes[CORE_WRITES + 1];
	uint8_t divides;                   /* cycles of a divider */
	uint16_t latency[CORE_WRITES + 1]; /* from sources and data to each written register */
	uint16_t most_latency;             /* of these */
	uint16_t generals;                 /* general registers that it writes, as bits */
	/* The general register whose load makes its own load a cycle faster, as a bit; 0: none. */
	uint16_t pointer;
	uint16_t fast_loaded; /* `generals`, if it is CORE_FAST_LOAD; else 0 */
	/* Its numbers of enum core_entry_fields, in an entry of AMD's op cache; its places in a
	 * line of Intel's, and CORE_ENTRY_CHECKED more if it is not like others. */
	uint32_t entry;
	/* Operations that only ALUs execute, and accesses, if struct core_shape limits them. */
	uint8_t alus, accesses;
	bool is_limited;
	uint8_t late;       /* cycles by which vector registers may come after general ones */
	bool decoded_alone; /* nothing is decoded behind it in its cycle */
	int8_t moves_stack; /* bytes by which the stack engine moves the stack pointer */
	/* The most by which it moves the end of what is under way, if its accesses hit L1. */
	uint32_t most_cycles;
	/* Loads first, then `compute_uops` that compute or occupy, then stores. */
	struct core_uop uops[CORE_UOPS];
	uint16_t place;    /* equal for operands that name memory by equal registers, scale and
			    * displacement, by RSP, or by RIP; 0: it names none */
	uint16_t mnemonic; /* by Zydis, where CORE_UNKNOWN is set; else 0 */
};

/* A core that can be played: its table, and what is around the units. */
struct core_model {
	const struct core_table *table;
	const struct core_shape *shape;
};

/* core_model_find() - by the name of a table. core_model_near(): by that of a personality, whose
 * table may be that of a similar core. False: there is none. */
bool core_model_find(struct core_model *model, const char *name);
bool core_model_near(struct core_model *model, const char *name);

/* core_model_small() - small cores: Golden Cove's instructions in Gracemont's front end and
 * buffers, as there is no table of them. */
bool core_model_small(struct core_model *model);

/* core_describe() - decodes the instruction at `code`; returns its bytes, or 0 if it is none.
 * core_describe_unknown(): one of that size, of which nothing is known. */
size_t core_describe(struct core_insn *insn, const struct core_model *model, const uint8_t *code,
		     size_t size);
void core_describe_unknown(struct core_insn *insn, size_t size);

/* core_fuses() - `second`, which follows `first`, is one micro-operation with it. */
static inline bool core_fuses(const struct core_insn *first, const struct core_insn *second)
{
	return first->fuses_with & second->jumps_on;
}

/* The level that has the data of an access. */
enum core_level { CORE_IN_L1, CORE_IN_L2, CORE_IN_LLC, CORE_IN_MEMORY };

/* An access of the instruction: loads first, then stores, in its own order. An instruction has
 * CORE_ACCESSES at most. */
#define CORE_ACCESSES 20
struct core_access {
	uint64_t va;
	uint16_t bytes;
	uint16_t cycles;    /* beyond a hit in L1, and a walk */
	uint16_t walk;      /* cycles of a walk of page tables before it; 0: there is none */
	uint8_t level;      /* enum core_level */
	uint8_t walk_level; /* the farthest level that the walk reads */
	bool looks_up;      /* the first TLB lacks the page */
	uint8_t meets;      /* the number of a prefetched line that may be on its way, or 0 */
	/* For core_step_run(): the number of its instruction in the run. */
	uint8_t insn;
	bool stores;
	bool hits;      /* known to be none but a hit in L1: all fields from `cycles` on say so */
	uint8_t waited; /* core_step() writes it: see below */
	/* The lines that prefetchers ask for while the access runs, in their order. */
	uint16_t nprefetches;
	const struct line_request *prefetches;
	/* core_step() writes: when a load begins, and when it has its data; and `waited`, the level
	 * of the line that it waited for, which may be on its way for another access. */
	uint64_t begun, done;
};

/* The reason for an empty slot of rename. */
enum core_cause {
	CORE_LOST_FRONTEND,
	CORE_LOST_SPECULATION,
	CORE_LOST_L1,
	CORE_LOST_L2,
	CORE_LOST_LLC,
	CORE_LOST_MEMORY,
	CORE_LOST_STORES,
	CORE_LOST_UNITS,
	CORE_LOST_BLOCKED, /* a load that a store overlaps with and cannot forward to */
	CORE_LOST_ALIAS,   /* a load 4 KiB from a store */
	CORE_LOST_CAUSES
};

/* The buffer without room for the next micro-operation, or what else keeps it back. */
enum core_full {
	CORE_FULL_NOTHING, /* code is late, or was mispredicted */
	CORE_FULL_REORDER,
	CORE_FULL_SCHEDULER,
	CORE_FULL_LOADS,
	CORE_FULL_STORES,
	CORE_FULL_SERIAL, /* a serializing instruction waits, or is waited for */
	CORE_FULL_KINDS
};

/* Parts of the front end that deliver micro-operations. */
enum core_source { CORE_FROM_DECODERS, CORE_FROM_CACHE, CORE_FROM_LOOP, CORE_SOURCES_OF_UOPS };

struct core;

/* core_init() - an empty core; core_restart(): empties it, and begins its counts anew. `model` is
 * that of core_describe(), and its tables stay. */
size_t core_bytes(void);
void core_init(struct core *core, const struct core_model *model);
void core_restart(struct core *core);

/*
 * core_step() - the next instruction runs, at `va`. `accesses` has its loads, then its stores; NULL
 * if their addresses are not known. `taken`: it is a branch that was taken. `mispredicted`: the
 * front end starts anew when it has executed.
 */
void core_step(struct core *core, const struct core_insn *insn, uint64_t va,
	       struct core_access *accesses, bool taken, bool mispredicted);

/*
 * A run of instructions, at `va` from number `next` on, and its accesses from `access` up to
 * `last`. Instructions of the mask `needs` have run when an access tells so. The last of the run,
 * number `end` - 1, is `taken` or `mispredicted`.
 */
struct core_run {
	const struct core_insn *const *insns;
	struct core_access *access, *last;
	uint64_t va, needs;
	unsigned next, end;
	bool taken, mispredicted;
};

/* core_step_run() - as core_step(), for the instructions of the run, as far as `needs` allows. It
 * is for a core without core_idealize() and core_log_to(). Returns 0, or if the accesses of
 * instruction `next` are not those of struct core_insn one by one, their number: it has not been
 * stepped then.
 */
unsigned core_step_run(struct core *core, struct core_run *run);

/* core_step_microcode() - an access more of the instruction that was stepped last. */
void core_step_microcode(struct core *core, struct core_access *access, bool stores);

/* core_fetch_line() - the next instruction's code comes from `level`, in so many cycles. */
void core_fetch_line(struct core *core, enum core_level level, uint32_t cycles);

/* core_fetch_walk() - before the next core_fetch_line() a walk of page tables is needed, for code
 * at `va`. */
void core_fetch_walk(struct core *core, uint64_t va, enum core_level level, uint32_t cycles);

/* core_repeat() - `n` times the loop's instructions run, without accesses; its last one is a
 * predicted branch back to `va`. As core_step(), but a long loop takes no longer. */
void core_repeat(struct core *core, const struct core_insn *const *insns, unsigned ninsns,
		 uint64_t va, uint64_t n);

/*
 * core_idealize() - parts of the core that limit nothing from now on. If all but one are ideal,
 * core_time() is the bound by that part alone. core_waited_for() is known from now on, too.
 */
enum core_part {
	CORE_PART_PREDECODE = 1,
	CORE_PART_DECODE = 2, /* decoders */
	CORE_PART_CACHE =
		4, /* op cache and loop buffer; ideal: everything comes from the decoders */
	CORE_PART_WIDTH = 8,  /* rename and retirement */
	CORE_PART_UNITS = 16, /* execution units */
	CORE_PART_DIVIDER = 32,
	CORE_PART_LATENCY = 64, /* of instructions: chains of dependencies */
	CORE_PART_BLOCKS = 128, /* loads that wait for a store without getting its data */
	CORE_PARTS = 255,
	CORE_PART_FRONT = CORE_PART_PREDECODE | CORE_PART_DECODE | CORE_PART_CACHE,
};
void core_idealize(struct core *core, unsigned parts);

/* The times of a micro-operation: when it is renamed, begins in its unit, has its result, and
 * retires. One that needs no unit has CORE_NO_UNIT. */
#define CORE_NO_UNIT 255
struct core_uop_times {
	uint64_t step; /* its instruction, counted from the first one as 1 */
	uint64_t renamed, begun, done, retired;
	uint8_t unit;
	uint8_t kind; /* enum core_uop_kind */
};

/* core_log_to() - each step adds its micro-operations to `log`, as long as there is room; NULL:
 * none any more. */
struct core_log {
	struct core_uop_times *uops;
	unsigned n, room;
};
void core_log_to(struct core *core, struct core_log *log);

/* core_time() - the cycle in which the last instruction retired. core_unit_uses(): how often a unit
 * was taken. core_waited_for(): what the last instruction waited for, behind core_idealize(): the
 * instruction, counted from the first one as 1, whose result came last; 0: none. */
uint64_t core_time(const struct core *core);
uint64_t core_unit_uses(const struct core *core, unsigned unit);
uint64_t core_waited_for(const struct core *core);

/* core_cycles() - the cycle in which the last instruction was renamed. core_ahead(): the cycles
 * from then to the end of everything that is under way. */
uint64_t core_cycles(const struct core *core);
uint64_t core_ahead(const struct core *core);

#define CORE_PORTS 12

/* Cycles, by what happened in them. */
#define CORE_WIDTH_MOST 8
#define CORE_BEGIN_MOST 5
struct core_cycles_with {
	uint64_t full[CORE_FULL_KINDS]; /* all slots were lost: by what had no room */
	/* Slots were lost as code was late: by the slots that were taken before. */
	uint64_t late[CORE_WIDTH_MOST + 1];
	/* So many micro-operations began to execute; the last one: so many or more. */
	uint64_t begin[CORE_BEGIN_MOST + 1];
	uint64_t unscheduled; /* the scheduler was empty */
	uint64_t retiring;    /* something retired; core_read() has those ahead, too */
};

/* Micro-operations as renamed, by enum core_source: all, and the cycles of a source in which it
 * delivers, and in which it delivers as many as are renamed, or more. Microcode is apart. */
struct core_deliveries {
	uint64_t uops[CORE_SOURCES_OF_UOPS];
	uint64_t cycles[CORE_SOURCES_OF_UOPS], at_width[CORE_SOURCES_OF_UOPS];
	uint64_t microcode, microcoded; /* its micro-operations, and its instructions */
	/* From the op cache to the decoders: how often, and the cycles until these deliver. */
	uint64_t switches, switching;
	uint64_t prefixes;     /* cycles of the predecoder for length-changing prefixes */
	uint64_t lines, walks; /* cycles that wait for lines of code, and for their walks */
	uint64_t fused;        /* jumps that are one micro-operation with another instruction */
};

/* Counts, since core_init(). Slots are those that micro-operations took and those that were lost,
 * by cause. */
struct core_counts {
	uint64_t slots, uops;
	uint64_t lost[CORE_LOST_CAUSES];  /* slots */
	uint64_t empty[CORE_LOST_CAUSES]; /* cycles that lost all slots */
	struct core_cycles_with cycles;
	uint64_t divider;          /* cycles of dividers */
	uint64_t blocked, aliased; /* loads, by the last two causes */
	struct core_deliveries deliveries;
	uint64_t ports[CORE_PORTS]; /* executed ones, by Intel's port numbers */
};
void core_read(const struct core *core, struct core_counts *counts);

/* core_slots() - the slots alone, which is much quicker. */
uint64_t core_slots(const struct core *core);

/* core_read_walks() - cycles of walks of page tables: of all of them, summed up, and those in which
 * one is under way. Waiting for a walker is not among them. */
enum core_walk_kind { CORE_WALK_LOAD, CORE_WALK_STORE, CORE_WALK_CODE, CORE_WALK_KINDS };
struct core_walks {
	uint64_t sum[CORE_WALK_KINDS], active[CORE_WALK_KINDS];
};
void core_read_walks(const struct core *core, struct core_walks *walks);

/* core_retiring() - the cycles up to now in which something retired. */
uint64_t core_retiring(const struct core *core);

#endif
