/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.h - the machine code around code that is to be measured, as a function without arguments:
 *
 *	callee-saved registers and RSP are kept; R14, RDI, RSI, RBP, RSP point into memory
 *	init
 *	the counters are read; no register changes, nor a flag
 *	late init, and what drains the front end
 *	n copies, turn by turn of a loop if there is one (R15 counts its turns)
 *	the counters are read again
 *	callee-saved registers and RSP come back
 *
 * With `no_mem` counters are kept in R8 and up, one each, reading them changes RAX, RCX, RDX and
 * the flags, and the code may stop and restart them by two sequences of bytes. Pure.
 */
#ifndef BENCH_EMIT_H
#define BENCH_EMIT_H

#include "include/perf0/bench.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMIT_AREAS     5
#define EMIT_REGISTERS 6 /* for counters, with `no_mem` */

/* The eight bytes that stop counting, and those that resume it, the same as nanoBench's. */
#define EMIT_STOP    0xf0b513b1c2813f04ull
#define EMIT_RESTART 0xe0b513b1c2813f04ull

struct emit_bytes {
	const uint8_t *bytes;
	size_t n;
};

/* The memory that the function reads and writes; within 2 GiB of it. */
struct emit_context {
	uint64_t rsp;
	uint64_t rax, rcx, rdx;                                     /* while counters are read */
	uint64_t areas[EMIT_AREAS];                                 /* R14, RDI, RSI, RBP, RSP */
	uint64_t before[BENCH_EVENTS_MAX], after[BENCH_EVENTS_MAX]; /* no_mem: after alone */
};

struct emit_shape {
	struct emit_bytes code, init, late_init;
	uint64_t copies, turns;
	unsigned offset;
	bool no_mem, drains;
	/* Counters are started and stopped instead of read: by the MSR `master` where it is not 0,
	 * else by UD2. */
	bool traces;
	bool restores_twice; /* the code after the MSR's write is there twice */
	uint32_t master;
	uint64_t master_on, master_off;
	unsigned ncounters;
	uint32_t counter[BENCH_EVENTS_MAX]; /* as RDPMC takes them */
};

/* The addresses of its parts: the first copy, and the start and stop of a trace's counters. */
struct emit_places {
	const uint8_t *copies, *start, *stop;
};

/*
 * emit_function() - emits the function at `at`, where there is room for `room` bytes. Returns its
 * size; 0: there is no room for it, or no register for a counter. `places` may be NULL. emit_room()
 * - a size that is always enough.
 */
size_t emit_function(uint8_t *at, size_t room, const struct emit_context *context,
		     const struct emit_shape *shape, struct emit_places *places);
size_t emit_room(const struct emit_shape *shape);

/* emit_switches() - whether the code has bytes that stop or resume counting. */
bool emit_switches(const struct emit_bytes *code);

#endif
