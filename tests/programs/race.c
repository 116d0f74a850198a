// SPDX-License-Identifier: BSD-2-Clause
/*
 * race.c - operations on the events of tasks, and of CPUs, while the tasks move from CPU to CPU,
 * yield, sleep and end. They count their own calls of two functions, before and after each, in
 * memory that they share with the task that operates; so of a breakpoint on a function is known
 * between which two numbers its count must lie whenever it is read, and what it must be to the
 * digit when it stands still. The first thing that does not fit ends all, with what it was.
 */
#include "apps/workloads/crt.h"
#include "apps/workloads/line.h"
#include "include/perf0/task.h"
#include "include/perf0/user.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>
#include <stdbool.h>
#include <stddef.h>

#define MARKS       2
#define TASKS_MAX   8
#define CPUS_MAX    8
#define DEBUGREGS   4
#define PAGE        4096
#define BURST       20
#define LIMIT       5    /* overflows until an event stops by itself */
#define SHORT_CALLS 2000 /* of a task that ends soon */
#define PATIENCE_NS 10000000000
#define ANY_CHILD   (-1)

/* Written by the task alone. */
struct task {
	uint64_t begun[MARKS], ended[MARKS]; /* calls */
	uint64_t moves, faults, random;
	uint32_t go, ready;
	long tid;
};

/* An event on a mark in one task, and what is known of it. */
struct event {
	long handle;
	const struct task *task;
	unsigned mark;
	bool enabled;
	uint64_t period;
	uint64_t low, high;           /* its count, but for what came since it was enabled last */
	uint64_t low_from, high_from; /* of the calls ended and begun, not to be counted */
	uint64_t value, time_enabled, time_running; /* as last read */
};

enum op {
	OP_OPEN,
	OP_REFUSED, /* to open, as it has to be */
	OP_CLOSE,
	OP_ENABLE,
	OP_DISABLE,
	OP_RESET,
	OP_REFRESH,
	OP_READ,
	OP_PERIOD,
	OP_MODIFY,
	OP_GROUP,
	OP_MOVE,
	OPS,
};

static struct {
	struct task tasks[TASKS_MAX], brief;
	unsigned ntasks, ncpus;
	uint32_t stop;
	uint64_t seed, random;
	struct event always[TASKS_MAX], toggled[TASKS_MAX], counter[TASKS_MAX], faults[TASKS_MAX];
	long migrations[TASKS_MAX], of_cpu[CPUS_MAX];
	bool counters;
	uint64_t gone_calls, gone; /* of tasks that ended meanwhile */
	uint64_t ops[OPS];
} race;

/* --- What the tasks do --- */

static __attribute__((noipa)) void mark_a(void)
{
	__asm__ volatile("nop");
}

static __attribute__((noipa)) void mark_b(void)
{
	__asm__ volatile("nop; nop");
}

static uint64_t below(uint64_t *random, uint64_t n)
{
	uint64_t x = *random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*random = x;
	return (x * 0x2545f4914f6cdd1d >> 16) % n;
}

static uint64_t load(const uint64_t *from)
{
	return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

static void call(struct task *t, unsigned mark)
{
	__atomic_store_n(&t->begun[mark], t->begun[mark] + 1, __ATOMIC_SEQ_CST);
	if (mark)
		mark_b();
	else
		mark_a();
	__atomic_store_n(&t->ended[mark], t->ended[mark] + 1, __ATOMIC_SEQ_CST);
}

/* To one CPU, or to where it is let. */
static long move(long tid, uint64_t cpu)
{
	const uint64_t mask = cpu < race.ncpus ? 1ull << cpu : (1ull << race.ncpus) - 1;

	return perf_syscall(WORKLOAD_SYS_SET_AFFINITY, (uint64_t)tid, (uint64_t)&mask,
			    sizeof(mask));
}

static void move_self(struct task *t)
{
	long from = perf_syscall(WORKLOAD_SYS_GETCPU, 0, 0, 0);

	move(0, below(&t->random, race.ncpus + 1));
	t->moves += perf_syscall(WORKLOAD_SYS_GETCPU, 0, 0, 0) != from;
}

static void fault(struct task *t)
{
	long at = perf_syscall(WORKLOAD_SYS_MAP, PAGE, 0, 0);

	if (at <= 0)
		return;
	*(volatile uint8_t *)at = 1;
	t->faults++;
	perf_syscall(WORKLOAD_SYS_UNMAP, (uint64_t)at, PAGE, 0);
}

static void burst(struct task *t)
{
	for (uint64_t n = below(&t->random, BURST); n; n--)
		call(t, below(&t->random, 3) == 0);
	switch (below(&t->random, 8)) {
	case 0:
	case 1:
		move_self(t);
		break;
	case 2:
		perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
		break;
	case 3:
		perf_syscall(WORKLOAD_SYS_SLEEP, below(&t->random, 200000), 0, 0);
		break;
	case 4:
		fault(t);
		break;
	}
}

/* Its stack is there, and it stands still, until it is told to go. */
static void await_go(struct task *t)
{
	volatile uint8_t stack[2 * PAGE];

	stack[0] = stack[PAGE] = 0;
	__atomic_store_n(&t->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&t->go, __ATOMIC_SEQ_CST))
		perf_syscall(WORKLOAD_SYS_WAIT_ON, (uint64_t)&t->go, 0, (uint64_t)-1);
}

