// SPDX-License-Identifier: BSD-2-Clause
/*
 * sched.c - see sched.h.
 *
 * Which CPU may do what with a task, by its state:
 *
 *	waiting, !on_cpu  any CPU, with the queue's lock: take it off, run it or move it
 *	waiting, on_cpu   woken while it was on its way out: its own CPU alone, which may go on
 *	                  with it as if nothing had been
 *	running           its CPU; others set a flag and kick that CPU
 *	sleeping          the CPU that wakes it, with the lock; its timer is its CPU's
 *
 * Locks: task.c's before those of queues; never two queues at once. task->cpu changes with the lock
 * of the queue that it names, so it stays while that is held.
 */
#include "rt/task/sched.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/time.h"
#include "rt/console/command.h"
#include "rt/vectors.h"

#include <linux/errno.h>
#include <stddef.h>

#define CACHE_LINE 64

struct queue {
	struct lock lock;
	unsigned n; /* tasks that wait */
	struct task *first, *last;
	bool runs;  /* a task has the CPU */
	bool ready; /* the CPU takes tasks */
	struct sched_counts counts;
} __attribute__((aligned(CACHE_LINE)));

static struct queue queues[SMP_MAX_CPUS];
static uint64_t slice_ns = SCHED_SLICE_MS * NSEC_PER_MS;

PERCPU struct task *sched_running;

static PERCPU struct {
	struct pmu_current shown; /* the same for records */
	bool rdpmc;               /* CR4.PCE as tasks have it */
	struct hrtimer slice;
	struct space none; /* what is entered when a process ends and no task follows */
} here;

/* Why user_resume() returned. */
enum left { LEFT_PREEMPTED, LEFT_SLEEPS, LEFT_ENDED, LEFT_RESTARTS };

static struct queue *own_queue(void)
{
	return &queues[smp_cpu()];
}

const struct pmu_current *task_current(void)
{
	return &here.shown;
}

int sched_set_slice_ms(uint64_t ms)
{
	if (!ms || ms > SCHED_SLICE_MS_MOST)
		return -EINVAL;
	slice_ns = ms * NSEC_PER_MS;
	return 0;
}

uint64_t sched_slice_ms(void)
{
	return slice_ns / NSEC_PER_MS;
}

struct sched_counts sched_counts(void)
{
	struct sched_counts sum = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		sum.switches += queues[cpu].counts.switches;
		sum.migrations += queues[cpu].counts.migrations;
	}
	return sum;
}

/* --- Queues: with their locks --- */

static void append_waiting(struct queue *q, struct task *t)
{
	t->state = TASK_WAITING;
	t->next_waiting = NULL;
	if (q->last)
		q->last->next_waiting = t;
	else
		q->first = t;
	q->last = t;
	q->n++;
}

static void take_off_queue(struct queue *q, struct task *t)
{
	struct task **at = &q->first, *before = NULL;

	while (*at != t) {
		before = *at;
		at = &(*at)->next_waiting;
	}
	*at = t->next_waiting;
	if (q->last == t)
		q->last = before;
	q->n--;
}

/* The lock of the queue that `t` belongs to. */
static struct queue *lock_queue_of(struct task *t)
{
	for (;;) {
		unsigned cpu = __atomic_load_n(&t->cpu, __ATOMIC_RELAXED);

		lock_take(&queues[cpu].lock);
		if (t->cpu == cpu)
			return &queues[cpu];
		lock_release(&queues[cpu].lock);
	}
}

/* --- Where a task goes --- */

static bool may_run(const struct task *t, unsigned cpu)
{
	return queues[cpu].ready && cpumask_has(&t->affinity, cpu);
}

static unsigned cpu_load(unsigned cpu)
{
	const struct queue *q = &queues[cpu];

	return __atomic_load_n(&q->n, __ATOMIC_RELAXED) +
	       __atomic_load_n(&q->runs, __ATOMIC_RELAXED);
}

