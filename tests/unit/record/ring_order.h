/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring_order.h - replaces rb/order.h where a test explores rb/rb.c: each access is a call into the
 * test, which decides when it takes place and which value it finds. Include it before rb/rb.c. It
 * renames the functions of rb/rb.c, because the test is also linked with the originals.
 */
#ifndef RB_ORDER_H
#define RB_ORDER_H

#include "lib/panic.h"
#include "lib/string.h"

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t order_a_load_tail(const __u64 *tail);
void order_b_store_head(__u64 *head, uint64_t value);
uint64_t order_c_load_head(const __u64 *head);
void order_d_store_tail(__u64 *tail, uint64_t value);

void ring_store(uint64_t *word, uint64_t value);
uint64_t ring_load(const uint64_t *word);
void ring_load_bytes(void *out, const void *data, size_t n);
uint64_t ring_load_own_tail(const __u64 *tail);

uint64_t local_load(const uint64_t *p);
void local_store(uint64_t *p, uint64_t value);
void local_barrier(void);
void local_add(uint64_t *p, uint64_t n);
bool local_cmpxchg(uint64_t *p, uint64_t old, uint64_t new);

/* A failed ASSERT() is a result of the exploration, and does not end the test. */
_Noreturn void explored_panic(const char *condition);
#undef ASSERT
#define ASSERT(condition)                           \
	do {                                        \
		if (!(condition))                   \
			explored_panic(#condition); \
	} while (0)

#define rb_init      explored_rb_init
#define rb_set_mode  explored_rb_set_mode
#define rb_pause     explored_rb_pause
#define rb_reserve   explored_rb_reserve
#define rb_put_bytes explored_rb_put_bytes
#define rb_take_lost explored_rb_take_lost
#define rb_read      explored_rb_read
#define rb_used      explored_rb_used

#endif
