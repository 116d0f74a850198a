// SPDX-License-Identifier: BSD-2-Clause
/* calls_poll.c - pipes, and waiting for files: poll, select, epoll, eventfd, timerfd, signalfd. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/linux/check.h"

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

static void check_pipes(void)
{
	char buf[70000];
	int fd[2], n = 0;

	check(!pipe2(fd, O_NONBLOCK));
	check_error(read(fd[0], buf, 1), EAGAIN);
	check(write(fd[1], "hello", 5) == 5 && !ioctl(fd[0], FIONREAD, &n) && n == 5);
	check(read(fd[0], buf, 100) == 5);
	check(write(fd[1], buf, sizeof(buf)) == 65536);
	check_error(write(fd[1], buf, 1), EAGAIN);
	check_error(lseek(fd[0], 0, SEEK_CUR), ESPIPE);
	check_error(pread(fd[0], buf, 1, 0), ESPIPE);
	check_error(read(fd[1], buf, 1), EBADF);
	check(fcntl(fd[0], F_GETPIPE_SZ) == 65536);
	close(fd[1]);
	check(read(fd[0], buf, sizeof(buf)) == 65536 && read(fd[0], buf, 1) == 0);
	close(fd[0]);
	check_error(pipe2(fd, 0x1), EINVAL);
}

static void *write_later(void *arg)
{
	usleep(5000);
	check(write(*(int *)arg, "x", 1) == 1);
	return NULL;
}

static void check_poll(void)
{
	struct pollfd p[2] = {{.events = POLLIN}, {.events = POLLOUT}};
	pthread_t t;
	long long begun;
	int fd[2];
	char c;

	check(!pipe(fd));
	p[0].fd = fd[0];
	p[1].fd = fd[1];
	check(poll(p, 2, 0) == 1 && !p[0].revents && p[1].revents == POLLOUT);
	begun = now_ms();
	check(poll(p, 1, 20) == 0 && now_ms() - begun >= 19);
	pthread_create(&t, NULL, write_later, &fd[1]);
	check(poll(p, 1, -1) == 1 && p[0].revents == POLLIN);
	pthread_join(t, NULL);
	check(read(fd[0], &c, 1) == 1);
	close(fd[1]);
	check(poll(p, 1, -1) == 1 && p[0].revents == POLLHUP);
	p[0].fd = 99;
	p[1].fd = -1;
	check(poll(p, 2, 0) == 1 && p[0].revents == POLLNVAL && !p[1].revents);
	check_error(poll(nowhere, 1, 0), EFAULT);
	close(fd[0]);
}

static void check_select(void)
{
	struct timeval tv = {0, 10000};
	struct timespec ts = {0, 10000000};
	fd_set in, out;
	int fd[2];

	check(!pipe(fd));
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd[0], &in);
	check(select(fd[0] + 1, &in, NULL, NULL, &tv) == 0 && !FD_ISSET(fd[0], &in));
	FD_SET(fd[0], &in);
	FD_SET(fd[1], &out);
	check(select(fd[1] + 1, &in, &out, NULL, NULL) == 1 && FD_ISSET(fd[1], &out));
	check(pselect(0, NULL, NULL, NULL, &ts, NULL) == 0);
	close(fd[0]);
	FD_SET(fd[0], &in);
	check_error(select(fd[0] + 1, &in, NULL, NULL, NULL), EBADF);
	check_error(select(-1, NULL, NULL, NULL, NULL), EINVAL);
	close(fd[1]);
}

static void do_nothing(int number)
{
	(void)number;
}

/* libc keeps the time that is left to itself, except that of select(). */
static long raw_ppoll(struct pollfd *p, unsigned n, struct timespec *ts)
{
	return syscall(SYS_ppoll, p, n, ts, NULL, 0);
}

static long raw_pselect(int n, fd_set *in, struct timespec *ts)
{
	return syscall(SYS_pselect6, n, in, NULL, NULL, ts, NULL);
}

