// SPDX-License-Identifier: BSD-2-Clause
/*
 * mapfuzz.c - maps, protects, moves and unmaps at random, on all CPUs, against a model of what is
 * where.
 *
 * Each thread owns a range of addresses and some event rings. Its model has the presence, rights
 * and contents of each page in the range. Processes fork children, which begin with a copy of their
 * parent's memory and diverge. Processes also start threads, exit, or execute other programs.
 * A scribbler thread of each process writes to one page all the time, also while that is unmapped.
 * A later mapping may reuse the frame below it: the scribbler's writes must not appear there.
 * Sometimes a whole range is mapped with so much around it that large pages are used, two of which
 * meet in its middle. Operations on parts of the range then split them, and their outer ends keep
 * their contents.
 *
 * A seeded generator decides. The first mismatch is reported, and ends the program.
 */
#include "apps/workloads/crt.h"
#include "apps/workloads/text_line.h"

#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define PAGE        4096
#define WORDS       (PAGE / sizeof(uint64_t))
#define PAGES       96 /* in a thread's range */
#define LARGE_BYTES (2ull << 20)
#define PLACES      16 /* where a thread's range can be */
#define RANGE_MOST  24 /* pages of one operation */
#define SMALL_MOST  6  /* pages of an operation that needs all of them present */
#define RINGS       4
#define CHILDREN    2
#define THREADS     3          /* with the first one, without the scribbler */
#define DEPTH_MOST  2          /* generations of child processes */
#define CHILD_SHARE 6          /* a child gets this fraction of its parent's steps */
#define OWN_STEPS   32         /* steps of a new process in its parent's memory */
#define NEVER       0x7ffffffe /* no word has this value: a futex wait for it returns at once */
#define SAMPLE_NS   200000

/* Unused address space: the ranges of the threads, and the pages that are unmapped under writes. */
#define ARENA       0x100000000000
#define ARENA_BYTES (1ull << 30)
#define PULLED      (ARENA + THREADS * ARENA_BYTES)
#define PULLED_NEXT (PULLED + ARENA_BYTES)

struct page {
	uint64_t tag; /* the words are computed from it; 0: they are zero */
	bool is_there;
	uint8_t prot;
};

struct ring {
	long fd; /* 0: there is none */
	volatile uint64_t *data;
	uint64_t pages; /* of data */
	uint64_t tag;
	bool writable;
	long writer; /* an event that samples into it, or -1 */
};

struct actor {
	uint64_t random;
	unsigned depth;
	uint64_t at; /* address of its first page */
	struct page page[PAGES];
	struct page end[2]; /* the first and the last of the large pages around the range */
	struct ring ring[RINGS];
	long child[CHILDREN]; /* pids; 0: none */
	struct thread thread;
	uint64_t steps, maps, larges, rings, unmaps, protects, moves,
		forks; /* counters of steps, without those of children */
};

static struct {
	struct actor actor[THREADS];
	struct thread scribbler;
	uint64_t ncpus;
	uint32_t scribbling; /* its thread runs */
	uint32_t stop;
	volatile uint64_t *page; /* where it writes */
	uint64_t scribbles, begun;
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

static uint64_t any_tag(struct actor *a)
{
	return below(a, UINT64_MAX >> 16) | 1;
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
	linux_exit_group(1);
}

static void must_be(const char *what, uint64_t at, long got, long wanted)
{
	if (got != wanted)
		fail(what, at, (uint64_t)(got < 0 ? -got : got));
}

/* --- A thread's addresses --- */

struct range {
	uint64_t first, n;
};

static uint64_t address_of(const struct actor *a, uint64_t page)
{
	return a->at + page * PAGE;
}

static struct range any_range(struct actor *a, uint64_t most)
{
	const uint64_t n = 1 + below(a, most);

