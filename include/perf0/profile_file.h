/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_file.h - exact profiles: a file that the host tool and QEMU's plugin (vpmu/plugin/) share
 * while a machine runs. Little endian, in the layout of this machine; host tool and plugin are of
 * one build.
 *
 * The host writes the code that it knows: pages of ELF files by the hash of their bytes, and the
 * symbols in them. The plugin recognizes a translated block of ring 3 by the page that it lies in.
 * So it knows functions before a process tells where it has mapped a file.
 *
 * The plugin writes what is executed: pieces (consecutive instructions that are always executed
 * together) with their number of executions, calls, and branches if the host wants them. All
 * numbers are complete at any moment, so a machine that is killed leaves a valid file.
 *
 * If the host wants times, the plugin writes what the modelled core spent on each run of
 * instructions, too.
 *
 * Each region has a fixed place; the file is sparse. Numbers of entries are in the header.
 */
#ifndef PERF0_PROFILE_FILE_H
#define PERF0_PROFILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/events_count.h"
#include "include/perf0/formats.h"

#define PROFILE_MAGIC "perf0prf"
#define PROFILE_PAGE  4096u

/*
 * Costs: exact counts that an instruction alone decides, or modelled ones, which only functions and
 * calls have. A count with PROFILE_RING0 is that of ring 0, on behalf of the task: system calls,
 * faults, and the interrupts meanwhile.
 */
#define PROFILE_COSTS 8u
#define PROFILE_RING0 0x80u

struct profile_header {
	uint8_t magic[8];
	uint32_t version;
	/* Written by the host. */
	uint32_t ncosts;
	uint8_t cost[PROFILE_COSTS]; /* enum events_count, maybe with PROFILE_RING0 */
	uint32_t npages, nobjects, nsymbols;
	uint32_t is_task_ignored;    /* a task collects only after a toggle */
	uint32_t is_machine_ignored; /* no task collects before it requests to start */
	uint32_t skips_calls;        /* self counts alone: no calls, and no contexts */
	uint32_t is_valgrind;        /* programs that ask are told that Valgrind runs them */
	/* Written by the plugin. */
	uint32_t npieces, ninsns, nbytes;
	uint32_t nfunctions; /* behind those of the symbols */
	uint32_t nedges, nundone;
	uint32_t nnodes;       /* 0: the plugin keeps no contexts (skips_calls) */
	uint32_t nfull;        /* entries that found no room, which makes the profile incomplete */
	uint32_t is_excluding; /* pieces do not count now */
	uint32_t nparts;       /* parts behind the structure */
	uint32_t nunread;      /* client requests that were not read: QEMU tells no registers */
	uint64_t parts;        /* bytes of these parts */
	uint64_t total[PROFILE_COSTS]; /* of all tasks */
	uint32_t wants_branches;       /* written by the host */
	uint32_t nends, nbranches;     /* written by the plugin, like the rest */
	uint32_t dropped;     /* branches that are not counted: a signal came before their target */
	uint32_t wants_times; /* written by the host; needs the model */
	uint32_t ntimes;      /* written by the plugin */
	uint32_t wants_commands; /* written by the host: the end of a command of the image ends a
				    part, and what its programs requested no longer holds */
};

/* A page of code of a file, as it lies in memory. Sorted by hash, then in the host's order. */
struct profile_page {
	uint64_t hash;    /* profile_hash() of its PROFILE_PAGE bytes */
	uint64_t address; /* of its first byte, as the file's symbols count */
	uint32_t object;
	uint32_t reserved;
};

/* A file: its symbols are `nsymbols` from `first` on, sorted by address, disjoint. */
struct profile_object {
	uint32_t first, nsymbols;
};

/* The effect of a function's calls on what is measured. */
enum profile_role {
	PROFILE_NO_ROLE,
	PROFILE_TOGGLES, /* the outermost call toggles whether its task collects */
	PROFILE_BEGINS,  /* its return begins the region of its caller; see struct profile_node */
	PROFILE_ENDS,    /* its call ends that region */
	PROFILE_BEGINS_ONCE, /* the same, once for each caller and process */
	PROFILE_PASSES,      /* the caller of this function is taken for the caller of those */
};

/* [start, end), as the file's symbols count. */
struct profile_symbol {
	uint64_t start, end;
	uint64_t role; /* enum profile_role */
};

/*
 * A function by its number. 0: unknown code. From 1 on: those of the symbols, in their order.
 * Behind them: functions without a symbol, which were called at `address`.
 *
 * `inclusive` counts from call to return, once for a recursive function. An open call counts up to
 * its task's last switch.
 */
struct profile_function {
	uint64_t address; /* virtual; 0: the symbol says where it is */
	uint64_t calls;
	uint64_t inclusive[PROFILE_COSTS];
};

enum profile_kind {
	PROFILE_WHOLE,     /* `count` executions of all instructions */
	PROFILE_ROUND,     /* REP: rounds, the one that ends it among them */
	PROFILE_ITERATION, /* REP: iterations */
};

