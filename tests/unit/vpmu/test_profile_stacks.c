// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_profile_stacks.c - the calls of exact profiles in programs that switch stacks, with a fake
 * QEMU: coroutines, calls on another stack, stacks that move, handlers on a stack of their own.
 */
#include "tests/unit/vpmu/played_qemu.h"

#include <fcntl.h>

#include "include/perf0/profile_file.h"
#include "include/perf0/task_mark.h"
#include "tests/unit/test.h"

#define STORE  0x103u /* an access: a store of 8 bytes */
#define LOAD   0x003u
#define KERNEL 0xffffffff80000000ull
#define MARK   0x700200u
#define WORD   0x700300u /* the next value of RSP */

/* Stacks, by their highest addresses. The first one of a process lies below or above others. */
#define FIRST  0x900000u
#define SECOND 0x500000u
#define ABOVE  0xa00000u
#define SMALL  0x800u /* bytes of a stack beside others */
#define WORDS  8u

/* Functions have a page's eighth each: NOP, then a call, then a return. */
enum function { MAIN, SWITCHES, BODY, LEAF, GROWS, HANDLER, FUNCTIONS };
#define AT(function)     (0x100u * (unsigned)(function))
#define NUMBER(function) ((uint32_t)(function) + 1)

static const uint8_t function_code[] = {
	0x90,                         /* nop */
	0xe8, 0,    0,    0,    0,    /* call */
	0xc3,                         /* ret */
	0x48, 0x8b, 0x27,             /* mov (%rdi),%rsp */
	0xff, 0xe0,                   /* jmp *%rax */
	0x48, 0x89, 0xc4,             /* mov %rax,%rsp */
	0x48, 0x8b, 0x5c, 0x24, 0x38, /* mov 0x38(%rsp),%rbx */
};
enum { NOP = 0, CALL = 1, RET = 6, LOAD_RSP = 7, JUMP = 10, SET_RSP = 12, BY_RSP = 15 };
static const uint8_t bytes_of[] = {
	[NOP] = 1, [CALL] = 5, [RET] = 1, [LOAD_RSP] = 3, [JUMP] = 2, [SET_RSP] = 3, [BY_RSP] = 5};
static const uint8_t mark_code[] = {0x48, 0x8b, 0x98, 0x70, 0x74, 0x30, 0x66};

static _Alignas(4096) uint8_t code[PROFILE_PAGE];
static _Alignas(4096) uint8_t data[PROFILE_PAGE]; /* at MARK's page */
static struct profile_file *file;
static char profile_path[] = "/tmp/perf0-stacks-XXXXXX";
static uint64_t tasks, spaces; /* so far */

/* --- A machine --- */

static struct qemu_plugin_insn insn_of(enum function f, unsigned which)
{
	const unsigned at = AT(f) + which;

	return (struct qemu_plugin_insn){GUEST_CODE + at, code + at, bytes_of[which]};
}

/* QEMU's order: callbacks, additions, accesses. */
static void run_stacked(const struct qemu_plugin_insn *insn, plugin_access info, uint64_t va)
{
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].run)
			attached[i].run(0, attached[i].data);
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].count)
			*attached[i].count += attached[i].more;
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].access)
			attached[i].access(0, info, va, attached[i].data);
}

static void run_alone_at(enum function f, unsigned which, plugin_access info, uint64_t va)
{
	struct qemu_plugin_tb block = {.insns = {insn_of(f, which)}, .n = 1};

	translate(&block);
	run_stacked(&block.insns[0], info, va);
}

/* One instruction: the first one of a function. */
static void starts(enum function f)
{
	run_alone_at(f, NOP, LOAD, MARK);
}

/* Two instructions: a call of `by`, and the start of `f`. */
static void calls_at(enum function by, enum function f, uint64_t va)
{
	run_alone_at(by, CALL, STORE, va);
	starts(f);
}

static void returns_at(enum function f, uint64_t va)
{
	run_alone_at(f, RET, LOAD, va);
}

/* A call of LEAF, and its return: three instructions. */
static void calls_leaf(enum function by, uint64_t va)
{
	calls_at(by, LEAF, va);
	returns_at(LEAF, va);
}

static void set_word(uint64_t sp)
{
	memcpy(data + WORD % PROFILE_PAGE, &sp, sizeof(sp));
}

static void loads_rsp(enum function f, uint64_t sp)
{
	set_word(sp);
	run_alone_at(f, LOAD_RSP, LOAD, WORD);
}