	return (struct range){.first = below(a, PAGES - n + 1), .n = n};
}

static bool any_there(const struct actor *a, struct range r)
{
	for (uint64_t i = 0; i < r.n; i++)
		if (a->page[r.first + i].is_there)
			return true;
	return false;
}

static bool all_there(const struct actor *a, struct range r)
{
	for (uint64_t i = 0; i < r.n; i++)
		if (!a->page[r.first + i].is_there)
			return false;
	return true;
}

/* Adjacent pages with the same rights are one area, wherever they came from. */
static bool is_one_area(const struct actor *a, struct range r)
{
	for (uint64_t i = 0; i < r.n; i++)
		if (a->page[r.first + i].prot != a->page[r.first].prot)
			return false;
	return all_there(a, r);
}

static void set_range(struct actor *a, struct range r, struct page page)
{
	for (uint64_t i = 0; i < r.n; i++)
		a->page[r.first + i] = page;
}

static int any_prot(struct actor *a)
{
	static const uint8_t prots[] = {PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_READ,
					PROT_NONE};

	return prots[below(a, sizeof(prots))];
}

/* --- The contents of pages --- */

static uint64_t pattern_word(uint64_t tag, uint64_t i)
{
	return tag * (2 * i + 1);
}

static void fill(volatile uint64_t *to, uint64_t tag)
{
	for (uint64_t i = 0; i < WORDS; i++)
		to[i] = pattern_word(tag, i);
}

static void check_words(const volatile uint64_t *from, uint64_t tag)
{
	for (uint64_t i = 0; i < WORDS; i++)
		if (from[i] != pattern_word(tag, i))
			fail(tag ? "not what was written" : "not zero", (uint64_t)&from[i],
			     from[i]);
}

/* As system calls find it. */
static bool can_be_read(uint64_t at)
{
	return linux_futex_wait((const uint32_t *)at, NEVER, 0) != -EFAULT;
}

static bool can_be_written(uint64_t at)
{
	return !linux_syscall3(__NR_getcpu, at, 0, 0);
}

static void check_page(const struct actor *a, uint64_t i)
{
	const struct page *p = &a->page[i];
	const uint64_t at = address_of(a, i);

	must_be(p->is_there ? "readable, or not" : "unmapped, and there", at, can_be_read(at),
		p->is_there && p->prot != PROT_NONE);
	if (!(p->prot & PROT_WRITE) || !p->is_there)
		must_be("written to, though it may not be", at, can_be_written(at), false);
	if (p->is_there && p->prot & PROT_READ)
		check_words((const volatile uint64_t *)at, p->tag);
}

/* Two large pages, which meet in the middle of the thread's addresses. */
static uint64_t large_of(const struct actor *a)
{
	return address_of(a, PAGES / 2) - LARGE_BYTES;
}

static uint64_t address_of_end(const struct actor *a, unsigned which)
{
	return which ? large_of(a) + 2 * LARGE_BYTES - PAGE : large_of(a);
}

static void check_ends(const struct actor *a)
{
	for (unsigned i = 0; i < 2; i++)
		if (a->end[i].is_there)
			check_words((const volatile uint64_t *)address_of_end(a, i), a->end[i].tag);
}

static void check_all(const struct actor *a)
{
	for (uint64_t i = 0; i < PAGES; i++)
		check_page(a, i);
	check_ends(a);
}

static void fill_with_tag(struct actor *a, uint64_t i)
{
	struct page *p = &a->page[i];

	if (!p->is_there || !(p->prot & PROT_WRITE))
		return;
	p->tag = any_tag(a);
	fill((volatile uint64_t *)address_of(a, i), p->tag);
}

/* --- Operations --- */

static void map(struct actor *a)
{
	const struct range r = any_range(a, RANGE_MOST);
	const uint64_t at = address_of(a, r.first);
	const bool replaces = one_in(a, 3);
	const int prot = any_prot(a), flags = MAP_PRIVATE | MAP_ANONYMOUS |
					      (replaces ? MAP_FIXED : MAP_FIXED_NOREPLACE) |
					      (one_in(a, 8) ? MAP_POPULATE : 0);
	const long got = linux_mmap(at, r.n * PAGE - below(a, PAGE), prot, flags, -1, 0);

	if (!replaces && any_there(a, r)) {
		must_be("mapped where something is", at, got, -EEXIST);
		return;
	}
	must_be("mmap", at, got, (long)at);
	set_range(a, r, (struct page){.is_there = true, .prot = (uint8_t)prot});
	for (uint64_t i = below(a, 4); i; i--)
		fill_with_tag(a, r.first + below(a, r.n));
	a->maps++;
}

static void write_end(struct actor *a, unsigned i)
{
	a->end[i] = (struct page){.is_there = true, .tag = any_tag(a)};
	fill((volatile uint64_t *)address_of_end(a, i), a->end[i].tag);
}

/* A large page makes neighbours of a written page present, though nothing touched them. */
static bool is_large(const struct actor *a, unsigned i)
{
	const uint64_t beside = address_of_end(a, i) + PAGE - i * 2 * PAGE;
	uint8_t there = 0;

	must_be("mincore", beside, linux_syscall3(__NR_mincore, beside, PAGE, (uint64_t)&there), 0);
	return there;
}

/* Small pages replace large ones where memory runs short. */
static void map_large(struct actor *a)
{
	const struct page page = {.is_there = true, .prot = PROT_READ | PROT_WRITE};
	const uint64_t at = large_of(a);

	must_be("mmap", at,
		linux_mmap(at, 2 * LARGE_BYTES, page.prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			   -1, 0),
		(long)at);
	set_range(a, (struct range){0, PAGES}, page);
	for (unsigned i = 0; i < 2; i++) {
		write_end(a, i);
		a->larges += is_large(a, i);
	}
	fill_with_tag(a, below(a, PAGES));
	a->maps++;
}

static void unmap(struct actor *a)
{
	const struct range r = any_range(a, RANGE_MOST);
	const uint64_t at = address_of(a, r.first);

	must_be("munmap", at, linux_munmap(at, r.n * PAGE), 0);
	set_range(a, r, (struct page){.is_there = false});
	a->unmaps++;
}

static void protect(struct actor *a)
{
	const struct range r = any_range(a, SMALL_MOST);
	const uint64_t at = address_of(a, r.first);
	const int prot = any_prot(a);

	if (!all_there(a, r))
		return;
	must_be("mprotect", at, linux_mprotect(at, r.n * PAGE, prot), 0);
	for (uint64_t i = 0; i < r.n; i++)
		a->page[r.first + i].prot = (uint8_t)prot;
	must_be("mprotect for writing and execution", at,
		linux_mprotect(at, r.n * PAGE, PROT_WRITE | PROT_EXEC), -EACCES);
	a->protects++;
}

static void discard(struct actor *a)
{
	const struct range r = any_range(a, SMALL_MOST);
	const uint64_t at = address_of(a, r.first);

	if (!all_there(a, r))
		return;
	must_be("madvise", at, linux_syscall3(__NR_madvise, at, r.n * PAGE, MADV_DONTNEED), 0);
	for (uint64_t i = 0; i < r.n; i++)
		a->page[r.first + i].tag = 0;
}

/* Moves pages to a fixed address; the mapping that was there is gone. */
static void remap(struct actor *a)
{
	const struct range from = any_range(a, SMALL_MOST);
	const struct range to = {.first = below(a, PAGES - from.n + 1), .n = from.n};
	const uint64_t at = address_of(a, from.first), goal = address_of(a, to.first);
	const bool overlaps = to.first < from.first + from.n && from.first < to.first + to.n;
	struct page moved[SMALL_MOST];
	long got;

	if (!overlaps && !is_one_area(a, from))
		return;
	got = linux_syscall6(__NR_mremap, at, from.n * PAGE, to.n * PAGE,
			     MREMAP_MAYMOVE | MREMAP_FIXED, goal, 0);
	if (overlaps) {
		must_be("mremap onto itself", at, got, -EINVAL);
		return;
	}
	must_be("mremap", at, got, (long)goal);
	for (uint64_t i = 0; i < from.n; i++)
		moved[i] = a->page[from.first + i];
	set_range(a, from, (struct page){.is_there = false});
	for (uint64_t i = 0; i < to.n; i++)
		a->page[to.first + i] = moved[i];
	a->moves++;
}

/* Refused addresses: one of ring 0, one that is not canonical, and two that are not aligned. */
static void unmap_wrongly(struct actor *a)
{
	const uint64_t at[] = {0xffff800000000000, 0x800000000000, 1, address_of(a, 0) + 1};
	const unsigned i = (unsigned)below(a, sizeof(at) / sizeof(at[0]));

	must_be("unmapped what cannot be", at[i], linux_munmap(at[i], PAGE), -EINVAL);
	must_be("unmapped nothing", address_of(a, 0), linux_munmap(address_of(a, 0), 0), -EINVAL);
}

/* --- Rings --- */

static long open_soft_event(uint64_t config, uint64_t period)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.exclude_kernel = 1,
	};

	return linux_perf_event_open(&attr, 0, -1, -1, 0);
}

