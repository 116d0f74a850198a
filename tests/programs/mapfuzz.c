// SPDX-License-Identifier: BSD-2-Clause
/*
 * mapfuzz.c - maps, unmaps and closes at random, on all CPUs, against a model of what is where.
 *
 * Each task has some pieces of memory: mappings and rings of events. It knows of each page what
 * stands there, and that it is its own. Processes spawn processes and threads, end with rings and
 * mappings open, or become other programs. A thread of each process writes, all the time, to
 * whatever page is given to it, also when that is unmapped under its hands: what is then mapped
 * anew, with the same memory below it maybe, must not show it. A generator with a seed decides;
 * the first thing that does not fit is told, and ends all.
 */
#include "apps/workloads/crt.h"
#include "apps/workloads/line.h"
#include "include/perf0/task.h"
#include "include/perf0/user.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define PAGE        4096
#define WORDS       (PAGE / sizeof(uint64_t))
#define PIECES      20
#define PAGES_MOST  24         /* of a mapping */
#define THREADS     3          /* with the first one; besides there is the one that scribbles */
#define DEPTH_MOST  2          /* processes of processes */
#define CHILD_SHARE 6          /* of its steps a child gets one in so many */
#define NEVER       0x7ffffffe /* no value that stands anywhere: WAIT_ON comes back at once */
#define SAMPLE_NS   200000

enum kind { NONE, MAPPING, FILE_MAPPING, RING };

struct piece {
	enum kind kind;
	uint64_t at, pages; /* a ring: without its control page, of which all is the runtime's */
	uint64_t tag;       /* what its words have is made of it */
	uint64_t filled;    /* a bit for each page: else it is all zero */
	bool writable;
	long handle, writer; /* of a ring; an event that samples into it, or -1 */
};

struct actor {
	uint64_t random;
	unsigned depth;
	struct piece piece[PIECES];
	uint64_t children;
	uint64_t steps, maps, rings, unmaps, spawns; /* with those of the children: not */
};

static struct {
	struct actor actor[THREADS];
	uint32_t scribbling; /* its thread runs */
	uint32_t stop;
	volatile uint64_t *page; /* where it writes */
	uint64_t scribbles, begun;
	uint8_t stack[PAGE] __attribute__((aligned(16))); /* after a fault */
} all;

/* --- Words --- */

static uint64_t below(struct actor *a, uint64_t n)
{
	uint64_t x = a->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	a->random = x;
	return (x * 0x2545f4914f6cdd1d >> 16) % n;
}

static bool one_in(struct actor *a, uint64_t n)
{
	return !below(a, n);
}

static _Noreturn void fail(const char *what, uint64_t at, uint64_t got)
{
	struct line l = {.n = 0};

	line_text(&l, "mapfuzz: ");
	line_text(&l, what);
	line_text(&l, ": address ");
	line_number(&l, at);
	line_text(&l, ", ");
	line_number(&l, got);
	line_text(&l, "\n");
	line_print(&l);
	user_exit(1);
}

/* --- What is mapped --- */

static bool is_there(uint64_t at)
{
	return perf_syscall(WORKLOAD_SYS_WAIT_ON, at, NEVER, 0) != -EFAULT;
}

static uint64_t word(const struct piece *p, uint64_t page, uint64_t i)
{
	return p->tag * (2 * (page * WORDS + i) + 1);
}

static volatile uint64_t *page_at(const struct piece *p, uint64_t page)
{
	return (volatile uint64_t *)(p->at + page * PAGE);
}

static void fill(struct piece *p, uint64_t page)
{
	volatile uint64_t *to = page_at(p, page);

	for (uint64_t i = 0; i < WORDS; i++)
		to[i] = word(p, page, i);
	p->filled |= 1ull << page;
}

static void check(const struct piece *p, uint64_t page)
{
	const volatile uint64_t *from = page_at(p, page);
	const bool filled = p->filled >> page & 1;

	for (uint64_t i = 0; i < WORDS; i++)
		if (from[i] != (filled ? word(p, page, i) : 0))
			fail(filled ? "not what was written" : "not zero", (uint64_t)&from[i],
			     from[i]);
}

