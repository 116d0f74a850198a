// SPDX-License-Identifier: BSD-2-Clause
/* socket.c - see socket.h: creation, names, connections and the end of sockets. */
#include "linux/socket/socket_parts.h"

#include "lib/string.h"
#include "rt/base/heap.h"

#include <asm/ioctls.h>

#define BACKLOG_MOST 4096u /* net.core.somaxconn */

struct lock socket_lock;
struct wait_queue socket_room;

static struct socket *all;
static uint32_t next_found; /* the next candidate of autobind_name() */

static const struct inode_ops socket_inode_ops;
extern const struct file_ops socket_ops;

/* --- Creation --- */

static struct socket *socket_new(unsigned type)
{
	struct socket *s = heap_alloc(sizeof(*s));
	uint64_t flags;

	if (!s)
		return NULL;
	s->refs = 1;
	s->type = type;
	s->send_room = s->receive_room = SOCKET_BYTES_FIRST;
	flags = locked(&socket_lock);
	s->next = all;
	if (all)
		all->before = s;
	all = s;
	unlocked(&socket_lock, flags);
	return s;
}

struct socket *socket_get(struct socket *s)
{
	if (s)
		__atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
	return s;
}

static void unlist(struct socket *s)
{
	const uint64_t flags = locked(&socket_lock);

	if (s->before)
		s->before->next = s->next;
	else
		all = s->next;
	if (s->next)
		s->next->before = s->before;
	unlocked(&socket_lock, flags);
}

void socket_put(struct socket *s)
{
	if (!s || __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL))
		return;
	unlist(s);
	heap_free(s);
}

/* Makes the file of an unconnected socket; takes over the reference on success. */
static struct file *make_socket_file(struct socket *s, unsigned flags)
{
	struct inode *inode = inode_new(&socket_inode_ops, MODE_SOCKET | 0777, DEVICE_SOCKETS);
	struct file *f = inode ? file_new(inode, &socket_ops, O_RDWR | flags, s) : NULL;

	if (!f)
		inode_put(inode);
	else
		inode->links = 1;
	return f;
}

static bool is_type(unsigned type)
{
	return type == SOCKET_STREAM || type == SOCKET_DATAGRAM || type == SOCKET_RAW ||
	       type == SOCKET_SEQPACKET;
}

int socket_open(unsigned type, unsigned flags, struct file **out)
{
	struct socket *s;

	if (!is_type(type))
		return -ESOCKTNOSUPPORT;
	s = socket_new(type == SOCKET_RAW ? SOCKET_DATAGRAM : type);
	if (!s)
		return -ENOMEM;
	*out = make_socket_file(s, flags);
	if (*out)
		return 0;
	socket_put(s);
	return -ENOMEM;
}

struct socket *socket_of(const struct file *f)
{
	return f->ops == &socket_ops ? f->private : NULL;
}

/* --- Peers --- */

void socket_join_peer(struct socket *s, struct socket *peer)
{
	s->peer = socket_get(peer);
	s->next_client = peer->clients;
	peer->clients = s;
}

struct socket *socket_leave_peer(struct socket *s)
{
	struct socket *peer = s->peer, **link;

	if (!peer)
		return NULL;
	for (link = &peer->clients; *link != s; link = &(*link)->next_client)
		;
	*link = s->next_client;
	s->next_client = NULL;
	s->peer = NULL;
	return peer;
}

static void join(struct socket *a, struct socket *b)
{
	socket_join_peer(a, b);
	socket_join_peer(b, a);
	if (!socket_is_datagram(a))
		a->state = b->state = SOCKET_CONNECTED;
}

int socket_pair(unsigned type, unsigned flags, struct file *ends[2])
{
	struct socket *a, *b;
	uint64_t saved;
	int error = socket_open(type, flags, &ends[0]);

	if (error)
		return error;
	error = socket_open(type, flags, &ends[1]);
	if (error) {
		file_put(ends[0]);
		return error;
	}
	a = socket_of(ends[0]);
	b = socket_of(ends[1]);
	saved = locked(&socket_lock);
	join(a, b);
	file_host.owner(&a->peer_owner);
	b->peer_owner = a->peer_owner;
	unlocked(&socket_lock, saved);
	return 0;
}

void socket_was_full(struct socket *s)
{
	for (struct socket *client = s->clients; client; client = client->next_client)
		wait_wake(&client->queue);
	wait_wake(&socket_room);
}

bool socket_is_full(const struct socket *s, const struct socket *from)
{
	if (s->dead || s->shut & SHUT_READING)
		return false;
	if (s->state == SOCKET_LISTENS)
		return s->npending > s->backlog;
	return socket_is_datagram(s) && s->peer != from && s->npackets > SOCKET_QUEUE_MOST;
}

