// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_profile_requests.c - the plugin with a fake QEMU, and code with Valgrind's client requests:
 * what a profile counts before and after each of them, its parts, and the regions of functions.
 */
#include "tests/unit/vpmu/played_qemu.h"

#include <fcntl.h>

#include "include/perf0/profile_file.h"
#include "include/perf0/task_mark.h"
#include "tests/unit/test.h"
#include "vpmu/plugin/vcpu_registers.h"

#define STACK      0x7000f8u /* of the return address */
#define WORDS      0x700100u /* of a request */
#define MARK       0x700200u
#define STORE      0x103u /* an access: a store of 8 bytes */
#define LOAD       0x003u
#define KERNEL     0xffffffff80000000ull
#define REQUEST    10 /* instructions of a request before XCHG */
#define FROM       3  /* XCHG, and those after it */
#define CALLGRIND  0x43540000u
#define CACHEGRIND 0x43470000u
#define RUNNING    0x1001u

enum { DUMP, ZERO, TOGGLE, DUMP_AT, START, STOP };

/* mov $imm, d(%rsp); rol $n, %rdi; xchg %rbx, %rbx; inc %rax; ret; call */
#define MOVE     0x48, 0xc7, 0x44, 0x24, 0, 0, 0, 0, 0
#define MOVES    MOVE, MOVE, MOVE, MOVE, MOVE, MOVE
#define ROLL(n)  0x48, 0xc1, 0xc7, n
#define ROLLS    ROLL(3), ROLL(13), ROLL(61), ROLL(51)
#define EXCHANGE 0x48, 0x87, 0xdb
#define OTHER    0x48, 0x87, 0xc9 /* xchg %rcx, %rcx */
#define END      0x48, 0xff, 0xc0, 0xc3
#define CALL     0xe8, 0, 0, 0, 0

#define AT_REQUEST 0x100
#define AT_OTHER   0x200
#define AT_WORK    0x400
#define AT_CALL    0x500
#define AT_BEGIN   0x600
#define AT_END     0x700
#define AT_HELPER  0x800
#define AT_STEP    0x900
#define AT_CUT     (PROFILE_PAGE - 6 * 9 - 2 * 4) /* ends after the second rotation */

static const uint8_t request_code[] = {MOVES, ROLLS, EXCHANGE, END};
static const uint8_t other_code[] = {MOVES, ROLLS, OTHER, END};
static const uint8_t end_code[] = {END};
static const uint8_t call_code[] = {CALL};
static const uint8_t step_code[] = {0x48, 0xff, 0xc0, CALL};
static const uint8_t mark_code[] = {0x48, 0x8b, 0x98, 0x70, 0x74, 0x30, 0x66};

static _Alignas(4096) uint8_t code[2 * PROFILE_PAGE];
static _Alignas(4096) uint8_t data[PROFILE_PAGE]; /* at STACK's page */
static struct profile_file *file;
static char profile_path[] = "/tmp/perf0-requests-XXXXXX";
static uint64_t tasks; /* so far */

/* --- A machine --- */

static size_t insn_bytes_at(const uint8_t *at)
{
	return *at == 0xc3 ? 1 : *at == 0xe8 ? 5 : at[1] == 0xc7 ? 9 : at[1] == 0xc1 ? 4 : 3;
}

/* A block from `offset` of the code on, to its end or the end of a page. */
static struct qemu_plugin_tb block_at(size_t offset)
{
	struct qemu_plugin_tb block = {.n = 0};

	do {
		const uint8_t *at = code + offset;
		const size_t bytes = insn_bytes_at(at);

		block.insns[block.n++] = (struct qemu_plugin_insn){GUEST_CODE + offset, at, bytes};
		offset += bytes;
	} while (offset % PROFILE_PAGE && code[offset - 1] != 0xc3 && code[offset - 5] != 0xe8);
	return block;
}

static void access_by(const struct qemu_plugin_insn *insn, plugin_access info, uint64_t va)
{
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].access)
			attached[i].access(0, info, va, attached[i].data);
}

/* QEMU's order: callbacks, additions, accesses. */
static void run_one(const struct qemu_plugin_insn *insn, plugin_access info, uint64_t va)
{
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].run)
			attached[i].run(0, attached[i].data);
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].count)
			*attached[i].count += attached[i].more;
	access_by(insn, info, va);
}

