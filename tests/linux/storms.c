// SPDX-License-Identifier: BSD-2-Clause
/*
 * storms.c - causes as many interrupts, signals and wake-ups as it can, for ever: the kinds that
 * its arguments name, or kinds that a seed chooses. Its test measures how soon a time-out
 * ends it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned handled;

static void on_signal(int number)
{
	(void)number;
	handled++;
}

static void set_timers(int clock, int number, unsigned n, long ns)
{
	const struct itimerspec period = {{0, ns}, {0, ns}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
	timer_t timer;

	while (n-- && !timer_create(clock, &event, &timer))
		timer_settime(timer, 0, &period, NULL);
}

static void spin(void)
{
	for (;;)
		__asm__ volatile("" ::: "memory");
}

static void ignored(void)
{
	signal(SIGUSR1, SIG_IGN);
	set_timers(CLOCK_MONOTONIC, SIGUSR1, 1, 1000);
	spin();
}

static void handler(void)
{
	signal(SIGUSR2, on_signal);
	set_timers(CLOCK_MONOTONIC, SIGUSR2, 1, 1);
	spin();
}

static void blocked(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	set_timers(CLOCK_REALTIME, SIGRTMIN + 3, 1, 1);
	spin();
}

static void many(void)
{
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, on_signal);
	set_timers(CLOCK_MONOTONIC, SIGUSR1, 300, 1);
	set_timers(CLOCK_MONOTONIC, SIGUSR2, 300, 1000);
	set_timers(CLOCK_PROCESS_CPUTIME_ID, SIGUSR1, 300, 1);
	spin();
}

static void intervals(void)
{
	const struct itimerval shortest = {{0, 1}, {0, 1}};

	signal(SIGALRM, SIG_IGN);
	signal(SIGPROF, on_signal);
	signal(SIGVTALRM, on_signal);
	setitimer(ITIMER_REAL, &shortest, NULL);
	setitimer(ITIMER_PROF, &shortest, NULL);
	setitimer(ITIMER_VIRTUAL, &shortest, NULL);
	spin();
}

static void files(void)
{
	const struct itimerspec shortest = {{0, 1}, {0, 1}};
	struct epoll_event event = {.events = EPOLLIN};
	const int epoll = epoll_create1(0);

	for (int i = 0; i < 64; i++) {
		const int fd = timerfd_create(CLOCK_MONOTONIC, 0);

		event.events = i % 2 ? EPOLLIN : EPOLLIN | EPOLLET;
		timerfd_settime(fd, 0, &shortest, NULL);
		epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	}
	for (;;)
		epoll_wait(epoll, &event, 1, -1);
}

static void queued(void)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGRTMIN + 4);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	for (;;)
		sigqueue(getpid(), SIGRTMIN + 4, (union sigval){0});
}

static int there, back;

static void *answer(void *unused)
{
	uint64_t n;

	while (read(there, &n, sizeof(n)) > 0 && write(back, &n, sizeof(n)) > 0)
		;
	return unused;
}

static void ping_pong(void)
{
	uint64_t n = 1;
	pthread_t thread;

	there = eventfd(0, 0);
	back = eventfd(0, 0);
	pthread_create(&thread, NULL, answer, NULL);
	while (write(there, &n, sizeof(n)) > 0 && read(back, &n, sizeof(n)) > 0)
		;
}

static int word;

static void *wake_word(void *unused)
{
	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1000);
	return unused;
}

static void *await_word(void *unused)
{
	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL);
	return unused;
}

static void *sleep_shortly(void *unused)
{
	for (;;)
		nanosleep(&(struct timespec){0, 1}, NULL);
	return unused;
}

static void start_threads(unsigned n, void *(*fn)(void *))
{
	pthread_t thread;

	while (n-- && !pthread_create(&thread, NULL, fn, NULL))
		;
}

static void futexes(void)
{
	start_threads(30, await_word);
	wake_word(NULL);
}

static void sleepers(void)
{
	start_threads(100, sleep_shortly);
	sleep_shortly(NULL);
}

static void faults(void)
{
	volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	signal(SIGSEGV, on_signal); /* which mends nothing: the access faults again */
	page[0] = 1;
}

static void forks(void)
{
	for (;;) {
		for (int i = 0; i < 20; i++)
			if (!fork()) {
				usleep(10);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
	}
}

/* Forks up to the limit of processes, each of which forks for ever. */
static void bomb(void)
{
	for (int i = 0; i < 512; i++)
		if (!fork())
			for (;;) {
				if (!fork())
					_exit(usleep(10));
				usleep(10);
			}
	for (;;)
		pause();
}

static void samples(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.wakeup_events = 1,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	mmap(NULL, 9 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	signal(SIGIO, on_signal);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, O_ASYNC);
	spin();
}

static const struct {
	const char *name;
	void (*begin)(void);
} kinds[] = {
	{"ignored", ignored},   {"handler", handler},     {"blocked", blocked},
	{"many", many},         {"queued", queued},       {"intervals", intervals},
	{"files", files},       {"futexes", futexes},     {"faults", faults},
	{"sleepers", sleepers}, {"ping_pong", ping_pong}, {"forks", forks},
	{"bomb", bomb},         {"samples", samples},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Each kind runs in its own process. */
static int begin_kind(const char *name)
{
	for (unsigned i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i].name, name)) {
			if (!fork())
				kinds[i].begin();
			return 0;
		}
	fprintf(stderr, "storms: no kind '%s'\n", name);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned seed;

	if (argc == 3 && !strcmp(argv[1], "seed")) {
		seed = (unsigned)strtoul(argv[2], NULL, 0);
		for (unsigned i = 0; i < 4; i++)
			begin_kind(kinds[(unsigned)rand_r(&seed) % KINDS].name);
	} else {
		for (int i = 1; i < argc; i++)
			if (begin_kind(argv[i]))
				return 2;
	}
	for (;;)
		pause();
}
