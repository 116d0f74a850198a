/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run_time.h - gives the runs of a vCPU to its core in time (vpmu/core/timed_core.h). The accesses
 * of a run follow its beginning, and whether its branch was predicted is known when the next run
 * begins. So the instructions of a run are stepped one run later, or as far as they are known to
 * have retired when the counts are read. That depends on the instructions alone, not on how QEMU
 * cuts them into blocks.
 *
 * Contexts: as the follower (replay_vcpu.h) that it belongs to.
 */
#ifndef VPMU_PLUGIN_RUN_TIME_H
#define VPMU_PLUGIN_RUN_TIME_H

#include "include/perf0/events_page.h"
#include "include/perf0/profile_file.h"
#include "vpmu/core/timed_core.h"
#include "vpmu/micro/micro.h"

#define TIMED_INSNS      64 /* most instructions of a run: it ends in the line where it begins */
#define TIMED_ACCESSES   128
#define TIMED_PREFETCHES 1024 /* lines that prefetchers ask for in a run */

/* The instructions of a run. Bits are those of instructions, the first is bit 0. */
struct timed_insns {
	uint64_t va;
	uint64_t by_access; /* it has retired when its only access has happened */
	uint64_t by_next;   /* it has retired when the next instruction runs */
	uint64_t rowless;   /* it has CORE_UNKNOWN */
	uint16_t n;
	bool jumps; /* the last one is a direct call or jump, which is always taken */
	const struct core_insn *const *insns;
	struct profile_time *spent; /* gets what the core spends on the run; NULL: nothing does */
};

/* An access of the run: its instruction, and what is reported of it. */
struct timed_access {
	uint8_t insn;
	bool stores;
	uint8_t level; /* enum micro_level; of the line that it waited for */
	uint8_t tlb, snoop;
	bool in_flight;  /* the line was on its way to L1, for another access */
	uint16_t cycles; /* from its address to its data */
};

struct run_time {
	struct core *core; /* NULL: an instruction takes one cycle */
	uint64_t *counts;
	uint32_t width, l1_cycles;
	uint64_t latency; /* threshold of EVENTS_LATENT_LOADS, in cycles */
	struct core_counts counted;
	bool uncounted;          /* the core has stepped since */
	struct core_walks walks; /* of them, that were published */
	uint64_t retiring;       /* the cycles of `counted` in which something retired */
	uint64_t pends[3];       /* the slot up to which pending loads are counted, by level */
	/* The last run: its instructions up to `stepped` are counted. */
	const struct timed_insns *run;
	struct profile_time charged; /* what the core had spent when the last run ended */
	bool charges;                /* what it spends is given to runs */
	uint64_t ended; /* the address of the last run that has ended; its accesses stay */
	unsigned stepped;
	struct core_run steps; /* `run`, as far as it is not stepped */
	bool iterates;         /* it is a further iteration of a REP string instruction */
	uint64_t moved_at;     /* the bytes that the last iteration moved, in blocks */
	struct micro_fetched fetched;
	unsigned naccesses, used, nasked;
	struct timed_access access[TIMED_ACCESSES];
	struct core_access at[TIMED_ACCESSES];
	struct line_request asked[TIMED_PREFETCHES]; /* of all accesses, in their order */
	/* A copy of what is left of `run`, when that is freed. */
	struct timed_insns kept;
	const struct core_insn *kept_insns[TIMED_INSNS];
};

/* time_charge() - what the core spends is given to the run that it spends it on, from now on. */
void time_charge(struct run_time *t);

/* time_shape_lines() - writes to a core's shape how lines and pages come, after the geometry. */
void time_shape_lines(struct core_shape *shape, const struct geometry *g);

/* time_begin() - of zeros. `model` has the core's width, and lives as long. `ipc1`: no core in
 * time. False: no memory. time_reset(): nothing is under way; counts stay. */
bool time_begin(struct run_time *t, const struct core_model *model, const struct geometry *g,
		bool ipc1, uint64_t *counts);
void time_reset(struct run_time *t);

/* time_run() - a run begins, and the one before has ended. time_iteration(): a further iteration of
 * a REP string instruction does. time_access(): an access of instruction `insn`. */
void time_run(struct run_time *t, const struct timed_insns *run, struct micro_fetched fetched);
void time_iteration(struct run_time *t, const struct timed_insns *run);
void time_access(struct run_time *t, unsigned insn, bool stores, uint64_t va, unsigned bytes,
		 const struct micro_outcome *outcome);

/* time_hit() - as time_access(), for one that hits L1 and the first TLB. */
void time_hit(struct run_time *t, unsigned insn, bool stores, uint64_t va, unsigned bytes);

/* time_address() - of an instruction of a run; 0 for NULL. */
uint64_t time_address(const struct timed_insns *run, unsigned insn);

/* time_end() - the run has ended, maybe early; its last instruction is a branch that was `taken`,
 * `mispredicted`. time_known(): steps what is known to have retired. */
void time_end(struct run_time *t, bool taken, bool mispredicted);
void time_known(struct run_time *t);

/* time_repeat() - the ended run, which is a loop without accesses, runs `n` more times, as
 * predicted, and a last time that has not ended. */
void time_repeat(struct run_time *t, uint64_t n);

/* time_publish() - adds everything that was stepped to the counts. time_publish_clock(): only to
 * EVENTS_CYCLES and EVENTS_SLOTS. time_cycles(): EVENTS_CYCLES, as time_publish() would make it.
 * time_ahead(): the most cycles that what is under way can add. */
void time_publish(struct run_time *t);
void time_publish_clock(struct run_time *t);
uint64_t time_cycles(const struct run_time *t);
uint64_t time_ahead(const struct run_time *t);

/* time_forget_runs() - the descriptions of runs are freed. time_keep_run(): a copy of this one,
 * which is that of the last run. NULL has none. */
void time_forget_runs(struct run_time *t);
const struct timed_insns *time_keep_run(struct run_time *t, const struct timed_insns *run);

/* time_rowless - the mnemonics of the counts from EVENTS_ROWLESS on, as events_page.h has them. */
extern char time_rowless[EVENTS_ROWLESS_KINDS][EVENTS_MNEMONIC];

/* time_intern() - the one description of all instructions that are equal; never freed. It gives a
 * mnemonic without a row its count. */
const struct core_insn *time_intern(const struct core_insn *insn);

#endif
