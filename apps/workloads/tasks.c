// SPDX-License-Identifier: BSD-2-Clause
/* tasks.c - workloads of several tasks: that spawn, take turns, and move from CPU to CPU. */
#include "apps/workloads/crt.h"

#include "include/perf0/task.h"

#define ANY_CHILD (-1)

static void turn_task(uint64_t n)
{
	while (n--)
		__asm__ volatile("");
}

static long spawn3(void (*entry)(void), uint64_t flags, uint64_t a0, uint64_t a1, uint64_t a2)
{
	struct workload_spawn s = {.flags = flags, .entry = (uint64_t)entry, .args = {a0, a1, a2}};

	return perf_syscall(WORKLOAD_SYS_SPAWN, (long)&s, sizeof(s), 0);
}

static long spawn_at(void (*entry)(void), uint64_t flags, uint64_t a0, uint64_t a1)
{
	return spawn3(entry, flags, a0, a1, 0);
}

static long yield(void)
{
	return perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
}

/* Waits for all children. Returns how many there were; `failed` of them with a status. */
static uint64_t wait_all(uint64_t *failed)
{
	uint64_t n = 0;
	int32_t status;

	while (perf_syscall(WORKLOAD_SYS_WAIT, ANY_CHILD, (long)&status, 0) > 0) {
		n++;
		*failed += status != 0;
	}
	return n;
}

static _Noreturn void end_with(uint64_t wanted)
{
	uint64_t failed = 0, n = wait_all(&failed);

	user_exit(n == wanted && !failed ? 0 : 1);
}

/* --- spawner --- */

static void spawner_child(uint64_t turns)
{
	turn_task(turns);
	user_exit(0);
}

/* As many as there is room for at a time: then it waits for some. */
static void workload_spawner(uint64_t n, uint64_t turns, uint64_t threads)
{
	uint64_t spawned = 0, waited = 0, failed = 0;
	int32_t status;

	while (waited < n) {
		if (spawned < n && spawn_at(WORKLOAD_CODE(spawner_child),
					    threads ? WORKLOAD_SPAWN_THREAD : 0, turns, 0) > 0) {
			spawned++;
			continue;
		}
		if (perf_syscall(WORKLOAD_SYS_WAIT, ANY_CHILD, (long)&status, 0) <= 0)
			user_exit(1);
		waited++;
		failed += status != 0;
	}
	user_exit(failed ? 1 : 0);
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

static long run_on(uint64_t cpu)
{
	uint64_t mask[4] = {0};

	mask[cpu / 64] = 1ull << cpu % 64;
	return perf_syscall(WORKLOAD_SYS_SET_AFFINITY, 0, (long)mask, sizeof(mask));
}

#define ANY_CPU UINT64_MAX

static void switches_child(uint64_t n, uint64_t turns, uint64_t cpu)
{
	if (cpu != ANY_CPU && run_on(cpu))
		user_exit(1);
	while (n--) {
		turn_task(turns);
		yield();
	}
	user_exit(0);
}

/* Where they are pinned, neighbours share a CPU. */
static void workload_switches(uint64_t n, uint64_t tasks, uint64_t turns, uint64_t pinned)
{
	const uint64_t ncpus = (uint64_t)perf_syscall(WORKLOAD_SYS_NCPUS, 0, 0, 0);

	for (uint64_t i = 0; i < tasks; i++)
		if (spawn3(WORKLOAD_CODE(switches_child), 0, n, turns,
			   pinned ? i / 2 % ncpus : ANY_CPU) <= 0)
			user_exit(1);
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
	uint32_t turn; /* of the player with this number */
	long patience; /* ns; -1: for ever */
};

static void play(struct pingpong *p, uint32_t self, uint64_t rounds)
{
	while (rounds--) {
		uint32_t turn;

		while ((turn = __atomic_load_n(&p->turn, __ATOMIC_ACQUIRE)) != self)
			perf_syscall(WORKLOAD_SYS_WAIT_ON, (long)&p->turn, turn, p->patience);
		__atomic_store_n(&p->turn, !self, __ATOMIC_RELEASE);
		perf_syscall(WORKLOAD_SYS_WAKE, (long)&p->turn, 1, 0);
	}
}

static void pingpong_child(uint64_t game, uint64_t rounds)
{
	play((struct pingpong *)game, 1, rounds);
	user_exit(0);
}

static void workload_pingpong(uint64_t rounds, uint64_t ns)
{
	struct pingpong *game = (struct pingpong *)WORKLOAD_HEAP;

	game->patience = ns ? (long)ns : -1;
	if (spawn_at(WORKLOAD_CODE(pingpong_child), WORKLOAD_SPAWN_THREAD, (uint64_t)game,
		     rounds) <= 0)
		user_exit(1);
	play(game, 0, rounds);
	end_with(1);
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

/* To the next CPU each time, from wherever it is; counts what did not come true. */
static void migrate_child(uint64_t n, uint64_t turns)
{
	const long ncpus = perf_syscall(WORKLOAD_SYS_NCPUS, 0, 0, 0);
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < n; i++) {
		long to = (perf_syscall(WORKLOAD_SYS_GETCPU, 0, 0, 0) + 1) % ncpus;

		wrong += run_on((uint64_t)to) != 0;
		wrong += perf_syscall(WORKLOAD_SYS_GETCPU, 0, 0, 0) != to;
		turn_task(turns);
	}
	user_exit(wrong ? 1 : 0);
}

static void workload_migrate(uint64_t n, uint64_t tasks, uint64_t turns)
{
	for (uint64_t i = 0; i < tasks; i++)
		if (spawn_at(WORKLOAD_CODE(migrate_child), 0, n, turns) <= 0)
			user_exit(1);
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

static void workload_becomes(uint64_t n)
{
	char number[DIGITS_MAX];
	const char *argv[2];

	argv[0] = "loop";
	argv[1] = number;
	write_number(number, n);
	perf_syscall(WORKLOAD_SYS_EXEC, (long)argv, 2, 0);
	user_exit(1);
}

static const struct workload becomes = {
	.name = "becomes",
	.usage = "[N]",
	.summary = "becomes the program `loop N` (1000000)",
	.entry = WORKLOAD_CODE(workload_becomes),
	.params = {{"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(becomes);

static void workload_nanny(uint64_t n, uint64_t how, uint64_t wanted)
{
	struct workload_spawn s = {.argc = 2};
	uint64_t wrong = 0;
	char number[DIGITS_MAX];
	const char *argv[2];
	int32_t status;

	argv[0] = "crash";
	argv[1] = number;
	write_number(number, how);
	s.argv = (uint64_t)argv;
	while (n--) {
		long tid = perf_syscall(WORKLOAD_SYS_SPAWN, (long)&s, sizeof(s), 0);

		wrong += perf_syscall(WORKLOAD_SYS_WAIT, tid, (long)&status, 0) != tid ||
			 (uint64_t)status != wanted;
	}
	user_exit(wrong ? 1 : 0);
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
