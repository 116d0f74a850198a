/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * poll.h - waiting for files. A system call that cannot proceed leaves waiters in a struct
 * wait_set of its task, and sleeps. A change of a file calls the set's `wake`. The task then
 * ends the set and repeats its call from the start.
 */
#ifndef LINUX_FILE_POLL_H
#define LINUX_FILE_POLL_H

#include "linux/file/fd_table.h"

struct wait_set;

struct wait_slot {
	struct waiter waiter; /* the first: a callback has its address */
	struct wait_set *set;
	struct file *f; /* a reference: its queue lies in it */
};

#define WAIT_SLOTS 2 /* without memory of the heap */

/* All zero but for `wake`: empty. */
struct wait_set {
	void (*wake)(struct wait_set *set); /* with the lock of a wait queue held, interrupts off */
	struct wait_slot *slots;            /* NULL: `few` */
	unsigned n, room;
	struct wait_slot few[WAIT_SLOTS];
};

/* wait_set_end() - removes all waiters; no effect on an empty set. */
void wait_set_remove_all(struct wait_set *set);
static inline void wait_set_end(struct wait_set *set)
{
	if (set->n || set->slots)
		wait_set_remove_all(set);
}

/* wait_set_add() - calls the set's `wake` when `queue` is woken. The queue lies in `f`, or in no
 * file: NULL. -ENOMEM. */
int wait_set_add(struct wait_set *set, struct file *f, struct wait_queue *queue);

/*
 * file_await() - returns those of `events`, POLLERR and POLLHUP that are set. 0: none is; `set` is
 * woken when that may have changed. -ENOMEM.
 */
int file_await(struct file *f, unsigned events, struct wait_set *set);

/*
 * poll_files() - as poll(2): fills in `revents` of each file and returns how many are not 0. If it
 * returns 0 and `set` is not NULL, `set` is woken when that may have changed. -ENOMEM.
 */
int poll_files(struct fd_table *table, struct pollfd *fds, unsigned n, struct wait_set *set);

/*
 * select_files() - as select(2). The three sets (read, write, exceptional; NULL: none) are bits of
 * `n` file descriptors in words of 64. They are replaced by the sets of ready descriptors. Returns
 * the number of bits set; `set` as in poll_files(). -EBADF: a bit of a descriptor that is not open;
 * -ENOMEM.
 */
#define SELECT_SETS 3
int select_files(struct fd_table *table, uint64_t *const sets[SELECT_SETS], unsigned n,
		 struct wait_set *set);

#endif
