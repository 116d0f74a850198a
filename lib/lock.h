/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lock.h - for a few instructions, one CPU at a time: a ticket lock, so whoever came first goes
 * first.
 *
 * Rules of use: all zero is free. It is taken with interrupts off and held for a bounded number of
 * instructions: nobody calls another CPU, sleeps, or leaves for ring 3 with it, and the same CPU
 * does not take it twice. NMI handlers take none, for they may have interrupted the holder.
 */
#ifndef LIB_LOCK_H
#define LIB_LOCK_H

#include <stdint.h>

struct lock {
	uint32_t next;    /* the ticket for who comes now */
	uint32_t serving; /* the ticket whose turn it is */
};

/* lock_take() - waits for its turn. What the holder before wrote is seen from here on. */
static inline void lock_take(struct lock *lock)
{
	const uint32_t ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != ticket)
		__builtin_ia32_pause();
}

/* lock_release() - by who has taken it. */
static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->serving, lock->serving + 1, __ATOMIC_RELEASE);
}

#endif
