/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup.h - the file system of cgroups, version 2, at /sys/fs/cgroup: each directory is a group of
 * tasks. mkdir(2) makes one, rmdir(2) removes it, and what is written to its files moves tasks:
 * Documentation/admin-guide/cgroup-v2.rst of Linux. There are no controllers.
 *
 * A group is a number that tasks have; the root's is 0, which all have that were not moved. A
 * number is used again once its directory is gone, nothing holds that, and it is not reserved.
 */
#ifndef LINUX_TREE_CGROUP_H
#define LINUX_TREE_CGROUP_H

#include "linux/file/inode.h"

#define CGROUPS_MOST 256 /* that there can be, with the root */

/* Callbacks of the tree to the owner of tasks, called without any lock. The image sets them. */
struct cgroup_tasks {
	/* Writes the pids, or `threads`: the tids, of a group, one a line. */
	void (*list)(uint32_t group, bool threads, struct text *text);
	/* Moves process `pid`, or `thread`: that thread alone; 0: the caller's. -ESRCH. */
	int (*move)(uint32_t group, uint32_t pid, bool thread);
	/* Has the group itself any tasks? */
	bool (*any)(uint32_t group);
};
extern struct cgroup_tasks cgroup_tasks;

/* cgroup_mount() - the root of groups, below `sys`, the directory /sys; as inode_new().
 * cgroup_unmount() - takes all its names away, and the reference of the caller. */
struct inode *cgroup_mount(struct inode *sys);
void cgroup_unmount(struct inode *root);

/*
 * cgroup_reserve() - the number of the group of that path from the root of groups, "a/b", in all
 * trees that are made from now on, which have it and those above it from their start; 0: of the
 * root. The path stays the caller's, and where it is, until cgroup_release(), which ends that for
 * all of them. -EAGAIN: there are too many groups. Task context, while no program runs.
 */
int cgroup_reserve(const char *path);
void cgroup_release(void);

/* cgroup_of() - the group of a directory; -1: it is of none. Any context. */
int cgroup_of(const struct inode *inode);

/* cgroup_within() - is `group` the group `of`, or below it? Any context. */
bool cgroup_within(uint32_t group, uint32_t of);

/* cgroup_path() - from the root of groups, which is "/". Without the lock of the tree. */
void cgroup_path(uint32_t group, struct text *path);

/* cgroup_count() - the number of groups, with the root. */
unsigned cgroup_count(void);

#endif