static void add_writer(struct actor *a, struct ring *r)
{
	if (!r->pages || !one_in(a, 3))
		return;
	r->writer = open_soft_event(PERF_COUNT_SW_TASK_CLOCK, SAMPLE_NS);
	if (r->writer >= 0)
		linux_ioctl(r->writer, PERF_EVENT_IOC_SET_OUTPUT, (uint64_t)r->fd);
}

static void check_ring(const struct ring *r)
{
	for (uint64_t i = 0; i < r->pages && r->writable && r->writer < 0; i++)
		check_words(r->data + i * WORDS, r->tag + 2 * i);
}

static void check_ring_place(const struct ring *r)
{
	const uint64_t start = (uint64_t)r->data - PAGE, end = start + ring_bytes(r->pages);

	if (start % PAGE || (start < PULLED_NEXT + ARENA_BYTES && end > ARENA))
		fail("a ring at a place that is not for it", start, end);
}

static void open_ring(struct actor *a, struct ring *r)
{
	const bool writable = !one_in(a, 4);
	const uint64_t pages = one_in(a, 8) ? 0 : 1ull << below(a, 5);
	const long fd = open_soft_event(PERF_COUNT_SW_DUMMY, 0);
	long at;

	if (fd < 0)
		return;
	at = ring_map(fd, pages, PROT_READ | (writable ? PROT_WRITE : 0));
	if (at < 0) {
		linux_close(fd);
		return;
	}
	*r = (struct ring){
		.fd = fd,
		.data = (volatile uint64_t *)(at + PAGE),
		.pages = pages,
		.tag = any_tag(a),
		.writable = writable,
		.writer = -1,
	};
	check_ring_place(r);
	for (uint64_t i = 0; i < pages && writable; i++)
		fill(r->data + i * WORDS, r->tag + 2 * i);
	add_writer(a, r);
	a->rings++;
}

