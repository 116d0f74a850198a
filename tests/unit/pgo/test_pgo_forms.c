// SPDX-License-Identifier: BSD-2-Clause
/* test_pgo_forms.c - profiles for optimizers, from counts that a plugin might write: what was
 * executed of a file, and the forms of BOLT, llvm-profgen, AutoFDO and clang, to the letter. */
#include "tests/unit/profile/profile_rig.h"

#include <errno.h>

#include "tools/pgo/bolt_fdata.h"
#include "tools/pgo/executed.h"
#include "tools/pgo/profgen_text.h"
#include "tools/pgo/sample_profile.h"

#define OUTSIDE 0 /* no object */
#define PROGRAM 1

static struct profile_rig rig;
static struct executed executed;
static struct pgo_functions functions;
static struct buf text;
static uint64_t main_at, work_at, local_at;

static void read_program(const char *command)
{
	struct reason why;

	rig_shell(&rig, command);
	rig_add(&rig, "prog");
	rig_write_map(&rig);
	if (functions_read(&functions, rig.map.object[0].host, &why))
		fail_msg("%s", why.text);
}

FIXTURE(begin)
{
	rig_begin(&rig);
	rig_write(&rig, "prog.S",
		  ".text\n"
		  ".globl main\n.type main, @function\n"
		  "main: test %eax, %eax\n" /* 0 */
		  "jz 1f\n"                 /* 2 */
		  "call work\n"             /* 4 */
		  "1: ret\n"                /* 9 */
		  ".size main, . - main\n"
		  ".globl work\n.type work, @function\n"
		  "work: nop\n" /* 0 */
		  "2: nop\n"    /* 1 */
		  "jnz 2b\n"    /* 2 */
		  "jmp local\n" /* 4 */
		  ".size work, . - work\n"
		  ".type local, @function\n"
		  "local: ret\n"
		  ".size local, . - local\n"
		  ".section .note.GNU-stack, \"\", @progbits\n");
	read_program("gcc -nostdlib -static -Wl,-e,main -o prog prog.S");
	main_at = rig_address(&rig, "main");
	work_at = rig_address(&rig, "work");
	local_at = rig_address(&rig, "local");
	return 0;
}

FIXTURE(end)
{
	buf_free(&text);
	executed_free(&executed);
	functions_free(&functions);
	rig_end(&rig);
	return 0;
}

/* --- What a plugin might write --- */

/* An instruction, which is executed `count` times. */
static void insn(uint64_t address, uint8_t bytes, uint64_t count)
{
	struct profile_piece *piece = rig_piece(&rig, PROGRAM, address, 1, count);

	piece->bytes = bytes;
	rig.file->insn[piece->insn].bytes = bytes;
}

static uint32_t end_at(uint32_t object, uint64_t address, enum profile_end_kind kind, uint8_t bytes)
{
	rig.file->end[rig.file->header.nends++] = (struct profile_end){.va = address,
								       .address = address,
								       .object = object,
								       .kind = (uint8_t)kind,
								       .bytes = bytes};
	return rig.file->header.nends;
}

static void branch(uint32_t from, uint32_t to, uint64_t count)
{
	rig.file->branch[rig.file->header.nbranches++] = (struct profile_branch){from, to, count};
}

