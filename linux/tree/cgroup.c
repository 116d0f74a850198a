// SPDX-License-Identifier: BSD-2-Clause
/*
 * cgroup.c - see cgroup.h. A group's directory has its files and its child groups as names, as
 * any directory; but only mkdir(2) and rmdir(2) change these names. The table of numbers is
 * under the lock of the tree; parents and ids are also read without it while the group is held.
 */
#include "linux/tree/cgroup.h"

#include "lib/string.h"
#include "lib/words/cgroups.h"
#include "linux/file/readdir.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"
#include "linux/tree/synth.h"

#include <linux/errno.h>

#define ROOT_PATH "/sys/fs/cgroup"

struct cgroup_tasks cgroup_tasks;

static struct {
	unsigned holders; /* directories and child groups, and 1 if reserved; 0: the number is free
			   */
	uint32_t parent;
	struct inode *dir; /* no reference; NULL: it was removed */
} groups[CGROUPS_MOST];

/* Groups that each new tree has, parents first. */
static struct {
	uint32_t group;
	const char *name; /* name of its directory; owned by the caller */
	unsigned length;
} reserved[CGROUPS_MOST];
static unsigned nreserved;

/* --- Numbers --- */

/* Number 0, of the root, is never free. */
static void hold_number(uint32_t group)
{
	if (group)
		__atomic_add_fetch(&groups[group].holders, 1, __ATOMIC_RELAXED);
}

static void put_number(uint32_t group)
{
	while (group) {
		const uint32_t parent = groups[group].parent;

		if (__atomic_sub_fetch(&groups[group].holders, 1, __ATOMIC_ACQ_REL))
			return;
		group = parent;
	}
}

static bool is_free(uint32_t group)
{
	return !__atomic_load_n(&groups[group].holders, __ATOMIC_ACQUIRE);
}

/* Takes a number with one holder, the caller; it holds its parent. 0: none is left. */
static uint32_t take_number(uint32_t parent)
{
	const uint64_t flags = tree_lock();
	uint32_t n = 1;

	while (n < CGROUPS_MOST && !is_free(n))
		n++;
	if (n < CGROUPS_MOST) {
		groups[n].holders = 1;
		groups[n].parent = parent;
		hold_number(parent);
	}
	tree_unlock(flags);
	return n < CGROUPS_MOST ? n : 0;
}

bool cgroup_within(uint32_t group, uint32_t of)
{
	while (group && group != of)
		group = groups[group].parent;
	return group == of;
}

unsigned cgroup_count(void)
{
	unsigned n = 1;

	for (unsigned i = 1; i < CGROUPS_MOST; i++)
		n += !is_free(i);
	return n;
}

/* Counts child groups, with the lock: those with a directory (`live`), or those that are only
 * held. */
static unsigned count_below(uint32_t group, bool live)
{
	unsigned n = 0;

	for (uint32_t i = 1; i < CGROUPS_MOST; i++)
		n += !is_free(i) && !groups[i].dir == !live && i != group &&
		     cgroup_within(i, group);
	return n;
}

static bool has_tasks(uint32_t group)
{
	for (uint32_t i = 0; i < CGROUPS_MOST; i++)
		if ((!is_free(i) || i == 0) && cgroup_within(i, group) && cgroup_tasks.any &&
		    cgroup_tasks.any(i))
			return true;
	return false;
}

/* --- Files --- */

static int write_procs(const uint64_t *id, struct text *text)
{
	if (cgroup_tasks.list)
		cgroup_tasks.list((uint32_t)id[0], false, text);
	return 0;
}

static int write_threads(const uint64_t *id, struct text *text)
{
	if (cgroup_tasks.list)
		cgroup_tasks.list((uint32_t)id[0], true, text);
	return 0;
}

/* A number, with spaces and a line end around it. */
static int read_pid(const char *bytes, size_t n, uint32_t *pid)
{
	size_t i = 0, digits = 0;

	*pid = 0;
	while (i < n && (bytes[i] == ' ' || bytes[i] == '\t'))
		i++;
	for (; i < n && bytes[i] >= '0' && bytes[i] <= '9' && digits < 9; i++, digits++)
		*pid = *pid * 10 + (uint32_t)(bytes[i] - '0');
	while (i < n && (bytes[i] == ' ' || bytes[i] == '\n' || !bytes[i]))
		i++;
	return digits && i == n ? 0 : -EINVAL;
}

static int move(const uint64_t *id, const char *bytes, size_t n, bool thread)
{
	uint32_t pid;
	const int error = read_pid(bytes, n, &pid);

	if (error || !cgroup_tasks.move)
		return error;
	if (id[0] && !groups[id[0]].dir)
		return -ENODEV;
	return cgroup_tasks.move((uint32_t)id[0], pid, thread);
}

static int store_procs(const uint64_t *id, const char *bytes, size_t n)
{
	return move(id, bytes, n, false);
}

