/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trust.h - decides which saved machines are trusted. QEMU's reader of a saved state is not made
 * for hostile input, so a state is loaded only if two conditions hold:
 *
 *   owner   folder and file belong to the user of this process, no other user may write to them,
 *           and the last part of each path is no link. The file is a regular file
 *   MAC     the file has MACs of all its bytes. The key is in a file of the user with mode 0600, or
 *           in the environment, where CI keeps its secrets
 *
 * The MAC matters where the owner proves nothing: a CI job restores a cache of another job.
 *
 *   PERF0_CACHE_KEY                         16 characters at least
 *   $XDG_STATE_HOME/perf0/cache.key         32 random bytes, made on first use
 */
#ifndef TOOLS_SAVED_TRUST_H
#define TOOLS_SAVED_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/reason.h"

#define TRUST_KEY_VARIABLE "PERF0_CACHE_KEY"
#define TRUST_BYTES        32 /* length of a key, and of a MAC */

struct trust_key {
	uint8_t bytes[TRUST_BYTES];
};

struct trust_mac {
	uint8_t bytes[TRUST_BYTES];
};

/*
 * trust_check() - checks whether the file or folder open as `fd` can be trusted. `kind` is S_IFDIR
 * or S_IFREG; the reason names `path`. -EPERM with the reason, which includes a remedy.
 */
int trust_check(int fd, const char *path, mode_t kind, struct reason *why);

/*
 * trust_find_key() - finds the key of this user or job; makes the user's key if there is none. -E
 * with the reason.
 */
int trust_find_key(struct trust_key *key, struct reason *why);

/*
 * trust_sum() - computes the MAC of a few bytes, keyed BLAKE2b. trust_is_same() - compares in
 * constant time.
 */
void trust_sum(struct trust_mac *mac, const struct trust_key *key, const void *bytes, size_t n);
bool trust_is_same(const struct trust_mac *a, const struct trust_mac *b);

/*
 * trust_sign() - makes a MAC of many bytes, four times as fast: a nonce, and the bytes' Poly1305 by
 * a key of the nonce (RFC 8439, "The Poly1305 Algorithm"). -EIO: there are no random numbers.
 * trust_is_signed() - returns whether the MAC is that of the bytes.
 */
int trust_sign(struct trust_mac *mac, const struct trust_key *key, const void *bytes, size_t n);
bool trust_is_signed(const struct trust_mac *mac, const struct trust_key *key, const void *bytes,
		     size_t n);

#endif
