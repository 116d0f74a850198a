// SPDX-License-Identifier: BSD-2-Clause
/* msg.c - see msg.h. */
#include "linux/ipc/msg.h"

#include "arch/x86/cpu/user.h"
#include "linux/ipc/ipc.h"
#include "linux/ipc/ipc_wait.h"
#include "rt/base/heap.h"
#include "linux/task/sched.h"

#include <linux/errno.h>
#include <linux/msg.h>

struct message {
	struct message *next;
	int64_t type;
	size_t bytes;
	uint8_t text[];
};

struct message_queue {
	struct ipc_object ipc;
	struct message *first, *last;
	uint64_t n, bytes,
		bytes_most; /* number of messages, bytes of their texts, and the limit of these */
	uint64_t sent, received;   /* seconds */
	uint32_t sender, receiver; /* process ids */
};

static struct ipc_table queues;
static struct wait_queue changes; /* woken when any queue changes */

static struct message_queue *find_queue(int id)
{
	return (struct message_queue *)ipc_find(&queues, id);
}

static struct ipc_object *make_queue(const void *wish, int *err)
{
	struct message_queue *q = heap_alloc(sizeof(*q));

	(void)wish;
	*err = -ENOMEM;
	if (!q)
		return NULL;
	q->bytes_most = MSGMNB;
	return &q->ipc;
}

long msg_get(int32_t key, int flags)
{
	return ipc_get(&queues, key, flags, NULL, make_queue, NULL);
}

/* --- msgsnd(2) --- */

struct sending {
	int id;
	struct message *m; /* NULL: the queue owns it */
};

static bool has_room(const struct message_queue *q, const struct message *m)
{
	return q->bytes + m->bytes <= q->bytes_most && q->n + 1 <= q->bytes_most;
}

static void append_message(struct message_queue *q, struct message *m)
{
	*(q->last ? &q->last->next : &q->first) = m;
	q->last = m;
	q->n++;
	q->bytes += m->bytes;
	q->sent = ipc_seconds();
	q->sender = sched_current()->pid;
}

static long missing_queue(void)
{
	return sched_current()->again ? -EIDRM : -EINVAL;
}

static long try_sending(void *arg)
{
	struct sending *s = arg;
	struct message_queue *q;
	long result = 0;

	lock_take(&queues.lock);
	q = find_queue(s->id);
	if (!q) {
		result = missing_queue();
	} else if (has_room(q, s->m)) {
		append_message(q, s->m);
		s->m = NULL;
	} else {
		result = -EAGAIN;
	}
	lock_release(&queues.lock);
	if (!result)
		wait_wake(&changes);
	return result;
}

static int read_message(uint64_t user, size_t bytes, struct message **out)
{
	struct message *m = heap_alloc(sizeof(*m) + bytes);

	*out = m;
	if (!m)
		return -ENOMEM;
	m->bytes = bytes;
	if (copy_from_user(&m->type, user, sizeof(m->type)) ||
	    copy_from_user(m->text, user + sizeof(m->type), bytes))
		return -EFAULT;
	return m->type < 1 ? -EINVAL : 0;
}

long msg_send(int id, uint64_t user, size_t bytes, int flags)
{
	struct sending s = {.id = id};
	long result;

	if (id < 0 || bytes > MSGMAX)
		return -EINVAL;
	result = read_message(user, bytes, &s.m);
	if (!result)
		result = ipc_wait(&changes, flags & IPC_NOWAIT, try_sending, &s);
	heap_free(s.m);
	return result;
}

/* --- msgrcv(2) --- */

struct receiving {
	int id, flags;
	int64_t type;
	size_t bytes;
	struct message *m; /* the message, once it is out of the queue */
};

static bool is_wanted(const struct receiving *r, const struct message *m)
{
	if (r->type < 0)
		return m->type <= -r->type;
	if (!r->type)
		return true;
	return (m->type == r->type) == !(r->flags & MSG_EXCEPT);
}

/* The link of the first message of the wanted type; for a negative type, of the first message of
 * the lowest type. A link to NULL: there is none. */
static struct message **find_message(struct message_queue *q, const struct receiving *r)
{
	struct message **link, **found = NULL;

	for (link = &q->first; *link; link = &(*link)->next) {
		if (!is_wanted(r, *link) || (found && (*link)->type >= (*found)->type))
			continue;
		found = link;
		if (r->type >= 0)
			break;
	}
	return found ? found : link;
}

static struct message *unlink_message(struct message_queue *q, struct message **link)
{
	struct message *m = *link, *before = NULL;

	*link = m->next;
	if (q->last == m) {
		for (struct message *at = q->first; at; at = at->next)
			before = at;
		q->last = before;
	}
	q->n--;
	q->bytes -= m->bytes;
	q->received = ipc_seconds();
	q->receiver = sched_current()->pid;
	return m;
}

static long receive_from(struct message_queue *q, struct receiving *r)
{
	struct message **link = find_message(q, r);

	if (!*link)
		return -EAGAIN;
	if ((*link)->bytes > r->bytes && !(r->flags & MSG_NOERROR))
		return -E2BIG;
	r->m = unlink_message(q, link);
	return 0;
}