static int store_threads(const uint64_t *id, const char *bytes, size_t n)
{
	return move(id, bytes, n, true);
}

static int write_nothing(const uint64_t *id, struct text *text)
{
	(void)id, (void)text;
	return 0;
}

/* No controller exists that could be delegated. */
static int store_control(const uint64_t *id, const char *bytes, size_t n)
{
	(void)id;
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != ' ' && bytes[i] != '\n')
			return -EINVAL;
	return 0;
}

static int write_type(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "domain\n");
	return 0;
}

static int write_events(const uint64_t *id, struct text *text)
{
	text_print(text, "populated %u\nfrozen 0\n", has_tasks((uint32_t)id[0]));
	return 0;
}

static int write_cgroup_stat(const uint64_t *id, struct text *text)
{
	const uint64_t flags = tree_lock();
	const unsigned live = count_below((uint32_t)id[0], true);
	const unsigned dying = count_below((uint32_t)id[0], false);

	tree_unlock(flags);
	text_print(text, "nr_descendants %u\nnr_dying_descendants %u\n", live, dying);
	return 0;
}

/* The files of a group; `below`: the root lacks it. */
static const struct {
	const char *name;
	struct synth_writer writer;
	bool below;
} files[] = {
	{"cgroup.controllers", {.write = write_nothing}, false},
	{"cgroup.events", {.write = write_events}, true},
	{"cgroup.procs", {.write = write_procs, .store = store_procs}, false},
	{"cgroup.stat", {.write = write_cgroup_stat}, false},
	{"cgroup.subtree_control", {.write = write_nothing, .store = store_control}, false},
	{"cgroup.threads", {.write = write_threads, .store = store_threads}, false},
	{"cgroup.type", {.write = write_type}, true},
};
#define NFILES (sizeof(files) / sizeof(*files))

/* --- Directories --- */

static const struct inode_ops group_ops;

int cgroup_of(const struct inode *inode)
{
	return inode->ops == &group_ops ? (int)inode->group : -1;
}

/* Adds `inode`, whose reference it takes over, to `dir` by that name. */
static int add_cgroup_entry(struct inode *dir, const char *name, unsigned length,
			    struct inode *inode)
{
	struct entry *entry = inode ? entry_new(name, length) : NULL;
	uint64_t flags;
	int error = -ENOMEM;

	if (entry) {
		flags = tree_lock();
		error = directory_enter(dir, entry, inode);
		tree_unlock(flags);
	}
	if (error) {
		heap_free(entry);
		inode_put(inode);
	}
	return error;
}

/* Removes the first name of `dir` and returns its inode with its reference; with the lock. NULL:
 * it has no names. */
static struct inode *take_first(struct inode *dir)
{
	struct entry *entry = directory_after(dir, 0);
	struct inode *inode = entry ? entry->inode : NULL;

	if (!inode)
		return NULL;
	inode->links = 0;
	if (inode_is_directory(inode)) {
		dir->links--;
		groups[inode->group].dir = NULL;
	}
	directory_remove(dir, entry);
	return inode;
}

static void empty_directory(struct inode *dir)
{
	for (;;) {
		const uint64_t flags = tree_lock();
		struct inode *inode = take_first(dir);

		tree_unlock(flags);
		if (!inode)
			return;
		inode_put(inode);
	}
}

static int fill_directory(struct inode *dir)
{
	const uint64_t id[SYNTH_IDS] = {dir->group};
	int error = 0;

	for (unsigned i = 0; i < NFILES && !error; i++)
		if (dir->group || !files[i].below)
			error = add_cgroup_entry(
				dir, files[i].name, (unsigned)strlen(files[i].name),
				synth_file_new(&files[i].writer, id, DEVICE_CGROUP));
	if (error)
		empty_directory(dir);
	return error;
}

static struct inode *new_group(uint32_t group)
{
	struct inode *dir = inode_new(&group_ops, MODE_DIRECTORY | 0755, DEVICE_CGROUP);

	if (!dir)
		return NULL;
	directory_init(dir);
	dir->group = group;
	hold_number(group);
	groups[group].dir = dir;
	if (!fill_directory(dir))
		return dir;
	inode_put(dir);
	return NULL;
}

static int make_group(struct inode *parent, const char *name, unsigned length, uint32_t group)
{
	struct inode *dir = new_group(group);
	int error;

	if (!dir)
		return -ENOMEM;
	inode_get(dir); /* kept for empty_directory() */
	error = add_cgroup_entry(parent, name, length, dir);
	if (error)
		empty_directory(dir);
	inode_put(dir);
	return error;
}

static int group_mkdir(struct inode *parent, const char *name, unsigned length)
{
	const uint32_t group = take_number(parent->group);
	int error;

	if (!group)
		return -EAGAIN;
	error = make_group(parent, name, length, group);
	put_number(group);
	return error;
}

