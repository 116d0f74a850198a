// SPDX-License-Identifier: BSD-2-Clause
/*
 * race.c - operates on events of tasks and CPUs, while the tasks move from CPU to CPU, yield, sleep
 * and end. A task counts its own calls of two functions, before and after each call, in memory that
 * it shares with the operating task. Whenever a breakpoint on such a function is read, these counts
 * bound its value; while the task stands still, they determine it. The first mismatch is printed,
 * and ends the program.
 */
#include "tests/programs/race.h"

/* --- Rounds --- */

/* `lasts`: the task does not end soon, so the round can wait for more of its calls. */
static void toggle(struct event *e, bool lasts)
{
	switch (race_below(&race.random, 7)) {
	case 0:
		race_enable(e);
		break;
	case 1:
		race_refresh(e);
		break;
	case 2:
		race_reset(e);
		break;
	case 3:
		race_set_period(e, 500 + race_below(&race.random, 2000));
		break;
	case 4:
		race_modify(e);
		break;
	default:
		race_disable(e);
		race_check_count("a breakpoint that was disabled", e);
		race_check_count("the same, once more", e);
		break;
	}
	race_check_count("a breakpoint that is operated on", e);
	if (lasts && e->enabled && !race_below(&race.random, 4)) {
		race_await_calls(e->task, e->mark, 2);
		race_check_count("a breakpoint of a task that calls on", e);
	}
}

/* A limited event stops exactly at its limit. Until then the task has no debug register left. */
static void limited(const struct task *t)
{
	const struct perf_event_attr attr = race_breakpoint(0, true, 1);
	struct event e;

	race_open_event(&e, t, &attr, 0);
	race_must_be("a fifth breakpoint, which has to be refused: error",
		     (uint64_t)-race_open_perf(&attr, t->tid, -1, -1), ENOSPC);
	race_control_perf(OP_REFRESH, e.handle, PERF_EVENT_IOC_REFRESH, LIMIT);
	if (race_below(&race.random, 4)) {
		race_await_calls(t, 0, LIMIT + 1);
		race_must_be("an event at its limit", race_read_event(&e), LIMIT);
		race_must_be("the same, once more", race_read_event(&e), LIMIT);
	} else if (race_read_event(&e) > LIMIT) {
		fail_race("an event with a limit", e.value, 0, LIMIT);
	}
	race_close_perf(e.handle);
}

static void read_group(long leader, uint64_t values[5])
{
	race.ops[OP_GROUP]++;
	race_must_be("bytes of a group",
		     (uint64_t)race_must_succeed("reading a group", linux_read(leader, values, 40)),
		     40);
	race_must_be("members of a group", values[0], 2);
	if (values[2] > values[1])
		fail_race("time running of a group", values[2], 0, values[1]);
}

