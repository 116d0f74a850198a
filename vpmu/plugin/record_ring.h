/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_ring.h - a ring of chunks of records, from a vCPU to the code that replays them
 * (replay_vcpu.h). The vCPU fills chunk after chunk, and a thread replays them. The vCPU replays
 * full chunks itself where there is no CPU for a thread, or while counts are read so often that the
 * threads would wait for each other. The order is that of the records, so the counts are the same.
 */
#ifndef VPMU_PLUGIN_RECORD_RING_H
#define VPMU_PLUGIN_RECORD_RING_H

#include "vpmu/plugin/replay_vcpu.h"

#include <pthread.h>
#include <semaphore.h>

#define FEED_CHUNK  2047 /* records in a chunk, behind one word */
#define FEED_CHUNKS 64

struct feed {
	follow_record *at, *end; /* the place of the next record, and the end of the chunk */
	follow_record *begin;    /* the begin of that chunk; the word before it is no record */
	follow_record *ring;
	struct follower *follower;
	bool has_thread, ends;
	bool stays; /* feed_stay(): the vCPU replays all chunks */
	pthread_t thread;

	/* Shared by both threads. */
	uint64_t filled
		__attribute__((aligned(64))); /* chunks since the start; written by the vCPU */
	bool is_claimed;                      /* the vCPU claims the lock */
	uint64_t followed __attribute__((aligned(64))); /* chunks; written under the lock */
	bool sleeps;                                    /* the thread sleeps until `work` */
	bool waits;                                     /* the vCPU sleeps until `room` */
	pthread_mutex_t lock;                           /* its holder replays */
	sem_t work, room;
};

/* feed_begin() - starts a zeroed feed; `threaded`: with a thread, if there is a CPU to spare.
 * False: no memory. feed_end(): replays everything, and ends the thread. */
bool feed_begin(struct feed *feed, struct follower *follower, bool threaded);
void feed_end(struct feed *feed);

/* feed_replay() - returns when all records are replayed. feed_settle(): and counted. feed_stay():
 * from now on the vCPU replays them (`on`), or the thread. Called by the vCPU. */
void feed_replay(struct feed *feed);
void feed_settle(struct feed *feed);
void feed_stay(struct feed *feed, bool on);

/* feed_next_chunk() - the chunk is full. */
void feed_next_chunk(struct feed *feed);

/* feed_put() - adds a record. Called by the vCPU. */
static inline void feed_put(struct feed *feed, follow_record record)
{
	*feed->at++ = record;
	if (feed->at == feed->end)
		feed_next_chunk(feed);
}

/* feed_again() - a run that loops: counts one more iteration, or adds a record. */
static inline void feed_again(struct feed *feed, follow_record record)
{
	follow_record *last = feed->at - 1;

	if ((*last & (FOLLOW_ONCE_MORE - 1)) == record && *last < FOLLOW_MOST_MORE)
		*last += FOLLOW_ONCE_MORE;
	else
		feed_put(feed, record);
}

#endif