static unsigned choose_cpu(const struct task *t)
{
	unsigned best = may_run(t, t->cpu) ? t->cpu : SMP_MAX_CPUS;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (may_run(t, cpu) && (best == SMP_MAX_CPUS || cpu_load(cpu) < cpu_load(best)))
			best = cpu;
	return best;
}

static void start_slice(void)
{
	if (!hrtimer_armed(&here.slice))
		hrtimer_start_irqs_off(&here.slice, slice_ns);
}

/* A task waits on `cpu` now. */
static void tell_cpu(unsigned cpu)
{
	if (cpu != smp_cpu())
		smp_kick(cpu);
	else if (sched_running)
		start_slice();
}

/* A CPU that looks for the task's queue meanwhile finds the old one or the new one. */
static void assign_cpu(struct task *t, unsigned cpu)
{
	struct queue *q = lock_queue_of(t);

	t->cpu = cpu;
	lock_release(&q->lock);
}

/* A task that is on no queue, and that no other CPU may put on one. */
static void migrate_task(struct task *t, unsigned cpu)
{
	if (cpu == t->cpu)
		return;
	trace(sched_migrate_task, t->comm, t->tid, t->cpu, cpu);
	t->migrated = true;
	assign_cpu(t, cpu);
}

/* A task that is on no queue and no CPU: new, woken, or on its way from another queue. */
static void place_task(struct task *t)
{
	const unsigned cpu = choose_cpu(t);

	ASSERT(cpu < SMP_MAX_CPUS);
	migrate_task(t, cpu);
	lock_take(&queues[cpu].lock);
	append_waiting(&queues[cpu], t);
	lock_release(&queues[cpu].lock);
	tell_cpu(cpu);
}

void sched_new(struct task *t)
{
	assign_cpu(t, smp_cpu());
	assign_cpu(t, choose_cpu(t));
	trace(sched_wakeup_new, &t->events, t->comm, t->tid, t->cpu);
	place_task(t);
}

/* A task stays on its CPU while its timer is in that CPU's heap, or its registers still there. */
bool sched_wake(struct task *t)
{
	struct queue *q = lock_queue_of(t);
	const unsigned cpu = t->cpu;
	const bool sleeps = t->state == TASK_SLEEPING, stays = t->on_cpu || t->timer.at;

	if (sleeps)
		trace(sched_wakeup, &t->events, t->comm, t->tid, cpu);
	if (sleeps && stays)
		append_waiting(q, t);
	else if (sleeps)
		t->state = TASK_NEW;
	lock_release(&q->lock);
	if (!sleeps)
		return false;
	if (stays)
		tell_cpu(cpu);
	else
		place_task(t);
	return true;
}

bool sched_wake_with(struct task *t, long result)
{
	struct queue *q = lock_queue_of(t);

	if (t->state == TASK_SLEEPING)
		t->result = result;
	lock_release(&q->lock);
	return sched_wake(t);
}

/* The oldest task of the longest queue that may come here. */
static struct task *take_from(struct queue *q)
{
	struct task *t;

	lock_take(&q->lock);
	t = q->first;
	while (t && (t->on_cpu || t->timer.at || !may_run(t, smp_cpu())))
		t = t->next_waiting;
	if (t) {
		take_off_queue(q, t);
		t->state = TASK_NEW;
	}
	lock_release(&q->lock);
	return t;
}

static struct task *take_from_others(void)
{
	unsigned longest = SMP_MAX_CPUS;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (cpu != smp_cpu() && queues[cpu].n &&
		    (longest == SMP_MAX_CPUS || queues[cpu].n > queues[longest].n))
			longest = cpu;
	return longest < SMP_MAX_CPUS ? take_from(&queues[longest]) : NULL;
}

/* --- Which task is next --- */

static struct task *first_waiting(struct queue *q)
{
	struct task *t;

	lock_take(&q->lock);
	t = q->first;
	if (t) {
		take_off_queue(q, t);
		t->state = TASK_NEW;
	}
	lock_release(&q->lock);
	return t;
}

/* The next task for this CPU; one that its affinity has sent away meanwhile goes there. */
static struct task *take_next(struct queue *q)
{
	struct task *t;