/* main() is called ten times, and calls work() seven times, which goes round twice each. */
static void write_counts(void)
{
	const uint32_t jz = end_at(PROGRAM, main_at + 2, PROFILE_CONDITIONAL, 2),
		       call = end_at(PROGRAM, main_at + 4, PROFILE_CALL, 5),
		       jnz = end_at(PROGRAM, work_at + 2, PROFILE_CONDITIONAL, 2),
		       jmp = end_at(PROGRAM, work_at + 4, PROFILE_JUMP, 2),
		       ret = end_at(PROGRAM, local_at, PROFILE_RETURN, 1),
		       caller = end_at(OUTSIDE, 0x1000, PROFILE_CALL, 5),
		       elsewhere = end_at(OUTSIDE, 0x2000, PROFILE_TARGET, 0),
		       to_ret = end_at(PROGRAM, main_at + 9, PROFILE_TARGET, 0),
		       to_call = end_at(PROGRAM, main_at + 4, PROFILE_TARGET, 0),
		       to_main = end_at(PROGRAM, main_at, PROFILE_TARGET, 0),
		       to_work = end_at(PROGRAM, work_at, PROFILE_TARGET, 0),
		       to_loop = end_at(PROGRAM, work_at + 1, PROFILE_TARGET, 0),
		       to_jmp = end_at(PROGRAM, work_at + 4, PROFILE_TARGET, 0),
		       to_local = end_at(PROGRAM, local_at, PROFILE_TARGET, 0);

	insn(main_at, 2, 10);
	insn(main_at + 2, 2, 10);
	insn(main_at + 4, 5, 7);
	insn(main_at + 9, 1, 10);
	insn(work_at, 1, 7);
	insn(work_at + 1, 1, 21);
	insn(work_at + 2, 2, 21);
	insn(work_at + 4, 2, 7);
	insn(local_at, 1, 7);
	branch(ret, to_ret, 7);
	branch(jnz, to_loop, 10);
	branch(caller, to_main, 10);
	branch(jz, to_ret, 3);
	branch(jz, to_call, 7);
	branch(call, to_work, 7);
	branch(jnz, to_loop, 4); /* the file is mapped twice */
	branch(jnz, to_jmp, 7);
	branch(jmp, to_local, 7);
	branch(caller, elsewhere, 5);
	branch(jmp, to_main, 0);
	rig_fold(&rig, NULL);
	executed_read(&executed, &rig.map, &rig.map.object[0], &rig.profile, rig.file);
}

/* --- Checks --- */

static uint64_t count_between_places(uint64_t from, uint64_t to)
{
	size_t n;
	const struct executed_branch *first = executed_from(&executed, from, &n);

	for (size_t i = 0; i < n; i++)
		if (first[i].to == to)
			return first[i].count;
	return 0;
}

TEST_WITH(test_executed, begin, end)
{
	size_t n;

	write_counts();
	assert_int_equal(executed.ninsns, 9);
	assert_null(executed_before(&executed, main_at));
	assert_int_equal(executed_before(&executed, main_at + 9)->address, main_at + 4);
	assert_int_equal(executed_before(&executed, work_at + 2)->count, 21);
	assert_int_equal(executed.nbranches, 8);
	assert_int_equal(count_between_places(work_at + 2, work_at + 1), 14);
	assert_int_equal(count_between_places(work_at + 2, work_at + 4), 7);
	assert_int_equal(count_between_places(main_at + 2, main_at + 9), 3);
	executed_from(&executed, main_at, &n);
	assert_int_equal(n, 0);
	assert_true(executed.branch[7].from_outside);
	assert_int_equal(executed.branch[7].count, 10);
}

TEST_WITH(test_taken, begin, end)
{
	size_t n;
	const struct executed_branch *jz;

	write_counts();
	jz = executed_from(&executed, main_at + 2, &n);
	assert_int_equal(n, 2);
	assert_false(executed_is_taken(&jz[0])); /* to the next instruction */
	assert_true(executed_is_taken(&jz[1]));
}

/* A step into a block that a jump begins: behind the call as often as it returns, into the loop as
 * often as it begins. */
TEST_WITH(test_fdata, begin, end)
{
	write_counts();
	bolt_fdata(&text, &executed, &functions);
	assert_string_equal(buf_text(&text), "1 main 2 1 main 4 0 7\n"
					     "1 main 2 1 main 9 0 3\n"
					     "1 main 4 1 work 0 0 7\n"
					     "1 work 2 1 work 1 0 14\n"
					     "1 work 2 1 work 4 0 7\n"
					     "1 work 4 1 local/1 0 0 7\n"
					     "0 [unknown] 0 1 main 0 0 10\n"
					     "1 main 4 1 main 9 0 7\n"
					     "1 work 0 1 work 1 0 7\n");
}

