/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lock.h - for a few instructions, one CPU at a time: a ticket lock, so the CPU that came first
 * goes first.
 *
 * Rules of use: all zero is free. It is taken with interrupts off and held for a bounded number of
 * instructions: its holder does not call another CPU, sleep, or leave for ring 3, and the same CPU
 * does not take it twice. NMI handlers take none, for they may have interrupted the holder.
 */
#ifndef LIB_LOCK_H
#define LIB_LOCK_H

#include <stdint.h>

struct lock {
	uint32_t next;    /* the ticket for the CPU that comes now */
	uint32_t serving; /* the ticket whose turn it is */
};

/* lock_take() - waits for its turn. What the holder before wrote is seen from here on. */
static inline void lock_take(struct lock *lock)
{
	const uint32_t ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != ticket)
		__builtin_ia32_pause();
}

/* lock_release() - by the CPU that has taken it. */
static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->serving, lock->serving + 1, __ATOMIC_RELEASE);
}

#endif