/* RSP comes from memory, and the block ends with a jump. */
static void jumps_away(enum function f, uint64_t sp)
{
	struct qemu_plugin_tb block = {.insns = {insn_of(f, LOAD_RSP), insn_of(f, JUMP)}, .n = 2};

	set_word(sp);
	translate(&block);
	run_stacked(&block.insns[0], LOAD, WORD);
	run_stacked(&block.insns[1], LOAD, WORD);
}

/* RSP comes from a register; a load by it, and a jump. */
static void jumps_by_register(enum function f, uint64_t sp)
{
	struct qemu_plugin_tb block = {
		.insns = {insn_of(f, SET_RSP), insn_of(f, BY_RSP), insn_of(f, JUMP)}, .n = 3};

	translate(&block);
	run_stacked(&block.insns[0], LOAD, WORD);
	run_stacked(&block.insns[1], LOAD, sp + 0x38);
	run_stacked(&block.insns[2], LOAD, WORD);
}

/* Each task has a mark of its own. */
static void mark_thread(uint64_t task, uint64_t stack)
{
	const uint64_t at = MARK + task % 8 * sizeof(struct task_mark);
	struct qemu_plugin_tb block = {.insns = {{KERNEL, mark_code, sizeof(mark_code)}}, .n = 1};
	const struct task_mark mark = {.task = task, .stack = stack, .space = spaces};

	memcpy(data + at % PROFILE_PAGE, &mark, sizeof(mark));
	translate(&block);
	run_stacked(&block.insns[0], LOAD, at);
}

/* --- What is counted --- */

static struct profile_function before[FUNCTIONS + 1];

static uint64_t calls_of(enum function f)
{
	return file->function[NUMBER(f)].calls - before[NUMBER(f)].calls;
}

static uint64_t inclusive_of(enum function f)
{
	return file->function[NUMBER(f)].inclusive[0] - before[NUMBER(f)].inclusive[0];
}

/* The function of a region among the contexts from `first` on; 0: none. */
static uint32_t region_since(uint32_t first)
{
	for (uint32_t i = first; i < file->header.nnodes; i++)
		if (file->node[i].function == file->node[file->node[i].parent].function)
			return file->node[i].function;
	return 0;
}

FIXTURE(begin_task)
{
	memcpy(before, file->function, sizeof(before));
	spaces++;
	mark_thread(++tasks, 0);
	calls_at(MAIN, MAIN, FIRST - WORDS);
	return 0;
}

FIXTURE(end_of_task)
{
	mark_thread(tasks, TASK_MARK_ENDS);
	return 0;
}

/* --- Coroutines --- */

/* swapcontext(3), called at `from`, goes to the context with RSP `sp` by a return. */
static void swaps_context(enum function by, uint64_t from, uint64_t sp)
{
	calls_at(by, SWITCHES, from);
	loads_rsp(SWITCHES, sp);
	returns_at(SWITCHES, sp - WORDS);
}

#define INNER (FIRST - 0x40) /* of calls in MAIN */

static void run_coroutine(uint64_t high)
{
	swaps_context(MAIN, INNER, high);
	starts(BODY);
	calls_leaf(BODY, high - 0x40);
	swaps_context(BODY, high - 0x40, INNER + WORDS);
	calls_leaf(MAIN, INNER);
	swaps_context(MAIN, INNER, high - 0x40 + WORDS);
	calls_leaf(BODY, high - 0x40);
	swaps_context(BODY, high - 0x40, INNER + WORDS);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, 0);
	assert_int_equal(calls_of(BODY), 0 + 1);
	assert_int_equal(calls_of(SWITCHES), 4);
	assert_int_equal(calls_of(LEAF), 3);
	/* its start and return; a call of LEAF; two switches of four instructions each */
	assert_int_equal(inclusive_of(MAIN), 2 + 3 + 2 * 4);
	mark_thread(tasks, TASK_MARK_ENDS);
	assert_int_equal(inclusive_of(BODY), 1 + 2 * 3 + 2 * 4);
	assert_int_equal(inclusive_of(SWITCHES), 4 * 3);
}

TEST_WITH(test_coroutine_below, begin_task, end_of_task)
{
	run_coroutine(SECOND);
}

TEST_WITH(test_coroutine_above, begin_task, end_of_task)
{
	run_coroutine(ABOVE);
}

/* Stacks of a pool lie side by side. */
TEST_WITH(test_coroutine_beside, begin_task, end_of_task)
{
	run_coroutine(FIRST - SMALL);
}

/* Switches by jumps, as boost's contexts do. The last instructions of a block count after the
 * callback of the jump: for the stack that goes on. */
