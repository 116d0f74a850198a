// SPDX-License-Identifier: BSD-2-Clause
/*
 * epoll.c - see epoll.h. A watched file has an item, which waits on the file's queue. A wake of
 * the queue puts the item on the list of items that may be ready; the actual state is read from
 * the file when events are collected. Level-triggered items that were ready go back to the end
 * of the list. One lock guards all items and their files. The list of each epoll has another
 * lock, which the callback takes while the lock of a queue is held (locked.h).
 */
#include "linux/file/epoll.h"

#include "linux/portable/locked.h"
#include "rt/base/heap.h"

#define BUCKETS     64
#define LEVELS_MOST 5 /* epolls above each other */

#define EVENT_FLAGS (EPOLLET | EPOLLONESHOT | EPOLLEXCLUSIVE | EPOLLWAKEUP)

struct epoll;

struct epoll_item {
	struct waiter waiter; /* the first: the callback has its address */
	struct epoll *epoll;
	struct file *own; /* the epoll as a file */
	struct file *f;   /* both without a reference: a closing file removes its items */
	int fd;
	struct epoll_event event;
	struct epoll_item *next;      /* of the bucket */
	struct epoll_item *next_of_f; /* of f->watchers */
	struct epoll_item *next_ready, *before_ready;
	bool is_ready; /* on the list */
};

struct epoll {
	struct wait_queue queue;
	struct epoll_item *bucket[BUCKETS];
	struct lock ready_lock;
	struct epoll_item *ready, *last_ready;
	unsigned nready;
};

static struct lock lock;

static const struct file_ops epoll_ops;

static bool is_epoll(const struct file *f)
{
	return f->ops == &epoll_ops;
}

/* --- The list of items that may be ready --- */

static void add_ready(struct epoll_item *item)
{
	struct epoll *e = item->epoll;
	const uint64_t flags = locked(&e->ready_lock);

	if (!item->is_ready) {
		item->is_ready = true;
		item->next_ready = NULL;
		item->before_ready = e->last_ready;
		if (e->last_ready)
			e->last_ready->next_ready = item;
		else
			e->ready = item;
		e->last_ready = item;
		e->nready++;
	}
	unlocked(&e->ready_lock, flags);
}

static void remove_ready_locked(struct epoll_item *item)
{
	struct epoll *e = item->epoll;

	if (!item->is_ready)
		return;
	item->is_ready = false;
	if (item->before_ready)
		item->before_ready->next_ready = item->next_ready;
	else
		e->ready = item->next_ready;
	if (item->next_ready)
		item->next_ready->before_ready = item->before_ready;
	else
		e->last_ready = item->before_ready;
	e->nready--;
}

static void remove_ready(struct epoll_item *item)
{
	const uint64_t flags = locked(&item->epoll->ready_lock);

	remove_ready_locked(item);
	unlocked(&item->epoll->ready_lock, flags);
}

/* Takes the first item off the list; NULL: the list is empty. */
static struct epoll_item *take_ready(struct epoll *e)
{
	const uint64_t flags = locked(&e->ready_lock);
	struct epoll_item *item = e->ready;

	if (item)
		remove_ready_locked(item);
	unlocked(&e->ready_lock, flags);
	return item;
}

static void item_told(struct waiter *waiter)
{
	struct epoll_item *item = (struct epoll_item *)waiter;

	add_ready(item);
	wait_wake(&item->epoll->queue);
}

/* --- States of items --- */

/* A one-shot item that has fired asks for nothing. */
static unsigned asks_for(const struct epoll_item *item)
{
	return item->event.events & ~(unsigned)EVENT_FLAGS;
}

static bool any_ready(struct epoll *e);

/* With the lock of all epolls. */
static unsigned item_holds(const struct epoll_item *item)
{
	struct wait_queue *queue;

	if (!asks_for(item))
		return 0;
	if (is_epoll(item->f))
		return any_ready(item->f->private) ? asks_for(item) & (POLLIN | POLLRDNORM) : 0;
	return file_poll(item->f, asks_for(item), &queue);
}