	while ((t = first_waiting(q)) && !t->on_cpu && !may_run(t, smp_cpu())) {
		hrtimer_cancel(&t->timer);
		place_task(t);
	}
	return t;
}

static struct task *come_here(struct task *t)
{
	if (t)
		migrate_task(t, smp_cpu());
	return t;
}

/* The timer does not wake the task any more, even if that goes on without having left its CPU. */
static void stop_timer(struct task *t)
{
	if (hrtimer_armed(&t->timer))
		hrtimer_cancel(&t->timer);
}

/* `t` has the CPU (NULL: no task has), and may keep it if it wants to go on. */
static struct task *pick_next_task(struct task *t)
{
	struct queue *q = own_queue();
	bool stays = t && t->state == TASK_RUNNING && may_run(t, smp_cpu());
	struct task *next = take_next(q);

	if (!next && stays)
		next = t;
	if (!next)
		next = come_here(take_from_others());
	if (next) {
		next->state = TASK_RUNNING;
		stop_timer(next);
	}
	__atomic_store_n(&q->runs, next != NULL, __ATOMIC_RELAXED);
	return next;
}

/* --- From one to the next --- */

#define IDLE "swapper/0", 0

/* The last thing that the task's own events see of it. */
static __attribute__((noinline)) void note_switch(void)
{
	const struct pmu_regs at = {.ip = (uintptr_t)__builtin_return_address(0)};

	own_queue()->counts.switches++;
	pmu_software(PERF_COUNT_SW_CONTEXT_SWITCHES, &at, 0);
}

static void trace_switch(const struct task *from, const struct task *to)
{
	static const enum trace_task_state states[] = {
		[TASK_WAITING] = TRACE_RUNNING,
		[TASK_SLEEPING] = TRACE_SLEEPS,
		[TASK_ENDED] = TRACE_DEAD,
	};

	if (to)
		trace(sched_switch, from->comm, from->tid, states[from->state], to->comm, to->tid);
	else
		trace(sched_switch, from->comm, from->tid, states[from->state], IDLE);
}

static void note_sleep(struct task *t)
{
	if (t->slept)
		trace(sched_stat_sleep, &t->events, t->comm, t->tid, clock_ns() - t->since);
	t->slept = false;
}

void sched_allow_rdpmc(bool allow)
{
	if (here.rdpmc == allow)
		return;
	here.rdpmc = allow;
	write_cr4((read_cr4() & ~CR4_PCE) | (allow ? CR4_PCE : 0));
}

void sched_enter_nothing(void)
{
	space_enter(&here.none);
}

static void show_task(struct task *t)
{
	sched_running = t;
	here.shown.pid = t ? t->pid : 0;
	here.shown.tid = t ? t->tid : 0;
}

/* A CPU that has nothing to do may take what waits here. */
static void tell_idle(void)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (queues[cpu].ready && !cpu_load(cpu)) {
			smp_kick(cpu);
			return;
		}
}

/* No other CPU could touch the task until here. */
static void let_go(struct task *t)
{
	struct queue *q = own_queue();
	bool move = false;

	lock_take(&q->lock);
	t->on_cpu = false;
	if (t->state == TASK_RUNNING) {
		move = !may_run(t, smp_cpu());
		t->state = TASK_NEW;
		if (!move)
			append_waiting(q, t);
	}
	lock_release(&q->lock);
	if (move)
		place_task(t);
	else if (q->n > 0 && smp_ncpus() > 1)
		tell_idle();
}

/* What a task's own events still see of it. As in Linux, those of a task that ends do not see the
 * switch that it ends with. */
static void before_leaving(const struct task *t, const struct task *next)
{
	const uint64_t ran = clock_ns() - t->since;

	trace(sched_stat_runtime, t->comm, t->tid, ran, t->ran + ran);
	if (t->state == TASK_ENDED)
		return;
	note_switch();
	trace_switch(t, next);
}

/* Records show the end as the ending task's own, though the next task is current already. */
static void trace_end(const struct task *t, const struct task *next)
{
	const struct pmu_current now = here.shown;

	here.shown.pid = t->pid;
	here.shown.tid = t->tid;
	trace_switch(t, next);
	here.shown = now;
}

