// SPDX-License-Identifier: BSD-2-Clause
/* socket_option.c - options of SOL_SOCKET, one row each: see socket.h. */
#include "linux/socket/socket_parts.h"

#include "lib/string.h"
#include "lib/time.h"

#include <asm/socket.h>

#define SEND_ROOM_LEAST    4608u
#define RECEIVE_ROOM_LEAST 2304u

struct option_time {
	int64_t seconds, us;
};

static int get_type(const struct socket *s)
{
	return (int)s->type;
}

static int get_domain(const struct socket *s)
{
	(void)s;
	return SOCKET_UNIX;
}

static int get_protocol(const struct socket *s)
{
	(void)s;
	return 0;
}

static int get_listens(const struct socket *s)
{
	return s->state == SOCKET_LISTENS;
}

static int get_send_room(const struct socket *s)
{
	return (int)s->send_room;
}

static int get_receive_room(const struct socket *s)
{
	return (int)s->receive_room;
}

static int get_passes_owner(const struct socket *s)
{
	return s->passes_owner;
}

/* As in Linux: twice the requested size, since half of it is for headers of packets. */
static unsigned buffer_bytes_of(int asked, unsigned least)
{
	const unsigned n =
		(unsigned)asked < SOCKET_BYTES_FIRST ? (unsigned)asked : SOCKET_BYTES_FIRST;

	return 2 * n > least ? 2 * n : least;
}

static void set_send_room(struct socket *s, int value)
{
	s->send_room = buffer_bytes_of(value, SEND_ROOM_LEAST);
	wait_wake(&s->queue);
}

static void set_receive_room(struct socket *s, int value)
{
	s->receive_room = buffer_bytes_of(value, RECEIVE_ROOM_LEAST);
}

static void set_passes_owner(struct socket *s, int value)
{
	s->passes_owner = value;
}

static const struct option_row {
	unsigned option;
	int (*get)(const struct socket *s);
	void (*set)(struct socket *s, int value);
} rows[] = {
	{SO_TYPE, get_type, NULL},
	{SO_DOMAIN, get_domain, NULL},
	{SO_PROTOCOL, get_protocol, NULL},
	{SO_ACCEPTCONN, get_listens, NULL},
	{SO_SNDBUF, get_send_room, set_send_room},
	{SO_RCVBUF, get_receive_room, set_receive_room},
	{SO_PASSCRED, get_passes_owner, set_passes_owner},
};

static const struct option_row *find_option(unsigned option)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].option == option)
			return &rows[i];
	return NULL;
}

/* Flags for networks only: Linux stores them on an AF_UNIX socket, too. */
static const uint8_t kept[] = {SO_DEBUG,     SO_REUSEADDR, SO_DONTROUTE, SO_BROADCAST,
			       SO_KEEPALIVE, SO_OOBINLINE, SO_REUSEPORT};

static unsigned kept_bit(unsigned option)
{
	for (unsigned i = 0; i < sizeof(kept); i++)
		if (kept[i] == option)
			return 1u << i;
	return 0;
}

static int put_value(const void *from, unsigned n, void *value, unsigned *bytes)
{
	*bytes = n < *bytes ? n : *bytes;
	memcpy(value, from, *bytes);
	return 0;
}

static int take_error(struct socket *s, void *value, unsigned *bytes)
{
	const int error = s->error;

	s->error = 0;
	return put_value(&error, sizeof(error), value, bytes);
}

static int get_owner(const struct socket *s, void *value, unsigned *bytes)
{
	static const struct host_owner nobody = {0, UINT32_MAX, UINT32_MAX};
	const bool known = s->peer_owner.pid;

	return put_value(known ? &s->peer_owner : &nobody, sizeof(nobody), value, bytes);
}

static int get_patience(const struct socket *s, bool sends, void *value, unsigned *bytes)
{
	const uint64_t ns = s->patience[sends];
	const struct option_time time = {(int64_t)(ns / NSEC_PER_SEC),
					 (int64_t)(ns % NSEC_PER_SEC / 1000)};

	return put_value(&time, sizeof(time), value, bytes);
}

static int get_locked(struct socket *s, unsigned option, void *value, unsigned *bytes)
{
	const struct option_row *row = find_option(option);
	const unsigned bit = kept_bit(option);
	int n;

	if (option == SO_ERROR)
		return take_error(s, value, bytes);
	if (option == SO_PEERCRED)
		return get_owner(s, value, bytes);
	if (option == SO_RCVTIMEO_OLD || option == SO_SNDTIMEO_OLD)
		return get_patience(s, option == SO_SNDTIMEO_OLD, value, bytes);
	if (!row && !bit)
		return -ENOPROTOOPT;
	n = row ? row->get(s) : (s->kept & bit) != 0;
	return put_value(&n, sizeof(n), value, bytes);
}

int socket_get_option(struct socket *s, unsigned option, void *value, unsigned *bytes)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = get_locked(s, option, value, bytes);

	unlocked(&socket_lock, flags);
	return error;
}

static int set_patience(struct socket *s, bool sends, const struct option_time *time,
			unsigned bytes)
{
	if (bytes < sizeof(*time))
		return -EINVAL;
	if (time->us < 0 || time->us >= 1000000)
		return -EDOM;
	if (time->seconds < 0)
		s->patience[sends] = 1;
	else if (time->seconds >= INT64_MAX / (int64_t)NSEC_PER_SEC)
		s->patience[sends] = 0;
	else
		s->patience[sends] =
			(uint64_t)time->seconds * NSEC_PER_SEC + (uint64_t)time->us * 1000;
	return 0;
}

static int set_locked(struct socket *s, unsigned option, const void *value, unsigned bytes)
{
	const struct option_row *row = find_option(option);
	const unsigned bit = kept_bit(option);
	int n;

	if (bytes < sizeof(n))
		return -EINVAL;
	if (option == SO_RCVTIMEO_OLD || option == SO_SNDTIMEO_OLD)
		return set_patience(s, option == SO_SNDTIMEO_OLD, value, bytes);
	if (!bit && (!row || !row->set))
		return -ENOPROTOOPT;
	memcpy(&n, value, sizeof(n));
	if (row)
		row->set(s, n);
	else
		s->kept = n ? s->kept | bit : s->kept & ~bit;
	return 0;
}

int socket_set_option(struct socket *s, unsigned option, const void *value, unsigned bytes)
{
	const uint64_t flags = locked(&socket_lock);
	const int error = set_locked(s, option, value, bytes);

	unlocked(&socket_lock, flags);
	return error;
}

bool socket_passes_owner(const struct socket *s)
{
	return s->passes_owner;
}

uint64_t socket_patience(const struct socket *s, bool sends)
{
	return s->patience[sends];
}

bool socket_is_stream(const struct socket *s)
{
	return s->type == SOCKET_STREAM;
}

bool socket_is_datagram(const struct socket *s)
{
	return s->type == SOCKET_DATAGRAM;
}

unsigned socket_type(const struct socket *s)
{
	return s->type;
}
