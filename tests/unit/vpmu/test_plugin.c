// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_plugin.c - the plugin with a QEMU that is played here: blocks are translated and run, levels
 * change, translations are forgotten; its memory does not grow. The counts are the same with a
 * thread and without, and where vpmu wants to know of instructions.
 */
#include "include/perf0/events_page.h"
#include "vpmu/plugin/api.h"
#include "vpmu/plugin/counted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define HOST_CODE  0x100000ull /* vpmu's, where it lies in the guest */
#define GUEST_CODE 0x401000ull
#define INSNS      4
#define CALLBACKS  512

/* AddressSanitizer's. */
extern size_t __sanitizer_get_current_allocated_bytes(void);
extern int qemu_plugin_install(plugin_id id, const struct plugin_info *info, int argc, char **argv);

/* --- QEMU --- */

struct qemu_plugin_insn {
	uint64_t va;
	const uint8_t *code;
	size_t size;
};

struct qemu_plugin_tb {
	struct qemu_plugin_insn insns[INSNS];
	size_t n;
};

/* What is attached to an instruction of the last block. */
static struct attached {
	const struct qemu_plugin_insn *insn;
	plugin_cb run;
	plugin_access_cb access;
	uint64_t *count, more;
	void *data;
} attached[CALLBACKS];
static size_t nattached;

static plugin_block_cb translated;
static plugin_reset_cb flushed;
static unsigned resets; /* of all translations */

static struct attached *attach(struct qemu_plugin_insn *insn, void *data)
{
	struct attached *a = &attached[nattached++];

	assert_true(nattached <= CALLBACKS);
	*a = (struct attached){.insn = insn, .data = data};
	return a;
}

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, plugin_block_cb cb)
{
	(void)id;
	translated = cb;
}

void qemu_plugin_register_flush_cb(plugin_id id, plugin_reset_cb cb)
{
	(void)id;
	flushed = cb;
}

void qemu_plugin_reset(plugin_id id, plugin_reset_cb done)
{
	resets++;
	flushed(id);
	done(id);
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block)
{
	return block->n;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i)
{
	return (struct qemu_plugin_insn *)&block->insns[i];
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return insn->size;
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
	return insn->va;
}

void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn)
{
	return (void *)(uintptr_t)insn->code;
}

uintptr_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t room)
{
	(void)to;
	(void)room;
	return (uintptr_t)insn->code;
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, plugin_cb cb,
					    enum plugin_registers registers, void *data)
{
	(void)registers;
	attach(insn, data)->run = cb;
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, plugin_access_cb cb,
				      enum plugin_registers registers, enum plugin_rw rw,
				      void *data)
{
	(void)registers;
	(void)rw;
	attach(insn, data)->access = cb;
}

void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum plugin_op op,
						void *at, uint64_t more)
{
	struct attached *a = attach(insn, NULL);

	(void)op;
	a->count = at;
	a->more = more;
}

void qemu_plugin_register_vcpu_mem_inline(struct qemu_plugin_insn *insn, enum plugin_rw rw,
					  enum plugin_op op, void *at, uint64_t more)
{
	(void)rw;
	qemu_plugin_register_vcpu_insn_exec_inline(insn, op, at, more);
}

bool qemu_plugin_mem_is_store(plugin_access info)
{
	return info >> 8;
}

unsigned qemu_plugin_mem_size_shift(plugin_access info)
{
	return info & 3;
}

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(plugin_access info, uint64_t va)
{
	(void)info;
	(void)va;
	return NULL;
}

uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address)
{
	(void)address;
	return 0;
}

/* --- A machine: vpmu's bell, and a program --- */

static const uint8_t bell[] = EVENTS_BELL_BYTES;
/* mov (%rax),%rbx; add %rbx,%rcx; dec %rdx; jne -11 */
static const uint8_t program[] = {0x48, 0x8b, 0x18, 0x48, 0x01, 0xd9, 0x48, 0xff, 0xca, 0x75, 0xf5};
static const uint8_t sizes[INSNS] = {3, 3, 3, 2};

static struct events_page *page;
static uint64_t accesses; /* so far */

/* Runs the instruction with what is attached to it; a load of 8 bytes. */
static void run_insn(const struct qemu_plugin_insn *insn)
{
	for (size_t i = 0; i < nattached; i++) {
		const struct attached *a = &attached[i];

		if (a->insn != insn)
			continue;
		if (a->run)
			a->run(0, a->data);
		else if (a->access)
			a->access(0, 3, 0x500000 + accesses++ % 5000 * 4093, a->data);
		else
			*a->count += a->more;
	}
}

static void translate(struct qemu_plugin_tb *block)
{
	nattached = 0;
	translated(1, block);
}

static void ring_bell(enum events_level level)
{
	struct qemu_plugin_tb block = {.insns = {{HOST_CODE, bell, sizeof(bell)}}, .n = 1};

	page->cpu[0].wanted = level;
	page->cpu[0].asked++;
	page->cpu[0].rip = GUEST_CODE;
	translate(&block);
	run_insn(&block.insns[0]);
	assert_int_equal(page->cpu[0].answered, page->cpu[0].asked);
}

/* A block at each of so many addresses, which runs `times` times. */
static void run_blocks(unsigned blocks, unsigned times)
{
	for (unsigned b = 0; b < blocks; b++) {
		struct qemu_plugin_tb block = {.n = INSNS};
		const uint8_t *code = program;
		uint64_t va = GUEST_CODE + b * 64ull;

		for (unsigned i = 0; i < INSNS; va += sizes[i], code += sizes[i], i++)
			block.insns[i] = (struct qemu_plugin_insn){va, code, sizes[i]};
		translate(&block);
		for (unsigned t = 0; t < times; t++)
			for (unsigned i = 0; i < INSNS; i++)
				run_insn(&block.insns[i]);
	}
}

