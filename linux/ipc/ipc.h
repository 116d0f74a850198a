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

#define IPC_OBJECTS 128 /* maximum of each kind */

/* The first member of each object. */
struct ipc_object {
	int32_t key; /* also IPC_PRIVATE once it is removed */
	uint32_t mode, uid, gid;
	uint32_t index, sequence; /* parts of its id */
	uint64_t changed;         /* seconds of CLOCK_REALTIME */
};

struct ipc_table {
	struct lock lock; /* guards the table and all objects in it */
	struct ipc_object *object[IPC_OBJECTS];
	uint32_t sequence; /* sequence of the next new object */
	unsigned n;
};

/* ipc_get() - the common part of shmget(2), semget(2) and msgget(2). It finds the object of `key`,
 * or makes one by `make(wish)`, which on failure returns NULL and sets `*err`. `fits` decides
 * whether an existing object satisfies `wish`; NULL: each does. Takes the lock. Returns the id, or
 * -EEXIST, -ENOENT, -ENOSPC, -EINVAL, or the error of `make`. */
long ipc_get(struct ipc_table *table, int32_t key, int flags, const void *wish,
	     struct ipc_object *(*make)(const void *wish, int *err),
	     bool (*fits)(const struct ipc_object *object, const void *wish));

/* ipc_find() - the object of an id; NULL: there is none, or it was removed. ipc_at() - the object
 * at an index of the table; NULL: none. ipc_id() - the id of an object. */
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

/* ipc_seconds() - CLOCK_REALTIME, in seconds. */
uint64_t ipc_seconds(void);

/* ipc_find_for() - finds an object for a command: IPC_STAT names it by its id; SHM_STAT, SEM_STAT
 * and MSG_STAT do so `by_index`. `*result` is the command's result. -EINVAL: there is none. */
int ipc_find_for(const struct ipc_table *table, int id, bool by_index, struct ipc_object **object,
		 long *result);

/* ipc_forget() - the command and its programs have ended: frees all objects. */
void ipc_forget(void);

#endif
