// SPDX-License-Identifier: BSD-2-Clause
/* test_hot_code.c - the loops and blocks of a function whose loops lie in each other, overlap, or
 * follow each other. */
#include "tests/unit/profile/profile_rig.h"

#include "tools/explain/hot_code.h"

static struct profile_rig rig;
static struct buf found;
static uint64_t start;

FIXTURE(begin)
{
	rig_begin(&rig);
	rig_write(&rig, "prog.S",
		  ".text\n.globl main\n.type main, @function\n"
		  "main: 1: nop\n"        /* 0 */
		  "2: nop\n"              /* 1 */
		  "jnz 2b\n"              /* 2: lies in the next one */
		  "jnz 1b\n"              /* 4 */
		  "nop\n3: nop\n4: nop\n" /* 6, 7, 8 */
		  "jnz 3b\n"              /* 9 */
		  "jnz 4b\n"              /* 11: overlaps with the one before */
		  "nop\nret\n"            /* 13, 14 */
		  ".size main, . - main\n"
		  ".section .note.GNU-stack, \"\", @progbits\n");
	rig_shell(&rig, "gcc -nostdlib -static -Wl,-e,main -o prog prog.S");
	rig_add(&rig, "prog");
	rig_write_map(&rig);
	start = rig_address(&rig, "main");
	return 0;
}

FIXTURE(end)
{
	hot_code_free(&found);
	rig_end(&rig);
	return 0;
}

static void insn(uint64_t offset, uint8_t bytes, uint64_t count)
{
	struct profile_piece *piece = rig_piece(&rig, 1, start + offset, 1, count);

	piece->bytes = bytes;
	rig.file->insn[piece->insn].bytes = bytes;
}

static const struct hot_code *hot_at(size_t i)
{
	assert_in_range(i, 0, found.size / sizeof(struct hot_code) - 1);
	return (const struct hot_code *)(const void *)found.data + i;
}

static void check_hot(size_t i, bool loop, uint64_t first, uint64_t last, uint64_t executed)
{
	const struct hot_code *hot = hot_at(i);

	assert_int_equal(hot->loop, loop);
	assert_int_equal(rig.profile.place[hot->first].address - start, first);
	assert_int_equal(rig.profile.place[hot->last].address - start, last);
	assert_int_equal(hot->executed, executed);
}

static void write_hot_counts(void)
{
	insn(0, 1, 10);
	insn(1, 1, 1000);
	insn(2, 2, 1000);
	insn(4, 2, 10);
	insn(6, 1, 1);
	insn(7, 1, 50);
	insn(8, 1, 90);
	insn(9, 2, 90);
	insn(11, 2, 41);
	insn(13, 1, 1);
	insn(14, 1, 1);
	rig_fold(&rig, NULL);
}

/* A loop with another one inside is none. Both of two that overlap are. */
TEST_WITH(test_loops, begin, end)
{
	write_hot_counts();
	hot_code_find(&found, &rig.profile, NULL, 100);
	check_hot(0, true, 1, 2, 2000);
	check_hot(1, true, 7, 9, 230);
	check_hot(2, true, 8, 11, 221);
	check_hot(3, false, 0, 0, 10);
	check_hot(4, false, 4, 4, 10);
	check_hot(5, false, 13, 14, 2);
	check_hot(6, false, 6, 6, 1);
	assert_int_equal(found.size / sizeof(struct hot_code), 7);
}

TEST_WITH(test_hottest, begin, end)
{
	write_hot_counts();
	hot_code_find(&found, &rig.profile, NULL, 1);
	assert_int_equal(found.size / sizeof(struct hot_code), 1);
	check_hot(0, true, 1, 2, 2000);
	assert_int_equal(hot_at(0)->n, 2);
	assert_int_equal(hot_at(0)->bytes, 3);
}