/* --- Names --- */

struct inode *socket_inode_new(uint32_t mode)
{
	return inode_new(&socket_inode_ops, MODE_SOCKET | mode, DEVICE_ROOT);
}

bool socket_is_bound(const struct socket *s)
{
	return s->name.length;
}

struct socket *socket_at(const struct inode *inode)
{
	const uint64_t flags = locked(&socket_lock);
	struct socket *s = inode_type(inode) == MODE_SOCKET && inode->ops == &socket_inode_ops
				   ? socket_get(inode->socket)
				   : NULL;

	unlocked(&socket_lock, flags);
	return s;
}

static bool same_name(const struct socket_name *a, const struct socket_name *b)
{
	return a->length == b->length && !memcmp(a->path, b->path, a->length);
}

/* Finds an abstract name. Each type has its own abstract names; the tree has the names that are
 * paths. */
static struct socket *find_abstract(const struct socket_name *name, unsigned type)
{
	struct socket *s = all;

	while (s && (s->dead || !s->is_abstract || s->type != type || !same_name(&s->name, name)))
		s = s->next;
	return s;
}

struct socket *socket_named(const struct socket_name *name, unsigned type)
{
	const uint64_t flags = locked(&socket_lock);
	struct socket *s = socket_get(name->length ? find_abstract(name, type) : NULL);

	unlocked(&socket_lock, flags);
	return s;
}

/* A free name of five hexadecimal digits behind a zero byte: "Autobind feature" in unix(7). */
static struct socket_name autobind_name(unsigned type)
{
	struct socket_name name = {.length = 6};

	do {
		const uint32_t n = next_found++ & 0xfffff;

		for (unsigned i = 0; i < 5; i++)
			name.path[1 + i] = "0123456789abcdef"[n >> (16 - 4 * i) & 15];
	} while (find_abstract(&name, type));
	return name;
}

static int bind_locked(struct socket *s, const struct socket_name *name, struct inode *inode)
{
	if (s->name.length)
		return -EINVAL;
	if (!name->length) {
		s->name = autobind_name(s->type);
		s->is_abstract = true;
		return 0;
	}
	if (!inode && find_abstract(name, s->type))
		return -EADDRINUSE;
	s->name = *name;
	s->is_abstract = !inode;
	s->inode = inode_get(inode);
	if (inode)
		inode->socket = s;
	return 0;
}

int socket_bind(struct socket *s, const struct socket_name *name, struct inode *inode)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = bind_locked(s, name, inode);

	unlocked(&socket_lock, flags);
	return error;
}

int socket_name(const struct socket *s, bool of_peer, struct socket_name *name)
{
	const uint64_t flags = locked(&socket_lock);
	const struct socket *of = of_peer ? s->peer : s;

	if (of)
		*name = of->name;
	unlocked(&socket_lock, flags);
	return of ? 0 : -ENOTCONN;
}

/* --- Connecting --- */

static int listen_locked(struct socket *s, unsigned backlog)
{
	if (socket_is_datagram(s))
		return -EOPNOTSUPP;
	if (!s->name.length || s->state == SOCKET_CONNECTED)
		return -EINVAL;
	if (s->npending > s->backlog && backlog > s->backlog)
		socket_was_full(s);
	s->state = SOCKET_LISTENS;
	s->backlog = backlog < BACKLOG_MOST ? backlog : BACKLOG_MOST;
	file_host.owner(&s->peer_owner);
	return 0;
}

int socket_listen(struct socket *s, int backlog)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = listen_locked(s, (unsigned)backlog);

	unlocked(&socket_lock, flags);
	return error;
}

static int may_connect(const struct socket *s, const struct socket *to)
{
	if (to->type != s->type)
		return -EPROTOTYPE;
	if (to->state != SOCKET_LISTENS || to->dead || to->shut & SHUT_READING)
		return -ECONNREFUSED;
	if (socket_is_full(to, s))
		return -EAGAIN;
	if (s->state != SOCKET_APART)
		return s->state == SOCKET_CONNECTED ? -EISCONN : -EINVAL;
	return 0;
}

/* Queues a connection. `server` is the end that accept(2) returns; it has the name of the listening
 * socket. */
static void add_pending(struct socket *to, struct socket *s, struct socket *server)
{
	join(s, server);
	s->peer_owner = to->peer_owner;
	file_host.owner(&server->peer_owner);
	server->name = to->name;
	server->inode = inode_get(to->inode);
	server->passes_owner = to->passes_owner;
	if (to->last_pending)
		to->last_pending->next_pending = server;
	else
		to->pending = server;
	to->last_pending = server;
	to->npending++;
	wait_wake(&to->queue);
	wait_wake(&s->queue);
}