/* A mapping of the program's file has what the program has: its code. */
static void check_file(const struct piece *p, uint64_t page)
{
	const volatile uint64_t *from = page_at(p, page);
	uint64_t any = 0;

	for (uint64_t i = 0; i < WORDS; i++)
		any |= from[i];
	if (!page && !any)
		fail("nothing of the file", (uint64_t)from, 0);
}

static void look(struct actor *a, const struct piece *p)
{
	const uint64_t page = p->pages ? below(a, p->pages) : 0;

	if (!p->pages)
		return;
	if (p->kind == FILE_MAPPING)
		check_file(p, page);
	else if (p->kind == MAPPING || (p->writable && p->writer < 0))
		check(p, page);
}

static void look_at_all(const struct piece *p)
{
	for (uint64_t page = 0; page < p->pages; page++)
		if (p->kind == MAPPING || (p->kind == RING && p->writable && p->writer < 0))
			check(p, page);
}

static struct piece *find(struct actor *a, bool used)
{
	struct piece *p = &a->piece[below(a, PIECES)];

	return (p->kind != NONE) == used ? p : NULL;
}

static void check_place(const struct actor *a, const struct piece *piece, uint64_t low,
			uint64_t bytes)
{
	const uint64_t start = piece->at - (piece->kind == RING ? PAGE : 0);
	const uint64_t end = piece->at + piece->pages * PAGE;

	if (start < low || end > low + bytes || start % PAGE)
		fail("mapped at a place that is not for it", start, end);
	for (unsigned i = 0; i < PIECES; i++) {
		const struct piece *p = &a->piece[i];

		if (p != piece && p->kind != NONE && start < p->at + p->pages * PAGE &&
		    end > p->at - (p->kind == RING ? PAGE : 0))
			fail("mapped where something is", start, p->at);
	}
}

static void map(struct actor *a)
{
	struct piece *p = find(a, false);
	const uint64_t pages = 1 + below(a, PAGES_MOST);
	const bool file = one_in(a, 8), writable = !one_in(a, 8);
	long at;

	if (!p)
		return;
	at = perf_syscall(WORKLOAD_SYS_MAP, pages * PAGE - below(a, PAGE),
			  (writable ? 0 : WORKLOAD_MAP_READ_ONLY) | (file ? WORKLOAD_MAP_FILE : 0),
			  0);
	if (at == -ENOMEM)
		return; /* other threads have all that a process may have */
	if (at < 0)
		fail("MAP is refused", pages, (uint64_t)-at);
	*p = (struct piece){
		.kind = file ? FILE_MAPPING : MAPPING,
		.at = (uint64_t)at,
		.pages = pages,
		.tag = below(a, UINT64_MAX >> 16) | 1,
		.writable = writable,
	};
	check_place(a, p, WORKLOAD_MAP, WORKLOAD_MAP_BYTES);
	for (uint64_t i = below(a, 4); i && writable && !file; i--)
		fill(p, below(a, pages));
	a->maps++;
}

static void check_gone(const struct piece *p)
{
	for (uint64_t i = 0; i < p->pages; i++)
		if (is_there(p->at + i * PAGE))
			fail("unmapped, and there", p->at + i * PAGE, p->kind);
	if (p->kind == RING && is_there(p->at - PAGE))
		fail("a control page is there", p->at - PAGE, p->kind);
}

/* --- Rings --- */

static long open_event(uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.exclude_kernel = 1,
	};

	return perf_event_open(&attr, 0, -1, -1, 0);
}

static void add_writer(struct actor *a, struct piece *p)
{
	if (!p->pages || !one_in(a, 3))
		return;
	p->writer = open_event(PERF_COUNT_SW_TASK_CLOCK, SAMPLE_NS);
	if (p->writer >= 0)
		perf_event_ioctl(p->writer, PERF_EVENT_IOC_SET_OUTPUT, (uint64_t)p->handle);
}

