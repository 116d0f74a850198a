/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup.h - the file system of cgroups, version 2, at /sys/fs/cgroup. Each directory is a group of
 * tasks: mkdir(2) makes one, rmdir(2) removes it, and a write to its files moves tasks
 * (Documentation/admin-guide/cgroup-v2.rst of Linux). There are no controllers.
 *
 * Each task has the number of its group; 0 is the root, where tasks begin. A number is free again
 * once its directory is removed, nothing holds that, and the number is not reserved.
 */
#ifndef LINUX_TREE_CGROUP_H
#define LINUX_TREE_CGROUP_H

#include "linux/file/inode.h"

#define CGROUPS_MOST 256 /* maximum number of groups, with the root */

/* Callbacks of the tree to the owner of tasks, called without any lock. The image sets them. */
struct cgroup_tasks {
	/* Writes the pids of a group, or with `threads` the tids, one per line. */
	void (*list)(uint32_t group, bool threads, struct text *text);
	/* Moves process `pid`, or with `thread` only the thread of that id; 0: the caller's.
	 * -ESRCH. */
	int (*move)(uint32_t group, uint32_t pid, bool thread);
	/* Has the group itself, without groups below it, any tasks? */
	bool (*any)(uint32_t group);
};
extern struct cgroup_tasks cgroup_tasks;

/* cgroup_mount() - makes the root of groups below `sys`, the directory /sys; as inode_new().
 * cgroup_unmount() - removes all names of the root, and drops the caller's reference. */
struct inode *cgroup_mount(struct inode *sys);
void cgroup_unmount(struct inode *root);

/*
 * cgroup_reserve() - reserves a number for the group with that path from the root of groups, such
 * as "a/b"; 0: the root. Every tree that is made later has this group and those above it from its
 * start. `path` stays the caller's, and unchanged, until cgroup_release(), which ends all
 * reservations. -EAGAIN: there are too many groups. Task context, while no program runs.
 */
int cgroup_reserve(const char *path);
void cgroup_release(void);

/* cgroup_of() - the group of a directory; -1: it is no group's. Any context. */
int cgroup_of(const struct inode *inode);

/* cgroup_within() - is `group` the group `of`, or one below it? Any context. */
bool cgroup_within(uint32_t group, uint32_t of);

/* cgroup_path() - writes the path from the root of groups, which is "/". Without the lock of the
 * tree. */
void cgroup_path(uint32_t group, struct text *path);

/* cgroup_count() - the number of groups, with the root. */
unsigned cgroup_count(void);

#endif
