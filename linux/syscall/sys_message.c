// SPDX-License-Identifier: BSD-2-Clause
/* sys_message.c - messages through sockets: sendmsg(2), recvmsg(2) and their kin. */
#include "linux/syscall/sockets.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/base/heap.h"
#include "linux/syscall/syscall_files.h"
#include "linux/task/sched.h"

#include <asm/socket.h>
#include <asm/unistd_64.h>
#include <linux/time_types.h>

#define CONTROL_MOST    20480u /* net.core.optmem_max of Linux */
#define MESSAGES_MOST   1024u
#define SCM_RIGHTS      1 /* as of <sys/socket.h> */
#define SCM_CREDENTIALS 2

/* struct msghdr, cmsghdr and mmsghdr of ring 3. */
struct user_message {
	uint64_t name;
	uint32_t name_bytes, unused;
	uint64_t parts, nparts;
	uint64_t control, control_bytes;
	uint32_t flags, unused2;
};

struct control_head {
	uint64_t bytes; /* with the head */
	int32_t level, type;
};

struct counted_message {
	struct user_message message;
	uint32_t bytes, unused;
};

static uint64_t control_round(uint64_t bytes)
{
	return (bytes + 7) & ~7ull;
}

/* --- Sending --- */

static long send_waiting(struct file *file, struct socket *s, struct socket_message *m)
{
	struct task *t = sched_current();
	const bool now = m->flags & MESSAGE_DONTWAIT;
	uint64_t done = t->again ? t->io_done : 0;

	io_skip(m->io, done);
	for (;;) {
		long n = socket_send(s, m);

		done += n > 0 ? (uint64_t)n : 0;
		if (n >= 0 && (!socket_is_stream(s) || !m->io->left))
			return (long)done;
		if (n > 0)
			continue;
		if (n == -EPIPE && !done && !(m->flags & MESSAGE_NOSIGNAL))
			return files_broken_pipe();
		t->io_done = done;
		if (n == -EAGAIN)
			n = socket_wait(file, POLLOUT, m->to, now);
		if (n < 0 && done)
			return (long)done;
		if (n <= 0)
			return n;
	}
}

/* --- Control data that is sent --- */

static struct socket_files *files_room(struct socket_message *m)
{
	if (!m->files)
		m->files = heap_alloc(sizeof(*m->files) +
				      SOCKET_FILES_MOST * sizeof(m->files->file[0]));
	return m->files;
}

static long add_files(struct socket_message *m, const uint8_t *data, uint64_t bytes)
{
	struct socket_files *files = files_room(m);
	const uint64_t n = bytes / sizeof(int);

	if (!files)
		return -ENOMEM;
	if (n > SOCKET_FILES_MOST - files->n)
		return -EINVAL;
	for (uint64_t i = 0; i < n; i++) {
		int fd;

		memcpy(&fd, data + i * sizeof(fd), sizeof(fd));
		files->file[files->n] = files_get((uint64_t)fd);
		if (!files->file[files->n])
			return -EBADF;
		files->n++;
	}
	return 0;
}

/* Root may claim any ids. */
static long set_owner(struct socket_message *m, const uint8_t *data, uint64_t bytes)
{
	if (bytes != sizeof(m->owner))
		return -EINVAL;
	memcpy(&m->owner, data, sizeof(m->owner));
	return 0;
}

static long add_control(struct socket_message *m, const struct control_head *head,
			const uint8_t *data)
{
	const uint64_t bytes = head->bytes - sizeof(*head);

	if (head->level != SOL_SOCKET)
		return 0;
	if (head->type == SCM_RIGHTS)
		return add_files(m, data, bytes);
	return head->type == SCM_CREDENTIALS ? set_owner(m, data, bytes) : -EINVAL;
}

static long parse_control(struct socket_message *m, const uint8_t *control, uint64_t bytes)
{
	struct control_head head;
	long err = 0;

	for (uint64_t at = 0; !err && at + sizeof(head) <= bytes; at += control_round(head.bytes)) {
		memcpy(&head, control + at, sizeof(head));
		if (head.bytes < sizeof(head) || head.bytes > bytes - at)
			return -EINVAL;
		err = add_control(m, &head, control + at + sizeof(head));
	}
	return err;
}