static void open_ring(struct actor *a)
{
	struct piece *p = find(a, false);
	const bool writable = !one_in(a, 4);
	const uint64_t pages = one_in(a, 8) ? 0 : 1ull << below(a, 5);
	const long handle = p ? open_event(PERF_COUNT_SW_DUMMY, 0) : -1;
	long at;

	if (handle < 0)
		return;
	at = perf_event_mmap(handle, pages, PERF_PROT_READ | (writable ? PERF_PROT_WRITE : 0));
	if (at < 0) {
		perf_event_close(handle);
		return;
	}
	*p = (struct piece){
		.kind = RING,
		.at = (uint64_t)at + PAGE,
		.pages = pages,
		.tag = below(a, UINT64_MAX >> 16) | 1,
		.writable = writable,
		.handle = handle,
		.writer = -1,
	};
	check_place(a, p, PERF_RINGS, PERF_HANDLES_MAX * PERF_RINGS_STRIDE);
	if ((uint64_t)at != PERF_RINGS + (uint64_t)handle * PERF_RINGS_STRIDE)
		fail("not the place of this handle", (uint64_t)at, (uint64_t)handle);
	for (uint64_t i = 0; i < pages && writable; i++)
		if (one_in(a, 2))
			fill(p, i);
	add_writer(a, p);
	a->rings++;
}

static void close_ring(struct actor *a, struct piece *p)
{
	const bool first = one_in(a, 2);

	if (p->writer >= 0 && first)
		perf_event_close(p->writer);
	if (one_in(a, 2)) {
		if (perf_event_munmap(p->handle))
			fail("a ring cannot be unmapped", p->at, (uint64_t)p->handle);
		check_gone(p);
	}
	if (perf_event_close(p->handle))
		fail("a ring cannot be closed", p->at, (uint64_t)p->handle);
	if (p->writer >= 0 && !first)
		perf_event_close(p->writer);
}

/* --- Unmapping --- */

/* A handle that is closed may be another thread's at once, with a ring at the same place. */
static void unmap(struct actor *a, struct piece *p)
{
	look_at_all(p);
	if (p->kind == RING)
		close_ring(a, p);
	else if (perf_syscall(WORKLOAD_SYS_UNMAP, p->at, p->pages * PAGE, 0))
		fail("a mapping cannot be unmapped", p->at, p->pages);
	if (p->kind != RING)
		check_gone(p);
	p->kind = NONE;
	a->unmaps++;
}

/* Parts of mappings, rings, and what a program has from the start. */
static void unmap_wrongly(struct actor *a)
{
	const struct piece *p = find(a, true);
	const uint64_t here = (uint64_t)__builtin_frame_address(0) & ~(uint64_t)(PAGE - 1);
	uint64_t at = 0, bytes = PAGE;

	switch (below(a, 6)) {
	case 0:
		at = WORKLOAD_HEAP;
		bytes = WORKLOAD_HEAP_BYTES;
		break;
	case 1:
		at = here;
		break;
	case 2:
		at = WORKLOAD_EVENTS;
		bytes = WORKLOAD_EVENTS_MAX * PAGE;
		break;
	case 3:
		at = p ? p->at + (p->pages > 1 ? PAGE : 0) : 0;
		bytes = p ? p->pages * PAGE - PAGE : 0;
		break;
	case 4:
		at = p && p->kind == RING ? p->at - PAGE : 0;
		bytes = p ? (1 + p->pages) * PAGE : 0;
		break;
	default:
		at = below(a, UINT64_MAX >> 16);
		bytes = below(a, UINT64_MAX >> 16);
	}
	if (perf_syscall(WORKLOAD_SYS_UNMAP, at, bytes, 0) != -EINVAL)
		fail("unmapped what is not a mapping", at, bytes);
}

/* --- A page that goes while another thread writes there --- */