struct profile_piece {
	uint64_t count;
	uint64_t excluded; /* see profile_executions() */
	uint64_t va;       /* of its first byte */
	uint64_t physical; /* the same, as the machine's memory counts */
	uint64_t address;  /* the same, as the file's symbols count; valid if `object` is */
	uint32_t object;   /* number plus 1; 0: code of no known file */
	uint32_t function; /* of its first instruction */
	uint32_t insn;     /* index of its first struct profile_insn */
	uint32_t byte;     /* offset of its bytes */
	uint32_t next;     /* plugin's */
	uint16_t bytes;
	uint8_t ninsns;
	uint8_t kind; /* enum profile_kind */
};

/* The costs of one execution of an instruction; for REP, of a round or an iteration. */
struct profile_insn {
	uint8_t bytes;
	uint8_t is_branch; /* it may leave the block */
	uint8_t cost[PROFILE_COSTS];
};

/*
 * Calls from one place to one function. A tail call is one, too: a jump to another function's
 * start. `caller` 0 and `site` 0: the task began there, or ring 0 went there (a signal).
 */
struct profile_edge {
	uint64_t site; /* virtual address of the call */
	uint32_t caller, callee;
	uint32_t piece; /* of the call, plus 1; 0: unknown */
	uint32_t is_jump;
	uint64_t calls;
	uint64_t inclusive[PROFILE_COSTS]; /* of the callee, recursive or not */
};

/*
 * A calling context: a function, and the context that called it. Node 0 is the root, which is no
 * function; a parent stands before its children. Siblings have different functions.
 *
 * A node with its parent's function is the region of that function: what runs between the return of
 * a function of PROFILE_BEGINS or PROFILE_BEGINS_ONCE and the call of one of PROFILE_ENDS.
 * Recursion makes no such node.
 */
struct profile_node {
	uint32_t parent;   /* index; of the root: 0 */
	uint32_t function; /* as in struct profile_edge; of the root: 0 */
	uint64_t calls;
	uint64_t self[PROFILE_COSTS]; /* what is executed there, without its children */
};

/* Executions of the last instruction of a piece that did not complete: they faulted. */
struct profile_undone {
	uint64_t va;
	uint64_t count;
};

enum profile_end_kind {
	PROFILE_TARGET,
	PROFILE_CONDITIONAL,
	PROFILE_JUMP, /* direct or indirect */
	PROFILE_CALL, /* direct or indirect */
	PROFILE_RETURN,
};

/* An end of a branch: the branch itself, or an instruction that branches go to. */
struct profile_end {
	uint64_t va, address; /* as in struct profile_piece */
	uint32_t object;      /* as there */
	uint8_t kind;         /* enum profile_end_kind */
	uint8_t bytes;        /* of the branch; of a target: 0 */
	uint16_t reserved;
};

/* Executions of a branch that went on at `to`. A conditional branch that is not taken goes to the
 * instruction after it. */
struct profile_branch {
	uint32_t from, to; /* indices of ends plus 1 */
	uint64_t count;
};

/*
 * Times: the modelled core spent them on a run of instructions within a line. Slots are those of
 * rename, in which the run's micro-operations were renamed, or were waited for.
 */
enum profile_time_count {
	PROFILE_TIME_SLOTS, /* all of them */
	PROFILE_TIME_FRONTEND,
	PROFILE_TIME_SPECULATION,
	PROFILE_TIME_L1,
	PROFILE_TIME_L2,
	PROFILE_TIME_LLC,
	PROFILE_TIME_MEMORY,
	PROFILE_TIME_STORES,
	PROFILE_TIME_UNITS,
	PROFILE_TIME_BLOCKED,
	PROFILE_TIME_ALIAS, /* of those, slots that were lost: by enum core_cause */
	PROFILE_TIME_LOADS_L2,
	PROFILE_TIME_LOADS_LLC,
	PROFILE_TIME_LOADS_MEMORY,  /* loads that waited for a line from there */
	PROFILE_TIME_LOADS_BLOCKED, /* loads, by the causes with these names */
	PROFILE_TIME_LOADS_ALIAS,
	PROFILE_TIME_MISPREDICTED, /* branches */
	PROFILE_TIME_COUNTS
};

struct profile_time {
	uint64_t va, address; /* as in struct profile_piece */
	uint32_t object;      /* as there */
	uint32_t next;        /* plugin's */
	uint64_t width;       /* slots in a cycle */
	uint64_t count[PROFILE_TIME_COUNTS];
};

