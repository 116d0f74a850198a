// SPDX-License-Identifier: BSD-2-Clause
/* race_tasks.c - the tasks of race.c: how they loop, count and end. */
#include "tests/programs/race.h"

struct race race;

static __attribute__((noipa)) void mark_a(void)
{
	__asm__ volatile("nop");
}

static __attribute__((noipa)) void mark_b(void)
{
	__asm__ volatile("nop; nop");
}

uint64_t race_mark_address(unsigned mark)
{
	return mark ? (uint64_t)mark_b : (uint64_t)mark_a;
}

uint64_t race_below(uint64_t *random, uint64_t n)
{
	uint64_t x = *random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*random = x;
	return (x * 0x2545f4914f6cdd1d >> 16) % n;
}

uint64_t race_load_shared(const uint64_t *from)
{
	return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

static void call_mark(struct task *t, unsigned mark)
{
	__atomic_store_n(&t->begun[mark], t->begun[mark] + 1, __ATOMIC_SEQ_CST);
	if (mark)
		mark_b();
	else
		mark_a();
	__atomic_store_n(&t->ended[mark], t->ended[mark] + 1, __ATOMIC_SEQ_CST);
}

/* Moves a task to one CPU, or lets it run on any. */
long race_move_task(long tid, uint64_t cpu)
{
	const uint64_t mask = cpu < race.ncpus ? 1ull << cpu : (1ull << race.ncpus) - 1;

	return linux_syscall3(__NR_sched_setaffinity, (uint64_t)tid, sizeof(mask), (uint64_t)&mask);
}

static void move_self(struct task *t)
{
	const long from = linux_getcpu();

	race_move_task(0, race_below(&t->random, race.ncpus + 1));
	t->moves += linux_getcpu() != from;
}

static void fault_page(struct task *t)
{
	const long at = linux_mmap_zeros(PAGE, 0);

	if (at <= 0)
		return;
	*(volatile uint8_t *)at = 1;
	t->faults++;
	linux_munmap((uint64_t)at, PAGE);
}

static void call_in_burst(struct task *t)
{
	for (uint64_t n = race_below(&t->random, BURST); n; n--)
		call_mark(t, race_below(&t->random, 3) == 0);
	switch (race_below(&t->random, 8)) {
	case 0:
	case 1:
		move_self(t);
		break;
	case 2:
		linux_yield();
		break;
	case 3:
		linux_sleep_ns(race_below(&t->random, 200000));
		break;
	case 4:
		fault_page(t);
		break;
	}
}

/* The task keeps its stack and waits, until it is told to go. */
static void await_go(struct task *t)
{
	volatile uint8_t stack[2 * PAGE];

	stack[0] = stack[PAGE] = 0;
	__atomic_store_n(&t->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&t->go, __ATOMIC_SEQ_CST))
		linux_futex_wait(&t->go, 0, 0);
}

void race_entry_task(uint64_t which)
{
	struct task *t = &race.tasks[which];

	await_go(t);
	while (!__atomic_load_n(&race.stop, __ATOMIC_SEQ_CST))
		call_in_burst(t);
	linux_exit_thread();
}

/* A thread that ends soon. */
void race_entry_brief(void)
{
	struct task *t = &race.brief;

	await_go(t);
	while (t->ended[0] < SHORT_CALLS)
		call_in_burst(t);
	linux_exit_thread();
}

void race_entry_process(uint64_t calls)
{
	struct task *t = &race.process;

	while (t->ended[0] < calls) {
		call_mark(t, 0);
		if (!race_below(&t->random, 50))
			move_self(t);
	}
	linux_exit_group(0);
}

/* --- Messages --- */

void race_line_count(struct line *l, const char *before, uint64_t value, const char *behind)
{
	line_text(l, before);
	line_number(l, value);
	line_text(l, behind);
}

_Noreturn void fail_race(const char *what, uint64_t got, uint64_t low, uint64_t high)
{
	struct line l = {.n = 0};

	race_line_count(&l, "race: ", linux_now_ns() / 1000000, " ms, ");
	race_line_count(&l, "seed ", race.seed, ": ");
	line_text(&l, what);
	race_line_count(&l, ": ", got, "");
	race_line_count(&l, ", wanted ", low, "");
	if (high != low)
		race_line_count(&l, " to ", high, "");
	line_text(&l, "\n");
	line_print(&l);
	linux_exit_group(1);
}

/* A system call that has to succeed. */
long race_must_succeed(const char *what, long result)
{
	struct line l = {.n = 0};
	long n;

	if (result >= 0)
		return result;
	race_line_count(&l, "race: seed ", race.seed, ": ");
	line_text(&l, what);
	race_line_count(&l, ": error ", (uint64_t)-result, ": ");
	n = perf0_last_reason(l.text + l.n, sizeof(l.text) - l.n - 1);
	l.n += n > 0 ? (size_t)n : 0;
	line_text(&l, "\n");
	line_print(&l);
	linux_exit_group(1);
}

void race_must_be(const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		fail_race(what, got, wanted, wanted);
}
