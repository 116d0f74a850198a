/* SPDX-License-Identifier: BSD-2-Clause */
/* insn_counts.h - the counts that an instruction adds, and the event that proves that it retires.
 * By Zydis; without QEMU. */
#ifndef VPMU_PLUGIN_INSN_COUNTS_H
#define VPMU_PLUGIN_INSN_COUNTS_H

#include "include/perf0/events_count.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of exact counts, which come before the modelled ones. */
#define TALLY_COUNTS EVENTS_UOPS

struct tally {
	uint8_t n[TALLY_COUNTS];
};

/* The proof that an instruction no longer faults. */
enum plugin_retires {
	RETIRES_SURELY,      /* it cannot fault */
	RETIRES_BY_ACCESS,   /* its only access */
	RETIRES_FIRST_READ,  /* its first access, as QEMU may split one */
	RETIRES_FIRST_WRITE, /* its first store, which follows its loads */
	RETIRES_NEXT,        /* another instruction runs */
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

/* The effect of an instruction on RSP. */
enum plugin_stack {
	STACK_STAYS,  /* none; or by an addition, or from RBP, as a function moves it by itself */
	STACK_LOADED, /* its value comes from memory */
	STACK_SET,    /* from another register */
};

struct decoded {
	struct tally tally;
	enum plugin_retires retires;
	enum plugin_branch branch;
	uint64_t target;     /* target of a direct branch */
	uint8_t accesses;    /* accesses of QEMU's, at most; for REP, of one iteration */
	bool flushes;        /* it flushes address translations */
	bool helped;         /* a helper function of QEMU's does its accesses */
	bool is_intercepted; /* in ring 3 vpmu does it: CPUID, RDPMC */
	bool repeats;        /* a REP string instruction; the tally is of one iteration */
	bool is_exchange;    /* XCHG RBX, RBX, which ends a request (profile_requests.h) */
	enum plugin_stack stack;
	bool is_at_stack; /* it accesses memory at RSP plus `stack_offset` */
	int32_t stack_offset;
};

/* decode_init() - once, before decode(). */
void decode_init(void);

/*
 * decode_is_cut() - the bytes begin an instruction of 64-bit code that reaches into the next page.
 */
bool decode_is_cut(const uint8_t *code, size_t size, uint64_t at);

/* decode_at() - decodes the instruction at `code`, of 16 bytes, in code of so many `bits`. */
void decode_at(struct decoded *d, const uint8_t *code, unsigned bits, uint64_t at);

/* decode() - decodes the instruction of `size` bytes at virtual address `at`. If Zydis does not
 * know it in 64-, 32- or 16-bit code, it counts as an instruction and nothing else. Any thread. */
void decode(struct decoded *d, const uint8_t *code, size_t size, uint64_t at);

#endif
