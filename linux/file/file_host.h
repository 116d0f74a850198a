/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_host.h - hooks by which linux/file calls the machine. The image sets them at its start;
 * tests set their own. `print`, `unmap` and `input` are called without any lock. The others may be
 * called with a lock held and with interrupts off: they must not call linux/file.
 */
#ifndef LINUX_FILE_FILE_HOST_H
#define LINUX_FILE_FILE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inode;
struct io;
struct wait_queue;
struct host_timer;

/* The process that makes a call: laid out as struct ucred of Linux. */
struct host_owner {
	int32_t pid;
	uint32_t uid, gid;
};

#define HOST_INPUT_MOST (256u << 10)

/* The clocks CLOCK_REALTIME and CLOCK_MONOTONIC of <linux/time.h>. */
enum host_clock { HOST_REALTIME, HOST_MONOTONIC };

struct file_host {
	/* The time of a clock, in nanoseconds. */
	uint64_t (*now)(enum host_clock clock);

	/* The calling process and its user. */
	void (*owner)(struct host_owner *owner);

	/* Random bytes of the generator that --seed starts. */
	void (*random)(void *to, size_t bytes);

	/* The number of all pages of memory, and of the pages that files may still take. */
	void (*memory)(uint64_t *pages, uint64_t *free);

	/* Prints text to standard output (1) or standard error (2). */
	void (*print)(unsigned which, const void *bytes, size_t n);

	/* Reads standard input of the host, up to `n` bytes, at most HOST_INPUT_MOST, from byte
	 * `at` on. `*bytes` is where they lie until the next call. Returns their number: below `n`
	 * at the end of a terminal's line, or of the input. 0: the end; -EINTR. */
	long (*input)(uint64_t at, uint32_t n, const void **bytes);

	/* timer_arm() calls timer->fn at `deadline` of HOST_MONOTONIC, in IRQ context; an armed
	 * timer is moved. After timer_cancel() it neither runs nor will run. */
	void (*timer_arm)(struct host_timer *timer, uint64_t deadline);
	void (*timer_cancel)(struct host_timer *timer);

	/* Unmaps the pages from `first` up to `end`, which the file no longer has, from all its
	 * mappings. `page`: only where it is mapped; NULL: all, including private copies. Called
	 * without any lock. */
	void (*unmap)(const struct inode *inode, uint64_t first, uint64_t end, const void *page);

	/* Signals of the calling process. signal_pending() - is one of `mask` pending?
	 * signal_queue() - the queue that is woken when one was sent. signal_take() - takes one, as
	 * a struct signalfd_siginfo of 128 bytes; false: none is pending. */
	bool (*signal_pending)(uint64_t mask);
	struct wait_queue *(*signal_queue)(void);
	bool (*signal_take)(uint64_t mask, void *info);
};

extern struct file_host file_host;

struct host_timer {
	void (*fn)(struct host_timer *timer);
	void *private; /* owned by the hooks, NULL at first: the state of an armed timer */
};

#endif