static void after_leaving(struct task *t, const struct task *next, uint64_t now)
{
	if (t->state == TASK_ENDED)
		trace_end(t, next);
	t->ran += now - t->since;
	t->since = now;
}

static void before_arrival(struct task *t, bool from_idle)
{
	note_sleep(t);
	if (from_idle)
		trace(sched_switch, IDLE, TRACE_RUNNING, t->comm, t->tid);
	own_queue()->counts.migrations += t->migrated;
	t->migrated = false;
	t->on_cpu = true;
}

/* The space of a task that has left this CPU may be freed at any time, so a CPU without a task
 * enters an empty one. */
static void enter_space(struct task *t)
{
	space_enter(t ? &t->process->space : &here.none);
	if (t)
		sched_allow_rdpmc(t->process->rdpmc);
	show_task(t);
}

/*
 * The stack of the CPU holds nothing of either task: the switch is one call after the other. What
 * happens between the two halves of pmu_task_switch() is in no task's counts.
 */
static void switch_to(struct task *from, struct task *to)
{
	const bool goes_on = from && from->state == TASK_RUNNING;
	uint64_t now;

	if (from)
		before_leaving(from, to);
	if (to)
		before_arrival(to, !from);
	enter_space(to);
	now = clock_ns();
	if (to)
		to->since = now; /* the time of the switch is that of the task that comes */
	pmu_task_switch(to ? &to->events : NULL, goes_on);
	user_prepare(to ? &to->user : NULL);
	if (from)
		after_leaving(from, to, to ? now : clock_ns());
	if (from && from->state == TASK_ENDED)
		task_gone(from);
	else if (from)
		let_go(from);
}

/* --- Ring 3 --- */

static void arm_slice(void)
{
	if (own_queue()->n)
		start_slice();
	else if (hrtimer_armed(&here.slice))
		hrtimer_cancel(&here.slice);
}

static void end_task(struct task *t, enum task_end how, int status)
{
	trace(sched_process_exit, t->comm, t->tid);
	t->end = how;
	t->status = status;
	t->state = TASK_ENDED;
}

/* The system call that it slept in is over. False: it sleeps again. */
static bool finish_syscall(struct task *t)
{
	const long nr = t->syscall;

	if (nr < 0)
		return true;
	t->wait_on = 0;
	if (t->again) {
		t->result = t->again(t);
		if (t->state != TASK_RUNNING)
			return false;
	}
	t->again = NULL;
	t->syscall = -1;
	t->user.regs.rax = (uint64_t)t->result;
	trace(sys_exit, nr, t->result);
	return true;
}

static void restart_task(struct task *t)
{
	user_state_init(&t->user, t->start.rip, t->start.rsp, t->start.args);
	user_prepare(NULL);
	user_prepare(&t->user);
	task_change_memory(t);
	sched_allow_rdpmc(t->process->rdpmc);
	t->begins = true;
}

static void note_ring3(struct task *t, uint64_t from)
{
	const uint64_t now = clock_ns();

	t->in_ring3 += now - from;
	if (t->entered)
		t->inside += rdtsc() - t->entered;
	t->entered = 0;
}

static void run_task(struct task *t)
{
	uint64_t from;
	long left;

	if (t->begins)
		task_begin(t);
	arm_slice();
	from = clock_ns();
	left = user_resume(&t->user);
	note_ring3(t, from);
	switch (left) {
	case LEFT_PREEMPTED: /* maybe from within a timer's interrupt: sets the hardware again */
		hrtimer_cancel(&here.slice);
		break;
	case LEFT_SLEEPS:
	case LEFT_ENDED:
		break;
	case LEFT_RESTARTS:
		restart_task(t);
		break;
	default:
		end_task(t, TASK_FAULTED, STATUS_FAULTED);
	}
}

static void idle_cpu(void)
{
	irq_enable_and_halt();
	irq_disable();
}

