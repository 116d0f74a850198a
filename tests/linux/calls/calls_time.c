// SPDX-License-Identifier: BSD-2-Clause
/* calls_time.c - clocks, sleep, and timers that send signals. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define MS 1000000ll

static long long now(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return -1;
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static void spin_for(clockid_t clock, long long ns)
{
	const long long end = now(clock) + ns;

	while (now(clock) < end)
		;
}

static void check_clocks(void)
{
	struct timespec ts;
	struct timeval tv;
	clockid_t clock;
	long long a = now(CLOCK_MONOTONIC), b;

	check(now(CLOCK_MONOTONIC) >= a);
	check(now(CLOCK_REALTIME) > 1600000000ll * 1000000000);
	check(now(CLOCK_BOOTTIME) > 0 && now(CLOCK_MONOTONIC_RAW) > 0 &&
	      now(CLOCK_REALTIME_COARSE) > 0);
	check(!clock_getres(CLOCK_MONOTONIC, &ts) && !ts.tv_sec && ts.tv_nsec > 0);
	check_error(clock_gettime(77, &ts), EINVAL);
	check(!gettimeofday(&tv, NULL) && llabs(tv.tv_sec - now(CLOCK_REALTIME) / 1000000000) <= 1);
	check(llabs(time(NULL) - (long long)tv.tv_sec) <= 1);
	a = now(CLOCK_PROCESS_CPUTIME_ID);
	spin_for(CLOCK_MONOTONIC, 5 * MS);
	b = now(CLOCK_PROCESS_CPUTIME_ID);
	check(b > a && now(CLOCK_THREAD_CPUTIME_ID) > 0);
	check(!pthread_getcpuclockid(pthread_self(), &clock) && now(clock) > 0);
	check(!clock_getcpuclockid(0, &clock) && now(clock) >= b);
}

static void check_usage(void)
{
	struct rusage before, after;
	struct tms tms;

	check(!getrusage(RUSAGE_SELF, &before));
	spin_for(CLOCK_PROCESS_CPUTIME_ID, 30 * MS);
	check(!getrusage(RUSAGE_SELF, &after));
	check(after.ru_utime.tv_sec * 1000000 + after.ru_utime.tv_usec >=
	      before.ru_utime.tv_sec * 1000000 + before.ru_utime.tv_usec);
	check(after.ru_utime.tv_sec >= 0 && after.ru_utime.tv_sec < 60);
	check(after.ru_stime.tv_sec >= 0 && after.ru_stime.tv_sec < 60);
	check(after.ru_utime.tv_usec + after.ru_stime.tv_usec > 10000);
	check(after.ru_maxrss > 100);
	check(!getrusage(RUSAGE_THREAD, &after) && !getrusage(RUSAGE_CHILDREN, &after));
	check_error(getrusage(99, &after), EINVAL);
	check(times(&tms) != -1 && tms.tms_utime + tms.tms_stime >= 2 && tms.tms_utime < 6000);
}

static void check_sleep(void)
{
	struct timespec ts = {0, 20 * MS}, rest;
	long long a = now(CLOCK_MONOTONIC);

	check(!nanosleep(&ts, &rest) && now(CLOCK_MONOTONIC) - a >= 20 * MS);
	ts.tv_nsec = 1000000000;
	check_error(nanosleep(&ts, NULL), EINVAL);
	ts.tv_nsec = -1;
	check_error(nanosleep(&ts, NULL), EINVAL);
	a = now(CLOCK_MONOTONIC) + 10 * MS;
	ts = (struct timespec){a / 1000000000, a % 1000000000};
	check(!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) &&
	      now(CLOCK_MONOTONIC) >= a);
	check(!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL));
	check(clock_nanosleep(99, 0, &ts, NULL) == EINVAL);
}

/* --- Timers --- */

static volatile sig_atomic_t came[65];
static volatile int last_value, last_code, most_overruns;

static timer_t shortest_timer; /* it goes off often enough when its signal has come 5 times */

static void record_expiry(int number, siginfo_t *info, void *context)
{
	(void)context;
	came[number]++;
	if (number == SIGRTMIN + 2 && came[number] == 5)
		timer_settime(shortest_timer, 0, &(struct itimerspec){0}, NULL);
	last_value = info->si_value.sival_int;
	last_code = info->si_code;
	if (info->si_overrun > most_overruns)
		most_overruns = info->si_overrun;
}

static void catch_signal(int number)
{
	struct sigaction action = {.sa_sigaction = record_expiry, .sa_flags = SA_SIGINFO};

	check(!sigaction(number, &action, NULL));
	came[number] = 0;
}

static void await_signal(int number, int times)
{
	while (came[number] < times)
		usleep(500);
}

