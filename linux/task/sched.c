// SPDX-License-Identifier: BSD-2-Clause
/*
 * sched.c - see sched.h: the loop, and entry to and exit from ring 3. sched_queue.c chooses the
 * next task; sched_switch.c switches to it.
 */
#include "linux/task/sched_parts.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "lib/percpu.h"
#include "lib/time.h"
#include "linux/task/task_host.h"
#include "rt/base/vectors.h"

#include <linux/errno.h>

static uint64_t slice_ns = SCHED_SLICE_MS * NSEC_PER_MS;
static PERCPU struct hrtimer slice, early_end;

/* The reason why user_resume() returned. */
enum left {
	LEFT_PREEMPTED,
	LEFT_SLEEPS,
	LEFT_SIGNALLED,
	LEFT_SIGNAL_OVER,
	LEFT_ENDED,
	LEFT_RESTARTS,
	LEFT_AT_CALL,
};

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

void sched_start_slice(void)
{
	if (!hrtimer_armed(&slice))
		hrtimer_start_irqs_off(&slice, slice_ns);
}

void sched_end_turn_early(void)
{
	hrtimer_start_irqs_off(&early_end, 0);
}

/* --- Ring 3 --- */

static void arm_slice(void)
{
	if (sched_waiting())
		sched_start_slice();
	else if (hrtimer_armed(&slice))
		hrtimer_cancel(&slice);
}

static uint64_t new_mark(void)
{
	static uint64_t marks;

	return __atomic_add_fetch(&marks, 1, __ATOMIC_RELAXED);
}

/* Each program that a task executes gets a mark of its own. */
static void mark_task(struct task *t)
{
	if (t->begins || !t->mark.task) {
		t->mark.task = new_mark();
		t->mark.space = t->process->mm->number;
	}
	insn_mark_task(&t->mark);
	t->mark.stack = 0;
}

void sched_mark_copy(struct task *t)
{
	t->mark = (struct task_mark){new_mark(), TASK_MARK_COPY, t->process->mm->number};
	insn_mark_task(&t->mark);
	t->mark.stack = 0;
}

static void mark_end(struct task *t)
{
	t->mark.stack = TASK_MARK_ENDS;
	insn_mark_task(&t->mark);
}

static void end_task(struct task *t)
{
	mark_end(t);
	task_host.leave_futexes(t);
	trace(sched_process_exit, t->comm, t->tid);
	t->state = TASK_ENDED;
}

static void restart_task(struct task *t)
{
	user_state_init(&t->user, t->start.rip, t->start.rsp, t->start.args);
	user_prepare(NULL);
	user_prepare(&t->user);
	t->syscall = t->interrupted = -1;
	task_change_memory(t);
	sched_allow_rdpmc(t->process->mm->rdpmc);
	t->begins = true;
}

/* Finishes the system call that the task slept in. False: the task sleeps again. */
static bool finish_syscall(struct task *t)
{
	const long nr = t->syscall;

	if (nr < 0)
		return true;
	if (t->again) {
		t->result = task_host.call_again(t);
		if (t->state != TASK_RUNNING)
			return false;
	}
	t->again = false;
	t->syscall = -1;
	if (t->enters) {
		restart_task(t);
		return true;
	}
	t->interrupted = nr;
	t->user.regs.rax = (uint64_t)t->result;
	trace(sys_exit, nr, t->result);
	return true;
}

/* Delivers signals after a system call. False: a signal ended the process. */
static bool take_signals(struct task *t)
{
	const long result = (long)t->user.regs.rax;
	const bool injected = t->watched && t->trace.injected;
	const bool restarts = t->interrupted >= 0 &&
			      (result == -SIGNAL_RESTART || result == -SIGNAL_RESTART_NO_HANDLER);
	bool goes_on = true;

	if (!restarts)
		t->interrupted = -1;
	if (restarts || injected || signal_waits(t))
		goes_on = signal_deliver(t);
	return goes_on;
}

static void note_ring3(struct task *t)
{
	const uint64_t now = clock_ns();

	t->in_ring3 += now - t->ring3_since;
	t->ring3_since = 0;
	t->inside += user_take_syscall_ticks(t->syscall >= 0);
}

static void run_task(struct task *t)
{
	long left;

	mark_task(t);
	if (t->begins)
		task_begin(t);
	arm_slice();
	t->ring3_since = clock_ns();
	left = t->watched ? ptrace_resume(t) : user_resume(&t->user);
	note_ring3(t);
	switch (left) {
	case LEFT_PREEMPTED: /* sets the timer again: its interrupt may have been abandoned */
		hrtimer_cancel(&slice);
		break;
	case LEFT_SLEEPS:
	case LEFT_SIGNALLED:
	case LEFT_ENDED:
		break;
	case LEFT_AT_CALL:
		t->syscall = -1;
		break;
	case LEFT_SIGNAL_OVER:
		t->syscall = -1;
		signal_return(t);
		break;
	case LEFT_RESTARTS:
		restart_task(t);
		break;
	default: /* the interrupted work of ring 0 is abandoned */
		task_end_process(t->process, SIGSEGV);
	}
}

