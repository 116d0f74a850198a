// SPDX-License-Identifier: BSD-2-Clause
/*
 * task.c - the tree of tasks: how they begin and end, and the run of a command's workload, which
 * lasts until the last of them has ended.
 *
 * `lock` is for the tree and for what it says of each task; it comes before the scheduler's. A task
 * is freed by the CPU that takes it out of the list, with the lock: no other CPU finds it then.
 */
#include "rt/task/task.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/dev/tsc.h"
#include "lib/panic.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/task/fault.h"
#include "rt/perf/region.h"
#include "rt/task/sched.h"
#include "rt/task/syscall.h"

#include <linux/errno.h>

_Static_assert(TASK_MAX + 64 <= TIMER_HEAP_MAX, "all tasks may sleep on one CPU, beside the rest");

#define TASK_PAGES ((sizeof(struct task) + PAGE_SIZE - 1) / PAGE_SIZE)

static struct {
	struct lock lock;
	struct task *first; /* newest first; task 1 is in it while there is a run */
	unsigned n;         /* in the list, or on their way there */
	unsigned live;      /* those that have not ended */
	uint32_t last_tid;
} tree;

/* Task 1, which the event core always knows, and the last process that it was in: what is in its
 * memory can be looked at until the next run, or the end of the command. NULL: there is none. */
static struct task first;
static struct process *kept;

static struct {
	struct task_outcome *outcome; /* NULL: nothing runs */
	volatile bool interrupted;
	volatile bool ending; /* all tasks are to end */
	enum task_end end;    /* why */
	struct hrtimer timeout;
	void (*on_start)(void); /* NULL: nothing else starts with it */
	uint64_t ended_at;
	struct perf_event_mmap_page *pages; /* WORKLOAD_EVENTS */
	struct pmu_event *shared[WORKLOAD_EVENTS_MAX];
	bool rdpmc;
} run;

static uint64_t lock_tree(void)
{
	uint64_t flags = irq_save();

	lock_take(&tree.lock);
	return flags;
}

static void unlock_tree(uint64_t flags)
{
	lock_release(&tree.lock);
	irq_restore(flags);
}

/* --- Ending them all --- */

bool task_must_end(const struct task *t)
{
	return t->killed || run.ending;
}

/* Tasks that sleep wake up to end, those that run are brought back, those that wait end when it is
 * their turn. */
static void end_all(void)
{
	uint64_t flags = lock_tree();

	for (struct task *t = tree.first; t; t = t->next_task)
		sched_wake(t);
	sched_kick_all();
	unlock_tree(flags);
}

static void end_from_irq(enum task_end end)
{
	run.interrupted = true;
	if (!run.outcome || run.ending)
		return;
	run.end = end;
	run.ending = true;
	end_all();
}

static void on_timeout(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	end_from_irq(TASK_TIMED_OUT);
}

void task_interrupt(void)
{
	end_from_irq(TASK_INTERRUPTED);
}

bool task_runs(void)
{
	return run.outcome;
}

void task_forget_interrupt(void)
{
	run.interrupted = false;
}

/* --- Names --- */

struct pmu_task *task_events(void)
{
	return &first.events;
}

const char *task_comm(void)
{
	const struct task *t = sched_current();

	return t ? t->comm : first.comm;
}

static struct task *find_by_tid(uint32_t tid)
{
	struct task *t = tree.first;

	while (t && t->tid != tid)
		t = t->next_task;
	return t;
}

static void set_comm(struct task *t, const char *name)
{
	size_t n = strnlen(name, TASK_COMM - 1);

	memset(t->comm, 0, sizeof(t->comm));
	memcpy(t->comm, name, n);
}

void task_set_comm(struct task *t, const char *name)
{
	set_comm(t, name);
	pmu_output_comm(&t->events, t->comm, false);
}

/* --- Sharing events --- */

static void *control_page(unsigned i)
{
	return (uint8_t *)run.pages + i * PAGE_SIZE;
}

int task_share_event(unsigned i, struct pmu_event *e)
{
	int bad = i < WORKLOAD_EVENTS_MAX ? pmu_event_set_page(e, control_page(i)) : -EINVAL;

	if (bad)
		return bad;
	run.shared[i] = e;
	run.rdpmc = true;
	return 0;
}

void task_unshare_events(void)
{
	for (unsigned i = 0; i < WORKLOAD_EVENTS_MAX; i++) {
		if (run.shared[i])
			pmu_event_set_page(run.shared[i], NULL);
		run.shared[i] = NULL;
	}
	run.rdpmc = false;
}

void task_share_rdpmc(bool share)
{
	run.rdpmc = share;
}

void task_allow_rdpmc(struct task *t)
{
	t->process->rdpmc = true;
	sched_allow_rdpmc(true);
}