/* Runs blocks of one instruction, as long as the plugin wants them; from `block`'s `i`'th on. */
static size_t run_single(const struct qemu_plugin_tb *block, size_t i)
{
	for (; i < block->n && one_insn_per_tb; i++) {
		struct qemu_plugin_tb one = {.insns = {block->insns[i]}, .n = 1};

		translate(&one);
		run_one(&one.insns[0], STORE, one.insns[0].size == 9 ? WORDS : STACK);
	}
	return i;
}

/* Leaves a block that has a request, and runs it to the request in blocks of one instruction. */
static void run_at(size_t offset)
{
	struct qemu_plugin_tb block = block_at(offset), rest = {.n = 0};
	volatile bool is_left = true;
	size_t first = 0;

	translate(&block);
	if (!setjmp(block_left)) {
		for (size_t i = 0; i < block.n; i++)
			run_one(&block.insns[i], block.insns[i].size == 5 ? STORE : LOAD, STACK);
		is_left = false;
	}
	if (!is_left)
		return;
	first = run_single(&block, 0);
	for (size_t i = first; i < block.n; i++)
		rest.insns[rest.n++] = block.insns[i];
	if (!rest.n)
		return;
	translate(&rest);
	for (size_t i = 0; i < rest.n; i++)
		run_one(&rest.insns[i], LOAD, STACK);
}

static void set_request(uint64_t number)
{
	memcpy(data + WORDS % PROFILE_PAGE, &number, sizeof(number));
	registers[VCPU_RAX] = WORDS;
}

static void request(uint64_t number)
{
	set_request(number);
	run_at(AT_REQUEST);
}

/* The mark of a task lies at `at`. */
static void mark_at(uint64_t at, uint64_t task, uint64_t stack)
{
	struct qemu_plugin_tb block = {.insns = {{KERNEL, mark_code, sizeof(mark_code)}}, .n = 1};
	const struct task_mark mark = {.task = task, .stack = stack};

	memcpy(data + at % PROFILE_PAGE, &mark, sizeof(mark));
	translate(&block);
	run_one(&block.insns[0], LOAD, at);
}

static void mark_task(uint64_t task, uint64_t stack)
{
	mark_at(MARK + task % 8 * sizeof(struct task_mark), task, stack);
}

static void settle_counts(void)
{
	mark_task(tasks, 0);
}

static uint64_t pieces_sum(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < file->header.npieces; i++)
		sum += profile_executions(file, i) * file->piece[i].ninsns;
	return sum;
}

/* All instructions so far, which pieces and calls agree on. */
static uint64_t sum_so_far(void)
{
	settle_counts();
	assert_int_equal(pieces_sum(), file->header.total[0]);
	return pieces_sum();
}

/* --- Requests --- */

static uint64_t before;

FIXTURE(begin_task)
{
	file->header.is_task_ignored = file->header.is_machine_ignored = false;
	mark_task(++tasks, 0);
	before = sum_so_far();
	return 0;
}

FIXTURE(end_of_task)
{
	mark_task(tasks, TASK_MARK_ENDS);
	return 0;
}

TEST_WITH(test_toggle_collect, begin_task, end_of_task)
{
	run_at(AT_WORK);
	request(CALLGRIND + TOGGLE);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, 2 + REQUEST);
	request(CALLGRIND + TOGGLE);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, 2 + REQUEST + FROM + 2);
}

TEST_WITH(test_instrumentation, begin_task, end_of_task)
{
	request(CALLGRIND + STOP);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, REQUEST);
	request(CALLGRIND + START);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, REQUEST + FROM + 2);
	request(CACHEGRIND + 1);
	run_at(AT_WORK);
	request(CACHEGRIND);
	assert_int_equal(sum_so_far() - before, 2 * (REQUEST + FROM) + 2);
}

/* Another task collects whatever the first one toggles; pieces count for it, too. */
TEST_WITH(test_tasks, begin_task, end_of_task)
{
	request(CALLGRIND + TOGGLE);
	mark_task(tasks + 1, 0);
	run_at(AT_WORK);
	mark_task(tasks, 0);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, REQUEST + 2);
}