static void check_alarm(void)
{
	struct timespec ts = {5, 0}, rest;

	catch_signal(SIGALRM);
	check(alarm(100) == 0 && alarm(50) == 100 && alarm(1) == 50);
	check_error(nanosleep(&ts, &rest), EINTR);
	check(came[SIGALRM] == 1 && last_code == SI_KERNEL && rest.tv_sec >= 3);
	check(alarm(0) == 0);
	catch_signal(SIGALRM);
	ualarm(3000, 0);
	await_signal(SIGALRM, 1);
	check(came[SIGALRM] == 1);
}

static void check_interval(void)
{
	struct itimerval it = {{0, 2000}, {0, 3000}}, old;

	catch_signal(SIGALRM);
	check(!setitimer(ITIMER_REAL, &it, NULL));
	await_signal(SIGALRM, 5);
	check(!getitimer(ITIMER_REAL, &old) && old.it_interval.tv_usec == 2000 &&
	      old.it_value.tv_usec <= 2000);
	it = (struct itimerval){0};
	check(!setitimer(ITIMER_REAL, &it, &old) && old.it_interval.tv_usec == 2000);
	check(!getitimer(ITIMER_REAL, &old) && !old.it_value.tv_usec);
	it.it_value.tv_usec = 1000000;
	check_error(setitimer(ITIMER_REAL, &it, NULL), EINVAL);
	check_error(setitimer(9, &it, NULL), EINVAL);
	check_error(getitimer(9, &it), EINVAL);
}

static void check_cpu_interval(int which, int number)
{
	struct itimerval it = {{0, 10000}, {0, 10000}};
	const long long a = now(CLOCK_PROCESS_CPUTIME_ID);

	catch_signal(number);
	check(!setitimer(which, &it, NULL));
	usleep(1000);
	while (came[number] < 3)
		;
	check(now(CLOCK_PROCESS_CPUTIME_ID) - a >= 10 * MS);
	it = (struct itimerval){0};
	check(!setitimer(which, &it, NULL));
}

static void set_timer(timer_t timer, long long first, long long interval)
{
	const struct itimerspec its = {{0, interval}, {first / 1000000000, first % 1000000000}};

	check(!timer_settime(timer, 0, &its, NULL));
}

static void check_posix(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGRTMIN + 1,
				 .sigev_value.sival_int = 77};
	struct itimerspec its;
	timer_t timer, other;
	sigset_t set;

	catch_signal(SIGRTMIN + 1);
	check(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	check(!timer_gettime(timer, &its) && !its.it_value.tv_sec && !its.it_value.tv_nsec);
	set_timer(timer, 3 * MS, 0);
	await_signal(SIGRTMIN + 1, 1);
	check(came[SIGRTMIN + 1] == 1 && last_value == 77 && last_code == SI_TIMER);
	set_timer(timer, 100000 * MS, 5 * MS);
	check(!timer_gettime(timer, &its) && its.it_value.tv_sec >= 98 &&
	      its.it_interval.tv_nsec == 5 * MS);
	/* Blocked, it goes off often, and one signal says how often. */
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	set_timer(timer, MS, MS);
	spin_for(CLOCK_MONOTONIC, 12 * MS);
	came[SIGRTMIN + 1] = 0;
	most_overruns = 0;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	set_timer(timer, 0, 0);
	check(came[SIGRTMIN + 1] >= 1 && most_overruns >= 5 && timer_getoverrun(timer) >= 0);
	/* At a time that is over. */
	clock_gettime(CLOCK_REALTIME, &its.it_value);
	its.it_interval = (struct timespec){0};
	check(!timer_create(CLOCK_REALTIME, NULL, &other));
	catch_signal(SIGALRM);
	check(!timer_settime(other, TIMER_ABSTIME, &its, NULL));
	await_signal(SIGALRM, 1);
	check(came[SIGALRM] == 1);
	check(!timer_delete(other) && !timer_delete(timer));
	check_error(timer_create(99, &event, &timer), EINVAL);
	event.sigev_signo = 99;
	check_error(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
}

static void check_cpu_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	timer_t timer;
	const long long a = now(CLOCK_THREAD_CPUTIME_ID);

	catch_signal(SIGUSR1);
	check(!timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer));
	set_timer(timer, 15 * MS, 0);
	while (!came[SIGUSR1])
		;
	check(now(CLOCK_THREAD_CPUTIME_ID) - a >= 15 * MS);
	check(!timer_delete(timer));
}

static volatile int called;

static void on_timer(union sigval value)
{
	called = value.sival_int;
}

