// SPDX-License-Identifier: BSD-2-Clause
/*
 * ptimer.c - see ptimer.h. The lock of the tree of tasks guards the state and the next expiry of
 * a timer. One thread of a process at a time creates, sets and deletes timers, so that an alarm,
 * which is set without that lock, stays valid while it is handled.
 */
#include "linux/task/ptimer.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/smp/smp.h"
#include "lib/time.h"
#include "rt/clock/alarm.h"
#include "rt/base/heap.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/signal_parts.h"
#include "linux/task/task_parts.h"
#include "linux/task/usage.h"

#include <linux/errno.h>

#define PTIMERS_MOST 1024 /* timers of a process */

struct ptimer {
	struct alarm alarm;
	struct signal_entry signal; /* entry of the timer's signal, which is queued at most once */
	struct ptimer *next;
	struct process *process;
	int id;
	struct ptimer_wanted wanted;
	uint64_t deadline, interval; /* in ns of its clock; deadline 0: disarmed */
	uint64_t respite;            /* ns: end_of_respite() */
	bool rests;                  /* its signal is pending, so further expiries are overruns */
	int overruns;                /* overruns of the signal that was taken last */
};

/* --- Their clocks --- */

static struct task *own_thread(const struct process *p, uint32_t tid)
{
	struct task *t = p->first_thread;

	while (t && t->tid != tid)
		t = t->next_thread;
	return t;
}

static uint64_t thread_cpu_ns(const struct process *p, uint32_t tid)
{
	const struct task *t = own_thread(p, tid);

	return t ? usage_ns(usage_of_task(t)) : 0;
}

/* With the lock. */
static uint64_t now_of(const struct ptimer *t)
{
	switch (t->wanted.clock) {
	case PTIMER_PROCESS:
		return usage_ns(usage_of_process(t->process));
	case PTIMER_PROCESS_USER:
		return usage_of_process(t->process).user_ns;
	case PTIMER_THREAD:
		return thread_cpu_ns(t->process, t->wanted.tid);
	default:
		return times_monotonic();
	}
}

/* --- Expiry --- */

/* A process gains CPU time on all CPUs at once. So its clock is read again at the earliest
 * possible expiry, but not more often than this. */
#define LOOK_NS NSEC_PER_MS

static uint64_t time_to_look(const struct ptimer *t, uint64_t left)
{
	if (t->wanted.clock == PTIMER_MACHINE)
		return left;
	if (t->wanted.clock != PTIMER_THREAD)
		left /= smp_ncpus();
	return left > LOOK_NS ? left : LOOK_NS;
}

/* The time of clock_ns() at which its alarm is due; 0: never. With the lock. */
static uint64_t next_look(const struct ptimer *t)
{
	const uint64_t now = now_of(t), at = clock_ns();
	uint64_t left;

	if (!t->deadline || t->rests || !t->wanted.info.si_signo)
		return 0;
	left = time_to_look(t, t->deadline > now ? t->deadline - now : 0);
	return left < UINT64_MAX - at ? at + left : 0;
}

/* False: no process receives the signal. With the lock. */
static bool send_signal(struct ptimer *t)
{
	struct task *to = t->wanted.to ? own_thread(t->process, t->wanted.to) : NULL;

	if (t->wanted.to && !to)
		return false;
	if (t->id < 0 && !t->signal.on &&
	    t->process->signals.queue.pending & signal_bit(t->wanted.info.si_signo))
		return false;
	return signal_send_own(t->process, to, &t->signal);
}

/* Counts the timer's expiries until `now`, and moves the deadline after `now`. With the lock. */
static uint64_t pass_deadlines(struct ptimer *t, uint64_t now)
{
	uint64_t times = 0;

	if (t->deadline && now >= t->deadline)
		times = t->interval ? 1 + (now - t->deadline) / t->interval : 1;
	if (times)
		t->deadline = t->interval ? t->deadline + times * t->interval : 0;
	return times;
}

/*
 * A timer with overruns pauses this long, so that ring 3 does more than handle its signals. The
 * pause doubles while the handler still blocks the signal at the next expiry.
 */
#define RESPITE_NS      50000
#define RESPITE_MOST_NS (10 * NSEC_PER_MS)