static long read_control(struct socket_message *m, const struct user_message *user)
{
	const uint64_t bytes = user->control_bytes;
	uint8_t *control;
	long err;

	if (!bytes)
		return 0;
	if (bytes > CONTROL_MOST)
		return -ENOBUFS;
	control = heap_alloc(bytes);
	if (!control)
		return -ENOMEM;
	err = copy_from_user(control, user->control, bytes) ? -EFAULT
							    : parse_control(m, control, bytes);
	heap_free(control);
	if (!err && m->files && !m->files->n) {
		socket_files_free(m->files);
		m->files = NULL;
	}
	return err;
}

/* The receiver. A stream has its peer alone; a seqpacket does not look. */
static long find_target(struct socket *s, uint64_t name, uint64_t bytes, struct socket_message *m)
{
	struct socket_name to, none;
	long err;

	if (!name || !bytes)
		return 0;
	if (socket_is_stream(s))
		return socket_name(s, true, &none) ? -EOPNOTSUPP : -EISCONN;
	err = socket_name_read(name, bytes, &to);
	if (err || !socket_is_datagram(s))
		return err;
	return socket_find(s, &to, &m->to);
}

/* With SO_PASSCRED a socket that sends has a name. */
static long prepare_sending(struct socket *s, uint64_t name, uint64_t bytes,
			    struct socket_message *m)
{
	const long err = find_target(s, name, bytes, m);

	if (err || !socket_passes_owner(s) || socket_is_bound(s))
		return err;
	return socket_bind(s, &(struct socket_name){0}, NULL);
}

static void end_message(struct socket_message *m)
{
	socket_files_free(m->files);
	socket_put(m->to);
}

static long do_sendto(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct io io = io_user(f->rsi, f->rdx);
	struct socket_message m = {.io = &io, .flags = (unsigned)f->r10};
	long n = prepare_sending(s, f->r8, (unsigned)f->r9, &m);

	file_host.owner(&m.owner);
	if (!n)
		n = send_waiting(file, s, &m);
	end_message(&m);
	return n;
}
SOCKET_CALL(sendto)

/* --- Parts of a message --- */

#define PARTS_FEW 8

struct message_parts {
	struct io io;
	struct io_part few[PARTS_FEW], *parts;
};

static void parts_end(struct message_parts *p)
{
	if (p->parts != p->few)
		heap_free(p->parts);
}

static long read_message_parts(struct message_parts *p, const struct user_message *user)
{
	const uint64_t n = user->nparts;
	long err = 0;

	if (n > IO_PARTS_MOST)
		return -EMSGSIZE;
	p->parts = n <= PARTS_FEW ? p->few : heap_alloc(n * sizeof(*p->parts));
	if (!p->parts)
		return -ENOMEM;
	if (n && copy_from_user(p->parts, user->parts, n * sizeof(*p->parts)))
		err = -EFAULT;
	if (!err)
		err = io_user_parts(&p->io, p->parts, n);
	if (err)
		parts_end(p);
	return err;
}

/* A repeated call that has sent some bytes has sent its files, too. */
static long send_user_message(struct file *file, struct socket *s, const struct user_message *user,
			      unsigned flags)
{
	struct message_parts parts;
	struct socket_message m = {.io = &parts.io, .flags = flags};
	const struct task *t = sched_current();
	long n = read_message_parts(&parts, user);

	if (n)
		return n;
	file_host.owner(&m.owner);
	n = prepare_sending(s, user->name, user->name_bytes, &m);
	if (!n && !(t->again && t->io_done))
		n = read_control(&m, user);
	if (!n)
		n = send_waiting(file, s, &m);
	end_message(&m);
	parts_end(&parts);
	return n;
}

static long do_sendmsg(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct user_message user;

	if (copy_from_user(&user, f->rsi, sizeof(user)))
		return -EFAULT;
	return send_user_message(file, s, &user, (unsigned)f->rdx);
}
SOCKET_CALL(sendmsg)