void sched_loop(bool (*done)(void))
{
	const uint64_t flags = irq_save();
	struct task *t = NULL;

	for (;;) {
		struct task *next;

		if (t && t->state == TASK_SLEEPING && task_must_end(t))
			sched_wake(t); /* the CPU that ended it may have looked before it slept */
		next = pick_next_task(t);
		if (next != t)
			switch_to(t, next);
		if (t && !next) {
			t = NULL; /* its end may have woken another task */
			continue;
		}
		t = next;
		if (t && task_must_end(t))
			end_task(t, TASK_KILLED, STATUS_KILLED);
		else if (t && finish_syscall(t))
			run_task(t);
		else if (!t && done && done())
			break;
		else if (!t)
			idle_cpu();
	}
	irq_restore(flags);
}

/* --- Ways out of ring 3 --- */

void sched_prepare_sleep(long result, long (*again)(struct task *t))
{
	struct task *t = sched_running;
	struct queue *q = lock_queue_of(t);

	t->result = result;
	t->again = again;
	t->slept = true;
	t->state = TASK_SLEEPING;
	lock_release(&q->lock);
}

/* Another CPU may have woken it already. */
void sched_stay_awake(void)
{
	struct task *t = sched_running;
	struct queue *q = lock_queue_of(t);

	if (t->state == TASK_WAITING)
		take_off_queue(q, t);
	t->state = TASK_RUNNING;
	t->slept = false;
	lock_release(&q->lock);
}

_Noreturn void sched_sleep(void)
{
	user_leave(LEFT_SLEEPS);
}

/* Its result is in its registers before it leaves. */
void sched_yield(void)
{
	if (!own_queue()->n)
		return;
	sched_running->result = 0;
	user_leave(LEFT_PREEMPTED);
}

void sched_check_place(void)
{
	if (may_run(sched_running, smp_cpu()))
		return;
	sched_running->result = 0;
	user_leave(LEFT_PREEMPTED);
}

_Noreturn void sched_exit(enum task_end how, int status)
{
	end_task(sched_running, how, status);
	user_leave(LEFT_ENDED);
}

_Noreturn void sched_restart(struct process *process)
{
	sched_running->enters = process;
	sched_running->result = 0;
	user_leave(LEFT_RESTARTS);
}

/* --- From outside --- */

static bool must_leave(void)
{
	const struct task *t = sched_running;

	return t && (task_must_end(t) || !may_run(t, smp_cpu()));
}

static void on_reschedule(struct trap_frame *frame)
{
	apic_eoi();
	if (!sched_running)
		return;
	if (trap_from_user(frame) && must_leave())
		user_leave(LEFT_PREEMPTED);
	if (own_queue()->n)
		start_slice();
}

static void on_slice(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	if (trap_from_user(frame) && sched_running && own_queue()->n)
		user_leave(LEFT_PREEMPTED);
}

void sched_kick_all(void)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (queues[cpu].ready)
			smp_kick(cpu);
}

static bool any_ready(const struct cpumask *cpus)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (queues[cpu].ready && cpumask_has(cpus, cpu))
			return true;
	return false;
}

int sched_set_affinity(struct task *t, const struct cpumask *cpus)
{
	struct queue *q;
	bool move;

	if (!any_ready(cpus))
		return -EINVAL;
	q = lock_queue_of(t);
	t->affinity = *cpus;
	move = t->state == TASK_WAITING && !t->on_cpu && !t->timer.at && !may_run(t, t->cpu);
	if (move) {
		take_off_queue(q, t);
		t->state = TASK_NEW;
	}
	lock_release(&q->lock);
	if (move)
		place_task(t);
	else if (t != sched_current())
		smp_kick(t->cpu);
	return 0;
}

void sched_init(void)
{
	here.slice.fn = on_slice;
	here.shown.cpu = smp_cpu();
	if (space_init(&here.none))
		panic("no memory for an address space");
	space_enter(&here.none);
	trap_set_irq(VECTOR_RESCHEDULE, on_reschedule);
	__atomic_store_n(&own_queue()->ready, true, __ATOMIC_RELEASE);
}
