// SPDX-License-Identifier: BSD-2-Clause
/* calls_shared.c - processes that wait for each other in shared memory: futex(2),
 * futex_waitv(2), and objects of pthreads that use them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define ROUNDS 200

static struct shared {
	uint32_t word, other;
	sem_t sem, back;
	pthread_mutex_t mutex, robust;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	int turn, sum;
} * shared;

static long futex(uint32_t *at, int op, uint32_t value, const void *timeout, void *other,
		  uint32_t value3)
{
	return syscall(SYS_futex, at, op, value, timeout, other, value3);
}

static void *map_shared(int fd)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0),
		    fd, 0);
}

/* Returns the exit status of a child, or 1000 plus its wait status if it did not exit. */
static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* Wakes a waiter as soon as there is one. */
static long wake_one(uint32_t *at)
{
	long n = 0;

	for (int i = 0; i < 10000 && !n; i++) {
		n = futex(at, FUTEX_WAKE, 1, NULL, NULL, 0);
		usleep(n ? 0 : 100);
	}
	return n;
}

static pid_t waiting_child(uint32_t *at)
{
	const pid_t pid = fork();

	if (!pid)
		_exit(futex(at, FUTEX_WAIT, 0, NULL, NULL, 0) != 0);
	return pid;
}

/* --- Keys --- */

static void check_keys(void)
{
	char name[] = "/tmp/sharedXXXXXX";
	const int fd = mkstemp(name);
	uint32_t *a, *b;
	pid_t pid = waiting_child(&shared->word);

	check(wake_one(&shared->word) == 1 && !status_of(pid));
	/* The same file, mapped twice at other addresses. */
	check(fd >= 0 && !ftruncate(fd, 4096));
	a = map_shared(fd);
	b = map_shared(fd);
	pid = waiting_child(a + 3);
	check(!futex(b + 4, FUTEX_WAKE, 1, NULL, NULL, 0));
	check(wake_one(b + 3) == 1 && !status_of(pid));
	/* A private wake reaches only waiters in this address space. */
	pid = waiting_child(&shared->word);
	usleep(20000);
	check(!futex(&shared->word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0));
	check(wake_one(&shared->word) == 1 && !status_of(pid));
	close(fd);
	unlink(name);
}

static void check_private_copy(void)
{
	static uint32_t own;
	const pid_t pid = fork();
	struct timespec ts = {0, 20000000};

	if (!pid) /* its word is another one since fork(2) */
		_exit(futex(&own, FUTEX_WAIT, 0, &ts, NULL, 0) != -1 || errno != ETIMEDOUT);
	usleep(5000);
	check(!futex(&own, FUTEX_WAKE, 1, NULL, NULL, 0));
	check(!status_of(pid));
}

static void check_requeue(void)
{
	const pid_t first = waiting_child(&shared->word), second = waiting_child(&shared->word);

	usleep(50000);
	check_error(futex(&shared->word, FUTEX_CMP_REQUEUE, 1, (void *)1, &shared->other, 7),
		    EAGAIN);
	check(futex(&shared->word, FUTEX_CMP_REQUEUE, 1, (void *)1, &shared->other, 0) == 2);
	check(!futex(&shared->word, FUTEX_WAKE, 1, NULL, NULL, 0));
	check(futex(&shared->other, FUTEX_WAKE, 1, NULL, NULL, 0) == 1);
	check(!status_of(first) && !status_of(second));
	check_error(futex(&shared->word, FUTEX_REQUEUE, 1, (void *)1, nowhere, 0), EFAULT);
	check_error(futex(nowhere, FUTEX_WAKE, 1, NULL, NULL, 0), EFAULT);
}

/* Two processes add 1 to a word by FUTEX_WAKE_OP: no addition is lost. */
static void check_wake_op(void)
{
	const int op = FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_LT, 0);
	const pid_t pid = fork();

	for (int i = 0; i < 2000; i++)
		futex(&shared->word, FUTEX_WAKE_OP, 1, NULL, &shared->other, (uint32_t)op);
	if (!pid)
		_exit(0);
	check(!status_of(pid) && shared->other == 4000);
	shared->other = 0;
}

/* --- futex_waitv(2) --- */

static long waitv(struct futex_waitv *v, unsigned n, const struct timespec *until)
{
	return syscall(SYS_futex_waitv, v, n, 0, until, CLOCK_MONOTONIC);
}

static pid_t child_that_waits_for_both(void)
{
	struct futex_waitv v[2] = {
		{.uaddr = (uintptr_t)&shared->word, .flags = FUTEX_32},
		{.uaddr = (uintptr_t)&shared->other, .flags = FUTEX_32},
	};
	const pid_t pid = fork();

	if (!pid)
		_exit((int)waitv(v, 2, NULL));
	return pid;
}

