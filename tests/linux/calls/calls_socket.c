// SPDX-License-Identifier: BSD-2-Clause
/*
 * calls_socket.c - sockets of AF_UNIX: pairs, names, streams, datagrams, files and owners in
 * messages, poll(2) and epoll(7) on sockets, and errors.
 */
#include "tests/linux/check.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[] = "/tmp/socketsXXXXXX";
static char got[65536];

static int bits(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP};

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

/* A name in the test's folder; with `@` in front an abstract one. */
static socklen_t name_of(struct sockaddr_un *to, const char *name)
{
	memset(to, 0, sizeof(*to));
	to->sun_family = AF_UNIX;
	if (name[0] == '@') {
		memcpy(to->sun_path + 1, name + 1, strlen(name) - 1);
		return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	}
	snprintf(to->sun_path, sizeof(to->sun_path), "%s/%s", directory, name);
	return sizeof(*to);
}

static int bind_to(int fd, const char *name)
{
	struct sockaddr_un to;
	const socklen_t n = name_of(&to, name);

	return bind(fd, (struct sockaddr *)&to, n);
}

static int connect_to(int fd, const char *name)
{
	struct sockaddr_un to;
	const socklen_t n = name_of(&to, name);

	return connect(fd, (struct sockaddr *)&to, n);
}

static int listener(int type, const char *name, int backlog)
{
	const int fd = socket(AF_UNIX, type, 0);

	check(fd >= 0);
	check(!bind_to(fd, name));
	check(!listen(fd, backlog));
	return fd;
}

