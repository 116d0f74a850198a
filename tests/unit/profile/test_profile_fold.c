// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_fold.c - functions, calls and sums from what a plugin might count. */
#include "tests/unit/profile/profile_rig.h"

#include "tools/symbols/symbols.h"

static struct profile_rig rig;

FIXTURE(begin)
{
	rig_begin(&rig);
	rig_write(&rig, "prog.S",
		  ".text\n"
		  ".macro function name\n"
		  ".globl \\name\n.type \\name, @function\n\\name: .fill 64, 1, 0x90\n"
		  ".size \\name, . - \\name\n"
		  ".endm\n"
		  "function main\nfunction work\nfunction leaf\n"
		  ".fill 9000, 1, 0x90\n" /* code of no function */
		  "function after\n"
		  ".section .note.GNU-stack, \"\", @progbits\n");
	rig_shell(&rig, "gcc -nostdlib -static -Wl,-e,main -o prog prog.S");
	rig_add(&rig, "prog");
	rig_write_map(&rig);
	return 0;
}

FIXTURE(end)
{
	rig_end(&rig);
	return 0;
}

TEST_WITH(test_calls, begin, end)
{
	const uint32_t main = rig_number(&rig, "main"), work = rig_number(&rig, "work"),
		       leaf = rig_number(&rig, "leaf");
	const struct profile_piece *of_main, *of_work;

	of_main = rig_piece(&rig, 1, rig_address(&rig, "main"), 10, 1);
	of_work = rig_piece(&rig, 1, rig_address(&rig, "work"), 5, 3);
	rig_piece(&rig, 1, rig_address(&rig, "leaf"), 2, 12);
	rig_call(&rig, 0, main, NULL, 1, 10 + 15 + 24);
	rig_call(&rig, main, work, of_main, 3, 15 + 24);
	rig_call(&rig, work, leaf, of_work, 12, 24)->is_jump = 1;
	rig_inclusive(&rig, main, 49);
	rig_inclusive(&rig, work, 39);
	rig_inclusive(&rig, leaf, 24);
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	assert_int_equal(rig.profile.total.of[0], 49);
	assert_int_equal(rig.profile.nrows, 3);
	assert_int_equal(rig_row(&rig, "main")->inclusive.of[0], 49);
	assert_int_equal(rig_row(&rig, "work")->self.of[0], 15);
	assert_int_equal(rig_row(&rig, "work")->inclusive.of[0], 39);
	assert_int_equal(rig_row(&rig, "work")->calls, 3);
	assert_string_equal(profile_object_name(rig_row(&rig, "work")->object), "/prog");
	assert_int_equal(rig.profile.ncalls, 3);
	assert_string_equal(profile_row_name(&rig.profile, rig.profile.call[0].callee), "work");
	assert_int_equal(rig.profile.call[0].address, rig_address(&rig, "main") + 9);
	assert_true(rig.profile.call[1].is_jump);
	assert_int_equal(rig.profile.call[2].caller, PROFILE_NO_ROW);
}

/* A piece may run over the end of a function; overlapping pieces are one set of instructions. */
TEST_WITH(test_instructions, begin, end)
{
	const uint64_t work = rig_address(&rig, "work");

	rig_piece(&rig, 1, work + 60, 8, 5);
	rig_piece(&rig, 1, work + 62, 6, 100);
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	assert_int_equal(rig.profile.nplaces, 8);
	assert_int_equal(rig_row(&rig, "work")->self.of[0], 2 * 5 + 2 * 105);
	assert_int_equal(rig_row(&rig, "leaf")->self.of[0], 4 * 105);
	assert_int_equal(rig_row(&rig, "leaf")->inclusive.of[0], 4 * 105);
	assert_int_equal(rig_row(&rig, "leaf")->calls, 0);
}