static void check_thread_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_value.sival_int = 5,
				 .sigev_notify_function = on_timer};
	timer_t timer;

	check(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	set_timer(timer, 2 * MS, 0);
	for (int i = 0; i < 2000 && !called; i++)
		usleep(1000);
	check(called == 5);
	check(!timer_delete(timer));
}

/* --- Periods that are shorter than the cost of an expiry --- */

static timer_t make_timer(int notify, int number)
{
	struct sigevent event = {.sigev_notify = notify, .sigev_signo = number};
	timer_t timer;

	check(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	return timer;
}

/* The program makes progress, and expiries that its handler misses are overruns. */
static void check_short_periods(void)
{
	const struct itimerspec shortest = {{0, 1}, {0, 1}};
	struct itimerspec its;
	timer_t timer = make_timer(SIGEV_SIGNAL, SIGRTMIN + 2);

	catch_signal(SIGRTMIN + 2);
	most_overruns = 0;
	shortest_timer = timer;
	check(!timer_settime(timer, 0, &shortest, NULL));
	await_signal(SIGRTMIN + 2, 5);
	check(!timer_delete(timer) && came[SIGRTMIN + 2] >= 5 && most_overruns >= 1);
	timer = make_timer(SIGEV_SIGNAL, SIGUSR2);
	signal(SIGUSR2, SIG_IGN);
	check(!timer_settime(timer, 0, &shortest, NULL));
	spin_for(CLOCK_MONOTONIC, 5 * MS);
	check(!timer_gettime(timer, &its) && its.it_interval.tv_nsec == 1);
	check(!timer_delete(timer));
	timer = make_timer(SIGEV_NONE, 0);
	check(!timer_settime(timer, 0, &(struct itimerspec){{0, 5 * MS}, {0, 5 * MS}}, NULL));
	spin_for(CLOCK_MONOTONIC, 12 * MS);
	check(!timer_gettime(timer, &its) && its.it_value.tv_nsec > 0 &&
	      its.it_value.tv_nsec <= 5 * MS);
	check(!timer_delete(timer));
}

static void check_fd_timer(void)
{
	const struct itimerspec shortest = {{0, 1}, {0, 1}};
	const int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
	uint64_t ticks;

	check(!timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &shortest, NULL));
	check(read(fd, &ticks, sizeof(ticks)) == sizeof(ticks) && ticks > 1000);
	check_error(timerfd_settime(fd, 1 << 5, &shortest, NULL), EINVAL);
	check_error(timerfd_settime(0, 0, &shortest, NULL), EINVAL);
	check_error(timerfd_settime(-1, 0, &shortest, NULL), EBADF);
	check_error(timerfd_settime(fd, 0, nowhere, NULL), EFAULT);
	check_error(timerfd_create(CLOCK_MONOTONIC, 1), EINVAL);
	check_error(timerfd_create(-1, 0), EINVAL);
	close(fd);
}

static void check_time_errors(void)
{
	struct timespec ts = {0, 1000000000};

	check_error(clock_settime(CLOCK_MONOTONIC, &ts), EINVAL);
	check_error(clock_settime(CLOCK_REALTIME, &ts), EINVAL);
	check_error(syscall(SYS_clock_settime, CLOCK_REALTIME, nowhere), EFAULT);
	check_error(syscall(SYS_settimeofday, &(struct timeval){0, 1000000}, NULL), EINVAL);
	check_error(syscall(SYS_settimeofday, nowhere, NULL), EFAULT);
	check_error(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, nowhere, NULL), EFAULT);
	check_error(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL), EINVAL);
	check_error(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_RAW, 0, &ts, NULL), EOPNOTSUPP);
	check_error(syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &ts, NULL),
		    EOPNOTSUPP);
	check_error(syscall(SYS_timer_create, 77, NULL, &(int){0}), EINVAL);
	check_error(syscall(SYS_timer_settime, 4711, 0, &(struct itimerspec){0}, NULL), EINVAL);
	check_error(syscall(SYS_timer_gettime, 4711, &(struct itimerspec){0}), EINVAL);
	check_error(timer_getoverrun((timer_t)4711), EINVAL);
	check_error(syscall(SYS_setitimer, 7, &(struct itimerval){0}, NULL), EINVAL);
	check_error(syscall(SYS_getitimer, ITIMER_REAL, nowhere), EFAULT);
}

int main(void)
{
	check_clocks();
	check_usage();
	check_sleep();
	check_alarm();
	check_interval();
	check_cpu_interval(ITIMER_PROF, SIGPROF);
	check_cpu_interval(ITIMER_VIRTUAL, SIGVTALRM);
	check_posix();
	check_cpu_timer();
	check_thread_timer();
	check_short_periods();
	check_fd_timer();
	check_time_errors();
	return check_end();
}