static void close_both(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static void pairs(void)
{
	struct stat st;
	char path[64], link[64] = {0};
	int fds[2], n;

	check(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	check(fcntl(fds[0], F_GETFD) == FD_CLOEXEC);
	check(!fstat(fds[0], &st) && S_ISSOCK(st.st_mode));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	check(readlink(path, link, sizeof(link) - 1) > 0 && !strncmp(link, "socket:[", 8));
	check(bits(fds[0]) == POLLOUT);
	check(write(fds[0], "hello", 5) == 5);
	check(bits(fds[1]) == (POLLIN | POLLOUT));
	check(!ioctl(fds[1], FIONREAD, &n) && n == 5);
	check(recv(fds[1], got, 3, MSG_PEEK) == 3 && !memcmp(got, "hel", 3));
	check(read(fds[1], got, 2) == 2 && read(fds[1], got + 2, 9) == 3);
	check(!memcmp(got, "hello", 5));
	check_error(recv(fds[1], got, 1, MSG_DONTWAIT), EAGAIN);
	check(!fcntl(fds[1], F_SETFL, O_NONBLOCK));
	check_error(read(fds[1], got, 1), EAGAIN);
	check(read(fds[1], got, 0) == 0);
	check_error(lseek(fds[0], 0, SEEK_SET), ESPIPE);
	check_error(pread(fds[0], got, 1, 0), ESPIPE);
	check_error(write(fds[0], (void *)nowhere, 5), EFAULT);
	check(write(fds[0], "again", 5) == 5);
	check_error(read(fds[1], (void *)nowhere, 5), EFAULT);
	check(read(fds[1], got, 9) == 5 && !memcmp(got, "again", 5));
	check_error(connect_to(fds[0], "any"), ENOENT);
	check_error(listen(fds[0], 1), EINVAL);
	check_error(accept(fds[0], NULL, NULL), EINVAL);
	close(fds[1]);
	check(bits(fds[0]) == (POLLIN | POLLOUT | POLLHUP | POLLRDHUP));
	check(read(fds[0], got, 9) == 0);
	check_error(send(fds[0], "x", 1, MSG_NOSIGNAL), EPIPE);
	close(fds[0]);
}

static void errors(void)
{
	int pipes[2], fd;

	check_error(socket(AF_UNIX, 9, 0), ESOCKTNOSUPPORT);
	check_error(socket(AF_UNIX, 77, 0), EINVAL);
	check_error(socket(AF_UNIX, SOCK_STREAM, 7), EPROTONOSUPPORT);
	check_error(socket(1000, SOCK_STREAM, 0), EAFNOSUPPORT);
	check_error(socketpair(AF_UNIX, SOCK_STREAM, 0, nowhere), EFAULT);
	check_error(bind_to(-1, "x"), EBADF);
	check(!pipe(pipes));
	check_error(bind_to(pipes[0], "x"), ENOTSOCK);
	check_error(listen(pipes[0], 1), ENOTSOCK);
	close_both(pipes);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	check_error(send(fd, "x", 1, 0), ENOTCONN);
	check_error(recv(fd, got, 1, 0), EINVAL);
	check_error(listen(fd, 1), EINVAL);
	check_error(connect_to(fd, "none"), ENOENT);
	check_error(connect_to(fd, "@none"), ECONNREFUSED);
	check_error(shutdown(fd, 7), EINVAL);
	check(bits(fd) == (POLLOUT | POLLHUP));
	close(fd);
	fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	check_error(send(fd, "x", 1, 0), ENOTCONN);
	check_error(recv(fd, got, 1, 0), ENOTCONN);
	close(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	check_error(send(fd, "x", 1, 0), ENOTCONN);
	check_error(listen(fd, 1), EOPNOTSUPP);
	check_error(accept(fd, NULL, NULL), EOPNOTSUPP);
	close(fd);
}

static void names(void)
{
	const int fd = listener(SOCK_STREAM, "stream", 1);
	int other = socket(AF_UNIX, SOCK_STREAM, 0), client, server;
	struct sockaddr_un address;
	socklen_t n = sizeof(address);
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/stream", directory);
	check(!stat(path, &st) && S_ISSOCK(st.st_mode));
	check_error(open(path, O_RDWR), ENXIO);
	check_error(bind_to(other, "stream"), EADDRINUSE);
	check_error(bind_to(fd, "twice"), EINVAL);
	check(!getsockname(fd, (struct sockaddr *)&address, &n));
	check(n == offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
	check(!strcmp(address.sun_path, path));
	check_error(getpeername(fd, (struct sockaddr *)&address, &n), ENOTCONN);
	check(!connect_to(other, "stream"));
	check_error(connect_to(other, "stream"), EISCONN);
	check(bits(fd) == POLLIN);
	n = sizeof(address);
	server = accept4(fd, (struct sockaddr *)&address, &n, SOCK_NONBLOCK);
	check(server >= 0 && n == sizeof(sa_family_t));
	check(fcntl(server, F_GETFL) == (O_RDWR | O_NONBLOCK));
	n = sizeof(address);
	check(!getpeername(other, (struct sockaddr *)&address, &n) &&
	      !strcmp(address.sun_path, path));
	check(write(other, "x", 1) == 1 && read(server, got, 9) == 1);
	check_error(sendto(other, "x", 1, 0, (struct sockaddr *)&address, n), EISCONN);
	close(server);
	close(other);
	check(!unlink(path));
	other = socket(AF_UNIX, SOCK_STREAM, 0);
	check_error(connect_to(other, "stream"), ENOENT);
	close(fd);
	check(!bind_to(other, "gone"));
	close(other);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	check_error(connect_to(client, "gone"), ECONNREFUSED);
	snprintf(path, sizeof(path), "%s/gone", directory);
	check(!unlink(path));
	check(creat(path, 0600) >= 0);
	check_error(connect_to(client, "gone"), ECONNREFUSED);
	check(!unlink(path));
	close(client);
}

static void abstract_names(void)
{
	const int fd = listener(SOCK_SEQPACKET, "@perf0 \n name", 5);
	const int client = socket(AF_UNIX, SOCK_SEQPACKET, 0),
		  wrong = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t n = sizeof(address);
	int server;

	check_error(bind_to(client, "@perf0 \n name"), EADDRINUSE);
	check_error(connect_to(wrong, "@perf0 \n name"), ECONNREFUSED);
	check(!connect_to(client, "@perf0 \n name"));
	server = accept(fd, NULL, NULL);
	check(server >= 0);
	check(send(client, "one", 3, 0) == 3 && send(client, "three", 5, 0) == 5);
	check(recv(server, got, 2, MSG_TRUNC) == 3);
	check(recv(server, got, 9, 0) == 5);
	check(!bind(wrong, (struct sockaddr *)&address, sizeof(sa_family_t)));
	check(!getsockname(wrong, (struct sockaddr *)&address, &n) && n == 8 &&
	      !address.sun_path[0]);
	close(server);
	close(fd);
	check(recv(client, got, 9, 0) == 0);
	close(client);
	close(wrong);
}

static void backlog(void)
{
	const int fd = listener(SOCK_STREAM, "@backlog", 1);
	int clients[3], server;

	for (int i = 0; i < 3; i++)
		clients[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	check(!connect_to(clients[0], "@backlog") && !connect_to(clients[1], "@backlog"));
	check_error(connect_to(clients[2], "@backlog"), EAGAIN);
	server = accept(fd, NULL, NULL);
	check(server >= 0);
	check(!connect_to(clients[2], "@backlog"));
	check(write(clients[1], "early", 5) == 5);
	close(fd);
	check(bits(clients[1]) == (POLLIN | POLLOUT | POLLHUP | POLLRDHUP | POLLERR));
	check_error(read(clients[1], got, 9), ECONNRESET);
	check(read(clients[1], got, 9) == 0);
	for (int i = 0; i < 3; i++)
		close(clients[i]);
	close(server);
}

static void datagrams(void)
{
	const int a = socket(AF_UNIX, SOCK_DGRAM, 0), b = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct sockaddr_un to, from;
	socklen_t n = name_of(&to, "@datagram a"), got_n = sizeof(from);
	struct mmsghdr many[3];
	struct iovec parts[3];
	int stream = socket(AF_UNIX, SOCK_STREAM, 0), sent = 0;

	check(!bind_to(a, "@datagram a") && !bind_to(b, "datagram b"));
	check(sendto(b, "hello", 5, 0, (struct sockaddr *)&to, n) == 5);
	check(recvfrom(a, got, 3, 0, (struct sockaddr *)&from, &got_n) == 3);
	check(strstr(from.sun_path, "/datagram b") != NULL);
	check(send(b, "", 0, 0) == -1 && errno == ENOTCONN);
	check(!connect(b, (struct sockaddr *)&to, n));
	check(send(b, "", 0, 0) == 0 && bits(a) == (POLLIN | POLLOUT));
	check(recv(a, got, 3, 0) == 0);
	while (send(b, "fill", 4, MSG_DONTWAIT) == 4)
		sent++;
	check(errno == EAGAIN && sent >= 10 && bits(b) == 0);
	check(recv(a, got, 9, 0) == 4 && bits(b) == POLLOUT);
	while (recv(a, got, 9, MSG_DONTWAIT) == 4)
		sent--;
	check(sent == 1);
	check_error(connect_to(stream, "datagram b"), EPROTOTYPE);
	check_error(sendto(a, got, 4000000, 0, (struct sockaddr *)&from, got_n), EMSGSIZE);
	for (int i = 0; i < 3; i++) {
		parts[i] = (struct iovec){got + i, 1};
		many[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
	}
	memcpy(got, "xyz", 3);
	check(sendmmsg(b, many, 3, 0) == 3 && many[2].msg_len == 1);
	memset(got, 0, 3);
	check(recvmmsg(a, many, 3, MSG_WAITFORONE, NULL) == 3 && !memcmp(got, "xyz", 3));
	check_error(recvmmsg(a, many, 3, MSG_DONTWAIT, NULL), EAGAIN);
	close(a);
	check_error(send(b, "x", 1, 0), ECONNREFUSED);
	close(b);
	close(stream);
	snprintf(got, sizeof(got), "%s/datagram b", directory);
	check(!unlink(got));
}

/* --- Files and owners --- */

union control {
	struct cmsghdr head;
	char bytes[256];
};

static long send_fds(int fd, const char *text, const int *fds, unsigned n)
{
	union control control = {0};
	struct iovec part = {(void *)text, strlen(text)};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = CMSG_SPACE(n * sizeof(int))};

	control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)),
					.cmsg_level = SOL_SOCKET,
					.cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	return sendmsg(fd, &m, 0);
}

static long receive(int fd, union control *control, size_t room, int flags, int *told)
{
	struct iovec part = {got, 100};
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = room};
	long n;

	memset(control, 0, sizeof(*control));
	n = recvmsg(fd, &m, flags);
	*told = m.msg_flags;
	return n;
}

static int fd_in(const union control *control, int i)
{
	int fd;

	memcpy(&fd, CMSG_DATA(&control->head) + i * sizeof(fd), sizeof(fd));
	return fd;
}

static void files(void)
{
	union control control;
	int fds[2], pipes[2], told, fd;

	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds) && !pipe(pipes));
	check(send_fds(fds[0], "ab", pipes, 2) == 2 && write(fds[0], "cd", 2) == 2);
	check(receive(fds[1], &control, sizeof(control), MSG_PEEK, &told) >= 2);
	check(control.head.cmsg_type == SCM_RIGHTS && control.head.cmsg_len == CMSG_LEN(8));
	close(fd_in(&control, 0));
	close(fd_in(&control, 1));
	check(receive(fds[1], &control, sizeof(control), MSG_CMSG_CLOEXEC, &told) == 2);
	check(told == MSG_CMSG_CLOEXEC && control.head.cmsg_len == CMSG_LEN(8));
	fd = fd_in(&control, 1);
	check(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	check(write(fd, "through", 7) == 7 && read(pipes[0], got, 9) == 7);
	close(fd_in(&control, 0));
	close(fd);
	check(read(fds[1], got, 9) == 2);
	check(send_fds(fds[0], "x", pipes, 2) == 1);
	check(receive(fds[1], &control, CMSG_LEN(4), 0, &told) == 1 && told & MSG_CTRUNC);
	close(fd_in(&control, 0));
	close_both(pipes);
	check(!pipe(pipes));
	check(send_fds(fds[0], "x", &pipes[1], 1) == 1);
	close(pipes[1]);
	check(bits(pipes[0]) == 0);
	check(read(fds[1], got, 9) == 1); /* the file is let go */
	check(bits(pipes[0]) == POLLHUP);
	fd = -1;
	check_error(send_fds(fds[0], "x", &fd, 1), EBADF);
	check(send_fds(fds[0], "x", &fds[0], 1) == 1);
	check(send_fds(fds[0], "x", &fds[1], 1) == 1);
	close_both(fds); /* a circle */
	close(pipes[0]);
}

static void owners(void)
{
	union control control;
	struct ucred owner;
	socklen_t n = sizeof(owner);
	int fds[2], told, on = 1;

	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	check(!getsockopt(fds[0], SOL_SOCKET, SO_PEERCRED, &owner, &n) && n == sizeof(owner));
	check(owner.pid == getpid() && owner.uid == getuid() && owner.gid == getgid());
	check(!setsockopt(fds[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)));
	if (!fork()) {
		check(write(fds[0], "child", 5) == 5);
		_exit(0);
	}
	wait(NULL);
	check(write(fds[0], "own", 3) == 3);
	check(receive(fds[1], &control, sizeof(control), 0, &told) == 5);
	check(control.head.cmsg_type == SCM_CREDENTIALS);
	memcpy(&owner, CMSG_DATA(&control.head), sizeof(owner));
	check(owner.pid > 0 && owner.pid != getpid() && owner.uid == getuid());
	check(receive(fds[1], &control, sizeof(control), 0, &told) == 3);
	memcpy(&owner, CMSG_DATA(&control.head), sizeof(owner));
	check(owner.pid == getpid());
	close_both(fds);
}

/* --- Options, waiting, ends --- */

static int option(int fd, int name)
{
	int value = -1;
	socklen_t n = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &n) ? -errno : value;
}

