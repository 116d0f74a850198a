// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_plugin.c - the plugin with a fake QEMU: blocks are translated and run, levels change,
 * translations are dropped, and its memory does not grow. The counts are the same with a thread and
 * without, and while vpmu asks for instructions.
 */
#include "tests/unit/vpmu/played_qemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* AddressSanitizer's. */
extern size_t __sanitizer_get_current_allocated_bytes(void);

static void ring_bell(enum events_level level)
{
	ask_for(level);
	assert_int_equal(page->cpu[0].answered, page->cpu[0].asked);
}

static uint64_t count_of(enum events_count count)
{
	return page->cpu[0].count[count];
}

/* The plugin does not instrument the guest's blocks until an event counts. */
TEST(test_nothing_wanted)
{
	const uint64_t before = count_of(EVENTS_INSTRUCTIONS);

	assert_int_equal(page->cpu[0].wanted, EVENTS_LEVEL_NONE);
	run_blocks(10, 20);
	assert_int_equal(nattached, 0);
	ring_bell(EVENTS_LEVEL_NONE);
	assert_int_equal(count_of(EVENTS_INSTRUCTIONS), before);
	assert_int_equal(resets, 0);
	ring_bell(EVENTS_LEVEL_COUNTS);
	assert_int_equal(resets, 1);
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_COUNTS);
	assert_int_equal(count_of(EVENTS_INSTRUCTIONS) - before, 800);
	assert_int_equal(resets, 1);
}

static void run_first(const struct qemu_plugin_tb *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_insn(&block->insns[i]);
}

/* A block that is left before its branch, which leads to its start, and begins again. */
TEST(test_branch_that_is_not_reached)
{
	struct qemu_plugin_tb block = {.n = INSNS};
	uint64_t taken;

	ring_bell(EVENTS_LEVEL_BRANCHES);
	ring_bell(EVENTS_LEVEL_BRANCHES);
	assert_int_equal(page->cpu[0].level, EVENTS_LEVEL_BRANCHES);
	taken = count_of(EVENTS_CONDITIONAL_TAKEN);
	for (size_t i = 0, at = 0; i < INSNS; at += sizes[i++])
		block.insns[i] = (struct qemu_plugin_insn){GUEST_CODE + at, program + at, sizes[i]};
	translate(&block);
	run_first(&block, 2);
	run_first(&block, INSNS);
	run_first(&block, 1);
	ring_bell(EVENTS_LEVEL_BRANCHES);
	assert_int_equal(count_of(EVENTS_CONDITIONAL_TAKEN) - taken, 1);
}

TEST(test_counts)
{
	uint64_t before[EVENTS_NUMBERS];

	ring_bell(EVENTS_LEVEL_MODEL);
	ring_bell(EVENTS_LEVEL_MODEL);
	memcpy(before, page->cpu[0].count, sizeof(before));
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_MODEL);
	assert_int_equal(count_of(EVENTS_INSTRUCTIONS) - before[EVENTS_INSTRUCTIONS], 800);
	assert_int_equal(count_of(EVENTS_LOADS) - before[EVENTS_LOADS], 200);
	assert_int_equal(count_of(EVENTS_BRANCHES) - before[EVENTS_BRANCHES], 200);
	assert_int_equal(count_of(EVENTS_L1D_LOADS) - before[EVENTS_L1D_LOADS], 200);
	/* DEC and its jump are one. */
	assert_int_equal(count_of(EVENTS_UOPS) - before[EVENTS_UOPS], 600);
	assert_int_equal(count_of(EVENTS_CONDITIONAL_TAKEN) - before[EVENTS_CONDITIONAL_TAKEN],
			 190);
}