/* Blocks of one instruction. */
static void run_alone(unsigned times)
{
	const uint8_t *code = program;
	uint64_t va = GUEST_CODE;

	for (unsigned i = 0; i < INSNS; va += sizes[i], code += sizes[i], i++) {
		struct qemu_plugin_tb block = {.insns = {{va, code, sizes[i]}}, .n = 1};

		translate(&block);
		for (unsigned t = 0; t < times; t++)
			run_insn(&block.insns[0]);
	}
}

static uint64_t count_of(enum events_count count)
{
	return page->cpu[0].count[count];
}

/* Blocks of the guest are left as they are until something is to be counted, and then no more. */
static void test_nothing_wanted(void **state)
{
	const uint64_t before = count_of(EVENTS_INSTRUCTIONS);

	(void)state;
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

static void test_counts(void **state)
{
	uint64_t before[EVENTS_NUMBERS];

	(void)state;
	ring_bell(EVENTS_LEVEL_MODEL);
	ring_bell(EVENTS_LEVEL_MODEL);
	memcpy(before, page->cpu[0].count, sizeof(before));
	run_blocks(10, 20);
	ring_bell(EVENTS_LEVEL_MODEL);
	assert_int_equal(count_of(EVENTS_INSTRUCTIONS) - before[EVENTS_INSTRUCTIONS], 800);
	assert_int_equal(count_of(EVENTS_LOADS) - before[EVENTS_LOADS], 200);
	assert_int_equal(count_of(EVENTS_BRANCHES) - before[EVENTS_BRANCHES], 200);
	assert_int_equal(count_of(EVENTS_L1D_LOADS) - before[EVENTS_L1D_LOADS], 200);
	assert_int_equal(count_of(EVENTS_UOPS) - before[EVENTS_UOPS], 800);
	assert_int_equal(count_of(EVENTS_CONDITIONAL_TAKEN) - before[EVENTS_CONDITIONAL_TAKEN],
			 190);
}

/* Rounds of levels, each with translations of its own. */
static size_t memory_after(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		ring_bell(i % 2 ? EVENTS_LEVEL_BRANCHES : EVENTS_LEVEL_MODEL);
		run_blocks(2000, 2);
	}
	return __sanitizer_get_current_allocated_bytes();
}

static void test_memory(void **state)
{
	size_t before;

	(void)state;
	before = memory_after(4);
	assert_in_range(memory_after(60), before, before + (64u << 10));
}

/* --- Ways of telling the model --- */

enum way { BY_THREAD, BY_VCPU, AT_ONCE, WAYS };
static uint64_t (*counts_by)[EVENTS_NUMBERS]; /* of each way; each is a process */

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

static void test_ways(void **state)
{
	(void)state;
	assert_true(counts_by[0][EVENTS_L1D_LOAD_MISSES] &&
		    counts_by[0][EVENTS_CONDITIONAL_TAKEN] && counts_by[0][EVENTS_SPLIT_LOADS] &&
		    counts_by[0][EVENTS_MISPREDICTED]);
	for (enum way way = BY_VCPU; way < WAYS; way++)
		assert_memory_equal(counts_by[0], counts_by[way], sizeof(*counts_by));
}

/* --- REP string instructions of which QEMU does many iterations at once --- */

#define LOAD  0x003
#define STORE 0x103

/* That of the block that was translated last: it begins here. */
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
	counted_add_repeated(&insn, &d);
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

/* One for each iteration and one more, whatever comes between. */
static void test_strings(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (string_counts(rows[i].code, rows[i].happens) != rows[i].instructions)
			fail_msg("row %zu, %s", i, rows[i].happens);
}

/* --- All --- */

static char path[] = "/tmp/perf0-events-XXXXXX";

static int install(char *thread)
{
	static char argument[64], model[] = "level=model";
	char *argv[] = {argument, model, thread};
	const struct plugin_info info = {
		.target_name = "x86_64", .system_emulation = true, .system = {1, 1}};
	const int fd = mkstemp(path);

	if (fd < 0 || ftruncate(fd, EVENTS_PAGE_BYTES))
		return 1;
	page = mmap(NULL, EVENTS_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	snprintf(argument, sizeof(argument), "page=%s", path);
	if (page == MAP_FAILED || qemu_plugin_install(1, &info, 3, argv))
		return 1;
	page->header.code = page->header.bell = HOST_CODE;
	page->header.code_end = HOST_CODE + sizeof(bell);
	strcpy(page->header.uarch, "skx");
	return 0;
}

static void play_alone(enum way way)
{
	static char on[] = "thread=on", off[] = "thread=off";
	const int is_bad = install(way == BY_VCPU ? off : on);

	if (!is_bad) {
		play(way == AT_ONCE);
		memcpy(counts_by[way], page->cpu[0].count, sizeof(*counts_by));
	}
	unlink(path);
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

static int set_up(void **state)
{
	static char on[] = "thread=on";

	(void)state;
	return play_ways() || install(on);
}

static int tear_down(void **state)
{
	(void)state;
	munmap(page, EVENTS_PAGE_BYTES);
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_wanted), cmocka_unit_test(test_counts),
		cmocka_unit_test(test_memory), cmocka_unit_test(test_ways),
		cmocka_unit_test(test_strings)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
