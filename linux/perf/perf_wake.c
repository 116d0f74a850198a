// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_wake.c - reports news of an NMI to waiters: poll(2) and the like, and the owner of a file
 * with O_ASYNC. An NMI puts the ring or the event on a list by one exchange, and requests an
 * interrupt. The interrupt takes the whole list, with `lock`, and reports each entry. An object may
 * be freed after perf_news_forget().
 */
#include "linux/perf/perf_parts.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "linux/portable/locked.h"
#include "linux/task/file_signal.h"
#include "rt/base/vectors.h"

#include <asm/siginfo.h>

static struct lock lock;
static struct perf_news *noted; /* the newest first; NMIs add to it */
static struct perf_file *files; /* all open events */

/* Any context. */
static void note_news(struct perf_news *news)
{
	if (__atomic_exchange_n(&news->listed, true, __ATOMIC_SEQ_CST))
		return;
	news->next = __atomic_load_n(&noted, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&noted, &news->next, news, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	apic_send_self(VECTOR_WORK);
}

/* Takes the list, oldest first. */
static struct perf_news *take_noted(void)
{
	struct perf_news *list = __atomic_exchange_n(&noted, NULL, __ATOMIC_ACQUIRE),
			 *turned = NULL;

	while (list) {
		struct perf_news *next = list->next;

		list->next = turned;
		turned = list;
		list = next;
	}
	return turned;
}

/* With the lock. Once `listed` is cleared, it can be noted anew, even before it is reported. */
static void tell_noted(void)
{
	struct perf_news *next;

	for (struct perf_news *news = take_noted(); news; news = next) {
		next = news->next;
		__atomic_store_n(&news->listed, false, __ATOMIC_SEQ_CST);
		news->tell(news);
	}
}

void perf_wake(void)
{
	uint64_t flags;

	if (!__atomic_load_n(&noted, __ATOMIC_RELAXED))
		return;
	flags = locked(&lock);
	tell_noted();
	unlocked(&lock, flags);
}

void perf_news_forget(const struct perf_news *news)
{
	const uint64_t flags = locked(&lock);

	if (news->listed)
		tell_noted();
	unlocked(&lock, flags);
}

void perf_wake_lock(void)
{
	lock_take(&lock);
}

void perf_wake_unlock(void)
{
	lock_release(&lock);
}

/* --- poll(2) --- */

static struct perf_ring *ring_of(struct rb *rb)
{
	return (struct perf_ring *)((uint8_t *)rb - offsetof(struct perf_ring, rb));
}

void perf_note_wakeup(struct rb *rb)
{
	__atomic_store_n(&ring_of(rb)->is_due, true, __ATOMIC_RELEASE);
	note_news(&ring_of(rb)->news);
}

void perf_ring_tell(struct perf_news *news)
{
	struct perf_ring *ring =
		(struct perf_ring *)((uint8_t *)news - offsetof(struct perf_ring, news));

	for (struct perf_file *p = ring->writers; p; p = p->next_writer)
		wait_wake(&p->queue);
}

static bool has_hung_up(const struct perf_file *p)
{
	return !p->ring || pmu_event_hung_up(&p->event) || pmu_event_is_orphan(&p->event);
}

/* Only one event of a ring reports its news, and only once. An event that has hung up reports
 * nothing else, as in Linux: its reader looks at the ring a last time. */
unsigned perf_poll(struct file *f, struct wait_queue **queue)
{
	struct perf_file *p = perf_of(f);
	const uint64_t flags = locked(&lock);
	unsigned events = 0;

	*queue = &p->queue;
	if (has_hung_up(p))
		events = POLLHUP;
	else if (__atomic_exchange_n(&p->ring->is_due, false, __ATOMIC_ACQ_REL))
		events = POLLIN | POLLRDNORM;
	unlocked(&lock, flags);
	return events;
}

/* --- O_ASYNC --- */

static void note_overflow(struct pmu_event *opened, bool at_limit)
{
	struct perf_file *p = (struct perf_file *)opened;

	__atomic_store_n(&p->signal_code, at_limit ? POLL_HUP : POLL_IN, __ATOMIC_RELEASE);
	note_news(&p->news);
}

_Static_assert(!offsetof(struct perf_file, event), "an event's address is that of its file");

static void send_signal(struct perf_news *news)
{
	struct perf_file *p =
		(struct perf_file *)((uint8_t *)news - offsetof(struct perf_file, news));
	const int code = __atomic_exchange_n(&p->signal_code, 0, __ATOMIC_ACQ_REL);

	if (code)
		file_signal(p->file, code);
}

void perf_async(struct file *f, bool on)
{
	pmu_event_set_notify(&perf_of(f)->event, on ? note_overflow : NULL);
}

/* --- All events --- */

void perf_list(struct perf_file *p)
{
	const uint64_t flags = locked(&lock);

	p->news.tell = send_signal;
	p->next = files;
	files = p;
	unlocked(&lock, flags);
}

void perf_unlist(struct perf_file *p)
{
	const uint64_t flags = locked(&lock);
	struct perf_file **at = &files;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	unlocked(&lock, flags);
}

void perf_task_gone(void)
{
	uint64_t flags;

	if (!__atomic_load_n(&files, __ATOMIC_RELAXED))
		return;
	flags = locked(&lock);
	for (struct perf_file *p = files; p; p = p->next) {
		if (p->orphan_told || !pmu_event_is_orphan(&p->event))
			continue;
		p->orphan_told = true;
		wait_wake(&p->queue);
	}
	unlocked(&lock, flags);
}