static int connect_stream(struct socket *s, struct socket *to)
{
	struct socket *server = socket_new(s->type);
	uint64_t flags;
	int error;

	if (!server)
		return -ENOMEM;
	flags = locked(&socket_lock);
	error = may_connect(s, to);
	if (!error)
		add_pending(to, s, server);
	unlocked(&socket_lock, flags);
	if (error)
		socket_put(server);
	return error;
}

static int may_send_to(const struct socket *s, const struct socket *to)
{
	if (to->dead)
		return -ECONNREFUSED;
	if (!socket_is_datagram(to))
		return -EPROTOTYPE;
	return to->peer && to->peer != s ? -EPERM : 0;
}

static int connect_datagram(struct socket *s, struct socket *to)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = to ? may_send_to(s, to) : 0;
	struct socket *old = error ? NULL : socket_leave_peer(s);

	if (!error && to)
		socket_join_peer(s, to);
	if (!error)
		wait_wake(&s->queue);
	unlocked(&socket_lock, flags);
	socket_put(old);
	return error;
}

int socket_connect(struct socket *s, struct socket *to)
{
	if (socket_is_datagram(s))
		return connect_datagram(s, to);
	return to ? connect_stream(s, to) : -EINVAL;
}

static int take_pending(struct socket *s, struct socket **server)
{
	if (socket_is_datagram(s))
		return -EOPNOTSUPP;
	if (s->state != SOCKET_LISTENS || (!s->pending && s->shut & SHUT_READING))
		return -EINVAL;
	if (!s->pending)
		return -EAGAIN;
	*server = s->pending;
	s->pending = s->pending->next_pending;
	if (!s->pending)
		s->last_pending = NULL;
	if (s->npending-- == s->backlog + 1)
		socket_was_full(s);
	return 0;
}

/* Makes the file first, so that a lack of memory loses no accepted connection. */
int socket_accept(struct socket *s, unsigned flags, struct file **out)
{
	struct file *f = make_socket_file(NULL, flags);
	struct socket *server = NULL;
	uint64_t saved;
	int error;

	if (!f)
		return -ENOMEM;
	saved = locked(&socket_lock);
	error = take_pending(s, &server);
	unlocked(&socket_lock, saved);
	f->private = server;
	if (error)
		file_put(f);
	else
		*out = f;
	return error;
}

/* --- Ending --- */

static unsigned mirrored(unsigned shut)
{
	return (shut & SHUT_READING ? SHUT_WRITING : 0) | (shut & SHUT_WRITING ? SHUT_READING : 0);
}

int socket_shutdown(struct socket *s, int how)
{
	const unsigned shut = (unsigned)how + 1;
	uint64_t flags;

	if (how < 0 || how > 2)
		return -EINVAL;
	flags = locked(&socket_lock);
	s->shut |= shut;
	wait_wake(&s->queue);
	if (s->peer && !socket_is_datagram(s)) {
		s->peer->shut |= mirrored(shut);
		wait_wake(&s->peer->queue);
	}
	if (shut & SHUT_READING)
		socket_was_full(s);
	unlocked(&socket_lock, flags);
	return 0;
}

/* Tells the peer that this end closes. Unread bytes, or a connection that was never accepted,
 * are a reset. */
static void tell_peer(struct socket *s, bool reset)
{
	struct socket *peer = s->peer;

	if (!peer || socket_is_datagram(s))
		return;
	peer->shut = SHUT_BOTH;
	if (reset)
		peer->error = ECONNRESET;
	wait_wake(&peer->queue);
}

/* Closes an end, and drops the caller's reference. `reset`: it was never accepted. */
static void close_socket(struct socket *s, bool reset)
{
	uint64_t flags = locked(&socket_lock);
	struct packet *packets = s->first;
	struct socket *pending = s->pending, *peer;

	s->dead = true;
	s->shut = SHUT_BOTH;
	s->first = s->last = NULL;
	s->pending = s->last_pending = NULL;
	s->npackets = s->npending = 0;
	s->bytes = 0;
	tell_peer(s, reset || packets);
	peer = socket_leave_peer(s);
	if (s->inode && s->inode->socket == s)
		s->inode->socket = NULL;
	socket_was_full(s);
	unlocked(&socket_lock, flags);
	packets_drop(packets);
	while (pending) {
		struct socket *next = pending->next_pending;

		close_socket(pending, true);
		pending = next;
	}
	inode_put(s->inode);
	socket_put(peer);
	socket_put(s);
}

