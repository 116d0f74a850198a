/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ptimer.h - timers that send a process a signal: setitimer(2), alarm(2), timer_create(2). The
 * clock of a timer is that of the machine, or the CPU time of the process or of one of its threads.
 *
 * System call context without any lock, unless a function says otherwise.
 */
#ifndef LINUX_TASK_PTIMER_H
#define LINUX_TASK_PTIMER_H

#include <asm/siginfo.h>
#include <stdbool.h>
#include <stdint.h>

struct process;
struct ptimer;

enum ptimer_clock { PTIMER_MACHINE, PTIMER_PROCESS, PTIMER_PROCESS_USER, PTIMER_THREAD };

struct ptimer_wanted {
	enum ptimer_clock clock;
	uint32_t tid;   /* thread of PTIMER_THREAD */
	uint32_t to;    /* the thread that gets the signal; 0: any of the process */
	uint64_t ahead; /* ns by which its clock is ahead of the machine's */
	siginfo_t info; /* the signal to send; si_signo 0: no signal */
	bool tells_id;  /* the value of the signal is the timer's id */
};

/* In ns. `first`: time to the first expiry; 0: disarmed. */
struct ptimer_times {
	uint64_t first, interval;
};

/* Ids below 0 belong to setitimer(2), whose timers survive execve(2): PTIMER_INTERVAL - which. */
#define PTIMER_INTERVAL (-1)

/*
 * ptimer_create() - makes a timer of the current process with the id `id`, or, if that is 0, with
 * the lowest free id. Returns the id. -EAGAIN: the process has too many timers, RLIMIT_SIGPENDING
 * is reached, or there is no memory.
 * ptimer_delete() - deletes a timer. -EINVAL: there is no such timer.
 */
long ptimer_create(int id, const struct ptimer_wanted *wanted);
int ptimer_delete(int id);

/*
 * ptimer_set() - sets the times. `absolute`: times->first is a time of the timer's clock, not a
 * delay. `old` (may be NULL) gets the former times, as from ptimer_get().
 * ptimer_get() - gets the times; `first` is the time that is left.
 * -EINVAL: there is no such timer.
 */
int ptimer_set(int id, bool absolute, const struct ptimer_times *times, struct ptimer_times *old);
int ptimer_get(int id, struct ptimer_times *times);

/* ptimer_overrun() - the number of further expiries while the last signal was pending. -EINVAL:
 * there is no such timer. */
long ptimer_overrun(int id);

/*
 * ptimer_exec() - deletes the timers of timer_create(2).
 * ptimer_end() - deletes all timers.
 * Without any lock.
 */
void ptimer_exec(struct process *p);
void ptimer_end(struct process *p);

#endif