TEST_WITH(test_undone, begin, end)
{
	const uint64_t work = rig_address(&rig, "work");

	rig_piece(&rig, 1, work, 3, 5);
	rig_piece(&rig, 1, work + 1, 2, 10);
	rig.file->undone[0] = (struct profile_undone){work + 2, 7};
	rig.file->undone[1] = (struct profile_undone){work + 1, 100}; /* no last instruction */
	rig.file->header.nundone = 2;
	rig.file->header.total[RIG_INSTRUCTIONS] -= 7;
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	assert_int_equal(rig.profile.total.of[0], 3 * 5 + 2 * 10 - 7);
}

/* A REP instruction is retired once, and each round but the last one is an iteration. */
TEST_WITH(test_rep, begin, end)
{
	const uint64_t work = rig_address(&rig, "work");
	struct profile_piece *piece = rig_piece(&rig, 1, work, 1, 11);

	piece->kind = PROFILE_ROUND;
	piece = rig_piece(&rig, 1, work, 1, 10);
	piece->kind = PROFILE_ITERATION;
	rig.file->insn[piece->insn] = (struct profile_insn){.bytes = 1, .cost[RIG_ITERATIONS] = 1};
	rig.file->header.total[RIG_INSTRUCTIONS] -= 10;
	rig.file->header.total[RIG_ITERATIONS] += 10;
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	assert_int_equal(rig_row(&rig, "work")->self.of[0], 1);
}

/* The self costs of ring 0 are those of the contexts. */
TEST_WITH(test_ring0, begin, end)
{
	const uint32_t main = rig_number(&rig, "main"), work = rig_number(&rig, "work");

	rig_node(&rig, 0, 0, 0, 0);
	rig_node(&rig, 0, main, 1, 0);
	rig_node(&rig, 1, work, 1, 0);
	rig_node(&rig, 2, main, 1, 0);
	rig.file->node[0].self[RIG_KERNEL] = 3; /* before the first call */
	rig.file->node[1].self[RIG_KERNEL] = 5;
	rig.file->node[2].self[RIG_KERNEL] = 7;
	rig.file->node[3].self[RIG_KERNEL] = 11;
	rig.file->header.total[RIG_KERNEL] = 26;
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	assert_int_equal(rig_row(&rig, "main")->self.of[1], 5 + 11);
	assert_int_equal(rig_row(&rig, "work")->self.of[1], 7);
	assert_int_equal(rig_row(&rig, "[unknown]")->self.of[1], 3);
	assert_int_equal(rig_row(&rig, "[unknown]")->self.of[0], 0);
}

/* Code without a symbol: called places, what follows them, and other ranges. */
TEST_WITH(test_unnamed, begin, end)
{
	const uint64_t gap = rig_address(&rig, "leaf") + 64;
	const uint32_t number = rig.file->header.nsymbols + 1;
	char name[32];

	rig.file->header.nfunctions = 2;
	rig.file->function[number].address = gap + 40;
	rig.file->function[number + 1].address = 0x7000;
	rig_piece(&rig, 1, gap + 1, 4, 1);
	rig_piece(&rig, 1, gap + 40, 4, 10);
	rig_piece(&rig, 1, gap + 50, 4, 100);
	rig_piece(&rig, 1, gap + 8000, 4, 1000);
	rig_piece(&rig, 1, rig_address(&rig, "after"), 1, 7);
	rig_piece(&rig, 0, 0x6000, 1, 1);
	rig_piece(&rig, 0, 0x7000, 2, 2);
	rig_call(&rig, number, number + 1, &rig.file->piece[1], 3, 4);
	rig_call(&rig, 0, number, &rig.file->piece[0], 10, 440);
	rig_fold(&rig, NULL);
	rig_check_sums(&rig);
	snprintf(name, sizeof(name), "[0x%llx]", (unsigned long long)gap + 1);
	assert_int_equal(rig_row(&rig, name)->self.of[0], 4);
	assert_ptr_equal(&rig.profile.row[rig.profile.call[0].caller], rig_row(&rig, name));
	snprintf(name, sizeof(name), "[0x%llx]", (unsigned long long)gap + 40);
	assert_int_equal(rig_row(&rig, name)->self.of[0], 440);
	assert_int_equal(rig_row(&rig, name)->calls, 10);
	assert_string_equal(profile_object_name(rig_row(&rig, name)->object), "/prog");
	snprintf(name, sizeof(name), "[0x%llx]", (unsigned long long)gap + 8000);
	assert_int_equal(rig_row(&rig, name)->self.of[0], 4000);
	assert_int_equal(rig_row(&rig, "after")->self.of[0], 7);
	assert_int_equal(rig_row(&rig, "[0x6000]")->self.of[0], 1);
	assert_int_equal(rig_row(&rig, "[0x7000]")->calls, 3);
	assert_string_equal(profile_object_name(rig_row(&rig, "[0x7000]")->object), "[unknown]");
}

