// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_socket.c - sockets of AF_UNIX: pairs, names, streams, datagrams, files and owners in
 * messages, what poll(2) and epoll(7) tell of them, and the errors.
 */
#include "check.h"

#include <fcntl.h>
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

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	check(mkdtemp(directory) != NULL);
	pairs();
	errors();
	names();
	abstract_names();
	backlog();
	check(!rmdir(directory));
	return check_end();
}