/* --- Receiving --- */

static bool wants_more(const struct socket *s, const struct socket_message *m)
{
	return m->flags & MESSAGE_WAITALL && !(m->flags & MESSAGE_PEEK) && socket_is_stream(s) &&
	       m->io->left && !m->files;
}

static long receive_waiting(struct file *file, struct socket *s, struct socket_message *m)
{
	struct task *t = sched_current();
	const bool now = m->flags & MESSAGE_DONTWAIT;
	uint64_t done = t->again ? t->io_done : 0;

	io_skip(m->io, done);
	for (;;) {
		long n = socket_receive(s, m);

		done += n > 0 ? (uint64_t)n : 0;
		if (n > 0 && wants_more(s, m))
			continue;
		t->io_done = done;
		if (n == -EAGAIN) {
			n = socket_wait(file, POLLIN, NULL, now);
			if (n > 0)
				continue;
			if (!n)
				return 0; /* it sleeps */
		}
		return done ? (long)done : n;
	}
}

static long do_recvfrom(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct io io = io_user(f->rsi, f->rdx);
	struct socket_message m = {.io = &io, .flags = (unsigned)f->r10, .names = f->r8};
	long n = receive_waiting(file, s, &m);

	if (n >= 0 && f->r8 && sched_current()->state == TASK_RUNNING) {
		const long err = socket_name_return(f->r8, f->r9, &m.from, false);

		n = err ? err : n;
	}
	end_message(&m);
	return n;
}
SOCKET_CALL(recvfrom)

/* --- Control data that is received --- */

struct control_out {
	uint64_t at, left;
	uint64_t used;
	uint32_t flags; /* MESSAGE_CTRUNC */
};

static uint64_t control_room(const struct control_out *out)
{
	return out->left > sizeof(struct control_head) ? out->left - sizeof(struct control_head)
						       : 0;
}

static long put_control(struct control_out *out, int type, const void *data, uint64_t bytes)
{
	const uint64_t room = control_room(out), n = bytes < room ? bytes : room;
	const struct control_head head = {sizeof(head) + n, SOL_SOCKET, type};
	uint64_t whole = control_round(head.bytes);

	if (n < bytes)
		out->flags |= MESSAGE_CTRUNC;
	if (!n)
		return 0;
	if (copy_to_user(out->at, &head, sizeof(head)) ||
	    copy_to_user(out->at + sizeof(head), data, n))
		return -EFAULT;
	whole = whole < out->left ? whole : out->left;
	out->at += whole;
	out->left -= whole;
	out->used += whole;
	return 0;
}

/* Installs as many descriptors as fit; the other files are released. */
static long put_files(struct control_out *out, struct socket_files *files, unsigned flags)
{
	const uint64_t room = control_room(out) / sizeof(int);
	int fds[SOCKET_FILES_MOST];
	unsigned n = 0;

	while (n < files->n && n < room) {
		const long fd = files_install(file_get(files->file[n]),
					      flags & MESSAGE_CLOEXEC ? O_CLOEXEC : 0);

		if (fd < 0)
			break;
		fds[n++] = (int)fd;
	}
	if (n < files->n)
		out->flags |= MESSAGE_CTRUNC;
	return n ? put_control(out, SCM_RIGHTS, fds, n * sizeof(*fds)) : 0;
}

static long put_controls(struct control_out *out, const struct socket *s, struct socket_message *m)
{
	long err = 0;

	if (socket_passes_owner(s))
		err = put_control(out, SCM_CREDENTIALS, &m->owner, sizeof(m->owner));
	if (!err && m->files)
		err = put_files(out, m->files, m->flags);
	return err;
}

/* Writes the results of recvmsg(2) other than the bytes: changes `user`, which is copied back to
 * ring 3. */
static long tell_message(const struct socket *s, struct socket_message *m,
			 struct user_message *user)
{
	struct control_out out = {.at = user->control, .left = user->control_bytes};
	long n = 0;

