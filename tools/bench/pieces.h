/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.h - makes a program of a list of instructions (forms.h): the pieces of code that their
 * latencies and throughputs are measured by (streams.h), and the harness (bench/many_pieces.c).
 */
#ifndef TOOLS_BENCH_PIECES_H
#define TOOLS_BENCH_PIECES_H

#include "lib/reason.h"
#include "tools/bench/forms.h"

struct form_list {
	struct form *form;
	size_t n;
	/* Is told why a line of a file is left out. */
	void (*leave_out)(void *ctx, const struct reason *why);
	void *ctx;
};

/* forms_add() - one instruction more; forms_add_file() - those of a file, a line each; # begins a
 * comment. -E with the reason: the place and the column, or that no line is left. forms_free() - in
 * all cases. */
int forms_add(struct form_list *list, const char *text, struct reason *why);
int forms_add_file(struct form_list *list, const char *path, struct reason *why);
void forms_free(struct form_list *list);

/*
 * pieces_build() - into the file `program`, with files of its own in the folder `folder`. Mnemonics
 * alone become the forms that the assembler takes. -E with the reason.
 */
int pieces_build(struct form_list *list, const char *folder, const char *program,
		 struct reason *why);

#endif
