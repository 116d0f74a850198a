// SPDX-License-Identifier: BSD-2-Clause
/* poll.c - see poll.h. Waiters are queued before files are read, so no change is missed. */
#include "linux/file/poll.h"

#include "lib/string.h"
#include "rt/base/heap.h"

static struct wait_slot *slots_of(struct wait_set *set)
{
	return set->slots ? set->slots : set->few;
}

void wait_set_remove_all(struct wait_set *set)
{
	struct wait_slot *slots = slots_of(set);

	for (unsigned i = 0; i < set->n; i++)
		wait_remove(&slots[i].waiter);
	for (unsigned i = 0; i < set->n; i++)
		file_put(slots[i].f);
	heap_free(set->slots);
	set->slots = NULL;
	set->n = set->room = 0;
	memset(set->few, 0, sizeof(set->few));
}

/* Room for `n` waiters in all; slots do not move once they wait. */
static int reserve_slots(struct wait_set *set, unsigned n)
{
	if (set->n || n <= WAIT_SLOTS) {
		set->room = set->slots ? set->room : WAIT_SLOTS;
		return set->n + n <= set->room ? 0 : -ENOMEM;
	}
	set->slots = heap_alloc(n * sizeof(*set->slots));
	set->room = n;
	return set->slots ? 0 : -ENOMEM;
}

static void slot_told(struct waiter *waiter)
{
	struct wait_slot *slot = (struct wait_slot *)waiter;

	slot->set->wake(slot->set);
}

static void add_slot(struct wait_set *set, struct file *f, struct wait_queue *queue)
{
	struct wait_slot *slot = &slots_of(set)[set->n++];

	slot->waiter.fn = slot_told;
	slot->set = set;
	slot->f = f ? file_get(f) : NULL;
	wait_add(queue, &slot->waiter);
}

int wait_set_add(struct wait_set *set, struct file *f, struct wait_queue *queue)
{
	const int error = reserve_slots(set, 1);

	if (!error)
		add_slot(set, f, queue);
	return error;
}

int file_await(struct file *f, unsigned events, struct wait_set *set)
{
	struct wait_queue *queue;
	unsigned ready = file_poll(f, events, &queue);

	if (ready || !queue)
		return (int)ready;
	if (wait_set_add(set, f, queue))
		return -ENOMEM;
	ready = file_poll(f, events, &queue);
	if (ready)
		wait_set_end(set);
	return (int)ready;
}

/* --- poll --- */

/* The ready events of one file; a set is first added to the wait queue of the file. */
static unsigned poll_one(struct fd_table *table, const struct pollfd *fd, struct wait_set *set)
{
	struct file *f = fd->fd < 0 ? NULL : fd_get(table, fd->fd);
	struct wait_queue *queue;
	unsigned ready;

	if (!f)
		return fd->fd < 0 ? 0 : POLLNVAL;
	ready = file_poll(f, (uint16_t)fd->events, &queue);
	if (!ready && queue && set) {
		add_slot(set, f, queue);
		ready = file_poll(f, (uint16_t)fd->events, &queue);
	}
	file_put(f);
	return ready;
}

static int poll_all(struct fd_table *table, struct pollfd *fds, unsigned n, struct wait_set *set)
{
	int ready = 0;

	for (unsigned i = 0; i < n; i++) {
		fds[i].revents = (short)poll_one(table, &fds[i], set);
		ready += fds[i].revents != 0;
	}
	return ready;
}

int poll_files(struct fd_table *table, struct pollfd *fds, unsigned n, struct wait_set *set)
{
	int ready = poll_all(table, fds, n, NULL);

	if (ready || !set)
		return ready;
	if (reserve_slots(set, n)) {
		wait_set_end(set);
		return -ENOMEM;
	}
	ready = poll_all(table, fds, n, set);
	if (ready)
		wait_set_end(set);
	return ready;
}

/* --- select --- */

/* For each set of select(2): the events to ask for, and the events that make it ready. */
static const struct {
	unsigned asks, tells;
} select_kinds[SELECT_SETS] = {
	{POLLIN | POLLRDNORM | POLLRDBAND, POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR},
	{POLLOUT | POLLWRNORM | POLLWRBAND, POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR},
	{POLLPRI, POLLPRI},
};

static unsigned asked_of(uint64_t *const sets[SELECT_SETS], unsigned fd)
{
	unsigned events = 0;

	for (unsigned k = 0; k < SELECT_SETS; k++)
		if (sets[k] && sets[k][fd / 64] >> fd % 64 & 1)
			events |= select_kinds[k].asks;
	return events;
}

/* -EBADF: a bit without a file. */
static int fill_fds(struct fd_table *table, uint64_t *const sets[SELECT_SETS], struct pollfd *fds,
		    unsigned n)
{
	for (unsigned fd = 0; fd < n; fd++) {
		const unsigned events = asked_of(sets, fd);

		fds[fd] = (struct pollfd){.fd = events ? (int)fd : -1, .events = (short)events};
		if (events && !fd_is_open(table, (int)fd))
			return -EBADF;
	}
	return 0;
}

static void clear_sets(uint64_t *const sets[SELECT_SETS], unsigned n)
{
	for (unsigned k = 0; k < SELECT_SETS; k++)
		if (sets[k])
			memset(sets[k], 0, (n + 63) / 64 * sizeof(uint64_t));
}

static int tell_set(uint64_t *bits, const uint64_t *asked, unsigned tells, const struct pollfd *fds,
		    unsigned n)
{
	int ready = 0;

	for (unsigned fd = 0; fd < n; fd++)
		if (asked[fd / 64] >> fd % 64 & 1 && (unsigned)fds[fd].revents & tells) {
			bits[fd / 64] |= 1ull << fd % 64;
			ready++;
		}
	return ready;
}

static int tell_sets(uint64_t *const sets[SELECT_SETS], const struct pollfd *fds, unsigned n)
{
	uint64_t asked[FD_MOST / 64];
	int ready = 0;

	for (unsigned k = 0; k < SELECT_SETS; k++) {
		if (!sets[k])
			continue;
		memcpy(asked, sets[k], (n + 63) / 64 * sizeof(*asked));
		memset(sets[k], 0, (n + 63) / 64 * sizeof(*asked));
		ready += tell_set(sets[k], asked, select_kinds[k].tells, fds, n);
	}
	return ready;
}

int select_files(struct fd_table *table, uint64_t *const sets[SELECT_SETS], unsigned n,
		 struct wait_set *set)
{
	struct pollfd *fds;
	int ready;

	n = n < FD_MOST ? n : FD_MOST;
	fds = heap_alloc((n ? n : 1) * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	ready = fill_fds(table, sets, fds, n);
	if (!ready)
		ready = poll_files(table, fds, n, set);
	if (ready > 0)
		ready = tell_sets(sets, fds, n);
	else if (!ready && !set)
		clear_sets(sets, n);
	heap_free(fds);
	return ready;
}
