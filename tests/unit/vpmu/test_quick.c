// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_quick.c - quick exits: vpmu/svm/count/vmrun.S and vpmu/model/model_quick.c read and write
 * the same values directly as the model does, on each personality, for any events. They change
 * nothing else, and leave instructions with prefixes to the normal exit.
 */
#include "tests/unit/vpmu/modelled_pmu.h"
#include "vpmu/model/model_quick.h"
#include "vpmu/svm/count/quick_exit.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_memory.h"

#include <stdlib.h>

#include "tests/unit/test.h"

/* Symbols of quick_entry.S, and of vmrun.S, which the Makefile renames there. */
bool quick_enter(uint64_t registers[14]);
extern const uint8_t quick_again[];
struct vpmu_cpu the_cpu;
struct vmcb the_vmcb;

/* Replaces the definition in quick_exit.c. */
PERCPU struct vmcb vpmu_vmcb;

#define ROUNDS      4
#define ROUNDS_SOAK 20

static uint64_t random_u64(void)
{
	return (uint64_t)rand() << 40 ^ (uint64_t)rand() << 20 ^ (uint64_t)rand();
}

/* Ranges of MSRs that contain quick ones. */
static const struct {
	uint32_t first, span;
} ranges[] = {{0, 0x800}, {0xc0000300, 4}, {0xc0010000, 0x400}};
#define RANGES (sizeof(ranges) / sizeof(*ranges))

static void each_msr(struct vpmu_model *m, void (*fn)(struct vpmu_model *m, uint32_t msr))
{
	for (size_t r = 0; r < RANGES; r++)
		for (uint32_t i = 0; i < ranges[r].span; i++)
			fn(m, ranges[r].first + i);
}

/* Values of ECX for RDPMC: existing counters, and some missing ones. */
static void each_counter(struct vpmu_model *m, void (*fn)(struct vpmu_model *m, uint32_t ecx))
{
	for (uint32_t i = 0; i <= VPMU_MAX_GP; i++) {
		fn(m, i);
		fn(m, VPMU_RDPMC_FIXED | i);
	}
}

static struct vpmu_progress progress_of(enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	return p;
}

static void advance(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	const struct vpmu_progress p = progress_of(ring, n);

	vpmu_model_advance(m, &p);
}

/* Programs random events of the model on general and fixed counters; some are near their
 * overflow. */
static void program_counters(struct vpmu_model *m)
{
	const struct vpmu_rows *rows = &m->rows;
	const uint64_t mode = (uint64_t)(rand() % 3 + 1) << 16 | (rand() % 4 ? 0 : EVTSEL_INT);

	for (unsigned i = 0; i < m->layout.ngp; i++) {
		const struct vpmu_event *e = rows->row[(unsigned)rand() % rows->nrows];
		const uint64_t sel = (e->code & 0xffu) | (uint64_t)(e->code >> 8) << 32 |
				     (uint64_t)e->umask << 8 | (uint64_t)e->cmask << 24 | mode;

		vpmu_model_wrmsr(m, general_counter_msr(m, i),
				 random_u64() & m->layout.counter_mask);
		vpmu_model_wrmsr(m, general_selector_msr(m, i), sel | (rand() % 2 ? EVTSEL_EN : 0));
	}
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		vpmu_model_wrmsr(m, MSR_IA32_FIXED_CTR0 + i,
				 random_u64() & m->layout.counter_mask >> 1);
	vpmu_model_wrmsr(m, MSR_IA32_FIXED_CTR_CTRL, (uint64_t)(rand() % 4) | rand() % 4 << 4);
	vpmu_model_wrmsr(m, MSR_IA32_PERF_GLOBAL_CTRL,
			 rand() % 4 ? m->layout.counters : m->layout.counters & 5);
}

/* The ring and count of the current case, and the numbers of reads and writes, and of writes to a
 * counter that counts in the other ring. */
static enum vpmu_ring now_ring;
static uint64_t now_n;
static unsigned reads, writes, sets;

