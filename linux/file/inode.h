/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inode.h - the objects that names of the tree and open files refer to: regular files,
 * directories, symbolic links, pipes, devices, and files whose content is made when they are
 * read. An inode lives as long as it has references: from each name, each open file, each path
 * walk that is at it. A directory is held by the directories in it, so that they have a `..` for
 * as long as they live. One lock guards names, directories, content and attributes of all inodes
 * (locked.h has the order of locks). It is held for a bounded number of instructions at a time.
 */
#ifndef LINUX_FILE_INODE_H
#define LINUX_FILE_INODE_H

#include <asm/stat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/file/content.h"
#include "linux/file/directory.h"

/* Modes, as S_IFMT and its kin of <linux/stat.h>, which libc's headers hide. */
#define MODE_TYPE      0170000u
#define MODE_FIFO      0010000u
#define MODE_CHARACTER 0020000u
#define MODE_DIRECTORY 0040000u
#define MODE_REGULAR   0100000u
#define MODE_LINK      0120000u
#define MODE_SOCKET    0140000u
#define MODE_SET_GID   0002000u
#define MODE_STICKY    0001000u
#define MODE_BITS      07777u /* those that chmod(2) sets */

#define NAME_BYTES_MOST 255u  /* of one name */
#define PATH_BYTES_MOST 4096u /* of a path, with its end */

/* st_dev: the part of the tree that an inode is in. A rename or link does not cross parts. */
enum inode_device {
	DEVICE_ROOT = 1,
	DEVICE_DEV,
	DEVICE_PROC,
	DEVICE_SYS,
	DEVICE_CGROUP,
	DEVICE_PIPES,     /* of pipe(2) */
	DEVICE_SOCKETS,   /* of socket(2) */
	DEVICE_ANONYMOUS, /* of eventfd(2) and its kin, memfd_create(2) */
};

struct file;
struct inode;
struct text;
struct listed;
struct pipe;
struct record_lock;
struct socket;

/* The operations of a kind of inode. They are called without the lock of the tree, except
 * `destroy`, when nothing else can reach the inode. NULL: the kind lacks the operation. */
struct inode_ops {
	/* Directory: finds the child of that name, with a reference, or NULL. -ENOMEM. */
	int (*lookup)(struct inode *dir, const char *name, unsigned length, struct inode **child);
	/* Directory: gets the next name behind `*cookie`, and its cookie. 1: `listed` is filled;
	 * 0: the end. */
	int (*next)(struct inode *dir, uint64_t *cookie, struct listed *listed);
	/* Gets the inode of `..`, with a reference; NULL: no memory. Without this function the
	 * tree looks the name up. */
	struct inode *(*parent)(struct inode *dir);
	/* Directory: makes and removes directories in its own way. */
	int (*mkdir)(struct inode *dir, const char *name, unsigned length);
	int (*rmdir)(struct inode *dir, const char *name, unsigned length);
	/* Link: writes its target. */
	int (*readlink)(struct inode *link, struct text *to);
	/* Link of /proc to an object rather than to a path: gets that inode, with a reference. */
	int (*jump)(struct inode *link, struct inode **to);
	/* Writes its path from the root of the tree, if its names do not give one. */
	void (*path)(struct inode *inode, struct text *path);
	/* Opens a file: sets its operations and private data. */
	int (*open)(struct file *f);
	/* The last reference is gone. */
	void (*destroy)(struct inode *inode);
};

/* The row of the table of synthetic files, and the values of the words in its path: synth.h. */
#define SYNTH_IDS 3
struct synth_writer;
struct synth_node {
	const struct synth_writer *writer; /* the row's; a file of a cgroup has no row */
	unsigned row, depth; /* a row with this path, and the number of the path's parts */
	uint64_t id[SYNTH_IDS];
	struct inode *mount; /* /proc or /sys, with a reference; NULL: this is the mount itself */
};

struct device;

struct inode {
	const struct inode_ops *ops;
	unsigned refs;
	uint32_t mode, links;
	uint32_t uid, gid; /* of the program that made it */
	enum inode_device device;
	uint32_t rdev; /* of a character device */
	uint64_t number;
	uint64_t size;
	uint64_t accessed, modified, changed; /* nanoseconds of HOST_REALTIME */
	struct entry *names;                  /* list of its names; or the last name that it had */
	bool is_nameable;                     /* made by O_TMPFILE: it may still get a name */
	struct inode *doomed;                 /* tree_destroy()'s list */
	struct record_lock *locks;
	struct inode
		*mounted; /* in /sys: the root of cgroups, with a reference; in that root: /sys */
	uint32_t group;   /* number of its cgroup: cgroup.h */
	union {
		struct {
			struct content content;
			unsigned seals;         /* F_SEAL_ bits of <linux/fcntl.h> */
			unsigned maps;          /* number of mappings */
			unsigned writable_maps; /* number of shared mappings that may be written to
						 */
		};
		struct directory dir;
		char *target; /* of a link */
		struct pipe *pipe;
		struct synth_node synth;
		const struct device *device_row;
		struct socket *socket; /* the socket bound to it, with the lock of sockets */
	};
};

uint64_t tree_lock(void);
void tree_unlock(uint64_t flags);

/* inode_new() - an inode without a name, with one reference, and the current time as its times;
 * NULL: no memory. Some kinds have a function of their own, such as directory_new(). */
struct inode *inode_new(const struct inode_ops *ops, uint32_t mode, enum inode_device device);

struct inode *inode_get(struct inode *inode);
void inode_put(struct inode *inode); /* NULL: nothing. Without any lock */

/* inode_numbers_begin() - restarts the numbers of new inodes, so that each run has the same
 * ones. */
void inode_numbers_begin(void);

static inline uint32_t inode_type(const struct inode *inode)
{
	return inode->mode & MODE_TYPE;
}
static inline bool inode_is_directory(const struct inode *inode)
{
	return inode_type(inode) == MODE_DIRECTORY;
}

/* inode_has_content() - is it a regular file with pages? Files of /proc, /sys and cgroups have no
 * pages. */
static inline bool inode_has_content(const struct inode *inode)
{
	return inode_type(inode) == MODE_REGULAR && inode->device != DEVICE_PROC &&
	       inode->device != DEVICE_SYS && inode->device != DEVICE_CGROUP;
}

/* inode_stat() - as fstat(2). */
void inode_stat(struct inode *inode, struct stat *out);

/* inode_touch() - sets the times of `times` to now. Without the lock. */
enum inode_times { TIME_ACCESS = 1, TIME_MODIFY = 2, TIME_CHANGE = 4 };
void inode_touch(struct inode *inode, unsigned times);

/* inode_chmod() - sets the mode; -EPERM: a file whose content is made when it is read. */
int inode_chmod(struct inode *inode, uint32_t mode);
/* inode_chown() - UINT32_MAX leaves that id unchanged. inode_set_times() - sets the times of
 * `times` to nanoseconds of HOST_REALTIME. */
void inode_chown(struct inode *inode, uint32_t uid, uint32_t gid);
void inode_set_times(struct inode *inode, unsigned times, uint64_t accessed, uint64_t modified);

/* inode_parent() - the parent of a directory, with a reference; the root is its own parent. NULL:
 * no memory. */
struct inode *inode_parent(struct inode *dir);

/* symlink_new(), directory_new() - as inode_new(). */
struct inode *symlink_new(const char *target);
struct inode *directory_new(uint32_t mode, enum inode_device device);

#endif
