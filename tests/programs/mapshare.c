// SPDX-License-Identifier: BSD-2-Clause
/*
 * mapshare.c - threads of one memory change the same few pages at random, and one never stops
 * writing to all of them.
 *
 * No thread knows the contents of a shared page. A call there is only checked for errors that it
 * never returns. The program checks its other memory instead. New memory is zero, and keeps what
 * its only thread writes. One page has a word for each thread, which keeps that thread's value
 * across every fork. A write through a stale translation breaks one of these invariants, or the
 * runtime's poison (sysctl vm.page_poison). A seeded generator decides; on one CPU the seed
 * determines the whole run.
 */
#include "apps/workloads/crt.h"
#include "apps/workloads/text_line.h"

#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <linux/errno.h>
#include <stdbool.h>

#define PAGE        4096
#define WORDS       (PAGE / sizeof(uint64_t))
#define PAGES       24 /* shared pages: two large pages meet in their middle */
#define LARGE_BYTES (2ull << 20)
#define RANGE_MOST  8
#define THREADS     3 /* without the writer */
#define RINGS       2
#define CHILD_STEPS 12
#define CHILD_SHARE 16 /* one in so many drawn forks happens */

#define LARGE 0x100000000000
#define PLACE (LARGE + LARGE_BYTES - PAGES / 2 * PAGE)
#define OTHER (LARGE + 4 * LARGE_BYTES) /* where some pages move for a moment */
/* Rings have addresses that the runtime gives to nothing else: the writer may be late. */
#define RINGS_AT (LARGE + 8 * LARGE_BYTES)
#define FRESH    4 /* new pages that one step checks */
#define SPOTS    \
	(PAGES + \
	 2 * RANGE_MOST) /* that are written to: behind PLACE those of the heap, and of OTHER */
#define SAMPLE 200000    /* ns */

enum kind {
	MAP,
	MAP_NEW,
	MAP_MEMFD,
	MAP_BIG,
	UNMAP,
	PROTECT,
	DISCARD,
	MOVE,
	RESIZE,
	HEAP,
	TRUNCATE,
	RING,
	FORK,
	LOOK,
	KINDS
};

struct actor {
	uint64_t random;
	struct thread thread;
	uint64_t own; /* the value of its word */
	long child;   /* 0: none */
	uint64_t done[KINDS];
};

struct all {
	struct actor actor[THREADS];
	volatile uint64_t *word; /* one for each actor, in one page */
	struct thread writer;
	uint64_t at, faults; /* of the writer: the next spot */
	uint32_t stop;
	uint64_t heap;
	long file;
	long ring[RINGS]; /* file descriptors; 0: there is none; -1: one is being made or ended */
};

/* Behind the writer's stack for signals. Static data would cost each program a page. */
#define SIGNAL_STACK (4 * PAGE)
static struct all *const all = (struct all *)(WORKLOAD_HEAP + SIGNAL_STACK);

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

static bool one_of(struct actor *a, uint64_t n)
{
	return !below(a, n);
}

static _Noreturn void fail(const char *what, uint64_t at, uint64_t got)
{
	struct line l = {.n = 0};

	line_text(&l, "mapshare: ");
	line_text(&l, what);
	line_text(&l, ": address ");
	line_number(&l, at);
	line_text(&l, ", ");
	line_number(&l, got);
	line_text(&l, "\n");
	line_print(&l);
	linux_exit_group(1);
}

/* It succeeded, or failed in one of two ways. */
static bool may_fail(const char *what, long got, long one, long other)
{
	if (got < 0 && got != one && got != other)
		fail(what, 0, (uint64_t)-got);
	return got >= 0;
}

/* --- The thread that never stops --- */

static uint64_t spot(uint64_t i)
{
	if (i < PAGES)
		return PLACE + i * PAGE;
	if (i < PAGES + RANGE_MOST)
		return all->heap + (i - PAGES) * PAGE;
	return OTHER + (i - PAGES - RANGE_MOST) * PAGE;
}

static uint64_t ring_at(uint64_t i)
{
	return RINGS_AT + i % RINGS * LARGE_BYTES;
}

static bool ring_is_open(uint64_t i)
{
	return __atomic_load_n(&all->ring[i % RINGS], __ATOMIC_RELAXED);
}

/* The writer restarts here after each fault, with the next spot. */
static void write_always(void)
{
	while (!__atomic_load_n(&all->stop, __ATOMIC_RELAXED)) {
		const uint64_t i = all->at++;

		*(volatile uint64_t *)spot(i % SPOTS) = ~i;
		if (i % SPOTS == 0 && ring_is_open(i / SPOTS))
			*(volatile uint64_t *)(ring_at(i / SPOTS) + PAGE) = ~0ull;
	}
	linux_exit_thread();
}

