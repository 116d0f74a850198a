/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * directory.h - names in a directory. They are found by a hash, and listed in the order of their
 * arrival. Each has its own constant cookie, so adding or removing a name while a program reads
 * the directory moves no other name. The caller has the lock of the tree, but for entry_new().
 */
#ifndef LINUX_FILE_DIRECTORY_H
#define LINUX_FILE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

struct inode;

/*
 * A name. While it is in a directory it has a reference to its inode. The last name of an inode
 * stays when it is removed: it is dead, and lives as long as the inode. So a file that is still
 * open has a path, and a removed working directory has `..`. The inode then owns the name, and the
 * name has a reference to the directory.
 */
struct entry {
	struct entry *hash_next, *next_name; /* of its bucket; of its inode */
	struct inode *inode, *parent;
	uint64_t cookie;
	uint32_t hash;
	bool is_dead;
	uint8_t length;
	char name[]; /* not terminated */
};

struct directory_place {
	uint64_t cookie;
	struct entry *entry; /* NULL: removed */
};

struct directory {
	struct entry **bucket; /* `nbuckets` of them, a power of two, or none */
	unsigned nbuckets, nentries;
	struct directory_place *place; /* by cookie */
	unsigned nplaces, room;
	uint64_t last_cookie;
};

/* Cookies of "." and "..", before those of names. */
#define COOKIE_SELF   1
#define COOKIE_PARENT 2

/* entry_new() - a name without an inode; NULL: no memory. */
struct entry *entry_new(const char *name, unsigned length);

/* directory_find() - returns the entry of that name; NULL: none. */
struct entry *directory_find(const struct inode *dir, const char *name, unsigned length);

/* directory_reserve() - makes room for one more name: the next directory_add() cannot fail.
 * -ENOMEM. */
int directory_reserve(struct inode *dir);

/* directory_add() - adds `entry`, whose name is new here, for `inode`, whose reference it takes
 * over. */
void directory_add(struct inode *dir, struct entry *entry, struct inode *inode);

/* directory_count_link() - `inode` got (1) or lost (-1) a name in `dir`. The links of a directory
 * are its name, its `.`, and the `..` of each directory in it. */
void directory_count_link(struct inode *dir, struct inode *inode, int by);

/* directory_enter() - adds the new name `entry` to `dir`, counts the link, and takes over the
 * reference to `inode`. -ENOENT: `dir` itself was removed; -EEXIST; -ENOMEM. */
int directory_enter(struct inode *dir, struct entry *entry, struct inode *inode);

/*
 * directory_remove() - removes the name. The caller gets the name's reference to its inode; the
 * memory of the entry is freed, or kept by the inode. `dir` keeps a reference in the latter
 * case.
 */
void directory_remove(struct inode *dir, struct entry *entry);

/* entry_exchange() - exchanges the inodes of two names. */
void entry_exchange(struct entry *a, struct entry *b);

/* directory_after() - the first name behind `cookie`; NULL: none. */
struct entry *directory_after(const struct inode *dir, uint64_t cookie);

/* directory_parent() - the parent of a directory; the root is its own parent. */
struct inode *directory_parent(struct inode *dir);

/*
 * For kinds of directories that keep their names in a struct directory, and have rules of their
 * own. directory_init() - no names yet. directory_lookup(), directory_next() - as in struct
 * inode_ops; they take the lock. directory_free() - frees the memory of a directory without names.
 */
struct listed;
void directory_init(struct inode *dir);
int directory_lookup(struct inode *dir, const char *name, unsigned length, struct inode **child);
int directory_next(struct inode *dir, uint64_t *cookie, struct listed *listed);
void directory_free(struct inode *dir);

/* directory_is_real() - can names be added to the directory? /proc and /sys have only their
 * fixed names. */
bool directory_is_real(const struct inode *inode);

#endif