/* With the lock. */
static int rmdir_locked(struct inode *parent, const char *name, unsigned length,
			struct inode **gone)
{
	struct entry *entry = directory_find(parent, name, length);

	if (!entry)
		return -ENOENT;
	*gone = entry->inode;
	if (!inode_is_directory(*gone))
		return -ENOTDIR;
	if (count_below((*gone)->group, true))
		return -EBUSY;
	groups[(*gone)->group].dir = NULL;
	(*gone)->links = 0;
	parent->links--;
	directory_remove(parent, entry);
	return 0;
}

static int group_rmdir(struct inode *parent, const char *name, unsigned length)
{
	struct inode *dir, *gone = NULL;
	uint64_t flags;
	int error = directory_lookup(parent, name, length, &dir);

	if (error || !dir)
		return error ? error : -ENOENT;
	if (inode_is_directory(dir) && has_tasks(dir->group))
		error = -EBUSY;
	inode_put(dir);
	if (error)
		return error;
	flags = tree_lock();
	error = rmdir_locked(parent, name, length, &gone);
	tree_unlock(flags);
	if (error)
		return error;
	empty_directory(gone);
	inode_put(gone);
	return 0;
}

static void group_destroy(struct inode *dir)
{
	directory_free(dir);
	if (groups[dir->group].dir == dir)
		groups[dir->group].dir = NULL;
	put_number(dir->group);
}

static struct inode *group_parent(struct inode *dir)
{
	const uint64_t flags = tree_lock();
	struct inode *parent = inode_get(dir->names ? dir->names->parent : dir->mounted), *fs;

	tree_unlock(flags);
	if (!parent)
		return inode_get(dir);
	if (dir->names)
		return parent;
	fs = NULL;
	parent->ops->lookup(parent, "fs", 2, &fs);
	inode_put(parent);
	return fs;
}

static void put_root_path(struct inode *root, struct text *path)
{
	(void)root;
	text_print(path, ROOT_PATH);
}

static const struct inode_ops group_ops = {
	.lookup = directory_lookup,
	.next = directory_next,
	.parent = group_parent,
	.path = put_root_path,
	.open = readdir_open,
	.mkdir = group_mkdir,
	.rmdir = group_rmdir,
	.destroy = group_destroy,
};

static void put_group_path(uint32_t group, struct text *path)
{
	const uint64_t flags = tree_lock();
	struct inode *dir = inode_get(groups[group].dir);
	char name[NAME_BYTES_MOST];
	unsigned length = 0;

	if (dir && dir->names) {
		length = dir->names->length;
		memcpy(name, dir->names->name, length);
	}
	tree_unlock(flags);
	inode_put(dir);
	text_add(path, "/", 1);
	text_add(path, name, length);
}

void cgroup_path(uint32_t group, struct text *path)
{
	uint32_t up[CGROUPS_MOST];
	unsigned n = 0;

	if (!group)
		text_add(path, "/", 1);
	for (; group; group = groups[group].parent)
		up[n++] = group;
	while (n)
		put_group_path(up[--n], path);
}

/* --- Groups that each tree has --- */

static int reserve_part(uint32_t parent, const char *name, unsigned length)
{
	uint32_t group;

	for (unsigned i = 0; i < nreserved; i++)
		if (groups[reserved[i].group].parent == parent && reserved[i].length == length &&
		    !memcmp(reserved[i].name, name, length))
			return (int)reserved[i].group;
	group = take_number(parent);
	if (!group)
		return -EAGAIN;
	reserved[nreserved].group = group;
	reserved[nreserved].name = name;
	reserved[nreserved++].length = length;
	return (int)group;
}

int cgroup_reserve(const char *path)
{
	const char *part;
	unsigned length;
	int group = 0;

	while (group >= 0 && (part = cgroup_path_next(&path, &length)))
		group = reserve_part((uint32_t)group, part, length);
	return group;
}

void cgroup_release(void)
{
	while (nreserved)
		put_number(reserved[--nreserved].group);
}

static int make_reserved(void)
{
	int error = 0;

	for (unsigned i = 0; i < nreserved && !error; i++)
		error = make_group(groups[groups[reserved[i].group].parent].dir, reserved[i].name,
				   reserved[i].length, reserved[i].group);
	return error;
}

struct inode *cgroup_mount(struct inode *sys)
{
	struct inode *root = new_group(0);

	if (!root)
		return NULL;
	if (make_reserved()) {
		cgroup_unmount(root);
		return NULL;
	}
	root->mounted = sys;
	return root;
}

void cgroup_unmount(struct inode *root)
{
	const uint64_t flags = tree_lock();

	root->mounted = NULL;
	tree_unlock(flags);
	for (uint32_t i = CGROUPS_MOST; i--;) {
		struct inode *dir = inode_get(groups[i].dir);

		if (dir)
			empty_directory(dir);
		inode_put(dir);
	}
	inode_put(root);
}
