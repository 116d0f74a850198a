/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lock.h - for a few instructions, one CPU at a time. A CPU takes a lock that is free at once; one
 * that has waited for LOCK_PATIENCE rounds takes a ticket, and CPUs with tickets go first, in their
 * order. So each wait is bounded, and a CPU whose hypervisor has taken it off while it waits keeps
 * no other one from the lock: of tickets alone, every turn would wait for that.
 *
 * Rules of use: all zero is free. It is taken with interrupts off and held for a bounded number of
 * instructions: its holder does not call another CPU, sleep, or leave for ring 3, and the same CPU
 * does not take it twice. NMI handlers take none, for they may have interrupted the holder.
 */
#ifndef LIB_LOCK_H
#define LIB_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lock {
	uint32_t held;
	uint16_t next;    /* the ticket for the CPU whose patience ends now */
	uint16_t serving; /* the ticket whose turn it is; `next`: no CPU has one */
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

/* lock_wait() - the rest of lock_take(), where it was not free. */
void lock_wait(struct lock *lock, void (*relax)(void));

/*
 * lock_take() - waits until it is free. What the holder before wrote is seen from here on.
 * lock_take_relaxed() - calls `relax` meanwhile, NULL: nothing; where that does what other CPUs ask
 * for, the holder may call them.
 */
static inline void lock_take_relaxed(struct lock *lock, void (*relax)(void))
{
	if (lock_has_queue(lock) || !lock_seize(lock))
		lock_wait(lock, relax);
}

static inline void lock_take(struct lock *lock)
{
	lock_take_relaxed(lock, NULL);
}

/* lock_release() - by the CPU that has taken it. */
static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

#endif