static uint64_t most_instructions(const struct vpmu_model *m)
{
	const uint64_t until = vpmu_model_until(m, now_ring);

	return until < VPMU_PLAIN_MOST ? until : VPMU_PLAIN_MOST;
}

/* --- An exit --- */

static const struct exit_kind {
	uint64_t exit_code, exit_info1;
	uint16_t code;
} kinds[] = {
	[QUICK_RDPMC] = {VMEXIT_RDPMC, 0, CODE_RDPMC},
	[QUICK_RDMSR] = {VMEXIT_MSR, 0, CODE_RDMSR},
	[QUICK_WRMSR] = {VMEXIT_MSR, MSR_IS_WRITTEN, CODE_WRMSR},
};

/* The guest's memory: a page with the instruction, and the pages after it. */
#define PAGE_BYTES 4096
#define PAGES      4
static uint8_t memory[PAGES * PAGE_BYTES];

/* Puts the instruction at `offset` into the page. */
static void put_code(const void *code, size_t bytes, uint64_t offset)
{
	memset(memory, 0, sizeof(memory));
	memcpy(memory + offset, code, bytes);
	the_vmcb.rip = (the_vmcb.rip & ~(PAGE_BYTES - 1ull)) + offset;
}

/* Makes that page the first known page of its kind. No other page is known, of any kind. */
static void know_page(enum vpmu_quick_code kind)
{
	struct vpmu_quick *quick = &the_cpu.quick;

	for (unsigned i = 0; i < QUICK_CODES; i++) {
		quick->pages[i][0] = (struct vpmu_quick_page){.key = QUICK_NO_PAGE};
		quick->pages[i][1] = (struct vpmu_quick_page){0};
	}
	quick->pages[kind][0] = (struct vpmu_quick_page){
		.key = (the_vmcb.rip & ~(PAGE_BYTES - 1ull)) ^ the_vmcb.cr3,
		.physical = (uint64_t)memory,
	};
}

/* Canonical. */
static uint64_t random_address(void)
{
	return (uint64_t)((int64_t)(random_u64() << 16) >> 16);
}

/* The guest is in ring 0, has executed `now_n` instructions, some of which are not yet counted, and
 * exits. */
static void set_exit(enum vpmu_quick_code kind)
{
	const struct exit_kind *exit = &kinds[kind];
	const uint64_t owed = random_u64() % (now_n + 1);

	the_vmcb = (struct vmcb){
		.exit_code = exit->exit_code,
		.exit_info1 = exit->exit_info1,
		.rip = random_address(),
		.cr3 = random_u64() >> 24 & ~(PAGE_BYTES - 1ull),
		.rflags = RFLAGS_FIXED | RFLAGS_IF,
	};
	put_code(&exit->code, sizeof(exit->code), random_u64() % (CODE_LAST + 1));
	know_page(kind);
	the_cpu.vmrun.entry_tsc = random_u64();
	the_cpu.vmrun.exit_tsc = the_cpu.vmrun.entry_tsc + (now_n - owed + RUN_HOST_INSNS) * CPI;
	the_cpu.vmrun.ticks_per_insn = CPI;
	the_cpu.quick.beside = owed - RUN_HOST_INSNS;
	the_cpu.quick.room = now_n + 1;
	the_cpu.quick.ring = now_ring;
	the_cpu.quick.again = quick_again;
}

static void assert_is_over(const struct vpmu_cpu *before, const struct vmcb *vmcb)
{
	assert_int_equal(the_vmcb.rip, vmcb->rip + QUICK_LENGTH);
	assert_int_equal(the_cpu.vmrun.exits, before->vmrun.exits + 1);
	assert_int_equal(the_cpu.quick.beside + RUN_HOST_INSNS, now_n + 1);
}

/* Takes the exit that set_exit() and later changes prepared. The guest's registers do not change.
 */