/* The time that is left is written back, whatever ends the call. */
static void check_rest(void)
{
	struct sigaction action = {.sa_handler = do_nothing};
	struct timeval tv = {100, 999999};
	struct timespec ts = {100, 999999999};
	struct pollfd p = {.events = POLLIN};
	struct itimerval soon = {.it_value = {0, 5000}};
	fd_set in;
	int fd[2];

	check(!pipe(fd) && write(fd[1], "x", 1) == 1);
	p.fd = fd[0];
	FD_ZERO(&in);
	FD_SET(fd[0], &in);
	check(select(fd[0] + 1, &in, NULL, NULL, &tv) == 1);
	check(tv.tv_sec <= 100 && tv.tv_sec > 90 && (tv.tv_sec != 100 || tv.tv_usec < 999999));
	check(raw_pselect(fd[0] + 1, &in, &ts) == 1);
	check(ts.tv_sec <= 100 && ts.tv_sec > 90 && (ts.tv_sec != 100 || ts.tv_nsec < 999999999));
	ts = (struct timespec){100, 0};
	check(raw_ppoll(&p, 1, &ts) == 1 && ts.tv_sec < 100 && ts.tv_sec > 90);
	tv = (struct timeval){0, 2000};
	check(select(0, NULL, NULL, NULL, &tv) == 0 && !tv.tv_sec && !tv.tv_usec);
	ts = (struct timespec){0, 2000000};
	check(raw_ppoll(NULL, 0, &ts) == 0 && !ts.tv_sec && !ts.tv_nsec);
	tv = (struct timeval){0, 0};
	check(select(0, NULL, NULL, NULL, &tv) == 0 && !tv.tv_sec && !tv.tv_usec);
	sigaction(SIGALRM, &action, NULL);
	tv = (struct timeval){50, 0};
	setitimer(ITIMER_REAL, &soon, NULL);
	check_error(select(0, NULL, NULL, NULL, &tv), EINTR);
	check(tv.tv_sec == 49 && tv.tv_usec > 0);
	ts = (struct timespec){50, 0};
	setitimer(ITIMER_REAL, &soon, NULL);
	check_error(raw_ppoll(NULL, 0, &ts), EINTR);
	check(ts.tv_sec < 50 && ts.tv_sec > 40);
	tv = (struct timeval){1, 3000000}; /* more than a second of them: allowed */
	FD_SET(fd[0], &in);
	check(select(fd[0] + 1, &in, NULL, NULL, &tv) == 1 && tv.tv_sec == 3 &&
	      tv.tv_usec > 900000);
	tv = (struct timeval){-1, 0};
	check_error(syscall(SYS_select, 0, NULL, NULL, NULL, &tv), EINVAL);
	tv = (struct timeval){0, -1};
	check_error(syscall(SYS_select, 0, NULL, NULL, NULL, &tv), EINVAL);
	ts = (struct timespec){0, 1000000000};
	check_error(raw_ppoll(NULL, 0, &ts), EINVAL);
	close(fd[0]);
	close(fd[1]);
}

static int add(int ep, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event);
}

static void check_epoll(const char *self)
{
	struct epoll_event got[4], event = {.events = EPOLLIN};
	int ep = epoll_create1(EPOLL_CLOEXEC), fd[2], file;
	pthread_t t;
	char c;

	check(ep >= 0 && !pipe(fd) && !add(ep, fd[0], EPOLLIN));
	check_error(add(ep, fd[0], EPOLLIN), EEXIST);
	check_error(add(ep, 99, EPOLLIN), EBADF);
	check_error(add(ep, ep, EPOLLIN), EINVAL);
	check_error(epoll_ctl(ep, EPOLL_CTL_MOD, fd[1], &event), ENOENT);
	check_error(epoll_wait(ep, got, 0, 0), EINVAL);
	file = open(self, O_RDONLY);
	check_error(add(ep, file, EPOLLIN), EPERM);
	check(epoll_wait(ep, got, 4, 0) == 0);
	pthread_create(&t, NULL, write_later, &fd[1]);
	check(epoll_wait(ep, got, 4, -1) == 1 && got[0].events == EPOLLIN &&
	      got[0].data.fd == fd[0]);
	check(epoll_wait(ep, got, 4, 0) == 1); /* it is still so */
	pthread_join(t, NULL);
	event = (struct epoll_event){.events = EPOLLIN | EPOLLET, .data.u64 = 7};
	check(!epoll_ctl(ep, EPOLL_CTL_MOD, fd[0], &event));
	check(epoll_wait(ep, got, 4, 0) == 1 && got[0].data.u64 == 7 &&
	      epoll_wait(ep, got, 4, 0) == 0);
	check(write(fd[1], "y", 1) == 1 && epoll_wait(ep, got, 4, 0) == 1);
	event.events = EPOLLIN | EPOLLONESHOT;
	check(!epoll_ctl(ep, EPOLL_CTL_MOD, fd[0], &event));
	check(epoll_wait(ep, got, 4, 0) == 1 && epoll_wait(ep, got, 4, 0) == 0);
	check(read(fd[0], &c, 1) == 1 && !epoll_ctl(ep, EPOLL_CTL_DEL, fd[0], NULL));
	check_error(epoll_ctl(ep, EPOLL_CTL_DEL, fd[0], NULL), ENOENT);
	close(fd[0]);
	close(fd[1]);
	close(ep);
	check_error(epoll_create1(99), EINVAL);
}

