/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * locked.h - taking locks with interrupts off, as lib/lock.h wants it.
 *
 * The order in which linux/file takes them: that of an fd table; that of all epolls (epoll.c); the
 * one of the tree (inode.h); that of a pipe, a counter or a timer, that of all sockets
 * (socket_parts.h); that of a wait queue, from a thing to the epoll that watches it; that of what
 * is ready in an epoll; heap and pages. None is held while memory of ring 3 is copied or a hook of
 * file_host is called that could come back.
 */
#ifndef LINUX_PORTABLE_LOCKED_H
#define LINUX_PORTABLE_LOCKED_H

#include "arch/x86/insn.h"
#include "lib/lock.h"

#include <stdint.h>

/* locked() - the flags that unlocked() wants. */
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