static void begin_writer(void)
{
	signal_stack((void *)WORKLOAD_HEAP, SIGNAL_STACK);
	write_always();
}

static void restart_writer(int number, siginfo_t *info, void *ucontext)
{
	struct sigcontext_64 *sc =
		(struct sigcontext_64 *)&((struct ucontext *)ucontext)->uc_mcontext;

	(void)number;
	if (linux_syscall3(__NR_gettid, 0, 0, 0) != (long)all->writer.tid)
		fail("a fault", (uint64_t)info->si_addr, sc->ip);
	all->faults++;
	sc->ip = (uint64_t)write_always;
	sc->sp = all->writer.stack + THREAD_STACK_BYTES - 8;
}

/* --- Memory of a single thread --- */

static void check_fresh(const volatile uint64_t *at, uint64_t tag)
{
	for (uint64_t i = 0; i < FRESH * WORDS; i++)
		if (at[i] != (tag ? tag + i : 0))
			fail(tag ? "not what was written" : "not zero", (uint64_t)&at[i], at[i]);
}

static void look_at_new(struct actor *a)
{
	const long at = linux_mmap_zeros(FRESH * PAGE, one_of(a, 2) ? MAP_POPULATE : 0);
	volatile uint64_t *words = (volatile uint64_t *)at;
	const uint64_t tag = below(a, UINT64_MAX >> 16) | 1;

	if (!may_fail("mmap", at, -ENOMEM, -ENOMEM))
		return;
	check_fresh(words, 0);
	for (uint64_t i = 0; i < FRESH * WORDS; i++)
		words[i] = tag + i;
	check_fresh(words, tag);
	linux_munmap((uint64_t)at, FRESH * PAGE);
}

static volatile uint64_t *own_word(const struct actor *a)
{
	return &all->word[a - all->actor];
}

static void check_own(struct actor *a)
{
	if (*own_word(a) != a->own)
		fail("not the word that was written", (uint64_t)own_word(a), *own_word(a));
	*own_word(a) = ++a->own;
}

/* --- Changes --- */

struct range {
	uint64_t at, bytes;
};

static struct range any_range(struct actor *a)
{
	const uint64_t n = 1 + below(a, RANGE_MOST);

	return (struct range){PLACE + below(a, PAGES - n + 1) * PAGE, n * PAGE};
}

static int any_prot(struct actor *a)
{
	return one_of(a, 4) ? PROT_NONE : one_of(a, 3) ? PROT_READ : PROT_READ | PROT_WRITE;
}

static int any_populate(struct actor *a)
{
	return one_of(a, 2) ? MAP_POPULATE : 0;
}

static void map_any(struct actor *a, int how, bool large)
{
	const struct range r = large ? (struct range){LARGE, 2 * LARGE_BYTES} : any_range(a);

	may_fail("mmap",
		 linux_mmap(r.at, r.bytes, large ? PROT_READ | PROT_WRITE : any_prot(a),
			    MAP_PRIVATE | MAP_ANONYMOUS | how | (large ? 0 : any_populate(a)), -1,
			    0),
		 -ENOMEM, how == MAP_FIXED ? -ENOMEM : -EEXIST);
}

static void map_file(struct actor *a)
{
	const struct range r = any_range(a);

	may_fail("mmap of a file",
		 linux_mmap(r.at, r.bytes, any_prot(a),
			    (one_of(a, 3) ? MAP_PRIVATE : MAP_SHARED) | MAP_FIXED | any_populate(a),
			    all->file, (long)(r.at - PLACE)),
		 -ENOMEM, -ENOMEM);
}

static void unmap(struct actor *a)
{
	const struct range r = any_range(a);

	may_fail("munmap", linux_munmap(r.at, r.bytes), -ENOMEM, -ENOMEM);
}

static void protect(struct actor *a)
{
	const struct range r = any_range(a);

	may_fail("mprotect", linux_mprotect(r.at, r.bytes, any_prot(a)), -ENOMEM, -ENOMEM);
}

static void discard(struct actor *a)
{
	const struct range r = any_range(a);

	may_fail("madvise", linux_syscall3(__NR_madvise, r.at, r.bytes, MADV_DONTNEED), -ENOMEM,
		 -ENOMEM);
}

static long remap(uint64_t from, uint64_t old, uint64_t new, uint64_t flags, uint64_t to)
{
	return linux_syscall6(__NR_mremap, from, old, new, flags, to, 0);
}