/* The core in time begins and ends with the translations that are there. */
TEST(test_caches_alone)
{
	uint64_t cycles, loads;
	unsigned before;

	ring_bell(EVENTS_LEVEL_CACHES);
	ring_bell(EVENTS_LEVEL_CACHES);
	assert_int_equal(page->cpu[0].level, EVENTS_LEVEL_CACHES);
	before = resets;
	cycles = count_of(EVENTS_CYCLES);
	loads = count_of(EVENTS_L1D_LOADS);
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_MODEL);
	assert_int_equal(count_of(EVENTS_L1D_LOADS) - loads, 200);
	assert_int_equal(count_of(EVENTS_CYCLES), cycles);
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_CACHES);
	assert_int_equal(count_of(EVENTS_L1D_LOADS) - loads, 400);
	assert_in_range(count_of(EVENTS_CYCLES) - cycles, 200, 20000);
	cycles = count_of(EVENTS_CYCLES);
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_CACHES);
	assert_int_equal(count_of(EVENTS_CYCLES), cycles);
	assert_int_equal(resets, before);
}

/* Each round uses all levels, which have separate translations. */
static size_t memory_after(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		ring_bell(i % 2 ? EVENTS_LEVEL_BRANCHES : EVENTS_LEVEL_MODEL);
		run_blocks(2000, 2);
	}
	return __sanitizer_get_current_allocated_bytes();
}

TEST(test_memory)
{
	size_t before;

	before = memory_after(4);
	assert_in_range(memory_after(60), before, before + (64u << 10));
}

/* --- Ways of reporting to the model --- */

enum way { BY_THREAD, BY_VCPU, AT_ONCE, WAYS };
static uint64_t (*counts_by)[EVENTS_NUMBERS]; /* the counts of each way, which is a process */

/* Loops in blocks of four instructions, then in blocks of one. */
static void play(bool follows)
{
	ring_bell(EVENTS_LEVEL_MODEL);
	ring_bell(EVENTS_LEVEL_MODEL);
	page->cpu[0].follow = follows;
	for (unsigned i = 0; i < 20; i++) {
		run_blocks(100, 200);
		run_alone(20);
		if (i % 5 == 0)
			ring_bell(EVENTS_LEVEL_MODEL);
	}
	ring_bell(EVENTS_LEVEL_MODEL);
}

TEST(test_ways)
{
	assert_true(counts_by[0][EVENTS_L1D_LOAD_MISSES] &&
		    counts_by[0][EVENTS_CONDITIONAL_TAKEN] && counts_by[0][EVENTS_SPLIT_LOADS] &&
		    counts_by[0][EVENTS_MISPREDICTED]);
	for (enum way way = BY_VCPU; way < WAYS; way++)
		assert_memory_equal(counts_by[0], counts_by[way], sizeof(*counts_by));
}

/* --- REP string instructions, where QEMU does many iterations at once --- */

#define LOAD  0x003
#define STORE 0x103

/* Begins an instruction of the block that was translated last: calls its callbacks. */
static void begin_string(const struct qemu_plugin_insn *insn)
{
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].run)
			attached[i].run(0, attached[i].data);
}

static void access_string(const struct qemu_plugin_insn *insn, plugin_access info)
{
	for (size_t i = 0; i < nattached; i++)
		if (attached[i].insn == insn && attached[i].access)
			attached[i].access(0, info, 0x500000, attached[i].data);
}

static uint64_t string_counts(const char *code, const char *happens)
{
	struct qemu_plugin_insn insn = {GUEST_CODE, (const uint8_t *)code, strlen(code)};
	const uint64_t before = ++counted_of(0)->n[EVENTS_INSTRUCTIONS];
	struct decoded d;

	nattached = 0;
	decode(&d, insn.code, insn.size, insn.va);
	assert_true(d.repeats);
	counted_add_repeated(&insn, &d, NULL, NULL);
	for (; *happens; happens++)
		switch (*happens) {
		case 'b':
			begin_string(&insn);
			break;
		case 'l':
			access_string(&insn, LOAD);
			break;
		case 's':
			access_string(&insn, STORE);
			break;
		case 'x': /* an exit that goes on there */
			counted_leave(0, GUEST_CODE);
			break;
		case 'e': /* one that does elsewhere */
			counted_leave(0, GUEST_CODE + insn.size);
			break;
		case 'i': /* an instruction of another kind */
			counted_of(0)->n[EVENTS_INSTRUCTIONS]++;
			break;
		}
	return counted_of(0)->n[EVENTS_INSTRUCTIONS] - before;
}

