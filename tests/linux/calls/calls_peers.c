// SPDX-License-Identifier: BSD-2-Clause
/* calls_peers.c - calls that wait for another process: open(2) of a fifo for its other end,
 * fcntl(F_SETLKW) for the holder of the lock, unless that waits in a circle. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"
#include "tests/linux/sleeper.h"

static char folder[] = "/tmp/peersXXXXXX", fifo[64], file[64];

static int exit_status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* --- Fifos --- */

static pid_t opened_by_another(int flags, const char *text)
{
	const pid_t pid = fork();

	if (!pid) {
		char got[8] = "";
		const int fd = open(fifo, flags);

		if (flags == O_WRONLY)
			_exit(fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text));
		_exit(fd < 0 || read(fd, got, sizeof(got)) != (ssize_t)strlen(text) ||
		      strcmp(got, text));
	}
	return pid;
}

static void check_both_ends(void)
{
	char got[8] = "";
	pid_t other = opened_by_another(O_WRONLY, "abc");
	int fd = open(fifo, O_RDONLY);

	check(fd >= 0 && read(fd, got, sizeof(got)) == 3 && !strcmp(got, "abc"));
	check(read(fd, got, sizeof(got)) == 0 && !exit_status_of(other));
	close(fd);
	other = opened_by_another(O_RDONLY, "xy");
	fd = open(fifo, O_WRONLY);
	check(fd >= 0 && write(fd, "xy", 2) == 2 && !exit_status_of(other));
	close(fd);
}

static void check_without_waiting(void)
{
	struct pollfd p = {.events = POLLIN};
	int reader, writer, both;

	check_error(open(fifo, O_WRONLY | O_NONBLOCK), ENXIO);
	reader = open(fifo, O_RDONLY | O_NONBLOCK);
	check(reader >= 0);
	p.fd = reader;
	check(poll(&p, 1, 0) == 0); /* no writer yet: no end either */
	writer = open(fifo, O_WRONLY | O_NONBLOCK);
	check(writer >= 0 && poll(&p, 1, 0) == 0);
	close(writer);
	check(poll(&p, 1, 0) == 1 && p.revents == POLLHUP);
	writer = open(fifo, O_WRONLY);
	check(writer >= 0 && poll(&p, 1, 0) == 0);
	close(reader);
	reader = open(fifo, O_RDONLY);
	close(writer);
	p.fd = reader;
	check(poll(&p, 1, 0) == 1 && p.revents == POLLHUP);
	close(reader);
	reader = open(fifo, O_RDONLY | O_NONBLOCK); /* after a writer that has gone */
	p.fd = reader;
	check(reader >= 0 && poll(&p, 1, 0) == 0);
	close(reader);
	both = open(fifo, O_RDWR);
	check(both >= 0 && write(both, "x", 1) == 1);
	close(both);
	both = open(fifo, O_PATH);
	check(both >= 0);
	close(both);
}

static void ignore_signal(int number)
{
	(void)number;
}

/* A signal ends the wait, or the wait goes on after it. The opened end is closed again. */
static void check_interrupted(void)
{
	struct sigaction action = {.sa_handler = ignore_signal};
	const struct itimerval soon = {.it_value = {0, 5000}};
	pid_t other;
	int fd;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	check_error(open(fifo, O_RDONLY), EINTR);
	check_error(open(fifo, O_WRONLY | O_NONBLOCK), ENXIO);
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	other = fork();
	if (!other) {
		usleep(20000);
		_exit(open(fifo, O_WRONLY) < 0);
	}
	fd = open(fifo, O_RDONLY);
	check(fd >= 0 && !exit_status_of(other));
	close(fd);
	other = opened_by_another(O_RDONLY, ""); /* ended while it waits */
	usleep(5000);
	kill(other, SIGKILL);
	check(exit_status_of(other) == 1000 + SIGKILL);
	check_error(open(fifo, O_WRONLY | O_NONBLOCK), ENXIO);
}

/* --- Locks --- */

static int lock(int fd, int command, short type, int at)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

	return fcntl(fd, command, &l);
}

