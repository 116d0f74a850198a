/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * socket_parts.h - shared by the files of linux/socket. One lock guards all sockets and the packets
 * in their queues. It is held for a bounded number of instructions, and while queues are woken.
 *
 * A socket has a reference to its peer, a packet one to its sender. The peer lists the sockets that
 * are connected to it, without references: each leaves the list before it drops its reference to
 * the peer.
 */
#ifndef LINUX_SOCKET_SOCKET_PARTS_H
#define LINUX_SOCKET_SOCKET_PARTS_H

#include "linux/portable/locked.h"
#include "linux/socket/socket.h"

#define SOCKET_BYTES_FIRST 212992u /* net.core.wmem_default and rmem_default of Linux */
#define SOCKET_QUEUE_MOST  10u     /* net.unix.max_dgram_qlen */
#define SOCKETS_FLY_MOST   4096u   /* files in the messages of all sockets */

enum { SHUT_READING = 1, SHUT_WRITING = 2, SHUT_BOTH = 3 };

enum socket_state { SOCKET_APART, SOCKET_LISTENS, SOCKET_CONNECTED };

struct packet {
	struct packet *next;
	struct socket *sender;
	unsigned refs; /* the queue's, and one for each reader */
	struct socket_files *files;
	struct host_owner owner;
	uint32_t bytes, at; /* all of the packet; those that were read */
	uint32_t charge;    /* bytes that the sender is charged for it */
	uint8_t data[];
};

struct socket {
	unsigned refs;
	struct wait_queue queue;
	unsigned type;
	enum socket_state state;
	unsigned shut;
	bool dead; /* its file is closed */
	int error; /* SO_ERROR */
	struct socket *peer;
	struct socket *clients,
		*next_client; /* sockets whose peer it is; next in its peer's list */

	struct packet *first, *last; /* queue of unread packets */
	unsigned npackets;
	uint64_t bytes; /* in the unread packets */
	uint64_t taken; /* bytes that were read so far */

	struct socket *pending, *last_pending, *next_pending; /* connected, not accepted */
	unsigned npending, backlog;

	uint64_t charged; /* for packets that it has sent and that are unread */
	unsigned send_room, receive_room;
	bool passes_owner;
	unsigned kept; /* flags that have no effect: socket_option.c */
	struct host_owner peer_owner;
	uint64_t patience[2]; /* SO_RCVTIMEO, SO_SNDTIMEO */

	struct socket_name name;      /* its own, or that of the socket that accepted it */
	bool is_abstract;             /* it was bound to an abstract name */
	struct inode *inode;          /* of its path, with a reference */
	struct socket *next, *before; /* list of all sockets */
};

extern struct lock socket_lock;

/* socket_room - woken when a full queue has room again. */
extern struct wait_queue socket_room;

/* socket_is_full() - does `s` refuse data from `from` now? With the lock. */
bool socket_is_full(const struct socket *s, const struct socket *from);

/* socket_is_writable() - as Linux has it: three quarters of the room are free. With the lock. */
static inline bool socket_is_writable(const struct socket *s)
{
	return s->charged * 4 <= s->send_room;
}

/* socket_was_full() - wakes waiters for room in `s`. With the lock. */
void socket_was_full(struct socket *s);

/* socket_leave_peer() - takes the socket off its peer's list. Returns the peer, whose reference is
 * then the caller's. socket_join_peer() - makes `peer` its peer. With the lock. */
struct socket *socket_leave_peer(struct socket *s);
void socket_join_peer(struct socket *s, struct socket *peer);

/* packets_drop() - frees a list of packets that no queue has. Without the lock. */
void packets_drop(struct packet *list);

#endif