	if (user->name && m->from.length)
		n = socket_name_put(user->name, user->name_bytes, &m->from);
	if (n < 0)
		return n;
	user->name_bytes = (uint32_t)n;
	n = put_controls(&out, s, m);
	user->control_bytes = out.used;
	user->flags = out.flags | (m->truncated ? MESSAGE_TRUNC : 0) | (m->flags & MESSAGE_CLOEXEC);
	return n;
}

static long receive_user_message(struct file *file, struct socket *s, struct user_message *user,
				 unsigned flags)
{
	struct message_parts parts;
	struct socket_message m = {.io = &parts.io, .flags = flags, .names = user->name};
	long n = read_message_parts(&parts, user);

	if (n)
		return n;
	n = receive_waiting(file, s, &m);
	if (n >= 0 && sched_current()->state == TASK_RUNNING) {
		const long err = tell_message(s, &m, user);

		n = err ? err : n;
	}
	end_message(&m);
	parts_end(&parts);
	return n;
}

static long do_recvmsg(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct user_message user;
	long n;

	if (copy_from_user(&user, f->rsi, sizeof(user)))
		return -EFAULT;
	n = receive_user_message(file, s, &user, (unsigned)f->rdx);
	if (n >= 0 && sched_current()->state == TASK_RUNNING &&
	    copy_to_user(f->rsi, &user, sizeof(user)))
		return -EFAULT;
	return n;
}
SOCKET_CALL(recvmsg)

/* --- Many messages --- */

typedef long message_fn(struct file *file, struct socket *s, struct user_message *user,
			unsigned flags);

static long send_one(struct file *file, struct socket *s, struct user_message *user, unsigned flags)
{
	return send_user_message(file, s, user, flags);
}

static long move_one(struct file *file, struct socket *s, uint64_t at, unsigned flags,
		     message_fn *move)
{
	struct counted_message one;
	long n;

	if (copy_from_user(&one, at, sizeof(one)))
		return -EFAULT;
	n = move(file, s, &one.message, flags);
	if (n < 0 || sched_current()->state != TASK_RUNNING)
		return n;
	one.bytes = (uint32_t)n;
	return copy_to_user(at, &one, sizeof(one)) ? -EFAULT : n;
}

/* A repeated call continues behind the messages that it has moved. */
static long move_messages(struct file *file, struct socket *s, struct trap_frame *f,
			  message_fn *move)
{
	struct task *t = sched_current();
	const uint64_t n = (unsigned)f->rdx < MESSAGES_MOST ? (unsigned)f->rdx : MESSAGES_MOST;
	unsigned flags = (unsigned)f->r10, done = t->again ? t->messages_done : 0;
	long result = 0;

	while (done < n) {
		t->messages_done = done;
		result = move_one(file, s, f->rsi + done * sizeof(struct counted_message),
				  flags & ~MESSAGE_WAITONE, move);
		if (t->state != TASK_RUNNING)
			return 0;
		if (result < 0)
			break;
		t->io_done = 0;
		done++;
		if (flags & MESSAGE_WAITONE)
			flags |= MESSAGE_DONTWAIT;
	}
	return done ? done : result;
}

static long do_sendmmsg(struct file *file, struct socket *s, struct trap_frame *f)
{
	return move_messages(file, s, f, send_one);
}
SOCKET_CALL(sendmmsg)

/* With a timeout, a waiting call ends when it expires. */
static long do_recvmmsg(struct file *file, struct socket *s, struct trap_frame *f)
{
	return move_messages(file, s, f, receive_user_message);
}
SOCKET_CALL(recvmmsg)

const struct syscall_row syscall_message_rows[] = {
	{__NR_sendto, sys_sendto},
	{__NR_sendmsg, sys_sendmsg},
	{__NR_sendmmsg, sys_sendmmsg},
	{__NR_recvfrom, sys_recvfrom},
	{__NR_recvmsg, sys_recvmsg},
	{__NR_recvmmsg, sys_recvmmsg},
	{0, NULL},
};