#define LATE 2
TEST_WITH(test_switch_by_jumps, begin_task, end_of_task)
{
	calls_at(MAIN, SWITCHES, INNER);
	jumps_by_register(SWITCHES, SECOND);
	starts(BODY);
	calls_leaf(BODY, SECOND - 0x40);
	calls_at(BODY, SWITCHES, SECOND - 0x40);
	jumps_by_register(SWITCHES, INNER + WORDS);
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, TASK_MARK_ENDS);
	assert_int_equal(calls_of(BODY), 1);
	assert_int_equal(inclusive_of(MAIN), 2 + 3 + 1 + 4 + LATE);
	assert_int_equal(inclusive_of(BODY), 1 + 3 + 1 + 4 - LATE);
}

/* Any thread of the process may go on with a stack. */
TEST_WITH(test_other_task, begin_task, end_of_task)
{
	swaps_context(MAIN, INNER, SECOND);
	starts(BODY);
	swaps_context(BODY, SECOND - 0x40, INNER + WORDS);
	mark_thread(tasks + 1, 0);
	calls_at(HANDLER, HANDLER, ABOVE - WORDS);
	swaps_context(HANDLER, ABOVE - 0x40, SECOND - 0x40 + WORDS);
	calls_leaf(BODY, SECOND - 0x40);
	returns_at(BODY, SECOND);
	mark_thread(tasks + 1, TASK_MARK_ENDS);
	mark_thread(tasks, TASK_MARK_ENDS);
	assert_int_equal(inclusive_of(BODY), 1 + 4 + 3 + 1);
	assert_int_equal(inclusive_of(HANDLER), 1 + 4);
}

/* A coroutine that is left for good; another one has its memory. */
TEST_WITH(test_used_anew, begin_task, end_of_task)
{
	for (unsigned i = 0; i < 3; i++) {
		swaps_context(MAIN, INNER, SECOND);
		starts(BODY);
		calls_leaf(BODY, SECOND - 0x40);
		swaps_context(BODY, SECOND - 0x40, INNER + WORDS);
	}
	mark_thread(tasks, TASK_MARK_ENDS);
	assert_int_equal(calls_of(BODY), 3);
	assert_int_equal(inclusive_of(BODY), 3 * (1 + 3 + 4));
}

/* --- Calls on another stack --- */

static void call_on(uint64_t other)
{
	for (unsigned i = 0; i < 3; i++) {
		calls_at(MAIN, SWITCHES, INNER);
		loads_rsp(SWITCHES, other);
		calls_leaf(SWITCHES, other - WORDS);
		loads_rsp(SWITCHES, INNER);
		returns_at(SWITCHES, INNER);
	}
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, 0);
	assert_int_equal(calls_of(LEAF), 4);
	assert_int_equal(inclusive_of(SWITCHES), 3 * (1 + 1 + 3 + 1 + 1));
	assert_int_equal(inclusive_of(MAIN), 1 + 3 * (1 + 7) + 3 + 1);
}

/* The callee is inside of its caller. */
TEST_WITH(test_call_below, begin_task, end_of_task)
{
	call_on(FIRST - (16u << 20));
}

TEST_WITH(test_call_above, begin_task, end_of_task)
{
	call_on(ABOVE);
}

/* A function's array of variable length is no other stack. */
TEST_WITH(test_large_frame, begin_task, end_of_task)
{
	loads_rsp(MAIN, FIRST - (1u << 20));
	calls_at(MAIN, BODY, FIRST - (1u << 20) - WORDS);
	returns_at(BODY, FIRST - (1u << 20) - WORDS);
	loads_rsp(MAIN, INNER);
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, 0);
	assert_int_equal(inclusive_of(MAIN), 1 + 1 + 3 + 1 + 3 + 1);
}

/* A linker that binds lazily has its own RSP, restores it, and jumps to the function. */
TEST_WITH(test_lazy_binding, begin_task, end_of_task)
{
	const uint32_t nodes = file->header.nnodes;

	file->symbol[LEAF].role = PROFILE_BEGINS;
	calls_at(MAIN, SWITCHES, INNER);
	jumps_by_register(SWITCHES, INNER - 2 * WORDS);
	starts(LEAF);
	returns_at(LEAF, INNER);
	file->symbol[LEAF].role = PROFILE_NO_ROLE;
	calls_at(MAIN, BODY, INNER);
	returns_at(BODY, INNER);
	mark_thread(tasks, 0);
	assert_int_equal(calls_of(LEAF), 1);
	assert_int_equal(region_since(nodes), NUMBER(MAIN));
}