/* Holds `mine` and then waits for `next`; says so in between. Its status: 0: it got it; else errno.
 */
static pid_t chained(int mine, int next, int told)
{
	const pid_t pid = fork();

	if (!pid) {
		const int fd = open(file, O_RDWR);

		if (lock(fd, F_SETLKW, F_WRLCK, mine) || write(told, "", 1) != 1)
			_exit(255);
		_exit(lock(fd, F_SETLKW, F_WRLCK, next) ? errno : 0);
	}
	return pid;
}

/* This process has byte 0. Each other process has a byte, and waits for its predecessor's. */
static void check_circle(int others)
{
	const int fd = open(file, O_RDWR);
	pid_t pid[4];
	int told[2];
	char byte;

	check(!pipe(told) && !lock(fd, F_SETLK, F_WRLCK, 0));
	for (int i = 0; i < others; i++) {
		pid[i] = chained(i + 1, i, told[1]);
		check(read(told[0], &byte, 1) == 1);
		await_sleeper(pid[i], pid[i]);
	}
	check_error(lock(fd, F_SETLK, F_WRLCK, others), EAGAIN);
	check_error(lock(fd, F_SETLKW, F_WRLCK, others), EDEADLK);
	check(!lock(fd, F_SETLKW, F_WRLCK, 10)); /* another byte is no circle */
	check(!lock(fd, F_SETLK, F_UNLCK, 0));
	for (int i = 0; i < others; i++)
		check(!exit_status_of(pid[i]));
	close(told[0]);
	close(told[1]);
	close(fd);
}

/* Shared locks exclude only writers. Detection of circles ignores locks of open files. */
static void check_no_circle(void)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1};
	const int fd = open(file, O_RDWR);
	pid_t other;
	int told[2];
	char byte;

	check(!pipe(told) && !lock(fd, F_SETLK, F_RDLCK, 0));
	other = chained(1, 0, told[1]);
	check(read(told[0], &byte, 1) == 1);
	await_sleeper(other, other);
	check_error(fcntl(fd, F_OFD_SETLK, &l), EAGAIN);
	check_error(lock(fd, F_SETLKW, F_RDLCK, 1), EDEADLK);
	check(!lock(fd, F_SETLKW, F_UNLCK, 0) && !lock(fd, F_SETLKW, F_WRLCK, 1));
	check(!exit_status_of(other));
	close(told[0]);
	close(told[1]);
	close(fd);
}

/* A pipe opens at once by its name in /proc, even without its other end: bash's <(command). */
static void check_pipe_again(void)
{
	char name[32], bytes[4];
	int ends[2], again;
	struct pollfd poll_again;

	check(!pipe(ends) && write(ends[1], "abc", 3) == 3);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	close(ends[1]);
	again = open(name, O_RDONLY);
	check(again >= 0 && read(again, bytes, sizeof(bytes)) == 3);
	poll_again = (struct pollfd){.fd = again, .events = POLLIN};
	check(poll(&poll_again, 1, 0) == 1 && poll_again.revents == POLLHUP);
	check(!read(again, bytes, sizeof(bytes)));
	close(again);
	close(ends[0]);
	check(!pipe(ends));
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[1]);
	close(ends[0]);
	again = open(name, O_WRONLY | O_NONBLOCK);
	check(again >= 0);
	signal(SIGPIPE, SIG_IGN);
	check_error(write(again, "x", 1), EPIPE);
	signal(SIGPIPE, SIG_DFL);
	close(again);
	close(ends[1]);
}

int main(void)
{
	alarm(60);
	check(mkdtemp(folder) != NULL);
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	snprintf(file, sizeof(file), "%s/file", folder);
	check(!mkfifo(fifo, 0600) && !close(open(file, O_CREAT | O_RDWR, 0600)));
	check_both_ends();
	check_without_waiting();
	check_pipe_again();
	check_interrupted();
	for (int others = 1; others <= 4; others++)
		check_circle(others);
	check_no_circle();
	unlink(fifo);
	unlink(file);
	rmdir(folder);
	return check_end();
}