static void run_group(const struct task *t)
{
	struct perf_event_attr first = race_counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	const struct perf_event_attr second = race_breakpoint(0, false, 0);
	uint64_t values[5], again[5], ended, begun;
	long leader, member;

	first.disabled = 1;
	first.read_format |= PERF_FORMAT_GROUP;
	leader = race_must_succeed("opening a leader", race_open_perf(&first, t->tid, -1, -1));
	member = race_must_succeed("opening a member", race_open_perf(&second, t->tid, -1, leader));
	begun = race_load_shared(&t->ended[0]);
	race_control_perf(OP_ENABLE, leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	ended = race_load_shared(&t->begun[0]);
	race_await_calls(t, 0, race_below(&race.random, 4));
	ended = race_load_shared(&t->ended[0]) > ended ? race_load_shared(&t->ended[0]) - ended : 0;
	race_control_perf(OP_DISABLE, leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	begun = race_load_shared(&t->begun[0]) - begun;
	read_group(leader, values);
	if (values[4] < ended || values[4] > begun)
		fail_race("a breakpoint in a group", values[4], ended, begun);
	read_group(leader, again);
	for (unsigned i = 0; i < 5; i++)
		race_must_be("a group that was disabled", again[i], values[i]);
	if (race_below(&race.random, 2)) {
		race_close_perf(leader);
		race_close_perf(member);
	} else {
		race_close_perf(member);
		race_close_perf(leader);
	}
}

static void operate_counter(struct event *e)
{
	uint64_t value;

	race_read_event(e);
	if (race_below(&race.random, 4)) {
		race_control_perf(OP_ENABLE, e->handle, PERF_EVENT_IOC_ENABLE, 0);
		return;
	}
	race_control_perf(OP_DISABLE, e->handle, PERF_EVENT_IOC_DISABLE, 0);
	value = race_read_event(e);
	race_must_be("a counter that was disabled", race_read_event(e), value);
}

static void start_thread(struct task *t, task_entry *entry, uint64_t which)
{
	t->tid = race_must_succeed("a new thread", thread_start(&t->thread, entry, which, 0, 0));
}

static void await_ready(const struct task *t)
{
	while (!__atomic_load_n(&t->ready, __ATOMIC_SEQ_CST))
		linux_yield();
}

static void release_task(struct task *t)
{
	__atomic_store_n(&t->go, 1, __ATOMIC_SEQ_CST);
	linux_futex_wake(&t->go, 1);
}

/* The kernel clears a thread's word before the thread is gone. */
static void await_thread(struct task *t)
{
	const long pid = linux_getpid();

	thread_join(&t->thread);
	while (linux_syscall3(__NR_tgkill, (uint64_t)pid, (uint64_t)t->tid, 0) != -ESRCH)
		linux_yield();
	race.gone++;
}

static void await_process(long pid)
{
	int status = -1;

	race_must_be("a process that ends", (uint64_t)linux_wait(pid, &status), (uint64_t)pid);
	race_must_be("its status", (uint64_t)status, 0);
	race.gone++;
}

/* A thread's event keeps its last value when operations go on after the thread's end. */
static void brief_thread(void)
{
	const struct perf_event_attr all = race_breakpoint(0, false, 0),
				     some = race_breakpoint(0, true, 1000);
	struct task *t = &race.brief;
	struct event always, toggled;
	uint64_t value;

	*t = (struct task){.random = race.random};
	start_thread(t, TASK_ENTRY(race_entry_brief), 0);
	await_ready(t);
	race_open_event(&always, t, &all, 0);
	race_open_event(&toggled, t, &some, 0);
	release_task(t);
	while (race_load_shared(&t->ended[0]) < SHORT_CALLS - SHORT_CALLS / 50) {
		race_check_count("a breakpoint of a task that ends soon", &always);
		toggle(&toggled, false);
		linux_sleep_ns(20000);
	}
	for (unsigned i = 0; i < 20; i++) {
		race_check_count("a breakpoint of a task that is ending", &always);
		if (i % 2)
			race_disable(&toggled);
		else
			race_enable(&toggled);
	}
	await_thread(t);
	race_check_count("a breakpoint of a task that has ended", &always);
	race_must_be("a breakpoint of a task that has ended", always.value, t->ended[0]);
	race_disable(&toggled);
	value = race_read_event(&toggled);
	race_enable(&toggled);
	race_must_be("a breakpoint that was enabled when its task had ended",
		     race_read_event(&toggled), value);
	race_must_be("opening an event of a task that has ended: error",
		     (uint64_t)-race_open_perf(&all, t->tid, -1, -1), ESRCH);
	race.gone_calls += t->ended[0];
	race_close_perf(toggled.handle);
	race_close_perf(always.handle);
}

static long start_process(uint64_t calls, uint64_t stack)
{
	const struct thread_first_words words = {
		.entry = TASK_ENTRY(race_entry_process),
		.args = {calls},
	};

	race.process = (struct task){.random = race.random | 1};
	return race_must_succeed(
		"a new process",
		thread_clone(CLONE_VM | SIGCHLD, stack + THREAD_STACK_BYTES, NULL, &words));
}

/* Opens and closes an event of a task that may end at any moment. */
static void brief_process(void)
{
	const struct perf_event_attr attr = race_breakpoint(0, false, 0);
	const uint64_t calls = race_below(&race.random, SHORT_CALLS);
	const long stack = race_must_succeed("a stack", linux_mmap_zeros(THREAD_STACK_BYTES, 0));
	const long tid = start_process(calls, (uint64_t)stack);
	struct event e = {.handle = -1};

	for (unsigned i = 0; i < 50; i++) {
		e = (struct event){.handle = race_open_perf(&attr, tid, -1, -1)};
		if (e.handle == -ESRCH)
			break;
		race_must_succeed("opening an event of a process", e.handle);
		race_read_event(&e);
		race_control_perf(OP_DISABLE, e.handle, PERF_EVENT_IOC_DISABLE, 0);
		race_control_perf(OP_ENABLE, e.handle, PERF_EVENT_IOC_ENABLE, 0);
		if (race_read_event(&e) > calls)
			fail_race("a breakpoint of a process", e.value, 0, calls);
		if (i < 49)
			race_close_perf(e.handle);
	}
	await_process(tid);
	linux_munmap((uint64_t)stack, THREAD_STACK_BYTES);
	race.gone_calls += calls;
	if (e.handle < 0)
		return;
	if (race_read_event(&e) > calls)
		fail_race("a breakpoint of a process that has ended", e.value, 0, calls);
	race_close_perf(e.handle);
}

/* The sum of all CPUs' breakpoints at the address where the tasks call. */
static uint64_t calls_on_cpus(void)
{
	uint64_t sum = 0, value[3];

	for (unsigned cpu = 0; cpu < race.ncpus; cpu++) {
		race.ops[OP_READ]++;
		race_must_succeed("READ of a CPU",
				  linux_read(race.of_cpu[cpu], value, sizeof(value)));
		if (value[2] > value[1])
			fail_race("time running of a CPU", value[2], 0, value[1]);
		sum += value[0];
	}
	return sum;
}

static uint64_t calls_of_tasks(bool begun)
{
	uint64_t sum = race.gone_calls;

	for (unsigned i = 0; i < race.ntasks; i++)
		sum += race_load_shared(begun ? &race.tasks[i].begun[0] : &race.tasks[i].ended[0]);
	return sum;
}

static void check_cpus(void)
{
	const uint64_t low = calls_of_tasks(false), value = calls_on_cpus();

	if (value < low || value > calls_of_tasks(true))
		fail_race("the breakpoints of all CPUs", value, low, calls_of_tasks(true));
}

static void round_of(unsigned i)
{
	struct task *t = &race.tasks[i];

	race_check_count("a breakpoint that is always on", &race.always[i]);
	toggle(&race.toggled[i], true);
	if (race.counters)
		operate_counter(&race.counter[i]);
	race_read_event(&race.faults[i]);
	switch (race_below(&race.random, 12)) {
	case 0:
	case 1:
		limited(t);
		break;
	case 2:
	case 3:
		run_group(t);
		break;
	case 4:
	case 5:
		race.ops[OP_MOVE]++;
		race_must_succeed("moving a task",
				  race_move_task(t->tid, race_below(&race.random, race.ncpus + 1)));
		break;
	case 6:
		race_must_succeed("moving",
				  race_move_task(0, race_below(&race.random, race.ncpus + 1)));
		break;
	case 7:
		check_cpus();
		break;
	case 8:
		if (!race_below(&race.random, 8))
			brief_thread();
		break;
	case 9:
		if (!race_below(&race.random, 8))
			brief_process();
		break;
	default:
		linux_sleep_ns(race_below(&race.random, 100000));
		break;
	}
}

/* --- Begin and end --- */

static void open_all(struct task *t, unsigned i)
{
	const struct perf_event_attr all = race_breakpoint(0, false, 0),
				     some = race_breakpoint(0, true, 1000);
	const struct perf_event_attr faults =
		race_counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	const struct perf_event_attr moves =
		race_counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);
	const struct perf_event_attr counter =
		race_counting(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	race_open_event(&race.always[i], t, &all, 0);
	race_open_event(&race.toggled[i], t, &some, 0);
	race_open_event(&race.faults[i], t, &faults, 0);
	race.migrations[i] =
		race_must_succeed("opening cpu-migrations", race_open_perf(&moves, t->tid, -1, -1));
	race.counter[i].handle = race_open_perf(&counter, t->tid, -1, -1);
	race.counters = race.counter[i].handle >= 0;
	if (!race.counters && race.counter[i].handle != -ENOENT &&
	    race.counter[i].handle != -EOPNOTSUPP)
		race_must_succeed("opening a counter", race.counter[i].handle);
}

static void begin_race(void)
{
	const struct perf_event_attr all = race_breakpoint(0, false, 0);

	for (unsigned i = 0; i < race.ntasks; i++) {
		struct task *t = &race.tasks[i];

		t->random = race.random + 77 * i;
		start_thread(t, TASK_ENTRY(race_entry_task), i);
		await_ready(t);
		open_all(t, i);
	}
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		race.of_cpu[cpu] = race_must_succeed("opening a breakpoint of a CPU",
						     race_open_perf(&all, -1, (int)cpu, -1));
	for (unsigned i = 0; i < race.ntasks; i++)
		release_task(&race.tasks[i]);
}

/* Closes all events. Returns how many times tasks moved. */
static uint64_t finish_race(void)
{
	uint64_t migrations = 0, value[3];

	__atomic_store_n(&race.stop, 1, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < race.ntasks; i++) {
		struct task *t = &race.tasks[i];

		await_thread(t);
		race_check_count("a breakpoint at the end", &race.always[i]);
		race_must_be("a breakpoint at the end", race.always[i].value, t->ended[0]);
		race_disable(&race.toggled[i]);
		race_check_count("a breakpoint that was operated on, at the end", &race.toggled[i]);
		race_must_be("page-faults at the end", race_read_event(&race.faults[i]), t->faults);
		race_must_succeed("READ", linux_read(race.migrations[i], value, sizeof(value)));
		if (value[0] < t->moves)
			fail_race("cpu-migrations", value[0], t->moves, UINT64_MAX);
		migrations += value[0];
		race_close_perf(race.always[i].handle);
		race_close_perf(race.toggled[i].handle);
		race_close_perf(race.faults[i].handle);
		race_close_perf(race.migrations[i]);
		if (race.counters)
			race_close_perf(race.counter[i].handle);
	}
	race_must_be("the breakpoints of all CPUs at the end", calls_on_cpus(),
		     calls_of_tasks(true));
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		race_close_perf(race.of_cpu[cpu]);
	return migrations;
}

#define OPEN_MOST 4096

/* Returns how many events of `attr` can be open at once. */
static unsigned count_free(const struct perf_event_attr *attr, long task, int cpu, long error)
{
	int *fds = (int *)WORKLOAD_HEAP;
	unsigned n = 0;
	long fd;

	while ((fd = race_open_perf(attr, task, cpu, -1)) >= 0 && n < OPEN_MOST)
		fds[n++] = (int)fd;
	race_must_be("one event more than there may be: error", (uint64_t)-fd, (uint64_t)error);
	for (unsigned i = 0; i < n; i++)
		race_close_perf(fds[i]);
	return n;
}

static unsigned count_free_fds(void)
{
	struct perf_event_attr dummy = race_counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	dummy.exclude_kernel = 1;
	return count_free(&dummy, 0, -1, EMFILE);
}

static void check_leaks(unsigned fds)
{
	const struct perf_event_attr all = race_breakpoint(0, false, 0);

	race_must_be("breakpoints of a task, afterwards", count_free(&all, 0, -1, ENOSPC),
		     DEBUGREGS);
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		race_must_be("breakpoints of a CPU, afterwards",
			     count_free(&all, -1, (int)cpu, ENOSPC), DEBUGREGS);
	race_must_be("file descriptors, afterwards", count_free_fds(), fds);
}

static void report(uint64_t migrations)
{
	struct line l = {.n = 0};

	race_line_count(&l, "race: seed ", race.seed, ", ");
	race_line_count(&l, "CPUs ", race.ncpus, ", ");
	race_line_count(&l, "tasks ", race.ntasks, " and ");
	race_line_count(&l, "", race.gone - race.ntasks, " that ended meanwhile, ");
	race_line_count(&l, "calls ", calls_of_tasks(true), ", ");
	race_line_count(&l, "migrations ", migrations, "; operations: ");
	race_line_count(&l, "open ", race.ops[OP_OPEN], ", ");
	race_line_count(&l, "refused ", race.ops[OP_REFUSED], ", ");
	race_line_count(&l, "enable ", race.ops[OP_ENABLE], ", ");
	race_line_count(&l, "disable ", race.ops[OP_DISABLE], ", ");
	race_line_count(&l, "reset ", race.ops[OP_RESET], ", ");
	race_line_count(&l, "refresh ", race.ops[OP_REFRESH], ", ");
	race_line_count(&l, "period ", race.ops[OP_PERIOD], ", ");
	race_line_count(&l, "modify ", race.ops[OP_MODIFY], ", ");
	race_line_count(&l, "read ", race.ops[OP_READ], ", ");
	race_line_count(&l, "group ", race.ops[OP_GROUP], ", ");
	race_line_count(&l, "move ", race.ops[OP_MOVE], ", ");
	race_line_count(&l, "close ", race.ops[OP_CLOSE], race.counters ? "" : "; no counters");
	line_text(&l, "; errors 0\n");
	line_print(&l);
}

static void workload_race(uint64_t ns, uint64_t tasks, uint64_t seed)
{
	uint64_t migrations, until;
	unsigned fds;

	race.ncpus = (unsigned)linux_cpus();
	race.ncpus = race.ncpus < CPUS_MAX ? race.ncpus : CPUS_MAX;
	race.seed = seed;
	race.random = seed * 0x9e3779b97f4a7c15;
	race.ntasks = (unsigned)tasks;
	race_move_task(0, race.ncpus);
	fds = count_free_fds();
	begin_race();
	until = linux_now_ns() + ns;
	do
		round_of((unsigned)race_below(&race.random, race.ntasks));
	while (linux_now_ns() < until);
	brief_thread();
	brief_process();
	migrations = finish_race();
	check_leaks(fds);
	report(migrations);
	linux_exit_group(0);
}

static const struct workload race_workload = {
	.name = "race",
	.usage = "[SECONDS] [TASKS] [SEED]",
	.summary = "operates for SECONDS (5) on events of TASKS tasks (4) that move from CPU to "
		   "CPU meanwhile, and checks every count; SEED (1) says which and when; wants "
		   "--allow-system",
	.entry = WORKLOAD_CODE(workload_race),
	.params = {{"SECONDS", WORKLOAD_SECONDS, 5000000000, 0, 3600000000000},
		   {"TASKS", WORKLOAD_NUMBER, 4, 1, TASKS_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 1, UINT64_MAX}},
};
WORKLOAD_ENTRY(race_workload);
