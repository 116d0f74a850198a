// SPDX-License-Identifier: BSD-2-Clause
/* tasks.c - workloads of several tasks, which spawn, take turns, and move from CPU to CPU. */
#include "apps/workloads/crt.h"

static void turn_task(uint64_t n)
{
	while (n--)
		__asm__ volatile("");
}

/* Waits for all children. Returns how many there were; `failed` of them with a status. */
static uint64_t wait_all(uint64_t *failed)
{
	uint64_t n = 0;
	int status;

	while (linux_wait(ANY_CHILD, &status) > 0) {
		n++;
		*failed += status != 0;
	}
	return n;
}

static _Noreturn void end_with(uint64_t wanted)
{
	uint64_t failed = 0, n = wait_all(&failed);

	linux_exit_group(n == wanted && !failed ? 0 : 1);
}

/* --- spawner --- */

static void spawned_process(uint64_t turns)
{
	turn_task(turns);
	linux_exit_group(0);
}

static void spawned_thread(uint64_t turns)
{
	turn_task(turns);
	linux_exit_thread();
}

/* Spawns as many at a time as there is room for, then waits for one of them. */
static void spawn_processes(uint64_t n, uint64_t turns)
{
	uint64_t spawned = 0, waited = 0, failed = 0;
	int status;

	while (waited < n) {
		if (spawned < n && process_start(TASK_ENTRY(spawned_process), turns, 0, 0) > 0) {
			spawned++;
			continue;
		}
		if (linux_wait(ANY_CHILD, &status) <= 0)
			linux_exit_group(1);
		waited++;
		failed += status != 0;
	}
	linux_exit_group(failed ? 1 : 0);
}

/* The runtime has room for fewer tasks at the same time. */
#define THREADS_MOST 1024

static void spawn_threads(uint64_t n, uint64_t turns)
{
	struct thread *threads = (struct thread *)WORKLOAD_HEAP;
	uint64_t spawned = 0, joined = 0;

	while (joined < n) {
		if (spawned < n && spawned - joined < THREADS_MOST &&
		    thread_start(&threads[spawned % THREADS_MOST], TASK_ENTRY(spawned_thread),
				 turns, 0, 0) > 0) {
			spawned++;
			continue;
		}
		if (joined == spawned)
			linux_exit_group(1);
		thread_join(&threads[joined++ % THREADS_MOST]);
	}
	linux_exit_group(0);
}

static void workload_spawner(uint64_t n, uint64_t turns, uint64_t threads)
{
	if (threads)
		spawn_threads(n, turns);
	spawn_processes(n, turns);
}

static const struct workload spawner = {
	.name = "spawner",
	.usage = "[TASKS] [N] [threads=0|1]",
	.summary =
		"spawns TASKS (4) that each go round a loop N times (1000000), as processes or threads",
	.entry = WORKLOAD_CODE(workload_spawner),
	.params = {{"TASKS", WORKLOAD_NUMBER, 4, 0, 1000000},
		   {"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX},
		   {"threads", WORKLOAD_NUMBER, 0, 0, 1}},
};
WORKLOAD_ENTRY(spawner);

/* --- switches --- */

#define ANY_CPU UINT64_MAX

static void switches_child(uint64_t n, uint64_t turns, uint64_t cpu)
{
	if (cpu != ANY_CPU && linux_run_on(0, cpu))
		linux_exit_group(1);
	while (n--) {
		turn_task(turns);
		linux_yield();
	}
	linux_exit_group(0);
}

/* Where the tasks are pinned, each two in succession share a CPU. */
static void workload_switches(uint64_t n, uint64_t tasks, uint64_t turns, uint64_t pinned)
{
	const uint64_t ncpus = linux_cpus();

	for (uint64_t i = 0; i < tasks; i++)
		if (process_start(TASK_ENTRY(switches_child), n, turns,
				  pinned ? i / 2 % ncpus : ANY_CPU) <= 0)
			linux_exit_group(1);
	end_with(tasks);
}

static const struct workload switches = {
	.name = "switches",
	.usage = "[N] [TASKS] [TURNS] [PINNED]",
	.summary = "TASKS tasks (2) yield to one another, N times (1000) each, and go round a loop "
		   "TURNS times (0) in between; PINNED (0) 1: in pairs, each on one CPU",
	.entry = WORKLOAD_CODE(workload_switches),
	.params = {{"N", WORKLOAD_NUMBER, 1000, 0, UINT64_MAX},
		   {"TASKS", WORKLOAD_NUMBER, 2, 1, 256},
		   {"TURNS", WORKLOAD_NUMBER, 0, 0, UINT64_MAX},
		   {"PINNED", WORKLOAD_NUMBER, 0, 0, 1}},
};
WORKLOAD_ENTRY(switches);

/* --- pingpong: two threads wake each other --- */

struct pingpong {
	uint32_t turn;     /* the number of the player whose turn it is */
	uint64_t patience; /* ns; 0: for ever */
};

static void play(struct pingpong *p, uint32_t self, uint64_t rounds)
{
	while (rounds--) {
		uint32_t turn;

		while ((turn = __atomic_load_n(&p->turn, __ATOMIC_ACQUIRE)) != self)
			linux_futex_wait(&p->turn, turn, p->patience);
		__atomic_store_n(&p->turn, !self, __ATOMIC_RELEASE);
		linux_futex_wake(&p->turn, 1);
	}
}

static void pingpong_child(uint64_t game, uint64_t rounds)
{
	play((struct pingpong *)game, 1, rounds);
	linux_exit_thread();
}

static void workload_pingpong(uint64_t rounds, uint64_t ns)
{
	struct pingpong *game = (struct pingpong *)WORKLOAD_HEAP;
	struct thread other;

	game->patience = ns;
	if (thread_start(&other, TASK_ENTRY(pingpong_child), (uint64_t)game, rounds, 0) <= 0)
		linux_exit_group(1);
	play(game, 0, rounds);
	thread_join(&other);
	linux_exit_group(0);
}

static const struct workload pingpong = {
	.name = "pingpong",
	.usage = "[N] [NS]",
	.summary = "two threads wake each other N times (1000), and sleep in between, for NS ns at "
		   "most (0: for any time)",
	.entry = WORKLOAD_CODE(workload_pingpong),
	.params = {{"N", WORKLOAD_NUMBER, 1000, 0, UINT64_MAX},
		   {"NS", WORKLOAD_NUMBER, 0, 0, INT64_MAX}},
};
WORKLOAD_ENTRY(pingpong);

/* --- migrate --- */

/* Moves to the next CPU each time, from the one that it is on; counts the moves that failed. */
static void migrate_child(uint64_t n, uint64_t turns)
{
	const uint64_t ncpus = linux_cpus();
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t to = ((uint64_t)linux_getcpu() + 1) % ncpus;

		wrong += linux_run_on(0, to) != 0;
		wrong += (uint64_t)linux_getcpu() != to;
		turn_task(turns);
	}
	linux_exit_group(wrong ? 1 : 0);
}