/* Is an item of the list ready? Items that are not leave it. */
static bool any_ready(struct epoll *e)
{
	for (unsigned n = e->nready; n; n--) {
		struct epoll_item *item = take_ready(e);

		if (!item)
			return false;
		if (item_holds(item)) {
			add_ready(item);
			return true;
		}
	}
	return false;
}

static unsigned epoll_poll(struct file *f, struct wait_queue **queue)
{
	struct epoll *e = f->private;
	const uint64_t flags = locked(&lock);
	const bool ready = any_ready(e);

	unlocked(&lock, flags);
	*queue = &e->queue;
	return ready ? POLLIN | POLLRDNORM : 0;
}

/* A reported item returns to the list, unless it is edge-triggered or one-shot. */
static void item_was_told(struct epoll_item *item)
{
	if (item->event.events & EPOLLONESHOT)
		item->event.events &= EVENT_FLAGS;
	else if (!(item->event.events & EPOLLET))
		add_ready(item);
}

static unsigned collect_locked(struct epoll *e, struct epoll_event *events, unsigned most)
{
	unsigned told = 0;

	for (unsigned n = e->nready; n && told < most; n--) {
		struct epoll_item *item = take_ready(e);
		const unsigned holds = item ? item_holds(item) : 0;

		if (!holds)
			continue;
		events[told++] = (struct epoll_event){.events = holds, .data = item->event.data};
		item_was_told(item);
	}
	return told;
}

int epoll_collect(struct file *epoll, struct epoll_event *events, unsigned most)
{
	uint64_t flags;
	unsigned told;

	if (!is_epoll(epoll))
		return -EINVAL;
	flags = locked(&lock);
	told = collect_locked(epoll->private, events, most);
	unlocked(&lock, flags);
	return (int)told;
}

/* --- Items --- */

static struct epoll_item **find_item(struct epoll *e, int fd, const struct file *f)
{
	struct epoll_item **link = &e->bucket[(unsigned)fd % BUCKETS];

	while (*link && ((*link)->fd != fd || (*link)->f != f))
		link = &(*link)->next;
	return link;
}

static void unlink_of_file(struct epoll_item *item)
{
	struct epoll_item **link = &item->f->watchers;

	while (*link != item)
		link = &(*link)->next_of_f;
	*link = item->next_of_f;
}

/* Unlinks the item, so that it can be freed. */
static void remove_item(struct epoll_item **link)
{
	struct epoll_item *item = *link;

	wait_remove(&item->waiter);
	remove_ready(item);
	unlink_of_file(item);
	*link = item->next;
}

/* The depth of epolls from `f` on; more than LEVELS_MOST if `above` is among them: a cycle. */
static unsigned levels_below(const struct file *f, const struct file *above, unsigned level)
{
	const struct epoll *e = f->private;
	unsigned most = level;

	if (f == above || level > LEVELS_MOST)
		return LEVELS_MOST + 1;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (const struct epoll_item *item = e->bucket[i]; item; item = item->next) {
			const unsigned below =
				is_epoll(item->f) ? levels_below(item->f, above, level + 1) : level;

			most = below > most ? below : most;
		}
	return most;
}

/* The height of epolls above `f`, itself included. */
static unsigned levels_above(const struct file *f)
{
	unsigned most = 0;

	for (const struct epoll_item *item = f->watchers; item; item = item->next_of_f) {
		const unsigned above = levels_above(item->own);

		most = above > most ? above : most;
	}
	return most + 1;
}

static int check_levels(const struct file *epoll, const struct file *f)
{
	if (!is_epoll(f))
		return 0;
	return levels_below(f, epoll, 1) + levels_above(epoll) > LEVELS_MOST ? -ELOOP : 0;
}

/* An item that is ready when it begins to wait, or after a change of its events, is an event,
 * too. */
static void note_what_holds(struct epoll_item *item)
{
	if (item_holds(item))
		item_told(&item->waiter);
}

