// SPDX-License-Identifier: BSD-2-Clause
/*
 * call_costs.c - measures what system calls and page faults cost, for apps/costs.c. The functions
 * take workload_watch()'s place and arguments, and are no workloads. `counter` counts ring 0's
 * instructions: between two readings it moves by the number of those that ring 0 executed, from its
 * first instruction to SYSRET or IRET. The moves go to WORKLOAD_HEAP.
 */
#include "apps/workloads/call_costs.h"
#include "apps/workloads/crt.h"

#include "include/perf0/selfread.h"

#define PAGE        4096ull
#define LARGE_BYTES (2ull << 20)
#define AREA_BYTES  (4ull << 20)
#define STACK_BYTES (64ull << 10)

/* Its exit status is the number of moves that did not come. */
static void note_costs(uint64_t counter, uint64_t moves, bool (*fn)(void *arg), void *arg)
{
	uint64_t *out = (uint64_t *)WORKLOAD_HEAP;

	for (; moves; moves--) {
		const uint64_t before = selfread_rdpmc((uint32_t)counter);
		const bool ok = fn(arg);
		const uint64_t after = selfread_rdpmc((uint32_t)counter);

		if (!ok)
			break;
		*out++ = after - before;
	}
	linux_exit_group((int)moves);
}

static bool call_getpid(void *unused)
{
	(void)unused;
	return linux_getpid() > 0;
}

void workload_getpid_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	(void)turns;
	note_costs(counter, moves, call_getpid, NULL);
}

static bool write_byte(void *file)
{
	return linux_write((int)(long)file, "b", 1) == 1;
}

/* All bytes go into the first page of the file. */
void workload_write_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	const long file = linux_syscall3(__NR_memfd_create, (uint64_t) "costs", 0, 0);

	(void)turns;
	note_costs(counter, moves, write_byte, (void *)file);
}

static bool touch_next(void *arg)
{
	volatile uint8_t **at = arg;

	**at = 1;
	*at += PAGE;
	return true;
}

/* The pages are small, and their page table exists. */
void workload_fault_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	const long area = linux_mmap_zeros(AREA_BYTES, 0);
	volatile uint8_t *at = (uint8_t *)(((uint64_t)area + LARGE_BYTES - 1) & ~(LARGE_BYTES - 1));

	(void)turns;
	if (area < 0 || linux_syscall3(__NR_madvise, (uint64_t)area, AREA_BYTES, MADV_NOHUGEPAGE))
		linux_exit_group((int)moves);
	note_costs(counter, moves, touch_next, &at);
}

/* --- Two threads hand a word to and fro --- */

struct handover {
	uint32_t turn; /* the number of the task whose turn it is */
	struct thread other;
};

static void hand_over(struct handover *h, uint32_t to)
{
	__atomic_store_n(&h->turn, to, __ATOMIC_RELEASE);
	linux_futex_wake(&h->turn, 1);
}

static void take_over(struct handover *h, uint32_t other)
{
	while (__atomic_load_n(&h->turn, __ATOMIC_ACQUIRE) == other)
		linux_futex_wait(&h->turn, other, 0);
}

static void answer_for_ever(uint64_t arg)
{
	struct handover *h = (struct handover *)arg;

	for (;;) {
		take_over(h, 0);
		hand_over(h, 0);
	}
}

static bool hand_to_and_fro(void *arg)
{
	hand_over(arg, 1);
	take_over(arg, 1);
	return true;
}

/* A move consists of two wakes, two waits and two switches. */
void workload_futex_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	struct handover h = {0};

	(void)turns;
	linux_run_on(0, 0);
	if (thread_start(&h.other, TASK_ENTRY(answer_for_ever), (uint64_t)&h, 0, 0) < 0)
		linux_exit_group((int)moves);
	note_costs(counter, moves, hand_to_and_fro, &h);
}

/* --- Processes and threads --- */

static bool run_program(void *unused)
{
	const char *argv[2];
	int status = 1;
	const long pid = linux_syscall3(__NR_fork, 0, 0, 0);

	(void)unused;
	argv[0] = "loop";
	argv[1] = NULL;
	if (!pid) {
		linux_execve("/perf0/bin/loop", argv);
		linux_exit_group(1);
	}
	return linux_wait(pid, &status) == pid && !status;
}

void workload_fork_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	(void)turns;
	linux_run_on(0, 0);
	note_costs(counter, moves, run_program, NULL);
}

static void end_at_once(void)
{
	linux_exit_thread();
}

/* The stack's memory was mapped before. */
static bool run_thread(void *stack)
{
	const struct thread_first_words words = {.entry = TASK_ENTRY(end_at_once)};
	struct thread t = {.stack = (uint64_t)stack};
	uint32_t tid;

	if (thread_clone(CLONE_THREAD_FLAGS, t.stack + STACK_BYTES, &t.tid, &words) < 0)
		return false;
	while ((tid = __atomic_load_n(&t.tid, __ATOMIC_ACQUIRE)))
		linux_futex_wait(&t.tid, tid, 0);
	return true;
}

void workload_clone_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	const long stack = linux_mmap_zeros(STACK_BYTES, MAP_STACK | MAP_POPULATE);

	(void)turns;
	linux_run_on(0, 0);
	note_costs(counter, stack < 0 ? 0 : moves, run_thread, (void *)stack);
}
