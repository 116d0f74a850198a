/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * socket_parts.h - what the files of rt/socket share. One lock guards all sockets and the packets
 * in their queues; it is held for a bounded number of instructions, and while queues are woken.
 *
 * A socket holds a reference to its peer, a packet one to its sender. The peer's list has those
 * that are connected to it without references: each leaves it before it lets go of the peer.
 */
#ifndef LINUX_SOCKET_SOCKET_PARTS_H
#define LINUX_SOCKET_SOCKET_PARTS_H

#include "linux/portable/locked.h"
#include "linux/socket/socket.h"

#define SOCKET_BYTES_FIRST 212992u /* net.core.wmem_default and rmem_default of Linux */
#define SOCKET_QUEUE_MOST  10u     /* net.unix.max_dgram_qlen */
#define SOCKETS_FLY_MOST   4096u   /* files in messages, of all sockets */

enum { SHUT_READING = 1, SHUT_WRITING = 2, SHUT_BOTH = 3 };

enum socket_state { SOCKET_APART, SOCKET_LISTENS, SOCKET_CONNECTED };

struct packet {
	struct packet *next;
	struct socket *sender;
	unsigned refs; /* of the queue, and of those that read it */
	struct socket_files *files;
	struct host_owner owner;
	uint32_t bytes, at; /* in all; that were read */
	uint32_t charge;    /* what the sender is charged with */
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
	struct socket *clients, *next_client; /* those whose peer it is; the next of such a list */

	struct packet *first, *last; /* that are to be read */
	unsigned npackets;
	uint64_t bytes; /* of them */
	uint64_t taken; /* bytes that were ever read */

	struct socket *pending, *last_pending, *next_pending; /* connected, not accepted */
	unsigned npending, backlog;

	uint64_t charged; /* of packets that it sent and are unread */
	unsigned send_room, receive_room;
	bool passes_owner;
	unsigned kept; /* flags that have no effect: socket_option.c */
	struct host_owner peer_owner;
	uint64_t patience[2]; /* SO_RCVTIMEO, SO_SNDTIMEO */

	struct socket_name name; /* its own, or that of the socket that accepted it */
	bool is_abstract;        /* it was bound to an abstract name */
	struct inode *inode; /* of a path, with a reference; the inode knows the bound one alone */
	struct socket *next, *before; /* of all */
};

extern struct lock socket_lock;

/* socket_room - woken when a full queue has room again. */
extern struct wait_queue socket_room;

/* socket_is_full() - does it refuse data from `from` now? With the lock. */
bool socket_is_full(const struct socket *s, const struct socket *from);

/* socket_is_writable() - as Linux has it: three quarters of the room are free. With the lock. */
static inline bool socket_is_writable(const struct socket *s)
{
	return s->charged * 4 <= s->send_room;
}

/* socket_was_full() - wakes waiters for room in `s`. With the lock. */
void socket_was_full(struct socket *s);

/* socket_leave_peer() - takes it off its peer's list; the peer, whose reference is the caller's.
 * With the lock. */
struct socket *socket_leave_peer(struct socket *s);
void socket_join_peer(struct socket *s, struct socket *peer);

/* packets_drop() - frees an unlinked list of packets; without the lock. */
void packets_drop(struct packet *list);

#endif
