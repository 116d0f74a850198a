/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipc.h - System V IPC: shared memory (shm.h), semaphores (sem.h) and message queues (msg.h).
 * Objects of one kind stand in a table; programs know them by a key and by an id. svipc(7).
 *
 * Every program is root here, so permissions are kept, and refuse nothing. Objects live until they
 * are removed, or until the command ends: ipc_forget().
 *
 * Task context, interrupts off, any CPU. The functions of the tables want the table's lock.
 */
#ifndef LINUX_IPC_IPC_H
#define LINUX_IPC_IPC_H

#include "lib/lock.h"

#include <linux/ipc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IPC_OBJECTS 128 /* of a kind at the same time */

/* The first member of each object. */
struct ipc_object {
	int32_t key; /* IPC_PRIVATE also once it is removed */
	uint32_t mode, uid, gid;
	uint32_t index, sequence; /* make its id */
	uint64_t changed;         /* seconds of CLOCK_REALTIME */
};

struct ipc_table {
	struct lock lock; /* of the table, and of all objects in it */
	struct ipc_object *object[IPC_OBJECTS];
	uint32_t sequence; /* of the next new object */
	unsigned n;
};

/* ipc_get() - what shmget(2), semget(2) and msgget(2) share: the object of `key`, or a new one from
 * `make(wish)`, which returns NULL with `*err`. `fits` (NULL: all do) says whether one that is
 * there is what the caller wishes. Takes the lock. The id, or -EEXIST, -ENOENT, -ENOSPC, -EINVAL.
 */
long ipc_get(struct ipc_table *table, int32_t key, int flags, const void *wish,
	     struct ipc_object *(*make)(const void *wish, int *err),
	     bool (*fits)(const struct ipc_object *object, const void *wish));

/* ipc_find() - the object of an id; NULL: -EINVAL, or it was removed. ipc_at() - at an index of the
 * table; NULL. ipc_id() - of an object. */
struct ipc_object *ipc_find(const struct ipc_table *table, int id);
struct ipc_object *ipc_at(const struct ipc_table *table, int index);
int ipc_id(const struct ipc_object *object);

/* ipc_last() - the highest index in use, as the commands IPC_INFO return it. */
int ipc_last(const struct ipc_table *table);

/* ipc_take_out() - takes the object out of the table; its memory is the caller's. */
void ipc_take_out(struct ipc_table *table, struct ipc_object *object);

/* ipc_permissions(), ipc_set_permissions() - for the commands IPC_STAT and IPC_SET. */
struct ipc64_perm ipc_permissions(const struct ipc_object *object);
void ipc_set_permissions(struct ipc_object *object, const struct ipc64_perm *to);

/* ipc_seconds() - CLOCK_REALTIME. */
uint64_t ipc_seconds(void);

/* ipc_find_for() - the object that a command IPC_STAT names by its id, or SHM_STAT and its kin
 * `by_index`; `*result` is what the command returns. -EINVAL: there is none. */
int ipc_find_for(const struct ipc_table *table, int id, bool by_index, struct ipc_object **object,
		 long *result);

/* ipc_forget() - the command and its programs have ended: frees all objects. */
void ipc_forget(void);

#endif
