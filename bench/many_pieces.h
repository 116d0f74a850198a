/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many_pieces.h - many pieces of code that one program measures, as the assembler writes them
 * (tools/bench/pieces.c): a table of struct bench_piece between two symbols.
 */
#ifndef BENCH_MANY_PIECES_H
#define BENCH_MANY_PIECES_H

#include <stdint.h>

struct bench_piece {
	uint64_t name, detail;   /* addresses of text */
	uint64_t code, code_end; /* the measured code */
	uint64_t init, init_end; /* runs before it */
	uint64_t each;           /* units of work in the code */
	uint64_t copies;         /* where `bench` asks for one */
	uint64_t role;           /* enum bench_role */
};

extern const struct bench_piece bench_pieces[], bench_pieces_end[];

#endif
