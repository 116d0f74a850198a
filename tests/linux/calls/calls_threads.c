// SPDX-License-Identifier: BSD-2-Clause
/* calls_threads.c - threads, and the objects that they wait on. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/linux/check.h"

static long futex(uint32_t *at, int op, uint32_t value, const struct timespec *timeout, void *other,
		  uint32_t value3)
{
	return syscall(SYS_futex, at, op, value, timeout, other, value3);
}

/* --- Threads --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int own = 3;
static long sum;

static void *add(void *arg)
{
	own += (int)(intptr_t)arg;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		sum++;
		pthread_mutex_unlock(&mutex);
		if (i % 100 == 0)
			sched_yield();
	}
	return (void *)(intptr_t)own;
}

static void check_threads(void)
{
	pthread_t t[16];
	void *result;

	for (intptr_t i = 0; i < 16; i++)
		check(!pthread_create(&t[i], NULL, add, (void *)i));
	for (intptr_t i = 0; i < 16; i++)
		check(!pthread_join(t[i], &result) && (intptr_t)result == 3 + i);
	check(sum == 16000 && own == 3);
	check(gettid() == getpid());
}

static void *leave(void *arg)
{
	return arg;
}

static void check_many(void)
{
	for (int i = 0; i < 300; i++) {
		pthread_t t;

		if (!check(!pthread_create(&t, NULL, leave, NULL)))
			break;
		pthread_join(t, NULL);
	}
}

/* --- Waiting --- */

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn;

static void *ping(void *arg)
{
	const int me = (int)(intptr_t)arg;

	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 200; i++) {
		while (turn != me)
			pthread_cond_wait(&cond, &mutex);
		turn = !me;
		pthread_cond_broadcast(&cond);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/*
 * A lock like Python's: its owner releases it for one system call, and takes it again until the
 * next one. A waiting thread gets it, although the owner never sleeps.
 */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t free;
	bool owned, passed_on;
} baton = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};

static void take_baton(void)
{
	pthread_mutex_lock(&baton.mutex);
	while (baton.owned)
		pthread_cond_wait(&baton.free, &baton.mutex);
	baton.owned = true;
	pthread_mutex_unlock(&baton.mutex);
}

static void drop_baton(void)
{
	pthread_mutex_lock(&baton.mutex);
	baton.owned = false;
	pthread_cond_signal(&baton.free);
	pthread_mutex_unlock(&baton.mutex);
}

static void *pass_on(void *arg)
{
	take_baton();
	baton.passed_on = true;
	drop_baton();
	return arg;
}

static void check_baton(void)
{
	static volatile long work;
	pthread_t t;

	take_baton();
	pthread_create(&t, NULL, pass_on, NULL);
	for (int i = 0; i < 20000 && !baton.passed_on; i++) {
		for (work = 0; work < 100000; work++)
			;
		drop_baton();
		poll(NULL, 0, 0);
		take_baton();
	}
	check(baton.passed_on);
	drop_baton();
	pthread_join(t, NULL);
}