static void options(void)
{
	struct timeval time = {0, 20000};
	int fds[2], value = 1;

	check(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	check(option(fds[0], SO_TYPE) == SOCK_SEQPACKET && option(fds[0], SO_DOMAIN) == AF_UNIX);
	check(option(fds[0], SO_ERROR) == 0 && option(fds[0], SO_ACCEPTCONN) == 0);
	check(option(fds[0], SO_REUSEADDR) == 0);
	check(!setsockopt(fds[0], SOL_SOCKET, SO_REUSEADDR, &value, sizeof(value)));
	check(option(fds[0], SO_REUSEADDR) == 1);
	value = 20000;
	check(!setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &value, sizeof(value)));
	check(option(fds[0], SO_SNDBUF) == 40000);
	check_error(setsockopt(fds[0], SOL_SOCKET, SO_TYPE, &value, sizeof(value)), ENOPROTOOPT);
	check_error(setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &value, 2), EINVAL);
	check_error(setsockopt(fds[0], 99, SO_SNDBUF, &value, 4), EOPNOTSUPP);
	check(!setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)));
	check_error(recv(fds[0], got, 1, 0), EAGAIN);
	check_error(read(fds[0], got, 1), EAGAIN);
	close_both(fds);
}

static void shutdowns(void)
{
	int fds[2];

	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	check(write(fds[0], "last", 4) == 4 && !shutdown(fds[0], SHUT_WR));
	check_error(send(fds[0], "x", 1, MSG_NOSIGNAL), EPIPE);
	check(bits(fds[1]) == (POLLIN | POLLOUT | POLLRDHUP));
	check(read(fds[1], got, 9) == 4 && read(fds[1], got, 9) == 0);
	check(write(fds[1], "back", 4) == 4 && read(fds[0], got, 9) == 4);
	check(!shutdown(fds[1], SHUT_WR));
	check(bits(fds[0]) == (POLLIN | POLLOUT | POLLHUP | POLLRDHUP));
	close_both(fds);
}