static bool take_exit(uint32_t ecx)
{
	const struct vpmu_cpu cpu = the_cpu;
	const struct vmcb vmcb = the_vmcb;
	uint64_t registers[14], after[14];
	bool quick;

	for (unsigned i = 0; i < 14; i++)
		registers[i] = random_u64();
	registers[CPU_RCX / 8] = random_u64() << 32 | ecx;
	memcpy(after, registers, sizeof(after));
	quick = quick_enter(after);
	assert_memory_equal(registers, after, sizeof(after));
	if (quick) {
		assert_is_over(&cpu, &vmcb);
	} else {
		assert_memory_equal(&the_cpu, &cpu, sizeof(cpu));
		assert_memory_equal(&the_vmcb, &vmcb, sizeof(vmcb));
	}
	return quick;
}

static uint64_t value_read(void)
{
	assert_int_equal(the_vmcb.rax >> 32 | the_cpu.gpr.rdx >> 32, 0);
	return the_vmcb.rax | the_cpu.gpr.rdx << 32;
}

/* --- Registers --- */

static void check_read(struct vpmu_model *m, uint32_t msr)
{
	struct vpmu_model copy = *m;

	set_exit(QUICK_RDMSR);
	if (!take_exit(msr))
		return;
	advance(&copy, now_ring, now_n);
	assert_int_equal(value_read(), read_msr(&copy, msr));
	reads++;
}

static void check_quick_rdpmc(struct vpmu_model *m, uint32_t ecx)
{
	struct vpmu_model copy = *m;
	uint64_t v = 0;

	set_exit(QUICK_RDPMC);
	if (!take_exit(ecx))
		return;
	advance(&copy, now_ring, now_n);
	assert_int_equal(vpmu_model_rdpmc(&copy, ecx, &v), VPMU_DONE);
	assert_int_equal(value_read(), v);
}

static void set_written(uint64_t v)
{
	the_vmcb.rax = random_u64() << 32 | (uint32_t)v;
	the_cpu.gpr.rdx = random_u64() << 32 | v >> 32;
}

/* A write that is not quick there may reset the status, or set a counter that does not count in
 * this ring. */
static bool write_quickly(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	const struct vpmu_quick_registers *registers = &the_cpu.quick.registers;

	set_exit(QUICK_WRMSR);
	set_written(v);
	if (take_exit(msr) || vpmu_quick_reset(registers, m, msr, v))
		return true;
	if (!vpmu_quick_set(registers, m, now_ring, msr, v))
		return false;
	sets++;
	return true;
}

/* The write comes before the progress of the earlier code: the result must be the same. */
static void check_write(struct vpmu_model *m, uint32_t msr)
{
	const struct vpmu_model before = *m;
	const uint64_t v = random_u64() >> rand() % 64;
	struct vpmu_model copy = before;

	if (write_quickly(m, msr, v)) {
		advance(&copy, now_ring, now_n);
		assert_int_equal(vpmu_model_wrmsr(&copy, msr, v), VPMU_DONE);
		advance(m, now_ring, now_n);
		assert_memory_equal(m, &copy, sizeof(copy));
		writes++;
	}
	*m = before;
}

static void check_moment(struct vpmu_model *m)
{
	uint64_t most;

	now_ring = rand() % 2 ? VPMU_USR : VPMU_OS;
	most = most_instructions(m);
	now_n = most ? random_u64() % most : 0;
	if (!most || !vpmu_model_is_plain(m))
		return;
	each_msr(m, check_read);
	each_msr(m, check_write);
	each_counter(m, check_quick_rdpmc);
}

/* Each register has its own place: a later register does not displace an earlier one. */
static void check_places(struct vpmu_model *m, uint32_t msr)
{
	const struct vpmu_quick_registers *r = &the_cpu.quick.registers;

	assert_int_equal(vpmu_quick_reads_msr(r, msr), !!vpmu_model_quick_rdmsr(m, msr).value);
	assert_int_equal(vpmu_quick_writes_msr(r, msr), !!vpmu_model_quick_wrmsr(m, msr).kind);
}