/* --- Stacks that move --- */

/* BODY calls a function that gives it another stack, on which it begins once more. */
static void grow_stack(uint64_t at, uint64_t to)
{
	calls_at(BODY, GROWS, at - WORDS);
	loads_rsp(GROWS, ABOVE);
	calls_at(GROWS, LEAF, ABOVE - WORDS);
	jumps_away(LEAF, to);
	starts(BODY);
}

static void grow_and_return(uint64_t to)
{
	const uint64_t by = to - INNER;

	calls_at(MAIN, BODY, INNER);
	grow_stack(INNER, to);
	returns_at(BODY, INNER + by);
	calls_leaf(MAIN, INNER + by);
	returns_at(MAIN, FIRST - WORDS + by);
	mark_thread(tasks, 0);
	assert_int_equal(calls_of(BODY), 1);
	assert_int_equal(inclusive_of(BODY), 1 + (1 + 1 + 1) + (1 + 1) + 2 + 1 + 1);
	assert_int_equal(inclusive_of(MAIN), 1 + 1 + inclusive_of(BODY) + 3 + 1);
}

TEST_WITH(test_stack_grows, begin_task, end_of_task)
{
	grow_and_return(SECOND);
}

/* It had something else to do, and the stack is where it was. */
TEST_WITH(test_stack_stays, begin_task, end_of_task)
{
	grow_and_return(INNER);
}

/* --- Signals --- */

static void handle_on(uint64_t stack)
{
	mark_thread(tasks, stack);
	starts(HANDLER);
	calls_leaf(HANDLER, stack - 0x40);
	returns_at(HANDLER, stack);
	mark_thread(tasks, INNER | TASK_MARK_RESUMES);
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, 0);
	assert_int_equal(inclusive_of(HANDLER), 1 + 3 + 1);
	assert_int_equal(inclusive_of(MAIN), 1 + 5 + 3 + 1);
	assert_int_equal(calls_of(LEAF), 2);
}

TEST_WITH(test_handler_above, begin_task, end_of_task)
{
	handle_on(ABOVE);
}

TEST_WITH(test_handler_below, begin_task, end_of_task)
{
	handle_on(SECOND);
}

/* siglongjmp(3) leaves the handler. */
TEST_WITH(test_handler_is_left, begin_task, end_of_task)
{
	mark_thread(tasks, ABOVE);
	starts(HANDLER);
	jumps_away(HANDLER, INNER + WORDS);
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, TASK_MARK_ENDS);
	assert_int_equal(inclusive_of(HANDLER), 1 + 2 - LATE);
	assert_int_equal(inclusive_of(MAIN), 1 + 3 + 3 + 1);
}

/* The handler lets a function begin between a call and its function, which begins afterwards. */
TEST_WITH(test_injected_function, begin_task, end_of_task)
{
	run_alone_at(MAIN, CALL, STORE, INNER);
	mark_thread(tasks, ABOVE);
	starts(HANDLER);
	returns_at(HANDLER, ABOVE);
	mark_thread(tasks, (INNER - WORDS) | TASK_MARK_RESUMES);
	starts(BODY);
	calls_leaf(BODY, INNER - 0x40);
	returns_at(BODY, INNER - WORDS);
	starts(LEAF);
	returns_at(LEAF, INNER);
	calls_leaf(MAIN, INNER);
	returns_at(MAIN, FIRST - WORDS);
	mark_thread(tasks, 0);
	assert_int_equal(calls_of(LEAF), 3);
	assert_int_equal(inclusive_of(LEAF), 3 * 2);
	assert_int_equal(inclusive_of(BODY), 1 + 3 + 1);
	assert_int_equal(inclusive_of(MAIN), 1 + 1 + 2 + 5 + 2 + 3 + 1);
}

/* --- Fixtures --- */

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
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		memcpy(code + AT(f), function_code, sizeof(function_code));
		file->symbol[f] = (struct profile_symbol){AT(f), AT(f) + sizeof(function_code), 0};
	}
	file->object[0].nsymbols = file->header.nsymbols = FUNCTIONS;
	file->page[0].hash = profile_hash((const uint64_t *)(const void *)code);
	return 0;
}

FIXTURE(set_up)
{
	static char option[64];

	if (write_profile_file())
		return 1;
	snprintf(option, sizeof(option), "profile=%s", profile_path);
	if (install(option))
		return 1;
	memory.va = MARK & ~(uint64_t)(PROFILE_PAGE - 1);
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