static void socket_release(struct file *f)
{
	if (f->private)
		close_socket(f->private, false);
}

/* Takes the packets of the first socket that still has some. */
static struct packet *take_left(void)
{
	const uint64_t flags = locked(&socket_lock);
	struct socket *s = all;
	struct packet *packets = NULL;

	while (s && !s->first)
		s = s->next;
	if (s) {
		packets = s->first;
		s->first = s->last = NULL;
		s->npackets = 0;
		s->bytes = 0;
	}
	unlocked(&socket_lock, flags);
	return packets;
}

void sockets_forget(void)
{
	struct packet *packets;

	while ((packets = take_left()))
		packets_drop(packets);
	next_found = 0;
}

/* --- As files --- */

static long socket_read(struct file *f, struct io *io, const uint64_t *at)
{
	struct socket_message m = {.io = io};
	long n;

	(void)at;
	if (!io->left)
		return 0;
	n = socket_receive(f->private, &m);
	socket_files_free(m.files);
	return n;
}

static long socket_write(struct file *f, struct io *io, const uint64_t *at)
{
	struct socket_message m = {.io = io};

	(void)at;
	file_host.owner(&m.owner);
	return socket_send(f->private, &m);
}

static unsigned poll_locked(const struct socket *s)
{
	unsigned events = s->error ? POLLERR : 0;

	if (s->shut == SHUT_BOTH)
		events |= POLLHUP;
	if (s->shut & SHUT_READING)
		events |= POLLRDHUP | POLLIN | POLLRDNORM;
	if (s->first || s->pending)
		events |= POLLIN | POLLRDNORM;
	if (s->state == SOCKET_APART && !socket_is_datagram(s))
		events |= POLLHUP;
	if (s->state != SOCKET_LISTENS && socket_is_writable(s) &&
	    !(s->peer && socket_is_full(s->peer, s)))
		events |= POLLOUT | POLLWRNORM | POLLWRBAND;
	return events;
}

static unsigned socket_poll(struct file *f, struct wait_queue **queue)
{
	struct socket *s = f->private;
	const uint64_t flags = locked(&socket_lock);
	const unsigned events = poll_locked(s);

	*queue = &s->queue;
	unlocked(&socket_lock, flags);
	return events;
}

static bool takes_now(const struct file *f, const struct socket *to)
{
	const struct socket *s = f->private;
	const uint64_t flags = locked(&socket_lock);
	const bool room = to->state == SOCKET_LISTENS || socket_is_writable(s);
	const bool takes = s->error || s->shut || to->dead || (room && !socket_is_full(to, s));

	unlocked(&socket_lock, flags);
	return takes;
}

int socket_await(struct file *f, unsigned events, const struct socket *to, struct wait_set *set)
{
	int ready = to ? takes_now(f, to) : file_await(f, events, set);

	if (ready || !to)
		return ready > 0 ? 1 : ready;
	if (wait_set_add(set, f, &((struct socket *)f->private)->queue) ||
	    wait_set_add(set, NULL, &socket_room)) {
		wait_set_end(set);
		return -ENOMEM;
	}
	ready = takes_now(f, to);
	if (ready)
		wait_set_end(set);
	return ready;
}

/* All bytes of a stream or seqpacket; those of the first datagram. */
static long bytes_to_read(const struct socket *s)
{
	if (s->state == SOCKET_LISTENS)
		return -EINVAL;
	if (!socket_is_datagram(s))
		return (long)s->bytes;
	return s->first ? s->first->bytes : 0;
}

static long socket_ioctl(struct file *f, unsigned request, uint64_t argument)
{
	struct socket *s = f->private;
	uint64_t flags;
	long bytes;
	int told;

	if (request != FIONREAD && request != TIOCOUTQ)
		return -ENOTTY;
	flags = locked(&socket_lock);
	bytes = request == FIONREAD ? bytes_to_read(s) : (long)s->charged;
	unlocked(&socket_lock, flags);
	told = (int)bytes;
	return bytes < 0 ? bytes : user_copy_out(argument, &told, sizeof(told));
}

static uint64_t patience_of(const struct file *f, unsigned events)
{
	return ((const struct socket *)f->private)->patience[events & POLLOUT ? 1 : 0];
}

const struct file_ops socket_ops = {
	.is_stream = true,
	.read = socket_read,
	.write = socket_write,
	.poll = socket_poll,
	.ioctl = socket_ioctl,
	.patience = patience_of,
	.release = socket_release,
};