/* --- Beginning --- */

static void on_wakeup(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	sched_wake((struct task *)((uint8_t *)timer - offsetof(struct task, timer)));
}

/* All of `t` but what the event core has in it. */
static void clear_task(struct task *t)
{
	const struct pmu_task events = t->events;

	memset(t, 0, sizeof(*t));
	t->events = events;
	t->timer.fn = on_wakeup;
	t->syscall = -1;
}

static int start_at(struct task *t, const struct process_start *start)
{
	return user_state_init(&t->user, start->rip, start->rsp, start->args);
}

/* In the list of all tasks, and ready to be given to the scheduler. */
static void enter_tree(struct task *t)
{
	uint64_t flags = lock_tree();

	t->next_task = tree.first;
	tree.first = t;
	tree.live++;
	t->process->threads++;
	unlock_tree(flags);
}

/* With room in the tree for the task that gets it. */
static long new_tid(void)
{
	uint64_t flags = lock_tree();
	long tid = -EAGAIN;

	if (tree.n < TASK_MAX) {
		tree.n++;
		tid = (long)++tree.last_tid;
	}
	unlock_tree(flags);
	return tid;
}

static void give_up_tid(void)
{
	uint64_t flags = lock_tree();

	tree.n--;
	unlock_tree(flags);
}

static int make_thread(struct task *t, struct task *parent, const struct task_spawn *how)
{
	struct process_start start = {.rip = how->entry};
	int err;

	t->process = parent->process;
	t->pid = parent->pid;
	start.rsp = process_stack(t->process, &t->stack);
	if (!start.rsp)
		return -EAGAIN;
	start.rsp -= 8;
	memcpy(start.args, how->args, sizeof(start.args));
	err = start_at(t, &start);
	if (err)
		process_free_stack(t->process, t->stack);
	t->announced = true; /* its parent's memory, and its parent's name */
	return err;
}

static int make_process(struct task *t, const struct task_spawn *how)
{
	struct process_start start;
	int err;

	t->pid = t->tid;
	t->begins = true;
	err = process_create(&t->process, t->pid, how->call, &start);
	if (err)
		return err;
	if (how->entry) {
		start.rip = how->entry;
		memcpy(start.args, how->args, sizeof(start.args));
	}
	err = start_at(t, &start);
	if (err)
		process_destroy(t->process);
	return err;
}

static int make_task(struct task *t, struct task *parent, const struct task_spawn *how)
{
	int err = how->call ? make_process(t, how) : make_thread(t, parent, how);

	if (err)
		return err;
	t->parent = parent;
	t->affinity = parent->affinity;
	set_comm(t, how->call ? how->call->workload->name : parent->comm);
	return 0;
}

long task_spawn(struct task *parent, const struct task_spawn *how)
{
	const long tid = new_tid();
	struct task *t;
	int err = -ENOMEM;

	if (tid < 0)
		return tid;
	t = page_alloc_user(TASK_PAGES);
	if (t) {
		clear_task(t);
		t->tid = (uint32_t)tid;
		err = make_task(t, parent, how);
	}
	if (err) {
		if (t)
			page_free(t, TASK_PAGES);
		give_up_tid();
		return err;
	}
	enter_tree(t);
	pmu_task_init(&t->events, t->pid, t->tid, &parent->events);
	trace(sched_process_fork, parent->comm, parent->tid, t->comm, t->tid);
	sched_new(t);
	return tid;
}

long task_exec(struct task *t, const struct workload_call *call)
{
	struct process *p;
	uint64_t flags = lock_tree();
	const bool alone = t->process->threads == 1;
	int err;

	unlock_tree(flags);
	if (!alone)
		return -EBUSY;
	err = process_create(&p, t->pid, call, &t->start);
	if (err)
		return err;
	p->threads = 1;
	t->stack = 0;
	set_comm(t, call->workload->name);
	t->announced = false;
	t->onfault = (struct onfault){0};
	sched_restart(p);
}

/* The side-band records that let a viewer name code and data of the samples. */
static void announce_task(struct task *t)
{
	pmu_output_comm(&t->events, t->comm, true);
	process_announce(t->process, &t->events);
	t->announced = true;
}

void task_begin(struct task *t)
{
	t->begins = false;
	if (!t->announced) {
		announce_task(t);
		trace(sched_process_exec, t->process->call.title, t->tid, t->tid);
	}
	pmu_task_exec(&t->events);
}

/* --- Ending --- */

static void drop_memory(struct process *p)
{
	perf_close_all(&p->perf);
	if (p != kept)
		process_destroy(p);
}