static void entry_task(uint64_t which)
{
	struct task *t = &race.tasks[which];

	await_go(t);
	while (!__atomic_load_n(&race.stop, __ATOMIC_SEQ_CST))
		burst(t);
	user_exit(0);
}

/* A thread that ends soon. */
static void entry_brief(void)
{
	struct task *t = &race.brief;

	await_go(t);
	while (t->ended[0] < SHORT_CALLS)
		burst(t);
	user_exit(0);
}

/* A process that ends soon: its memory is its own. */
static void entry_process(uint64_t calls, uint64_t ncpus, uint64_t seed)
{
	struct task *t = &race.tasks[0];

	race.ncpus = (unsigned)ncpus;
	t->random = seed;
	while (t->ended[0] < calls) {
		call(t, 0);
		if (!below(&t->random, 50))
			move_self(t);
	}
	user_exit(0);
}

/* --- What is said --- */

static void add(struct line *l, const char *before, uint64_t value, const char *behind)
{
	line_text(l, before);
	line_number(l, value);
	line_text(l, behind);
}

/* All end: a thread that is not told to go yet by its own. */
static _Noreturn void end(int status)
{
	__atomic_store_n(&race.stop, 1, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < race.ntasks; i++) {
		__atomic_store_n(&race.tasks[i].go, 1, __ATOMIC_SEQ_CST);
		perf_syscall(WORKLOAD_SYS_WAKE, (uint64_t)&race.tasks[i].go, 1, 0);
	}
	user_exit(status);
}

static _Noreturn void fail(const char *what, uint64_t got, uint64_t low, uint64_t high)
{
	struct line l = {.n = 0};

	add(&l, "race: ", perf_syscall(WORKLOAD_SYS_TIME, 0, 0, 0) / 1000000, " ms, ");
	add(&l, "seed ", race.seed, ": ");
	line_text(&l, what);
	add(&l, ": ", got, "");
	add(&l, ", wanted ", low, "");
	if (high != low)
		add(&l, " to ", high, "");
	line_text(&l, "\n");
	line_print(&l);
	end(1);
}

/* A system call that has to succeed. */
static long must(const char *what, long result)
{
	struct line l = {.n = 0};
	long n;

	if (result >= 0)
		return result;
	add(&l, "race: seed ", race.seed, ": ");
	line_text(&l, what);
	add(&l, ": error ", (uint64_t)-result, ": ");
	n = perf_last_reason(l.text + l.n, sizeof(l.text) - l.n - 1);
	l.n += n > 0 ? (size_t)n : 0;
	line_text(&l, "\n");
	line_print(&l);
	end(1);
}

static void is(const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		fail(what, got, wanted, wanted);
}

/* --- Operations, and what follows from each --- */

static uint64_t mark_address(unsigned mark)
{
	return mark ? (uint64_t)mark_b : (uint64_t)mark_a;
}

static struct perf_event_attr breakpoint(unsigned mark, bool disabled, uint64_t period)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(struct perf_event_attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = mark_address(mark),
		.bp_len = sizeof(long),
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP : 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = disabled,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

static struct perf_event_attr counting(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = type == PERF_TYPE_HARDWARE,
		.exclude_hv = 1,
	};
}

