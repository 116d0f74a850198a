// SPDX-License-Identifier: BSD-2-Clause
/* sem.c - see sem.h. */
#include "linux/ipc/sem.h"

#include "arch/x86/cpu/user.h"
#include "linux/ipc/ipc.h"
#include "linux/ipc/ipc_wait.h"
#include "rt/base/heap.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <linux/errno.h>
#include <linux/sem.h>

/* The limits of this runtime: SEMMSL, SEMOPM, SEMVMX of semop(2). */
#define SET_MOST        1024
#define OPERATIONS_MOST 500
#define VALUE_MOST      32767

struct sem_set {
	struct ipc_object ipc;
	unsigned n;
	uint64_t operated; /* seconds */
	struct {
		int value;
		uint32_t pid; /* process of the last operation */
	} sem[];
};

/* Adjustments that a process has to make to a set at its end, by semaphore. */
struct sem_undo {
	struct sem_undo *next;
	int id;
	unsigned n;
	int16_t adjust[];
};

static struct ipc_table sets;
static struct wait_queue changes; /* woken when any set changes */

static struct sem_set *find_set(int id)
{
	return (struct sem_set *)ipc_find(&sets, id);
}

/* --- semget(2) --- */

static struct ipc_object *make_set(const void *wish, int *err)
{
	const int n = *(const int *)wish;
	struct sem_set *set;

	*err = n > 0 ? -ENOMEM : -EINVAL;
	if (n <= 0)
		return NULL;
	set = heap_alloc(sizeof(*set) + (unsigned)n * sizeof(set->sem[0]));
	if (!set)
		return NULL;
	set->n = (unsigned)n;
	return &set->ipc;
}

static bool has_as_many(const struct ipc_object *object, const void *wish)
{
	return *(const int *)wish <= (int)((const struct sem_set *)object)->n;
}

long sem_get(int32_t key, int count, int flags)
{
	if (count < 0 || count > SET_MOST)
		return -EINVAL;
	return ipc_get(&sets, key, flags, &count, make_set, has_as_many);
}

/* --- Undoing --- */

static struct sem_undo *find_undo(const struct process *p, int id)
{
	struct sem_undo *u = p->sem_undo;

	while (u && u->id != id)
		u = u->next;
	return u;
}

/* The adjustments of the calling process for a set; NULL: no memory. */
static struct sem_undo *want_undo(struct process *p, const struct sem_set *set)
{
	struct sem_undo *u = find_undo(p, ipc_id(&set->ipc));

	if (u)
		return u;
	u = heap_alloc(sizeof(*u) + set->n * sizeof(u->adjust[0]));
	if (!u)
		return NULL;
	u->id = ipc_id(&set->ipc);
	u->n = set->n;
	u->next = p->sem_undo;
	p->sem_undo = u;
	return u;
}

static void undo_set(const struct sem_undo *u, uint32_t pid)
{
	struct sem_set *set = find_set(u->id);

	for (unsigned i = 0; set && i < u->n; i++) {
		const int value = set->sem[i].value + u->adjust[i];

		if (!u->adjust[i])
			continue;
		set->sem[i].value = value < 0 ? 0 : value > VALUE_MOST ? VALUE_MOST : value;
		set->sem[i].pid = pid;
	}
}

void sem_end_process(struct process *p)
{
	struct sem_undo *u;

	if (!p->sem_undo)
		return;
	lock_take(&sets.lock);
	while ((u = p->sem_undo)) {
		p->sem_undo = u->next;
		undo_set(u, p->pid);
		heap_free(u);
	}
	lock_release(&sets.lock);
	wait_wake(&changes);
}

/* SETVAL and SETALL: drops every process's adjustments of these semaphores. With the lock of the
 * table, which is taken before that of the tree of tasks. */
static void forget_undo(int id, unsigned first, unsigned n)
{
	const uint64_t flags = task_lock_tree();

	for (struct process *p = task_tree.processes; p; p = p->next) {
		struct sem_undo *u = find_undo(p, id);

		for (unsigned i = first; u && i < first + n; i++)
			u->adjust[i] = 0;
	}
	task_unlock_tree(flags);
}

/* --- semop(2) --- */

struct operating {
	struct task *task;
	int id;
	unsigned n;
	struct sembuf op[OPERATIONS_MOST];
};

/* -EAGAIN: the operation has to wait; -ERANGE. */
static int check_change(int value, int change)
{
	if (!change)
		return value ? -EAGAIN : 0;
	if (value + change < 0)
		return -EAGAIN;
	return value + change > VALUE_MOST ? -ERANGE : 0;
}

static int undo_of(const struct sem_undo *u, const struct sembuf *op, int *adjust)
{
	*adjust = u->adjust[op->sem_num] - op->sem_op;
	return *adjust < -VALUE_MOST - 1 || *adjust > VALUE_MOST ? -ERANGE : 0;
}