TEST_WITH(test_perf_map, begin, end)
{
	const uint32_t number = rig.file->header.nsymbols + 1;
	const struct symbols *map;
	char path[64];
	struct reason why;

	rig_write(&rig, "perf-1.map", "7000 100 jitted one\n7100 80 other\n");
	snprintf(path, sizeof(path), "%s/perf-1.map", rig.folder);
	map = symbols_open_perfmap(path, &why);
	assert_non_null(map);
	rig.file->header.nfunctions = 1;
	rig.file->function[number].address = 0x7000;
	rig_piece(&rig, 0, 0x7000, 4, 2);
	rig_piece(&rig, 0, 0x70fe, 4, 3);
	rig_piece(&rig, 0, 0x7180, 4, 5);
	rig_call(&rig, 0, number, NULL, 2, 8);
	rig_fold(&rig, &(struct profile_jit){&map, 1});
	rig_check_sums(&rig);
	assert_int_equal(rig_row(&rig, "jitted one")->self.of[0], 8 + 6);
	assert_int_equal(rig_row(&rig, "jitted one")->calls, 2);
	assert_int_equal(rig_row(&rig, "other")->self.of[0], 6);
	assert_int_equal(rig_row(&rig, "[0x7180]")->self.of[0], 20);
	profile_free(&rig.profile);
	symbols_close((struct symbols *)(uintptr_t)map);
}

TEST_WITH(test_contexts, begin, end)
{
	const uint32_t main = rig_number(&rig, "main"), work = rig_number(&rig, "work");
	uint32_t root, outer;

	rig_piece(&rig, 1, rig_address(&rig, "main"), 10, 1);
	rig_piece(&rig, 1, rig_address(&rig, "work"), 5, 3);
	root = rig_node(&rig, 0, 0, 0, 0);
	outer = rig_node(&rig, root, main, 1, 10);
	rig_node(&rig, outer, work, 3, 15);
	rig_fold(&rig, NULL);
	assert_int_equal(rig.profile.ncontexts, 3);
	assert_int_equal(rig.profile.context[2].parent, 1);
	assert_string_equal(profile_row_name(&rig.profile, rig.profile.context[2].row), "work");
	assert_int_equal(rig.profile.context[2].self.of[0], 15);
	assert_int_equal(rig.profile.context[0].row, PROFILE_NO_ROW);
}

static void expect_refusal(const char *text)
{
	struct reason why;

	assert_true(profile_fold(&rig.profile, rig.file, &rig.map, NULL, rig_event, 2, &why) < 0);
	assert_non_null(strstr(why.text, text));
}

TEST_WITH(test_damaged, begin, end)
{
	struct profile_header *header = &rig.file->header;

	header->version++;
	expect_refusal("another version");
	header->version--;
	rig_piece(&rig, 1, rig_address(&rig, "main"), 10, 1);
	header->ninsns = 9;
	expect_refusal("damaged");
	header->ninsns = 10;
	rig.file->piece[0].object = 2;
	expect_refusal("damaged");
	rig.file->piece[0].object = 1;
	header->nnodes = 2;
	rig.file->node[1].parent = 1;
	expect_refusal("damaged");
	header->nnodes = 0;
	header->nfunctions = PROFILE_FUNCTIONS_MOST;
	expect_refusal("damaged");
	header->nfunctions = 0;
	header->cost[RIG_KERNEL] = EVENTS_LOADS;
	expect_refusal("no counts for instructions:k");
}