static long try_receiving(void *arg)
{
	struct receiving *r = arg;
	struct message_queue *q;
	long result;

	lock_take(&queues.lock);
	q = find_queue(r->id);
	result = q ? receive_from(q, r) : missing_queue();
	lock_release(&queues.lock);
	if (!result)
		wait_wake(&changes);
	return result;
}

static long write_message(const struct receiving *r, uint64_t user)
{
	const size_t n = r->m->bytes < r->bytes ? r->m->bytes : r->bytes;

	if (copy_to_user(user, &r->m->type, sizeof(r->m->type)) ||
	    copy_to_user(user + sizeof(r->m->type), r->m->text, n))
		return -EFAULT;
	return (long)n;
}

long msg_receive(int id, uint64_t user, size_t bytes, int64_t type, int flags)
{
	struct receiving r = {.id = id, .flags = flags, .type = type, .bytes = bytes};
	long result;

	if (id < 0 || (int64_t)bytes < 0)
		return -EINVAL;
	if (flags & MSG_COPY)
		return -ENOSYS;
	if (type == INT64_MIN)
		r.type = -INT64_MAX;
	result = ipc_wait(&changes, flags & IPC_NOWAIT, try_receiving, &r);
	if (r.m)
		result = write_message(&r, user);
	heap_free(r.m);
	return result == -EAGAIN ? -ENOMSG : result;
}

/* --- msgctl(2) --- */

static struct msqid64_ds queue_stat(const struct message_queue *q)
{
	return (struct msqid64_ds){
		.msg_perm = ipc_permissions(&q->ipc),
		.msg_stime = (long)q->sent,
		.msg_rtime = (long)q->received,
		.msg_ctime = (long)q->ipc.changed,
		.msg_cbytes = q->bytes,
		.msg_qnum = q->n,
		.msg_qbytes = q->bytes_most,
		.msg_lspid = (int)q->sender,
		.msg_lrpid = (int)q->receiver,
	};
}

static long stat_queue(int id, bool by_index, uint64_t user)
{
	struct ipc_object *object;
	struct msqid64_ds stat;
	long result, err;

	lock_take(&queues.lock);
	err = ipc_find_for(&queues, id, by_index, &object, &result);
	if (!err)
		stat = queue_stat((struct message_queue *)object);
	lock_release(&queues.lock);
	if (err)
		return err;
	return copy_to_user(user, &stat, sizeof(stat)) ? -EFAULT : result;
}

static long set_queue(int id, uint64_t user)
{
	struct msqid64_ds stat;
	struct message_queue *q;

	if (copy_from_user(&stat, user, sizeof(stat)))
		return -EFAULT;
	lock_take(&queues.lock);
	q = find_queue(id);
	if (q) {
		ipc_set_permissions(&q->ipc, &stat.msg_perm);
		q->bytes_most = stat.msg_qbytes;
	}
	lock_release(&queues.lock);
	wait_wake(&changes);
	return q ? 0 : -EINVAL;
}

/* Waiting tasks notice the removal when they look for the queue again. */
static long remove_queue(int id)
{
	struct message_queue *q;
	struct message *m;

	lock_take(&queues.lock);
	q = find_queue(id);
	if (q)
		ipc_take_out(&queues, &q->ipc);
	lock_release(&queues.lock);
	if (!q)
		return -EINVAL;
	while ((m = q->first)) {
		q->first = m->next;
		heap_free(m);
	}
	heap_free(q);
	wait_wake(&changes);
	return 0;
}

static long tell_msg_limits(int command, uint64_t user)
{
	struct msginfo info = {.msgmax = MSGMAX, .msgmnb = MSGMNB, .msgmni = IPC_OBJECTS};

	lock_take(&queues.lock);
	if (command == MSG_INFO)
		info.msgpool = (int)queues.n;
	for (int i = 0; command == MSG_INFO && i < IPC_OBJECTS; i++) {
		const struct message_queue *q = (struct message_queue *)ipc_at(&queues, i);

		info.msgmap += q ? (int)q->n : 0;
		info.msgtql += q ? (int)q->bytes : 0;
	}
	lock_release(&queues.lock);
	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : ipc_last(&queues);
}

long msg_control(int id, int command, uint64_t user)
{
	switch (command) {
	case IPC_STAT:
		return stat_queue(id, false, user);
	case MSG_STAT:
	case MSG_STAT_ANY:
		return stat_queue(id, true, user);
	case IPC_SET:
		return set_queue(id, user);
	case IPC_RMID:
		return remove_queue(id);
	case IPC_INFO:
	case MSG_INFO:
		return tell_msg_limits(command, user);
	default:
		return -EINVAL;
	}
}

void msg_forget(void)
{
	for (int i = 0; i < IPC_OBJECTS; i++)
		if (queues.object[i])
			remove_queue(ipc_id(queues.object[i]));
	queues.sequence = 0;
}