static int do_operation(struct sem_set *set, const struct sembuf *op, struct sem_undo *u)
{
	int *value = &set->sem[op->sem_num].value, adjust = 0;
	int err = check_change(*value, op->sem_op);

	if (!err && op->sem_flg & SEM_UNDO)
		err = undo_of(u, op, &adjust);
	if (err)
		return err;
	*value += op->sem_op;
	if (op->sem_flg & SEM_UNDO)
		u->adjust[op->sem_num] = (int16_t)adjust;
	return 0;
}

static void take_back(struct sem_set *set, const struct sembuf *op, struct sem_undo *u)
{
	set->sem[op->sem_num].value -= op->sem_op;
	if (op->sem_flg & SEM_UNDO)
		u->adjust[op->sem_num] = (int16_t)(u->adjust[op->sem_num] + op->sem_op);
}

/* Does all operations in order, or none. In the latter case `*at` is the operation that cannot be
 * done. */
static int do_operations(struct sem_set *set, const struct operating *o, struct sem_undo *u,
			 unsigned *at)
{
	int err = 0;

	for (*at = 0; *at < o->n; ++*at) {
		err = do_operation(set, &o->op[*at], u);
		if (err)
			break;
	}
	for (unsigned i = *at; err && i--;)
		take_back(set, &o->op[i], u);
	return err;
}

static bool has_undo(const struct operating *o)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->op[i].sem_flg & SEM_UNDO)
			return true;
	return false;
}

static int check_sem_numbers(const struct sem_set *set, const struct operating *o)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->op[i].sem_num >= set->n)
			return -EFBIG;
	return 0;
}

/* -EAGAIN: an operation has to wait, and the task notes for which semaphore. -EBUSY: that operation
 * has IPC_NOWAIT. */
static long operate_on(struct sem_set *set, struct operating *o)
{
	struct sem_undo *u = NULL;
	unsigned at;
	int err = check_sem_numbers(set, o);

	if (!err && has_undo(o)) {
		u = want_undo(o->task->process, set);
		err = u ? 0 : -ENOMEM;
	}
	if (!err)
		err = do_operations(set, o, u, &at);
	if (err == -EAGAIN) {
		const struct sembuf *op = &o->op[at];

		o->task->sem_wait = (struct sem_wait){true, !op->sem_op, o->id, op->sem_num};
		return op->sem_flg & IPC_NOWAIT ? -EBUSY : -EAGAIN;
	}
	for (unsigned i = 0; !err && i < o->n; i++)
		set->sem[o->op[i].sem_num].pid = o->task->pid;
	if (!err)
		set->operated = ipc_seconds();
	return err;
}

static bool changes_values(const struct operating *o)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->op[i].sem_op)
			return true;
	return false;
}

static long try_operations(void *arg)
{
	struct operating *o = arg;
	struct sem_set *set;
	long result;

	lock_take(&sets.lock);
	set = find_set(o->id);
	result = set ? operate_on(set, o) : o->task->again ? -EIDRM : -EINVAL;
	lock_release(&sets.lock);
	if (!result && changes_values(o))
		wait_wake(&changes);
	return result;
}

static long perform_sem_ops(struct operating *o, uint64_t from)
{
	long result;

	if (copy_from_user(o->op, from, o->n * sizeof(o->op[0])))
		return -EFAULT;
	result = ipc_wait(&changes, false, try_operations, o);
	return result == -EBUSY ? -EAGAIN : result;
}

