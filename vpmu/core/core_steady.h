/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_steady.h - a piece of code in its steady state: it runs again and again, as a loop or as
 * straight-line code. All accesses hit L1, all branches are predicted.
 *
 * Addresses: registers count from values far apart. An address is that of its registers and of how
 * often they were written, so a pointer that moves names another place in each iteration, and one
 * that stays names the same.
 */
#ifndef VPMU_CORE_CORE_STEADY_H
#define VPMU_CORE_CORE_STEADY_H

#include "vpmu/core/timed_core.h"

#include <Zydis/Zydis.h>

#define CORE_PIECE_INSNS 512
#define CORE_CHAIN       64

struct core_place {
	struct core_insn insn;
	uint32_t at; /* offset of its bytes */
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

struct core_piece {
	const struct core_model *model;
	uint32_t bytes;
	unsigned n, unknown; /* instructions; those without a row */
	struct core_place places[CORE_PIECE_INSNS];
};

/* core_piece_describe() - false: the code is no instructions, or more than CORE_PIECE_INSNS. */
bool core_piece_describe(struct core_piece *piece, const struct core_model *model,
			 const uint8_t *code, size_t bytes);

struct core_steady {
	uint64_t cycles, rounds;
	uint64_t uses[32];               /* of units, in all of the run */
	uint64_t all_rounds;             /* of all of the run */
	enum core_source source;         /* of most micro-operations */
	uint64_t lost[CORE_LOST_CAUSES]; /* slots, while `cycles` were counted */
	uint32_t width;                  /* slots of a cycle */
	/* The chain of instructions that waited for one another, from the last one on. */
	uint16_t chain[CORE_CHAIN];
	unsigned nchain;
};

/*
 * core_steady_run() - runs the piece in a core whose `ideal` parts (enum core_part) limit nothing.
 * `va`: where its first byte is. A loop's last instruction is its branch back. `ideal` 0: cycles
 * are those of rename; else those of retirement. False: no memory.
 */
bool core_steady_run(struct core_steady *out, const struct core_piece *piece, uint64_t va,
		     bool loop, unsigned ideal);

/* core_steady_log() - the micro-operations of `rounds` iterations in the steady state. Steps are
 * counted from the first of these iterations, as 1. */
bool core_steady_log(struct core_log *log, const struct core_piece *piece, uint64_t va, bool loop,
		     unsigned rounds);

#endif