static int add_item(struct epoll_item **link, struct epoll_item *item, struct wait_queue *queue)
{
	if (*link)
		return -EEXIST;
	if (check_levels(item->own, item->f))
		return -ELOOP;
	*link = item;
	item->next_of_f = item->f->watchers;
	item->f->watchers = item;
	wait_add(queue, &item->waiter);
	note_what_holds(item);
	return 0;
}

static int change_item(struct epoll_item *item, const struct epoll_event *event)
{
	if (!item)
		return -ENOENT;
	if (event->events & EPOLLEXCLUSIVE || item->event.events & EPOLLEXCLUSIVE)
		return -EINVAL;
	item->event = *event;
	item->event.events |= POLLERR | POLLHUP;
	note_what_holds(item);
	return 0;
}

static int delete_item(struct epoll_item **link)
{
	struct epoll_item *item = *link;

	if (!item)
		return -ENOENT;
	remove_item(link);
	heap_free(item);
	return 0;
}

static struct epoll_item *new_item(struct file *epoll, int fd, struct file *f,
				   const struct epoll_event *event)
{
	struct epoll_item *item = heap_alloc(sizeof(*item));

	if (!item)
		return NULL;
	item->waiter.fn = item_told;
	item->epoll = epoll->private;
	item->own = epoll;
	item->f = f;
	item->fd = fd;
	item->event = *event;
	item->event.events |= POLLERR | POLLHUP;
	return item;
}

static int control_add(struct file *epoll, int fd, struct file *f, const struct epoll_event *event,
		       struct wait_queue *queue)
{
	struct epoll_item *item = new_item(epoll, fd, f, event);
	uint64_t flags;
	int error;

	if (!item)
		return -ENOMEM;
	flags = locked(&lock);
	error = add_item(find_item(epoll->private, fd, f), item, queue);
	unlocked(&lock, flags);
	if (error)
		heap_free(item);
	return error;
}

int epoll_control(struct file *epoll, unsigned operation, int fd, struct file *f,
		  const struct epoll_event *event)
{
	struct wait_queue *queue;
	uint64_t flags;
	int error;

	if (!is_epoll(epoll) || f == epoll)
		return -EINVAL;
	file_poll(f, 0, &queue);
	if (!queue)
		return f->flags & O_PATH ? -EBADF : -EPERM;
	if (operation == EPOLL_CTL_ADD) {
		if (is_epoll(f) && event->events & EPOLLEXCLUSIVE)
			return -EINVAL;
		return control_add(epoll, fd, f, event, queue);
	}
	flags = locked(&lock);
	if (operation == EPOLL_CTL_MOD)
		error = change_item(*find_item(epoll->private, fd, f), event);
	else if (operation == EPOLL_CTL_DEL)
		error = delete_item(find_item(epoll->private, fd, f));
	else
		error = -EINVAL;
	unlocked(&lock, flags);
	return error;
}

/* --- As files --- */

void epoll_forget(struct file *f)
{
	uint64_t flags;

	if (!__atomic_load_n(&f->watchers, __ATOMIC_ACQUIRE))
		return;
	flags = locked(&lock);
	while (f->watchers)
		delete_item(find_item(f->watchers->epoll, f->watchers->fd, f));
	unlocked(&lock, flags);
}

static void epoll_release(struct file *f)
{
	struct epoll *e = f->private;
	const uint64_t flags = locked(&lock);

	for (unsigned i = 0; i < BUCKETS; i++)
		while (e->bucket[i])
			delete_item(&e->bucket[i]);
	unlocked(&lock, flags);
	heap_free(e);
}

static const struct file_ops epoll_ops = {
	.name = "[eventpoll]",
	.is_stream = true,
	.poll = epoll_poll,
	.release = epoll_release,
};

int epoll_open(unsigned flags, struct file **out)
{
	struct epoll *e = heap_alloc(sizeof(*e));

	if (!e)
		return -ENOMEM;
	*out = file_anonymous(&epoll_ops, O_RDWR | flags, e);
	if (*out)
		return 0;
	heap_free(e);
	return -ENOMEM;
}
