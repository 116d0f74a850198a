// SPDX-License-Identifier: BSD-2-Clause
/* record_lock.c - see record_lock.h. A list for each inode, in no order; locks of one owner do not
 * overlap. */
#include "linux/file/record_lock.h"

#include "lib/math.h"
#include "rt/base/heap.h"

#include <linux/fs.h>

#define RANGE_END ((uint64_t)INT64_MAX)

struct record_lock {
	struct record_lock *next;
	const void *owner;
	int pid;             /* -1: an open file has it */
	short type;          /* F_RDLCK, F_WRLCK; in a request F_UNLCK */
	bool whole;          /* made by flock(2): conflicts only with its like */
	uint64_t start, end; /* the last byte */
};

struct wait_queue record_lock_queue;

static bool overlap(const struct record_lock *a, const struct record_lock *b)
{
	return a->whole == b->whole && a->start <= b->end && b->start <= a->end;
}

static bool conflict(const struct record_lock *lock, const struct record_lock *want)
{
	return lock->owner != want->owner && overlap(lock, want) &&
	       !(lock->type == F_RDLCK && want->type == F_RDLCK);
}

/* The conflict with the first locked byte is reported, regardless of other pieces. */
static const struct record_lock *find_conflict(const struct inode *inode,
					       const struct record_lock *want)
{
	const struct record_lock *first = NULL;

	for (const struct record_lock *lock = inode->locks; lock; lock = lock->next)
		if (conflict(lock, want) && (!first || lock->start < first->start))
			first = lock;
	return first;
}

static void insert_lock(struct inode *inode, struct record_lock *lock)
{
	lock->next = inode->locks;
	inode->locks = lock;
}

/* Removes the range of `want` from `*link`, with `spare` for a second remaining piece. Unused
 * locks go to the list `*unused`. Returns the link behind it. */
static struct record_lock **carve(struct record_lock **link, const struct record_lock *want,
				  struct record_lock **spare, struct record_lock **unused)
{
	struct record_lock *lock = *link;
	const uint64_t end = lock->end;

	if (lock->start < want->start) {
		lock->end = want->start - 1;
		if (end > want->end) {
			struct record_lock *rest = *spare;

			*spare = NULL;
			*rest = *lock;
			rest->start = want->end + 1;
			rest->end = end;
			lock->next = rest;
			return &rest->next;
		}
		return &lock->next;
	}
	if (end > want->end) {
		lock->start = want->end + 1;
		return &lock->next;
	}
	*link = lock->next;
	lock->next = *unused;
	*unused = lock;
	return link;
}

static void free_list(struct record_lock *lock)
{
	while (lock) {
		struct record_lock *next = lock->next;

		heap_free(lock);
		lock = next;
	}
}

/* --- Cycles of waiters --- */

static struct lock_waiter *waiters; /* with the lock of the tree */

static const struct lock_waiter *waiter_of(const void *owner)
{
	const struct lock_waiter *w = waiters;

	while (w && w->owner != owner)
		w = w->next;
	return w;
}

/* The lock that blocks this waiter; NULL: none does any more. */
static const struct record_lock *conflict_of(const struct lock_waiter *w)
{
	const struct record_lock want = {
		.owner = w->owner, .type = w->type, .start = w->start, .end = w->end};

	return find_conflict(w->inode, &want);
}

#define CIRCLE_MOST 10 /* as in Linux: longer cycles are not found */

/* Does the process that holds `lock` wait for `owner`? An open file that holds it never waits. */
static bool waits_for(const struct record_lock *lock, const void *owner)
{
	for (unsigned i = 0; lock && lock->pid >= 0 && i < CIRCLE_MOST; i++) {
		const struct lock_waiter *w = waiter_of(lock->owner);

		lock = w ? conflict_of(w) : NULL;
		if (lock && lock->owner == owner)
			return true;
	}
	return false;
}

static void begin_wait(struct lock_waiter *waiter, struct inode *inode,
		       const struct record_lock *want)
{
	*waiter = (struct lock_waiter){waiters,    inode_get(inode), want->owner,
				       want->type, want->start,      want->end};
	waiters = waiter;
}

void record_lock_wait_end(struct lock_waiter *waiter)
{
	struct inode *inode = waiter->inode;
	uint64_t flags;

	if (!inode)
		return;
	flags = tree_lock();
	for (struct lock_waiter **link = &waiters; *link; link = &(*link)->next) {
		if (*link == waiter) {
			*link = waiter->next;
			break;
		}
	}
	waiter->inode = NULL;
	tree_unlock(flags);
	inode_put(inode);
}

/* --- Changes --- */

/* Memory for a change: `fresh` becomes the lock, `spare` a piece that splits off. Unused ones stay
 * here. `frees`: the change may allow locks of others. */
struct changing {
	struct record_lock *fresh, *spare, *unused;
	bool frees;
};

/* Adjacent locks of one owner and type are one lock. */
static bool touch(const struct record_lock *a, const struct record_lock *b)
{
	return a->owner == b->owner && a->type == b->type && a->whole == b->whole &&
	       (a->start <= b->end || a->start == b->end + 1) &&
	       (b->start <= a->end || b->start == a->end + 1);
}

static struct record_lock widened(const struct inode *inode, struct record_lock want)
{
	for (const struct record_lock *lock = inode->locks; lock; lock = lock->next) {
		if (want.type == F_UNLCK || !touch(lock, &want))
			continue;
		want.start = least_of(want.start, lock->start);
		want.end = lock->end > want.end ? lock->end : want.end;
	}
	return want;
}

