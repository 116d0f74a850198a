// SPDX-License-Identifier: BSD-2-Clause
/*
 * socket_message.c - see socket.h: messages. Bytes lie in packets, which do not change while they
 * are read: they are copied to ring 3 without the lock.
 */
#include "linux/socket/socket_parts.h"

#include "lib/math.h"
#include "lib/string.h"
#include "rt/base/heap.h"

#define PIECE_MOST 16384u /* bytes of a packet of a stream, with the headers of packet and heap */
#define PIECE_HEAD 192u

/* --- Packets --- */

static struct packet *doomed; /* with socket_lock */
static bool drops;
static unsigned flying; /* files in packets */

void socket_files_free(struct socket_files *files)
{
	if (!files)
		return;
	for (unsigned i = 0; i < files->n; i++)
		file_put(files->file[i]);
	heap_free(files);
}

static struct packet *packet_new(struct socket *sender, uint32_t bytes)
{
	struct packet *p = heap_alloc(sizeof(*p) + bytes);

	if (!p)
		return NULL;
	p->refs = 1;
	p->sender = socket_get(sender);
	p->bytes = bytes;
	p->charge = (uint32_t)sizeof(*p) + bytes;
	return p;
}

static void packet_free(struct packet *p)
{
	const uint64_t flags = locked(&socket_lock);

	p->sender->charged -= p->charge;
	if (socket_is_writable(p->sender))
		wait_wake(&p->sender->queue);
	flying -= p->files ? p->files->n : 0;
	unlocked(&socket_lock, flags);
	socket_files_free(p->files);
	socket_put(p->sender);
	heap_free(p);
}

static struct packet *next_doomed(void)
{
	const uint64_t flags = locked(&socket_lock);
	struct packet *p = doomed;

	if (p)
		doomed = p->next;
	else
		drops = false;
	unlocked(&socket_lock, flags);
	return p;
}

/* Files of a packet may be the last references to sockets that hold packets: the same loop frees
 * these, instead of a recursion. */
static void drop_doomed(void)
{
	const uint64_t flags = locked(&socket_lock);
	const bool already = drops;
	struct packet *p;

	drops = true;
	unlocked(&socket_lock, flags);
	if (already)
		return;
	while ((p = next_doomed()))
		packet_free(p);
}

static bool is_last(struct packet *p)
{
	return !__atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL);
}

static void doom(struct packet *p)
{
	const uint64_t flags = locked(&socket_lock);

	p->next = doomed;
	doomed = p;
	unlocked(&socket_lock, flags);
}

void packets_drop(struct packet *list)
{
	while (list) {
		struct packet *p = list;

		list = p->next;
		if (is_last(p))
			doom(p);
	}
	drop_doomed();
}

static void packet_put(struct packet *p)
{
	if (!is_last(p))
		return;
	doom(p);
	drop_doomed();
}

/* --- Sending --- */

static int stream_error(const struct socket *s, const struct socket *to)
{
	if (s->shut & SHUT_WRITING)
		return -EPIPE;
	if (!to || s->state != SOCKET_CONNECTED)
		return -ENOTCONN;
	return to->dead || to->shut & SHUT_READING ? -EPIPE : 0;
}

static int datagram_error(const struct socket *s, const struct socket *to)
{
	if (s->shut & SHUT_WRITING)
		return -EPIPE;
	if (!to)
		return -ENOTCONN;
	if (to->dead)
		return -ECONNREFUSED;
	if (to->type != s->type)
		return -EPROTOTYPE;
	if (to->peer && to->peer != s)
		return -EPERM;
	return to->shut & SHUT_READING ? -EPIPE : 0;
}

/* The error of a send to `to` now. With the lock. */
static int send_error(struct socket *s, const struct socket *to)
{
	int error = socket_is_datagram(s) ? datagram_error(s, to) : stream_error(s, to);

	if (!error && s->error) {
		error = -s->error;
		s->error = 0;
	}
	if (error)
		return error;
	return s->charged >= s->send_room || socket_is_full(to, s) ? -EAGAIN : 0;
}

static int put_locked(struct socket *s, struct socket *to, struct packet *p,
		      struct socket_message *m)
{
	const int error = send_error(s, to);

	if (error)
		return error;
	if (m->files && flying + m->files->n > SOCKETS_FLY_MOST)
		return -ETOOMANYREFS;
	p->files = m->files;
	m->files = NULL;
	flying += p->files ? p->files->n : 0;
	p->owner = m->owner;
	s->charged += p->charge;
	if (to->last)
		to->last->next = p;
	else
		to->first = p;
	to->last = p;
	to->npackets++;
	to->bytes += p->bytes;
	wait_wake(&to->queue);
	return 0;
}

