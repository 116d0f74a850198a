// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mm_model.c - explores linux/mem/mm.c and the files beside it: every order in which two or
 * three threads that share one memory map, unmap, protect, discard, move, fork and fault in the
 * same few pages.
 *
 * The code itself runs. Each thread is a CPU with its own stack. The code returns to this test
 * where its lock is not held: before and after each CPU's flush, and where it serves calls. The
 * test chooses the order, and tries every order in a run of its own. The code under the lock is one
 * step: no other CPU changes anything meanwhile, and no page becomes free before its end.
 *
 * Each CPU has a TLB that is as bad as the architecture allows. After every step all translations
 * that the tables permit enter it, and stay until that CPU flushes.
 *
 * After every step no TLB may have a free page, and none may let ring 3 write through an address to
 * another page than the table's. After a fork no TLB may let ring 3 write to a page of the child.
 * In the end all memory is free. Without a letter of mm.c, or if an operation does not wait for the
 * claims of others, some order must go wrong.
 */
#include "linux/mem/mm_parts.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/space/stale.h"
#include "lib/panic.h"

#include <linux/mman.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/unit/test.h"

/* --- Replacements that the code below is compiled with --- */

static bool model_claims(const struct mm *mm, uint64_t start, uint64_t end);
static void model_lock(struct mm *mm, uint64_t start, uint64_t end);
static void model_hide(struct space *s, uint64_t va, size_t pages);
static void model_flush_here(void);
static void model_call_set(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg);
static void model_serve(void);
static unsigned model_ncpus(void);

#define mm_lock      model_lock
#define mm_claims    model_claims
#define space_hide   model_hide
#define space_flush  model_flush_here
#define smp_call_set model_call_set
#define smp_serve    model_serve
#define smp_ncpus    model_ncpus
#include "linux/mem/mm.c"
#include "linux/mem/mm_fault.c"
#include "linux/mem/mm_advice.c"
#include "linux/mem/mm_content.c"
#undef mm_claims
#undef space_hide

/* --- Operations --- */

enum op { MAP, REPLACE, UNMAP, PROTECT, DISCARD, MOVE, FORK, POKE, FAULT, SHRINK, REAP, OPS };

static const char *const op_names[OPS] = {"map",  "replace", "unmap", "protect", "discard", "move",
					  "fork", "poke",    "fault", "shrink",  "reap"};

enum letter { NONE, CLAIM, HIDE, FLUSH, PUT, LETTERS };

#define THREADS   3
#define PLACE     0x10000000ull
#define ELSEWHERE (PLACE + 8 * PAGE_SIZE)
#define PAGES     4 /* there is a gap at 1 */
#define HEAP      (PLACE + 16 * PAGE_SIZE)
#define LOOKED_AT 20
#define BANK      256
#define DEPTH     200
#define TLB_MOST  64

struct entry {
	uint64_t va, page;
	bool writable;
};

static struct {
	unsigned nthreads;
	enum op op[THREADS];
	enum letter without;
	enum op hasty; /* does not wait for claims; OPS: none */
	bool checked;  /* by stale.h alone, as the image checks itself */

	struct mm *mm;
	ucontext_t home, thread[THREADS];
	bool threads_run, ended[THREADS], waits[THREADS];
	unsigned running;
	struct tlb {
		struct entry entry[TLB_MOST];
		unsigned n;
	} tlb[THREADS];
	const char *wrong;

	unsigned choice[DEPTH], options[DEPTH], depth;
	uint64_t runs;
} model;

static uint8_t *memory;
static char stacks[THREADS][1 << 16];

static void yield(void)
{
	if (model.threads_run)
		swapcontext(&model.thread[model.running], &model.home);
}

static void found_wrong(const char *what)
{
	if (!model.wrong)
		model.wrong = what;
}

/* --- TLBs --- */

static bool knows(const struct tlb *tlb, struct entry e)
{
	for (unsigned i = 0; i < tlb->n; i++)
		if (tlb->entry[i].va == e.va && tlb->entry[i].page == e.page &&
		    tlb->entry[i].writable == e.writable)
			return true;
	return false;
}

static void fill_tlb(struct tlb *tlb)
{
	for (uint64_t va = PLACE; va < PLACE + LOOKED_AT * PAGE_SIZE; va += PAGE_SIZE) {
		const uint64_t pte = space_lookup(&model.mm->space, va);
		const struct entry e = {va, pte & PTE_ADDRESS, pte & PTE_WRITE};

		if (!pte || knows(tlb, e))
			continue;
		assert_true(tlb->n < TLB_MOST);
		tlb->entry[tlb->n++] = e;
	}
}