static void workload_migrate(uint64_t n, uint64_t tasks, uint64_t turns)
{
	for (uint64_t i = 0; i < tasks; i++)
		if (process_start(TASK_ENTRY(migrate_child), n, turns, 0) <= 0)
			linux_exit_group(1);
	end_with(tasks);
}

static const struct workload migrate = {
	.name = "migrate",
	.usage = "[N] [TASKS] [TURNS]",
	.summary = "TASKS tasks (1) move to the next CPU N times (1000) each, and go round a loop "
		   "TURNS times (1000) on each",
	.entry = WORKLOAD_CODE(workload_migrate),
	.params = {{"N", WORKLOAD_NUMBER, 1000, 0, UINT64_MAX},
		   {"TASKS", WORKLOAD_NUMBER, 1, 1, 256},
		   {"TURNS", WORKLOAD_NUMBER, 1000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(migrate);

/* --- becomes, nanny: other programs, by name --- */

static void write_number(char *to, uint64_t n)
{
	unsigned digits = 1;

	for (uint64_t rest = n / 10; rest; rest /= 10)
		digits++;
	to[digits] = '\0';
	for (; digits; n /= 10)
		to[--digits] = (char)('0' + n % 10);
}

#define DIGITS_MAX 21

static void execute(const char *path, const char *name, uint64_t argument)
{
	char number[DIGITS_MAX];
	const char *argv[3];

	argv[0] = name;
	argv[1] = number;
	argv[2] = NULL;
	write_number(number, argument);
	linux_execve(path, argv);
}

static void workload_becomes(uint64_t n)
{
	execute("/perf0/bin/loop", "loop", n);
	linux_exit_group(1);
}

static const struct workload becomes = {
	.name = "becomes",
	.usage = "[N]",
	.summary = "becomes the program `loop N` (1000000)",
	.entry = WORKLOAD_CODE(workload_becomes),
	.params = {{"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(becomes);

static void become_crash(uint64_t how)
{
	execute("/perf0/bin/crash", "crash", how);
	linux_exit_group(1);
}

static void workload_nanny(uint64_t n, uint64_t how, uint64_t wanted)
{
	uint64_t wrong = 0;
	int status;

	while (n--) {
		const long pid = process_start(TASK_ENTRY(become_crash), how, 0, 0);

		wrong += linux_wait(pid, &status) != pid || (uint64_t)status != wanted;
	}
	linux_exit_group(wrong ? 1 : 0);
}

static const struct workload nanny = {
	.name = "nanny",
	.usage = "[N] [HOW] [STATUS]",
	.summary = "spawns `crash HOW` (0) N times (1), one behind the other; each has to end with "
		   "STATUS (139)",
	.entry = WORKLOAD_CODE(workload_nanny),
	.params = {{"N", WORKLOAD_NUMBER, 1, 0, 1000000},
		   {"HOW", WORKLOAD_NUMBER, 0, 0, UINT64_MAX},
		   {"STATUS", WORKLOAD_NUMBER, 139, 0, 255}},
};
WORKLOAD_ENTRY(nanny);
