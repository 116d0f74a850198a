// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_plugin_branches.c - the branches of exact profiles, with a fake QEMU: a page of ring 3's
 * code, whose instructions run one by one.
 */
#include "tests/unit/vpmu/played_qemu.h"

#include "include/perf0/profile_file.h"
#include "include/perf0/task_mark.h"
#include "tests/unit/test.h"
#include "vpmu/plugin/profile_branches.h"

#define KERNEL_CODE 0xffff800000001000ull
#define IN_FILE     0x7000ull /* address of the page, as the file's symbols count */

/* The code, by its place in the page. */
enum place {
	JNE = 0x000,
	NOT_TAKEN = 0x002,
	TAKEN = 0x008,
	RET = 0x010,
	LOOP = 0x020,
	LOOP_END = 0x022,
	JMP_RAX = 0x030,
	NOPS = 0x040,
	JMP = 0x050,
	JMP_TARGET = 0x058,
	MARK = 0x100,
};

static const struct {
	enum place at;
	uint8_t bytes[8];
	uint8_t size;
} insns[] = {
	{JNE, {0x75, 0x06}, 2},
	{RET, {0xc3}, 1},
	{LOOP, {0xe2, 0xfe}, 2}, /* to itself */
	{JMP_RAX, {0xff, 0xe0}, 2},
	{JMP, {0xeb, 0x06}, 2},
	{MARK, {0x48, 0x8b, 0x80, 0x70, 0x74, 0x30, 0x66}, 7}, /* task_mark.h */
};

static char profile_path[] = "/tmp/perf0-profile-XXXXXX";
static struct profile_file *file;
static uint8_t *code; /* the page */

static size_t size_at(enum place at)
{
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++)
		if (insns[i].at == at)
			return insns[i].size;
	return 1; /* NOP */
}

static void run_as(uint64_t page_va, enum place at)
{
	struct qemu_plugin_tb block = {.insns = {{page_va + at, code + at, size_at(at)}}, .n = 1};

	translate(&block);
	run_block(&block);
}

static void run_place(enum place at)
{
	run_as(GUEST_CODE, at);
}

static void run_times(enum place from, enum place to, unsigned times)
{
	while (times--) {
		run_place(from);
		run_place(to);
	}
}

/* Ring 0 marks a task. */
static void go_on_with(uint64_t task, uint64_t stack)
{
	static struct task_mark marks[4]; /* each task has its own */
	const uint64_t physical = (uint64_t)&marks[task] - ((uint64_t)bell - HOST_CODE);

	marks[task] = (struct task_mark){.task = task, .stack = stack};
	accessed = &physical;
	run_as(KERNEL_CODE, MARK);
	accessed = NULL;
}

static uint64_t count_between(enum place from, enum place to)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < file->header.nbranches; i++) {
		const struct profile_branch *b = &file->branch[i];

		if (file->end[b->from - 1].va == GUEST_CODE + from &&
		    file->end[b->to - 1].va == GUEST_CODE + to)
			count += b->count;
	}
	return count;
}

static size_t callbacks_of(enum place at)
{
	run_place(at);
	return nattached;
}

TEST(test_unwanted_branches_have_no_callbacks)
{
	size_t before;

	go_on_with(1, 0);
	before = callbacks_of(JNE);
	file->header.wants_branches = true;
	branches_begin(1);
	assert_int_equal(callbacks_of(JNE), before + 2);
	run_place(TAKEN);
	assert_int_equal(count_between(JNE, TAKEN), 1);
}

TEST(test_conditional)
{
	run_times(JNE, TAKEN, 10);
	run_times(JNE, NOT_TAKEN, 3);
	run_times(JNE, TAKEN, 7);
	assert_int_equal(count_between(JNE, TAKEN), 1 + 17);
	assert_int_equal(count_between(JNE, NOT_TAKEN), 3);
}

TEST(test_both_ends_are_described)
{
	const struct profile_branch *b = &file->branch[0];
	const struct profile_end *from = &file->end[b->from - 1], *to = &file->end[b->to - 1];

	assert_int_equal(from->kind, PROFILE_CONDITIONAL);
	assert_int_equal(from->bytes, 2);
	assert_int_equal(from->object, 1);
	assert_int_equal(from->address, IN_FILE + JNE);
	assert_int_equal(to->kind, PROFILE_TARGET);
	assert_int_equal(to->object, 1);
	assert_int_equal(to->address, IN_FILE + TAKEN);
}