static void check_entry(const struct entry *e)
{
	const uint64_t pte = space_entry(&model.mm->space, e->va);

	if (!page_maps(e->page))
		found_wrong("a TLB knows a page that is free");
	else if (e->writable && pte && (pte & PTE_ADDRESS) != e->page)
		found_wrong("a write would go to a page that was replaced");
}

static void check_all_tlbs(void)
{
	if (model.checked)
		return;
	for (unsigned cpu = 0; cpu < THREADS; cpu++) {
		fill_tlb(&model.tlb[cpu]);
		for (unsigned i = 0; i < model.tlb[cpu].n; i++)
			check_entry(&model.tlb[cpu].entry[i]);
	}
}

static void check_fork(void)
{
	for (unsigned cpu = 0; cpu < THREADS; cpu++)
		for (unsigned i = 0; i < model.tlb[cpu].n; i++)
			if (model.tlb[cpu].entry[i].writable &&
			    page_maps(model.tlb[cpu].entry[i].page) > 1)
				found_wrong("a write would be seen by a child");
}

static void flush_tlb(unsigned cpu)
{
	if (model.without != FLUSH) {
		model.tlb[cpu].n = 0;
		stale_flushed(cpu, stale_time());
	}
	fill_tlb(&model.tlb[cpu]);
}

static void model_flush_here(void)
{
	flush_tlb(model.running);
}

/* --- Functions that the code calls --- */

static bool model_claims(const struct mm *mm, uint64_t start, uint64_t end)
{
	const bool claims = mm_claims(mm, start, end) && model.without != CLAIM &&
			    model.op[model.running] != model.hasty;

	model.waits[model.running] |= claims;
	return claims;
}

static void model_lock(struct mm *mm, uint64_t start, uint64_t end)
{
	lock_take(&mm->lock);
	if (model_claims(mm, start, end))
		mm_lock_again(mm, start, end);
}

static void model_hide(struct space *s, uint64_t va, size_t pages)
{
	if (model.without == PUT)
		space_unmap(s, va, pages);
	else if (model.without != HIDE)
		space_hide(s, va, pages);
}

static unsigned model_ncpus(void)
{
	return THREADS;
}

/* If three threads change mappings, all CPUs flush at the same time: otherwise there would be too
 * many orders. */
static void model_call_set(uint64_t set[SMP_MAX_CPUS / 64], void (*fn)(void *arg), void *arg)
{
	(void)fn;
	(void)arg;
	for (unsigned cpu = 0; cpu < THREADS; cpu++) {
		if (!(set[0] >> cpu & 1))
			continue;
		if (!cpu || model.nthreads < 3)
			yield();
		flush_tlb(cpu);
	}
	yield();
}

static void model_serve(void)
{
	yield();
}

/* --- One run --- */

static void map_pages(uint64_t va, size_t pages, unsigned how)
{
	mm_map(model.mm, &(struct mm_request){.address = va,
					      .bytes = pages * PAGE_SIZE,
					      .prot = PROT_READ | PROT_WRITE,
					      .flags = how | MAP_PRIVATE | MAP_ANONYMOUS});
}

/* A fork before the exploration gives pages two holders. */
static struct mm *child, *ending;

static void reap(void)
{
	ending = child;
	child = NULL;
	if (ending)
		mm_put(ending);
	ending = NULL;
}

static void fork_model(void)
{
	struct mm *copy = mm_copy(model.mm);

	check_fork();
	if (copy)
		mm_put(copy);
}

static void perform_op(enum op op)
{
	const uint64_t bytes = PAGES * PAGE_SIZE;

	switch (op) {
	case MAP:
		map_pages(PLACE + PAGE_SIZE, 1, MAP_FIXED_NOREPLACE);
		mm_fault_in(model.mm, PLACE + PAGE_SIZE, MM_WRITE);
		break;
	case REPLACE:
		map_pages(PLACE, 2, MAP_FIXED);
		mm_fault_in(model.mm, PLACE, MM_WRITE);
		mm_fault_in(model.mm, PLACE + PAGE_SIZE, MM_WRITE);
		break;
	case UNMAP:
		mm_unmap(model.mm, PLACE, bytes);
		break;
	case PROTECT:
		mm_protect(model.mm, PLACE, bytes, PROT_READ | PROT_WRITE);
		break;
	case DISCARD:
		mm_discard(model.mm, PLACE, bytes);
		break;
	case MOVE:
		mm_remap(model.mm, PLACE, PAGE_SIZE, PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED,
			 ELSEWHERE);
		break;
	case FORK:
		fork_model();
		break;
	case POKE:
		mm_poke(model.mm, PLACE, &op, sizeof(op));
		break;
	case FAULT:
		mm_fault_in(model.mm, PLACE, MM_WRITE);
		mm_fault_in(model.mm, PLACE + 2 * PAGE_SIZE, MM_WRITE);
		mm_fault_in(model.mm, PLACE + 3 * PAGE_SIZE, MM_WRITE);
		break;
	case SHRINK:
		mm_brk(model.mm, HEAP);
		break;
	case REAP:
		reap();
		break;
	case OPS:
		break;
	}
}