static long open(const struct perf_event_attr *attr, long tid, int cpu, long group)
{
	const long handle = perf_event_open(attr, (int)tid, cpu, (int)group, 0);

	race.ops[handle < 0 ? OP_REFUSED : OP_OPEN]++;
	return handle;
}

static void close(long handle)
{
	race.ops[OP_CLOSE]++;
	must("closing", perf_event_close(handle));
}

static void ioctl(enum op op, long handle, unsigned long request, uint64_t arg)
{
	static const char names[OPS][10] = {
		[OP_ENABLE] = "ENABLE",   [OP_DISABLE] = "DISABLE", [OP_RESET] = "RESET",
		[OP_REFRESH] = "REFRESH", [OP_PERIOD] = "PERIOD",   [OP_MODIFY] = "MODIFY",
	};

	race.ops[op]++;
	must(names[op], perf_event_ioctl(handle, request, arg));
}

/* An operation from which on calls count, between `before` and after it. */
static void enabled_from(struct event *e, uint64_t ended_before)
{
	e->high_from = ended_before;
	e->low_from = load(&e->task->begun[e->mark]);
	e->enabled = true;
}

/* One from which on they do not. */
static void disabled_from(struct event *e, uint64_t ended_before)
{
	const uint64_t begun = load(&e->task->begun[e->mark]);

	if (!e->enabled)
		return;
	e->low += ended_before > e->low_from ? ended_before - e->low_from : 0;
	e->high += begun - e->high_from;
	e->enabled = false;
}

static void open_event(struct event *e, const struct task *t, const struct perf_event_attr *attr,
		       unsigned mark)
{
	const uint64_t ended = load(&t->ended[mark]);

	*e = (struct event){.task = t, .mark = mark, .period = attr->sample_period};
	e->handle = must("opening an event of a task", open(attr, t->tid, -1, -1));
	if (!attr->disabled)
		enabled_from(e, ended);
}

static void enable(struct event *e)
{
	const uint64_t ended = load(&e->task->ended[e->mark]);

	ioctl(OP_ENABLE, e->handle, PERF_EVENT_IOC_ENABLE, 0);
	if (!e->enabled)
		enabled_from(e, ended);
}

/* So much as never comes. */
static void refresh(struct event *e)
{
	const uint64_t ended = load(&e->task->ended[e->mark]);

	ioctl(OP_REFRESH, e->handle, PERF_EVENT_IOC_REFRESH, 1u << 20);
	if (!e->enabled)
		enabled_from(e, ended);
}

static void disable(struct event *e)
{
	const uint64_t ended = load(&e->task->ended[e->mark]);

	ioctl(OP_DISABLE, e->handle, PERF_EVENT_IOC_DISABLE, 0);
	disabled_from(e, ended);
}

static void reset(struct event *e)
{
	const uint64_t ended = load(&e->task->ended[e->mark]);

	ioctl(OP_RESET, e->handle, PERF_EVENT_IOC_RESET, 0);
	e->low = e->high = e->value = 0;
	if (e->enabled)
		enabled_from(e, ended);
}

static void set_period(struct event *e, uint64_t period)
{
	ioctl(OP_PERIOD, e->handle, PERF_EVENT_IOC_PERIOD, (uint64_t)&period);
	e->period = period;
}

/* Onto the other mark; its count goes on. */
static void modify(struct event *e)
{
	const unsigned other = !e->mark;
	struct perf_event_attr attr = breakpoint(other, false, e->period);
	const uint64_t ended = load(&e->task->ended[e->mark]);
	const uint64_t ended_other = load(&e->task->ended[other]);

	ioctl(OP_MODIFY, e->handle, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (uint64_t)&attr);
	disabled_from(e, ended);
	e->mark = other;
	enabled_from(e, ended_other);
}

/* What holds of any event. */
static uint64_t read_event(struct event *e)
{
	uint64_t now[3];

	race.ops[OP_READ]++;
	is("bytes of READ", (uint64_t)must("READ", perf_event_read(e->handle, now, sizeof(now))),
	   sizeof(now));
	if (now[0] < e->value)
		fail("a count that went back", now[0], e->value, UINT64_MAX);
	if (now[1] < e->time_enabled)
		fail("time enabled that went back", now[1], e->time_enabled, UINT64_MAX);
	if (now[2] < e->time_running)
		fail("time running that went back", now[2], e->time_running, UINT64_MAX);
	if (now[2] > now[1])
		fail("time running above time enabled", now[2], 0, now[1]);
	e->value = now[0];
	e->time_enabled = now[1];
	e->time_running = now[2];
	return now[0];
}

