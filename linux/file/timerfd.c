// SPDX-License-Identifier: BSD-2-Clause
/* timerfd.c - see timerfd.h. The number of expiries is computed from the clock when it is read. */
#include "linux/file/timerfd.h"

#include "linux/portable/locked.h"
#include "rt/base/heap.h"

struct timerfd {
	struct host_timer timer; /* the first: a callback has its address */
	struct lock lock;
	struct wait_queue queue;
	enum host_clock clock;
	uint64_t next, interval; /* in time of its clock; `next` 0: disarmed */
};

/* The number of expiries until `now` since the last read. */
static uint64_t count_ticks(const struct timerfd *t, uint64_t now)
{
	if (!t->next || now < t->next)
		return 0;
	return t->interval ? 1 + (now - t->next) / t->interval : 1;
}

static uint64_t take_ticks(struct timerfd *t)
{
	const uint64_t now = file_host.now(t->clock), flags = locked(&t->lock);
	const uint64_t ticks = count_ticks(t, now);

	if (ticks)
		t->next = t->interval ? t->next + ticks * t->interval : 0;
	unlocked(&t->lock, flags);
	return ticks;
}

static long timerfd_read(struct file *f, struct io *io, const uint64_t *at)
{
	uint64_t ticks;

	(void)at;
	if (io->left < sizeof(ticks))
		return -EINVAL;
	ticks = take_ticks(f->private);
	if (!ticks)
		return -EAGAIN;
	return io_to_user(io, &ticks, sizeof(ticks)) ? -EFAULT : (long)sizeof(ticks);
}

/* The time of HOST_MONOTONIC of its next expiry after `now` of its clock; 0: none. */
static uint64_t next_deadline(struct timerfd *t, uint64_t now)
{
	const uint64_t flags = locked(&t->lock), ticks = count_ticks(t, now);
	uint64_t next = t->next;

	if (ticks)
		next = t->interval ? next + ticks * t->interval : 0;
	unlocked(&t->lock, flags);
	return next ? file_host.now(HOST_MONOTONIC) + (next - now) : 0;
}

static void arm_for_waiters(struct timerfd *t)
{
	const uint64_t deadline = next_deadline(t, file_host.now(t->clock));

	if (deadline)
		file_host.timer_arm(&t->timer, deadline);
}

static void timerfd_goes_off(struct host_timer *timer)
{
	struct timerfd *t = (struct timerfd *)timer;

	wait_wake(&t->queue);
	if (!wait_is_empty(&t->queue))
		arm_for_waiters(t);
}

static unsigned timerfd_poll(struct file *f, struct wait_queue **queue)
{
	struct timerfd *t = f->private;
	const uint64_t now = file_host.now(t->clock), flags = locked(&t->lock);
	const bool ready = count_ticks(t, now);

	unlocked(&t->lock, flags);
	*queue = &t->queue;
	arm_for_waiters(t);
	return ready ? POLLIN | POLLRDNORM : 0;
}

static void timerfd_release(struct file *f)
{
	struct timerfd *t = f->private;

	file_host.timer_cancel(&t->timer);
	heap_free(t);
}

static const struct file_ops timerfd_ops = {
	.name = "[timerfd]",
	.is_stream = true,
	.read = timerfd_read,
	.poll = timerfd_poll,
	.release = timerfd_release,
};

int timerfd_open(enum host_clock clock, unsigned flags, struct file **out)
{
	struct timerfd *t = heap_alloc(sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->clock = clock;
	t->timer.fn = timerfd_goes_off;
	*out = file_anonymous(&timerfd_ops, O_RDWR | flags, t);
	if (*out)
		return 0;
	heap_free(t);
	return -ENOMEM;
}

static void tell_times(const struct timerfd *t, uint64_t now, struct timerfd_times *times)
{
	const uint64_t ticks = count_ticks(t, now);
	const uint64_t next = t->next && t->interval ? t->next + ticks * t->interval : t->next;

	times->interval = t->interval;
	times->first = next > now ? next - now : 0;
}

int timerfd_get(struct file *f, struct timerfd_times *times)
{
	struct timerfd *t = f->private;
	uint64_t now, flags;

	if (f->ops != &timerfd_ops)
		return -EINVAL;
	now = file_host.now(t->clock);
	flags = locked(&t->lock);
	tell_times(t, now, times);
	unlocked(&t->lock, flags);
	return 0;
}

int timerfd_set(struct file *f, bool absolute, const struct timerfd_times *times,
		struct timerfd_times *old)
{
	struct timerfd *t = f->private;
	struct timerfd_times before;
	uint64_t now, flags;

	if (f->ops != &timerfd_ops)
		return -EINVAL;
	now = file_host.now(t->clock);
	flags = locked(&t->lock);
	tell_times(t, now, &before);
	t->interval = times->interval;
	t->next = times->first && !absolute ? now + times->first : times->first;
	unlocked(&t->lock, flags);
	if (old)
		*old = before;
	file_host.timer_cancel(&t->timer);
	if (!wait_is_empty(&t->queue)) {
		arm_for_waiters(t);
		wait_wake(&t->queue);
	}
	return 0;
}
