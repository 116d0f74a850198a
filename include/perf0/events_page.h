/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events_page.h - memory that QEMU's plugin (vpmu/plugin/) and vpmu share: BAR 2 of an
 * ivshmem-plain device. Little endian; each change of the layout gets a new version.
 *
 *         0        struct events_header
 *         4 KiB    struct events_cpu of vCPU 0, then those of the others
 *         256 KiB  struct branch_log of vCPU 0, then those of the others
 *
 * The plugin counts what QEMU executes, except the code of vpmu itself. So the counts cover
 * everything that runs below vpmu, however it was started. vpmu writes the address range of its
 * code before that code runs. The effect of a block's last instruction is added when the
 * instruction begins; vpmu reports where it did not complete (`undone`).
 *
 * vpmu requests the counts by executing one special instruction, the bell: a NOP that the plugin
 * recognizes by its bytes and its address. When the next instruction runs, the counts are in the
 * page. If `answered` does not follow `asked`, there is no plugin, or one of another version.
 *
 * vpmu rings when the guest has stopped. It may ring again right before the guest runs (`enters`),
 * with targets: sums of counts. The plugin stops the guest by an NMI after the very instruction
 * that reaches a target.
 *
 * vpmu asks for the effects of one instruction by `follow`, a number other than 0 that it has not
 * used lately. The plugin reports the next block that has only one instruction, such as the block
 * of a single step: it writes that instruction's effects to `last`, with this number.
 *
 * While last branches are recorded (`branches`), vpmu writes its records right before a run. After
 * the run, when the bell has rung, it reads them back with the plugin's additions.
 *
 * While branches are traced, those of a run are also in the vCPU's log (branch_log.h), in the same
 * way; vpmu empties it.
 *
 * Saving a machine saves the page. A plugin that finds counts there continues from them.
 */
#ifndef PERF0_EVENTS_PAGE_H
#define PERF0_EVENTS_PAGE_H

#include "include/perf0/branch_log.h"
#include "include/perf0/branch_records.h"
#include "include/perf0/events_count.h"
#include "include/perf0/formats.h"

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_PCI_VENDOR 0x1af4
#define EVENTS_PCI_DEVICE 0x1110
#define EVENTS_BAR        2
#define EVENTS_PAGE_MAGIC "perf0evt"
#define EVENTS_PAGE_BYTES (2u << 20)
#define EVENTS_CPU_BYTES  4096
#define EVENTS_PAGE_CPUS  63
#define EVENTS_ROOM       256 /* counts of a vCPU */
#define EVENTS_TARGETS    9   /* targets of a vCPU */
#define EVENTS_TERMS      12
#define EVENTS_MNEMONIC   16 /* bytes of a mnemonic, padded with zeros */

/* The levels of counting; each includes the levels below it. */
enum events_level {
	EVENTS_LEVEL_NONE,
	EVENTS_LEVEL_COUNTS,   /* counts that follow from the instructions alone */
	EVENTS_LEVEL_BRANCHES, /* and whether branches are taken */
	EVENTS_LEVEL_CACHES,   /* and addresses of accesses: caches, TLBs, branch predictors */
	EVENTS_LEVEL_MODEL,    /* and the core in time */
};

/* Caches, TLBs and predictors count these, whatever time it is. */
static inline bool events_has_no_time(enum events_count count)
{
	return (count >= EVENTS_MISPREDICTED && count <= EVENTS_DTLB_STORE_WALKS) ||
	       (count >= EVENTS_LOADS_SHARED && count <= EVENTS_LINES_TAKEN);
}

/* events_level_of() - the lowest level that counts `count`. */
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
		return EVENTS_LEVEL_CACHES;
	case EVENTS_L1D_LATE_LOADS:
		return EVENTS_LEVEL_MODEL;
	default:
		if (count < EVENTS_UOPS)
			return EVENTS_LEVEL_COUNTS;
		return events_has_no_time(count) ? EVENTS_LEVEL_CACHES : EVENTS_LEVEL_MODEL;
	}
}

struct events_header {
	/* Written by the plugin. */
	uint8_t magic[8];
	uint32_t version;
	uint32_t counts;  /* EVENTS_NUMBERS */
	uint32_t cpus;    /* number of CPUs with counts */
	uint32_t highest; /* enum events_level */
	uint32_t stops;   /* 1: from EVENTS_LEVEL_BRANCHES on it can stop the guest at a target */
	uint32_t loops;   /* 1: it counts the last iteration of a single-stepped REP instruction */
	/*
	 * Written by vpmu: physical addresses. Code in [code, code_end) is not counted, except in
	 * [guest, guest_end), which vpmu runs as its guest.
	 */
	uint64_t code, code_end;
	uint64_t guest, guest_end;
	uint64_t bell;
	uint32_t profiles; /* plugin: it has to know each instruction that does not complete */
	uint32_t resets;   /* number of measurements that have begun */
	char uarch[16];    /* the personality's name, terminated */
	/* Plugin: the mnemonics of the counts from EVENTS_ROWLESS on; empty: none yet. */
	char rowless[EVENTS_ROWLESS_KINDS][EVENTS_MNEMONIC];
};

struct events_target {
	uint64_t left; /* distance from the counts at the bell */
	/* Enum events_count plus 1, negative where it is subtracted; 0: end of the list. */
	int16_t term[EVENTS_TERMS];
};