/* And of a breakpoint. */
static void check(const char *what, struct event *e)
{
	const uint64_t ended = load(&e->task->ended[e->mark]);
	const uint64_t value = read_event(e), begun = load(&e->task->begun[e->mark]);
	uint64_t low = e->low, high = e->high;

	if (e->enabled) {
		low += ended > e->low_from ? ended - e->low_from : 0;
		high += begun - e->high_from;
	}
	if (value < low || value > high)
		fail(what, value, low, high);
	if (!e->enabled)
		e->low = e->high = value;
}

/* Until it has called so often from now on: what is enabled grows. */
static void await_calls(const struct task *t, unsigned mark, uint64_t n)
{
	const uint64_t wanted = load(&t->ended[mark]) + n;
	const long from = perf_syscall(WORKLOAD_SYS_TIME, 0, 0, 0);

	while (load(&t->ended[mark]) < wanted) {
		perf_syscall(WORKLOAD_SYS_SLEEP, 20000, 0, 0);
		if (perf_syscall(WORKLOAD_SYS_TIME, 0, 0, 0) - from > PATIENCE_NS)
			fail("calls of a task that stands still", load(&t->ended[mark]), wanted,
			     wanted);
	}
}

/* --- Rounds --- */

/* `lasts`: the task does not end soon, so that more of its calls can be waited for. */
static void toggle(struct event *e, bool lasts)
{
	switch (below(&race.random, 7)) {
	case 0:
		enable(e);
		break;
	case 1:
		refresh(e);
		break;
	case 2:
		reset(e);
		break;
	case 3:
		set_period(e, 500 + below(&race.random, 2000));
		break;
	case 4:
		modify(e);
		break;
	default:
		disable(e);
		check("a breakpoint that was disabled", e);
		check("the same, once more", e);
		break;
	}
	check("a breakpoint that is operated on", e);
	if (lasts && e->enabled && !below(&race.random, 4)) {
		await_calls(e->task, e->mark, 2);
		check("a breakpoint of a task that calls on", e);
	}
}

/* It stops by itself, at so many to the digit; meanwhile the task has no register left. */
static void limited(const struct task *t)
{
	const struct perf_event_attr attr = breakpoint(0, true, 1);
	struct event e;

	open_event(&e, t, &attr, 0);
	is("a fifth breakpoint, which has to be refused: error",
	   (uint64_t)-open(&attr, t->tid, -1, -1), ENOSPC);
	ioctl(OP_REFRESH, e.handle, PERF_EVENT_IOC_REFRESH, LIMIT);
	if (below(&race.random, 4)) {
		await_calls(t, 0, LIMIT + 1);
		is("an event at its limit", read_event(&e), LIMIT);
		is("the same, once more", read_event(&e), LIMIT);
	} else if (read_event(&e) > LIMIT) {
		fail("an event with a limit", e.value, 0, LIMIT);
	}
	close(e.handle);
}

static void read_group(long leader, uint64_t values[5])
{
	race.ops[OP_GROUP]++;
	is("bytes of a group",
	   (uint64_t)must("reading a group", perf_event_read(leader, values, 40)), 40);
	is("members of a group", values[0], 2);
	if (values[2] > values[1])
		fail("time running of a group", values[2], 0, values[1]);
}

