// SPDX-License-Identifier: BSD-2-Clause
/*
 * record_ring.c - the two sides of the ring.
 *
 * Orderings. (A) The writer stores `filled` after the records of a chunk; the thread loads it
 * before it reads them. (B) The thread stores `replayed` after its last read of a chunk; the writer
 * loads it before it fills that chunk again. (C) One side stores `sleeps`, then loads `filled`; the
 * other stores `filled`, then loads `sleeps`: one of them sees the other's store. (D) The same with
 * `waits` and `replayed`.
 *
 * Records are replayed under the lock, except by the writer when no chunk is left (B).
 */
#include "vpmu/plugin/record_ring.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#define SPINS 1000 /* rounds before a thread sleeps */

static feed_record *chunk_of(const struct feed *feed, uint64_t number)
{
	return feed->ring + number % FEED_CHUNKS * (FEED_CHUNK + 1) + 1;
}

/* The caller holds the lock. */
static void replay_chunk(struct feed *feed)
{
	feed->replay(feed->context, chunk_of(feed, feed->replayed), FEED_CHUNK);
	__atomic_store_n(&feed->replayed, feed->replayed + 1, __ATOMIC_SEQ_CST); /* B, D */
}

static uint64_t chunks_left(const struct feed *feed)
{
	return __atomic_load_n(&feed->filled, __ATOMIC_SEQ_CST) -
	       __atomic_load_n(&feed->replayed, __ATOMIC_SEQ_CST); /* A to D */
}

static bool is_full(const struct feed *feed)
{
	return chunks_left(feed) == FEED_CHUNKS - 1;
}

static void sleep_until(sem_t *told)
{
	while (sem_wait(told) && errno == EINTR)
		;
}

/* Wakes a side once, if it has announced that it sleeps and has found nothing to do since. */
static void wake_side(bool *sleeps, sem_t *told)
{
	if (__atomic_load_n(sleeps, __ATOMIC_SEQ_CST) &&
	    __atomic_exchange_n(sleeps, false, __ATOMIC_SEQ_CST))
		sem_post(told);
}

/* --- The thread --- */

static bool has_work(const struct feed *feed)
{
	return !__atomic_load_n(&feed->is_claimed, __ATOMIC_RELAXED) && chunks_left(feed);
}

static void await_work(struct feed *feed)
{
	for (unsigned i = 0; i < SPINS; i++) {
		if (has_work(feed))
			return;
		__builtin_ia32_pause();
	}
	__atomic_store_n(&feed->sleeps, true, __ATOMIC_SEQ_CST); /* C */
	/* If the flag is cleared already, a wake-up is under way. */
	if (!(has_work(feed) || __atomic_load_n(&feed->ends, __ATOMIC_SEQ_CST)) ||
	    !__atomic_exchange_n(&feed->sleeps, false, __ATOMIC_SEQ_CST))
		sleep_until(&feed->work);
}

/* Not every free chunk is worth a wake-up. */
static void replay_chunks(struct feed *feed)
{
	while (has_work(feed)) {
		replay_chunk(feed);
		if (chunks_left(feed) <= FEED_CHUNKS / 2)
			wake_side(&feed->waits, &feed->room); /* D */
	}
}

static void *replay_feed(void *context)
{
	struct feed *feed = context;

	while (!__atomic_load_n(&feed->ends, __ATOMIC_SEQ_CST)) {
		await_work(feed);
		pthread_mutex_lock(&feed->lock);
		replay_chunks(feed);
		pthread_mutex_unlock(&feed->lock);
	}
	return NULL;
}

/* Signals go to QEMU's threads. */
static bool start_replaying(struct feed *feed)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(&feed->thread, NULL, replay_feed, feed);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

/* --- The writer --- */

static bool has_cpu_to_spare(void)
{
	cpu_set_t cpus;

	return !sched_getaffinity(0, sizeof(cpus), &cpus) && CPU_COUNT(&cpus) > 1;
}

static void begin_chunk(struct feed *feed)
{
	feed->begin = feed->at = chunk_of(feed, feed->filled);
	feed->end = feed->begin + FEED_CHUNK;
}

bool feed_begin(struct feed *feed, feed_replay_fn *replay, void *context, bool threaded)
{
	feed->replay = replay;
	feed->context = context;
	feed->ring = calloc((size_t)FEED_CHUNKS * (FEED_CHUNK + 1), sizeof(*feed->ring));
	if (!feed->ring || pthread_mutex_init(&feed->lock, NULL) || sem_init(&feed->work, 0, 0) ||
	    sem_init(&feed->room, 0, 0))
		return false;
	feed->has_thread = threaded && has_cpu_to_spare() && start_replaying(feed);
	begin_chunk(feed);
	return true;
}

static void await_room(struct feed *feed)
{
	if (!is_full(feed))
		return;
	__atomic_store_n(&feed->waits, true, __ATOMIC_SEQ_CST); /* D */
	if (is_full(feed) || !__atomic_exchange_n(&feed->waits, false, __ATOMIC_SEQ_CST))
		sleep_until(&feed->room);
}

/* Replays the chunk that is being filled; the thread has none. */
static void replay_rest(struct feed *feed)
{
	feed->replay(feed->context, feed->begin, (size_t)(feed->at - feed->begin));
	feed->at = feed->begin;
}

__attribute__((noinline)) void feed_next_chunk(struct feed *feed)
{
	if (!feed->has_thread || feed->stays) {
		replay_rest(feed);
		return;
	}
	__atomic_store_n(&feed->filled, feed->filled + 1, __ATOMIC_SEQ_CST); /* A, C */
	wake_side(&feed->sleeps, &feed->work);                               /* C */
	await_room(feed);
	begin_chunk(feed);
}

static void replay_left(struct feed *feed)
{
	__atomic_store_n(&feed->is_claimed, true, __ATOMIC_RELAXED);
	pthread_mutex_lock(&feed->lock);
	while (chunks_left(feed))
		replay_chunk(feed);
	pthread_mutex_unlock(&feed->lock);
	__atomic_store_n(&feed->is_claimed, false, __ATOMIC_RELAXED);
}

void feed_drain(struct feed *feed)
{
	if (chunks_left(feed))
		replay_left(feed);
	replay_rest(feed);
}

void feed_stay(struct feed *feed, bool on)
{
	if (on && !feed->stays)
		feed_drain(feed);
	feed->stays = on;
}

void feed_end(struct feed *feed)
{
	feed_drain(feed);
	if (feed->has_thread) {
		__atomic_store_n(&feed->ends, true, __ATOMIC_SEQ_CST); /* C */
		wake_side(&feed->sleeps, &feed->work);
		pthread_join(feed->thread, NULL);
	}
	sem_destroy(&feed->work);
	sem_destroy(&feed->room);
	pthread_mutex_destroy(&feed->lock);
	free(feed->ring);
}