/* With the lock, for a CPU that finds the task finds its memory too (task_each()). */
void task_change_memory(struct task *t)
{
	uint64_t flags = lock_tree();
	struct process *old = t->process;

	t->process = t->enters;
	t->enters = NULL;
	unlock_tree(flags);
	if (t == &first)
		kept = t->process;
	space_enter(&t->process->space);
	drop_memory(old);
}

void task_forget_memory(void)
{
	struct process *old = kept;
	uint64_t flags;

	if (!old)
		return;
	flags = irq_save();
	sched_enter_nothing();
	irq_restore(flags);
	kept = NULL;
	process_destroy(old);
}

static void unlink_task(struct task *t)
{
	struct task **at = &tree.first;

	while (*at != t)
		at = &(*at)->next_task;
	*at = t->next_task;
	tree.n--;
}

static void forget_task(struct task *t)
{
	unlink_task(t);
	if (t != &first)
		page_free(t, TASK_PAGES);
}

/* No task asks for its children any more; those that have ended go with it. */
static void leave_children(struct task *t)
{
	for (struct task *c = tree.first, *next; c; c = next) {
		next = c->next_task;
		if (c->parent != t)
			continue;
		c->parent = NULL;
		if (c->gone)
			forget_task(c);
	}
}

static void add_times(const struct task *t)
{
	const uint64_t user = t->in_ring3 - tsc_to_ns(t->inside);

	run.outcome->user_ns += user;
	run.outcome->sys_ns += t->ran - user;
}

static bool is_waited_for(const struct task *t)
{
	const struct task *p = t->parent;

	return p && p->waits_for_child && (p->wait_for == -1 || p->wait_for == (int)t->tid);
}

/* NULL: other tasks are in it, which may end at once, and the process with them. */
static struct process *leave_process(struct task *t)
{
	struct process *p = t->process;
	uint64_t flags;

	process_free_stack(p, t->stack);
	flags = lock_tree();
	t->process = NULL;
	if (--p->threads)
		p = NULL;
	unlock_tree(flags);
	return p;
}

static void leave_tree(struct task *t)
{
	uint64_t flags = lock_tree();

	add_times(t);
	leave_children(t);
	t->gone = true;
	if (is_waited_for(t))
		sched_wake(t->parent);
	if (!t->parent)
		forget_task(t);
	if (!--tree.live)
		smp_kick(0);
	unlock_tree(flags);
}

static void end_events(struct task *t)
{
	if (t == &first)
		pmu_output_exit(&t->events);
	else
		pmu_task_exit(&t->events);
}

void task_gone(struct task *t)
{
	struct process *p;

	run.ended_at = clock_ns();
	end_events(t);
	region_leave(&t->regions);
	perf_task_gone(t);
	p = leave_process(t);
	if (p)
		drop_memory(p);
	leave_tree(t);
}

/* --- Waiting for children --- */

/* The tid of a child that has ended, which is forgotten. -EAGAIN: none has yet; -ECHILD. With the
 * lock. */
static long reap_child(const struct task *t, int tid, int32_t *status)
{
	long result = -ECHILD;

	for (struct task *c = tree.first; c; c = c->next_task) {
		if (c->parent != t || (tid != -1 && (int)c->tid != tid))
			continue;
		if (!c->gone) {
			result = -EAGAIN;
			continue;
		}
		result = c->tid;
		*status = c->status;
		forget_task(c);
		break;
	}
	return result;
}

static long wait_again(struct task *t);

/* 0: it sleeps now. */
static long reap_or_sleep(struct task *t, bool hang, int32_t *status)
{
	uint64_t flags = lock_tree();
	long tid = reap_child(t, t->wait_for, status);

	t->waits_for_child = tid == -EAGAIN && hang;
	if (t->waits_for_child)
		sched_prepare_sleep(0, wait_again);
	unlock_tree(flags);
	return tid == -EAGAIN ? 0 : tid;
}

static long tell_status(struct task *t, long tid, int32_t status)
{
	if (tid > 0 && t->status_to && copy_to_user(t->status_to, &status, sizeof(status)))
		return -EFAULT;
	return tid;
}

static long wait_again(struct task *t)
{
	int32_t status = 0;
	long tid = reap_or_sleep(t, true, &status);

	return tell_status(t, tid, status);
}

long task_wait(struct task *t, int tid, uint64_t status_to, bool hang)
{
	int32_t status = 0;
	long child;

	t->wait_for = tid;
	t->status_to = status_to;
	child = reap_or_sleep(t, hang, &status);
	if (t->waits_for_child)
		sched_sleep();
	return tell_status(t, child, status);
}

/* --- Other tasks --- */