static void double_respite(struct ptimer *t)
{
	if (t->respite < RESPITE_MOST_NS)
		t->respite *= 2;
}

/* The earliest next expiry after a signal with that many overruns. */
static uint64_t end_of_respite(struct ptimer *t, uint64_t overruns)
{
	if (!overruns || !t->respite)
		t->respite = RESPITE_NS;
	return overruns ? clock_ns() + t->respite : 0;
}

/* Returns `next`, but not before `soonest`; 0 means never. */
static uint64_t not_before(uint64_t next, uint64_t soonest)
{
	return next && next < soonest ? soonest : next;
}

/*
 * As in Linux, a timer whose signal is pending rests until a thread takes the signal. Expiries
 * in between are overruns of that signal. So a timer with a very short period causes no interrupts
 * while its signal is pending.
 */
static void on_taken(struct signal_entry *entry)
{
	struct ptimer *t = (struct ptimer *)((uint8_t *)entry - offsetof(struct ptimer, signal));
	uint64_t times, next;

	t->overruns = 0;
	if (!t->rests)
		return;
	t->rests = false;
	times = pass_deadlines(t, now_of(t));
	t->overruns = times < INT32_MAX ? (int)times : INT32_MAX;
	if (t->id >= 0)
		entry->info.si_overrun = t->overruns;
	next = not_before(next_look(t), end_of_respite(t, times));
	if (next)
		alarm_set(&t->alarm, next);
}

/* Only the first deadline moves on here. Later deadlines that have passed are overruns, which
 * on_taken() counts. */
static void go_off(struct ptimer *t)
{
	if (signal_is_blocked(t->process,
			      t->wanted.to ? own_thread(t->process, t->wanted.to) : NULL,
			      t->wanted.info.si_signo))
		double_respite(t);
	t->signal.info = t->wanted.info;
	t->rests = t->interval;
	t->deadline = t->interval ? t->deadline + t->interval : 0;
}

static void on_alarm(struct alarm *alarm)
{
	struct ptimer *t = (struct ptimer *)alarm;
	const uint64_t flags = task_lock_tree(), now = now_of(t);
	uint64_t next, soonest = 0;

	if (t->deadline && now >= t->deadline) {
		if (send_signal(t)) {
			go_off(t);
		} else {
			pass_deadlines(t, now);
			soonest = clock_ns() + LOOK_NS;
		}
	}
	next = not_before(next_look(t), soonest);
	task_unlock_tree(flags);
	if (next)
		alarm_set(alarm, next);
}

/* --- Creation and deletion --- */

static struct process *enter_timers(void)
{
	struct process *p = sched_current()->process;

	while (__atomic_exchange_n(&p->timers_busy, true, __ATOMIC_ACQUIRE))
		smp_serve();
	return p;
}

static long leave_timers(struct process *p, long result)
{
	__atomic_store_n(&p->timers_busy, false, __ATOMIC_RELEASE);
	return result;
}

/* The position of the id in the list, which is sorted by id. */
static struct ptimer **timer_link_of(struct process *p, int id)
{
	struct ptimer **at = &p->timers;

	while (*at && (*at)->id < id)
		at = &(*at)->next;
	return at;
}

static struct ptimer *find_timer(struct process *p, int id)
{
	struct ptimer *t = *timer_link_of(p, id);

	return t && t->id == id ? t : NULL;
}

static int free_id(const struct process *p)
{
	int id = 0;

	for (const struct ptimer *t = p->timers; t; t = t->next)
		if (t->id == id)
			id++;
	return id;
}

static bool reserve_signal(const struct process *p)
{
	const uint64_t flags = task_lock_tree();
	const bool reserved = signal_reserve(p);

	task_unlock_tree(flags);
	return reserved;
}

static long create_timer(struct process *p, int id, const struct ptimer_wanted *wanted)
{
	struct ptimer *t, **at;

	if (id >= 0)
		id = free_id(p);
	t = id < PTIMERS_MOST ? heap_alloc(sizeof(*t)) : NULL;
	if (t && id >= 0 && !reserve_signal(p)) {
		heap_free(t);
		t = NULL;
	}
	if (!t)
		return -EAGAIN;
	t->alarm.fn = on_alarm;
	t->signal.taken = on_taken;
	t->process = p;
	t->id = id;
	t->wanted = *wanted;
	if (id >= 0)
		t->wanted.info.si_tid = id;
	if (wanted->tells_id)
		t->wanted.info.si_value.sival_int = id;
	t->signal.info = t->wanted.info;
	at = timer_link_of(p, id);
	t->next = *at;
	*at = t;
	return id;
}

