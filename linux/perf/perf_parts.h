/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_parts.h - shared by the parts of perf.h: events in perf_file.c, their rings in
 * perf_ring.c, operations in perf_ioctl.c, permissions in perf_allowed.c, and notices of
 * overflows in perf_wake.c. Only these include it. With the turn (perf_lock()), unless a
 * function says otherwise.
 */
#ifndef LINUX_PERF_PERF_PARTS_H
#define LINUX_PERF_PERF_PARTS_H

#include "pmu/api/pmu.h"
#include "pmu/names/filter.h"
#include "rb/aux.h"
#include "rb/rb.h"
#include "linux/file/file.h"
#include "linux/mem/mapped_memory.h"
#include "linux/perf/perf.h"

#include <stddef.h>

/* News that an NMI has noted. They are on a list, once, until they are reported. */
struct perf_news {
	struct perf_news *next;
	bool listed;
	void (*tell)(struct perf_news *news); /* IRQ context, with the lock of perf_wake.c */
};

/* A ring. It exists while it is mapped. */
struct perf_ring {
	struct mapped_memory memory; /* the control page, then the data */
	struct file *file;           /* a reference of the mapping's */
	struct perf_file *owner;     /* the event whose file was mapped */
	struct rb rb;
	struct perf_news news;
	bool is_due; /* poll(2) has not reported it to its readers yet */
	struct perf_file
		*writers; /* events that write to it; guarded by the turn and perf_wake.c's lock */
	struct perf_aux *aux; /* NULL: it has no AUX area */
};

struct perf_aux {
	struct mapped_memory memory;
	struct perf_ring *ring; /* a reference */
	struct rb_aux area;
};

struct perf_file {
	struct pmu_event event;
	struct pmu_filter filter;
	struct file *file;   /* no reference */
	struct inode *group; /* its cgroup, with a reference; NULL: none */

	struct perf_ring *ring; /* ring of its records; NULL: none. Guarded as `writers` */
	struct perf_file *next_writer;

	struct wait_queue queue; /* poll(2) */
	struct perf_news news;   /* O_ASYNC */
	int signal_code;         /* POLL_IN or POLL_HUP to be sent; 0: none */
	struct perf_file *next;  /* list of all events, with perf_wake.c's lock */
	bool orphan_told;
};

extern const struct file_ops perf_file_ops;

/* perf_of() - the event of an open file; NULL: it is no event. Any context. */
static inline struct perf_file *perf_of(const struct file *f)
{
	return f->ops == &perf_file_ops ? (struct perf_file *)f->private : NULL;
}

/* perf_read_attr() - reads an attr of any size from ring 3's memory: -EFAULT, -E2BIG. */
int perf_read_attr(struct perf_event_attr *attr, uint64_t from);

/* perf_check_allowed() - may the program open such an event? 0, or -EACCES with the reason. */
int perf_check_allowed(const struct perf_event_attr *attr, int pid, struct reason *why);

/* perf_ring_join() - sends the records of `p` to `ring` from now on, and wakes its waiters; `ring`
 * NULL: nowhere. perf_ring_leave() - takes `p` off its ring, and its event writes to no ring. */
void perf_ring_join(struct perf_file *p, struct perf_ring *ring);
void perf_ring_leave(struct perf_file *p);

/* Operations of struct file_ops; without the turn. */
int perf_map(struct file *f, uint64_t bytes, uint64_t offset, bool writable,
	     struct mapped **mapped);
long perf_ioctl(struct file *f, unsigned request, uint64_t argument);
unsigned perf_poll(struct file *f, struct wait_queue **queue);
void perf_async(struct file *f, bool on);

/* perf_news_forget() - takes the news off the list; nothing may note them any more. Interrupts off,
 * with or without the turn. */
void perf_news_forget(const struct perf_news *news);

/* perf_wake_lock(), perf_wake_unlock() - for `writers` and `ring`; interrupts off. */
void perf_wake_lock(void);
void perf_wake_unlock(void);

/* perf_list(), perf_unlist() - adds the event to the list of all events, or removes it.
 * perf_ring_tell() - the `tell` of a ring's news. perf_note_wakeup() - notes that readers of the
 * ring are to be woken. */
void perf_list(struct perf_file *p);
void perf_unlist(struct perf_file *p);
void perf_ring_tell(struct perf_news *news);
void perf_note_wakeup(struct rb *rb);

#endif