TEST_WITH(test_zero, begin_task, end_of_task)
{
	run_at(AT_WORK);
	request(CALLGRIND + ZERO);
	assert_int_equal(sum_so_far(), FROM);
	request(CALLGRIND + TOGGLE);
	request(CALLGRIND + ZERO);
	assert_int_equal(sum_so_far(), 0);
	request(CALLGRIND + TOGGLE);
	assert_int_equal(sum_so_far(), FROM);
}

/* The instructions of the last part, by its pieces; and by its total, in `*total`. */
#define HEAD (sizeof(struct profile_part) / sizeof(uint64_t))
static uint64_t part_sum(uint64_t *total, bool ends_command)
{
	const uint64_t step[PROFILE_COUNTERS] = {2, 10, 10, 10, 2, 1 + PROFILE_COSTS};
	static uint64_t word[1 << 16];
	const int fd = open(profile_path, O_RDONLY | O_CLOEXEC);
	uint64_t sum = 0, i = 0, n;

	n = (uint64_t)pread(fd, word, sizeof(word), sizeof(*file)) / sizeof(*word);
	close(fd);
	for (uint32_t part = 1; part < file->header.nparts; part++)
		i += HEAD + word[i] / sizeof(*word);
	assert_int_equal(i + HEAD + word[i] / sizeof(*word), n);
	assert_int_equal(word[i + 1], ends_command);
	for (i += HEAD; i < n; i += step[word[i] >> 32]) {
		const uint64_t *group = &word[i];

		if (*group >> 32 == 0)
			sum += group[1] * file->piece[(uint32_t)*group].ninsns;
		if (*group >> 32 == PROFILE_COUNTERS - 1)
			*total = group[1];
	}
	return sum;
}

TEST_WITH(test_dump, begin_task, end_of_task)
{
	uint64_t total = 0;

	run_at(AT_WORK);
	request(CALLGRIND + DUMP);
	assert_int_equal(file->header.nparts, 1);
	assert_int_equal(part_sum(&total, false), before + 2 + REQUEST);
	assert_int_equal(total, before + 2 + REQUEST);
	assert_int_equal(sum_so_far(), FROM);
	request(CALLGRIND + DUMP_AT);
	assert_int_equal(file->header.nparts, 2);
	assert_int_equal(part_sum(&total, false), FROM + REQUEST);
	assert_int_equal(total, FROM + REQUEST);
}

/* The command's part has what its task executed, also before a request to stop. The next command
 * collects. */
TEST_WITH(test_end_of_command, begin_task, end_of_task)
{
	const uint32_t parts = file->header.nparts;
	uint64_t total = 0;

	run_at(AT_WORK);
	request(CALLGRIND + STOP);
	run_at(AT_WORK);
	mark_task(tasks, TASK_MARK_ENDS);
	mark_task(0, TASK_MARK_COMMAND);
	assert_int_equal(file->header.nparts, parts); /* the host does not want it */
	file->header.wants_commands = true;
	mark_task(0, TASK_MARK_COMMAND);
	file->header.wants_commands = false;
	assert_int_equal(file->header.nparts, parts + 1);
	assert_int_equal(part_sum(&total, true), before + 2 + REQUEST);
	assert_int_equal(total, before + 2 + REQUEST);
	mark_task(++tasks, 0);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far(), 2);
}

/* --- Functions that toggle --- */

TEST_WITH(test_toggling_function, begin_task, end_of_task)
{
	const struct profile_function *work = &file->function[1];
	const uint64_t calls = work->calls, inclusive = work->inclusive[0];

	file->symbol[0].role = PROFILE_TOGGLES;
	file->header.is_task_ignored = true;
	mark_task(++tasks, 0);
	run_at(AT_CALL);
	run_at(AT_WORK);
	run_at(AT_OTHER);
	assert_int_equal(sum_so_far() - before, 2);
	assert_int_equal(work->calls - calls, 1);
	assert_int_equal(work->inclusive[0] - inclusive, 2);
	file->symbol[0].role = PROFILE_NO_ROLE;
}

