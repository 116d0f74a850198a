/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.h - builds a program from a list of instructions (forms.h). It contains the pieces of code
 * that measure their latencies and throughputs (streams.h), and the harness (bench/many_pieces.c).
 */
#ifndef TOOLS_BENCH_PIECES_H
#define TOOLS_BENCH_PIECES_H

#include "lib/reason.h"
#include "tools/bench/forms.h"

struct form_list {
	struct form *form;
	size_t n;
	/* Called with the reason when a line of a file is omitted. */
	void (*leave_out)(void *ctx, const struct reason *why);
	void *ctx;
};

/* forms_add() - adds one instruction. forms_add_file() - adds those of a file, one in each line;
 * # begins a comment. -E with the reason: the place and the column, or that no line is left. The
 * caller calls forms_free() in all cases. */
int forms_add(struct form_list *list, const char *text, struct reason *why);
int forms_add_file(struct form_list *list, const char *path, struct reason *why);
void forms_free(struct form_list *list);

/*
 * pieces_build() - writes the file `program`, with temporary files in the folder `folder`. Each
 * mnemonic alone becomes the forms that the assembler accepts. -E with the reason.
 */
int pieces_build(struct form_list *list, const char *folder, const char *program,
		 struct reason *why);

#endif