/* Checks for errors before any byte is copied. */
static int check_sending(struct socket *s, const struct socket *to)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = send_error(s, to ? to : s->peer);

	unlocked(&socket_lock, flags);
	return error;
}

/* Frees a packet that was never queued: its sender was not charged. */
static void packet_cancel(struct packet *p)
{
	socket_put(p->sender);
	heap_free(p);
}

/* Sends one packet of `bytes`. `io` advances only on success. */
static int send_packet(struct socket *s, struct socket_message *m, uint32_t bytes)
{
	struct io after = *m->io;
	struct packet *p = packet_new(s, bytes);
	uint64_t flags;
	int error;

	if (!p)
		return -ENOMEM;
	error = io_from_user(&after, p->data, bytes) ? -EFAULT : 0;
	if (!error) {
		flags = locked(&socket_lock);
		error = put_locked(s, m->to ? m->to : s->peer, p, m);
		unlocked(&socket_lock, flags);
	}
	if (error)
		packet_cancel(p);
	else
		*m->io = after;
	return error;
}

static uint32_t piece_bytes(const struct socket *s, uint64_t left)
{
	const uint64_t half = least_of(s->send_room / 2, PIECE_MOST);

	return (uint32_t)least_of(left, half - PIECE_HEAD);
}

static long send_stream(struct socket *s, struct socket_message *m)
{
	long done = 0;
	int error = check_sending(s, NULL);

	while (!error && m->io->left) {
		const uint32_t n = piece_bytes(s, m->io->left);

		error = send_packet(s, m, n);
		done += error ? 0 : n;
		if (!error)
			error = check_sending(s, NULL);
	}
	return done ? done : error;
}

static long send_whole(struct socket *s, struct socket_message *m)
{
	const uint64_t bytes = m->io->left;
	int error = check_sending(s, m->to);

	if (bytes + sizeof(struct packet) > s->send_room)
		return -EMSGSIZE;
	if (!error)
		error = send_packet(s, m, (uint32_t)bytes);
	return error ? error : (long)bytes;
}

long socket_send(struct socket *s, struct socket_message *m)
{
	if (m->flags & MESSAGE_OOB)
		return -EOPNOTSUPP;
	return socket_is_stream(s) ? send_stream(s, m) : send_whole(s, m);
}

/* --- Receiving --- */

/* The part of a packet that a read takes. */
struct piece {
	struct packet *packet; /* with a reference */
	uint32_t at, bytes;
	uint64_t end; /* value of the socket's `taken` behind the piece */
};

/* The result of a read from an empty queue. With the lock. */
static long result_when_empty(struct socket *s)
{
	const int error = s->error;

	s->error = 0;
	if (error)
		return -error;
	return s->shut & SHUT_READING ? 0 : -EAGAIN;
}

static long may_receive(const struct socket *s)
{
	if (socket_is_datagram(s) || s->state == SOCKET_CONNECTED)
		return 0;
	return socket_is_stream(s) ? -EINVAL : -ENOTCONN;
}

static bool same_owner(const struct host_owner *a, const struct host_owner *b)
{
	return a->pid == b->pid && a->uid == b->uid && a->gid == b->gid;
}

/* The packet at `skip` bytes behind the first unread one; `*at`: the offset in it. */
static struct packet *packet_at(const struct socket *s, uint64_t skip, uint32_t *at)
{
	struct packet *p = s->first;

	while (p && skip && skip >= p->bytes - p->at) {
		skip -= p->bytes - p->at;
		p = p->next;
	}
	*at = p ? p->at + (uint32_t)skip : 0;
	return p;
}

static void unlink_first(struct socket *s)
{
	struct packet *p = s->first;

	s->first = p->next;
	if (!s->first)
		s->last = NULL;
	p->next = NULL;
	if (s->npackets-- == SOCKET_QUEUE_MOST + 1 && socket_is_datagram(s))
		socket_was_full(s);
}

/* Copies the list of files, for MSG_PEEK, with references of its own. */
static struct socket_files *copy_socket_files(const struct socket_files *from)
{
	struct socket_files *copy = heap_alloc(sizeof(*copy) + from->n * sizeof(copy->file[0]));

	if (!copy)
		return NULL;
	copy->n = from->n;
	for (unsigned i = 0; i < from->n; i++)
		copy->file[i] = file_get(from->file[i]);
	return copy;
}