/* A call that began while nothing collected counts as soon as something of it counts. */
TEST_WITH(test_call_of_ignored, begin_task, end_of_task)
{
	const struct profile_function *work = &file->function[1];
	const uint64_t calls = work->calls;

	request(CALLGRIND + TOGGLE);
	run_at(AT_CALL);
	run_at(AT_WORK);
	assert_int_equal(work->calls, calls);
	run_at(AT_CALL);
	request(CALLGRIND + TOGGLE);
	run_at(AT_WORK);
	assert_int_equal(work->calls, calls + 1);
}

/* --- Regions --- */

#define INNER     (STACK - 8) /* of a return address */
#define END_INSNS 2

/* The first instruction of a function, without a call. */
static void start_at(size_t offset)
{
	struct qemu_plugin_tb block = block_at(offset);

	translate(&block);
	run_one(&block.insns[0], LOAD, STACK);
}

/* Two instructions of the caller. */
static void call_at(size_t offset, uint64_t stack)
{
	struct qemu_plugin_tb block = block_at(AT_STEP);

	translate(&block);
	run_one(&block.insns[0], LOAD, stack);
	run_one(&block.insns[1], STORE, stack);
	start_at(offset);
}

static void return_at(size_t offset, uint64_t stack)
{
	struct qemu_plugin_tb block = block_at(offset);

	translate(&block);
	run_one(&block.insns[1], LOAD, stack);
}

static uint64_t region_sum(void)
{
	uint64_t sum = 0;

	settle_counts();
	for (uint32_t i = 1; i < file->header.nnodes; i++)
		if (file->node[i].function == file->node[file->node[i].parent].function)
			sum += file->node[i].self[0];
	return sum;
}

static void call_and_return(size_t offset)
{
	call_at(offset, INNER);
	return_at(offset, INNER);
}

/* The region has the calls in it, and the one that ends it; it ends with its function, too. */
TEST_WITH(test_region, begin_task, end_of_task)
{
	const uint64_t sum = region_sum();

	call_at(AT_WORK, STACK);
	for (unsigned turn = 1; turn < 3; turn++) {
		call_and_return(AT_BEGIN);
		call_and_return(AT_HELPER);
		call_and_return(AT_END);
		call_and_return(AT_HELPER);
		assert_int_equal(region_sum() - sum, 4 * turn);
	}
	call_and_return(AT_BEGIN);
	return_at(AT_WORK, STACK);
	call_at(AT_WORK, STACK);
	call_and_return(AT_HELPER);
	assert_int_equal(region_sum() - sum, 4 * 2 + END_INSNS);
}

/* The region of a function runs once, whatever calls it. */
TEST_WITH(test_region_once, begin_task, end_of_task)
{
	const uint64_t sum = region_sum();

	file->symbol[1].role = PROFILE_BEGINS_ONCE;
	call_at(AT_WORK, STACK);
	for (unsigned turn = 0; turn < 3; turn++) {
		call_and_return(AT_BEGIN);
		call_and_return(AT_HELPER);
		call_and_return(AT_END);
	}
	return_at(AT_WORK, STACK);
	call_at(AT_HELPER, STACK);
	call_at(AT_WORK, INNER);
	call_at(AT_BEGIN, INNER - 8);
	return_at(AT_BEGIN, INNER - 8);
	call_at(AT_END, INNER - 8);
	return_at(AT_END, INNER - 8);
	file->symbol[1].role = PROFILE_BEGINS;
	assert_int_equal(region_sum() - sum, 4);
}

/* A function of the harness begins and ends the region of its own caller. */
TEST_WITH(test_region_of_helper, begin_task, end_of_task)
{
	static const size_t at[] = {AT_BEGIN, AT_END};
	const uint64_t sum = region_sum();

	file->symbol[3].role = PROFILE_PASSES;
	call_at(AT_WORK, STACK);
	for (unsigned i = 0; i < 2; i++) {
		call_at(AT_HELPER, INNER);
		call_at(at[i], INNER - 8);
		return_at(at[i], INNER - 8);
		return_at(AT_HELPER, INNER);
	}
	call_and_return(AT_HELPER);
	file->symbol[3].role = PROFILE_NO_ROLE;
	assert_int_equal(region_sum() - sum, 2);
}

