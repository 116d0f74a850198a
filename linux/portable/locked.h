/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * locked.h - takes a lock with interrupts off, as lib/lock.h requires.
 *
 * linux/file takes locks in this order: an fd table; all epolls (epoll.c); the tree (inode.h); a
 * pipe, a counter or a timer; all sockets (socket_parts.h); wait queues, that of an object before
 * that of an epoll that watches it; the ready list of an epoll; heap and pages. None is held while
 * memory of ring 3 is copied, nor while a hook of file_host runs that may call back.
 */
#ifndef LINUX_PORTABLE_LOCKED_H
#define LINUX_PORTABLE_LOCKED_H

#include "arch/x86/insn.h"
#include "lib/lock.h"

#include <stdint.h>

/* locked() - turns interrupts off and takes the lock. Returns the flags for unlocked(). */
static inline uint64_t locked(struct lock *lock)
{
	const uint64_t flags = irq_save();

	lock_take(lock);
	return flags;
}

static inline void unlocked(struct lock *lock, uint64_t flags)
{
	lock_release(lock);
	irq_restore(flags);
}

#endif