static void run_operation(void)
{
	const unsigned self = model.running;

	perform_op(model.op[self]);
	model.ended[self] = true;
	for (;;)
		yield();
}

static void begin_world(void)
{
	static struct handoff handoff;

	handoff.nmem = 1;
	handoff.mem[0] = (struct handoff_mem){(uintptr_t)memory, BANK, HANDOFF_MEM_FREE, 7};
	assert_int_equal(page_init(&handoff), 0);
	model.running = 0;
	model.mm = mm_create();
	assert_non_null(model.mm);
	model.mm->brk_start = model.mm->brk = HEAP;
	mm_brk(model.mm, HEAP + 2 * PAGE_SIZE);
	map_pages(PLACE, 1, MAP_FIXED);
	map_pages(PLACE + 2 * PAGE_SIZE, 2, MAP_FIXED);
	mm_populate(model.mm, PLACE, PAGE_SIZE);
	mm_populate(model.mm, PLACE + 2 * PAGE_SIZE, PAGE_SIZE);
	mm_populate(model.mm, HEAP, PAGE_SIZE);
	child = mm_copy(model.mm);
	mm_fault_in(model.mm, PLACE + 2 * PAGE_SIZE, MM_WRITE);
	model.mm->space.root->cpus[0] = (1u << THREADS) - 1;
	model.mm->threads = THREADS;
	if (model.checked) {
		assert_int_equal(stale_watch(THREADS), 0);
		assert_int_equal(page_set_poison(1), 0);
	}
}

/* After a wrong order locks may be held: only the host's memory is freed. */
static void forget_mm(struct mm *mm)
{
	areas_forget(&mm->areas);
	heap_free(mm);
}

static void forget_world(void)
{
	struct mm *next;

	for (struct mm *mm = all_first; mm; mm = next) {
		next = mm->next_mm;
		forget_mm(mm);
	}
	all_first = NULL;
	if (ending) /* a panic came in the middle of its end */
		forget_mm(ending);
	ending = NULL;
}

static void end_world(void)
{
	const size_t numbers = 1;

	reap();
	mm_put(model.mm);
	if (model.checked)
		stale_unwatch();
	if (page_free_count() != BANK - numbers)
		found_wrong("a page did not come back");
}

static unsigned pick(unsigned options)
{
	unsigned *choice = &model.choice[model.depth];

	assert_true(model.depth < DEPTH);
	if (!model.options[model.depth])
		*choice = 0;
	model.options[model.depth] = options;
	return model.choice[model.depth++];
}

static bool can_run(unsigned thread)
{
	return !model.ended[thread] && !(model.waits[thread] && model.mm->claim.end);
}

static bool step(void)
{
	unsigned able[THREADS], n = 0;

	for (unsigned i = 0; i < model.nthreads; i++)
		if (can_run(i))
			able[n++] = i;
	if (!n)
		return false;
	model.running = able[pick(n)];
	model.waits[model.running] = false;
	swapcontext(&model.home, &model.thread[model.running]);
	check_all_tlbs();
	return !model.wrong;
}

static void prepare_thread(unsigned i)
{
	getcontext(&model.thread[i]);
	model.thread[i].uc_stack.ss_sp = stacks[i];
	model.thread[i].uc_stack.ss_size = sizeof(stacks[i]);
	makecontext(&model.thread[i], run_operation, 0);
	model.ended[i] = model.waits[i] = false;
}

static void note_panic(const char *text)
{
	(void)text;
	found_wrong("a panic");
	for (;;)
		yield();
}

static void run_once(void)
{
	begin_world();
	for (unsigned i = 0; i < THREADS; i++) {
		model.tlb[i].n = 0;
		prepare_thread(i);
	}
	model.depth = 0;
	check_all_tlbs();
	model.threads_run = true;
	while (step())
		;
	model.threads_run = false;
	for (unsigned i = 0; i < model.nthreads && !model.wrong; i++)
		if (!model.ended[i])
			found_wrong("threads wait for each other");
	if (!model.wrong)
		end_world();
	forget_world();
	model.runs++;
}

/* Goes to the next order: changes the last choice that has an untried alternative. */
static bool next_order(void)
{
	memset(&model.options[model.depth], 0,
	       sizeof(model.options) - model.depth * sizeof(unsigned));
	while (model.depth && model.choice[model.depth - 1] + 1 == model.options[model.depth - 1])
		model.options[--model.depth] = 0;
	if (!model.depth)
		return false;
	model.choice[model.depth - 1]++;
	return true;
}