static void check_waitv(void)
{
	struct timespec past = {0, 1};
	struct futex_waitv v = {.uaddr = (uintptr_t)&shared->word, .flags = FUTEX_32};
	pid_t pid = child_that_waits_for_both();

	check(wake_one(&shared->other) == 1 && status_of(pid) == 1);
	pid = child_that_waits_for_both();
	check(wake_one(&shared->word) == 1 && status_of(pid) == 0);
	check(!futex(&shared->other, FUTEX_WAKE, 1, NULL, NULL, 0));
	check_error(waitv(&v, 1, &past), ETIMEDOUT);
	check_error(waitv(&v, 0, NULL), EINVAL);
	check_error(waitv(&v, FUTEX_WAITV_MAX + 1, NULL), EINVAL);
	check_error(syscall(SYS_futex_waitv, &v, 1, 1, NULL, 0), EINVAL);
	check_error(syscall(SYS_futex_waitv, &v, 1, 0, &past, 99), EINVAL);
	v.val = 5;
	check_error(waitv(&v, 1, NULL), EAGAIN);
	v.flags = 0;
	check_error(waitv(&v, 1, NULL), EINVAL);
	v = (struct futex_waitv){.uaddr = (uintptr_t)&shared->word + 1, .flags = FUTEX_32};
	check_error(waitv(&v, 1, NULL), EINVAL);
	v = (struct futex_waitv){.uaddr = (uintptr_t)nowhere, .flags = FUTEX_32};
	check_error(waitv(&v, 1, NULL), EFAULT);
	check_error(waitv((void *)nowhere, 1, NULL), EFAULT);
}

/* --- Shared objects of pthreads --- */

static void init_shared(void)
{
	pthread_mutexattr_t attr;
	pthread_condattr_t cond;
	pthread_barrierattr_t barrier;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	check(!pthread_mutex_init(&shared->mutex, &attr));
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	check(!pthread_mutex_init(&shared->robust, &attr));
	pthread_condattr_init(&cond);
	pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
	check(!pthread_cond_init(&shared->cond, &cond));
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	check(!pthread_barrier_init(&shared->barrier, &barrier, 3));
	check(!sem_init(&shared->sem, 1, 0) && !sem_init(&shared->back, 1, 0));
}

static void check_semaphores(void)
{
	const pid_t pid = fork();

	for (int i = 0; i < ROUNDS; i++) {
		sem_post(pid ? &shared->back : &shared->sem);
		while (sem_wait(pid ? &shared->sem : &shared->back))
			;
	}
	if (!pid)
		_exit(0);
	check(!status_of(pid));
}

static void take_turns(int me)
{
	pthread_mutex_lock(&shared->mutex);
	for (int i = 0; i < ROUNDS; i++) {
		while (shared->turn != me)
			pthread_cond_wait(&shared->cond, &shared->mutex);
		shared->turn = (me + 1) % 3;
		shared->sum++;
		pthread_cond_broadcast(&shared->cond);
	}
	pthread_mutex_unlock(&shared->mutex);
}

static void check_conditions(void)
{
	pid_t pid[2];

	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			take_turns(i + 1);
			_exit(pthread_barrier_wait(&shared->barrier) > 0);
		}
	}
	take_turns(0);
	check(pthread_barrier_wait(&shared->barrier) <= 0);
	check(!status_of(pid[0]) && !status_of(pid[1]) && shared->sum == 3 * ROUNDS);
}

/* The holder ends: by exit, by a signal from outside, by one of its other threads. */
static void *exit_in_thread(void *arg)
{
	usleep(1000);
	_exit((int)(intptr_t)arg);
}

static void hold_and_end(int how)
{
	pthread_t t;

	pthread_mutex_lock(&shared->robust);
	sem_post(&shared->sem);
	if (how == 1)
		pause();
	if (how == 2) {
		pthread_create(&t, NULL, exit_in_thread, (void *)7);
		pause();
	}
	_exit(7);
}

static void check_robust(void)
{
	for (int how = 0; how < 3; how++) {
		const pid_t pid = fork();

		if (!pid)
			hold_and_end(how);
		sem_wait(&shared->sem);
		if (how == 1)
			kill(pid, SIGKILL);
		check(pthread_mutex_lock(&shared->robust) == EOWNERDEAD);
		check(!pthread_mutex_consistent(&shared->robust));
		check(!pthread_mutex_unlock(&shared->robust));
		check(status_of(pid) == (how == 1 ? 1000 + SIGKILL : 7));
	}
}

static void check_named(void)
{
	sem_t *sem = sem_open("/perf0-shared", O_CREAT | O_EXCL, 0600, 0);
	pid_t pid;

	check(sem != SEM_FAILED);
	pid = fork();
	if (!pid)
		_exit(sem_post(sem_open("/perf0-shared", 0)));
	check(!sem_wait(sem) && !status_of(pid));
	check(!sem_close(sem) && !sem_unlink("/perf0-shared"));
}

int main(void)
{
	shared = map_shared(-1);
	check_keys();
	check_private_copy();
	check_requeue();
	check_wake_op();
	check_waitv();
	init_shared();
	check_semaphores();
	check_conditions();
	check_robust();
	check_named();
	return check_end();
}
