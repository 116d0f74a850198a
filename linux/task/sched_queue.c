// SPDX-License-Identifier: BSD-2-Clause
/*
 * sched_queue.c - queues of tasks, waking, and the choice of CPUs.
 *
 * Which CPU may do what with a task, by its state:
 *
 * 	waiting, !on_cpu  any CPU, with the queue's lock: take it off, run it or move it
 * 	waiting, on_cpu   woken while it was leaving its CPU: only that CPU, which may continue
 * 	                  it as if it had not slept
 * 	running           its CPU; others set a flag and kick that CPU
 * 	sleeping          the CPU that wakes it, with the lock; its timer belongs to its CPU
 *
 * Locks: task.c's before those of queues; never two queues at once. task->cpu changes with the lock
 * of the queue that it names, so it is constant while that lock is held.
 */
#include "linux/task/sched_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "lib/by_cpu.h"
#include "lib/panic.h"
#include "rt/base/tracepoints.h"

#include <linux/errno.h>

#define CACHE_LINE 64

struct queue {
	struct lock lock;
	unsigned n; /* number of tasks that wait */
	struct task *first, *last;
	bool runs;               /* a task has the CPU */
	bool spent;              /* that task's `spent` */
	struct task *last_woken; /* last of the woken tasks at the front; NULL: none */
	bool ready;              /* the CPU accepts tasks */
	struct sched_counts counts;
} __attribute__((aligned(CACHE_LINE)));

BY_CPU_STATIC(struct queue, queues);

static struct queue *own_queue(void)
{
	return &queues[smp_cpu()];
}

unsigned sched_waiting(void)
{
	return own_queue()->n;
}

bool sched_gives_way(void)
{
	return own_queue()->last_woken;
}

struct sched_counts *sched_own_counts(void)
{
	return &own_queue()->counts;
}

struct sched_counts sched_counts_of(unsigned cpu)
{
	return queues[cpu].counts;
}

struct sched_counts sched_counts(void)
{
	struct sched_counts sum = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		sum.switches += queues[cpu].counts.switches;
		sum.migrations += queues[cpu].counts.migrations;
		sum.user_ns += queues[cpu].counts.user_ns;
		sum.sys_ns += queues[cpu].counts.sys_ns;
	}
	return sum;
}

/* --- Queues: with their locks --- */

/* Inserts `t` after `before`; NULL: at the front. */
static void insert_waiting(struct queue *q, struct task *t, struct task *before)
{
	struct task **at = before ? &before->next_waiting : &q->first;

	t->state = TASK_WAITING;
	t->next_waiting = *at;
	*at = t;
	if (q->last == before)
		q->last = t;
	q->n++;
}

static void append_waiting(struct queue *q, struct task *t)
{
	insert_waiting(q, t, q->last);
}

/* If the running task has spent a slice, woken tasks go to the front, in the order of their wakes.
 */
static void insert_woken(struct queue *q, struct task *t)
{
	if (!__atomic_load_n(&q->spent, __ATOMIC_RELAXED)) {
		append_waiting(q, t);
		return;
	}
	insert_waiting(q, t, q->last_woken);
	q->last_woken = t;
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
	if (q->last_woken == t)
		q->last_woken = before;
	q->n--;
}

/* Takes the lock of the queue of the CPU of `t`. */
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

/* --- Choice of a CPU --- */

bool sched_may_run(const struct task *t, unsigned cpu)
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
	const unsigned n = smp_ncpus();
	unsigned best;

	if (n == 1)
		return sched_may_run(t, 0) ? 0 : SMP_MAX_CPUS;
	best = sched_may_run(t, t->cpu) ? t->cpu : SMP_MAX_CPUS;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (sched_may_run(t, cpu) &&
		    (best == SMP_MAX_CPUS || cpu_load(cpu) < cpu_load(best)))
			best = cpu;
	return best;
}

/* Notifies `cpu` that a task waits on it. */
static void tell_cpu(unsigned cpu)
{
	if (cpu != smp_cpu())
		smp_kick(cpu);
	else if (sched_running && queues[cpu].last_woken)
		sched_end_turn_early();
	else if (sched_running)
		sched_start_slice();
}

/* Another CPU that looks for the task's queue at this moment finds the old one or the new one. */
static void assign_cpu(struct task *t, unsigned cpu)
{
	struct queue *q;

	if (t->cpu == cpu)
		return;
	q = lock_queue_of(t);
	t->cpu = cpu;
	lock_release(&q->lock);
}

/* The task is on no queue, and no other CPU may queue it. */
static void migrate_task(struct task *t, unsigned cpu)
{
	if (cpu == t->cpu)
		return;
	trace(sched_migrate_task, t->comm, t->tid, t->cpu, cpu);
	t->migrated = true;
	assign_cpu(t, cpu);
}