static long take_files(struct packet *p, struct socket_message *m)
{
	if (!p->files)
		return 0;
	if (m->flags & MESSAGE_PEEK) {
		m->files = copy_socket_files(p->files);
		return m->files ? 0 : -ENOMEM;
	}
	m->files = p->files;
	flying -= p->files->n;
	p->files = NULL;
	return 0;
}

/* Removes the piece's bytes, which were read, from the first packet. */
static void consume(struct socket *s, struct piece *piece, bool whole)
{
	struct packet *p = piece->packet;
	const uint32_t bytes = whole ? p->bytes - p->at : piece->bytes;

	p->at += bytes;
	s->bytes -= bytes;
	s->taken += bytes;
	piece->end = s->taken;
	if (p->at == p->bytes)
		unlink_first(s); /* the queue's reference becomes the piece's */
	else
		__atomic_fetch_add(&p->refs, 1, __ATOMIC_RELAXED);
}

/* Takes up to `room` bytes of one packet, of which this call has moved `done`. Returns the number
 * of packets taken, 0 or 1, or an error. */
static long take_from_packet(struct socket *s, struct socket_message *m, uint64_t room,
			     uint64_t done, struct piece *piece)
{
	const bool peeks = m->flags & MESSAGE_PEEK, stream = socket_is_stream(s);
	struct packet *p = packet_at(s, peeks ? done : 0, &piece->at);
	long error;

	if (!p)
		return result_when_empty(s);
	if (done && s->passes_owner && !same_owner(&p->owner, &m->owner))
		return 0;
	error = take_files(p, m);
	if (error)
		return error;
	m->owner = p->owner;
	if (m->names)
		m->from = p->sender->name;
	piece->packet = p;
	piece->bytes = (uint32_t)least_of(room, p->bytes - piece->at);
	if (peeks)
		__atomic_fetch_add(&p->refs, 1, __ATOMIC_RELAXED);
	else
		consume(s, piece, !stream);
	return 1;
}

static long receive_piece(struct socket *s, struct socket_message *m, uint64_t done,
			  struct piece *piece)
{
	const uint64_t flags = locked(&socket_lock);
	long n = may_receive(s);

	if (!n)
		n = take_from_packet(s, m, m->io->left, done, piece);
	unlocked(&socket_lock, flags);
	return n;
}

/* Returns bytes that did not reach the reader, unless others have read on in the meantime. The
 * queue takes over the piece's reference if the packet had left it. */
static bool give_back(struct socket *s, struct piece *piece)
{
	const uint64_t flags = locked(&socket_lock);
	struct packet *p = piece->packet;
	const bool last = s->taken == piece->end && !s->dead, left = p->at == p->bytes;

	if (last) {
		p->at = piece->at;
		s->taken -= piece->bytes;
		s->bytes += piece->bytes;
	}
	if (last && left) {
		p->next = s->first;
		s->first = p;
		s->last = s->last ? s->last : p;
		s->npackets++;
	}
	unlocked(&socket_lock, flags);
	return last && left;
}

static long copy_packet_piece(struct socket *s, struct socket_message *m, struct piece *piece)
{
	struct packet *p = piece->packet;
	struct io after = *m->io;
	const int error = io_to_user(&after, p->data + piece->at, piece->bytes);
	bool kept = false;

	if (!error)
		*m->io = after;
	else if (socket_is_stream(s) && !(m->flags & MESSAGE_PEEK))
		kept = give_back(s, piece);
	if (!kept)
		packet_put(p);
	return error ? -EFAULT : (long)piece->bytes;
}

static long receive_stream(struct socket *s, struct socket_message *m)
{
	struct piece piece;
	long done = 0, n;

	do {
		n = receive_piece(s, m, (uint64_t)done, &piece);
		if (n > 0)
			n = copy_packet_piece(s, m, &piece);
		done += n > 0 ? n : 0;
	} while (n > 0 && m->io->left && !m->files);
	return done ? done : n;
}

static long receive_whole(struct socket *s, struct socket_message *m)
{
	struct piece piece;
	uint32_t bytes;
	long n = receive_piece(s, m, 0, &piece);

	if (n <= 0)
		return n;
	bytes = piece.packet->bytes;
	m->truncated = bytes > piece.bytes;
	n = copy_packet_piece(s, m, &piece);
	return n >= 0 && m->flags & MESSAGE_TRUNC ? bytes : n;
}

long socket_receive(struct socket *s, struct socket_message *m)
{
	if (m->flags & MESSAGE_OOB)
		return -EOPNOTSUPP;
	return socket_is_stream(s) ? receive_stream(s, m) : receive_whole(s, m);
}