static void set_locked(struct inode *inode, const struct record_lock *asked, struct changing *c)
{
	const struct record_lock whole = widened(inode, *asked), *want = &whole;

	for (struct record_lock **link = &inode->locks; *link;) {
		if ((*link)->owner != want->owner || !overlap(*link, want)) {
			link = &(*link)->next;
			continue;
		}
		link = carve(link, want, &c->spare, &c->unused);
		c->frees = true;
	}
	if (want->type != F_UNLCK) {
		*c->fresh = *want;
		insert_lock(inode, c->fresh);
		c->fresh = NULL;
	}
}

/* `waiter`: the caller will wait; NULL: it will not, or cycles are not searched. */
static int try_locked(struct inode *inode, const struct record_lock *want, struct changing *c,
		      struct lock_waiter *waiter)
{
	const struct record_lock *conflict =
		want->type != F_UNLCK ? find_conflict(inode, want) : NULL;

	if (!conflict) {
		set_locked(inode, want, c);
		return 0;
	}
	if (!waiter)
		return -EAGAIN;
	if (waits_for(conflict, want->owner))
		return -EDEADLK;
	begin_wait(waiter, inode, want);
	return -EAGAIN;
}

static int set_lock(struct inode *inode, const struct record_lock *want, struct lock_waiter *waiter)
{
	struct changing c = {.fresh = heap_alloc(sizeof(*c.fresh))};
	uint64_t flags;
	int error = -ENOMEM;

	c.spare = c.fresh ? heap_alloc(sizeof(*c.spare)) : NULL;
	if (c.spare) {
		flags = tree_lock();
		error = try_locked(inode, want, &c, waiter);
		tree_unlock(flags);
	}
	heap_free(c.fresh);
	heap_free(c.spare);
	free_list(c.unused);
	if (c.frees)
		wait_wake(&record_lock_queue);
	return error;
}

/* --- fcntl --- */

/* The range of the request: `l_len` bytes, up to the end if 0, or before `l_start` if negative. */
static int read_range(const struct file *f, const struct flock *from, struct record_lock *lock)
{
	int64_t start = file_seek_base(f, from->l_whence), end = INT64_MAX;

	if (start < 0 || from->l_type < F_RDLCK || from->l_type > F_UNLCK)
		return -EINVAL;
	if (__builtin_add_overflow(start, from->l_start, &start))
		return -EOVERFLOW;
	if (from->l_len > 0 && __builtin_add_overflow(start, from->l_len - 1, &end))
		return -EOVERFLOW;
	if (from->l_len < 0) {
		end = start - 1;
		start += from->l_len;
	}
	if (start < 0)
		return -EINVAL;
	lock->type = from->l_type;
	lock->start = (uint64_t)start;
	lock->end = (uint64_t)end;
	return 0;
}

static int test_lock(struct inode *inode, const struct record_lock *want, struct flock *out)
{
	const uint64_t flags = tree_lock();
	const struct record_lock *lock = find_conflict(inode, want);

	if (lock)
		*out = (struct flock){
			.l_type = lock->type,
			.l_whence = SEEK_SET,
			.l_start = (int64_t)lock->start,
			.l_len =
				lock->end == RANGE_END ? 0 : (int64_t)(lock->end - lock->start + 1),
			.l_pid = lock->pid,
		};
	else
		out->l_type = F_UNLCK;
	tree_unlock(flags);
	return 0;
}

static bool is_of_file(unsigned command)
{
	return command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

static int check_access(const struct file *f, short type)
{
	if (f->flags & O_PATH || (type == F_RDLCK && !file_can_read(f)) ||
	    (type == F_WRLCK && !file_can_write(f)))
		return -EBADF;
	return 0;
}

int record_lock_fcntl(struct file *f, const void *table, int pid, unsigned command,
		      struct flock *lock, struct lock_waiter *waiter)
{
	struct record_lock want = {
		.owner = is_of_file(command) ? f : table,
		.pid = is_of_file(command) ? -1 : pid,
	};
	int error = read_range(f, lock, &want);

	record_lock_wait_end(waiter);
	if (!error && is_of_file(command) && lock->l_pid)
		error = -EINVAL;
	if (error)
		return error;
	if (command == F_GETLK || command == F_OFD_GETLK)
		return want.type == F_UNLCK ? -EINVAL : test_lock(f->inode, &want, lock);
	error = check_access(f, want.type);
	return error ? error : set_lock(f->inode, &want, command == F_SETLKW ? waiter : NULL);
}

int file_flock(struct file *f, unsigned operation)
{
	struct record_lock want = {
		.owner = f, .pid = -1, .whole = true, .start = 0, .end = RANGE_END};

	if (f->flags & O_PATH)
		return -EBADF;
	if (operation != LOCK_SH && operation != LOCK_EX && operation != LOCK_UN)
		return -EINVAL;
	want.type = operation == LOCK_UN ? F_UNLCK : operation == LOCK_SH ? F_RDLCK : F_WRLCK;
	return set_lock(f->inode, &want, NULL);
}

/* --- Ends of owners --- */

void record_locks_drop(struct inode *inode, const void *owner)
{
	struct record_lock *gone = NULL, **link = &inode->locks;
	uint64_t flags;

	if (!__atomic_load_n(&inode->locks, __ATOMIC_RELAXED))
		return;
	flags = tree_lock();
	while (*link) {
		struct record_lock *lock = *link;

		if (lock->owner != owner) {
			link = &lock->next;
			continue;
		}
		*link = lock->next;
		lock->next = gone;
		gone = lock;
	}
	tree_unlock(flags);
	if (gone)
		wait_wake(&record_lock_queue);
	free_list(gone);
}

void record_locks_free(struct inode *inode)
{
	free_list(inode->locks);
}
