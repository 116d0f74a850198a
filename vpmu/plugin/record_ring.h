/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_ring.h - a ring of chunks of records, from a writer to the code that replays them. The
 * writer fills chunk after chunk, and a thread replays them. The writer replays full chunks itself
 * where there is no CPU for a thread, or while counts are read so often that the threads would wait
 * for each other. The order is that of the records, so the counts are the same.
 *
 * There are two such rings. A vCPU writes what it executes to the first (replay_vcpu.h). What
 * replays that models caches and predictors, and writes what takes time to the second
 * (time_records.h).
 */
#ifndef VPMU_PLUGIN_RECORD_RING_H
#define VPMU_PLUGIN_RECORD_RING_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEED_CHUNK  2047 /* records in a chunk, behind one word */
#define FEED_CHUNKS 64

typedef uint64_t feed_record;

/* The low bits of a record are its kind. Above them an access has the logarithm of its size, its
 * instruction in the run, and its address: feed_access() and feed_at(), which adds the address. */
#define FEED_KIND_BITS    3
#define FEED_KIND_MASK    ((1u << FEED_KIND_BITS) - 1)
#define FEED_SHIFT_BITS   3
#define FEED_ADDRESS_BITS 48

/* The kinds of accesses, in each ring. */
enum feed_kind { FEED_LOAD = 2, FEED_STORE = 3 };

static inline bool feed_is_access(feed_record record)
{
	return (record & (FEED_KIND_MASK - 1)) == FEED_LOAD;
}

static inline bool feed_is_store(feed_record access)
{
	return access & 1;
}

static inline feed_record feed_access(unsigned kind, unsigned insn, unsigned shift)
{
	return ((feed_record)insn << FEED_SHIFT_BITS | shift) << FEED_KIND_BITS | kind;
}

static inline feed_record feed_at(feed_record access, uint64_t va)
{
	return va << (64 - FEED_ADDRESS_BITS) | access;
}

static inline uint64_t feed_access_va(feed_record access)
{
	return (uint64_t)((int64_t)access >> (64 - FEED_ADDRESS_BITS));
}

static inline unsigned feed_access_shift(feed_record access)
{
	return access >> FEED_KIND_BITS & ((1u << FEED_SHIFT_BITS) - 1);
}

static inline unsigned feed_access_insn(feed_record access)
{
	const unsigned below = FEED_KIND_BITS + FEED_SHIFT_BITS;

	return access >> below & ((1u << (64 - FEED_ADDRESS_BITS - below)) - 1);
}

/* Replays the next `n` records. */
typedef void feed_replay_fn(void *context, const feed_record *records, size_t n);

struct feed {
	feed_record *at, *end; /* the place of the next record, and the end of the chunk */
	feed_record *begin;    /* the begin of that chunk; the word before it is no record */
	feed_record *ring;
	feed_replay_fn *replay;
	void *context; /* of `replay` */
	bool has_thread, ends;
	bool stays; /* feed_stay(): the writer replays all chunks */
	pthread_t thread;

	/* Shared by both threads. */
	uint64_t filled __attribute__((aligned(64)));   /* chunks since the start; the writer's */
	bool is_claimed;                                /* the writer claims the lock */
	uint64_t replayed __attribute__((aligned(64))); /* chunks; written under the lock */
	bool sleeps;                                    /* the thread sleeps until `work` */
	bool waits;                                     /* the writer sleeps until `room` */
	pthread_mutex_t lock;                           /* its holder replays */
	sem_t work, room;
};

/* feed_begin() - starts a zeroed feed; `threaded`: with a thread, if there is a CPU to spare.
 * False: no memory. feed_end(): replays everything, and ends the thread. */
bool feed_begin(struct feed *feed, feed_replay_fn *replay, void *context, bool threaded);
void feed_end(struct feed *feed);

/* feed_drain() - returns when all records are replayed. feed_stay(): from now on the writer replays
 * them (`on`), or the thread. Called by the writer. */
void feed_drain(struct feed *feed);
void feed_stay(struct feed *feed, bool on);

/* feed_next_chunk() - the chunk is full. */
void feed_next_chunk(struct feed *feed);

/* feed_put() - adds a record. Called by the writer. */
static inline void feed_put(struct feed *feed, feed_record record)
{
	*feed->at++ = record;
	if (feed->at == feed->end)
		feed_next_chunk(feed);
}

#endif