/* A linker that binds lazily jumps to the function. */
TEST_WITH(test_region_by_jumps, begin_task, end_of_task)
{
	static const size_t at[] = {AT_BEGIN, AT_END};
	const uint64_t sum = region_sum();

	call_at(AT_WORK, STACK);
	for (unsigned i = 0; i < 2; i++) {
		call_at(AT_HELPER, INNER);
		start_at(at[i]);
		return_at(at[i], INNER);
	}
	call_and_return(AT_HELPER);
	assert_int_equal(region_sum() - sum, 2);
}

/* --- Calls --- */

static uint64_t jumps_so_far(void)
{
	uint64_t jumps = 0;

	for (uint32_t i = 0; i < file->header.nedges; i++)
		jumps += file->edge[i].is_jump ? file->edge[i].calls : 0;
	return jumps;
}

/* A task may lose its CPU between a call and the function's start. QEMU 7.2 calls the call's
 * callback for an access of ring 0 then. */
TEST_WITH(test_interrupted_call, begin_task, end_of_task)
{
	struct qemu_plugin_tb block = block_at(AT_CALL);
	const uint64_t calls = file->function[1].calls, jumps = jumps_so_far();

	translate(&block);
	run_one(&block.insns[0], STORE, STACK);
	access_by(&block.insns[0], STORE, KERNEL + 64);
	settle_counts();
	run_at(AT_WORK);
	settle_counts();
	assert_int_equal(file->function[1].calls, calls + 1);
	assert_int_equal(jumps_so_far(), jumps);
}

/* --- Tasks that begin with a stack, or end with one --- */

/* A child goes on in the function that made it. */
TEST_WITH(test_copied_task, begin_task, end_of_task)
{
	const struct profile_function *work = &file->function[1], *helper = &file->function[4];
	const uint64_t calls = work->calls, inclusive = work->inclusive[0],
		       helped = helper->inclusive[0];

	call_at(AT_WORK, STACK);
	mark_task(tasks + 1, TASK_MARK_COPY);
	call_and_return(AT_HELPER);
	return_at(AT_WORK, STACK);
	settle_counts();
	assert_int_equal(work->inclusive[0] - inclusive, 4 + END_INSNS);
	mark_task(tasks + 1, 0);
	call_and_return(AT_HELPER);
	return_at(AT_WORK, STACK);
	mark_task(tasks + 1, TASK_MARK_ENDS);
	assert_int_equal(work->calls - calls, 1);
	assert_int_equal(work->inclusive[0] - inclusive, 2 * (4 + END_INSNS));
	assert_int_equal(helper->inclusive[0] - helped, 2 * END_INSNS);
	mark_task(tasks, 0);
}

/* Another program of the same task: the calls of the former one are over. */
TEST_WITH(test_executed_program, begin_task, end_of_task)
{
	const struct profile_function *work = &file->function[1];
	const uint64_t inclusive = work->inclusive[0],
		       at = MARK + tasks % 8 * sizeof(struct task_mark);

	call_at(AT_WORK, STACK);
	call_and_return(AT_HELPER);
	mark_at(at, ++tasks, 0);
	assert_int_equal(work->inclusive[0] - inclusive, 2 + END_INSNS);
	call_at(AT_HELPER, INNER);
	mark_at(at, tasks, TASK_MARK_ENDS);
	assert_int_equal(work->inclusive[0] - inclusive, 2 + END_INSNS);
}

/* --- What is no request --- */

TEST_WITH(test_other_exchange, begin_task, end_of_task)
{
	set_request(CALLGRIND + TOGGLE);
	run_at(AT_OTHER);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, REQUEST + FROM + 2);
}

/* Only the return has a callback of its access, and no block is left, where no request is. */
TEST_WITH(test_cost_elsewhere, begin_task, end_of_task)
{
	size_t n = 0;

	run_at(AT_WORK);
	for (size_t i = 0; i < nattached; i++)
		n += attached[i].access || attached[i].run;
	assert_int_equal(n, 2); /* and the function's start */
}

/* The words of a request are not present. */
TEST_WITH(test_words_not_found, begin_task, end_of_task)
{
	set_request(CALLGRIND + TOGGLE);
	registers[VCPU_RAX] = 0;
	run_at(AT_REQUEST);
	run_at(AT_WORK);
	assert_int_equal(sum_so_far() - before, REQUEST + FROM + 2);
}

/* --- The result --- */

