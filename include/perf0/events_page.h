/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events_page.h - memory that QEMU's plugin (vpmu/plugin/) and vpmu share: BAR 2 of an
 * ivshmem-plain device. Little endian; a change of its layout is another version.
 *
 *	0        struct events_header
 *	2 KiB    struct events_cpu of vCPU 0, behind it those of the others
 *	128 KiB  struct branch_log of vCPU 0, behind it those of the others
 *
 * The plugin counts what QEMU executes, but for the code of vpmu itself: so what is counted is what
 * ran below vpmu, in whichever way it came to run. vpmu says where its code is, before any of it
 * runs there. What the last instruction of a block adds is added when it begins; vpmu tells where
 * it did not complete (`undone`). It asks for the counts by executing one instruction of it, the
 *bell: a NOP that the plugin knows by its bytes and its place. When the next instruction runs, the
 *counts are in the page. Where `answered` does not follow `asked` there is no plugin, or not this
 *one.
 *
 * vpmu rings when the guest has stopped, and may ring again right before it runs (`enters`): then
 * with targets, sums of counts that are to be reached. The plugin stops the guest by an NMI behind
 * the very instruction that reaches one.
 *
 * What one instruction did it asks by `follow`, a number other than 0 that it has not used lately:
 * when the next block of one instruction runs, as the block of a step is, what is known of that
 * instruction goes to `last` with this number.
 *
 * While last branches are recorded (`branches`), vpmu writes what it has of them right before a
 *run, and takes what the plugin has made of it when the bell has rung behind the run.
 *
 * While branches are traced, those of a run are in the vCPU's log, too (branch_log.h), in the same
 * way: vpmu empties it.
 *
 * A machine that is saved takes the page with it. A plugin that finds counts there goes on from
 * them.
 */
#ifndef PERF0_EVENTS_PAGE_H
#define PERF0_EVENTS_PAGE_H

#include "include/perf0/branch_log.h"
#include "include/perf0/branch_records.h"
#include "include/perf0/events_count.h"

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_PCI_VENDOR   0x1af4
#define EVENTS_PCI_DEVICE   0x1110
#define EVENTS_BAR          2
#define EVENTS_PAGE_MAGIC   "perf0evt"
#define EVENTS_PAGE_VERSION 4
#define EVENTS_PAGE_BYTES   (1u << 20)
#define EVENTS_PAGE_CPUS    63
#define EVENTS_ROOM         112 /* counts of a vCPU */
#define EVENTS_TARGETS      9   /* of a vCPU */
#define EVENTS_TERMS        8

/* How much is counted: a level has all that is below it. */
enum events_level {
	EVENTS_LEVEL_NONE,
	EVENTS_LEVEL_COUNTS,   /* what a look at each instruction tells */
	EVENTS_LEVEL_BRANCHES, /* whether branches are taken */
	EVENTS_LEVEL_MODEL,    /* addresses of accesses, and what is modelled */
};

/* events_level_of() - the least level at which `count` is counted. */
static inline enum events_level events_level_of(enum events_count count)
{
	switch (count) {
	case EVENTS_CONDITIONAL_TAKEN:
		return EVENTS_LEVEL_BRANCHES;
	case EVENTS_SPLIT_LOADS:
	case EVENTS_SPLIT_STORES:
	case EVENTS_PAGE_SPLIT_LOADS:
	case EVENTS_PAGE_SPLIT_STORES:
	case EVENTS_UNALIGNED:
		return EVENTS_LEVEL_MODEL;
	default:
		return count < EVENTS_UOPS ? EVENTS_LEVEL_COUNTS : EVENTS_LEVEL_MODEL;
	}
}

struct events_header {
	/* The plugin's. */
	uint8_t magic[8];
	uint32_t version;
	uint32_t counts;  /* EVENTS_NUMBERS */
	uint32_t cpus;    /* that have counts */
	uint32_t highest; /* enum events_level */
	uint32_t stops;   /* it can stop the guest at a target, at EVENTS_LEVEL_BRANCHES at least */
	uint32_t loops;   /* a REP string instruction that is stepped has its last round counted */
	/* vpmu's: physical addresses. Code in [code, code_end) is not counted, but for what lies in
	 * [guest, guest_end), which vpmu runs as its guest. */
	uint64_t code, code_end;
	uint64_t guest, guest_end;
	uint64_t bell;
	uint32_t reserved56;
	uint32_t resets; /* how many measurements have begun */
	char uarch[16];  /* the personality's name, with a zero behind it */
};

struct events_target {
	uint64_t left; /* from where the counts are */
	/* Enum events_count plus 1, negative where it is subtracted; 0: no more. */
	int8_t term[EVENTS_TERMS];
};