static void edges(void)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET};
	const int epoll = epoll_create1(0);
	int fds[2];

	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	check(!epoll_ctl(epoll, EPOLL_CTL_ADD, fds[1], &event));
	check(epoll_wait(epoll, &event, 1, 0) == 0);
	check(write(fds[0], "xy", 2) == 2);
	check(epoll_wait(epoll, &event, 1, 0) == 1 && event.events == EPOLLIN);
	check(epoll_wait(epoll, &event, 1, 0) == 0);
	check(read(fds[1], got, 1) == 1);
	check(epoll_wait(epoll, &event, 1, 0) == 0);
	check(write(fds[0], "z", 1) == 1);
	check(epoll_wait(epoll, &event, 1, 0) == 1);
	check(!shutdown(fds[0], SHUT_WR));
	check(epoll_wait(epoll, &event, 1, 0) == 1 && event.events == (EPOLLIN | EPOLLRDHUP));
	close(epoll);
	close_both(fds);
}

/* More data than fits passes through in order, while a child reads it. */
static void much(void)
{
	unsigned sum = 0, wanted = 0;
	int fds[2], status;
	long n;

	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	if (!fork()) {
		close(fds[0]);
		while ((n = recv(fds[1], got, 5000, MSG_WAITALL)) > 0)
			for (long i = 0; i < n; i++)
				sum = sum * 31 + (unsigned char)got[i];
		write(fds[1], &sum, sizeof(sum));
		_exit(0);
	}
	close(fds[1]);
	for (unsigned i = 0; i < 10; i++) {
		for (unsigned j = 0; j < sizeof(got); j++)
			got[j] = (char)(i * 7 + j * 13);
		for (unsigned j = 0; j < sizeof(got); j++)
			wanted = wanted * 31 + (unsigned char)got[j];
		check(write(fds[0], got, sizeof(got)) == sizeof(got));
	}
	check(!shutdown(fds[0], SHUT_WR));
	check(read(fds[0], &sum, sizeof(sum)) == sizeof(sum) && sum == wanted);
	check(wait(&status) > 0 && !status);
	close(fds[0]);
}

