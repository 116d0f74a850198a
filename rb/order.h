/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order.h - the four orderings of the perf ring, each with its letter and its partner, and the
 * read-modify-writes that are atomic against what interrupts this CPU.
 *
 *      writer (the ring's CPU)                  reader (any CPU)
 *
 *      load data_tail                           load data_head
 *      -- A: room seen before it is filled      -- C: head seen before data is read
 *      store data                               load data
 *      -- B: data there before head says so     -- D: data read before it is given back
 *      store data_head                          store data_tail
 *
 * B pairs with C: a reader that sees the head sees the records before it. D pairs with A: a writer
 * that sees the room may overwrite it. On x86 all four are plain moves; they stop the compiler, and
 * say to a race detector what is meant.
 *
 * Between them lies the data, by ring_*: plain accesses, which nothing orders but the letters. All
 * that rb.c shares between CPUs or between nested writers goes by what stands here, so that a test
 * can look at every order of it (tests/unit/record/ring_order.h stands in for this file).
 *
 * The local_* operations are one instruction without a LOCK prefix: an interrupt or NMI of the
 * same CPU comes before or after it, never within. Other CPUs must not touch these variables.
 */
#ifndef RB_ORDER_H
#define RB_ORDER_H

#include "lib/string.h"

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A: data_tail, by the writer. */
static inline uint64_t order_a_load_tail(const __u64 *tail)
{
	return __atomic_load_n(tail, __ATOMIC_ACQUIRE);
}

/* B: data_head, by the writer. */
static inline void order_b_store_head(__u64 *head, uint64_t value)
{
	__atomic_store_n(head, value, __ATOMIC_RELEASE);
}

/* C: data_head, by the reader. */
static inline uint64_t order_c_load_head(const __u64 *head)
{
	return __atomic_load_n(head, __ATOMIC_ACQUIRE);
}

/* D: data_tail, by the reader. */
static inline void order_d_store_tail(__u64 *tail, uint64_t value)
{
	__atomic_store_n(tail, value, __ATOMIC_RELEASE);
}

/* ring_store() - one word of the data, by a writer. */
static inline void ring_store(uint64_t *word, uint64_t value)
{
	*word = value;
}

/* ring_load(), ring_load_bytes() - of the data, by the reader. */
static inline uint64_t ring_load(const uint64_t *word)
{
	return *word;
}

static inline void ring_load_bytes(void *out, const void *data, size_t n)
{
	memcpy(out, data, n);
}

/* ring_load_own_tail() - data_tail, by the reader, which alone stores it. */
static inline uint64_t ring_load_own_tail(const __u64 *tail)
{
	return *tail;
}

/* local_load(), local_store() - exactly one access, kept in program order with the others here. */
static inline uint64_t local_load(const uint64_t *p)
{
	return *(const volatile uint64_t *)p;
}

static inline void local_store(uint64_t *p, uint64_t value)
{
	*(volatile uint64_t *)p = value;
}

/* local_barrier() - the compiler moves no access across it; the CPU shows itself its own order. */
static inline void local_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* local_add() - *p += n. */
static inline void local_add(uint64_t *p, uint64_t n)
{
	__asm__ volatile("addq %1, %0" : "+m"(*p) : "er"(n) : "cc", "memory");
}

/* local_cmpxchg() - *p = new where *p was old; tells whether it was. */
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