/* Queues a task that is on no queue and no CPU: new, woken, or moved from another queue. */
static inline void place_task_as(struct task *t, bool woken)
{
	const unsigned cpu = choose_cpu(t);

	ASSERT(cpu < SMP_MAX_CPUS);
	migrate_task(t, cpu);
	lock_take(&queues[cpu].lock);
	if (woken)
		insert_woken(&queues[cpu], t);
	else
		append_waiting(&queues[cpu], t);
	lock_release(&queues[cpu].lock);
	tell_cpu(cpu);
}

static void place_task(struct task *t)
{
	place_task_as(t, false);
}

void sched_new(struct task *t)
{
	assign_cpu(t, smp_cpu());
	assign_cpu(t, choose_cpu(t));
	trace(sched_wakeup_new, &t->events, t->comm, t->tid, t->cpu);
	place_task(t);
}

/* The task stays on its CPU while its timer is in that CPU's heap, or its registers are still
 * there. */
bool sched_wake(struct task *t)
{
	struct queue *q = lock_queue_of(t);
	const unsigned cpu = t->cpu;
	const bool sleeps = t->state == TASK_SLEEPING, stays = t->on_cpu || t->timer.at;

	if (sleeps)
		trace(sched_wakeup, &t->events, t->comm, t->tid, cpu);
	if (sleeps && stays)
		insert_woken(q, t);
	else if (sleeps)
		t->state = TASK_NEW;
	lock_release(&q->lock);
	if (!sleeps)
		return false;
	if (stays)
		tell_cpu(cpu);
	else
		place_task_as(t, true);
	return true;
}

/* Takes the oldest task of the queue that may run here. */
static struct task *take_from(struct queue *q)
{
	struct task *t;

	lock_take(&q->lock);
	t = q->first;
	while (t && (t->on_cpu || t->timer.at || !sched_may_run(t, smp_cpu())))
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

/* --- Choice of the next task --- */

static struct task *first_waiting(struct queue *q)
{
	struct task *t;

	lock_take(&q->lock);
	t = q->first;
	if (t) {
		take_off_queue(q, t);
		t->state = TASK_NEW;
	}
	q->last_woken = NULL;
	lock_release(&q->lock);
	return t;
}

/* Takes the next task for this CPU. A task whose affinity now excludes this CPU moves to
 * another. */
static struct task *take_next(struct queue *q)
{
	struct task *t;

	while ((t = first_waiting(q)) && !t->on_cpu && !sched_may_run(t, smp_cpu())) {
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

/* Stops the timer of a task that continues without having left its CPU. */
static void stop_timer(struct task *t)
{
	if (hrtimer_armed(&t->timer))
		hrtimer_cancel(&t->timer);
}

struct task *sched_pick_next(struct task *t)
{
	struct queue *q = own_queue();
	bool stays = t && t->state == TASK_RUNNING && sched_may_run(t, smp_cpu());
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
	__atomic_store_n(&q->spent, next && next->spent, __ATOMIC_RELAXED);
	return next;
}

/* Wakes an idle CPU, which may take a task that waits here. */
static void tell_idle(void)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (queues[cpu].ready && !cpu_load(cpu)) {
			smp_kick(cpu);
			return;
		}
}

void sched_let_go(struct task *t)
{
	struct queue *q = own_queue();
	bool move = false;

	lock_take(&q->lock);
	t->on_cpu = false;
	if (t->state == TASK_RUNNING) {
		move = !sched_may_run(t, smp_cpu());
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

/* --- Sleeping --- */

void sched_prepare_sleep(long result, bool again)
{
	struct task *t = sched_running;
	struct queue *q = lock_queue_of(t);

	t->result = result;
	t->again = again;
	t->slept = true;
	t->state = TASK_SLEEPING;
	task_heed(t);
	lock_release(&q->lock);
}

void sched_stop(void)
{
	struct task *t = sched_running;
	struct queue *q = lock_queue_of(t);

	t->state = TASK_SLEEPING;
	lock_release(&q->lock);
}

/* Another CPU may have woken the task already. */
void sched_stay_awake(void)
{
	struct task *t = sched_running;
	struct queue *q = lock_queue_of(t);

	if (t->state == TASK_WAITING)
		take_off_queue(q, t);
	t->state = TASK_RUNNING;
	t->slept = t->again = false;
	lock_release(&q->lock);
}

/* --- From outside --- */

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
	move = t->state == TASK_WAITING && !t->on_cpu && !t->timer.at && !sched_may_run(t, t->cpu);
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

void sched_queue_init(void)
{
	__atomic_store_n(&own_queue()->ready, true, __ATOMIC_RELEASE);
}