static void check_conditions(void)
{
	struct timespec ts;
	pthread_barrier_t barrier;
	pthread_t t;
	sem_t sem;

	check(!pthread_create(&t, NULL, ping, (void *)1));
	ping((void *)0);
	pthread_join(t, NULL);
	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += 3000000;
	if (ts.tv_nsec >= 1000000000)
		ts = (struct timespec){ts.tv_sec + 1, ts.tv_nsec - 1000000000};
	pthread_mutex_lock(&mutex);
	check(pthread_cond_timedwait(&cond, &mutex, &ts) == ETIMEDOUT);
	check(pthread_mutex_timedlock(&(pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER, &ts) == 0);
	pthread_mutex_unlock(&mutex);
	check(!sem_init(&sem, 0, 1) && !sem_wait(&sem));
	check_error(sem_timedwait(&sem, &ts), ETIMEDOUT);
	check_error(sem_trywait(&sem), EAGAIN);
	check(!pthread_barrier_init(&barrier, NULL, 1) &&
	      pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
}

static uint32_t word;

static void *wait_on_word(void *arg)
{
	return (void *)futex(&word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, NULL, NULL,
			     (uint32_t)(uintptr_t)arg);
}

static void *wait_plainly(void *arg)
{
	return (void *)futex(arg, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static long wake_until(uint32_t *at, int op, uint32_t bits)
{
	long n = 0;

	for (int i = 0; i < 1000 && !n; i++) {
		usleep(1000);
		n = futex(at, op, 1, NULL, NULL, bits);
	}
	return n;
}

static void check_futex(void)
{
	struct timespec ts = {0, 2000000}, bad = {0, 1000000000};
	uint32_t other = 0;
	pthread_t a, b;
	long n = 0;

	check_error(futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0), EAGAIN);
	check_error(futex(&word, FUTEX_WAIT, 0, &ts, NULL, 0), ETIMEDOUT);
	check_error(futex(&word, FUTEX_WAIT, 0, &bad, NULL, 0), EINVAL);
	check_error(futex(nowhere, FUTEX_WAIT, 0, NULL, NULL, 0), EFAULT);
	check_error(futex((uint32_t *)((char *)&word + 1), FUTEX_WAIT, 0, NULL, NULL, 0), EINVAL);
	check_error(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0), EINVAL);
	check_error(futex(&word, 99, 0, NULL, NULL, 0), ENOSYS);
	check(!futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0));
	pthread_create(&a, NULL, wait_on_word, (void *)1);
	pthread_create(&b, NULL, wait_on_word, (void *)2);
	check(wake_until(&word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 2) == 1);
	pthread_join(b, NULL);
	check(!futex(&word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 2));
	check(wake_until(&word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1) == 1);
	pthread_join(a, NULL);
	/* One is woken, the other waits for `other` from then on. */
	pthread_create(&a, NULL, wait_plainly, &word);
	pthread_create(&b, NULL, wait_plainly, &word);
	usleep(20000);
	check_error(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 5), EAGAIN);
	check(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 0) == 2);
	for (int i = 0; i < 1000 && !n; i++)
		n = futex(&other, FUTEX_WAKE, 1, NULL, NULL, 0);
	check(n == 1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	futex(&word, FUTEX_WAKE_OP, 1, NULL, &other, FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0));
	check(other == 5);
}

/* --- The state that a thread leaves at its end --- */

static pthread_mutex_t robust;

static void *die_with_it(void *arg)
{
	pthread_mutex_lock(&robust);
	return arg;
}

static void *sleep_long(void *arg)
{
	sleep(1000);
	return arg;
}

static void check_ends(void)
{
	pthread_mutexattr_t attr;
	pthread_attr_t detached;
	pthread_t t;
	void *result;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attr);
	pthread_create(&t, NULL, die_with_it, NULL);
	pthread_join(t, NULL);
	check(pthread_mutex_lock(&robust) == EOWNERDEAD && !pthread_mutex_consistent(&robust));
	check(!pthread_mutex_unlock(&robust));
	pthread_create(&t, NULL, sleep_long, NULL);
	check(!pthread_cancel(t) && !pthread_join(t, &result) && result == PTHREAD_CANCELED);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&detached, 256 << 10);
	check(!pthread_create(&t, &detached, leave, NULL));
}

/* --- CPUs and names --- */

static void check_places(void)
{
	char name[16];
	cpu_set_t set;
	unsigned cpu = 99, node = 99;

	check(!sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) >= 1);
	check(!getcpu(&cpu, &node) && CPU_ISSET(cpu, &set) && sched_getcpu() >= 0);
	check(!sched_setaffinity(0, sizeof(set), &set));
	CPU_ZERO(&set);
	check_error(sched_setaffinity(0, sizeof(set), &set), EINVAL);
	check_error(sched_getaffinity(999999, sizeof(set), &set), ESRCH);
	check_error(syscall(SYS_sched_getaffinity, 0, 1, &set), EINVAL);
	check(!prctl(PR_SET_NAME, "a name that is too long") && !prctl(PR_GET_NAME, name) &&
	      !strcmp(name, "a name that is "));
	check(!pthread_setname_np(pthread_self(), "x"));
	check(sched_get_priority_max(SCHED_FIFO) == 99 && !sched_get_priority_max(SCHED_OTHER));
	check_error(sched_get_priority_max(99), EINVAL);
	check(sched_getscheduler(0) == SCHED_OTHER);
}

int main(void)
{
	check_threads();
	check_many();
	check_conditions();
	check_baton();
	check_futex();
	check_ends();
	check_places();
	return check_end();
}
