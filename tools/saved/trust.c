// SPDX-License-Identifier: BSD-2-Clause
/* trust.c - see trust.h. libsodium computes BLAKE2b and Poly1305. */
#include "tools/saved/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/saved/state_path.h"

#define KEY_FILE      "cache.key"
#define KEY_CHARS_MIN 16
#define OTHERS_WRITE  (S_IWGRP | S_IWOTH)
#define OTHERS_AT_ALL (S_IRWXG | S_IRWXO)

/* --- Owner and mode --- */

static int check_stat(const struct stat *st, const char *path, mode_t kind, mode_t forbidden,
		      struct reason *why)
{
	if ((st->st_mode & S_IFMT) != kind)
		return refuse(why, EPERM, "%s is no %s; remove it", path,
			      kind == S_IFDIR ? "folder" : "regular file");
	if (st->st_uid != geteuid())
		return refuse(why, EPERM, "%s belongs to user %u, not to user %u", path,
			      (unsigned)st->st_uid, (unsigned)geteuid());
	if (st->st_mode & forbidden)
		return refuse(why, EPERM,
			      "%s has mode %04o, so that others may change it; `chmod %s`", path,
			      (unsigned)(st->st_mode & 07777),
			      forbidden == OTHERS_AT_ALL ? "go-rwx" : "go-w");
	return 0;
}

static int check_open_file(int fd, const char *path, mode_t kind, mode_t forbidden,
			   struct reason *why)
{
	struct stat st;

	if (fstat(fd, &st))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	return check_stat(&st, path, kind, forbidden, why);
}

int trust_check(int fd, const char *path, mode_t kind, struct reason *why)
{
	return check_open_file(fd, path, kind, OTHERS_WRITE, why);
}

/* --- Sums --- */

void trust_sum(struct trust_mac *mac, const struct trust_key *key, const void *bytes, size_t n)
{
	crypto_generichash(mac->bytes, sizeof(mac->bytes), bytes, n, key->bytes,
			   sizeof(key->bytes));
}

bool trust_is_same(const struct trust_mac *a, const struct trust_mac *b)
{
	return !sodium_memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

#define NONCE_BYTES (TRUST_BYTES - crypto_onetimeauth_BYTES)

/* Poly1305 is secure if a key serves for one message. So each nonce has a key of its own. */
static void find_key_of_nonce(uint8_t one[crypto_onetimeauth_KEYBYTES], const struct trust_key *key,
			      const struct trust_mac *mac)
{
	static const char purpose[] = "perf0 state";
	uint8_t text[sizeof(purpose) + NONCE_BYTES];

	memcpy(text, purpose, sizeof(purpose));
	memcpy(text + sizeof(purpose), mac->bytes, NONCE_BYTES);
	crypto_generichash(one, crypto_onetimeauth_KEYBYTES, text, sizeof(text), key->bytes,
			   sizeof(key->bytes));
}

int trust_sign(struct trust_mac *mac, const struct trust_key *key, const void *bytes, size_t n)
{
	uint8_t one[crypto_onetimeauth_KEYBYTES];

	if (getrandom(mac->bytes, NONCE_BYTES, 0) != (ssize_t)NONCE_BYTES)
		return -EIO;
	find_key_of_nonce(one, key, mac);
	crypto_onetimeauth(mac->bytes + NONCE_BYTES, bytes, n, one);
	return 0;
}

bool trust_is_signed(const struct trust_mac *mac, const struct trust_key *key, const void *bytes,
		     size_t n)
{
	uint8_t one[crypto_onetimeauth_KEYBYTES];

	find_key_of_nonce(one, key, mac);
	return !crypto_onetimeauth_verify(mac->bytes + NONCE_BYTES, bytes, n, one);
}

/* --- The key --- */

static int key_of_text(struct trust_key *key, const char *text, struct reason *why)
{
	const size_t n = strlen(text);

	if (n < KEY_CHARS_MIN)
		return refuse(why, EINVAL, TRUST_KEY_VARIABLE " has %zu characters; %d are needed",
			      n, KEY_CHARS_MIN);
	crypto_generichash(key->bytes, sizeof(key->bytes), (const void *)text, n, NULL, 0);
	return 0;
}

static int read_key(struct trust_key *key, const char *path, struct reason *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), err;

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	err = check_open_file(fd, path, S_IFREG, OTHERS_AT_ALL, why);
	if (!err && read(fd, key->bytes, sizeof(key->bytes)) != sizeof(key->bytes))
		err = refuse(why, EBADMSG, "%s is cut off; remove it", path);
	close(fd);
	return err;
}

/* Gives the complete file its name. Another run may have taken the name first. */
static int name_key(int fd, const char *path, struct reason *why)
{
	char from[PATH_MAX];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) && errno != EEXIST)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int make_key(const char *path, struct reason *why)
{
	uint8_t bytes[TRUST_BYTES];
	char folder[PATH_MAX];
	int fd, err;

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return refuse(why, errno, "%s: %s", folder, strerror(errno));
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes) ||
	    write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		err = refuse(why, EIO, "%s cannot be written: %s", path, strerror(errno));
	else
		err = name_key(fd, path, why);
	close(fd);
	return err;
}

static int key_of_user(struct trust_key *key, struct reason *why)
{
	char path[PATH_MAX];
	struct reason where;
	int err = state_path(path, KEY_FILE, &where);

	if (err)
		return refuse(why, -err, "no place for the key of saved machines: %s", where.text);
	err = read_key(key, path, why);
	if (err != -ENOENT)
		return err;
	err = make_key(path, why);
	return err ? err : read_key(key, path, why);
}

int trust_find_key(struct trust_key *key, struct reason *why)
{
	const char *text = getenv(TRUST_KEY_VARIABLE);

	if (sodium_init() < 0)
		return refuse(why, EIO, "libsodium does not start");
	return text && *text ? key_of_text(key, text, why) : key_of_user(key, why);
}
