// SPDX-License-Identifier: BSD-2-Clause
/*
 * accuracy-model CORE --unrolled|--loop: what the model of a core (vpmu/core/) says of pieces of
 * code. Reads a piece in hex a line, prints the cycles of an iteration in its steady state, or "-"
 * where the piece is no code, or the core's table lacks an instruction of it.
 */
#include "vpmu/core/core_steady.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 4096
#define CODE       0x100000000ull

static size_t piece_bytes(uint8_t *code, const char *line)
{
	size_t n = 0;
	unsigned byte;

	while (n < MOST_BYTES && line[0] > ' ' && sscanf(line, "%2x", &byte) == 1) {
		code[n++] = (uint8_t)byte;
		line += 2;
	}
	return n;
}

static void tell_piece(const struct core_model *model, const char *line, bool loop)
{
	static struct core_piece piece;
	uint8_t code[MOST_BYTES];
	struct core_steady steady;

	if (!core_piece_describe(&piece, model, code, piece_bytes(code, line)) || piece.unknown ||
	    !core_steady_run(&steady, &piece, CODE, loop, 0))
		printf("-\n");
	else
		printf("%.3f\n", (double)steady.cycles / (double)steady.rounds);
}

int main(int argc, char **argv)
{
	static char line[2 * MOST_BYTES + 2];
	const bool loop = argc == 3 && !strcmp(argv[2], "--loop");
	struct core_model model;

	if (argc != 3 || !core_model_find(&model, argv[1]) ||
	    (!loop && strcmp(argv[2], "--unrolled") != 0)) {
		fprintf(stderr, "usage: accuracy-model CORE --unrolled|--loop < pieces; cores:");
		for (unsigned i = 0; core_tables[i]; i++)
			fprintf(stderr, " %s", core_tables[i]->name);
		fprintf(stderr, "\n");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin))
		tell_piece(&model, line, loop);
	return 0;
}