static void group(const struct task *t)
{
	struct perf_event_attr first = counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	const struct perf_event_attr second = breakpoint(0, false, 0);
	uint64_t values[5], again[5], ended, begun;
	long leader, member;

	first.disabled = 1;
	first.read_format |= PERF_FORMAT_GROUP;
	leader = must("opening a leader", open(&first, t->tid, -1, -1));
	member = must("opening a member", open(&second, t->tid, -1, leader));
	begun = load(&t->ended[0]);
	ioctl(OP_ENABLE, leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	ended = load(&t->begun[0]);
	await_calls(t, 0, below(&race.random, 4));
	ended = load(&t->ended[0]) > ended ? load(&t->ended[0]) - ended : 0;
	ioctl(OP_DISABLE, leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	begun = load(&t->begun[0]) - begun;
	read_group(leader, values);
	if (values[4] < ended || values[4] > begun)
		fail("a breakpoint in a group", values[4], ended, begun);
	read_group(leader, again);
	for (unsigned i = 0; i < 5; i++)
		is("a group that was disabled", again[i], values[i]);
	if (below(&race.random, 2)) {
		close(leader);
		close(member);
	} else {
		close(member);
		close(leader);
	}
}

static void operate_counter(struct event *e)
{
	uint64_t value;

	read_event(e);
	if (below(&race.random, 4)) {
		ioctl(OP_ENABLE, e->handle, PERF_EVENT_IOC_ENABLE, 0);
		return;
	}
	ioctl(OP_DISABLE, e->handle, PERF_EVENT_IOC_DISABLE, 0);
	value = read_event(e);
	is("a counter that was disabled", read_event(e), value);
}

static long spawn(void (*entry)(void), uint64_t flags, uint64_t a0, uint64_t a1, uint64_t a2)
{
	const struct workload_spawn s = {
		.flags = flags, .entry = (uint64_t)entry, .args = {a0, a1, a2}};

	return must("a new task", perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&s, sizeof(s), 0));
}

static void await_ready(const struct task *t)
{
	while (!__atomic_load_n(&t->ready, __ATOMIC_SEQ_CST))
		perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
}

static void release(struct task *t)
{
	__atomic_store_n(&t->go, 1, __ATOMIC_SEQ_CST);
	perf_syscall(WORKLOAD_SYS_WAKE, (uint64_t)&t->go, 1, 0);
}

static void await_end(long tid)
{
	int32_t status = -1;

	is("a task that ends",
	   (uint64_t)perf_syscall(WORKLOAD_SYS_WAIT, (uint64_t)tid, (uint64_t)&status, 0),
	   (uint64_t)tid);
	is("its status", (uint64_t)status, 0);
	race.gone++;
}

/* Operated on until it ends, and behind that: the last value stays. */
static void brief_thread(void)
{
	const struct perf_event_attr all = breakpoint(0, false, 0),
				     some = breakpoint(0, true, 1000);
	struct task *t = &race.brief;
	struct event always, toggled;
	uint64_t value;

	*t = (struct task){.random = race.random};
	t->tid = spawn(WORKLOAD_CODE(entry_brief), WORKLOAD_SPAWN_THREAD, 0, 0, 0);
	await_ready(t);
	open_event(&always, t, &all, 0);
	open_event(&toggled, t, &some, 0);
	release(t);
	while (load(&t->ended[0]) < SHORT_CALLS - SHORT_CALLS / 50) {
		check("a breakpoint of a task that ends soon", &always);
		toggle(&toggled, false);
		perf_syscall(WORKLOAD_SYS_SLEEP, 20000, 0, 0);
	}
	for (unsigned i = 0; i < 20; i++) {
		check("a breakpoint of a task that is ending", &always);
		if (i % 2)
			disable(&toggled);
		else
			enable(&toggled);
	}
	await_end(t->tid);
	check("a breakpoint of a task that has ended", &always);
	is("a breakpoint of a task that has ended", always.value, t->ended[0]);
	disable(&toggled);
	value = read_event(&toggled);
	enable(&toggled);
	is("a breakpoint that was enabled when its task had ended", read_event(&toggled), value);
	is("opening an event of a task that has ended: error",
	   (uint64_t)-open(&all, t->tid, -1, -1), ESRCH);
	race.gone_calls += t->ended[0];
	close(toggled.handle);
	close(always.handle);
}

/* Opened and closed while it may end at any moment. */
static void brief_process(void)
{
	const struct perf_event_attr attr = breakpoint(0, false, 0);
	const uint64_t calls = below(&race.random, SHORT_CALLS);
	const long tid = spawn(WORKLOAD_CODE(entry_process), 0, calls, race.ncpus, race.random | 1);
	struct event e = {.handle = -1};

	for (unsigned i = 0; i < 50; i++) {
		e = (struct event){.handle = open(&attr, tid, -1, -1)};
		if (e.handle == -ESRCH)
			break;
		must("opening an event of a process", e.handle);
		read_event(&e);
		ioctl(OP_DISABLE, e.handle, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(OP_ENABLE, e.handle, PERF_EVENT_IOC_ENABLE, 0);
		if (read_event(&e) > calls)
			fail("a breakpoint of a process", e.value, 0, calls);
		if (i < 49)
			close(e.handle);
	}
	await_end(tid);
	race.gone_calls += calls;
	if (e.handle < 0)
		return;
	if (read_event(&e) > calls)
		fail("a breakpoint of a process that has ended", e.value, 0, calls);
	close(e.handle);
}

/* Of all that run there, at the address where the tasks call. */
static uint64_t calls_on_cpus(void)
{
	uint64_t sum = 0, value[3];

	for (unsigned cpu = 0; cpu < race.ncpus; cpu++) {
		race.ops[OP_READ]++;
		must("READ of a CPU", perf_event_read(race.of_cpu[cpu], value, sizeof(value)));
		if (value[2] > value[1])
			fail("time running of a CPU", value[2], 0, value[1]);
		sum += value[0];
	}
	return sum;
}

static uint64_t calls_of_tasks(bool begun)
{
	uint64_t sum = race.gone_calls;

	for (unsigned i = 0; i < race.ntasks; i++)
		sum += load(begun ? &race.tasks[i].begun[0] : &race.tasks[i].ended[0]);
	return sum;
}

static void check_cpus(void)
{
	const uint64_t low = calls_of_tasks(false), value = calls_on_cpus();

	if (value < low || value > calls_of_tasks(true))
		fail("the breakpoints of all CPUs", value, low, calls_of_tasks(true));
}

static void round_of(unsigned i)
{
	struct task *t = &race.tasks[i];

	check("a breakpoint that is always on", &race.always[i]);
	toggle(&race.toggled[i], true);
	if (race.counters)
		operate_counter(&race.counter[i]);
	read_event(&race.faults[i]);
	switch (below(&race.random, 12)) {
	case 0:
	case 1:
		limited(t);
		break;
	case 2:
	case 3:
		group(t);
		break;
	case 4:
	case 5:
		race.ops[OP_MOVE]++;
		must("moving a task", move(t->tid, below(&race.random, race.ncpus + 1)));
		break;
	case 6:
		must("moving", move(0, below(&race.random, race.ncpus + 1)));
		break;
	case 7:
		check_cpus();
		break;
	case 8:
		if (!below(&race.random, 8))
			brief_thread();
		break;
	case 9:
		if (!below(&race.random, 8))
			brief_process();
		break;
	default:
		perf_syscall(WORKLOAD_SYS_SLEEP, below(&race.random, 100000), 0, 0);
		break;
	}
}

/* --- Begin and end --- */

static void open_all(struct task *t, unsigned i)
{
	const struct perf_event_attr all = breakpoint(0, false, 0),
				     some = breakpoint(0, true, 1000);
	const struct perf_event_attr faults =
		counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	const struct perf_event_attr moves =
		counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);
	const struct perf_event_attr counter =
		counting(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	open_event(&race.always[i], t, &all, 0);
	open_event(&race.toggled[i], t, &some, 0);
	open_event(&race.faults[i], t, &faults, 0);
	race.migrations[i] = must("opening cpu-migrations", open(&moves, t->tid, -1, -1));
	race.counter[i].handle = open(&counter, t->tid, -1, -1);
	race.counters = race.counter[i].handle >= 0;
	if (!race.counters && race.counter[i].handle != -ENOENT &&
	    race.counter[i].handle != -EOPNOTSUPP)
		must("opening a counter", race.counter[i].handle);
}

static void begin(void)
{
	const struct perf_event_attr all = breakpoint(0, false, 0);

	for (unsigned i = 0; i < race.ntasks; i++) {
		struct task *t = &race.tasks[i];

		t->random = race.random + 77 * i;
		t->tid = spawn(WORKLOAD_CODE(entry_task), WORKLOAD_SPAWN_THREAD, i, 0, 0);
		await_ready(t);
		open_all(t, i);
	}
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		race.of_cpu[cpu] =
			must("opening a breakpoint of a CPU", open(&all, -1, (int)cpu, -1));
	for (unsigned i = 0; i < race.ntasks; i++)
		release(&race.tasks[i]);
}

/* Returns how many times tasks moved. All that was opened is closed. */
static uint64_t finish(void)
{
	uint64_t migrations = 0, value[3];

	__atomic_store_n(&race.stop, 1, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < race.ntasks; i++) {
		struct task *t = &race.tasks[i];

		await_end(t->tid);
		check("a breakpoint at the end", &race.always[i]);
		is("a breakpoint at the end", race.always[i].value, t->ended[0]);
		disable(&race.toggled[i]);
		check("a breakpoint that was operated on, at the end", &race.toggled[i]);
		is("page-faults at the end", read_event(&race.faults[i]), t->faults);
		must("READ", perf_event_read(race.migrations[i], value, sizeof(value)));
		if (value[0] < t->moves)
			fail("cpu-migrations", value[0], t->moves, UINT64_MAX);
		migrations += value[0];
		close(race.always[i].handle);
		close(race.toggled[i].handle);
		close(race.faults[i].handle);
		close(race.migrations[i]);
		if (race.counters)
			close(race.counter[i].handle);
	}
	is("the breakpoints of all CPUs at the end", calls_on_cpus(), calls_of_tasks(true));
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		close(race.of_cpu[cpu]);
	return migrations;
}

/* As many of `attr` as there may be, and not one more. */
static void all_are_free(const char *what, const struct perf_event_attr *attr, long task, int cpu,
			 unsigned n, long error)
{
	long handles[PERF_HANDLES_MAX];

	for (unsigned i = 0; i < n; i++)
		handles[i] = must(what, open(attr, task, cpu, -1));
	is(what, (uint64_t)-open(attr, task, cpu, -1), (uint64_t)error);
	for (unsigned i = 0; i < n; i++)
		close(handles[i]);
}

static void check_leaks(void)
{
	const struct perf_event_attr all = breakpoint(0, false, 0);
	const struct perf_event_attr dummy = counting(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	all_are_free("breakpoints of a task, afterwards", &all, 0, -1, DEBUGREGS, ENOSPC);
	for (unsigned cpu = 0; cpu < race.ncpus; cpu++)
		all_are_free("breakpoints of a CPU, afterwards", &all, -1, (int)cpu, DEBUGREGS,
			     ENOSPC);
	all_are_free("handles, afterwards", &dummy, 0, -1, PERF_HANDLES_MAX, EMFILE);
}

static void report(uint64_t migrations)
{
	struct line l = {.n = 0};

	add(&l, "race: seed ", race.seed, ", ");
	add(&l, "CPUs ", race.ncpus, ", ");
	add(&l, "tasks ", race.ntasks, " and ");
	add(&l, "", race.gone - race.ntasks, " that ended meanwhile, ");
	add(&l, "calls ", calls_of_tasks(true), ", ");
	add(&l, "migrations ", migrations, "; operations: ");
	add(&l, "open ", race.ops[OP_OPEN], ", ");
	add(&l, "refused ", race.ops[OP_REFUSED], ", ");
	add(&l, "enable ", race.ops[OP_ENABLE], ", ");
	add(&l, "disable ", race.ops[OP_DISABLE], ", ");
	add(&l, "reset ", race.ops[OP_RESET], ", ");
	add(&l, "refresh ", race.ops[OP_REFRESH], ", ");
	add(&l, "period ", race.ops[OP_PERIOD], ", ");
	add(&l, "modify ", race.ops[OP_MODIFY], ", ");
	add(&l, "read ", race.ops[OP_READ], ", ");
	add(&l, "group ", race.ops[OP_GROUP], ", ");
	add(&l, "move ", race.ops[OP_MOVE], ", ");
	add(&l, "close ", race.ops[OP_CLOSE], race.counters ? "" : "; no counters");
	line_text(&l, "; errors 0\n");
	line_print(&l);
}

static void workload_race(uint64_t ns, uint64_t tasks, uint64_t seed)
{
	const uint64_t until = (uint64_t)perf_syscall(WORKLOAD_SYS_TIME, 0, 0, 0) + ns;
	uint64_t migrations;

	race.ncpus = (unsigned)perf_syscall(WORKLOAD_SYS_NCPUS, 0, 0, 0);
	race.ncpus = race.ncpus < CPUS_MAX ? race.ncpus : CPUS_MAX;
	race.seed = seed;
	race.random = seed * 0x9e3779b97f4a7c15;
	race.ntasks = (unsigned)tasks;
	move(0, race.ncpus);
	begin();
	do
		round_of((unsigned)below(&race.random, race.ntasks));
	while ((uint64_t)perf_syscall(WORKLOAD_SYS_TIME, 0, 0, 0) < until);
	brief_thread();
	brief_process();
	migrations = finish();
	check_leaks();
	report(migrations);
	user_exit(0);
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