TEST_WITH(test_running_on_valgrind, begin_task, end_of_task)
{
	registers[VCPU_RDX] = 7;
	request(RUNNING);
	assert_int_equal(registers[VCPU_RDX], 7);
	file->header.is_valgrind = true;
	request(RUNNING);
	assert_int_equal(registers[VCPU_RDX], 1);
	registers[VCPU_RDX] = 7;
	request(RUNNING + 1);
	assert_int_equal(registers[VCPU_RDX], 7);
	file->header.is_valgrind = false;
	assert_int_equal(sum_so_far() - before, 3 * (REQUEST + FROM));
}

/* --- Blocks of one instruction --- */

/* A fault leads away from the request, for good. */
TEST_WITH(test_way_elsewhere, begin_task, end_of_task)
{
	struct qemu_plugin_tb block = block_at(AT_REQUEST), elsewhere = block_at(AT_WORK);

	translate(&block);
	if (!setjmp(block_left))
		run_one(&block.insns[0], STORE, WORDS);
	assert_true(one_insn_per_tb);
	elsewhere.n = 1;
	for (unsigned i = 0; i < 600 && one_insn_per_tb; i++) {
		translate(&elsewhere);
		run_one(&elsewhere.insns[0], LOAD, STACK);
	}
	assert_false(one_insn_per_tb);
}

/* --- The end of a page --- */

/* Both parts of the sequence are in blocks of their own. */
TEST_WITH(test_cut_by_page, begin_task, end_of_task)
{
	set_request(CALLGRIND + TOGGLE);
	run_at(AT_CUT);
	run_at(PROFILE_PAGE);
	assert_int_equal(sum_so_far() - before, REQUEST);
}

/* --- Fixtures --- */

static void write_code(void)
{
	memcpy(code + AT_REQUEST, request_code, sizeof(request_code));
	memcpy(code + AT_OTHER, other_code, sizeof(other_code));
	memcpy(code + AT_WORK, end_code, sizeof(end_code));
	memcpy(code + AT_CALL, call_code, sizeof(call_code));
	memcpy(code + AT_STEP, step_code, sizeof(step_code));
	memcpy(code + AT_BEGIN, end_code, sizeof(end_code));
	memcpy(code + AT_END, end_code, sizeof(end_code));
	memcpy(code + AT_HELPER, end_code, sizeof(end_code));
	memcpy(code + AT_CUT, request_code, sizeof(request_code));
}

static void write_symbol(uint64_t start, enum profile_role role)
{
	file->symbol[file->header.nsymbols++] =
		(struct profile_symbol){start, start + sizeof(end_code), role};
	file->object[0].nsymbols++;
}

/* The host knows one page of code, and functions in it. */
static int write_profile_file(void)
{
	const int fd = mkstemp(profile_path);

	if (fd < 0 || ftruncate(fd, sizeof(*file)))
		return 1;
	file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return 1;
	memcpy(file->header.magic, PROFILE_MAGIC, sizeof(file->header.magic));
	file->header.version = PROFILE_VERSION;
	file->header.ncosts = 1;
	file->header.cost[0] = EVENTS_INSTRUCTIONS;
	file->header.npages = file->header.nobjects = 1;
	file->page[0].hash = profile_hash((const uint64_t *)(const void *)code);
	write_symbol(AT_WORK, PROFILE_NO_ROLE);
	write_symbol(AT_BEGIN, PROFILE_BEGINS);
	write_symbol(AT_END, PROFILE_ENDS);
	write_symbol(AT_HELPER, PROFILE_NO_ROLE);
	return 0;
}

FIXTURE(set_up)
{
	static char option[64];

	write_code();
	if (write_profile_file())
		return 1;
	snprintf(option, sizeof(option), "profile=%s", profile_path);
	if (install(option))
		return 1;
	memory.va = STACK & ~(uint64_t)(PROFILE_PAGE - 1);
	memory.bytes = sizeof(data);
	memory.physical = (uint64_t)data - ((uint64_t)bell - HOST_CODE);
	ask_for(EVENTS_LEVEL_COUNTS);
	return 0;
}

FIXTURE(tear_down)
{
	munmap(page, EVENTS_PAGE_BYTES);
	munmap(file, sizeof(*file));
	return unlink(page_path) || unlink(profile_path);
}

GROUP(set_up, tear_down);
