/* SPDX-License-Identifier: BSD-2-Clause */
/* folded_rig.h - a folded profile of a program with lines, an inlined function and contexts. */
#ifndef TESTS_UNIT_PROFILE_FOLDED_RIG_H
#define TESTS_UNIT_PROFILE_FOLDED_RIG_H

#include "tests/unit/profile/profile_rig.h"
#include "tools/profile/profile_lines.h"

static struct profile_rig rig;
static struct profile_lines lines;
static struct buf out;

/* The instructions of work() are in line 4, and those of the inlined function in line 2. */
FIXTURE(begin)
{
	uint64_t at;

	rig_begin(&rig);
	rig_write(
		&rig, "prog.c",
		"int x;\n"
		"static inline __attribute__((always_inline)) void add(int n) { x = x * n + n; }\n"
		"__attribute__((noinline)) void leaf(int n) { x += n; }\n"
		"__attribute__((noinline)) void work(int n) { leaf(n); add(n); }\n"
		"int main(int n, char **v)\n"
		"{\n"
		"	(void)v;\n"
		"	work(n);\n"
		"	return 0;\n"
		"}\n");
	rig_shell(&rig, "gcc -g -O1 -fno-pie -no-pie -fno-optimize-sibling-calls -o prog prog.c");
	rig_add(&rig, "prog");
	rig_write_map(&rig);
	at = rig_address(&rig, "work");
	rig_piece(&rig, 1, rig_address(&rig, "main"), 4, 1);
	for (uint64_t end = at + 24; at < end; at++)
		rig_piece(&rig, 1, at, 1, 1000);
	rig_piece(&rig, 1, rig_address(&rig, "leaf"), 2, 3000);
	rig_call(&rig, 0, rig_number(&rig, "main"), NULL, 1, 30004);
	rig_call(&rig, rig_number(&rig, "main"), rig_number(&rig, "work"), &rig.file->piece[0],
		 1000, 30000);
	rig_call(&rig, rig_number(&rig, "work"), rig_number(&rig, "leaf"), &rig.file->piece[1],
		 3000, 6000);
	rig_inclusive(&rig, rig_number(&rig, "main"), 30004);
	rig_inclusive(&rig, rig_number(&rig, "work"), 30000);
	rig_inclusive(&rig, rig_number(&rig, "leaf"), 6000);
	rig_node(&rig, 0, 0, 0, 0);
	rig_node(&rig, 0, rig_number(&rig, "main"), 1, 4);
	rig_node(&rig, 1, rig_number(&rig, "work"), 1000, 24000);
	rig_node(&rig, 2, rig_number(&rig, "leaf"), 3000, 6000);
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	rig.profile.nevents = 1;
	profile_lines_read(&lines, &rig.profile, &rig.map);
	return 0;
}

FIXTURE(end)
{
	buf_free(&out);
	profile_lines_free(&lines);
	rig_end(&rig);
	return 0;
}

#endif