TEST(test_indirect)
{
	for (unsigned i = 0; i < 100; i++)
		run_times(JMP_RAX, (enum place)(NOPS + i % 5), i % 5 + 1);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(count_between(JMP_RAX, (enum place)(NOPS + i)), 20 * (i + 1));
}

/* A block that no branch leads to. */
TEST(test_falling_through)
{
	const uint32_t before = file->header.nbranches;

	run_place(NOPS);
	run_place(NOPS + 1);
	run_place(JMP_TARGET);
	assert_int_equal(file->header.nbranches, before);
}

/* RET faults, and is executed again. */
TEST(test_fault)
{
	run_place(RET);
	run_as(KERNEL_CODE, NOPS);
	run_place(RET);
	run_place(NOPS);
	assert_int_equal(count_between(RET, NOPS), 1);
	assert_int_equal(count_between(RET, RET), 0);
}

TEST(test_branch_to_itself)
{
	for (unsigned i = 0; i < 9; i++)
		run_place(LOOP);
	run_place(LOOP_END);
	assert_int_equal(count_between(LOOP, LOOP), 8);
	assert_int_equal(count_between(LOOP, LOOP_END), 1);
}

TEST(test_interrupt_before_the_target)
{
	run_place(JMP);
	run_as(KERNEL_CODE, JNE);
	run_as(KERNEL_CODE, TAKEN);
	run_place(JMP_TARGET);
	assert_int_equal(count_between(JMP, JMP_TARGET), 1);
}

TEST(test_another_task_before_the_target)
{
	run_place(JMP);
	go_on_with(2, 0);
	run_place(NOPS);
	run_times(JMP, JMP_TARGET, 3);
	run_place(JNE);
	go_on_with(1, 0);
	run_place(JMP_TARGET);
	go_on_with(2, 0);
	run_place(NOT_TAKEN);
	assert_int_equal(count_between(JMP, NOPS), 0);
	assert_int_equal(count_between(JMP, JMP_TARGET), 1 + 1 + 3);
	assert_int_equal(count_between(JNE, NOT_TAKEN), 3 + 1);
	assert_int_equal(file->header.dropped, 0);
}

TEST(test_signal_before_the_target)
{
	run_place(JMP);
	go_on_with(2, 0x7000);
	run_place(NOPS);
	run_place(JMP_TARGET);
	assert_int_equal(count_between(JMP, NOPS), 0);
	assert_int_equal(count_between(JMP, JMP_TARGET), 5);
	assert_int_equal(file->header.dropped, 1);
}

TEST(test_end_before_the_target)
{
	run_place(JMP);
	go_on_with(2, TASK_MARK_ENDS);
	go_on_with(3, 0);
	run_place(JMP_TARGET);
	assert_int_equal(count_between(JMP, JMP_TARGET), 5);
	assert_int_equal(file->header.dropped, 2);
}

/* QEMU drops its translations between a branch and its target. */
TEST(test_flush_before_the_target)
{
	run_place(JMP);
	flushed(1);
	run_place(JMP_TARGET);
	assert_int_equal(count_between(JMP, JMP_TARGET), 6);
}

static void fill_code(void)
{
	memset(code, 0x90, PROFILE_PAGE);
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++)
		memcpy(code + insns[i].at, insns[i].bytes, insns[i].size);
}

static void fill_profile(void)
{
	struct profile_header *h = &file->header;

	memcpy(h->magic, PROFILE_MAGIC, sizeof(h->magic));
	h->version = PROFILE_VERSION;
	h->npages = h->nobjects = 1;
	file->page[0].address = IN_FILE;
	file->page[0].hash = profile_hash((const uint64_t *)(const void *)code);
}

FIXTURE(set_up)
{
	static char option[64];
	const int fd = mkstemp(profile_path);

	code = mmap(NULL, PROFILE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fd < 0 || ftruncate(fd, sizeof(*file)) || code == MAP_FAILED)
		return -1;
	file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return -1;
	fill_code();
	fill_profile();
	snprintf(option, sizeof(option), "profile=%s", profile_path);
	if (install(option))
		return -1;
	ask_for(EVENTS_LEVEL_COUNTS);
	return 0;
}

FIXTURE(tear_down)
{
	munmap(code, PROFILE_PAGE);
	munmap(file, sizeof(*file));
	munmap(page, EVENTS_PAGE_BYTES);
	return unlink(profile_path) | unlink(page_path);
}

GROUP(set_up, tear_down);