long ptimer_create(int id, const struct ptimer_wanted *wanted)
{
	struct process *p = enter_timers();

	if (id < 0 && find_timer(p, id))
		return leave_timers(p, id);
	return leave_timers(p, create_timer(p, id, wanted));
}

static void delete_timer(struct ptimer **at)
{
	struct ptimer *t = *at;
	const uint64_t flags = task_lock_tree();

	*at = t->next;
	t->deadline = 0;
	t->rests = false;
	signal_take_back(&t->signal);
	if (t->id >= 0)
		signal_unreserve();
	task_unlock_tree(flags);
	alarm_cancel(&t->alarm);
	heap_free(t);
}

int ptimer_delete(int id)
{
	struct process *p = enter_timers();

	if (!find_timer(p, id))
		return (int)leave_timers(p, -EINVAL);
	delete_timer(timer_link_of(p, id));
	return (int)leave_timers(p, 0);
}

void ptimer_exec(struct process *p)
{
	struct ptimer **made = timer_link_of(p, 0);

	while (*made)
		delete_timer(made);
}

void ptimer_end(struct process *p)
{
	while (p->timers)
		delete_timer(&p->timers);
}

/* --- Setting --- */

/* With the lock. A one-shot timer that is due but has not expired yet has 1 ns left. A timer
 * without a signal expires when it is read. */
static struct ptimer_times times_of(const struct ptimer *t)
{
	const uint64_t now = now_of(t);
	struct ptimer_times times = {.interval = t->interval};

	if (!t->deadline)
		return times;
	if (t->deadline > now)
		times.first = t->deadline - now;
	else if (t->interval)
		times.first = t->interval - (now - t->deadline) % t->interval;
	else
		times.first = t->wanted.info.si_signo ? 1 : 0;
	return times;
}

static uint64_t deadline_of(const struct ptimer *t, bool absolute, uint64_t first)
{
	const uint64_t now = now_of(t), ahead = t->wanted.ahead;

	if (!first)
		return 0;
	if (absolute)
		return first > ahead ? first - ahead : 1;
	return first > UINT64_MAX - now ? UINT64_MAX : now + first;
}

static void set_timer(struct ptimer *t, bool absolute, const struct ptimer_times *times,
		      struct ptimer_times *old)
{
	const uint64_t flags = task_lock_tree();
	uint64_t next;

	if (old)
		*old = times_of(t);
	t->deadline = deadline_of(t, absolute, times->first);
	t->interval = times->interval;
	t->overruns = 0;
	t->rests = false;
	next = next_look(t);
	task_unlock_tree(flags);
	alarm_cancel(&t->alarm);
	if (next)
		alarm_set(&t->alarm, next);
}

int ptimer_set(int id, bool absolute, const struct ptimer_times *times, struct ptimer_times *old)
{
	struct process *p = enter_timers();
	struct ptimer *t = find_timer(p, id);

	if (!t)
		return (int)leave_timers(p, -EINVAL);
	set_timer(t, absolute, times, old);
	return (int)leave_timers(p, 0);
}

int ptimer_get(int id, struct ptimer_times *times)
{
	struct process *p = enter_timers();
	const struct ptimer *t = find_timer(p, id);
	uint64_t flags;

	if (!t)
		return (int)leave_timers(p, -EINVAL);
	flags = task_lock_tree();
	*times = times_of(t);
	task_unlock_tree(flags);
	return (int)leave_timers(p, 0);
}

long ptimer_overrun(int id)
{
	struct process *p = enter_timers();
	const struct ptimer *t = find_timer(p, id);
	uint64_t flags;
	long n;

	if (!t)
		return leave_timers(p, -EINVAL);
	flags = task_lock_tree();
	n = t->overruns;
	task_unlock_tree(flags);
	return leave_timers(p, n);
}