/* The regions: entries at most, and their places in the file. */
#define PROFILE_PAGES_MOST     (1u << 18)
#define PROFILE_OBJECTS_MOST   (1u << 12)
#define PROFILE_SYMBOLS_MOST   (1u << 20)
#define PROFILE_FUNCTIONS_MOST (PROFILE_SYMBOLS_MOST + (1u << 18))
#define PROFILE_PIECES_MOST    (1u << 21)
#define PROFILE_INSNS_MOST     (1u << 24)
#define PROFILE_BYTES_MOST     (1u << 26)
#define PROFILE_EDGES_MOST     (1u << 19)
#define PROFILE_UNDONE_MOST    (1u << 12)
#define PROFILE_NODES_MOST     (1u << 20)
#define PROFILE_ENDS_MOST      (1u << 21)
#define PROFILE_BRANCHES_MOST  (1u << 21)
#define PROFILE_TIMES_MOST     (1u << 19)

/* The whole file as a structure: never on a stack. */
struct profile_file {
	struct profile_header header;
	uint8_t reserved[PROFILE_PAGE - sizeof(struct profile_header)];
	struct profile_page page[PROFILE_PAGES_MOST];
	struct profile_object object[PROFILE_OBJECTS_MOST];
	struct profile_symbol symbol[PROFILE_SYMBOLS_MOST];
	struct profile_function function[PROFILE_FUNCTIONS_MOST];
	struct profile_piece piece[PROFILE_PIECES_MOST];
	struct profile_insn insn[PROFILE_INSNS_MOST];
	uint8_t byte[PROFILE_BYTES_MOST];
	struct profile_edge edge[PROFILE_EDGES_MOST];
	struct profile_undone undone[PROFILE_UNDONE_MOST];
	struct profile_node node[PROFILE_NODES_MOST];
	struct profile_end end[PROFILE_ENDS_MOST];
	struct profile_branch branch[PROFILE_BRANCHES_MOST];
	struct profile_time time[PROFILE_TIMES_MOST];
};
_Static_assert(sizeof(struct profile_header) <= PROFILE_PAGE, "the header finds room");

/*
 * profile_executions() - those of a piece while tasks collect. QEMU always counts them. At the end
 * of collecting, the plugin takes `count` from `excluded`; at its begin, it adds it.
 */
static inline uint64_t profile_executions(const struct profile_file *file, uint32_t piece)
{
	const struct profile_piece *p = &file->piece[piece];

	return p->count - p->excluded - (file->header.is_excluding ? p->count : 0);
}

/*
 * The counters of the file: `n` groups of `words` words of 64 bits, `step` bytes apart. The first
 * region is that of the pieces, whose value is profile_executions().
 */
struct profile_counters {
	size_t at, step;
	uint32_t n, words;
};
#define PROFILE_COUNTERS 6u /* regions */

static inline void profile_counters_of(const struct profile_header *h,
				       struct profile_counters to[PROFILE_COUNTERS])
{
#define COUNTERS(member, first, number, size)                                        \
	((struct profile_counters){offsetof(struct profile_file, member) +           \
					   offsetof(struct profile_##member, first), \
				   sizeof(struct profile_##member), (number), (size)})
	to[0] = COUNTERS(piece, count, h->npieces, 1);
	to[1] = COUNTERS(function, calls, h->nsymbols + 1 + h->nfunctions, 1 + PROFILE_COSTS);
	to[2] = COUNTERS(edge, calls, h->nedges, 1 + PROFILE_COSTS);
	to[3] = COUNTERS(node, calls, h->nnodes, 1 + PROFILE_COSTS);
	to[4] = COUNTERS(undone, count, h->nundone, 1);
	to[5] = (struct profile_counters){offsetof(struct profile_file, header.total), 0, 1,
					  PROFILE_COSTS};
#undef COUNTERS
}

/*
 * A part: the counters since the part before, as a program requested them, or at the end of a
 * command. `bytes` of groups that are not zero follow: the region's number in the upper half of a
 * word, the group's in the lower one, and the group's words.
 */
struct profile_part {
	uint64_t bytes;
	uint64_t ends_command; /* 1: with this part a command of the image ends */
};

/* A cost of struct profile_header: profile_count_of() - its enum events_count;
 * profile_is_modelled(): no instruction alone decides it, so only functions and calls have it. */
static inline uint8_t profile_count_of(uint8_t cost)
{
	return cost & (PROFILE_RING0 - 1);
}

static inline bool profile_is_modelled(uint8_t cost)
{
	return profile_count_of(cost) >= EVENTS_UOPS;
}

/* profile_has_modelled() - whether the machine needs the model. */
static inline bool profile_has_modelled(const struct profile_header *h)
{
	bool has = false;

	for (uint32_t i = 0; i < h->ncosts; i++)
		has |= profile_is_modelled(h->cost[i]);
	return has;
}

/* profile_hash() - the hash of a page of code: FNV-1a over its 64-bit words. */
static inline uint64_t profile_hash(const uint64_t word[PROFILE_PAGE / 8])
{
	uint64_t hash = 0xcbf29ce484222325;

	for (unsigned i = 0; i < PROFILE_PAGE / 8; i++)
		hash = (hash ^ word[i]) * 0x100000001b3;
	return hash;
}

#endif
