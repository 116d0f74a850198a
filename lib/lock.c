// SPDX-License-Identifier: BSD-2-Clause
/* lock.c - see lock.h: the slow path. */
#include "lib/lock.h"

#include "lib/percpu.h"

/*
 * More rounds than a holder needs, and fewer than a time slice of a host's scheduler: some ms at
 * most.
 */
#define LOCK_PATIENCE 16384

static void relax_once(void (*relax)(void))
{
	if (relax)
		relax();
	CPU_RELAX();
}

/* From here on only CPUs with lower tickets go before this one. */
static void take_in_turn(struct lock *lock, void (*relax)(void))
{
	const uint16_t ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock->serving, __ATOMIC_RELAXED) != ticket || !lock_seize(lock))
		relax_once(relax);
	__atomic_store_n(&lock->serving, (uint16_t)(ticket + 1), __ATOMIC_RELAXED);
}

void lock_wait(struct lock *lock, void (*relax)(void))
{
	for (unsigned rounds = 0; rounds < LOCK_PATIENCE; rounds++) {
		if (!lock_has_queue(lock) && lock_seize(lock))
			return;
		relax_once(relax);
	}
	take_in_turn(lock, relax);
}