/* A task at the entry of a system call takes no signals yet. */
static bool watched_goes_on(struct task *t)
{
	if (ptrace_stays(t) || !finish_syscall(t) || ptrace_stops(t))
		return false;
	if (t->trace.call == PTRACE_CALL_WAITS)
		return true;
	return take_signals(t) && !(t->trace.event && ptrace_stops(t)) && ptrace_may_enter(t);
}

/* True where the task can enter ring 3. False: it sleeps, is stopped, or ends. */
static bool goes_on(struct task *t)
{
	return __builtin_expect(t->watched, false) ? watched_goes_on(t)
						   : finish_syscall(t) && take_signals(t);
}

/* Checks again: the CPU that ended the task may have looked before the task slept. */
static bool sleeps_for_ever(const struct task *t)
{
	return t->state == TASK_SLEEPING && task_must_end(t) &&
	       !(t->watched && ptrace_is_at_exit(t));
}

static void idle_cpu(void)
{
	apic_idle();
	irq_disable();
}

/* The process ends if the whole run is to end; otherwise only this thread ends. */
static void end_killed(struct task *t)
{
	if (t->watched && ptrace_stops_at_exit(t))
		return;
	if (!t->killed)
		task_end_process(t->process, SIGKILL);
	end_task(t);
}

void sched_loop(bool (*done)(void))
{
	const uint64_t flags = irq_save();
	struct task *t = NULL;

	for (;;) {
		struct task *next;

		if (t && sleeps_for_ever(t))
			sched_wake(t);
		next = sched_pick_next(t);
		if (next != t)
			sched_switch_to(t, next);
		if (t && !next) {
			t = NULL; /* the task's end may have woken another task */
			continue;
		}
		t = next;
		if (t && task_must_end(t))
			end_killed(t);
		else if (t && goes_on(t))
			run_task(t);
		else if (!t && done && done())
			break;
		else if (!t)
			idle_cpu();
	}
	irq_restore(flags);
}

/* --- Ways out of ring 3 --- */

_Noreturn void sched_sleep(void)
{
	user_leave(LEFT_SLEEPS);
}

/* The task's result is in its registers before it leaves the CPU. */
void sched_yield(void)
{
	if (!sched_waiting())
		return;
	sched_running->result = 0;
	user_leave(LEFT_PREEMPTED);
}

void sched_check_place(void)
{
	if (sched_may_run(sched_running, smp_cpu()))
		return;
	sched_running->result = 0;
	user_leave(LEFT_PREEMPTED);
}

_Noreturn void sched_exit(void)
{
	struct task *t = sched_running;

	if (t->watched && ptrace_wants_exit(t))
		t->killed = true; /* it ends after the stop */
	else
		end_task(t);
	user_leave(LEFT_ENDED);
}

_Noreturn void sched_take_signals(long result)
{
	sched_running->result = result;
	user_leave(LEFT_SIGNALLED);
}

_Noreturn void sched_stop_at_call(void)
{
	user_leave(LEFT_AT_CALL);
}

_Noreturn void sched_leave_handler(void)
{
	user_leave(LEFT_SIGNAL_OVER);
}

_Noreturn void sched_restart(void)
{
	user_leave(LEFT_RESTARTS);
}

/* --- Interrupts and timers --- */

static bool must_leave(void)
{
	struct task *t = sched_running;

	return t && (task_must_end(t) || signal_waits(t) || !sched_may_run(t, smp_cpu()));
}

static void on_reschedule(struct trap_frame *frame)
{
	apic_eoi();
	if (!sched_running)
		return;
	if (trap_from_user(frame) && must_leave())
		user_leave(LEFT_PREEMPTED);
	if (sched_gives_way())
		sched_end_turn_early();
	else if (sched_waiting())
		sched_start_slice();
}

/* A task that sleeps leaves the rest of its slice to the next task. So at the end of that slice the
 * next task may not have used a whole one. */
static void on_slice(struct hrtimer *timer, struct trap_frame *frame)
{
	struct task *t = sched_running;

	(void)timer;
	if (!trap_from_user(frame) || !t || !sched_waiting())
		return;
	if (clock_ns() - t->since >= slice_ns)
		t->spent = true;
	user_leave(LEFT_PREEMPTED);
}

/* Checks again: the task that was to give way may have left the CPU already. */
static void on_early_end(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	if (trap_from_user(frame) && sched_running && sched_gives_way())
		user_leave(LEFT_PREEMPTED);
}

void sched_init(void)
{
	slice.fn = on_slice;
	early_end.fn = on_early_end;
	sched_switch_init();
	trap_set_irq(VECTOR_RESCHEDULE, on_reschedule);
	sched_queue_init();
}