/* Moves pages within the shared ones, or to OTHER, where they are unmapped. */
static void move_any(struct actor *a)
{
	const struct range from = any_range(a);
	const uint64_t n = from.bytes / PAGE;
	const bool away = one_of(a, 2);
	const uint64_t to = away ? OTHER : PLACE + below(a, PAGES - n + 1) * PAGE;
	const long got = remap(from.at, from.bytes, from.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);

	if (got != -EINVAL) /* onto itself */
		may_fail("mremap", got, -EFAULT, -ENOMEM);
	if (away)
		linux_munmap(OTHER, RANGE_MOST * PAGE);
}

static void resize(struct actor *a)
{
	const struct range r = any_range(a);
	const long got = remap(r.at, r.bytes, (1 + below(a, RANGE_MOST)) * PAGE, 0, 0);

	may_fail("mremap in place", got, -EFAULT, -ENOMEM);
}

static void move_heap(struct actor *a)
{
	linux_syscall3(__NR_brk, all->heap + below(a, RANGE_MOST) * PAGE, 0, 0);
}

static void cut_file(struct actor *a)
{
	may_fail("ftruncate",
		 linux_syscall3(__NR_ftruncate, (uint64_t)all->file, below(a, PAGES + 1) * PAGE, 0),
		 -ENOMEM, -ENOMEM);
}

/* --- Rings --- */

static long open_clock(void)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = SAMPLE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.exclude_kernel = 1,
	};

	return linux_perf_event_open(&attr, 0, -1, -1, 0);
}

static void make_ring(unsigned i)
{
	const long fd = open_clock();
	const long at = fd < 0 ? fd
			       : linux_mmap(ring_at(i), ring_bytes(1), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_FIXED, fd, 0);

	if (fd >= 0 && at < 0)
		linux_close(fd);
	__atomic_store_n(&all->ring[i], at > 0 ? fd : 0, __ATOMIC_RELEASE);
}

/* The writer keeps writing to the ring. */
static void end_ring(struct actor *a, unsigned i, long fd)
{
	const bool first = one_of(a, 2);

	if (first)
		linux_close(fd);
	may_fail("a ring cannot be unmapped", linux_munmap(ring_at(i), ring_bytes(1)), 0, 0);
	if (!first)
		linux_close(fd);
	__atomic_store_n(&all->ring[i], 0, __ATOMIC_RELEASE);
}

/* One thread at a time uses a ring. */
static void change_ring(struct actor *a)
{
	const unsigned i = (unsigned)below(a, RINGS);
	const long fd = __atomic_exchange_n(&all->ring[i], -1, __ATOMIC_ACQUIRE);

	if (!fd)
		make_ring(i);
	else if (fd > 0)
		end_ring(a, i, fd);
}

/* --- Processes --- */

static void step(struct actor *a, bool may_fork);

static void await_child(struct actor *a)
{
	int status = 0;
	const long pid = a->child;

	a->child = 0;
	if (pid && (linux_wait(pid, &status) != pid || status))
		fail("a child failed", (uint64_t)pid, (uint64_t)status);
}

/* A copy of its parent, without the rings. Some become another program with what they have. */
static void begin_process(uint64_t which, uint64_t seed)
{
	struct actor *a = &all->actor[which];
	const char *argv[3];

	argv[0] = "loop";
	argv[1] = "1000";
	argv[2] = NULL;
	a->random = seed | 1;
	for (unsigned i = 0; i < RINGS; i++)
		all->ring[i] = -1;
	for (unsigned i = 0; i < CHILD_STEPS; i++)
		step(a, false);
	if (one_of(a, 2))
		linux_execve("/perf0/bin/loop", argv);
	linux_exit_group(0);
}

static bool fork_child(struct actor *a)
{
	if (!one_of(a, CHILD_SHARE))
		return false;
	await_child(a);
	a->child = process_start(TASK_ENTRY(begin_process), (uint64_t)(a - all->actor),
				 below(a, 1ull << 32), 0);
	if (a->child < 0)
		a->child = 0;
	return a->child;
}

/* --- Steps --- */

static enum kind any_kind(struct actor *a)
{
	static const uint8_t kinds[] = {MAP,     MAP,   MAP_NEW, MAP_NEW, MAP_MEMFD, MAP_MEMFD,
					UNMAP,   UNMAP, UNMAP,   PROTECT, PROTECT,   DISCARD,
					DISCARD, MOVE,  MOVE,    RESIZE,  HEAP,      TRUNCATE,
					RING,    FORK,  FORK,    MAP_BIG, LOOK,      LOOK};

