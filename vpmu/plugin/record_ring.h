/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_ring.h - the records of a vCPU on their way to what follows them (replay_vcpu.h): a ring
 * of chunks. The vCPU fills one chunk after the other, and a thread of its own follows them; or the
 * vCPU follows each itself when it is full: where there is no CPU for a thread, and while the
 * counts are looked at so often that two threads would wait for each other. The order is that of
 * the records, so the counts are the same.
 */
#ifndef VPMU_PLUGIN_RECORD_RING_H
#define VPMU_PLUGIN_RECORD_RING_H

#include "vpmu/plugin/replay_vcpu.h"

#include <pthread.h>
#include <semaphore.h>

#define FEED_CHUNK  2047 /* records; and a word in front */
#define FEED_CHUNKS 64

struct feed {
	follow_record *at, *end; /* where the next one goes, and the chunk ends */
	follow_record *begin;    /* of that chunk; in front of it is none */
	follow_record *ring;
	struct follower *follower;
	bool has_thread, ends;
	bool stays; /* feed_stay(): the vCPU follows all */
	pthread_t thread;

	/* Of both threads. */
	uint64_t filled __attribute__((aligned(64)));   /* chunks, ever; the vCPU's */
	bool is_claimed;                                /* by the vCPU */
	uint64_t followed __attribute__((aligned(64))); /* chunks; changes under the lock */
	bool sleeps;                                    /* the thread, until `work` */
	bool waits;                                     /* the vCPU, until `room` */
	pthread_mutex_t lock;                           /* the holder follows */
	sem_t work, room;
};

/*
 * feed_begin() - of zeros; `threaded`: by a thread, if there is a CPU to spare. False: no memory.
 * feed_end(): all is followed, and the thread has ended.
 */
bool feed_begin(struct feed *feed, struct follower *follower, bool threaded);
void feed_end(struct feed *feed);

/* feed_settle() - all records are followed when it returns, and the counts have them. feed_stay():
 * from then on the vCPU follows them (`on`), or the thread. The vCPU's. */
void feed_settle(struct feed *feed);
void feed_stay(struct feed *feed, bool on);

/* feed_next_chunk() - the chunk is full. */
void feed_next_chunk(struct feed *feed);

/* feed_put() - one more. The vCPU's. */
static inline void feed_put(struct feed *feed, follow_record record)
{
	*feed->at++ = record;
	if (feed->at == feed->end)
		feed_next_chunk(feed);
}

/* feed_again() - a run that is a loop: once more, or with a record of its own. */
static inline void feed_again(struct feed *feed, follow_record record)
{
	follow_record *last = feed->at - 1;

	if ((*last & (FOLLOW_ONCE_MORE - 1)) == record && *last < FOLLOW_MOST_MORE)
		*last += FOLLOW_ONCE_MORE;
	else
		feed_put(feed, record);
}

#endif