/*
 * events_term_count() - the count that a term refers to.
 * events_sum() - the sum of the terms.
 */
static inline enum events_count events_term_count(int16_t term)
{
	return (enum events_count)((term < 0 ? -term : term) - 1);
}

static inline uint64_t events_sum(const int16_t term[EVENTS_TERMS], const uint64_t *counts)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && term[i]; i++)
		sum += term[i] < 0 ? -counts[events_term_count(term[i])]
				   : counts[events_term_count(term[i])];
	return sum;
}

/* The source of the data of an access, or of code. */
enum events_source {
	EVENTS_FROM_L1,
	EVENTS_FROM_FILL, /* L1 had already requested the line, which was on its way */
	EVENTS_FROM_L2,
	EVENTS_FROM_LLC,
	EVENTS_FROM_MEMORY,
};
enum events_translation { EVENTS_TLB_HIT, EVENTS_STLB_HIT, EVENTS_WALK };

/* The result of snooping the caches of other CPUs for an access. */
enum events_snoop { EVENTS_NO_SNOOP, EVENTS_SNOOP_HIT, EVENTS_SNOOP_HITM };

struct events_access {
	uint64_t va;
	uint16_t bytes;
	uint16_t latency;    /* cycles */
	uint8_t store;       /* 1: a store */
	uint8_t source;      /* enum events_source */
	uint8_t translation; /* enum events_translation */
	uint8_t snoop;       /* enum events_snoop */
};

#define EVENTS_ACCESSES 2 /* only the first accesses are reported */

/* The effects of one instruction, by the model. */
struct events_last {
	uint64_t number; /* 0: nothing is reported; else the value of `follow` */
	uint64_t rip;
	uint8_t naccesses;
	uint8_t locked;
	uint8_t branch; /* 1: taken and mispredicted are valid */
	uint8_t taken, mispredicted;
	uint8_t fetch_source;      /* enum events_source */
	uint8_t fetch_translation; /* enum events_translation */
	uint8_t reserved23;
	uint16_t fetch_latency; /* cycles of waiting for the code */
	uint8_t reserved26[6];
	struct events_access access[EVENTS_ACCESSES];
};
_Static_assert(sizeof(struct events_access) == 16, "layout");
_Static_assert(sizeof(struct events_last) == 64, "layout");

struct events_cpu {
	uint64_t asked;    /* vpmu: number of this bell */
	uint64_t answered; /* plugin: the number of the last answered bell */
	uint64_t rip;      /* vpmu: linear address at which the guest continues */
	uint64_t level;    /* plugin: enum events_level in force */
	uint32_t enters;   /* vpmu: the guest runs next */
	uint32_t targets;  /* vpmu: number of targets then */
	uint64_t stops;    /* plugin: NMIs that it has raised */
	uint64_t follow;   /* vpmu: the number by which the next instruction is reported; 0: none */
	uint64_t latency;  /* vpmu: least cycles of a LATENT_LOAD */
	struct events_last last; /* plugin */
	uint32_t wanted;         /* vpmu: enum events_level; the highest of all CPUs is in force */
	uint32_t undone;  /* vpmu: bits of the code at `rip` (16, 32, 64), where the instruction
			     there has begun and does not complete; else 0 */
	uint8_t code[16]; /* vpmu: the bytes of that instruction */
	uint64_t count[EVENTS_ROOM];                 /* by enum events_count */
	struct events_target target[EVENTS_TARGETS]; /* vpmu */
	uint64_t fetch_latency;                      /* vpmu: least cycles of a LATENT_FETCH */
	uint64_t prefetchers_off; /* vpmu: enum geometry_prefetchers that the guest has switched off
				   */
	struct branch_stack branches; /* both write it */
	uint8_t reserved[EVENTS_CPU_BYTES - 168 - 8 * EVENTS_ROOM -
			 sizeof(struct events_target) * EVENTS_TARGETS -
			 sizeof(struct branch_stack)];
};

struct events_page {
	struct events_header header;
	uint8_t reserved88[EVENTS_CPU_BYTES - sizeof(struct events_header)];
	struct events_cpu cpu[EVENTS_PAGE_CPUS];
	struct branch_log log[EVENTS_PAGE_CPUS];
	uint8_t reserved_end[EVENTS_PAGE_BYTES -
			     (EVENTS_CPU_BYTES + BRANCH_LOG_BYTES) * EVENTS_PAGE_CPUS -
			     EVENTS_CPU_BYTES];
};
_Static_assert(sizeof(struct events_cpu) == EVENTS_CPU_BYTES, "each begins at a multiple of it");
_Static_assert(sizeof(struct events_page) == EVENTS_PAGE_BYTES, "a BAR is a power of two");
_Static_assert(EVENTS_NUMBERS <= EVENTS_ROOM, "they find room");

/* The bell: `nopl EVENTS_BELL_MARK(%rax,%rax,1)`. */
#define EVENTS_BELL_MARK 0x66307270 /* "pr0f" */
#define EVENTS_BELL_BYTES                                      \
	{                                                      \
		0x0f, 0x1f, 0x84, 0x00, 0x70, 0x72, 0x30, 0x66 \
	}

#endif