/* Reads all of these by RDPMC. */
static void check_rdpmc_places(struct vpmu_model *m, uint32_t ecx)
{
	uint64_t v;

	assert_int_equal(the_cpu.quick.registers.rdpmc.number[vpmu_quick_place(ecx)] == ecx,
			 vpmu_model_rdpmc(m, ecx, &v) == VPMU_DONE);
}

static void add_msr(struct vpmu_model *m, uint32_t msr)
{
	vpmu_quick_add_msr(&the_cpu.quick.registers, m, msr);
}

static void add_rdpmc(struct vpmu_model *m, uint32_t ecx)
{
	vpmu_quick_add_rdpmc(&the_cpu.quick.registers, m, ecx);
}

static void place_registers(struct vpmu_model *m)
{
	the_cpu.quick.mask = m->layout.counter_mask;
	vpmu_quick_registers_init(&the_cpu.quick.registers);
	each_msr(m, add_msr);
	each_counter(m, add_rdpmc);
	each_msr(m, check_places);
	each_counter(m, check_rdpmc_places);
}

TEST(test_quick_is_the_same)
{
	const unsigned rounds = getenv("PERF0_SOAK") ? ROUNDS_SOAK : ROUNDS;
	size_t n;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);

	for (size_t i = 0; i < n; i++) {
		struct vpmu_model m = model_of(list[i]->name, true);

		reads = writes = 0;
		srand((unsigned)i);
		place_registers(&m);
		for (unsigned round = 0; round < rounds; round++) {
			program_counters(&m);
			advance(&m, rand() % 2, random_u64() % 100000);
			check_moment(&m);
			vpmu_model_deliver(&m);
		}
		assert_true(reads > m.layout.ngp);
		assert_true(writes > m.layout.ngp);
	}
	assert_true(sets > n);
}

/* --- States in which no exit is quick --- */

static void set_trap(void)
{
	the_vmcb.rflags |= RFLAGS_TF;
}

static void set_resume(void)
{
	the_vmcb.rflags |= RFLAGS_RF;
}

static void set_shadow(void)
{
	the_vmcb.int_state |= INT_STATE_SHADOW;
}

static void set_user(void)
{
	the_vmcb.cpl = 3;
}

static void set_no_room(void)
{
	the_cpu.quick.room = now_n;
}

static void set_other_exit(void)
{
	the_vmcb.exit_code = VMEXIT_CPUID;
}

TEST(test_what_is_not_quick)
{
	static void (*const keep[])(void) = {set_trap, set_resume,  set_shadow,
					     set_user, set_no_room, set_other_exit};
	struct vpmu_model m = model_of("skx", true);

	place_registers(&m);
	for (size_t i = 0; i < sizeof(keep) / sizeof(*keep); i++) {
		set_exit(QUICK_RDPMC);
		assert_true(take_exit(0));
		set_exit(QUICK_RDPMC);
		keep[i]();
		assert_false(take_exit(0));
	}
	set_exit(QUICK_RDPMC);
	set_user();
	the_vmcb.cr4 = CR4_PCE;
	assert_true(take_exit(0));
}

/* --- The instruction's code: in known pages, without prefixes --- */

static void set_second_page(enum vpmu_quick_code kind)
{
	struct vpmu_quick_page *pages = the_cpu.quick.pages[kind];

	pages[1] = pages[0];
	pages[0] = (struct vpmu_quick_page){.key = pages[1].key ^ 3 * PAGE_BYTES};
	pages[1].key ^= pages[0].key;
}

static void set_last_place(enum vpmu_quick_code kind)
{
	put_code(&kinds[kind].code, 2, CODE_LAST);
}

static void set_first_place(enum vpmu_quick_code kind)
{
	put_code(&kinds[kind].code, 2, 0);
}

/* The bytes after the page in memory do not belong to the guest's instruction. */
static void set_over_the_end(enum vpmu_quick_code kind)
{
	put_code(&kinds[kind].code, 2, CODE_LAST + 1);
}

