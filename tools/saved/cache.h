/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - the cache of saved machines and firmwares. Each is a file, whose key names all that its
 * state depends on.
 *
 *   $XDG_CACHE_HOME/perf0/ (default: ~/.cache/perf0/)   folder
 *   PERF0_CACHE_SIZE   1G    most bytes of all files; 0: no machine is saved or restored
 *
 *   byte 0     struct cache_header
 *              key    text: one line for people, then all that the state depends on
 *              said   the machine's output on its serial line until then
 *   page       state  as QEMU writes and reads it, and the machine's memories behind it (pages.h)
 *
 * trust.h says which files are trusted. A file is written without a name, and gets its name when it
 * is complete. So no reader sees an incomplete file, and a killed writer leaves none behind. If two
 * runs save the same machine, the later one finds the name taken. If all files together exceed the
 * limit, the least recently used ones are removed; an open file remains readable.
 */
#ifndef TOOLS_SAVED_CACHE_H
#define TOOLS_SAVED_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "lib/reason.h"
#include "tools/saved/trust.h"
#include "tools/util/buf.h"

#define CACHE_SIZE_VARIABLE "PERF0_CACHE_SIZE"
#define CACHE_SIZE_DEFAULT  (UINT64_C(1) << 30)

/* An open file of the cache. */
struct cache_file {
	int fd;            /* -1: none */
	uint64_t state_at; /* bytes from the start of the file, a multiple of the page size */
	uint64_t state_bytes;
	struct trust_mac state_mac;
	struct trust_key trust;
	struct buf said;
	const void *state; /* what cache_read() returned; NULL: nothing yet */
};

/*
 * cache_has_room() - returns whether a file of `bytes` bytes has room for `more` bytes of output.
 */
bool cache_has_room(size_t bytes, size_t more);

/*
 * cache_open() - opens the machine of that key, with its fd at the state, and marks it as used.
 * Errors, with the reason. -ENOENT: it does not exist, or may not be used. -EPERM: other users may
 * change folder or file. -EBADMSG: the file is damaged or has a MAC by another key, and was
 * removed.
 */
int cache_open(struct cache_file *file, const char *key, struct reason *why);

/*
 * cache_read() - returns the state, `state_bytes` bytes up to cache_close(); NULL: its MAC is
 * wrong. No other reader may see the state before.
 */
const void *cache_read(struct cache_file *file);

/* cache_remove() - removes the machine of that key. */
void cache_remove(const char *key);

/*
 * cache_check() - returns 0 if a machine could be saved, or -E with the reason. Makes the folder.
 * cache_is_wanted() - returns whether the user wants machines to be saved.
 */
int cache_check(struct reason *why);
bool cache_is_wanted(void);

/*
 * cache_create() - creates a file for the machine of that key and its output `said`, with its fd at
 * the place of the state. cache_keep() - ends the state at the fd's position and puts the file into
 * the cache, or drops it with the reason. cache_close() - may be called at any time.
 */
int cache_create(struct cache_file *file, const char *key, const struct buf *said,
		 struct reason *why);
int cache_keep(struct cache_file *file, const char *key, struct reason *why);
void cache_close(struct cache_file *file);

/* cache_key() - writes the short form of `key`: the file's name without the suffix. */
#define CACHE_KEY_MAX 17
void cache_key(char out[CACHE_KEY_MAX], const char *key);

/* A file of the cache, as `cache list` shows it. */
struct cache_entry {
	char name[NAME_MAX + 1];
	char title[128];      /* the key's first line; "" if the file is not trusted */
	uint64_t bytes;       /* on the disk */
	struct timespec used; /* last use */
};

struct cache_entries {
	struct cache_entry *entry; /* by last use, the oldest first */
	size_t n;
	uint64_t bytes; /* of all entries */
};

/*
 * cache_list() - lists the cache; an absent folder is an empty one. cache_clean() - removes all
 * machines, and lists them in `entries`. The caller frees entries->entry of both.
 */
int cache_list(struct cache_entries *entries, struct reason *why);
int cache_clean(struct cache_entries *entries, struct reason *why);

/*
 * cache_folder() - writes the path of the folder. -ENOENT with the reason: no variable names a
 * home. cache_limit() - stores the limit in PERF0_CACHE_SIZE. -EINVAL with the reason: it is no
 * size.
 */
int cache_folder(char folder[PATH_MAX], struct reason *why);
int cache_limit(uint64_t *bytes, struct reason *why);

#endif