static void check_eventfd(void)
{
	uint64_t value = 5;
	int fd = eventfd(3, EFD_NONBLOCK);

	check(write(fd, &value, 8) == 8 && read(fd, &value, 8) == 8 && value == 8);
	check_error(read(fd, &value, 8), EAGAIN);
	check_error(read(fd, &value, 4), EINVAL);
	value = UINT64_MAX;
	check_error(write(fd, &value, 8), EINVAL);
	close(fd);
	fd = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	check(read(fd, &value, 8) == 8 && value == 1 && read(fd, &value, 8) == 8);
	check_error(read(fd, &value, 8), EAGAIN);
	close(fd);
}

static void check_timerfd(void)
{
	struct itimerspec its = {{0, 2000000}, {0, 3000000}}, old;
	struct pollfd p = {.events = POLLIN};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	uint64_t ticks = 0, sum = 0;

	p.fd = fd;
	check(fd >= 0);
	check_error(read(fd, &ticks, 8), EAGAIN);
	check(!timerfd_settime(fd, 0, &its, NULL));
	while (sum < 5 && poll(&p, 1, 1000) == 1 && read(fd, &ticks, 8) == 8 && ticks)
		sum += ticks;
	check(sum >= 5);
	check(!timerfd_gettime(fd, &old) && old.it_interval.tv_nsec == 2000000);
	its = (struct itimerspec){0};
	check(!timerfd_settime(fd, 0, &its, &old) && old.it_interval.tv_nsec == 2000000);
	check(poll(&p, 1, 5) == 0);
	its.it_value.tv_nsec = 1000000000;
	check_error(timerfd_settime(fd, 0, &its, NULL), EINVAL);
	check_error(timerfd_create(99, 0), EINVAL);
	check_error(timerfd_settime(0, 0, &old, NULL), EINVAL);
	close(fd);
}

static void check_signalfd(void)
{
	struct signalfd_siginfo info;
	struct pollfd p = {.events = POLLIN};
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	p.fd = fd;
	check(fd >= 0 && poll(&p, 1, 0) == 0);
	check_error(read(fd, &info, sizeof(info)), EAGAIN);
	kill(getpid(), SIGUSR1);
	check(poll(&p, 1, 100) == 1 && read(fd, &info, sizeof(info)) == sizeof(info));
	check(info.ssi_signo == SIGUSR1 && info.ssi_pid == (uint32_t)getpid());
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	close(fd);
}

static void ignore(int number)
{
	(void)number;
}

/* A signal that is blocked outside of ppoll(2) ends it. */
static void check_masks(void)
{
	struct timespec ts = {5, 0};
	sigset_t set, none;

	signal(SIGUSR2, ignore);
	sigemptyset(&none);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR2);
	check_error(ppoll(NULL, 0, &ts, &none), EINTR);
	check(!sigpending(&none) && !sigismember(&none, SIGUSR2));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A read that has slept keeps no reference to its file: after the close a writer finds no
 * reader. */
static void check_last_reader(void)
{
	int data[2], go[2], status;
	char c;

	check(!pipe(data) && !pipe(go));
	if (!fork()) {
		signal(SIGPIPE, SIG_IGN);
		close(data[0]);
		usleep(5000);
		if (write(data[1], "x", 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(1);
		_exit(write(data[1], "x", 1) == -1 && errno == EPIPE ? 0 : 2);
	}
	close(data[1]);
	check(read(data[0], &c, 1) == 1);
	close(data[0]);
	check(write(go[1], "x", 1) == 1);
	check(wait(&status) > 0 && status == 0);
	close(go[0]);
	close(go[1]);
}

int main(int argc, char **argv)
{
	(void)argc;
	check_pipes();
	check_last_reader();
	check_poll();
	check_select();
	check_rest();
	check_epoll(argv[0]);
	check_eventfd();
	check_timerfd();
	check_signalfd();
	check_masks();
	return check_end();
}