static void set_over_the_end_of_second(enum vpmu_quick_code kind)
{
	set_over_the_end(kind);
	set_second_page(kind);
}

static void set_prefix(enum vpmu_quick_code kind)
{
	const uint16_t code = kinds[kind].code;

	put_code((const uint8_t[]){0x66, code & 0xff, code >> 8}, 3, 0x123);
}

static void set_prefix_in_second_page(enum vpmu_quick_code kind)
{
	set_prefix(kind);
	set_second_page(kind);
}

static void set_other_code(enum vpmu_quick_code kind)
{
	put_code(&kinds[(kind + 1) % 3].code, 2, 0x123);
}

static void set_other_address(enum vpmu_quick_code kind)
{
	(void)kind;
	the_vmcb.rip ^= 1ull << 32;
}

static void set_other_cr3(enum vpmu_quick_code kind)
{
	(void)kind;
	the_vmcb.cr3 ^= PAGE_BYTES;
}

static void set_no_page(enum vpmu_quick_code kind)
{
	the_cpu.quick.pages[kind][0].key = QUICK_NO_PAGE;
}

static void set_page_of_other_kind(enum vpmu_quick_code kind)
{
	know_page((kind + 1) % 3);
}

static const struct {
	void (*set)(enum vpmu_quick_code kind);
	bool is_quick;
} codes[] = {
	{set_second_page, true},
	{set_first_place, true},
	{set_last_place, true},
	{set_over_the_end, false},
	{set_over_the_end_of_second, false},
	{set_prefix, false},
	{set_prefix_in_second_page, false},
	{set_other_code, false},
	{set_other_address, false},
	{set_other_cr3, false},
	{set_no_page, false},
	{set_page_of_other_kind, false},
};

/* Register `number` is a quick register of that kind, of a counter that is off. */
static void check_codes(enum vpmu_quick_code kind, uint32_t number)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		set_exit(kind);
		set_written(1);
		codes[i].set(kind);
		if (take_exit(number) != codes[i].is_quick)
			fail_msg("kind %d, code %zu", kind, i);
	}
}

TEST(test_code_is_looked_at)
{
	struct vpmu_model m = model_of("skx", true);

	place_registers(&m);
	check_codes(QUICK_RDPMC, 0);
	check_codes(QUICK_RDMSR, MSR_IA32_FIXED_CTR0);
	check_codes(QUICK_WRMSR, MSR_IA32_FIXED_CTR0);
	check_codes(QUICK_WRMSR, MSR_IA32_PMC0); /* takes 32 bits */
}

/* --- Known pages, from exits that were not quick --- */

#define GUEST_CODE \
	0x7f0000000000ull /* where the guest has that memory, some pages elsewhere in it */
#define REAL_MODE_END 0x100000ull
static uint64_t moved;
static unsigned empty_page; /* the page without the instruction, which fills all others */

bool vpmu_guest_physical(uint64_t va, uint64_t *pa)
{
	*pa = (uint64_t)memory + (va - GUEST_CODE) + moved;
	return va - GUEST_CODE < sizeof(memory) || va < REAL_MODE_END;
}

uint64_t vpmu_guest_linear_rip(void)
{
	return vpmu_vmcb.rip + vpmu_vmcb.cs.base;
}

bool vpmu_event_set(void)
{
	return false;
}

static void fill_memory(uint16_t code)
{
	for (size_t i = 0; i < sizeof(memory); i += sizeof(code))
		memcpy(memory + i, &code, sizeof(code));
	memset(memory + empty_page * PAGE_BYTES, 0, PAGE_BYTES);
}