/* A string instruction counts each iteration, and one more, whatever comes in between. */
TEST(test_strings)
{
	static const struct {
		const char *code, *happens;
		uint64_t instructions;
	} rows[] = {
		{"\xf3\xaa", "be", 1},        /* stosb: none */
		{"\xf3\xaa", "bssse", 4},     /* three */
		{"\xf3\xaa", "bssbse", 4},    /* in two loops of QEMU's */
		{"\xf3\xaa", "bsxbssxbe", 4}, /* left by vpmu, and once more before the end */
		{"\xf3\xaa", "xbsse", 3},     /* an exit before it begins */
		{"\xf3\xaa", "bsseibse", 3 + 1 + 2}, /* twice */
		{"\xf3\xa4", "blslse", 3},           /* movsb */
		{"\xf3\xa4", "bllxblse", 2},         /* whose store faults at first */
		{"\xf3\xac", "blle", 3},             /* lodsb */
		{"\xf3\xa6", "blllle", 3},           /* cmpsb */
		{"\xf3\xa6", "blllxblle", 3},        /* whose second load faults */
		{"\xf2\xae", "bllle", 4},            /* scasb */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (string_counts(rows[i].code, rows[i].happens) != rows[i].instructions)
			fail_msg("row %zu, %s", i, rows[i].happens);
}

/* --- A guest that writes the page --- */

static void write_nonsense(void)
{
	struct events_cpu *cpu = &page->cpu[0];

	page->header.cpus = page->header.highest = UINT32_MAX;
	page->header.resets++;
	cpu->last = (struct events_last){.number = 1, .naccesses = UINT8_MAX};
	cpu->follow = 1;
	cpu->enters = cpu->targets = UINT32_MAX;
	memset(cpu->target, 0x80, sizeof(cpu->target));
	memset(&cpu->branches, UINT8_MAX, sizeof(cpu->branches));
	page->log[0] = (struct branch_log){.n = UINT32_MAX, .on = true, .wants = true};
	cpu->branches.on = cpu->branches.calls = cpu->branches.enters = true;
}

/* A guest that writes nonsense only spoils its own counts. Unknown levels are ignored. */
TEST(test_nonsense)
{
	const struct events_header header = page->header;
	const struct events_cpu cpu = page->cpu[0];

	ring_bell(EVENTS_LEVEL_MODEL);
	for (unsigned i = 0; i < 20; i++) {
		write_nonsense();
		ring_bell(i % 2 ? UINT32_MAX : EVENTS_LEVEL_MODEL);
		assert_in_range(page->cpu[0].level, 0, EVENTS_LEVEL_MODEL);
		run_blocks(2, 40);
		run_alone(4);
		assert_true(page->log[0].lost);
	}
	page->header = header;
	page->cpu[0] = cpu;
	ring_bell(EVENTS_LEVEL_MODEL);
}

/* --- All --- */

static void play_alone(enum way way)
{
	static char on[] = "thread=on", off[] = "thread=off";
	const int is_bad = install(way == BY_VCPU ? off : on);

	if (!is_bad) {
		play(way == AT_ONCE);
		memcpy(counts_by[way], page->cpu[0].count, sizeof(*counts_by));
	}
	unlink(page_path);
	_exit(is_bad);
}

static int play_ways(void)
{
	int status = 0;

	counts_by = mmap(NULL, WAYS * sizeof(*counts_by), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts_by == MAP_FAILED)
		return 1;
	for (enum way way = 0; way < WAYS && !status; way++) {
		const pid_t child = fork();

		if (!child)
			play_alone(way);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return 1;
	}
	return status;
}

FIXTURE(set_up)
{
	static char on[] = "thread=on";

	return play_ways() || install(on);
}

FIXTURE(tear_down)
{
	munmap(page, EVENTS_PAGE_BYTES);
	return unlink(page_path);
}

GROUP(set_up, tear_down);