/* A range has one count. Branches that are not taken, and those of other files, are left out. */
TEST_WITH(test_profgen, begin, end)
{
	struct buf expected = {0};
	const unsigned long long m = main_at - 0x100, w = work_at - 0x100, l = local_at - 0x100;

	write_counts();
	profgen_text(&text, &executed, 0x100);
	buf_printf(&expected, "6\n%llx-%llx:10\n%llx-%llx:7\n%llx-%llx:10\n%llx-%llx:7\n", m, m + 2,
		   m + 4, m + 4, m + 9, m + 9, w, w);
	buf_printf(&expected, "%llx-%llx:21\n%llx-%llx:7\n", w + 1, w + 2, w + 4, l);
	buf_printf(&expected, "5\n%llx->%llx:3\n%llx->%llx:7\n%llx->%llx:14\n", m + 2, m + 9, m + 4,
		   w, w + 2, w + 1);
	buf_printf(&expected, "%llx->%llx:7\n%llx->%llx:7\n", w + 4, l, l, m + 9);
	assert_string_equal(buf_text(&text), buf_text(&expected));
	buf_free(&expected);
}

/* The same with no counts of single addresses between the two. */
TEST_WITH(test_autofdo, begin, end)
{
	struct buf ranges = {0};
	const char *taken;

	write_counts();
	autofdo_text(&text, &executed, 0x100);
	profgen_text(&ranges, &executed, 0x100);
	taken = strstr(buf_text(&ranges), "\n5\n") + 1;
	assert_int_equal(text.size, ranges.size + 2);
	assert_memory_equal(text.data, ranges.data, (size_t)(taken - buf_text(&ranges)));
	assert_string_equal(buf_text(&text) + (taken - buf_text(&ranges)) + 2, taken);
	assert_memory_equal(buf_text(&text) + (taken - buf_text(&ranges)), "0\n", 2);
	buf_free(&ranges);
}

TEST_WITH(test_nothing_executed, begin, end)
{
	rig_fold(&rig, NULL);
	executed_read(&executed, &rig.map, &rig.map.object[0], &rig.profile, rig.file);
	assert_null(executed_before(&executed, UINT64_MAX));
	bolt_fdata(&text, &executed, &functions);
	assert_int_equal(text.size, 0);
	profgen_text(&text, &executed, 0);
	assert_string_equal(buf_text(&text), "0\n0\n");
}

/* --- clang's form --- */

FIXTURE(begin_lines)
{
	rig_begin(&rig);
	rig_write(&rig, "prog.c",
		  "int work(int n);\n"
		  "static inline __attribute__((always_inline)) int twice(int n)\n"
		  "{\n"
		  "	return 2 * n;\n"
		  "}\n"
		  "int work(int n)\n"
		  "{\n"
		  "	return twice(n) + 1;\n"
		  "}\n"
		  "int main(void)\n"
		  "{\n"
		  "	return work(1);\n"
		  "}\n");
	read_program("gcc -g -O0 -fno-pie -no-pie -fcf-protection=none -o prog prog.c");
	main_at = rig_address(&rig, "main");
	work_at = rig_address(&rig, "work");
	return 0;
}

/* Lines count from the one where their function is declared. */
TEST_WITH(test_sample_profile, begin_lines, end)
{
	const uint32_t call = end_at(PROGRAM, main_at + 9, PROFILE_CALL, 5),
		       to_work = end_at(PROGRAM, work_at, PROFILE_TARGET, 0);
	struct reason why;

	for (uint64_t at = main_at; at < functions_find(&functions, main_at)->end; at++)
		insn(at, 1, 3);
	for (uint64_t at = work_at; at < functions_find(&functions, work_at)->end; at++)
		insn(at, 1, 5);
	branch(call, to_work, 5);
	rig_fold(&rig, NULL);
	executed_read(&executed, &rig.map, &rig.map.object[0], &rig.profile, rig.file);
	assert_int_equal(sample_profile(&text, &executed, &functions, &why), 0);
	assert_string_equal(buf_text(&text), "main:9:0\n"
					     " 1: 3\n"
					     " 2: 3 work:5\n"
					     " 3: 3\n"
					     "work:20:5\n"
					     " 1: 5\n"
					     " 2: 5\n"
					     " 3: 5\n"
					     " 2: twice:5\n"
					     "  2: 5\n");
}

TEST_WITH(test_no_lines, begin, end)
{
	struct reason why;

	write_counts();
	assert_int_equal(sample_profile(&text, &executed, &functions, &why), -ENODATA);
	assert_int_equal(text.size, 0);
}