	return kinds[below(a, sizeof(kinds))];
}

static void change(struct actor *a, enum kind kind)
{
	switch (kind) {
	case MAP_MEMFD:
		map_file(a);
		break;
	case UNMAP:
		unmap(a);
		break;
	case PROTECT:
		protect(a);
		break;
	case DISCARD:
		discard(a);
		break;
	case MOVE:
		move_any(a);
		break;
	case RESIZE:
		resize(a);
		break;
	case HEAP:
		move_heap(a);
		break;
	case TRUNCATE:
		cut_file(a);
		break;
	case RING:
		change_ring(a);
		break;
	case LOOK:
		look_at_new(a);
		break;
	default:
		map_any(a, kind == MAP_NEW ? MAP_FIXED_NOREPLACE : MAP_FIXED, kind == MAP_BIG);
	}
}

static void step(struct actor *a, bool may_fork)
{
	const enum kind kind = any_kind(a);

	check_own(a);
	if (kind != FORK)
		change(a, kind);
	else if (!may_fork || !fork_child(a))
		return;
	a->done[kind]++;
}

static void act(uint64_t which, uint64_t steps)
{
	struct actor *a = &all->actor[which];

	for (; steps; steps--)
		step(a, true);
	await_child(a);
}

static void begin_thread(uint64_t which, uint64_t steps)
{
	act(which, steps);
	linux_exit_thread();
}

static void print_kinds(void)
{
	static const char names[KINDS][16] = {
		[MAP] = " mapped",       [MAP_NEW] = " in gaps",    [MAP_MEMFD] = " of a file",
		[MAP_BIG] = " large",    [UNMAP] = " unmapped",     [PROTECT] = " protected",
		[DISCARD] = " emptied",  [MOVE] = " moved",         [RESIZE] = " resized",
		[HEAP] = " of the heap", [TRUNCATE] = " truncated", [RING] = " rings",
		[FORK] = " processes",   [LOOK] = " new ones"};
	struct line l = {.n = 0};

	line_text(&l, "mapshare:");
	for (unsigned kind = 0; kind < KINDS; kind++) {
		uint64_t n = 0;

		for (unsigned i = 0; i < THREADS; i++)
			n += all->actor[i].done[kind];
		line_text(&l, kind ? ", " : " ");
		line_number(&l, n);
		line_text(&l, names[kind]);
	}
	line_text(&l, "; ");
	line_number(&l, all->faults);
	line_text(&l, " writes faulted\n");
	line_print(&l);
}

static void begin(uint64_t seed)
{
	signal_handle(SIGSEGV, restart_writer, SA_ONSTACK);
	signal_handle(SIGBUS, restart_writer, SA_ONSTACK);
	all->heap = (uint64_t)linux_syscall3(__NR_brk, 0, 0, 0);
	all->file = linux_syscall3(__NR_memfd_create, (uint64_t) "mapshare", 0, 0);
	all->word = (volatile uint64_t *)linux_mmap_zeros(PAGE, 0);
	for (unsigned i = 0; i < THREADS; i++)
		all->actor[i].random = (seed + i + 1) * 0x9e3779b97f4a7c15;
}

static void workload_mapshare(uint64_t steps, uint64_t seed)
{
	begin(seed);
	if (all->file < 0 || thread_start(&all->writer, TASK_ENTRY(begin_writer), 0, 0, 0) < 0)
		fail("no memory to begin with", 0, 0);
	while (!__atomic_load_n(&all->faults, __ATOMIC_RELAXED))
		linux_yield(); /* it writes by now, where nothing is yet */
	for (uint64_t i = 1; i < THREADS; i++)
		if (thread_start(&all->actor[i].thread, TASK_ENTRY(begin_thread), i, steps, 0) < 0)
			fail("no memory to begin with", i, 0);
	act(0, steps);
	for (unsigned i = 1; i < THREADS; i++)
		thread_join(&all->actor[i].thread);
	__atomic_store_n(&all->stop, 1, __ATOMIC_RELAXED);
	thread_join(&all->writer);
	print_kinds();
	linux_exit_group(0);
}

static const struct workload mapshare = {
	.name = "mapshare",
	.usage = "[N] [SEED]",
	.summary =
		"three threads of one memory change the same pages N times (2000) each, by all calls "
		"that do, while a fourth writes there. They check that their own memory stays; SEED (1)",
	.entry = WORKLOAD_CODE(workload_mapshare),
	.params = {{"N", WORKLOAD_NUMBER, 2000, 1, UINT64_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(mapshare);
