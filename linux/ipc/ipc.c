// SPDX-License-Identifier: BSD-2-Clause
/* ipc.c - see ipc.h. */
#include "linux/ipc/ipc.h"

#include "linux/ipc/msg.h"
#include "linux/ipc/sem.h"
#include "linux/ipc/shm.h"
#include "rt/clock/times.h"

#include <linux/errno.h>

#define SEQUENCE_BITS 16 /* bits of an id that are above the index */
#define INDEX_BITS    15

uint64_t ipc_seconds(void)
{
	return (times_monotonic() + times_real_offset()) / 1000000000;
}

int ipc_id(const struct ipc_object *object)
{
	return (int)(object->sequence << INDEX_BITS | object->index);
}

struct ipc_object *ipc_at(const struct ipc_table *table, int index)
{
	return (unsigned)index < IPC_OBJECTS ? table->object[index] : NULL;
}

struct ipc_object *ipc_find(const struct ipc_table *table, int id)
{
	struct ipc_object *object = ipc_at(table, id & ((1 << INDEX_BITS) - 1));

	return id >= 0 && object && ipc_id(object) == id ? object : NULL;
}

static struct ipc_object *find_key(const struct ipc_table *table, int32_t key)
{
	for (int i = 0; i < IPC_OBJECTS; i++)
		if (table->object[i] && table->object[i]->key == key)
			return table->object[i];
	return NULL;
}

int ipc_last(const struct ipc_table *table)
{
	int last = 0;

	for (int i = 0; i < IPC_OBJECTS; i++)
		if (table->object[i])
			last = i;
	return last;
}

static long add_object(struct ipc_table *table, struct ipc_object *object)
{
	uint32_t index = 0;

	while (table->object[index])
		index++;
	object->index = index;
	object->sequence = table->sequence++ & ((1u << SEQUENCE_BITS) - 1);
	object->changed = ipc_seconds();
	table->object[index] = object;
	table->n++;
	return ipc_id(object);
}

static long make_object(struct ipc_table *table, int32_t key, int flags, const void *wish,
			struct ipc_object *(*make)(const void *wish, int *err))
{
	struct ipc_object *object;
	int err = 0;

	if (table->n == IPC_OBJECTS)
		return -ENOSPC;
	object = make(wish, &err);
	if (!object)
		return err;
	object->key = key;
	object->mode = (uint32_t)flags & 0777;
	return add_object(table, object);
}

static long get_locked(struct ipc_table *table, int32_t key, int flags, const void *wish,
		       struct ipc_object *(*make)(const void *wish, int *err),
		       bool (*fits)(const struct ipc_object *object, const void *wish))
{
	const struct ipc_object *there = key == IPC_PRIVATE ? NULL : find_key(table, key);

	if (there && flags & IPC_CREAT && flags & IPC_EXCL)
		return -EEXIST;
	if (there)
		return !fits || fits(there, wish) ? ipc_id(there) : -EINVAL;
	if (key != IPC_PRIVATE && !(flags & IPC_CREAT))
		return -ENOENT;
	return make_object(table, key, flags, wish, make);
}

long ipc_get(struct ipc_table *table, int32_t key, int flags, const void *wish,
	     struct ipc_object *(*make)(const void *wish, int *err),
	     bool (*fits)(const struct ipc_object *object, const void *wish))
{
	long id;

	lock_take(&table->lock);
	id = get_locked(table, key, flags, wish, make, fits);
	lock_release(&table->lock);
	return id;
}

void ipc_take_out(struct ipc_table *table, struct ipc_object *object)
{
	table->object[object->index] = NULL;
	table->n--;
}

struct ipc64_perm ipc_permissions(const struct ipc_object *object)
{
	return (struct ipc64_perm){
		.key = object->key,
		.uid = object->uid,
		.gid = object->gid,
		.mode = (__kernel_mode_t)object->mode,
		.seq = (unsigned short)object->sequence,
	};
}

void ipc_set_permissions(struct ipc_object *object, const struct ipc64_perm *to)
{
	object->uid = to->uid;
	object->gid = to->gid;
	object->mode = (object->mode & ~0777u) | (to->mode & 0777u);
	object->changed = ipc_seconds();
}

int ipc_find_for(const struct ipc_table *table, int id, bool by_index, struct ipc_object **object,
		 long *result)
{
	*object = by_index ? ipc_at(table, id) : ipc_find(table, id);
	if (!*object)
		return -EINVAL;
	*result = by_index ? ipc_id(*object) : 0;
	return 0;
}

void ipc_forget(void)
{
	shm_forget();
	sem_forget();
	msg_forget();
}
