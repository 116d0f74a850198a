/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped.h - objects that areas of memory map: the content of a file, the ring of an event,
 * memory that processes share. Each area, and each open file, has a reference.
 */
#ifndef LINUX_PORTABLE_MAPPED_H
#define LINUX_PORTABLE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapped;

struct mapped_ops {
	/*
	 * Gets the physical address of page `index`, with a reference to it (page_get());
	 * `write`: it is to be written to. 0, -EFAULT: behind the end (SIGBUS); -ENOMEM. Any
	 * CPU, interrupts off, with the lock of a process.
	 */
	int (*page)(struct mapped *m, uint64_t index, bool write, uint64_t *page);
	/* The last reference is gone. Without the lock of a process: it may call other CPUs. */
	void (*release)(struct mapped *m);
};

struct mapped {
	const struct mapped_ops *ops;
	unsigned refs;
	const char *path; /* as /proc/self/maps and records of memory name it */
	uint64_t inode;
	unsigned device;         /* device of the inode */
	const uint8_t *build_id; /* of an ELF file; NULL: none is known */
	size_t build_id_bytes;
	const void *content;      /* for mm_unmap_content(); NULL: its pages are never removed */
	unsigned area;            /* enum area_flags that areas which map it get */
	struct mapped *next_gone; /* list of objects without references, until they are released */
};

static inline struct mapped *mapped_get(struct mapped *m)
{
	if (m)
		__atomic_add_fetch(&m->refs, 1, __ATOMIC_RELAXED);
	return m;
}

/* mapped_get_live() - takes a reference; false: the last one is gone. */
static inline bool mapped_get_live(struct mapped *m)
{
	unsigned refs = __atomic_load_n(&m->refs, __ATOMIC_RELAXED);

	while (refs && !__atomic_compare_exchange_n(&m->refs, &refs, refs + 1, true,
						    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	return refs;
}

/* mapped_drop() - drops a reference; true: it was the last one, and the caller has to release the
 * object. */
static inline bool mapped_drop(struct mapped *m)
{
	return m && !__atomic_sub_fetch(&m->refs, 1, __ATOMIC_ACQ_REL);
}

static inline void mapped_put(struct mapped *m)
{
	if (mapped_drop(m))
		m->ops->release(m);
}

#endif