static void close_ring(struct actor *a, struct ring *r)
{
	const bool first = one_in(a, 2);

	check_ring(r);
	if (r->writer >= 0 && first)
		linux_close(r->writer);
	must_be("a ring cannot be unmapped", (uint64_t)r->data,
		ring_unmap(r->data - WORDS, r->pages), 0);
	must_be("a ring cannot be closed", (uint64_t)r->data, linux_close(r->fd), 0);
	if (r->writer >= 0 && !first)
		linux_close(r->writer);
	r->fd = 0;
}

static void operate_ring(struct actor *a)
{
	struct ring *r = &a->ring[below(a, RINGS)];

	if (!r->fd)
		open_ring(a, r);
	else if (one_in(a, 2))
		check_ring(r);
	else
		close_ring(a, r);
}

/* --- A page that goes while another thread writes there --- */

static void scribble(void)
{
	const stack_t stack = {.ss_sp = (void *)WORKLOAD_HEAP, .ss_size = 4 * PAGE};

	linux_syscall3(__NR_sigaltstack, (uint64_t)&stack, 0, 0);
	all.begun++;
	__atomic_store_n(&all.page, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&all.scribbling, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&all.stop, __ATOMIC_SEQ_CST)) {
		volatile uint64_t *page = __atomic_load_n(&all.page, __ATOMIC_SEQ_CST);

		if (page)
			for (unsigned i = 0; i < 100; i++)
				page[i] = ~0ull;
		else
			linux_yield();
		__atomic_add_fetch(&all.scribbles, 1, __ATOMIC_SEQ_CST);
		if (all.ncpus == 1)
			linux_yield();
	}
	linux_exit_thread();
}

/* The scribbler restarts with the next page. */
static void on_pulled_away(int number, siginfo_t *info, void *ucontext)
{
	struct sigcontext_64 *sc =
		(struct sigcontext_64 *)&((struct ucontext *)ucontext)->uc_mcontext;
	const uint64_t at = (uint64_t)info->si_addr;

	(void)number;
	if (at - PULLED >= PAGE)
		fail("a fault", at, sc->ip);
	sc->ip = (uint64_t)scribble;
	sc->sp = all.scribbler.stack + THREAD_STACK_BYTES - 8;
}