int task_with(int tid, int (*fn)(struct task *t, void *arg), void *arg)
{
	uint64_t flags = lock_tree();
	struct task *other = find_by_tid((uint32_t)tid);
	int result = other && !other->gone ? fn(other, arg) : -ESRCH;

	unlock_tree(flags);
	return result;
}

void task_each(void (*fn)(struct task *t, void *arg), void *arg)
{
	uint64_t flags = lock_tree();

	for (struct task *t = tree.first, *next; t; t = next) {
		next = t->next_task;
		if (!t->gone)
			fn(t, arg);
	}
	unlock_tree(flags);
}

static void end_one(struct task *t)
{
	t->killed = true;
	sched_wake(t);
	smp_kick(t->cpu);
}

static int kill_task(struct task *target, void *by)
{
	const struct task *t = by;

	if (target->pid == t->pid) {
		end_one(target);
		return 0;
	}
	if (target->parent != t)
		return -EPERM;
	for (struct task *x = tree.first; x; x = x->next_task)
		if (x->pid == target->pid && !x->gone)
			end_one(x);
	return 0;
}

int task_kill(struct task *t, int tid)
{
	return task_with(tid, kill_task, t);
}

/* --- A run --- */

void task_init(void)
{
	run.pages = page_alloc(WORKLOAD_EVENTS_MAX);
	if (!run.pages)
		panic("no memory for control pages");
	run.timeout.fn = on_timeout;
	first.pid = first.tid = TASK_PID;
	pmu_task_init(&first.events, TASK_PID, TASK_PID, NULL);
	fault_init();
	syscall_init();
}

static void note_end(struct task_outcome *o, enum task_end end)
{
	o->end = end;
	o->status = end == TASK_TIMED_OUT ? STATUS_TIMEOUT : STATUS_INTERRUPTED;
	fmt_print(o->why, sizeof(o->why), "%s",
		  end == TASK_TIMED_OUT ? "it did not end in time" : "interrupted");
}

/* Frees first what the run before left: there may be no room for both. */
static int make_first(const struct workload_call *call)
{
	struct process_start start;
	struct process *made = NULL;
	int err;

	task_forget_memory();
	clear_task(&first);
	first.pid = first.tid = TASK_PID;
	set_comm(&first, call->workload->name);
	memset(&first.affinity, 0xff, sizeof(first.affinity));
	err = process_create(&made, TASK_PID, call, &start);
	if (!err)
		err = process_map_at(made, WORKLOAD_EVENTS, run.pages, WORKLOAD_EVENTS_MAX,
				     PAGE_READ);
	if (!err)
		err = start_at(&first, &start);
	if (err) {
		if (made)
			process_destroy(made);
		return err;
	}
	first.process = kept = made;
	return 0;
}

void task_on_start(void (*fn)(void))
{
	run.on_start = fn;
}

static bool all_gone(void)
{
	return !__atomic_load_n(&tree.live, __ATOMIC_ACQUIRE);
}

static void run_all(struct task_outcome *outcome, uint64_t timeout_ns)
{
	uint64_t start, flags = irq_save();

	tree.last_tid = TASK_PID;
	tree.n = 1;
	run.ending = false;
	run.outcome = outcome;
	if (timeout_ns)
		hrtimer_start(&run.timeout, timeout_ns);
	enter_tree(&first);
	start = clock_ns();
	if (run.on_start)
		run.on_start();
	sched_new(&first);
	sched_loop(all_gone);
	outcome->elapsed_ns = run.ended_at - start;
	hrtimer_cancel(&run.timeout);
	run.outcome = NULL;
	run.interrupted = false;
	irq_restore(flags);
}

/* What ended all of them ended the first one, unless that had ended before. */
static void note_outcome(struct task_outcome *o)
{
	if (run.ending && first.end == TASK_KILLED) {
		note_end(o, run.end);
		return;
	}
	o->end = first.end;
	o->status = first.status;
	fmt_print(o->why, sizeof(o->why), "%s",
		  first.end == TASK_FAULTED  ? fault_text()
		  : first.end == TASK_KILLED ? "killed"
					     : "");
}

int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome)
{
	*outcome = (struct task_outcome){0};
	trace_sync_user();
	if (make_first(call)) {
		outcome->end = TASK_NOT_STARTED;
		outcome->status = STATUS_FAILED;
		fmt_print(outcome->why, sizeof(outcome->why), "there is no memory for it");
		return outcome->status;
	}
	first.process->rdpmc = run.rdpmc;
	announce_task(&first);
	if (run.interrupted) {
		run.interrupted = false;
		note_end(outcome, TASK_INTERRUPTED);
		return outcome->status;
	}
	first.begins = true;
	run_all(outcome, timeout_ns);
	space_enter(&kept->space);
	note_outcome(outcome);
	return outcome->status;
}
