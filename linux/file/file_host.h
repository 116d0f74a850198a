/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_host.h - hooks of linux/file into the machine below it. The image sets them at its start,
 * and tests as they like. `print` and `unmap` are called without any lock. The others may be called
 * with one, and with interrupts off: they must not call linux/file.
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

/* Which clock: CLOCK_REALTIME and CLOCK_MONOTONIC of <linux/time.h>. */
enum host_clock { HOST_REALTIME, HOST_MONOTONIC };

struct file_host {
	/* Nanoseconds of that clock. */
	uint64_t (*now)(enum host_clock clock);

	/* The calling process and its user. */
	void (*owner)(struct host_owner *owner);

	/* Random bytes of the generator that --seed starts. */
	void (*random)(void *to, size_t bytes);

	/* Pages of memory: all, and those that files may still take. */
	void (*memory)(uint64_t *pages, uint64_t *free);

	/* Text for standard output (1) or standard error (2). */
	void (*print)(unsigned which, const void *bytes, size_t n);

	/* Standard input of the host, for a program that reads it: up to `n` bytes, at most
	 * HOST_INPUT_MOST, from byte `at` on; `*bytes` is where they lie until the next call. Fewer
	 * than `n`: a line of a terminal, or the end. 0: the end; -EINTR. Without any lock. */
	long (*input)(uint64_t at, uint32_t n, const void **bytes);

	/* timer->fn is called at `deadline` of HOST_MONOTONIC, in IRQ context; an armed timer is
	 * moved. After timer_cancel() it neither runs nor will run. */
	void (*timer_arm)(struct host_timer *timer, uint64_t deadline);
	void (*timer_cancel)(struct host_timer *timer);

	/* Unmaps the pages from `first` up to `end`, which the file no longer has, from all its
	 * mappings. `page`: only where it is mapped; NULL: all, including private copies. Called
	 * without any lock. */
	void (*unmap)(const struct inode *inode, uint64_t first, uint64_t end, const void *page);

	/* Signals of the calling process: is one of `mask` pending, what becomes ready when one
	 * comes, and taking one: `info` is 128 bytes of struct signalfd_siginfo. False: there is
	 * none. */
	bool (*signal_pending)(uint64_t mask);
	struct wait_queue *(*signal_queue)(void);
	bool (*signal_take)(uint64_t mask, void *info);
};

extern struct file_host file_host;

struct host_timer {
	void (*fn)(struct host_timer *timer);
	void *private; /* the host's, NULL at first: what it keeps of an armed timer */
};

#endif