static bool map_at(uint64_t at)
{
	return linux_mmap(at, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (long)at;
}

/* The page below the new mapping is most likely the one that was below the old one. */
static void pull_away(struct actor *a)
{
	const uint64_t before = __atomic_load_n(&all.scribbles, __ATOMIC_SEQ_CST), tag = any_tag(a);

	if (!all.scribbling || !map_at(PULLED))
		return;
	*(volatile uint64_t *)PULLED = 1;
	__atomic_store_n(&all.page, (uint64_t *)PULLED, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < 50; i++)
		if (__atomic_load_n(&all.scribbles, __ATOMIC_SEQ_CST) < before + 2)
			linux_yield();
	must_be("a page cannot be unmapped", PULLED, linux_munmap(PULLED, PAGE), 0);
	if (map_at(PULLED_NEXT)) {
		fill((uint64_t *)PULLED_NEXT, tag);
		for (unsigned i = 0; i < 3; i++)
			check_words((uint64_t *)PULLED_NEXT, tag);
		linux_yield();
		check_words((uint64_t *)PULLED_NEXT, tag);
		linux_munmap(PULLED_NEXT, PAGE);
	}
	__atomic_store_n(&all.page, NULL, __ATOMIC_SEQ_CST);
}

/* --- Tasks --- */

static void begin_process(uint64_t steps, uint64_t seed, uint64_t which);

static void wait_for_child(long *child)
{
	int status = 0;
	const long pid = *child;

	*child = 0;
	if (pid && (linux_wait(pid, &status) != pid || status))
		fail("a child failed", (uint64_t)pid, (uint64_t)status);
}

static void fork_child(struct actor *a, uint64_t steps)
{
	long *child = &a->child[below(a, CHILDREN)];
	long pid;

	if (a->depth == DEPTH_MOST)
		return;
	wait_for_child(child);
	pid = process_start(TASK_ENTRY(begin_process), steps / CHILD_SHARE, below(a, 1ull << 32),
			    (uint64_t)(a - all.actor));
	if (pid < 0)
		return;
	*child = pid;
	a->forks++;
}

static void move_task(struct actor *a)
{
	const uint64_t cpu = below(a, all.ncpus + 1),
		       mask = cpu == all.ncpus ? (1ull << all.ncpus) - 1 : 1ull << cpu;

	linux_syscall3(__NR_sched_setaffinity, 0, sizeof(mask), (uint64_t)&mask);
}

static void step_actor(struct actor *a, uint64_t left)
{
	a->steps++;
	switch (below(a, 20)) {
	case 0:
	case 1:
	case 2:
	case 3:
		map(a);
		break;
	case 4:
	case 5:
		unmap(a);
		break;
	case 6:
	case 7:
		protect(a);
		break;
	case 8:
		discard(a);
		break;
	case 9:
	case 10:
		remap(a);
		break;
	case 11:
	case 12:
		operate_ring(a);
		break;
	case 13:
		unmap_wrongly(a);
		break;
	case 14:
		if (a == &all.actor[0])
			pull_away(a);
		break;
	case 15:
		if (one_in(a, 4))
			fork_child(a, left);
		break;
	case 16:
		if (one_in(a, 4))
			move_task(a);
		break;
	case 17:
		if (one_in(a, 4))
			map_large(a);
		else
			fill_with_tag(a, below(a, PAGES));
		break;
	default:
		check_page(a, below(a, PAGES));
	}
}

/* The actor's mappings that are left end with its process. */
static void act(struct actor *a, uint64_t steps)
{
	if (one_in(a, 2))
		map_large(a);
	for (; steps; steps--)
		step_actor(a, steps);
	check_all(a);
	for (unsigned i = 0; i < CHILDREN; i++)
		wait_for_child(&a->child[i]);
}

static void begin_thread(uint64_t which, uint64_t steps)
{
	act(&all.actor[which], steps);
	linux_exit_thread();
}

/* Mostly where its parent had nothing: large pages come into being where no tables of small ones
 * are. */
static void begin_actor(unsigned i, uint64_t seed, unsigned depth)
{
	struct actor *a = &all.actor[i];

	if (a->at)
		must_be("munmap", large_of(a), linux_munmap(large_of(a), 2 * LARGE_BYTES), 0);
	*a = (struct actor){.random = (seed + i + 1) * 0x9e3779b97f4a7c15, .depth = depth};
	a->at = ARENA + i * ARENA_BYTES + below(a, PLACES) * 2 * LARGE_BYTES + LARGE_BYTES -
		PAGES / 2 * PAGE;
}

static void run_actors(uint64_t steps, uint64_t seed, unsigned depth)
{
	all.scribbling = all.stop = 0;
	all.page = NULL;
	all.begun = 0;
	linux_munmap(PULLED, PAGE);
	linux_munmap(PULLED_NEXT, PAGE);
	for (unsigned i = 0; i < THREADS; i++)
		begin_actor(i, seed, depth);
	if (thread_start(&all.scribbler, TASK_ENTRY(scribble), 0, 0, 0) < 0)
		return;
	for (uint64_t i = 1; i < THREADS; i++)
		if (thread_start(&all.actor[i].thread, TASK_ENTRY(begin_thread), i, steps, 0) < 0)
			all.actor[i].thread.stack = 0;
	act(&all.actor[0], steps);
	__atomic_store_n(&all.stop, 1, __ATOMIC_SEQ_CST);
	for (unsigned i = 1; i < THREADS; i++)
		if (all.actor[i].thread.stack)
			thread_join(&all.actor[i].thread);
	thread_join(&all.scribbler);
}

/* The child finds its parent's memory, and changes its own copy from then on. */
static void inherit_memory(struct actor *a)
{
	for (unsigned i = 0; i < RINGS; i++)
		if (a->ring[i].fd)
			linux_close(a->ring[i].fd);
	for (unsigned i = 0; i < RINGS; i++)
		a->ring[i].fd = 0;
	for (unsigned i = 0; i < CHILDREN; i++)
		a->child[i] = 0;
	check_all(a);
	all.scribbling = 0;
	a->depth = DEPTH_MOST;
	for (unsigned i = 0; i < OWN_STEPS; i++)
		step_actor(a, 0);
	check_all(a);
}

/* Some become another program with all that they have. */
static void begin_process(uint64_t steps, uint64_t seed, uint64_t which)
{
	struct actor *a = &all.actor[which];
	const unsigned depth = a->depth + 1;
	const char *argv[2];

	argv[0] = "loop";
	argv[1] = NULL;
	a->random = seed | 1;
	inherit_memory(a);
	run_actors(steps, seed, depth);
	if (one_in(&all.actor[0], 2))
		linux_execve("/perf0/bin/loop", argv);
	linux_exit_group(0);
}

static void add_total(struct line *l, uint64_t value, const char *what)
{
	line_number(l, value);
	line_text(l, what);
}

static void print_sums(void)
{
	struct actor sum = {0};
	struct line l = {.n = 0};

	for (unsigned i = 0; i < THREADS; i++) {
		sum.steps += all.actor[i].steps;
		sum.maps += all.actor[i].maps;
		sum.larges += all.actor[i].larges;
		sum.rings += all.actor[i].rings;
		sum.unmaps += all.actor[i].unmaps;
		sum.protects += all.actor[i].protects;
		sum.moves += all.actor[i].moves;
		sum.forks += all.actor[i].forks;
	}
	line_text(&l, "mapfuzz: ");
	add_total(&l, sum.steps, " steps: ");
	add_total(&l, sum.maps, " mappings, ");
	add_total(&l, sum.larges, " large pages, ");
	add_total(&l, sum.rings, " rings, ");
	add_total(&l, sum.unmaps, " unmapped, ");
	add_total(&l, sum.protects, " protected, ");
	add_total(&l, sum.moves, " moved, ");
	add_total(&l, sum.forks, " processes, ");
	add_total(&l, all.begun - 1, " pages pulled away\n");
	line_print(&l);
}

static void workload_mapfuzz(uint64_t steps, uint64_t seed)
{
	all.ncpus = linux_cpus();
	signal_handle(SIGSEGV, on_pulled_away, SA_ONSTACK);
	run_actors(steps, seed, 0);
	print_sums();
	linux_exit_group(0);
}

static const struct workload mapfuzz = {
	.name = "mapfuzz",
	.usage = "[N] [SEED]",
	.summary =
		"three threads map, protect, move and unmap, open and close, N times (2000) each, with "
		"processes that do, too, and hold what they find against what they know; SEED (1)",
	.entry = WORKLOAD_CODE(workload_mapfuzz),
	.params = {{"N", WORKLOAD_NUMBER, 2000, 1, UINT64_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(mapfuzz);