/* A fault begins it anew, with the next page. */
static void scribble(void)
{
	perf_on_fault(WORKLOAD_CODE(scribble), all.stack + sizeof(all.stack) - 8);
	all.begun++;
	__atomic_store_n(&all.page, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&all.scribbling, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&all.stop, __ATOMIC_SEQ_CST)) {
		volatile uint64_t *page = __atomic_load_n(&all.page, __ATOMIC_SEQ_CST);

		if (page)
			for (unsigned i = 0; i < 100; i++)
				page[i] = ~0ull;
		else
			perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
		__atomic_add_fetch(&all.scribbles, 1, __ATOMIC_SEQ_CST);
		if (perf_syscall(WORKLOAD_SYS_NCPUS, 0, 0, 0) == 1)
			perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
	}
	user_exit(0);
}

static uint64_t map_page(void)
{
	const long at = perf_syscall(WORKLOAD_SYS_MAP, PAGE, 0, 0);

	return at < 0 ? 0 : (uint64_t)at;
}

/* The page below the new mapping is most likely the one that was below the old one. */
static void pull_away(struct actor *a)
{
	const uint64_t old = map_page(), before = __atomic_load_n(&all.scribbles, __ATOMIC_SEQ_CST);
	struct piece new = {.kind = MAPPING, .pages = 1, .tag = below(a, 1ull << 40) | 1};

	if (!old || !all.scribbling)
		return;
	*(volatile uint64_t *)old = 1;
	__atomic_store_n(&all.page, (uint64_t *)old, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < 50; i++)
		if (__atomic_load_n(&all.scribbles, __ATOMIC_SEQ_CST) < before + 2)
			perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
	if (perf_syscall(WORKLOAD_SYS_UNMAP, old, PAGE, 0))
		fail("a page cannot be unmapped", old, 0);
	new.at = map_page();
	if (new.at) {
		fill(&new, 0);
		for (unsigned i = 0; i < 3; i++)
			check(&new, 0);
		perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
		check(&new, 0);
		perf_syscall(WORKLOAD_SYS_UNMAP, new.at, PAGE, 0);
	}
	__atomic_store_n(&all.page, NULL, __ATOMIC_SEQ_CST);
}

/* --- Tasks --- */

static void act(struct actor *a, uint64_t steps);
static void begin_process(uint64_t steps, uint64_t seed, uint64_t depth);

static long spawn(uint64_t flags, void (*entry)(void), uint64_t a0, uint64_t a1, uint64_t a2)
{
	struct workload_spawn s = {.flags = flags, .entry = (uint64_t)entry, .args = {a0, a1, a2}};

	return perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&s, sizeof(s), 0);
}

static void wait_for_one(struct actor *a)
{
	int32_t status = 0;
	const long tid = perf_syscall(WORKLOAD_SYS_WAIT, (uint64_t)-1, (uint64_t)&status, 0);

	if (tid <= 0 || status)
		fail("a child failed", (uint64_t)tid, (uint64_t)status);
	a->children--;
}

static void spawn_child(struct actor *a, uint64_t steps)
{
	if (a->children > 1)
		wait_for_one(a);
	if (a->depth == DEPTH_MOST || spawn(0, WORKLOAD_CODE(begin_process), steps / CHILD_SHARE,
					    below(a, 1ull << 32), a->depth + 1) <= 0)
		return;
	a->children++;
	a->spawns++;
}

static void move(struct actor *a)
{
	const uint64_t ncpus = (uint64_t)perf_syscall(WORKLOAD_SYS_NCPUS, 0, 0, 0);
	const uint64_t mask = one_in(a, 2) ? (1ull << ncpus) - 1 : 1ull << below(a, ncpus);

	perf_syscall(WORKLOAD_SYS_SET_AFFINITY, 0, (uint64_t)&mask, sizeof(mask));
}

static void step(struct actor *a, uint64_t left)
{
	struct piece *p;

	a->steps++;
	switch (below(a, 16)) {
	case 0:
	case 1:
	case 2:
		map(a);
		break;
	case 3:
	case 4:
		open_ring(a);
		break;
	case 5:
	case 6:
	case 7:
	case 8:
		p = find(a, true);
		if (p)
			unmap(a, p);
		break;
	case 9:
		unmap_wrongly(a);
		break;
	case 10:
		if (a == &all.actor[0])
			pull_away(a);
		break;
	case 11:
		if (one_in(a, 4))
			spawn_child(a, left);
		break;
	case 12:
		if (one_in(a, 4))
			move(a);
		break;
	default:
		p = find(a, true);
		if (p)
			look(a, p);
	}
}

