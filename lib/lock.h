/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lock.h - a lock for critical sections of a few instructions. A CPU takes a free lock at once. A
 * CPU that has waited for LOCK_PATIENCE rounds takes a ticket, and CPUs with tickets go first, in
 * the order of tickets. So each wait is bounded. A waiting CPU that its hypervisor has descheduled
 * does not delay the others, as it would in a pure ticket lock.
 *
 * Rules of use: a lock of zeros is free. It is taken with interrupts off and held for a bounded
 * number of instructions. The holder does not call another CPU, sleep, leave for ring 3, or take
 * the lock again. NMI handlers take no lock, because they may have interrupted the holder.
 */
#ifndef LIB_LOCK_H
#define LIB_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lock {
	uint32_t held;
	uint16_t next;    /* the next ticket to be taken */
	uint16_t serving; /* the ticket whose turn it is; equal to `next`: no CPU waits with one */
};

static inline bool lock_seize(struct lock *lock)
{
	return !__atomic_load_n(&lock->held, __ATOMIC_RELAXED) &&
	       !__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE);
}

static inline bool lock_has_queue(const struct lock *lock)
{
	return __atomic_load_n(&lock->next, __ATOMIC_RELAXED) !=
	       __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);
}

/* lock_wait() - the slow path of lock_take(). */
void lock_wait(struct lock *lock, void (*relax)(void));

/*
 * lock_take() - waits until the lock is free and takes it. All writes of the previous holder are
 * visible from here on.
 * lock_take_relaxed() - calls `relax` while it waits (NULL: nothing). A `relax` that serves
 * requests of other CPUs allows the holder to make such requests.
 */
static inline void lock_take_relaxed(struct lock *lock, void (*relax)(void))
{
	if (__builtin_expect(lock_has_queue(lock) ||
				     __atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE),
			     0))
		lock_wait(lock, relax);
}

static inline void lock_take(struct lock *lock)
{
	lock_take_relaxed(lock, NULL);
}

/* lock_release() - called by the CPU that holds the lock. */
static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

#endif