/* accept(2) and connect(2) wait for each other. */
static void waits(void)
{
	const int fd = listener(SOCK_STREAM, "@waits", 0);
	int status, n = 0;

	if (!fork()) {
		for (int i = 0; i < 5; i++) {
			const int client = socket(AF_UNIX, SOCK_STREAM, 0);

			if (connect_to(client, "@waits") || write(client, "x", 1) != 1)
				_exit(1);
			close(client);
		}
		_exit(0);
	}
	for (int i = 0; i < 5; i++) {
		const int server = accept(fd, NULL, NULL);

		n += server >= 0 && read(server, got, 9) == 1;
		close(server);
	}
	check(n == 5);
	check(wait(&status) > 0 && !status);
	close(fd);
}

/* --- Users --- */

static void users(void)
{
	struct stat st;
	char path[128];
	int status, fd;

	if (getuid())
		return;
	snprintf(path, sizeof(path), "%s/owned", directory);
	if (!fork()) {
		gid_t groups[] = {7, 8};
		uid_t r, e, s;

		failed = 0;
		check(!setgroups(2, groups) && getgroups(0, NULL) == 2);
		check(!setresgid(100, 101, 102) && getegid() == 101);
		check(!setresuid(200, 201, 202));
		check(!getresuid(&r, &e, &s) && r == 200 && e == 201 && s == 202);
		check_error(setuid(0), EPERM);
		check_error(setgroups(0, NULL), EPERM);
		check(!setuid(202) && geteuid() == 202 && getuid() == 200);
		check(!setreuid(-1, 200) && geteuid() == 200);
		check_error(setresuid(1, -1, -1), EPERM);
		_exit(failed);
	}
	check(wait(&status) > 0 && !status);
	fd = creat(path, 0600);
	check(fd >= 0 && !fchown(fd, 12, 34) && !fstat(fd, &st));
	check(st.st_uid == 12 && st.st_gid == 34);
	close(fd);
	check(!unlink(path));
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	check(mkdtemp(directory) != NULL);
	pairs();
	errors();
	names();
	abstract_names();
	backlog();
	datagrams();
	files();
	owners();
	options();
	shutdowns();
	edges();
	much();
	waits();
	users();
	check(!rmdir(directory));
	return check_end();
}