long sem_operate(int id, uint64_t operations, uint64_t n)
{
	struct task *t = sched_current();
	struct operating *o;
	long result;

	if (!n || id < 0)
		return -EINVAL;
	if (n > OPERATIONS_MOST)
		return -E2BIG;
	o = heap_alloc(sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->task = t;
	o->id = id;
	o->n = (unsigned)n;
	result = perform_sem_ops(o, operations);
	heap_free(o);
	if (t->state == TASK_RUNNING)
		t->sem_wait.waits = false;
	return result;
}

/* --- semctl(2) --- */

static long count_waiting(int id, unsigned number, bool for_zero)
{
	const uint64_t flags = task_lock_tree();
	long n = 0;

	for (const struct task *t = task_tree.first; t; t = t->next_task) {
		const struct sem_wait *w = &t->sem_wait;

		n += w->waits && w->id == id && w->number == number && w->for_zero == for_zero;
	}
	task_unlock_tree(flags);
	return n;
}

static long get_one(struct sem_set *set, unsigned number, int command)
{
	switch (command) {
	case GETVAL:
		return set->sem[number].value;
	case GETPID:
		return set->sem[number].pid;
	default:
		return count_waiting(ipc_id(&set->ipc), number, command == GETZCNT);
	}
}

static long set_one(struct sem_set *set, unsigned number, int value)
{
	if (value < 0 || value > VALUE_MOST)
		return -ERANGE;
	set->sem[number].value = value;
	set->sem[number].pid = sched_current()->pid;
	set->ipc.changed = ipc_seconds();
	return 0;
}

/* GETVAL, SETVAL and their kin, on one semaphore. */
static long control_one(int id, int number, int command, int value)
{
	struct sem_set *set;
	long result = -EINVAL;

	lock_take(&sets.lock);
	set = find_set(id);
	if (set && number >= 0 && (unsigned)number < set->n)
		result = command == SETVAL ? set_one(set, (unsigned)number, value)
					   : get_one(set, (unsigned)number, command);
	if (command == SETVAL && !result)
		forget_undo(id, (unsigned)number, 1);
	lock_release(&sets.lock);
	if (command == SETVAL && !result)
		wait_wake(&changes);
	return result;
}

/* Reads the values of a set into `values`, which has room for SET_MOST. Returns their number. */
static long read_values(int id, uint16_t *values)
{
	const struct sem_set *set;
	long n = -EINVAL;

	lock_take(&sets.lock);
	set = find_set(id);
	if (set)
		n = set->n;
	for (long i = 0; i < n; i++)
		values[i] = (uint16_t)set->sem[i].value;
	lock_release(&sets.lock);
	return n;
}

static long write_values(int id, const uint16_t *values, long n)
{
	struct sem_set *set;
	long result;

	for (long i = 0; i < n; i++)
		if (values[i] > VALUE_MOST)
			return -ERANGE;
	lock_take(&sets.lock);
	set = find_set(id);
	result = set ? 0 : -EIDRM;
	for (long i = 0; set && i < n; i++)
		set_one(set, (unsigned)i, values[i]);
	if (set)
		forget_undo(id, 0, (unsigned)n);
	lock_release(&sets.lock);
	wait_wake(&changes);
	return result;
}

static long get_all(int id, uint64_t user)
{
	uint16_t values[SET_MOST];
	const long n = read_values(id, values);

	if (n < 0)
		return n;
	return copy_to_user(user, values, (size_t)n * sizeof(values[0])) ? -EFAULT : 0;
}

static long set_all(int id, uint64_t user)
{
	uint16_t values[SET_MOST];
	const long n = read_values(id, values);

	if (n < 0)
		return n;
	if (copy_from_user(values, user, (size_t)n * sizeof(values[0])))
		return -EFAULT;
	return write_values(id, values, n);
}

static long stat_set(int id, bool by_index, uint64_t user)
{
	struct semid64_ds stat = {0};
	struct ipc_object *object;
	long result, err;

	lock_take(&sets.lock);
	err = ipc_find_for(&sets, id, by_index, &object, &result);
	if (!err) {
		const struct sem_set *set = (struct sem_set *)object;

		stat.sem_perm = ipc_permissions(object);
		stat.sem_otime = (long)set->operated;
		stat.sem_ctime = (long)object->changed;
		stat.sem_nsems = set->n;
	}
	lock_release(&sets.lock);
	if (err)
		return err;
	return copy_to_user(user, &stat, sizeof(stat)) ? -EFAULT : result;
}

static long set_permissions(int id, uint64_t user)
{
	struct semid64_ds stat;
	struct ipc_object *object;

	if (copy_from_user(&stat, user, sizeof(stat)))
		return -EFAULT;
	lock_take(&sets.lock);
	object = ipc_find(&sets, id);
	if (object)
		ipc_set_permissions(object, &stat.sem_perm);
	lock_release(&sets.lock);
	return object ? 0 : -EINVAL;
}

/* Waiting tasks notice the removal when they look for the set again. */
static long remove_set(int id)
{
	struct ipc_object *object;

	lock_take(&sets.lock);
	object = ipc_find(&sets, id);
	if (object)
		ipc_take_out(&sets, object);
	lock_release(&sets.lock);
	if (!object)
		return -EINVAL;
	heap_free(object);
	wait_wake(&changes);
	return 0;
}

static long tell_sem_limits(int command, uint64_t user)
{
	struct seminfo info = {.semmni = IPC_OBJECTS,
			       .semmns = IPC_OBJECTS * SET_MOST,
			       .semmsl = SET_MOST,
			       .semopm = OPERATIONS_MOST,
			       .semvmx = VALUE_MOST,
			       .semaem = VALUE_MOST};

	if (command == SEM_INFO)
		info.semusz = (int)sets.n;
	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : ipc_last(&sets);
}

long sem_control(int id, int number, int command, uint64_t argument)
{
	switch (command) {
	case GETVAL:
	case GETPID:
	case GETNCNT:
	case GETZCNT:
	case SETVAL:
		return control_one(id, number, command, (int)argument);
	case GETALL:
		return get_all(id, argument);
	case SETALL:
		return set_all(id, argument);
	case IPC_STAT:
		return stat_set(id, false, argument);
	case SEM_STAT:
	case SEM_STAT_ANY:
		return stat_set(id, true, argument);
	case IPC_SET:
		return set_permissions(id, argument);
	case IPC_RMID:
		return remove_set(id);
	case IPC_INFO:
	case SEM_INFO:
		return tell_sem_limits(command, argument);
	default:
		return -EINVAL;
	}
}

void sem_forget(void)
{
	for (int i = 0; i < IPC_OBJECTS; i++)
		if (sets.object[i])
			remove_set(ipc_id(sets.object[i]));
	sets.sequence = 0;
}
