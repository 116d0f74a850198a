/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order.h - the four orderings of the perf ring, each with its letter and its partner, and
 * read-modify-writes that are atomic against interrupts of this CPU.
 *
 *   writer (the ring's CPU)                reader (any CPU)
 *
 *   load data_tail                         load data_head
 *   -- A: room seen before it is filled    -- C: head seen before data is read
 *   store data                             load data
 *   -- B: data stored before head is       -- D: data read before its room is freed
 *   store data_head                        store data_tail
 *
 * B pairs with C: a reader that sees the head sees the records before it. D pairs with A: a writer
 * that sees the room may overwrite it. On x86 all four are plain moves; they restrain the compiler
 * and tell a race detector the intent.
 *
 * The ring_* functions access the data between the orderings: plain accesses that only the letters
 * order. rb.c accesses all shared variables through this file. So a test can explore every order of
 * the accesses (tests/unit/record/ring_order.h replaces this file).
 *
 * The local_* functions are one instruction without a LOCK prefix: an interrupt or NMI of the same
 * CPU comes before or after it, never within. Other CPUs must not access these variables.
 */
#ifndef RB_ORDER_H
#define RB_ORDER_H

#include "lib/string.h"

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A: the writer loads data_tail. */
static inline uint64_t order_a_load_tail(const __u64 *tail)
{
	return __atomic_load_n(tail, __ATOMIC_ACQUIRE);
}

/* B: the writer stores data_head. */
static inline void order_b_store_head(__u64 *head, uint64_t value)
{
	__atomic_store_n(head, value, __ATOMIC_RELEASE);
}

/* C: the reader loads data_head. */
static inline uint64_t order_c_load_head(const __u64 *head)
{
	return __atomic_load_n(head, __ATOMIC_ACQUIRE);
}

/* D: the reader stores data_tail. */
static inline void order_d_store_tail(__u64 *tail, uint64_t value)
{
	__atomic_store_n(tail, value, __ATOMIC_RELEASE);
}

/* ring_store() - the writer stores one word of the data. */
static inline void ring_store(uint64_t *word, uint64_t value)
{
	*word = value;
}

/* ring_load(), ring_load_bytes() - the reader loads data. */
static inline uint64_t ring_load(const uint64_t *word)
{
	return *word;
}

static inline void ring_load_bytes(void *out, const void *data, size_t n)
{
	memcpy(out, data, n);
}

/* ring_load_own_tail() - the reader loads data_tail, which it alone stores. */
static inline uint64_t ring_load_own_tail(const __u64 *tail)
{
	return *tail;
}

/*
 * local_load(), local_store() - exactly one access, in program order with the other accesses here.
 */
static inline uint64_t local_load(const uint64_t *p)
{
	return *(const volatile uint64_t *)p;
}

static inline void local_store(uint64_t *p, uint64_t value)
{
	*(volatile uint64_t *)p = value;
}

/*
 * local_barrier() - the compiler moves no access across it. The CPU always sees its own accesses in
 * order.
 */
static inline void local_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* local_add() - *p += n. */
static inline void local_add(uint64_t *p, uint64_t n)
{
	__asm__ volatile("addq %1, %0" : "+m"(*p) : "er"(n) : "cc", "memory");
}

/* local_cmpxchg() - stores `new` where *p is `old`; returns whether it did. */
static inline bool local_cmpxchg(uint64_t *p, uint64_t old, uint64_t new)
{
	bool was;

	__asm__ volatile("cmpxchgq %3, %1"
			 : "=@cce"(was), "+m"(*p), "+a"(old)
			 : "r"(new)
			 : "memory");
	return was;
}

#endif