/* Takes an exit at `rip`. Known pages stay known. */
static void set_exit_at(enum vpmu_quick_code kind, uint64_t rip)
{
	struct vpmu_quick_page pages[QUICK_CODES][2];

	memcpy(pages, the_cpu.quick.pages, sizeof(pages));
	set_exit(kind);
	memcpy(the_cpu.quick.pages, pages, sizeof(pages));
	fill_memory(kinds[kind].code);
	the_vmcb.rip = rip;
	the_vmcb.cr3 = 5 * PAGE_BYTES;
	vpmu_vmcb = the_vmcb;
	the_cpu.gpr.rcx = kind == QUICK_RDPMC ? 0 : MSR_IA32_FIXED_CTR0;
	the_cpu.gpr.rdx = 0;
}

static void learn(enum vpmu_quick_code kind, uint64_t rip)
{
	set_exit_at(kind, rip);
	vpmu_quick_learn(&the_cpu);
}

/* The assembler and C agree. */
static void assert_quick(enum vpmu_quick_code kind, unsigned page, bool is_quick)
{
	for (unsigned i = 0; i < PAGE_BYTES; i += 2) {
		set_exit_at(kind, GUEST_CODE + page * PAGE_BYTES + i);
		assert_int_equal(vpmu_quick_can(&the_cpu, kind), is_quick);
		assert_int_equal(take_exit((uint32_t)the_cpu.gpr.rcx), is_quick);
	}
}

static void assert_quick_pages(enum vpmu_quick_code kind, unsigned mask)
{
	for (unsigned page = 0; page < PAGES; page++)
		assert_quick(kind, page, mask >> page & 1);
}

/* The last two known pages, and their current addresses. */
static void check_learning(enum vpmu_quick_code kind)
{
	moved = 0;
	empty_page = PAGES - 1;
	assert_quick_pages(kind, 0);
	learn(kind, GUEST_CODE + 0x124);
	assert_quick_pages(kind, 1u << 0);
	learn(kind, GUEST_CODE + PAGE_BYTES);
	assert_quick_pages(kind, 1u << 0 | 1u << 1);
	learn(kind, GUEST_CODE + PAGE_BYTES + 2);
	learn(kind, GUEST_CODE + 2 * PAGE_BYTES);
	assert_quick_pages(kind, 1u << 1 | 1u << 2);
	empty_page = 1;
	assert_quick_pages(kind, 1u << 2);
	moved = 2 * PAGE_BYTES;
	learn(kind, GUEST_CODE + PAGE_BYTES);
	assert_quick_pages(kind, 1u << 1 | 1u << 2);
	empty_page = 2;
	moved = -1ull * PAGE_BYTES;
	learn(kind, GUEST_CODE + 2 * PAGE_BYTES);
	assert_quick_pages(kind, 1u << 1 | 1u << 2);
}

static void begin_learning(void)
{
	the_cpu.model = model_of("skx", true);
	vpmu_quick_init(&the_cpu);
	vpmu_quick_add(&the_cpu, MSR_IA32_FIXED_CTR0);
}

TEST(test_pages_are_learned)
{
	begin_learning();
	check_learning(QUICK_RDPMC);
	check_learning(QUICK_RDMSR);
	check_learning(QUICK_WRMSR);
}

static void assert_not_learned(void)
{
	const struct vpmu_quick before = the_cpu.quick;

	vpmu_quick_learn(&the_cpu);
	assert_memory_equal(&the_cpu.quick, &before, sizeof(before));
}

/* Code of real mode, code in a segment with another base, and registers that are not quick. */
TEST(test_what_is_not_learned)
{
	begin_learning();
	set_exit_at(QUICK_RDPMC, REAL_MODE_END - PAGE_BYTES);
	assert_not_learned();
	set_exit_at(QUICK_RDPMC, GUEST_CODE - PAGE_BYTES);
	assert_not_learned();
	set_exit_at(QUICK_RDPMC, GUEST_CODE);
	vpmu_vmcb.cs.base = PAGE_BYTES;
	assert_not_learned();
	set_exit_at(QUICK_RDMSR, GUEST_CODE);
	the_cpu.gpr.rcx = MSR_IA32_FIXED_CTR0 + 1;
	assert_not_learned();
}
