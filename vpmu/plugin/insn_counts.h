/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn_counts.h - what an instruction adds to the counts, and from when on it is sure to retire. By
 * Zydis; without QEMU.
 */
#ifndef VPMU_PLUGIN_INSN_COUNTS_H
#define VPMU_PLUGIN_INSN_COUNTS_H

#include "include/perf0/events_count.h"
#include "vpmu/micro/micro.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of exact counts. They stand in front of the modelled ones. */
#define TALLY_COUNTS EVENTS_UOPS

struct tally {
	uint8_t n[TALLY_COUNTS];
};

/* What shows that an instruction does not fault any more. */
enum plugin_retires {
	RETIRES_SURELY,      /* it cannot fault */
	RETIRES_BY_ACCESS,   /* its one access */
	RETIRES_FIRST_READ,  /* the first of its accesses, as one may be several of QEMU's */
	RETIRES_FIRST_WRITE, /* the first of its stores, which follow what it loads */
	RETIRES_NEXT,        /* that another instruction runs */
};

enum plugin_branch {
	BRANCH_NONE,
	BRANCH_CONDITIONAL,
	BRANCH_JUMP,
	BRANCH_CALL,
	BRANCH_RETURN,
	BRANCH_INDIRECT_JUMP,
	BRANCH_INDIRECT_CALL,
	BRANCH_FAR,
};

struct decoded {
	struct tally tally;
	enum plugin_retires retires;
	enum plugin_branch branch;
	uint64_t target;    /* of a direct branch */
	uint8_t class;      /* enum micro_class */
	uint8_t accesses;   /* of QEMU's, at most; an iteration's */
	bool flushes;       /* translations of addresses */
	uint32_t registers; /* micro_registers(): on what a load waits, and where it goes */
	bool helped;        /* what it accesses, a function of QEMU's accesses, not QEMU's code */
	bool repeats;       /* a REP string instruction: the tally is that of an iteration */
};

/* decode_init() - once, before decode(). */
void decode_init(void);

/* decode_is_cut() - these are the first bytes of a longer instruction of 64-bit code, which reaches
 * into the next page. */
bool decode_is_cut(const uint8_t *code, size_t size, uint64_t at);

/* decode_at() - the instruction that begins at `code`, of 16 bytes, in code of so many `bits`. */
void decode_at(struct decoded *d, const uint8_t *code, unsigned bits, uint64_t at);

/*
 * decode() - the instruction of `size` bytes at virtual address `at`. One that Zydis does not know,
 * with `size` bytes in 64-, 32- or 16-bit code, is an instruction and nothing else. Any thread.
 */
void decode(struct decoded *d, const uint8_t *code, size_t size, uint64_t at);

#endif
