// SPDX-License-Identifier: BSD-2-Clause
/* signals.c - see signals.h. */
#include "tools/util/signals.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define LOOK_SIGNAL SIGRTMIN
#define LOOK_S      1 /* between two checks for waiting signals */

/* The signals that end a run. SIGUSR2 asks for a snapshot. */
static const int run_ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGHUP};
#define NRUN_ENDING (sizeof(run_ending) / sizeof(run_ending[0]))

bool signals_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* --- A run that is blocked --- */

/* Bits of run_ending[]: signals that the last check found waiting. */
static volatile sig_atomic_t waited;

/* Returns the blocked signals of run_ending[] that the run has not taken yet. */
static int waiting_signals(void)
{
	sigset_t pending;
	int found = 0;

	sigpending(&pending);
	for (size_t i = 0; i < NRUN_ENDING; i++)
		if (sigismember(&pending, run_ending[i]) > 0)
			found |= 1 << i;
	return found;
}

static void die_by(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/*
 * Handles LOOK_SIGNAL. If two checks find the same signal waiting, the run is blocked in a system
 * call (open(2) of a FIFO, write(2) to a full pipe, a child that does not end). The signal then
 * gets its default action. All calls here are async-signal-safe.
 */
static void look_for_waiting(int number)
{
	const int error = errno, found = waiting_signals();

	(void)number;
	for (size_t i = 0; i < NRUN_ENDING; i++)
		if (found & waited & 1 << i)
			die_by(run_ending[i]);
	waited = found;
	errno = error;
}

static timer_t look_timer;

static void begin_looking(void)
{
	const struct sigaction action = {.sa_handler = look_for_waiting, .sa_flags = SA_RESTART};
	const struct itimerspec time = {.it_interval.tv_sec = LOOK_S, .it_value.tv_sec = LOOK_S};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = LOOK_SIGNAL};

	waited = 0;
	sigaction(LOOK_SIGNAL, &action, NULL);
	if (!timer_create(CLOCK_MONOTONIC, &event, &look_timer))
		timer_settime(look_timer, 0, &time, NULL);
}

/* Stops the checks. The handler stays, because an expiry may already be pending. */
static void end_looking(void)
{
	timer_delete(look_timer);
}

/* --- Opening and closing --- */

/* SIGINT and SIGQUIT end a run even if they are ignored. A shell without job control ignores
 * them for background commands, but a script that sends them wants to end the run. */
int signals_open(int also, sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < NRUN_ENDING; i++)
		if (run_ending[i] != SIGHUP || !signals_ignored(SIGHUP))
			sigaddset(&set, run_ending[i]);
	sigaddset(&set, SIGUSR2);
	if (also)
		sigaddset(&set, also);
	sigprocmask(SIG_BLOCK, &set, old);
	begin_looking();
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_close(int signals, const sigset_t *old)
{
	struct signalfd_siginfo info;

	end_looking();
	while (read(signals, &info, sizeof(info)) == sizeof(info))
		;
	close(signals);
	sigprocmask(SIG_SETMASK, old, NULL);
}

/*
 * Ignores SIGUSR2. While it is blocked, it arrives nevertheless: see sigaction(2) and signalfd(2).
 */
void signals_init(void)
{
	signal(SIGUSR2, SIG_IGN);
}
