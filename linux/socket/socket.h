/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * socket.h - sockets of AF_UNIX as open files: unix(7), socket(7). A socket is a kind of file
 * (file_ops): read(2), write(2) and poll(2) work on it as on any other.
 *
 * Functions return 0 or a count, or -E as the system call of that name; -EAGAIN: it would block,
 * which the caller waits for by socket_await(). Task context without any lock.
 */
#ifndef LINUX_SOCKET_SOCKET_H
#define LINUX_SOCKET_SOCKET_H

#include "linux/file/file.h"
#include "linux/file/file_host.h"
#include "linux/file/poll.h"

/* Numbers of the interface of Linux that no header of <linux/...> has. */
#define SOCKET_UNIX      1 /* AF_UNIX */
#define SOCKET_STREAM    1 /* SOCK_STREAM and its kin */
#define SOCKET_DATAGRAM  2
#define SOCKET_RAW       3 /* the same as a datagram's */
#define SOCKET_SEQPACKET 5

#define MESSAGE_OOB      0x1u
#define MESSAGE_PEEK     0x2u
#define MESSAGE_CTRUNC   0x8u
#define MESSAGE_TRUNC    0x20u
#define MESSAGE_DONTWAIT 0x40u
#define MESSAGE_WAITALL  0x100u
#define MESSAGE_NOSIGNAL 0x4000u
#define MESSAGE_WAITONE  0x10000u /* MSG_WAITFORONE */
#define MESSAGE_CLOEXEC  0x40000000u

#define SOCKET_PATH_MOST  108u /* bytes of sun_path */
#define SOCKET_FILES_MOST 253u /* of one message */

struct socket;

/* sun_path. Length 0: none; an abstract name begins with a zero byte. */
struct socket_name {
	unsigned length;
	char path[SOCKET_PATH_MOST + 1];
};

/* Files of SCM_RIGHTS, each with a reference. */
struct socket_files {
	unsigned n;
	struct file *file[];
};

/* A message. socket_send() takes it; socket_receive() fills it in. */
struct socket_message {
	struct io *io;
	unsigned flags;             /* MESSAGE_ bits */
	struct socket *to;          /* sent: the destination, NULL: the peer. Received: NULL */
	struct host_owner owner;    /* the sender */
	struct socket_files *files; /* sent: taken over with the first byte, and then NULL */
	bool names;                 /* receiving: `from` is wanted */
	struct socket_name from;    /* received */
	bool truncated;             /* received: a datagram was longer than the room for it */
};

/* socket_open() - socket(2); `flags`: O_NONBLOCK. -ESOCKTNOSUPPORT. socket_pair() -
 * socketpair(2). */
int socket_open(unsigned type, unsigned flags, struct file **out);
int socket_pair(unsigned type, unsigned flags, struct file *ends[2]);

/* socket_of() - NULL: the file is no socket. */
struct socket *socket_of(const struct file *f);

/* socket_get(), socket_put() - takes or drops a reference; NULL: nothing. */
struct socket *socket_get(struct socket *s);
void socket_put(struct socket *s);

/* socket_inode_new() - the inode for the path of a bound socket; as inode_new(). */
struct inode *socket_inode_new(uint32_t mode);

/* socket_bind() - names the socket. `inode` is the new inode of a path, and gets one more
 * reference. NULL: the name is abstract, or empty; for an empty name a free one is chosen. -EINVAL:
 * it already has a name; -EADDRINUSE. socket_is_bound() - has it a name? */
int socket_bind(struct socket *s, const struct socket_name *name, struct inode *inode);
bool socket_is_bound(const struct socket *s);

/* socket_at(), socket_named() - the socket that is bound to the inode, or that of `type` with the
 * abstract name, with a reference; NULL: none. */
struct socket *socket_at(const struct inode *inode);
struct socket *socket_named(const struct socket_name *name, unsigned type);

int socket_listen(struct socket *s, int backlog);

/* socket_connect() - `to` NULL: takes its peer from a datagram socket. -EAGAIN: the backlog of `to`
 * is full. */
int socket_connect(struct socket *s, struct socket *to);

/* socket_accept() - `flags`: O_NONBLOCK of the new file. -EAGAIN: nothing has connected. */
int socket_accept(struct socket *s, unsigned flags, struct file **out);

/* socket_shutdown() - `how`: 0 reading, 1 writing, 2 both. */
int socket_shutdown(struct socket *s, int how);

/* socket_send(), socket_receive() - return the number of bytes moved. A stream may move fewer than
 * requested; the caller continues with the rest. -EPIPE: the caller raises SIGPIPE. */
long socket_send(struct socket *s, struct socket_message *m);
long socket_receive(struct socket *s, struct socket_message *m);

/*
 * socket_await() - waits until `to` accepts data of `f`; `to` NULL: until one of `events` (POLLIN,
 * POLLOUT) is set for `f`. 1: try again now; 0: `set` is woken when to try again; -ENOMEM.
 */
int socket_await(struct file *f, unsigned events, const struct socket *to, struct wait_set *set);

/* socket_files_free() - frees the list and drops its references; NULL: nothing. */
void socket_files_free(struct socket_files *files);

/* socket_name() - the name of the socket, or of its peer; -ENOTCONN: it has no peer. */
int socket_name(const struct socket *s, bool of_peer, struct socket_name *name);

/* socket_get_option(), socket_set_option() - getsockopt(2), setsockopt(2) of SOL_SOCKET, with
 * `value` in ring 0. `*bytes` is the room for the value, and becomes its length. -ENOPROTOOPT: an
 * unknown option; -EINVAL. */
#define SOCKET_OPTION_MOST 16u
int socket_get_option(struct socket *s, unsigned option, void *value, unsigned *bytes);
int socket_set_option(struct socket *s, unsigned option, const void *value, unsigned bytes);

/* socket_passes_owner() - SO_PASSCRED. socket_patience() - SO_RCVTIMEO or SO_SNDTIMEO in ns; 0: no
 * limit. */
bool socket_passes_owner(const struct socket *s);
uint64_t socket_patience(const struct socket *s, bool sends);

/* socket_is_stream(), socket_is_datagram() - both false: a seqpacket socket. socket_type() - its
 * type. */
bool socket_is_stream(const struct socket *s);
bool socket_is_datagram(const struct socket *s);
unsigned socket_type(const struct socket *s);

/* sockets_forget() - frees sockets that are left in each other's messages. No program has a socket
 * any more. */
void sockets_forget(void);

#endif