/* What it leaves mapped goes with its process. */
static void act(struct actor *a, uint64_t steps)
{
	for (; steps; steps--)
		step(a, steps);
	while (a->children)
		wait_for_one(a);
}

static void begin_thread(uint64_t which, uint64_t steps)
{
	act(&all.actor[which], steps);
	user_exit(0);
}

static void check_fresh(void)
{
	const volatile uint64_t *heap = (const volatile uint64_t *)WORKLOAD_HEAP;

	for (uint64_t i = 0; i < 2 * WORDS; i++)
		if (heap[i])
			fail("a new process finds something", (uint64_t)&heap[i], heap[i]);
	for (uint64_t i = 0; i < sizeof(all) / sizeof(uint64_t); i++)
		if (((volatile uint64_t *)&all)[i])
			fail("a new process finds data", i, 0);
	*(volatile uint64_t *)WORKLOAD_HEAP = 1;
}

static void run(uint64_t steps, uint64_t seed, unsigned depth)
{
	struct actor *first = &all.actor[0];

	check_fresh();
	for (unsigned i = 0; i < THREADS; i++)
		all.actor[i] = (struct actor){
			.random = (seed + i + 1) * 0x9e3779b97f4a7c15,
			.depth = depth,
		};
	first->children += spawn(WORKLOAD_SPAWN_THREAD, WORKLOAD_CODE(scribble), 0, 0, 0) > 0;
	for (uint64_t i = 1; i < THREADS; i++)
		first->children +=
			spawn(WORKLOAD_SPAWN_THREAD, WORKLOAD_CODE(begin_thread), i, steps, 0) > 0;
	for (; steps; steps--)
		step(first, steps);
	__atomic_store_n(&all.stop, 1, __ATOMIC_SEQ_CST);
	while (first->children)
		wait_for_one(first);
}

/* Some become another program with all that they have. */
static void begin_process(uint64_t steps, uint64_t seed, uint64_t depth)
{
	const char *argv[1];

	argv[0] = "loop";
	run(steps, seed, (unsigned)depth);
	if (one_in(&all.actor[0], 2))
		perf_syscall(WORKLOAD_SYS_EXEC, (uint64_t)argv, 1, 0);
	user_exit(0);
}

static void add(struct line *l, uint64_t value, const char *what)
{
	line_number(l, value);
	line_text(l, what);
}

static void report(void)
{
	struct actor sum = {0};
	struct line l = {.n = 0};

	for (unsigned i = 0; i < THREADS; i++) {
		sum.steps += all.actor[i].steps;
		sum.maps += all.actor[i].maps;
		sum.rings += all.actor[i].rings;
		sum.unmaps += all.actor[i].unmaps;
		sum.spawns += all.actor[i].spawns;
	}
	line_text(&l, "mapfuzz: ");
	add(&l, sum.steps, " steps: ");
	add(&l, sum.maps, " mappings, ");
	add(&l, sum.rings, " rings, ");
	add(&l, sum.unmaps, " unmapped, ");
	add(&l, sum.spawns, " processes, ");
	add(&l, all.begun - 1, " pages pulled away\n");
	line_print(&l);
}

static void workload_mapfuzz(uint64_t steps, uint64_t seed)
{
	run(steps, seed, 0);
	report();
	user_exit(0);
}

static const struct workload mapfuzz = {
	.name = "mapfuzz",
	.usage = "[N] [SEED]",
	.summary = "three threads map, unmap, open and close, N times (2000) each, with processes "
		   "that do, too, and hold what they find against what they know; SEED (1)",
	.entry = WORKLOAD_CODE(workload_mapfuzz),
	.params = {{"N", WORKLOAD_NUMBER, 2000, 1, UINT64_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(mapfuzz);