/* events_term_count() - the count that a term is of; events_sum() - what the terms come to. */
static inline enum events_count events_term_count(int8_t term)
{
	return (enum events_count)((term < 0 ? -term : term) - 1);
}

static inline uint64_t events_sum(const int8_t term[EVENTS_TERMS], const uint64_t *counts)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && term[i]; i++)
		sum += term[i] < 0 ? -counts[events_term_count(term[i])]
				   : counts[events_term_count(term[i])];
	return sum;
}

/* Where the data of an access came from, or code. */
enum events_source {
	EVENTS_FROM_L1,
	EVENTS_FROM_FILL, /* L1 had asked for the line already, and it was on its way */
	EVENTS_FROM_L2,
	EVENTS_FROM_LLC,
	EVENTS_FROM_MEMORY,
};
enum events_translation { EVENTS_TLB_HIT, EVENTS_STLB_HIT, EVENTS_WALK };

/* What another CPU's cache had to do with it. */
enum events_snoop { EVENTS_NO_SNOOP, EVENTS_SNOOP_HIT, EVENTS_SNOOP_HITM };

struct events_access {
	uint64_t va;
	uint16_t bytes;
	uint16_t latency;    /* cycles */
	uint8_t store;       /* 1: it is one */
	uint8_t source;      /* enum events_source */
	uint8_t translation; /* enum events_translation */
	uint8_t snoop;       /* enum events_snoop */
};

#define EVENTS_ACCESSES 2 /* the first ones are told */

/* One instruction, by the model. */
struct events_last {
	uint64_t number; /* 0: nothing is told; else what `follow` was */
	uint64_t rip;
	uint8_t naccesses;
	uint8_t locked;
	uint8_t branch; /* 1: its outcome is known: */
	uint8_t taken, mispredicted;
	uint8_t fetch_source;      /* enum events_source */
	uint8_t fetch_translation; /* enum events_translation */
	uint8_t reserved23;
	uint16_t fetch_latency; /* cycles for which its code was waited for */
	uint8_t reserved26[6];
	struct events_access access[EVENTS_ACCESSES];
};
_Static_assert(sizeof(struct events_access) == 16, "layout");
_Static_assert(sizeof(struct events_last) == 64, "layout");

struct events_cpu {
	uint64_t asked;          /* vpmu's: which time this is */
	uint64_t answered;       /* the plugin's: the same */
	uint64_t rip;            /* vpmu's: where the guest goes on, a linear address */
	uint64_t level;          /* the plugin's: enum events_level in force */
	uint32_t enters;         /* vpmu's: the guest runs next */
	uint32_t targets;        /* vpmu's: how many there are then */
	uint64_t stops;          /* the plugin's: NMIs that it has raised */
	uint64_t follow;         /* vpmu's: the next instruction is told by this number; 0: none */
	uint64_t latency;        /* vpmu's: cycles from which on a load is a LATENT_LOAD */
	struct events_last last; /* the plugin's */
	uint32_t wanted;  /* vpmu's: enum events_level; the highest of all CPUs is in force */
	uint32_t undone;  /* vpmu's: bits of the code at `rip` (16, 32, 64), where the instruction
			   * there has begun and does not complete; else 0 */
	uint8_t code[16]; /* vpmu's: that instruction */
	uint64_t count[EVENTS_ROOM];                 /* by enum events_count */
	struct events_target target[EVENTS_TARGETS]; /* vpmu's */
	uint64_t fetch_latency; /* vpmu's: cycles from which on a line of code is a LATENT_FETCH */
	struct branch_stack branches; /* of both */
	uint8_t reserved[2048 - 160 - 8 * EVENTS_ROOM - 16 * EVENTS_TARGETS -
			 sizeof(struct branch_stack)];
};

struct events_page {
	struct events_header header;
	uint8_t reserved88[2048 - sizeof(struct events_header)];
	struct events_cpu cpu[EVENTS_PAGE_CPUS];
	struct branch_log log[EVENTS_PAGE_CPUS];
	uint8_t reserved_end[EVENTS_PAGE_BYTES - (2048 + BRANCH_LOG_BYTES) * EVENTS_PAGE_CPUS -
			     2048];
};
_Static_assert(sizeof(struct events_cpu) == 2048, "each begins at a multiple of it");
_Static_assert(sizeof(struct events_page) == EVENTS_PAGE_BYTES, "a BAR is a power of two");
_Static_assert(EVENTS_NUMBERS <= EVENTS_ROOM, "they find room");

/* The bell: `nopl EVENTS_BELL_MARK(%rax,%rax,1)`. */
#define EVENTS_BELL_MARK 0x66307270 /* "pr0f" */
#define EVENTS_BELL_BYTES                                      \
	{                                                      \
		0x0f, 0x1f, 0x84, 0x00, 0x70, 0x72, 0x30, 0x66 \
	}

#endif