static bool is_wrong(void)
{
	panic_handler *before = panic_set_handler(note_panic);

	memset(model.options, 0, sizeof(model.options));
	model.wrong = NULL;
	do
		run_once();
	while (!model.wrong && next_order());
	panic_set_handler(before);
	return model.wrong;
}

/* --- Explored programs --- */

static void must_hold(void)
{
	if (is_wrong())
		fail_msg("%s, %s, %s: %s", op_names[model.op[0]], op_names[model.op[1]],
			 model.nthreads > 2 ? op_names[model.op[2]] : "-", model.wrong);
}

static void explore(unsigned nthreads, enum letter without, enum op hasty)
{
	model.nthreads = nthreads;
	model.without = without;
	model.hasty = hasty;
	model.runs = 0;
}

TEST(test_two_threads)
{
	explore(2, NONE, OPS);
	for (enum op a = 0; a < OPS; a++)
		for (enum op b = a; b < OPS; b++) {
			model.op[0] = a;
			model.op[1] = b;
			must_hold();
		}
	print_message("%lu orders\n", model.runs);
}

TEST(test_three_threads)
{
	const bool soaks = getenv("PERF0_SOAK");
	const enum op last = soaks ? OPS - 1 : MAP;

	explore(3, NONE, OPS);
	for (enum op a = 0; a <= last; a++)
		for (enum op b = a; b < OPS; b++)
			for (enum op c = b; c < OPS; c++) {
				model.op[0] = a;
				model.op[1] = b;
				model.op[2] = c;
				must_hold();
			}
	print_message("%lu orders\n", model.runs);
}

static void must_fail_of(enum letter without, enum op hasty, enum op a, enum op b, enum op c)
{
	explore(c < OPS ? 3 : 2, without, hasty);
	model.op[0] = a;
	model.op[1] = b;
	model.op[2] = c;
	if (!is_wrong())
		fail_msg("nothing is wrong without letter %u, hasty %s: %s, %s", without,
			 hasty < OPS ? op_names[hasty] : "none", op_names[a], op_names[b]);
	print_message("%s, %s, %lu orders: %s\n", op_names[a], op_names[b], model.runs,
		      model.wrong);
}

static void must_fail(enum letter without, enum op hasty, enum op a, enum op b)
{
	must_fail_of(without, hasty, a, b, OPS);
}

TEST(test_each_letter_is_needed)
{
	must_fail(HIDE, OPS, UNMAP, FAULT);
	must_fail(FLUSH, OPS, UNMAP, FAULT);
	must_fail(PUT, OPS, UNMAP, FAULT);
	must_fail(CLAIM, OPS, UNMAP, MAP);
	must_fail(FLUSH, OPS, DISCARD, FAULT);
	must_fail(FLUSH, OPS, FAULT, REAP);
	must_fail(FLUSH, OPS, POKE, REAP);
	must_fail(FLUSH, OPS, FORK, FAULT);
	must_fail(FLUSH, OPS, SHRINK, REAP);
}

TEST(test_each_operation_waits_for_claims)
{
	must_fail(NONE, MAP, UNMAP, MAP);
	must_fail(NONE, PROTECT, DISCARD, PROTECT);
	must_fail_of(NONE, DISCARD, REPLACE, DISCARD, MAP);
	must_fail(NONE, REPLACE, UNMAP, REPLACE);
	must_fail(NONE, FAULT, FORK, FAULT);
	must_fail(NONE, FAULT, DISCARD, FAULT);
}

/* The image's own check panics in no right order, but in some order without a letter. */
TEST(test_the_image_checks_itself)
{
	model.checked = true;
	explore(2, NONE, OPS);
	for (enum op a = 0; a < OPS; a++)
		for (enum op b = a; b < OPS; b++) {
			model.op[0] = a;
			model.op[1] = b;
			must_hold();
		}
	print_message("%lu orders\n", model.runs);
	must_fail(HIDE, OPS, UNMAP, FAULT);
	must_fail(FLUSH, OPS, UNMAP, FAULT);
	must_fail(PUT, OPS, UNMAP, FAULT);
	must_fail(CLAIM, OPS, UNMAP, MAP);
	must_fail(FLUSH, OPS, DISCARD, FAULT);
	must_fail(FLUSH, OPS, FAULT, REAP);
	must_fail(FLUSH, OPS, SHRINK, REAP);
	model.checked = false;
}

FIXTURE(map_memory)
{
	memory = mmap(NULL, BANK * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

GROUP(map_memory, NULL);
